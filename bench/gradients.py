#!/usr/bin/env python3
"""What gradients cost: milliseconds of kernels and of their adjoints, side by side.

    python bench/gradients.py [--programs a,b] [--rounds N] [--threads 1,2] [--compiler clang++-19]

Kernel and adjoint run one after the other in every round; medians are shown, and the ratio that is
aimed at. The exit code is 1 where something could not be translated or built; how long anything
takes never fails. Threads are bound: OMP_PROC_BIND=spread OMP_PLACES=cores.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.timing_lib.gradient_programs import (
    PROGRAMS,
    ROOT,
    NotBuiltError,
    Program,
    timing_driver,
)
from g2o.interop.translate import TranslationError
from g2o.verify.gradients import CheckBuild, run_checks
from g2o.verify.run import RunOptions


def main(arguments: list[str] | None = None) -> int:
    """Measure what the command line asks for; 0, 1 for faults, 2 for wrong usage."""
    options = _parser().parse_args(arguments)
    chosen = [p for p in PROGRAMS if not options.programs or p.name.split()[0] in options.programs]
    print(
        f"{'':<14} {'threads':>7} {'kernel ms':>10} {'adjoint ms':>10} {'ratio':>6} "
        f"{'aim':>5}  atomics"
    )
    faults = 0
    for program in chosen:
        with tempfile.TemporaryDirectory(prefix="g2o-bench-") as directory:
            try:
                _measure(program, options, Path(directory))
            except (TranslationError, NotBuiltError) as fault:
                print(f"{program.name:<14} {fault}")
                faults += 1
    return 1 if faults else 0


def _measure(program: Program, options: argparse.Namespace, scratch: Path) -> None:
    build = CheckBuild(
        options.compiler,
        optimization="-O3",
        # CUDA's functions do not set errno; a square root that does is not vectorised.
        flags=("-march=native", "-fno-math-errno", "-DNDEBUG"),
        include_directories=(ROOT / "g2o" / "runtime",),
    )
    driver, atomics = timing_driver(program, scratch, build, options.rounds)
    firsts: dict[str, float] = {}
    for threads in options.threads:
        variables = {
            "OMP_NUM_THREADS": str(threads),
            "OMP_PROC_BIND": "spread",
            "OMP_PLACES": "cores",
            "OMP_WAIT_POLICY": "active",
        }
        done = run_checks(driver, 0, RunOptions(timeout=300, environment=variables))
        if done.fault:
            raise NotBuiltError(done.fault)
        for finding in done.findings:
            kernel, adjoint = map(float, finding.where.split())
            first = firsts.setdefault(finding.kernel, adjoint)
            gain = "" if first == adjoint else f"  {first / adjoint:.2f}x faster"
            print(
                f"{program.name:<14} {threads:>7} {kernel:>10.2f} {adjoint:>10.2f} "
                f"{finding.worst:>6.2f} {program.limit:>5.1f}  {atomics}{gain}",
                flush=True,
            )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--programs", type=_names, default=(), metavar="NAME,...")
    parser.add_argument("--rounds", type=int, default=9, metavar="N")
    parser.add_argument("--threads", type=_numbers, default=(1, 2), metavar="N,...")
    parser.add_argument("--compiler", default="g++")
    return parser


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(",") if name)


def _numbers(text: str) -> Sequence[int]:
    return tuple(max(1, int(word)) for word in text.split(","))


if __name__ == "__main__":
    sys.exit(main())
