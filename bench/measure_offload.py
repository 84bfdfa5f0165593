#!/usr/bin/env python3
"""Measures what bench/offload.py has built beside it: offload translations against CUDA.

    python measure.py [--rounds N]

Times are the `time_ms` that programs print; kernels and their adjoints are timed by programs of
their own. The exit code is 1 where something does not run, or does not print the numbers that the
CUDA program prints. Without a GPU nothing is measured.
"""

import argparse
import ctypes
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
_DRIVERS: Final = ("libcuda.so.1", "libcuda.so", "/usr/local/nvidia/lib64/libcuda.so.1")
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?")
_TOLERANCE: Final = 1e-3  # of numbers that both forms print: sums have another order


def main(arguments: list[str] | None = None) -> int:
    """0, or 1 where something does not run; 0 as well where there is no GPU."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(arguments)
    directory = Path(__file__).resolve().parent
    device, found = find_device()
    if not found:
        print(f"nothing is measured: {device}")
        return 0
    _link_driver(directory / "lib")
    print(f"{device}, {options.rounds} rounds\n")
    return run_all(directory, options.rounds)


def find_device() -> tuple[str, bool]:
    """The name of the first GPU, or why there is none; and whether there is one."""
    for name in _DRIVERS:
        try:
            driver = ctypes.CDLL(name)
            break
        except OSError:
            continue
    else:
        return "no driver of NVIDIA's (libcuda.so.1)", False
    count = ctypes.c_int(0)
    error = driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count))
    if error or count.value == 0:
        return f"the driver sees no GPU (error {error})", False
    text = ctypes.create_string_buffer(256)
    driver.cuDeviceGetName(text, len(text), 0)
    return text.value.decode(), True


def _link_driver(libraries: Path) -> None:
    """LLVM's runtime asks for libcuda.so, which machines without CUDA's development files lack."""
    maps = Path("/proc/self/maps")
    link = libraries / "libcuda.so"
    loaded = re.findall(r"(/\S*libcuda\.so\S*)$", maps.read_text(), re.MULTILINE)
    if loaded and not link.exists():
        link.unlink(missing_ok=True)
        link.symlink_to(loaded[0])


def run_all(directory: Path, rounds: int) -> int:
    """Measure every pair, in turn; prints the table."""
    plan = cast("dict[str, list[str]]", json.loads((directory / _PLAN).read_text()))
    print("| program | CUDA (ms) | OpenMP (ms) | ratio |", "|---|---|---|---|", sep="\n")
    ratios: list[float] = []
    faults = 0
    for name, arguments in plan.items():
        times: dict[str, list[float]] = {"cuda": [], "offload": []}
        printed: dict[str, str] = {}
        fault = ""
        for _ in range(rounds):
            for form, found in times.items():
                done = _run([str(directory / f"{name}.{form}"), *arguments], directory)
                measured = _milliseconds(done)
                if isinstance(measured, str):
                    fault = f"{form}: {measured}"
                    break
                found.append(measured)
                printed[form] = done if isinstance(done, str) else _TIME.sub("", done.stdout)
            if fault:
                break
        fault = fault or _difference(printed["cuda"], printed["offload"])
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


def _milliseconds(done: subprocess.CompletedProcess[str] | str) -> float | str:
    """`time_ms` of a run, or what is wrong with it."""
    if isinstance(done, str):
        return done
    found = _TIME.search(done.stdout)
    return float(found[1]) if found else "no line `time_ms NUMBER`"


def _difference(cuda: str, offload: str) -> str:
    """Where the two forms do not print the same numbers; empty where they do."""
    expected, found = ([float(n) for n in _NUMBER.findall(text)] for text in (cuda, offload))
    if len(expected) != len(found):
        return f"{len(found)} numbers instead of {len(expected)}"
    for one, other in zip(expected, found, strict=True):
        if abs(one - other) > _TOLERANCE * max(1.0, abs(one)):
            return f"offload: {other:g} instead of {one:g}"
    return ""


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
