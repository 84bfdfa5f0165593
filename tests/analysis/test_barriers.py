"""What must stay stays: barriers, stores and arrays that look as if they could go."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from g2o.diagnostics.diagnostic import Diagnostic
from g2o.frontend.cuda.project import Project
from g2o.passes import TranslateOptions
from g2o.pipeline import translate_file

_HERE = Path(__file__).parent / "barriers"
_REMOVED, _MEMORY, _RACE = "G2O0301", "G2O0303", "G2O0308"


@cache
def _remarks(name: str, assume_noalias: bool = True) -> tuple[Diagnostic, ...]:
    path = _HERE / name
    project = Project.alone(path, (), path.with_suffix(".omp.cpp"))
    options = TranslateOptions(races=True, assume_noalias=assume_noalias)
    translation = translate_file(path, options, name, project)
    assert translation.ok, translation.diagnostics
    return translation.remarks


def _lines(name: str, code: str) -> set[int]:
    return {one.span.line for one in _remarks(name) if one.code == code and one.span is not None}


def _kernels(name: str) -> dict[str, list[tuple[int, str]]]:
    """The lines of every kernel, with their numbers."""
    found: dict[str, list[tuple[int, str]]] = {}
    kernel = ""
    for number, line in enumerate((_HERE / name).read_text().splitlines(), start=1):
        if line.startswith("__global__"):
            kernel = line.split("(")[0].split()[-1]
        found.setdefault(kernel, []).append((number, line))
    del found[""]
    return found


@pytest.mark.parametrize("kernel", sorted(_kernels("needed.cu")))
def test_needed_barriers_stay(kernel: str) -> None:
    removed = _lines("needed.cu", _REMOVED)
    barriers = [
        (number, line)
        for number, line in _kernels("needed.cu")[kernel]
        if "__syncthreads();" in line
    ]
    assert barriers
    for number, line in barriers:
        assert (number in removed) == line.endswith("// goes"), (number, line)


@pytest.mark.parametrize("kernel", sorted(_kernels("memory.cu")))
def test_needed_memory_stays(kernel: str) -> None:
    numbers = {number for number, _ in _kernels("memory.cu")[kernel]}
    assert not numbers & _lines("memory.cu", _MEMORY)


def test_threads_may_be_in_different_iterations_of_their_own_loops() -> None:
    lines = dict(_kernels("own_iterations.cu")["own_iterations"])
    raced = {number for number, line in lines.items() if line.endswith("// race")}
    found = [one for one in _remarks("own_iterations.cu") if one.code == _RACE]
    pairs = [
        {one.span.line, one.notes[0].span.line}
        for one in found
        if one.span is not None and one.notes[0].span is not None
    ]
    assert raced in pairs
