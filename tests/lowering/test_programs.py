"""Small CUDA programs, each for one way in which a lowering can go wrong: run against emulation.

So are those of `kernels/` that have a `main`: their text is compared, too (`test_kernels.py`).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.cli.main import run as run_g2o

HERE = Path(__file__).parent
PROGRAMS = sorted(
    path
    for path in HERE.glob("*/*.cu")
    if path.parent.name == "programs" or "main()" in path.read_text()
)


@pytest.mark.slow
@pytest.mark.parametrize("level", ["-O0", "-O1"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_literal_translation_does_the_same(
    program: Path, level: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run_g2o(["verify", str(program), level, "--threads", "2"])
    shown = capsys.readouterr()
    assert code == 0, shown.out + shown.err


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_translation_does_what_the_emulated_program_does(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run_g2o(["verify", str(program)])
    shown = capsys.readouterr()
    assert code == 0, shown.out + shown.err
    assert shown.out.count("agrees: ") == 3
