"""Where the runtime header comes in and CUDA's headers go out."""

from pathlib import Path

import pytest

from g2o.cli.main import run as run_g2o
from g2o.diagnostics.source import SourceFile
from g2o.frontend.cuda.host import UnitFacts, host_edits
from g2o.frontend.cuda.lexer import lex
from g2o.frontend.cuda.punning import puns_types
from g2o.frontend.edits import EditedText

USE = "cudaError_t e;\n"
USED = "g2o::Error e;\n"
RUNTIME = '#include "g2o_runtime.hpp"\n'


def edited(text: str, facts: UnitFacts | None = None) -> str:
    found = host_edits(SourceFile("x.cu", text), facts or UnitFacts({}))
    return EditedText(text, found.edits).slice(0, len(text))


def test_first_cuda_header_becomes_the_runtime() -> None:
    text = "#include <a>\n#include <cuda_runtime.h> // CUDA\n#include <curand_kernel.h>\n\nint a;\n"
    assert edited(text) == f"#include <a>\n{RUNTIME[:-1]} // CUDA\n\nint a;\n"


def test_path_in_front_of_the_header() -> None:
    assert edited('#include "../inc/cuda_runtime.h"\n') == RUNTIME


def test_without_a_cuda_header_it_comes_before_the_first_include() -> None:
    assert (
        edited("// Title\n#include <cstdio>\n" + USE)
        == f"// Title\n{RUNTIME}#include <cstdio>\n{USED}"
    )


def test_without_any_include_it_comes_before_the_code() -> None:
    assert edited("// Title\n\n" + USE) == f"// Title\n\n{RUNTIME}\n{USED}"
    assert edited("/* Title */\n\n// About e.\n" + USE) == (
        f"/* Title */\n\n{RUNTIME}\n// About e.\n{USED}"
    )


def test_in_front_of_a_function_that_goes_with_its_comment(tmp_path: Path) -> None:
    source = tmp_path / "x.cu"
    source.write_text(
        "// The sum of a warp.\n"
        "__device__ int total(int v)\n"
        "{\n"
        "    return v + __shfl_xor_sync(~0u, v, 1);\n"
        "}\n"
        "__global__ void k(int *x) { x[threadIdx.x] = total(x[threadIdx.x]); }\n"
    )
    assert run_g2o(["translate", "-q", str(source)]) == 0
    lines = (tmp_path / "x.omp.cpp").read_text().splitlines()
    assert lines[2:4] == ["// The sum of a warp.", RUNTIME[:-1]]
    assert lines[4:6] == ['#include "g2o_warps.hpp"', ""]


def test_behind_an_include_guard() -> None:
    text = "#ifndef X_H\n#define X_H\n#include <cstdio>\n" + USE + "#endif\n"
    expected = f"#ifndef X_H\n#define X_H\n{RUNTIME}#include <cstdio>\n{USED}#endif\n"
    assert edited(text) == expected
    assert edited("#pragma once\n" + USE) == f"#pragma once\n{RUNTIME}\n{USED}"


def test_a_header_in_a_conditional_or_in_braces_does_not_do() -> None:
    text = "#ifdef __CUDACC__\n#include <cuda_runtime.h>\n#endif\n" + USE
    assert edited(text) == f"{RUNTIME}#ifdef G2O\n#endif\n{USED}"
    text = 'extern "C" {\n#include <a.h>\n}\n' + USE
    assert edited(text) == f'{RUNTIME}extern "C" {{\n#include <a.h>\n}}\n{USED}'
    text = 'extern "C"\n{\n#include <a.h>\n}\n' + USE
    assert edited(text) == f'{RUNTIME}extern "C"\n{{\n#include <a.h>\n}}\n{USED}'


def test_translated_headers_take_their_new_names() -> None:
    facts = UnitFacts({}, translated_includes={"k.cuh": "k.omp.hpp"})
    assert edited('#include "k.cuh"\n', facts) == '#include "k.omp.hpp"\n'
    text = '#include <a.h>\nextern "C" {\n#include "k.cuh"\n}\n'
    expected = RUNTIME + text.replace("k.cuh", "k.omp.hpp")
    assert edited(text, facts) == expected


@pytest.mark.parametrize(
    ("code", "puns"),
    [
        ("float f(int *p) { return *reinterpret_cast<float *>(p); }\n", True),
        ("float f(int x) { return *(float *)&x; }\n", True),
        ("int &f(float &x) { return reinterpret_cast<int &>(x); }\n", True),
        ("#define BITS(x) (*(const unsigned *)&(x))\n", True),
        ("char f(int x) { return *(unsigned char *)&x; }\n", False),
        ("void f(float **p) { cudaMalloc((void **)&*p, 4); }\n", False),
        ("float *f() { return (float *)malloc(4); }\n", False),
        ("long f(int *p) { return reinterpret_cast<long>(p); }\n", False),
        ("bool f(int n) { return sizeof(int *) & n; }\n", False),
    ],
)
def test_files_that_read_memory_as_another_type(code: str, puns: bool) -> None:
    assert puns_types(lex(code)) is puns


@pytest.mark.parametrize(
    ("code", "puns"),
    [
        ("unsigned f(float *p) { return ((unsigned *)p)[1]; }\n", True),
        ("struct Z { float x, y; };\nZ f(float2 *p) { return *(Z *)(p + 1); }\n", True),
        ("float f(int *p) { return *(const float *)(const void *)p; }\n", True),
        ("template <class T> int4 f(T *p) { return *(int4 *)p; }\n", True),
        ("template <class T> T f(int *p) { return *(T *)p; }\n", False),
        ("int f(const void *p) { return *(const int *)p; }\n", False),
        ("float f(float4 *p) { return ((float *)p)[1]; }\n", False),
        ("int f(unsigned *p) { return ((int *)p)[1]; }\n", False),
        ("struct A { int i; };\nstruct B : A {};\nB *f(A *p) { return (B *)p; }\n", False),
        ("void f(float *p) { cudaMalloc((void **)&p, 4); }\n", False),
        ("char *f(float *p) { return (char *)p; }\n", False),
    ],
)
def test_casts_between_types_of_objects(
    code: str, puns: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "program.cu"
    source.write_text(code + "__global__ void k() {}\n")
    assert run_g2o(["translate", "-q", str(source)]) == 0, capsys.readouterr().err
    written = source.with_suffix(".omp.cpp").read_text()
    assert ("\nG2O_TYPE_PUNNING" in written) is puns


def test_headers_of_the_program_with_names_of_libraries(tmp_path: Path) -> None:
    (tmp_path / "inc" / "cuda").mkdir(parents=True)
    (tmp_path / "inc" / "cuda" / "sizes.h").write_text("constexpr int size = 32;\n")
    (tmp_path / "mma.h").write_text("constexpr int side = 4;\n")
    source = tmp_path / "x.cu"
    source.write_text(
        '#include "cuda/sizes.h"\n#include "mma.h"\n'
        "__global__ void k(int *x) { x[threadIdx.x] = size * side; }\n"
    )
    assert run_g2o(["translate", "-q", str(source), "-I", str(tmp_path / "inc")]) == 0
    lines = (tmp_path / "x.omp.cpp").read_text().splitlines()
    assert {'#include "cuda/sizes.h"', '#include "mma.h"'} < set(lines)


def test_a_header_that_is_not_there_is_no_librarys(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "x.cu"
    source.write_text('#include "cuda/sizes.h"\n')
    assert run_g2o(["translate", "-q", str(source)]) == 1
    assert "'cuda/sizes.h' file not found [G2O0102]" in capsys.readouterr().err
