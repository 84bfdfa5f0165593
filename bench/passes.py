"""What each pass changes: in how many programs, in how many kernels, and how many lines it saves.

python -m bench.passes corpus ~/src/rodinia/cuda ~/src/HeCBench/src
python -m bench.passes --grad --lines corpus

A folder in one of the given folders that has CUDA sources below it is a program. With `--lines`
each translation is made once more without each pass that changes it, which takes long. Files that
take too long are listed and count as unchanged.
"""

from __future__ import annotations

import os
import signal
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from typing import Final, final

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table

from g2o.diagnostics.diagnostic import Refusal
from g2o.frontend.cuda.project import Project
from g2o.ir.verify import InvalidIR
from g2o.passes import IMPROVEMENTS, PASSES, TranslateOptions
from g2o.pipeline import translate_file

_SOURCES: Final = (".cu", ".cuh")
_FILES: Final = 20  # that one process translates


@final
@dataclass(frozen=True, slots=True)
class Changes:
    """What passes have changed in one file, as names of kernels and of passes, and how many lines
    longer the output is without each of the passes."""

    group: str
    program: str
    changed: tuple[tuple[str, str], ...] = ()
    longer: tuple[tuple[str, int], ...] = ()
    failed: str = ""


def changes_in(
    group: str, program: str, path: Path, grad: bool, lines: bool, seconds: int
) -> Changes:
    """What is changed in the kernels of one file; nothing where it cannot be read in time."""
    folders = sorted({path.parent, *path.parent.parents[:2]})
    options = TranslateOptions(
        grads=("",) if grad else (),
        keep_going=True,
        notes_changes=True,
        self_check=False,
        clang_flags=tuple(f"-I{folder}" for folder in folders),
    )
    signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)  # of computing, however busy the machine is
    try:
        found = _translated(path, options)
        code, changed = found
        longer: list[tuple[str, int]] = []
        for name in dict.fromkeys(one for _, one in changed) if lines else ():
            without = _translated(path, replace(options, without=(name,)))
            if name in IMPROVEMENTS:
                longer.append((name, without[0].count("\n") - code.count("\n")))
    except (Refusal, OSError, InvalidIR) as fault:
        return Changes(group, program, failed=f"{path}: {fault}".partition("\n")[0])
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return Changes(group, program, changed, tuple(longer))


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise TimeoutError("takes too long")


def _translated(path: Path, options: TranslateOptions) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The output, and what was changed. Raises Refusal where nothing can be translated."""
    project = Project.alone(path, options.clang_flags, path.with_suffix(".omp.cpp"))
    made = translate_file(path, options, path.name, project)
    if not made.code:
        raise Refusal(*made.diagnostics)
    return made.code, made.changes


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(folder.rglob("*")):
        if path.suffix in _SOURCES and path.is_file():
            yield path.relative_to(folder).parts[0], path


@click.command(help=__doc__)
@click.argument("folders", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--grad", is_flag=True, help="Make adjoints, too.")
@click.option("--lines", is_flag=True, help="Count the lines that each pass saves.")
@click.option("--seconds", default=120, show_default=True, help="The limit of one file.")
@click.option("-j", "--jobs", default=os.cpu_count() or 1, show_default=True, type=int)
def main(folders: tuple[Path, ...], grad: bool, lines: bool, seconds: int, jobs: int) -> None:
    names = [folder.name or str(folder) for folder in folders]
    files = [
        (name, program, path)
        for name, folder in zip(names, folders, strict=True)
        for program, path in _files(folder)
    ]
    found: list[Changes] = []
    # New processes every so often, for their memory: `max_tasks_per_child` hangs in Python 3.11.
    batches = range(0, len(files), _FILES * jobs)
    for begin in track(batches, "translating", console=Console(stderr=True)):
        with ProcessPoolExecutor(jobs) as pool:
            tasks = [
                pool.submit(changes_in, *one, grad, lines, seconds)
                for one in files[begin : begin + _FILES * jobs]
            ]
            found += [task.result() for task in tasks]
    Console().print(_table(names, found, lines))
    for one in found:
        if one.failed:
            click.echo(one.failed, err=True)


def _table(names: list[str], found: list[Changes], lines: bool) -> Table:
    """One row a pass: the programs and kernels that it changes, by folder."""
    programs: dict[tuple[str, str], set[str]] = defaultdict(set)
    kernels: Counter[tuple[str, str]] = Counter()
    longer: Counter[str] = Counter()
    for one in found:
        for _, name in set(one.changed):
            programs[one.group, name].add(one.program)
            kernels[one.group, name] += 1
        longer.update(dict(one.longer))
    table = Table("pass", *(f"{name}: programs / kernels" for name in names))
    if lines:
        table.add_column("lines saved", justify="right")
    for name in PASSES:
        cells = [f"{len(programs[group, name])} / {kernels[group, name]}" for group in names]
        required = "" if name in IMPROVEMENTS else " (needed)"
        table.add_row(f"{name}{required}", *cells, *([str(longer[name])] if lines else []))
    return table


if __name__ == "__main__":
    main()
