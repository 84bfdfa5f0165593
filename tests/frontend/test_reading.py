"""What is written out when a source file is read, and the numbers of its lines then."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.cli.main import run
from g2o.frontend.cuda.reading import read_source

_STAMP = """#pragma once
#define STAMP(name, op)            \\
    __global__ void name(int *x) { \\
        x[threadIdx.x] op 2;       \\
    }
"""
_WRITTEN_OUT = """__global__ void add(int *x) {
    x[threadIdx.x] += 2;
}
"""


def test_a_kernel_of_a_macro_is_laid_out(tmp_path: Path) -> None:
    source = tmp_path / "a.cu"
    source.write_text(_STAMP + "\nSTAMP(add,\n      +=);\nint after;\n")
    file = read_source(source)
    assert _WRITTEN_OUT in file.text
    after = file.line_and_column(file.text.index("int after"))
    assert after == (9, 1)
    assert file.line_text(9) == "int after;"
    assert file.line_and_column(file.text.index("x[threadIdx.x] += 2"))[0] == 7


def test_the_macro_may_stand_in_a_header(tmp_path: Path) -> None:
    (tmp_path / "stamp.cuh").write_text(_STAMP)
    source = tmp_path / "a.cu"
    source.write_text('#include "stamp.cuh"\nSTAMP(add, +=)\n')
    assert _WRITTEN_OUT in read_source(source).text
    assert run(["translate", "-q", str(source), str(tmp_path / "stamp.cuh")]) == 0
    assert "void add(dim3" in (tmp_path / "a.omp.cpp").read_text()
    assert "STAMP" not in (tmp_path / "stamp.omp.hpp").read_text()


def test_which_of_two_definitions_counts_is_not_guessed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "a.cu"
    other = _STAMP.replace("op 2", "op 3").replace("#pragma once\n", "")
    source.write_text(f"#ifdef A\n{_STAMP}#else\n{other}#endif\nSTAMP(add, +=)\n")
    assert run(["translate", "-q", str(source)]) == 1
    assert "the macro 'STAMP' defines a kernel" in capsys.readouterr().err


def test_faults_are_where_the_macro_is_invoked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "a.cu"
    kernel = '__global__ void k() { asm("bar.arrive 0, 64;"); }'
    source.write_text(f"{_STAMP}STAMP(add, +=)\n{kernel}\n")
    assert run(["translate", "-q", str(source)]) == 1
    assert "a.cu:7:23: error" in capsys.readouterr().err


def test_lists_as_sizes_have_a_type(tmp_path: Path) -> None:
    source = tmp_path / "a.cu"
    source.write_text("__global__ void k() {}\nint main() { k<<<{2}, {8, 4}>>>(); }\n")
    assert "k<<<dim3{2}, dim3{8, 4}>>>()" in read_source(source).text
