#!/usr/bin/env python3
"""`make bench`: translations against hand-written OpenMP, and the time that translating takes.

The programs are those of corpus/ with a form in bench/baseline/, and the pairs of bench/pairs/.

    python bench/run.py [--programs a,b] [--rounds N] [--compiler clang++-19] [--json FILE]

Both forms of a program are built with the same compiler and flags and run one after the other in
every round. The exit code is 1 where something could not be translated, built or run; how long
anything takes never fails.
"""

import argparse
import platform
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.timing_lib.building import StepFailed, build_pair, library_path
from bench.timing_lib.measuring import environment, measure
from bench.timing_lib.programs import BenchProgram, UnknownProgram, bench_programs
from bench.timing_lib.report import (
    ProgramTimes,
    as_json,
    program_table,
    program_tables,
    translation_table,
)
from bench.timing_lib.translation import translation_times


def main(arguments: list[str] | None = None) -> int:
    """Measure what the command line asks for; 0, 1 for faults, 2 for wrong usage."""
    options = _parser().parse_args(arguments)
    try:
        programs = bench_programs(options.programs)
    except UnknownProgram as fault:
        print(f"bench: {fault}", file=sys.stderr)
        return 2
    rows: list[ProgramTimes] = []
    for program in programs:
        rows.append(_measure(program, options))
        print(program_table(rows[-1:]).splitlines()[1], file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory(prefix="g2o-bench-") as directory:
        rounds = 0 if options.no_translation else min(options.rounds, 3)
        times = translation_times(rounds, Path(directory)) if rounds else []
    print(program_tables(rows))
    if times:
        print("", translation_table(times), sep="\n")
    if options.json:
        settings: dict[str, str | int] = {
            "compiler": options.compiler,
            "rounds": options.rounds,
            "threads": options.threads,
            "machine": platform.machine(),
        }
        options.json.write_text(as_json(settings, rows, times))
    return 1 if any(row.fault for row in rows) or any(each.fault for each in times) else 0


def _measure(program: BenchProgram, options: argparse.Namespace) -> ProgramTimes:
    variables = environment(options.threads, library_path(options.compiler))
    with tempfile.TemporaryDirectory(prefix="g2o-bench-") as directory:
        try:
            pair = build_pair(program, options.compiler, Path(directory))
            times = measure(pair, program.arguments, options.rounds, variables)
        except StepFailed as fault:
            return ProgramTimes(program.name, None, str(fault), program.group)
    return ProgramTimes(program.name, times, group=program.group)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--programs", type=_names, default=(), metavar="NAME,...")
    parser.add_argument("--rounds", type=_positive, default=5, metavar="N")
    parser.add_argument("--threads", type=_positive, default=2, metavar="N")
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all measurements here")
    parser.add_argument("--no-translation", action="store_true", help="do not time g2o itself")
    return parser


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(",") if name)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("has to be at least 1")
    return number


if __name__ == "__main__":
    sys.exit(main())
