#!/usr/bin/env python3
"""Measures what bench/offload.py has built beside it: offload translations against CUDA.

    python measure.py [--rounds N]

Times are the `time_ms` that programs print; kernels and their adjoints are timed by programs of
their own. The exit code is 1 where something does not run.
"""

import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, cast

_PLAN: Final = "programs.json"
_TIME: Final = re.compile(r"^time_ms\s+([0-9.eE+-]+)\s*$", re.MULTILINE)
_TIMES: Final = re.compile(r"^[^\t]*\ttimes\tok\t[^\t]*\t(\S+) (\S+)$", re.MULTILINE)
_SECONDS: Final = 300


def main(arguments: list[str] | None = None) -> int:
    """0, or 1 where something does not run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(arguments)
    return run_all(Path(__file__).resolve().parent, options.rounds)


def run_all(directory: Path, rounds: int) -> int:
    """Measure every pair, in turn; prints the table."""
    plan = cast("dict[str, list[str]]", json.loads((directory / _PLAN).read_text()))
    print("| program | CUDA (ms) | OpenMP (ms) | ratio |", "|---|---|---|---|", sep="\n")
    ratios: list[float] = []
    faults = 0
    for name, arguments in plan.items():
        times: dict[str, list[float]] = {"cuda": [], "offload": []}
        fault = ""
        for _ in range(rounds):
            for form, found in times.items():
                measured = _milliseconds(directory / f"{name}.{form}", arguments)
                if isinstance(measured, str):
                    fault = f"{form}: {measured}"
                else:
                    found.append(measured)
            if fault:
                break
        if fault:
            print(f"| {name} | {fault} | | |", flush=True)
            faults += 1
            continue
        cuda, offload = (statistics.median(times[form]) for form in ("cuda", "offload"))
        ratios.append(offload / cuda)
        print(f"| {name} | {cuda:.3f} | {offload:.3f} | {offload / cuda:.2f} |", flush=True)
    if ratios:
        mean = math.exp(statistics.fmean(math.log(ratio) for ratio in ratios))
        print(f"| geometric mean | | | {mean:.2f} |")
    return 1 if _run_gradients(directory) or faults else 0


def _run_gradients(directory: Path) -> int:
    """Time kernels and adjoints; prints a table and gives the number of faults."""
    print("", "| kernel | primal (ms) | adjoint (ms) | ratio |", "|---|---|---|---|", sep="\n")
    faults = 0
    for driver in sorted(directory.glob("gradients/*/driver")):
        done = _run([str(driver), "0"], directory)
        output = done if isinstance(done, str) else done.stdout
        found = _TIMES.findall(output)
        for primal, adjoint in found:
            ratio = float(adjoint) / float(primal)
            print(f"| {driver.parent.name} | {primal} | {adjoint} | {ratio:.2f} |", flush=True)
        if not found:
            print(f"| {driver.parent.name} | {output.strip() or 'no result'} | | |", flush=True)
            faults += 1
    return faults


def _milliseconds(executable: Path, arguments: Sequence[str]) -> float | str:
    """`time_ms` of one run, or what is wrong with it."""
    done = _run([str(executable), *arguments], executable.parent)
    if isinstance(done, str):
        return done
    found = _TIME.search(done.stdout)
    return float(found[1]) if found else "no line `time_ms NUMBER`"


def _run(command: Sequence[str], directory: Path) -> subprocess.CompletedProcess[str] | str:
    """A run on the device, never on the host; or what is wrong with it."""
    variables = {**os.environ, "OMP_TARGET_OFFLOAD": "MANDATORY"}
    libraries = str(directory / "lib")
    variables["LD_LIBRARY_PATH"] = f"{libraries}:{os.environ.get('LD_LIBRARY_PATH', '')}"
    try:
        done = subprocess.run(
            command,
            env=variables,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except (FileNotFoundError, subprocess.TimeoutExpired) as fault:
        return type(fault).__name__
    if done.returncode == 0:
        return done
    said = done.stderr.strip().splitlines()
    return f"exit code {done.returncode}{f': {said[-1]}' if said else ''}"


if __name__ == "__main__":
    sys.exit(main())
