"""Paired runs: each round runs both executables one after the other, so that what else goes on
on the machine meets both alike. Times are what the programs print as `time_ms`, in milliseconds."""

import os
import re
import statistics
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from bench.timing_lib.building import Pair, StepFailed

_TIME: Final = re.compile(r"^time_ms\s+([0-9.eE+-]+)\s*$", re.MULTILINE)
_SECONDS: Final = 60


@final
@dataclass(frozen=True, slots=True)
class PairedTimes:
    """Milliseconds of the rounds, in their order."""

    emitted: tuple[float, ...]
    written: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """Median over the rounds of emitted / hand-written: below 1, the translation is faster."""
        pairs = zip(self.emitted, self.written, strict=True)
        return statistics.median(emitted / written for emitted, written in pairs)


def environment(threads: int, library_path: str) -> dict[str, str]:
    """The environment of a measured program."""
    variables = {
        **os.environ,
        "OMP_NUM_THREADS": str(threads),
        "OMP_PROC_BIND": "spread",
        "OMP_PLACES": "cores",
    }
    if library_path:
        variables["LD_LIBRARY_PATH"] = library_path
    return variables


def measure(
    pair: Pair, arguments: Sequence[str], rounds: int, variables: Mapping[str, str]
) -> PairedTimes:
    """Run both `rounds` times, the first alternating; raises StepFailed."""
    emitted: list[float] = []
    written: list[float] = []
    for number in range(rounds):
        turns = [(pair.emitted, emitted), (pair.written, written)]
        for executable, times in turns if number % 2 == 0 else reversed(turns):
            times.append(_milliseconds(executable, arguments, variables))
    return PairedTimes(tuple(emitted), tuple(written))


def _milliseconds(
    executable: Path, arguments: Sequence[str], variables: Mapping[str, str]
) -> float:
    name = f"run {executable.name}"
    try:
        done = subprocess.run(
            [str(executable), *arguments],
            cwd=executable.parent,
            env=variables,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as fault:
        raise StepFailed(f"{name}: no end within {_SECONDS} s") from fault
    if done.returncode != 0:
        raise StepFailed(f"{name}: exit code {done.returncode}")
    found = _TIME.search(done.stdout)
    if found is None:
        raise StepFailed(f"{name}: it prints no line `time_ms NUMBER`")
    return float(found[1])
