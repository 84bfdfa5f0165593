#!/usr/bin/env python3
"""What the polyhedral analysis does for a body of CUDA programs, and how long it takes.

    python bench/analysis.py FOLDER... [--list FILE] [--args-file FILE] [--out FILE] [--by-kernel]

A program is what it is for bench/coverage.py. For each: barriers of its kernels before and how many
of them went, loads and stores that went, seconds of analysis a kernel; with --run the time that the
program takes when translated with -O0 and with -O2.
"""

import argparse
import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.analysis_lib.report import ProgramFigures, summary, table
from bench.coverage_lib.process import run_process
from bench.coverage_lib.programs import Program, Unit, discover
from bench.coverage_lib.results import Outcome
from bench.coverage_lib.settings import SettingsError, load_settings
from bench.coverage_lib.stages import build, run, translate
from bench.coverage_lib.workspace import make_workspace
from g2o.analysis.figures import KernelFigures

_BUILD_SECONDS = 180.0
_RUN_SECONDS = 60.0


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; 2 for wrong usage."""
    options = _parser().parse_args(arguments)
    try:
        settings = load_settings(options.args_file) if options.args_file else {}
        wanted = set(options.list.read_text(encoding="utf-8").split()) if options.list else None
        programs = [
            program
            for folder in options.folders
            for program in discover(folder, settings)
            if wanted is None or program.name in wanted
        ]
    except (OSError, SettingsError) as error:
        print(f"analysis: {error}", file=sys.stderr)
        return 2
    known = _load(options.out)
    for number, program in enumerate(programs, 1):
        if program.name in known:
            continue
        known[program.name] = _measure(program, options.timeout, options.run)
        print(f"[{number}/{len(programs)}] {program.name}", file=sys.stderr, flush=True)
        if options.out is not None:
            options.out.write_text(json.dumps([asdict(one) for one in known.values()]))
    found = [known[program.name] for program in programs]
    print(table(found, options.by_kernel), "", summary(found), sep="\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--list", type=Path, help="file with the names of the programs to analyse")
    parser.add_argument("--args-file", type=Path, help="TOML: arguments and flags by program")
    parser.add_argument("--out", type=Path, help="JSON file; programs already in it are not redone")
    parser.add_argument("--by-kernel", action="store_true", help="a line for every kernel")
    parser.add_argument("--timeout", type=float, default=120.0, help="seconds for one program")
    parser.add_argument(
        "--run", type=int, default=0, metavar="N", help="time the programs, the best of N runs"
    )
    return parser


def _load(path: Path | None) -> dict[str, ProgramFigures]:
    """What is in the file already."""
    if path is None or not path.is_file():
        return {}
    rows = [
        ProgramFigures(
            row["name"],
            tuple(KernelFigures(**one) for one in row["kernels"]),
            row["note"],
            None if row["times"] is None else (row["times"][0], row["times"][1]),
        )
        for row in json.loads(path.read_text(encoding="utf-8"))
    ]
    return {row.name: row for row in rows}


def _measure(program: Program, limit: float, runs: int) -> ProgramFigures:
    try:
        with tempfile.TemporaryDirectory(prefix="g2o-analysis-") as directory:
            kernels, note = _analyse(program, Path(directory), limit)
        times = _times(program, limit, runs) if runs and kernels and not note else None
    except (OSError, SettingsError) as error:
        return ProgramFigures(program.name, (), str(error))
    return ProgramFigures(program.name, kernels, note, times)


def _analyse(
    program: Program, directory: Path, limit: float
) -> tuple[tuple[KernelFigures, ...], str]:
    """The kernels of all sources that have the same flags at once; and what went wrong."""
    workspace = make_workspace(program, directory)
    groups: dict[tuple[str, ...], list[Path]] = {}
    for unit in program.units:
        if unit.source in program.cuda_files:
            words = _flags(unit, workspace.include_dirs(unit))
            groups.setdefault(words, []).append(workspace.mirror(unit.source))
    found: list[KernelFigures] = []
    for number, (flags, files) in enumerate(groups.items()):
        command = [
            *(sys.executable, "-m", "bench.analysis_lib.figures"),
            *(*map(str, files), *flags),
            *("--in-root", str(workspace.base), "--out-root", str(workspace.base)),
        ]
        log = workspace.logs / f"analyse{number}"
        here = {"PYTHONPATH": str(Path(__file__).resolve().parents[1])}
        finished = run_process(command, workspace.folder, limit, log, here)
        if finished.returncode != 0:
            return tuple(found), finished.ending()
        found += [KernelFigures(**one) for one in json.loads(finished.output)]
    return tuple(found), ""


def _flags(unit: Unit, include_dirs: tuple[Path, ...]) -> tuple[str, ...]:
    return (
        *(f"-D{define}" for define in unit.defines),
        *(f"-I{path}" for path in include_dirs),
        *(word for name in unit.forced_includes for word in ("-include", name)),
        *([f"-std={unit.standard}"] if unit.standard else []),
    )


def _times(program: Program, limit: float, runs: int) -> tuple[float, float] | None:
    """Seconds of the program at -O0 and at -O2; None where one of them does not run."""
    found: list[float] = []
    for level in ("-O0", "-O2"):
        with tempfile.TemporaryDirectory(prefix="g2o-analysis-") as directory:
            workspace = make_workspace(program, Path(directory))
            for stage in (
                translate(workspace, limit, (level,)),
                build(workspace, _BUILD_SECONDS),
            ):
                if stage.outcome is not Outcome.OK:
                    return None
            finished = [
                run(workspace, program.settings.timeout or _RUN_SECONDS) for _ in range(runs)
            ]
            if any(one.returncode != 0 for one in finished):
                return None
            found.append(min(one.seconds for one in finished))
    return found[0], found[1]


if __name__ == "__main__":
    sys.exit(main())
