"""Small CUDA programs with names and host code that are hard to edit: run against emulation."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.together import agreements_once

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.cu"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_translation_does_what_the_emulated_program_does(
    program: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    found = agreements_once("host_programs", PROGRAMS, tmp_path_factory.getbasetemp())
    assert not found[program.stem]
