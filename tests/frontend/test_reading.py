"""What is written out when a source file is read, and the numbers of its lines then."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.cli.main import run
from g2o.frontend.cuda.reading import Headers, read_source

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


_ARGS = """#pragma once
#ifdef __INTELLISENSE__
#define ARGS(grid, block)
#else
#define ARGS(grid, block) <<<grid, block>>>
#endif
"""
_KERNEL = "template <int N> __global__ void k(int *x) { x[threadIdx.x] += N; }\n"


def test_parts_of_launches_are_written_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the file that defines the macros they go; an editor's definition of one is none."""
    (tmp_path / "args.h").write_text(_ARGS)
    source = tmp_path / "a.cu"
    source.write_text(
        '#include "args.h"\n'
        "#if 1\n#define PUT(...) <<<__VA_ARGS__>>>\n#endif\n"
        "#ifdef __INTELLISENSE__\n#define CALL(kernel, grid, block) kernel\n"
        "#else\n#define CALL(kernel, grid, block) kernel<<<(grid), (block)>>>\n#endif\n"
        "#define RUN(n, x) k<n> ARGS(1, n)(x)\n"
        f"{_KERNEL}"
        "void run(int *x) {\n    k<2> ARGS(dim3(1, 2), 3)(x);\n    k<3> PUT(1, 2, 0)(x);\n"
        "    RUN(4, x);\n    CALL(k<5>, 6, 7)(x);\n}\n"
    )
    text = read_source(source).text
    assert "k<5><<<(6), (7)>>>(x)" in text
    assert "k<2> <<<dim3(1, 2), 3>>>(x)" in text
    assert "k<3> <<<1, 2, 0>>>(x)" in text
    assert "k<4> <<<1, 4>>>(x)" in text
    assert "#define" not in text
    assert "#if" not in text
    assert read_source(tmp_path / "args.h").text == _ARGS
    assert run(["translate", "-q", str(source), str(tmp_path / "args.h")]) == 0
    assert "#" not in (tmp_path / "args.omp.hpp").read_text().partition("runtime.hpp")[2]
    assert "    k<2>(dim3(1, 2), 3, x);\n" in (tmp_path / "a.omp.cpp").read_text()
    source.write_text(_ARGS + _KERNEL + "#define ARGS(a, b) <<<b, a>>>\nvoid r(int *x) {}\n")
    assert run(["translate", "-q", str(source)]) == 0
    source.write_text(source.read_text().replace("{}", "{ k<1> ARGS(1, 2)(x); }"))
    assert run(["translate", "-q", str(source)]) == 1
    assert "a.cu:5:27: error: this kernel launch" in capsys.readouterr().err


def test_marks_of_the_order_of_bytes(tmp_path: Path) -> None:
    mark = b"\xef\xbb\xbf"
    for name, included, text in (
        ("a.cu", "b.h", _KERNEL),
        ("b.h", "c.h", "__device__ inline int one() { return 1; }\n"),
        ("c.h", "limits.h", "__device__ inline int two() { return threadIdx.x; }\n"),
    ):
        whole = f'#include "{included}"\n{text}'.encode()
        (tmp_path / name).write_bytes(mark + whole)
    assert run(["translate", "-q", str(tmp_path / "a.cu")]) == 0
    for name, included in (("a.omp.cpp", '"b.omp.hpp"'), ("b.omp.hpp", '"c.omp.hpp"')):
        translated = (tmp_path / name).read_bytes()
        assert f"\n#include {included}\n".encode() in translated
        assert translated.startswith(mark)
        assert translated.count(mark) == 1


def test_headers_are_read_once_for_all_files_that_include_them(tmp_path: Path) -> None:
    first, second = tmp_path / "first.cuh", tmp_path / "second.cuh"
    first.write_text('#include "second.cuh"\n#include "stamp.cuh"\n')
    second.write_text('#include "first.cuh"\n')
    (tmp_path / "stamp.cuh").write_text(_STAMP)
    headers = Headers()
    for name in ("a.cu", "b.cu"):
        source = tmp_path / name
        source.write_text('#include "first.cuh"\nSTAMP(add, +=)\n')
        assert _WRITTEN_OUT in read_source(source, headers=headers).text
        second.unlink(missing_ok=True)
    assert len(headers.known) == 3
