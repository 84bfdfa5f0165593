"""Corpus programs that g2o refuses today: a list that shrinks, as one that passes fails."""

from __future__ import annotations

from typing import Final

import pytest

from tests.corpus.programs import corpus_programs

NOT_YET: Final[dict[str, str]] = {}

# All programs as parameters of a test; those of `NOT_YET` are expected to fail.
PROGRAMS: Final = [
    pytest.param(
        program,
        id=program.name,
        marks=pytest.mark.xfail(strict=True, reason=NOT_YET[program.name])
        if program.name in NOT_YET
        else (),
    )
    for program in corpus_programs()
]
