"""Planted races are all found, at the right lines; kernels without a race are not accused."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.diagnostics.diagnostic import Diagnostic, Severity
from g2o.frontend.cuda.project import Project
from g2o.passes import TranslateOptions
from g2o.pipeline import translate_file

_HERE = Path(__file__).parent / "races"
_PLANTED = ("planted.cu", "planted_more.cu")


def _line(diagnostic: Diagnostic) -> int:
    assert diagnostic.span is not None
    return diagnostic.span.file.line_and_column(diagnostic.span.begin)[0]


def _races(name: str) -> list[tuple[int, int]]:
    """The certain races that a translation warns of, as pairs of lines in order."""
    path = _HERE / name
    project = Project.alone(path, (), path.with_suffix(".omp.cpp"))
    options = TranslateOptions(races=True)
    translation = translate_file(path, options, name, project)
    assert translation.ok, translation.diagnostics
    found: list[tuple[int, int]] = []
    for diagnostic in translation.diagnostics:
        if diagnostic.code == "G2O0308":
            assert diagnostic.severity is Severity.WARNING
            (note,) = diagnostic.notes
            assert note.span is not None
            second = note.span.file.line_and_column(note.span.begin)[0]
            low, high = sorted((_line(diagnostic), second))
            found.append((low, high))
    return found


def _planted(name: str) -> dict[str, tuple[int, int]]:
    """Kernel -> the lines of its race."""
    found: dict[str, list[int]] = {}
    kernel = ""
    for number, line in enumerate((_HERE / name).read_text().splitlines(), start=1):
        if line.startswith("__global__"):
            kernel = line.split("(")[0].split()[-1]
        elif line.endswith("// race"):
            found.setdefault(kernel, []).append(number)
    return {name: (lines[0], lines[-1]) for name, lines in found.items()}


@pytest.fixture(scope="module")
def reported() -> dict[str, list[tuple[int, int]]]:
    return {name: _races(name) for name in _PLANTED}


def test_enough_are_planted() -> None:
    assert sum(len(_planted(name)) for name in _PLANTED) >= 35


@pytest.mark.parametrize(
    ("name", "kernel"), [(name, kernel) for name in _PLANTED for kernel in sorted(_planted(name))]
)
def test_planted_race_is_found(
    name: str, kernel: str, reported: dict[str, list[tuple[int, int]]]
) -> None:
    assert _planted(name)[kernel] in reported[name]


@pytest.mark.parametrize("name", _PLANTED)
def test_no_other_is_reported(name: str, reported: dict[str, list[tuple[int, int]]]) -> None:
    """What is reported besides lies between the same lines: the other half of an update."""
    assert set(reported[name]) <= set(_planted(name).values())


@pytest.mark.parametrize("name", ["free.cu", "free_more.cu"])
def test_kernels_without_races(name: str) -> None:
    assert _races(name) == []
