"""Programs that are run do not outlive the process that runs them."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from g2o.verify.build import Executable
from g2o.verify.run import Run, run

RUNNER = """
import signal, sys
from pathlib import Path
from g2o.verify.build import Executable
from g2o.verify.run import run
for sent in (signal.SIGINT, signal.SIGTERM):  # a shell's background jobs ignore the first
    signal.signal(sent, signal.default_int_handler)
run(Executable(Path(sys.argv[1])))
"""
PROGRAM = """#!/bin/sh
echo $$ > "$0.new"
mv "$0.new" "$0.pid"
exec sleep 60
"""
SECONDS = 10.0


def wait_for(path: Path) -> None:
    """Wait until the file is there."""
    end = time.monotonic() + SECONDS
    while not path.exists():
        assert time.monotonic() < end, "the program was not started"
        time.sleep(0.01)


def ends(process_id: int) -> bool:
    """Whether a process is gone, or about to be, within a time that a busy machine needs."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        try:
            os.kill(process_id, 0)
        except ProcessLookupError:
            return True
        state = Path(f"/proc/{process_id}/stat")
        if state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.01)
    return False


def test_own_path_has_a_common_name(tmp_path: Path) -> None:
    program = tmp_path / "translated"
    program.write_text("#!/bin/sh\necho usage: $0 N\necho $0 failed >&2\n")
    program.chmod(0o755)
    done = run(Executable(program))
    assert isinstance(done, Run)
    assert (done.stdout, done.stderr) == ("usage: ./program N\n", "./program failed\n")


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_program_ends_with_who_runs_it(tmp_path: Path, sent: signal.Signals) -> None:
    if sent is signal.SIGKILL and shutil.which("setpriv") is None:
        pytest.skip("there is no setpriv (util-linux) here")
    program = tmp_path / "program"
    program.write_text(PROGRAM)
    program.chmod(0o755)
    with subprocess.Popen(
        [sys.executable, "-c", RUNNER, str(program)], stderr=subprocess.DEVNULL
    ) as runner:
        wait_for(tmp_path / "program.pid")
        runner.send_signal(sent)
        runner.wait(SECONDS)
    assert ends(int((tmp_path / "program.pid").read_text()))
