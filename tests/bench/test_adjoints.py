"""The programs of `bench/adjoints`: what g2o differentiates agrees with what a person wrote."""

from pathlib import Path
from typing import Final

import pytest

from bench.timing_lib.adjoint_programs import (
    FOLDER,
    AdjointProgram,
    adjoint_programs,
    build_adjoint,
    run_adjoint,
)
from bench.timing_lib.measuring import environment

PROGRAMS: Final = adjoint_programs()
# What nobody needs a tape or an atomic for has none.
PLAIN: Final = ("softmax_block", "softmax_warp", "layer_norm_warp")
WITHOUT_TAPES: Final = (*PLAIN, "cross_entropy", "matmul_vectors", "roi_max", "grid_sample")
QUICKLY: Final = ("layer_norm_warp",)
"""A program takes as long to build as ten small ones."""


def test_every_program_is_complete() -> None:
    names = {program.name for program in PROGRAMS}
    assert {path.stem for path in FOLDER.glob("*.cu")} == names
    assert {path.name.split(".")[0] for path in FOLDER.glob("*.bench.cpp")} == names


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(one, marks=() if one.name in QUICKLY else pytest.mark.slow, id=one.name)
        for one in PROGRAMS
    ],
)
def test_both_adjoints_agree(program: AdjointProgram, tmp_path: Path) -> None:
    executable = build_adjoint(program, "g++", tmp_path)
    for threads in (1, 3):
        run_adjoint(executable, (), environment(threads, ""))
    text = (tmp_path / f"{program.name}.omp.cpp").read_text()
    assert program.name not in WITHOUT_TAPES or "Tape<" not in text
    assert program.name not in PLAIN or "atomic" not in text
