"""The whole text of every corpus translation, as somebody last found it good to read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from tests.corpus.execution import translate
from tests.corpus.programs import CORPUS, PROGRAMS, CorpusProgram, corpus_programs
from tests.golden import orphans

_EXPECTED: Final = "expected"


@pytest.mark.parametrize("program", PROGRAMS)
def test_translation_reads_as_before(
    program: CorpusProgram, tmp_path: Path, golden: Callable[[Path, str], None]
) -> None:
    translate(program, tmp_path)
    for name in program.outputs:
        text = (tmp_path / name).read_bytes().decode("latin-1")
        golden(program.directory / _EXPECTED / name, text)


def test_every_golden_belongs_to_a_program() -> None:
    expected = {
        program.directory / _EXPECTED / name
        for program in corpus_programs()
        for name in program.outputs
    }
    assert orphans(CORPUS, f"*/{_EXPECTED}/*", expected) == []
