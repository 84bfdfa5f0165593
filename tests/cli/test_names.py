"""Names that mean something else on the device, or that the program's own headers define."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import G2o

CLOCKS = """\
#include <ctime>
__global__ void k(long *x)
{
    x[threadIdx.x] = clock();
}
int main()
{
    long before = clock();
    return clock() < before;
}
"""
OWN = """\
#include "own.h"
__device__ float curand_of_ours(float x) { return cudaTwice(x); }
__global__ void k(float *x)
{
    x[threadIdx.x] = curand_of_ours(x[threadIdx.x]);
}
"""
OVERLOAD = """\
#include "most.cuh"
__global__ void most(const float *x, float *y)
{
    atomicMax(y, x[threadIdx.x]);
}
"""
MOST = """\
__device__ inline float atomicMax(float *p, float v)
{
    return __int_as_float(atomicMax((int *)p, __float_as_int(v)));
}
"""
LADDER = """\
template <typename T> __device__ inline T largest(T v)
{
    for (int mask = 16; mask > 0; mask >>= 1)
        v = max(v, __shfl_xor_sync(0xffffffff, v, mask));
    return v;
}
"""
OF_LANES = """\
#include "ladder.h"
template <typename T> __global__ void k(float *y, const T *x, int n)
{
    float v = threadIdx.x < n ? (float)x[threadIdx.x] : -1e20f;
    y[threadIdx.x] = largest<float>(v);
}
int main(int argc, char **)
{
    float *y = nullptr, *x = nullptr;
    k<float><<<1, 32 * argc>>>(y, x, 100);
}
"""


def translated(text: str, run: G2o) -> str:
    Path("x.cu").write_text(text)
    done = run("translate", "x.cu")
    assert done.exit_code == 0, done.err
    return Path("x.omp.cpp").read_text()


def test_clock_of_the_device_and_of_the_c_library(g2o: G2o) -> None:
    code = translated(CLOCKS, g2o)
    assert "= g2o::clock();" in code
    assert "long before = clock();\n    return clock() < before;" in code


def test_names_of_the_program_stay(g2o: G2o) -> None:
    Path("own.h").write_text("#define cudaTwice(x) (2.0f * (x))\n")
    code = translated(OWN, g2o)
    assert "float curand_of_ours(float x) { return cudaTwice(x); }" in code


def test_overload_of_a_header_for_a_function_of_cuda(g2o: G2o) -> None:
    Path("most.cuh").write_text(MOST)
    assert " atomicMax(y, x[t]);" in translated(OVERLOAD, g2o)
    assert "g2o::atomic_max(" in Path("most.omp.hpp").read_text()


def test_alias_of_a_header_for_kernels_of_a_source(g2o: G2o) -> None:
    Path("own.h").write_text("#pragma once\ntypedef void (*Kernel)(float *);\n")
    Path("x.cu").write_text(
        '#include "own.h"\n__global__ void k(float *x) { x[0] = 1; }\n'
        "int main()\n{\n    Kernel f = k;\n    f<<<1, 1>>>(nullptr);\n}\n"
    )
    assert g2o("translate", "x.cu", "own.h").exit_code == 0
    own = Path("own.omp.hpp").read_text()
    assert '#include "g2o_runtime.hpp"' in own
    assert "typedef void (*Kernel)(dim3, dim3, float *);" in own
    assert "f(1, 1, nullptr);" in Path("x.omp.cpp").read_text()


def test_c_files_may_be_cuda(g2o: G2o) -> None:
    """As `nvcc -x cu` takes them: a standard of C++ says so."""
    Path("x.c").write_text("__global__ void k(int *p) { p[threadIdx.x] = 1; }\n")
    assert g2o("translate", "x.c", "-std=c++17").exit_code == 0
    assert "void k(dim3" in Path("x.omp.cpp").read_text()
    assert g2o("check", "x.c", "-std=c++17").exit_code == 0
    assert g2o("translate", "x.c").exit_code == 1


def test_own_headers_may_be_called_as_cudas(g2o: G2o) -> None:
    """They stay where they are, and are found from outputs that are elsewhere."""
    Path("in/util").mkdir(parents=True)
    Path("in/util/cuda.h").write_text("inline int twice(int x) { return 2 * x; }\n")
    Path("in/x.cu").write_text(
        '#include "util/cuda.h"\n'
        "__global__ void k(int *p) { p[threadIdx.x] = 1; }\n"
        "int main() { return twice(0); }\n"
    )
    assert g2o("translate", "in/x.cu", "--in-root", "in", "--out-root", "out").exit_code == 0
    assert '#include "../in/util/cuda.h"\n' in Path("out/x.omp.cpp").read_text()


def test_names_of_a_header_that_clang_finds_beside_the_file(g2o: G2o) -> None:
    """It calls that `./ladder.h`, where a function in it is inlined, too."""
    Path("ladder.h").write_text(LADDER)
    assert "= g2o::max(v[lane]," in translated(OF_LANES, g2o)
