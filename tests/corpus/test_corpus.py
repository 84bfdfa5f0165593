"""Every corpus program: its translation builds without a warning and does what the source does."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.corpus.execution import (
    GCC,
    OTHER_TOOLCHAINS,
    assert_agrees,
    build,
    checked_in,
    reference_runs,
    translate,
)
from tests.corpus.programs import PROGRAMS, CorpusProgram

_LITERAL: Final = ("-O0", "-O1")


@pytest.mark.parametrize("program", PROGRAMS)
def test_translation_does_what_the_source_does(program: CorpusProgram, tmp_path: Path) -> None:
    checked_in(program, tmp_path / "translation")
    translated = _sources(program, tmp_path / "translation")
    references = reference_runs(program, tmp_path)
    built = build(translated, tmp_path / "translated", GCC)
    assert_agrees(program, built, references, GCC.name)


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS)
def test_every_toolchain_and_level_agrees(program: CorpusProgram, tmp_path: Path) -> None:
    translated = _translate(program, tmp_path / "translation")
    references = reference_runs(program, tmp_path)
    for number, toolchain in enumerate(OTHER_TOOLCHAINS):
        built = build(translated, tmp_path / f"toolchain{number}", toolchain)
        assert_agrees(program, built, references, toolchain.name)
    for level in _LITERAL:
        translated = _translate(program, tmp_path / f"translation{level}", level)
        built = build(translated, tmp_path / f"translated{level}", GCC)
        assert_agrees(program, built, references, f"g2o {level}", threads=(2,))


def _translate(program: CorpusProgram, output: Path, *options: str) -> list[Path]:
    """Translate `program`; returns what a compiler has to be given."""
    translate(program, output, *options)
    return _sources(program, output)


def _sources(program: CorpusProgram, output: Path) -> list[Path]:
    return [output / name for name in program.outputs if name.endswith(".cpp")]
