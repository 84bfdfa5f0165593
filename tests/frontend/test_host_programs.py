"""Small CUDA programs with names and host code that are hard to edit: run against emulation."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.cli.main import run as run_g2o

PROGRAMS = Path(__file__).parent / "programs"


@pytest.mark.parametrize("program", sorted(p.stem for p in PROGRAMS.glob("*.cu")))
def test_translation_does_what_the_emulated_program_does(
    program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run_g2o(["verify", str(PROGRAMS / f"{program}.cu")])
    shown = capsys.readouterr()
    assert code == 0, shown.out + shown.err
    assert shown.out.count("agrees: ") == 3
