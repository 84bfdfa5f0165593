"""The compiler of a translation sees the branches that the frontend saw."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from g2o.diagnostics.source import SourceFile
from g2o.frontend.cuda.host import UnitFacts, host_edits
from g2o.frontend.edits import EditedText
from tests.cli.conftest import G2o

RUNTIME = '#include "g2o_runtime.hpp"\n'
KERNEL = "__global__ void k(int *x)\n{\n%s    x[threadIdx.x] += 1;\n}\n"

BRANCHES = """\
#include <cstdio>
#if !defined(__CUDACC__) || !defined(__NVCC__) || __CUDACC_VER_MAJOR__ < 11
#error "needs nvcc"
#endif
#include <cuda_runtime.h>
#if CUDART_VERSION >= 11000
#define SCALE 3
#else
#define SCALE 1
#endif
int main()
{
    printf("%d %d", SCALE, CUDA_VERSION);
}
"""


def edited(text: str) -> str:
    found = host_edits(SourceFile("x.cu", text), UnitFacts({}))
    return EditedText(text, found.edits).slice(0, len(text))


VERSIONS = """\
#if CONDITION
__device__ float f(const float *x) { return __ldg(x); }
#else
__device__ float f(const float *x) { return *x; }
#endif
"""


def codes(text: str, run: G2o) -> list[str]:
    """The codes of all that is said about the file `text`, which can be translated."""
    Path("x.cu").write_text(text)
    done = run("translate", "x.cu")
    assert done.exit_code == 0, done.err
    lines = [line for line in done.err.splitlines() if line.startswith("x.cu:")]
    return [line.rsplit("[", 1)[1].rstrip("]") for line in lines]


def test_compiler_takes_the_branches_that_were_read(g2o: G2o) -> None:
    Path("x.cu").write_text(BRANCHES)
    assert g2o("translate", "x.cu").exit_code == 0
    command = ["g++", "-std=c++17", "-fopenmp", "x.omp.cpp", "-o", "x"]
    subprocess.run(command, check=True, timeout=120)
    assert subprocess.run(["./x"], capture_output=True, check=True).stdout == b"3 12000"


def test_names_of_predefined_macros() -> None:
    text = "#ifdef __CUDACC__\nint a;\n#elif CUDA_VERSION > 1\n#endif\n"
    expected = "#ifdef G2O\nint a;\n#elif G2O_CUDA_VERSION > 1\n#endif\n"
    assert edited(text) == f"{RUNTIME}\n{expected}"


def test_runtime_comes_before_the_first_condition() -> None:
    text = "#include <a>\n#if CUDA_VERSION > 1\n#endif\n#include <cuda_runtime.h>\nint a;\n"
    expected = f"{RUNTIME}#include <a>\n#if G2O_CUDA_VERSION > 1\n#endif\nint a;\n"
    assert edited(text) == expected
    guarded = "#ifndef X_H\n#define X_H\n#ifdef __NVCC__\n#endif\n#include <a>\n#endif\n"
    assert edited(guarded).startswith(f"#ifndef X_H\n#define X_H\n{RUNTIME}#ifdef G2O\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (KERNEL % "#if __CUDA_ARCH__ >= 700\n    x[threadIdx.x] = 1;\n#endif\n", []),
        (KERNEL % "#if __CUDA_ARCH__ >= 900\n    x[threadIdx.x] = 1;\n#endif\n", ["G2O0216"]),
        (KERNEL % "#if __CUDA_ARCH__ < 700\n    x[threadIdx.x] = 1;\n#endif\n", []),
        (KERNEL % "#if __CUDA_ARCH__ / 100 >= 7\n    x[threadIdx.x] = 1;\n#endif\n", []),
        (KERNEL % "#if !__CUDA_ARCH__ / 100 + 1 > 1\n    x[threadIdx.x] = 1;\n#endif\n", []),
        (KERNEL % "#if A < 1 && __CUDA_ARCH__ >= 700\n    x[threadIdx.x] = 1;\n#endif\n", []),
        (KERNEL % "#if A > 0 && __CUDA_ARCH__ >= 700\n    x[threadIdx.x] = 1;\n#endif\n", []),
        (KERNEL % "#if A > 0 || __CUDA_ARCH__ > 800\n    x[0] = 1;\n#endif\n", ["G2O0216"]),
        (
            KERNEL % "#ifdef __CUDA_ARCH__\n    x[threadIdx.x] = 1;\n#else\n    return;\n#endif\n",
            [],
        ),
        (KERNEL % "#if 0\n#if __CUDA_ARCH__ > 7\n    x[threadIdx.x] = 1;\n#endif\n#endif\n", []),
        ("#if __CUDA_ARCH__ >= 600\n#define FAST 1\n#endif\n", ["G2O0216"]),
        ("#if __CUDA_ARCH__ >= 600\n#define FAST 1\n#else\n#define FAST 0\n#endif\n", []),
        ("#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ > 6\n#else\nint a;\n#endif\n", []),
        (VERSIONS.replace("CONDITION", "__CUDA_ARCH__ >= 350"), ["G2O0216"]),
        (VERSIONS.replace("CONDITION", "!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 350"), []),
    ],
)
def test_code_for_an_architecture_is_left_out_aloud(
    text: str, expected: list[str], g2o: G2o
) -> None:
    assert codes(text, g2o) == expected


def test_functions_for_both_sides_have_a_branch_for_hosts(g2o: G2o) -> None:
    text = (
        "__host__ __device__ int f()\n{\n"
        "#ifdef __CUDA_ARCH__\n    return 1;\n#else\n    return 2;\n#endif\n}\n"
    )
    assert codes(text, g2o) == []


def test_openmp_is_said_once(g2o: G2o) -> None:
    text = "#ifdef _OPENMP\nint a;\n#endif\n#if defined(_OPENMP)\nint b;\n#endif\n"
    assert codes(text, g2o) == ["G2O0217"]
    assert Path("x.omp.cpp").read_text().count("G2O_SOURCE_OPENMP") == 2
    assert "warning" not in g2o("translate", "x.cu", "--", "-fopenmp").err
    assert "G2O_SOURCE_OPENMP" not in Path("x.omp.cpp").read_text()


def test_openmp_in_an_included_header(g2o: G2o) -> None:
    """nvcc's host compiler runs without OpenMP: `float2` is CUDA's."""
    Path("own.h").write_text("#ifdef _OPENMP\ntypedef struct { float x, y; } float2;\n#endif\n")
    Path("x.cu").write_text('#include "own.h"\nfloat sum(float2 v) { return v.x + v.y; }\n')
    assert g2o("translate", "x.cu").exit_code == 0
    command = ["g++", "-std=c++17", "-fopenmp", "-fsyntax-only", "x.omp.cpp"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


DEVICE_ONLY = """\
#include <cstdio>
__device__ float half_of(float x)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 300
    return x * 0.5f;
#else
    return 0;
#endif
}
struct Scaled {
    float by;
    __device__ float operator()(float x) const
    {
#ifdef __CUDA_ARCH__
        return by * x;
#else
        return x;
#endif
    }
};
__host__ __device__ int side()
{
#ifdef __CUDA_ARCH__
    return 1;
#else
    return 2;
#endif
}
__global__ void k(float *y, Scaled scaled)
{
    float x = threadIdx.x;
#if defined(SLOW) || __CUDA_ARCH__ < 700
    x = -2;
#endif
#if __CUDA_ARCH__ >= 700 && !defined(NO_HALVES)
    y[threadIdx.x] = half_of(x) + scaled(x);
#elif __CUDA_ARCH__ < 300 || CUDA_VERSION < 9000
    y[threadIdx.x] = -1;
#endif
#if __CUDA_ARCH__ >= 700 // what it has instructions for
    asm volatile("nanosleep.u32 1;");
#else
    x = 0;
#endif
}
int main()
{
    float *y;
    cudaMallocManaged(&y, 8 * sizeof(float));
    k<<<1, 8>>>(y, Scaled{3});
    cudaDeviceSynchronize();
    printf("%g %g %d\\n", y[0], y[5], side());
}
"""


def test_what_only_devices_compile_is_what_they_take(g2o: G2o) -> None:
    Path("x.cu").write_text(DEVICE_ONLY)
    done = g2o("verify", "x.cu", "--threads", "1")
    assert done.exit_code == 0, done.err
    assert g2o("translate", "x.cu").exit_code == 0
    subprocess.run(["g++", "-std=c++17", "-fopenmp", "x.omp.cpp", "-o", "x"], check=True)
    assert subprocess.run(["./x"], capture_output=True, check=True).stdout == b"0 17.5 2\n"
