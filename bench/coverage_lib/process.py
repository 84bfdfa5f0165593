"""Child processes with a time limit that ends their children too."""

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import final

_MAX_OUTPUT_BYTES = 4 << 20


@final
@dataclass(frozen=True, slots=True)
class Finished:
    """`returncode` is None where the time limit ended it; `output` is cut at 4 MiB."""

    returncode: int | None
    output: str
    errors: str
    seconds: float

    def ending(self) -> str:
        """How it ended, in words."""
        if self.returncode is None:
            return f"time limit after {self.seconds:.0f} s"
        if self.returncode < 0:
            return f"signal {signal.Signals(-self.returncode).name}"
        return f"exit code {self.returncode}"


def run_process(
    command: Sequence[str],
    directory: Path,
    limit: float,
    log: Path,
    environment: Mapping[str, str] | None = None,
) -> Finished:
    """Run `command`, stdout to `log`.out and stderr to `log`.err; `limit` is in seconds."""
    start = time.monotonic()
    out_path = log.with_name(log.name + ".out")
    err_path = log.with_name(log.name + ".err")
    returncode: int | None
    with out_path.open("wb") as out, err_path.open("wb") as err:
        process = subprocess.Popen(
            command,
            cwd=directory,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            env={**os.environ, **(environment or {})},
            start_new_session=True,
        )
        try:
            returncode = process.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            returncode = None
    return Finished(returncode, _head(out_path), _head(err_path), time.monotonic() - start)


def _head(path: Path) -> str:
    with path.open("rb") as stream:
        return stream.read(_MAX_OUTPUT_BYTES).decode("utf-8", errors="replace")
