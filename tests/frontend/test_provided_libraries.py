"""Libraries that a header beside the runtime's stands for: includes, names, what is refused."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from g2o.cli.main import run as run_g2o
from g2o.diagnostics.source import SourceFile
from g2o.frontend.cuda.clang_unit import TranslationUnit
from g2o.frontend.cuda.host import UnitFacts, host_edits
from g2o.frontend.cuda.includes import is_cuda_header
from g2o.frontend.cuda.libraries import (
    LIBRARY_DECLARATIONS,
    library_of_header,
    provided_header,
    provided_headers,
)
from g2o.frontend.cuda.unit import parse_unit
from g2o.frontend.edits import EditedText

_DECLARATIONS = LIBRARY_DECLARATIONS.parent
_RUNTIME = _DECLARATIONS.parents[2] / "runtime"
_TORCH = Path(__file__).parent / "torch_headers" / "torch" / "include"
_HEADERS = sorted(
    path.relative_to(LIBRARY_DECLARATIONS).as_posix()
    for path in LIBRARY_DECLARATIONS.rglob("*")
    if path.is_file()
)
_ALGORITHM = re.compile(r"^ *G2O_\w+\((\w+)\b(?! *, *\.\.\.)", re.MULTILINE)
_CLASS_OR_MAKER = re.compile(r"\b(?:class|struct) (\w+)|\b(make_\w+|\w+_cast|device_\w+)\(")
_INSIDE = {  # what only the reading needs
    *("Given", "Arguments", "Reduced", "Searched"),
    *("BlockReduce", "WarpReduce", "BlockScan", "WarpScan", "BlockLoad", "BlockStore"),
    *("BlockExchange", "BlockRadixSort", "BlockAdjacentDifference"),  # passes replace them
    *("TempStorage", "NullType"),
}


def _edited(text: str, runtime: str = "g2o_runtime.hpp") -> str:
    facts = UnitFacts({}, runtime_header=runtime)
    found = host_edits(SourceFile("x.cu", text), facts)
    return EditedText(text, found.edits).slice(0, len(text))


def test_the_first_header_of_a_library_becomes_the_one_that_stands_for_it() -> None:
    text = (
        "#include <thrust/sort.h>  // order\n#include <cstdio>\n#include <thrust/scan.h>\nint a;\n"
    )
    assert _edited(text) == '#include "g2o_thrust.hpp"  // order\n#include <cstdio>\nint a;\n'


def test_it_stands_where_the_runtime_header_does() -> None:
    text = "#include <thrust/sort.h>\n"
    assert _edited(text, "../g2o_runtime.hpp") == '#include "../g2o_thrust.hpp"\n'


def test_a_header_in_a_conditional_does_not_do_for_the_others() -> None:
    text = "#ifdef A\n#include <thrust/sort.h>\n#endif\n#include <thrust/scan.h>\n"
    line = '#include "g2o_thrust.hpp"\n'
    assert _edited(text) == f"#ifdef A\n{line}#endif\n{line}"


@pytest.mark.parametrize("header", ["thrust/mr/pool.h", "thrust/../thrust/sort.h", "sort.h"])
def test_other_headers_stand_for_nothing(header: str) -> None:
    assert provided_header(header) is None


def test_every_known_header_can_be_included(tmp_path: Path) -> None:
    assert {"thrust/sort.h", "cub/cub.cuh", "cub/util_macro.cuh", "cufft.h"} <= {*_HEADERS}
    source = tmp_path / "all.cu"
    source.write_text("".join(f"#include <{header}>\n" for header in _HEADERS))
    assert all(
        provided_header(header) in provided_headers()
        or is_cuda_header(header)
        or library_of_header(header) is not None
        for header in _HEADERS
    )
    unit, faults = parse_unit(source, ("-isystem", str(_TORCH)), "all.cu")
    assert faults == ()
    assert isinstance(unit.translation_unit, TranslationUnit)


def _names(text: str) -> set[str]:
    return {first or second for first, second in _CLASS_OR_MAKER.findall(text)}


@pytest.mark.parametrize(
    ("header", "written"),
    [("g2o_thrust.hpp", _ALGORITHM), ("g2o_cub.hpp", re.compile(r"static g2o::Error\s+(\w+)"))],
)
def test_what_is_read_is_what_can_be_run(header: str, written: re.Pattern[str]) -> None:
    read, run = ((folder / header).read_text() for folder in (_DECLARATIONS, _RUNTIME))
    assert len(_ALGORITHM.findall(read)) >= 20
    assert set(_ALGORITHM.findall(read)) == set(written.findall(run))
    assert _names(read) - _INSIDE <= _names(run)


@pytest.mark.parametrize("name", ["nth_element(1)", "set_symmetric_difference(1, 2)"])
def test_other_names_are_refused(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "x.cu"
    source.write_text(f"#include <thrust/sort.h>\nvoid f() {{ thrust::{name}; }}\n")
    assert run_g2o(["translate", str(source)]) == 1
    spelled = re.match(r"\w+", name)
    assert spelled is not None
    assert f"'thrust::{spelled[0]}' is not translated [G2O0206]" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("cublasHandle_t h; void f() { cublasSsyrkx(h, 1); }", "'cublasSsyrkx' of cuBLAS"),
        ("template <class T> void f(T h) { cublasSsyrkx(h, 1); }", "'cublasSsyrkx' of cuBLAS"),
        ("cublasXtHandle_t h;", "'cublasXtHandle_t' of cuBLAS"),
    ],
)
def test_what_a_part_lacks_is_refused_by_name(
    code: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "x.cu"
    source.write_text(f"#include <cublas_v2.h>\n{code}\n")
    assert run_g2o(["translate", str(source)]) == 1
    assert "x.cu:2:" in (err := capsys.readouterr().err)
    assert f"{name} is not translated [G2O0206]" in err


def test_headers_of_which_nothing_is_used_are_gone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "x.cu"
    source.write_text(
        "#include <nvtx3/nvToolsExtCudaRt.h>\n#include <cudnn.h> // none\ncudaError_t e;\n"
    )
    assert run_g2o(["translate", str(source)]) == 0
    assert "cu" not in (tmp_path / "x.omp.cpp").read_text().split("\n", 1)[1].replace("x.cu", "")
    source.write_text(
        "#include <nccl.h>\n#include <mma.h>\n#include <cudnn.h>\nvoid f(cudnnHandle_t);\n"
    )
    capsys.readouterr()
    assert run_g2o(["translate", str(source)]) == 1
    assert "x.cu:4:8: error: 'cudnnHandle_t' of cuDNN" in (err := capsys.readouterr().err)
    assert "1 error." in err


def test_a_part_over_another_library_is_included_where_it_is_needed(tmp_path: Path) -> None:
    """Macros that nobody uses need no CBLAS, and neither does what a condition leaves out."""
    macro = "#define CHECK(c) { cublasStatus_t s = c; if (s != CUBLAS_STATUS_SUCCESS) throw s; }\n"
    header = tmp_path / "check.h"
    header.write_text(macro + "#define CUDA(c) { cudaError_t s = c; if (s) throw s; }\n")
    source, target = tmp_path / "x.cu", tmp_path / "x.omp.cpp"
    first = '#include "check.h"\n#ifdef WITH_BLAS\n#include <cublas_v2.h>\n'
    used = "void f(cublasHandle_t *h) { CHECK(cublasCreate(h)) }\n"
    source.write_text(f"{first}{used}#endif\nvoid g(void *p) {{ CUDA(cudaFree(p)) }}\n")
    assert run_g2o(["translate", "-q", str(source)]) == 0
    assert "g2o_cublas.hpp" not in (tmp_path / "check.omp.hpp").read_text()
    included = '#ifdef WITH_BLAS\n#include "g2o_cublas.hpp"\nvoid f('
    assert included in (text := target.read_text())
    assert text.count("g2o_cublas.hpp") == 1
    command = ["g++", "-std=c++17", "-fopenmp", "-fsyntax-only", str(target)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    source.write_text(f'#include "check.h"\n#include <cublas_v2.h>\n{used}')
    assert run_g2o(["translate", "-q", str(source)]) == 0
    assert '#include "g2o_runtime.hpp"\n#include "g2o_cublas.hpp"\n' in target.read_text()


def test_a_part_is_included_where_macros_of_other_files_name_it(tmp_path: Path) -> None:
    """As in headers that say by macros whose library it is, and are included by all files."""
    names = "#define Number cufftComplex\n#define fftHandle cufftHandle\n#define fftNumber Number\n"
    (tmp_path / "vendor.h").write_text(names)
    (tmp_path / "plan.h").write_text(
        "#pragma once\n#ifdef USE_HIP\n#include <hipfft.h>\n#else\n#include <cufft.h>\n#endif\n"
        "struct Plan { fftNumber *data; };\n"
    )
    source = tmp_path / "x.cu"
    source.write_text('#include "vendor.h"\n#include "plan.h"\nvoid f(Plan *p) { delete p; }\n')
    assert run_g2o(["translate", "-q", str(source)]) == 0
    assert '#include "g2o_cufft.hpp"\n' in (tmp_path / "plan.omp.hpp").read_text()
    others = (tmp_path / name for name in ("vendor.omp.hpp", "x.omp.cpp"))
    assert not any("g2o_cufft.hpp" in one.read_text() for one in others)


def test_a_part_is_written_where_it_is_called(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = tmp_path / "x.cu", tmp_path / "x.omp.cpp"
    source.write_text("#include <cublas_v2.h>\n#include <cublasLt.h>\nint f() { return 1; }\n")
    assert run_g2o(["translate", "-q", str(source)]) == 0
    assert not (tmp_path / "g2o_cublas.hpp").exists()
    source.write_text(
        "#include <cublas_v2.h>\n#define CREATE(name) cublas##name##_v2\n"
        "bool f(cublasHandle_t *h) { return cublasCreate_v2(h) == CUBLAS_STATUS_SUCCESS; }\n"
    )
    assert run_g2o(["translate", "-q", str(source)]) == 0
    assert (tmp_path / "g2o_cublas.hpp").exists()
    assert "bool f(g2o::cublasHandle_t *h)" in (text := target.read_text())
    assert "return g2o::cublasCreate(h) == g2o::CUBLAS_STATUS_SUCCESS;" in text
    assert "#define CREATE(name) g2o::cublas##name##_v2" in text
    assert run_g2o(["translate", "-q", "--target", "offload", str(source)]) == 1
    assert "cuBLAS is translated for --target cpu only [G2O0206]" in capsys.readouterr().err


def test_devices_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "x.cu"
    source.write_text("#include <thrust/sort.h>\nvoid f(int *a) { thrust::sort(a, a + 2); }\n")
    assert run_g2o(["translate", "--target", "offload", str(source)]) == 1
    assert "Thrust is translated for --target cpu only [G2O0206]" in capsys.readouterr().err


def test_headers_are_written_where_they_are_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.cu").write_text("__global__ void k() {}\n")
    (tmp_path / "b.cu").write_text(
        "#include <thrust/sort.h>\nvoid f(int *a) { thrust::sort(a, a + 2); }\n"
    )
    assert run_g2o(["translate", "-q", str(tmp_path / "a.cu")]) == 0
    assert not (tmp_path / "g2o_thrust.hpp").exists()
    assert run_g2o(["translate", "-q", str(tmp_path / "b.cu")]) == 0
    written = tmp_path / "g2o_thrust.hpp"
    assert written.read_bytes() == (_RUNTIME / "g2o_thrust.hpp").read_bytes()
    assert run_g2o(["check", str(tmp_path / "b.cu")]) == 0
    written.unlink()
    assert run_g2o(["check", str(tmp_path / "b.cu")]) == 1
    assert "translation is missing" in capsys.readouterr().err


def test_a_programs_own_real_numbers_are_not_those_of_libraries(tmp_path: Path) -> None:
    source = tmp_path / "a.cu"
    source.write_text(
        "#define real float\n#include <cub/device/device_reduce.cuh>\n#include <cublas_v2.h>\n"
        "#include <thrust/swap.h>\n#include <thrust/complex.h>\n"
        "real total(real x, int y) { thrust::swap(x, y); return x; }\n"
        "bool rare(cudaError_t e) { return e == cudaErrorLaunchMaxDepthExceeded; }\n"
    )
    assert run_g2o(["translate", "-q", str(source)]) == 0
    command = ["g++", "-std=c++17", "-fopenmp", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([*command, "a.omp.cpp"], cwd=tmp_path, check=True)


def test_names_of_a_library_that_is_not_included_need_none(tmp_path: Path) -> None:
    source = tmp_path / "names.cu"
    source.write_text(
        "#include <cuda_runtime.h>\n"
        "#ifdef CUBLAS_API_H_\n"
        "bool is_good(cublasStatus_t status) { return status == CUBLAS_STATUS_SUCCESS; }\n"
        "#endif\n"
        "__global__ void numbers(int *x) { x[threadIdx.x] = threadIdx.x; }\n"
    )
    assert run_g2o(["translate", "-q", str(source)]) == 0
    assert "g2o_cublas.hpp" not in (tmp_path / "names.omp.cpp").read_text()
    source.write_text(source.read_text().replace("cuda_runtime.h", "cublas_v2.h"))
    assert run_g2o(["translate", "-q", str(source)]) == 0
    assert '#include "g2o_cublas.hpp"\n' in (tmp_path / "names.omp.cpp").read_text()
