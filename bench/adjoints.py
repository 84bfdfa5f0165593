#!/usr/bin/env python3
"""Adjoints beside forward and backward loops that a person wrote, for kernels that libraries of
neural networks are made of.

    python bench/adjoints.py [--programs a,b] [--threads 1,2] [--compiler clang++-19]

Both run in turns in one executable; the best of each counts, and what they find has to agree. The
ratio is generated over written: above 1 the generated adjoint is slower. The exit code is 1 where
something could not be built or does not agree; how long anything takes never fails.
"""

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.timing_lib.adjoint_programs import adjoint_programs, build_adjoint, run_adjoint
from bench.timing_lib.building import StepFailed, library_path
from bench.timing_lib.measuring import environment


def main(arguments: list[str] | None = None) -> int:
    """Measure what the command line asks for; 0, 1 for faults, 2 for wrong usage."""
    options = _parser().parse_args(arguments)
    programs = adjoint_programs()
    unknown = sorted(set(options.programs) - {program.name for program in programs})
    if unknown:
        print(f"adjoints: no such programs: {', '.join(unknown)}", file=sys.stderr)
        return 2
    print(f"{'program':20}" + "".join(f"{f'{count} thread(s)':>14}" for count in options.threads))
    ratios: list[list[float]] = []
    failed = False
    for program in programs:
        if options.programs and program.name not in options.programs:
            continue
        try:
            with tempfile.TemporaryDirectory(prefix="g2o-adjoints-") as directory:
                executable = build_adjoint(program, options.compiler, Path(directory))
                found: list[float] = []
                for count in options.threads:
                    variables = environment(count, library_path(options.compiler))
                    found.append(run_adjoint(executable, program.large, variables).ratio)
        except StepFailed as fault:
            failed = True
            print(f"{program.name:20}{fault}")
            continue
        ratios.append(found)
        print(f"{program.name:20}" + "".join(f"{ratio:14.2f}" for ratio in found), flush=True)
    if ratios:
        means = [statistics.geometric_mean(column) for column in zip(*ratios, strict=True)]
        print(f"{'geometric mean':20}" + "".join(f"{mean:14.2f}" for mean in means))
    return 1 if failed else 0


def _parser() -> argparse.ArgumentParser:
    description = (__doc__ or "").splitlines()[0]
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--programs", type=_names, default=(), metavar="NAME,...")
    parser.add_argument("--threads", type=_counts, default=(1, 2), metavar="N,...")
    parser.add_argument("--compiler", default="g++", metavar="CXX")
    return parser


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def _counts(text: str) -> tuple[int, ...]:
    return tuple(int(word) for word in text.split(","))


if __name__ == "__main__":
    sys.exit(main())
