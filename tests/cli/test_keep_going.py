"""`--keep-going`: what could be translated is written, what could not is an `#error`."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.cli.conftest import G2o

SOURCE = """\
#include <cuda_runtime.h>

// Adds one.
__global__ void good(int *x) { x[threadIdx.x] += 1; }

// Has no translation.
template <typename T>
__global__ void bad(T *x)
{
    asm("bar.arrive 0, 64;");
}

void run(int *x)
{
    good<<<1, 32>>>(x);
}
"""


def test_refused_kernels_become_errors(g2o: G2o) -> None:
    Path("a.cu").write_text(SOURCE)
    Path("b.cu").write_text("__global__ void other(int *x) { x[threadIdx.x] = 2; }\n")
    done = g2o("translate", "a.cu", "b.cu", "--keep-going", "--header")
    assert done.exit_code == 1
    assert "a.cu:10:5: error: inline PTX assembly [G2O0202]" in done.err
    assert "wrote b.omp.cpp (1 kernel)" in done.err
    text = Path("a.omp.cpp").read_text()
    assert '// Has no translation.\n#error "bad: inline assembly [G2O0202]"\n' in text
    assert "asm(" not in text
    assert "void good(dim3" in text
    assert "void good(" in Path("a.omp.h").read_text()
    command = ["g++", "-std=c++17", "-fopenmp", "-fsyntax-only", "a.omp.cpp"]
    done_build = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    errors = [line for line in done_build.stderr.splitlines() if "error:" in line]
    assert len(errors) == 1
    assert '#error "bad: inline assembly [G2O0202]"' in errors[0]


def test_kernels_with_names_that_stay_become_errors(g2o: G2o) -> None:
    source = """
__global__ void place(const int *x, unsigned *y) { y[0] = __cvta_generic_to_shared(x); }
__global__ void good(int *x) { x[threadIdx.x] = 1; }
"""
    Path("a.cu").write_text(source)
    done = g2o("translate", "a.cu", "--keep-going")
    assert done.exit_code == 1
    assert "wrote a.omp.cpp (1 kernel, 1 as #error)" in done.err
    text = Path("a.omp.cpp").read_text()
    assert "#error \"place: '__cvta_generic_to_shared' has no translation [G2O0201]\"\n" in text
    assert text.count("__cvta_generic_to_shared") == 1
    assert "void good(dim3" in text


def test_without_it_nothing_is_written(g2o: G2o) -> None:
    Path("a.cu").write_text(SOURCE)
    assert g2o("translate", "a.cu").exit_code == 1
    assert [path.name for path in Path().iterdir()] == ["a.cu"]


DERIVED = """\
__global__ void square(const float *x, float *y) { y[threadIdx.x] = x[threadIdx.x] * 2.0f; }

__global__ void bits(const float *x, float *y)
{
    y[threadIdx.x] = __int_as_float(__float_as_int(x[threadIdx.x]) ^ 1);
}

struct Layer { const float *w; };
__global__ void layers(const Layer *layer, const float *x, float *y)
{
    y[threadIdx.x] = layer[0].w[threadIdx.x] * x[threadIdx.x];
}

__global__ void waits(float *x) { asm("bar.arrive 0, 64;"); x[threadIdx.x] *= 2; }
"""


def test_kernels_without_a_derivative_are_translated(g2o: G2o) -> None:
    source, _, _ = DERIVED.rpartition("__global__")
    Path("a.cu").write_text(source)
    done = g2o("translate", "a.cu", "--grad", "--jvp", "--keep-going", "--header")
    assert done.exit_code == 1
    assert "error:" not in done.err
    assert "warning: the derivative of 'bits' is missing: call of '__int_as_float'" in done.err
    assert "warning: the derivative of 'layers' is missing: results depend on memory" in done.err
    for text in (Path("a.omp.cpp").read_text(), Path("a.omp.h").read_text()):
        found = set(re.findall(r"void (\w+)\(", text))
        assert found == {"square", "square_grad", "square_jvp", "bits", "layers"}
    command = ["g++", "-std=c++17", "-fopenmp", "-fsyntax-only", "a.omp.cpp"]
    subprocess.run(command, timeout=60, check=True)


def test_without_it_all_refusals_of_all_kernels_are_told(g2o: G2o) -> None:
    Path("a.cu").write_text(DERIVED)
    done = g2o("translate", "a.cu", "--grad")
    assert done.exit_code == 1
    assert "a.cu:5:22: error: call of '__int_as_float' on values that carry derivatives" in done.err
    assert "a.cu:11:5: error: results depend on memory behind 'layer'" in done.err
    assert "a.cu:14:35: error: inline PTX assembly" in done.err
    assert [path.name for path in Path().iterdir()] == ["a.cu"]
