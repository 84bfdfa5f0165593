"""Small CUDA programs, each for one way in which a lowering can go wrong: run against emulation.

So are those of `kernels/` that have a `main`, with the slow tests: the others compare their text
(`test_kernels.py`).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.cli.main import run as run_g2o
from tests.together import agreements_once

AT_ONCE = 24
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


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            path, id=path.stem, marks=pytest.mark.slow if path.parent.name == "kernels" else ()
        )
        for path in PROGRAMS
    ],
)
def test_translation_does_what_the_emulated_program_does(
    program: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = [path for path in PROGRAMS if path.parent == program.parent]
    group = folder.index(program) // AT_ONCE
    sources = folder[group * AT_ONCE : (group + 1) * AT_ONCE]
    found = agreements_once(
        f"{program.parent.name}{group}", sources, tmp_path_factory.getbasetemp()
    )
    assert not found[program.stem]
