#!/usr/bin/env python3
"""What gradients cost: milliseconds of kernels and of their adjoints, side by side.

    python bench/gradients.py [--programs a,b] [--rounds N] [--threads 1,2] [--compiler clang++-19]
    python bench/gradients.py --scaling [...]

Kernel and adjoint run one after the other in every round; medians are shown, and the ratio that is
aimed at. `--scaling` compares the ratio of one thread with that of the last number of threads at
sixteen times the work: it should stay within a fifth of itself. The exit code is 1 where something
could not be translated or built; how long anything takes never fails. Threads are bound:
OMP_PROC_BIND=spread OMP_PLACES=cores.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.timing_lib.gradient_programs import (
    PROGRAMS,
    ROOT,
    NotBuiltError,
    Program,
    timing_driver,
)
from g2o.interop.translate import TranslationError
from g2o.verify.gradients import CheckBuild, Driver, run_checks
from g2o.verify.run import RunOptions


def main(arguments: list[str] | None = None) -> int:
    """Measure what the command line asks for; 0, 1 for faults, 2 for wrong usage."""
    options = _parser().parse_args(arguments)
    chosen = [p for p in PROGRAMS if not options.programs or p.name.split()[0] in options.programs]
    measure = _measure_scaling if options.scaling else _measure
    heads = ("small", "large", "change") if options.scaling else ("ratio", "aim", "atomics")
    print(
        f"{'':<14} {'threads':>7} {'kernel ms':>10} {'adjoint ms':>10} {heads[0]:>6} "
        f"{heads[1]:>5}  {heads[2]}"
    )
    faults = 0
    for program in chosen:
        with tempfile.TemporaryDirectory(prefix="g2o-bench-") as directory:
            try:
                measure(program, options, Path(directory))
            except (TranslationError, NotBuiltError) as fault:
                print(f"{program.name:<14} {fault}")
                faults += 1
    return 1 if faults else 0


def _measure(program: Program, options: argparse.Namespace, scratch: Path) -> None:
    driver, atomics = timing_driver(program, scratch, _build(options), options.rounds)
    firsts: dict[str, float] = {}
    for threads in options.threads:
        for launch, times in _times(driver, threads):
            first = firsts.setdefault(launch, times.adjoint)
            gain = "" if first == times.adjoint else f"  {first / times.adjoint:.2f}x faster"
            print(
                f"{program.name:<14} {threads:>7} {times.kernel:>10.2f} {times.adjoint:>10.2f} "
                f"{times.ratio:>6.2f} {program.limit:>5.1f}  {atomics}{gain}",
                flush=True,
            )


def _measure_scaling(program: Program, options: argparse.Namespace, scratch: Path) -> None:
    """What becomes of the overhead with more threads and sixteen times the work."""
    both = replace(program, launches=(program.small, program.launches[0]))
    driver, _ = timing_driver(both, scratch, _build(options), options.rounds)
    threads = options.threads[-1]
    (_, small), _ = _times(driver, 1)
    _, (_, large) = _times(driver, threads)
    print(
        f"{program.name:<14} {threads:>7} {large.kernel:>10.2f} {large.adjoint:>10.2f} "
        f"{small.ratio:>6.2f} {large.ratio:>5.2f}  {large.ratio / small.ratio - 1:+.0%}",
        flush=True,
    )


class _Times(NamedTuple):
    """Median milliseconds of a launch, and the median of adjoint / kernel."""

    kernel: float
    adjoint: float
    ratio: float


def _times(driver: Driver, threads: int) -> list[tuple[str, _Times]]:
    """Every launch that the driver has, in order. Raises NotBuiltError."""
    variables = {
        "OMP_NUM_THREADS": str(threads),
        "OMP_PROC_BIND": "spread",
        "OMP_PLACES": "cores",
        "OMP_WAIT_POLICY": "active",
    }
    done = run_checks(driver, 0, RunOptions(timeout=300, environment=variables))
    if done.fault:
        raise NotBuiltError(done.fault)
    return [
        (one.kernel, _Times(*map(float, one.where.split()), ratio=one.worst))
        for one in done.findings
    ]


def _build(options: argparse.Namespace) -> CheckBuild:
    return CheckBuild(
        options.compiler,
        optimization="-O3",
        # CUDA's functions do not set errno; a square root that does is not vectorised.
        flags=("-march=native", "-fno-math-errno", "-DNDEBUG"),
        include_directories=(ROOT / "g2o" / "runtime",),
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--programs", type=_names, default=(), metavar="NAME,...")
    parser.add_argument("--rounds", type=int, default=9, metavar="N")
    parser.add_argument("--threads", type=_numbers, default=(1, 2), metavar="N,...")
    parser.add_argument("--scaling", action="store_true", help="more threads and more work")
    parser.add_argument("--compiler", default="g++")
    return parser


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(",") if name)


def _numbers(text: str) -> Sequence[int]:
    return tuple(max(1, int(word)) for word in text.split(","))


if __name__ == "__main__":
    sys.exit(main())
