#!/usr/bin/env python3
"""Times two programs side by side: what g2o makes of CUDA, and what a person wrote for OpenMP.

    python bench/side_by_side.py FILE.toml [--programs a,b] [--rounds N] [--threads 1,2]

FILE says what is built, run and compared (`bench/side_lib/settings.py`). Both are built with the
same compiler and flags and run in turns; the best of all rounds counts. The ratios are hand-written
over translated: above 1 the translation is faster. The exit code is 1 where a program could not be
built, run or compared; how long anything takes never fails.
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.side_lib.report import SideTimes, as_json, table
from bench.side_lib.settings import SettingsError, SideBySide, load_programs
from bench.side_lib.sides import Tools, build_side, measure_sides
from bench.timing_lib.building import StepFailed, library_path
from bench.timing_lib.measuring import PairedTimes, environment


def main(arguments: list[str] | None = None) -> int:
    """Measure what the command line asks for; 0, 1 for faults, 2 for wrong usage."""
    options = _parser().parse_args(arguments)
    try:
        programs = load_programs(options.file)
    except (OSError, SettingsError) as fault:
        print(f"side_by_side: {fault}", file=sys.stderr)
        return 2
    unknown = sorted(set(options.programs) - {program.name for program in programs})
    if unknown:
        print(f"side_by_side: not in {options.file}: {', '.join(unknown)}", file=sys.stderr)
        return 2
    rows: list[SideTimes] = []
    for program in programs:
        if options.programs and program.name not in options.programs:
            continue
        rows.append(_measure(program, options))
        print(table(rows[-1:], options.threads).splitlines()[1], file=sys.stderr, flush=True)
    print(table(rows, options.threads))
    if options.json:
        settings = {key: getattr(options, key) for key in ("compiler", "flags", "rounds")}
        options.json.write_text(as_json(settings, rows))
    return 1 if any(row.fault for row in rows) else 0


def _measure(program: SideBySide, options: argparse.Namespace) -> SideTimes:
    if options.keep is None:
        with tempfile.TemporaryDirectory(prefix="g2o-sides-") as directory:
            return _measure_in(program, Path(directory), options)
    directory = options.keep.resolve() / program.name
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    return _measure_in(program, directory, options)


def _measure_in(program: SideBySide, directory: Path, options: argparse.Namespace) -> SideTimes:
    tools = Tools(options.compiler, options.flags)
    times: dict[int, PairedTimes] = {}
    try:
        emitted = build_side(program.emitted, directory / "emitted", tools)
        written = build_side(program.written, directory / "written", tools)
        for count in options.threads:
            variables = environment(count, library_path(options.compiler))
            times[count] = measure_sides(program, emitted, written, options.rounds, variables)
    except StepFailed as fault:
        return SideTimes(program.name, times, str(fault))
    return SideTimes(program.name, times)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("file", type=Path, metavar="FILE.toml")
    parser.add_argument("--programs", type=_names, default=(), metavar="NAME,...")
    parser.add_argument("--rounds", type=_positive, default=3, metavar="N")
    parser.add_argument("--threads", type=_counts, default=(1, 2), metavar="N,...")
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--flags", default="-std=c++17 -O3 -march=native -fopenmp -fno-math-errno")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep the working copies there")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all measurements here")
    return parser


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(",") if name)


def _counts(text: str) -> tuple[int, ...]:
    return tuple(_positive(part) for part in text.split(","))


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("has to be at least 1")
    return number


if __name__ == "__main__":
    sys.exit(main())
