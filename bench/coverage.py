#!/usr/bin/env python3
"""How much of a body of CUDA programs g2o carries to agreeing results on a CPU.

    python bench/coverage.py FOLDER... [--list FILE] [--out results.json] [--stage run]

A program is a folder with a Makefile or .cu files, or each of several executables that a Makefile
links. Its sources and flags are read from a dry run of make. It is translated, built with g++, run
and checked; the table says how far each got, the totals how many of them did.
"""

import argparse
import hashlib
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from coverage_lib.programs import Program, discover
from coverage_lib.report import reasons, table, totals, warnings
from coverage_lib.results import ProgramResult, Stage, load_results, save_results
from coverage_lib.settings import ProgramSettings, SettingsError, load_settings
from coverage_lib.stages import Limits, measure

import g2o


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; 0 when all that was asked for could be measured, 2 for wrong usage."""
    options = _parser().parse_args(arguments)
    try:
        settings = load_settings(options.args_file) if options.args_file else {}
        wanted = _wanted(options.list)
        programs = list(_programs(options.folders, settings, wanted))
    except (OSError, SettingsError) as error:
        print(f"coverage: {error}", file=sys.stderr)
        return 2
    translator = _fingerprint()
    out: Path | None = options.out
    known = load_results(out) if out else {}
    results = {
        program.name: known[program.name]
        for program in programs
        if program.name in known
        and known[program.name].translator == translator
        and not options.again
    }
    waiting = [program for program in programs if program.name not in results]
    last = Stage(options.stage)
    limits = Limits(
        *options.timeouts,
        last=last,
        references=options.references,
        target=options.target,
        second=options.second_compiler,
    )
    with ThreadPoolExecutor(max_workers=options.jobs) as pool:
        measure_one = partial(_measure, limits, translator, options.keep)
        measured = pool.map(measure_one, waiting)
        for number, result in enumerate(measured, 1):
            results[result.name] = result
            print(f"[{number}/{len(waiting)}] {table([result]).splitlines()[1]}", flush=True)
            if out:
                save_results(out, {**known, **results})
    rows = [results[program.name] for program in programs]
    print("", table(rows), "", totals(rows), "", reasons(rows), "", warnings(rows), sep="\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--list", type=Path, help="file with the names of the programs to measure")
    parser.add_argument("--out", type=Path, help="JSON file; programs already in it are not redone")
    parser.add_argument("--again", action="store_true", help="measure those in --out too")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--timeout", dest="timeouts", type=_timeouts, default=(60.0, 180.0, 20.0), metavar="S[,S,S]"
    )
    parser.add_argument("--stage", choices=[str(stage) for stage in Stage], default="check")
    parser.add_argument("--args-file", type=Path, help="TOML: arguments and flags by program")
    parser.add_argument(
        "--references", type=Path, help="compare with emulated runs, which are kept in this folder"
    )
    parser.add_argument(
        "--target",
        choices=("cpu", "offload"),
        default="cpu",
        help="offload: build for clang's x86-64 device, whose memory is its own",
    )
    parser.add_argument(
        "--second-compiler", metavar="CXX", help="another C++ compiler that has to accept it, too"
    )
    parser.add_argument("--keep", type=Path, help="keep the working copies in this folder")
    return parser


def _timeouts(text: str) -> tuple[float, float, float]:
    """`S` for every stage, or one for each of translate, build and run."""
    parts = [float(part) for part in text.split(",")]
    if len(parts) == 1:
        parts *= 3
    if len(parts) != 3:
        raise argparse.ArgumentTypeError("one number or three")
    return parts[0], parts[1], parts[2]


def _wanted(path: Path | None) -> frozenset[str] | None:
    if path is None:
        return None
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return frozenset(line for line in lines if line and not line.startswith("#"))


def _programs(
    folders: list[Path], settings: Mapping[str, ProgramSettings], wanted: frozenset[str] | None
) -> Iterator[Program]:
    for folder in folders:
        for program in discover(folder, settings):
            if wanted is None or program.name in wanted:
                yield program


def _measure(limits: Limits, translator: str, keep: Path | None, program: Program) -> ProgramResult:
    if keep is not None:
        directory = keep.resolve() / program.name
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(parents=True)
        return measure(program, directory, limits, translator)
    with tempfile.TemporaryDirectory(prefix="coverage-", ignore_cleanup_errors=True) as directory:
        return measure(program, Path(directory), limits, translator)


def _fingerprint() -> str:
    """A hash of the translator's files: results of another version are not taken over."""
    digest = hashlib.sha256()
    package = Path(g2o.__file__).parent
    for file in sorted(package.rglob("*")):
        if file.suffix in {".py", ".hpp", ".h", ".cuh"}:
            digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


if __name__ == "__main__":
    sys.exit(main())
