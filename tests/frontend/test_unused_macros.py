"""Macros with CUDA that has no translation: faults where they are invoked, gone where not."""

from pathlib import Path

import pytest

from g2o.frontend.cuda.lexer import lex
from g2o.frontend.cuda.project import InputFile, Project
from g2o.frontend.cuda.unused_macros import invoked_names
from g2o.passes import TranslateOptions
from g2o.pipeline import translate_file

HEADER = """\
#pragma once
#define DRIVER_CALL(call) { CUdevice e = call; (void)e; }
#define DRIVER_SYNC() \\
    DRIVER_CALL(cuCtxSynchronize())
#define RUNTIME_CALL(call) { cudaError_t e = call; (void)e; }
"""


@pytest.mark.parametrize(("use", "codes"), [("", []), ("DRIVER_SYNC();", ["G2O0201", "G2O0201"])])
def test_unused_macros_of_the_driver(tmp_path: Path, use: str, codes: list[str]) -> None:
    main, header = tmp_path / "main.cu", tmp_path / "check.h"
    main.write_text(f'#include "check.h"\nint main() {{ RUNTIME_CALL(cudaFree(0)); {use} }}\n')
    header.write_text(HEADER)
    outputs = {main: tmp_path / "main.omp.cpp", header: tmp_path / "check.omp.hpp"}
    project = Project(InputFile(path, (), output) for path, output in outputs.items())
    result = translate_file(header, TranslateOptions(), "check.h", project)
    assert [one.code for one in result.diagnostics] == codes
    if not codes:
        assert "DRIVER" not in result.code
        assert "#define RUNTIME_CALL(call) { g2o::Error e" in result.code


def test_names_that_macros_lead_to() -> None:
    text = "#define A B(1)\n#define B(x) c(x)\n#define D e\n#if F\nint g = A;\n#endif\n"
    assert invoked_names([lex(text)]) == {"int", "g", "A", "B", "x", "c", "F"}


def test_what_the_preprocessor_skips_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "x.cu"
    path.write_text("#ifdef __cuda_cuda_h__\nCUcontext context;\n#endif\ncudaStream_t stream;\n")
    project = Project.alone(path, (), tmp_path / "x.omp.cpp")
    result = translate_file(path, TranslateOptions(), "x.cu", project)
    assert result.ok
    assert result.code.endswith("CUcontext context;\n#endif\ng2o::Stream stream;\n")


def test_names_that_look_like_those_of_cuda(tmp_path: Path) -> None:
    """CUDA 12 has neither textures nor surfaces of that name any more."""
    path = tmp_path / "x.cu"
    path.write_text(
        "#include <vector_types.h>\n"
        "struct texture { float3 c; __device__ float at(int i) const { return i * c.x; } };\n"
        "enum surface { cudaRough, CUDA_SMOOTH };\nenum class Cores { CUDA_CORES };\n"
        "__global__ void k(float *x, const texture *t) { x[threadIdx.x] = t->at(threadIdx.x); }\n"
    )
    project = Project.alone(path, (), tmp_path / "x.omp.cpp")
    result = translate_file(path, TranslateOptions(), "x.cu", project)
    assert result.diagnostics == ()
    assert "const texture *t)" in result.code
