"""No barrier of the corpus is kept without need: without it, there is a race to be seen.

Or a remark says why none can be seen: the threads that meet are of one warp, which is kept in step;
or the barrier is there for other blocks, that wait for what this one tells them.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus.programs import PROGRAMS, CorpusProgram

from g2o.diagnostics.diagnostic import Diagnostic
from g2o.diagnostics.source import SourceSpan
from g2o.frontend.cuda.project import Project
from g2o.passes import TranslateOptions
from g2o.pipeline import Translation, translate_file

_SOME = [
    pytest.param(*one.values, id=one.id, marks=[pytest.mark.slow] if number % 8 else [])
    for number, one in enumerate(PROGRAMS)
]
_KEPT = "G2O0302"
_REMOVED = "G2O0301"
_FOR_OTHERS = "another block"
_RACE = "G2O0308"
_IN_STEP = "G2O0309"


def _translate(path: Path) -> Translation:
    project = Project.alone(path, (f"-I{path.parent}",), path.with_suffix(".omp.cpp"))
    options = TranslateOptions(races=True, clang_flags=(f"-I{path.parent}",))
    return translate_file(path, options, path.name, project)


def _races(translation: Translation) -> set[tuple[int, int]]:
    """The places of races, as lines, certain or possible."""
    found: set[tuple[int, int]] = set()
    for diagnostic in (*translation.diagnostics, *translation.remarks):
        if diagnostic.code == _RACE:
            (note,) = diagnostic.notes
            found.add((_line(diagnostic.span), _line(note.span)))
    return found


def _line(span: SourceSpan | None) -> int:
    assert span is not None
    return span.line


def _kept(translation: Translation) -> list[Diagnostic]:
    return [
        remark
        for remark in translation.remarks
        if remark.code == _KEPT
        and remark.span is not None
        and remark.span.text.startswith("__syncthreads")
    ]


@pytest.mark.parametrize("program", _SOME)
def test_without_it_there_is_a_race(program: CorpusProgram, tmp_path: Path) -> None:
    """What the remark on a kept barrier says is what happens when somebody takes it out."""
    for source in program.directory.glob("*.cuh"):
        (tmp_path / source.name).write_bytes(source.read_bytes())
    for source in program.sources:
        path = tmp_path / source.name
        path.write_bytes(source.read_bytes())
        original = _translate(path)
        before = _races(original)
        judged = [one for one in original.remarks if one.code in (_KEPT, _REMOVED)]
        assert len(judged) == sum(one.barriers for one in original.figures)
        text = source.read_text(encoding="latin-1")
        for remark in _kept(original):
            assert remark.span is not None
            without = text[: remark.span.begin] + text[remark.span.end :]
            path.write_text(without, encoding="latin-1")
            changed = _translate(path)
            in_step = any(one.code == _IN_STEP for one in changed.remarks)
            told = in_step or _FOR_OTHERS in remark.message
            assert told or _races(changed) - before, f"{source.name}:{remark.span.line}"
