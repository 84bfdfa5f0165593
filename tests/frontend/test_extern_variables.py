"""Device variables that a header declares for several sources are defined for all of them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from g2o.cli.main import run as run_g2o
from g2o.frontend.cuda.lexer import lex
from g2o.frontend.cuda.own_copies import names_of_each_source

_HEADER = """#pragma once
extern __device__ int counters[4];
extern __constant__ float factors[4];
void count(int n);
"""
_DEFINING = """#include "counters.cuh"
__device__ int counters[4];
__constant__ float factors[4];
__device__ int hidden;
__global__ void add(int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&counters[i % 4], (int)factors[i % 4]);
    atomicAdd(&hidden, 1);
}
void count(int n) { add<<<(n + 31) / 32, 32>>>(n); }
"""
_USING = """#include "counters.cuh"
#include <cstdio>
__global__ void read(int *out) { out[threadIdx.x] = counters[threadIdx.x]; }
int main() {
    float values[4] = {1, 2, 3, 4};
    cudaMemcpyToSymbol(factors, values, sizeof values);
    count(40);
    int *out;
    cudaMallocManaged(&out, 4 * sizeof(int));
    read<<<1, 4>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d %d %d\\n", out[0], out[1], out[2], out[3]);
}
"""


def test_variables_of_headers_are_not_static(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"counters.cuh": _HEADER, "counters.cu": _DEFINING, "main.cu": _USING}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    code = run_g2o(["translate", "-q", *(str(tmp_path / name) for name in files)])
    assert code == 0, capsys.readouterr().err
    defined = (tmp_path / "counters.omp.cpp").read_text()
    assert "\nint counters[4];" in defined
    assert "static int hidden;" in defined
    sources = ["counters.omp.cpp", "main.omp.cpp"]
    command = ["g++", "-std=c++17", "-O0", "-fopenmp", "-Wall", "-Wextra", "-Werror", *sources]
    built = subprocess.run(
        [*command, "-o", "program"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    shown = subprocess.run(
        ["./program"], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60
    )
    assert shown.stdout.split() == ["10", "20", "30", "40"]


_COPIES = """#pragma once
__constant__ float k[2];
static __device__ float scale[2] = {1, 1};
__device__ float weigh(float x);
__device__ inline float weigh(float x) { return x * k[0] + k[1]; }
__device__ float twice(float x) { return weigh(x) * scale[1]; }
__host__ __device__ __forceinline__ float plain(float x) { return x + 1; }
template <typename T> __device__ T last() { return k[1]; }
template <> __device__ double last<double>() { return 2.0 * k[1]; }
template <typename T> __device__ T both(T x)
{
    return x + T(twice(x)) + last<T>() + T(last<double>()) * 0;
}
"""
_COPY = """#include "copies.cuh"
__global__ void kernel{0}(float *x) {{ x[threadIdx.x] = both(plain(x[threadIdx.x])); }}
void run{0}(float *x) {{
    float values[2] = {{{0}, 10 * {0}}}, scales[2] = {{0, {0} + 0.5f}};
    cudaMemcpyToSymbol(k, values, sizeof values);
    cudaMemcpyToSymbol(scale, scales, sizeof scales);
    kernel{0}<<<1, 2>>>(x);
    cudaDeviceSynchronize();
}}
"""
_COPIES_MAIN = """#include <cstdio>
void run1(float *x);
void run2(float *x);
int main() {
    float *x;
    cudaMallocManaged(&x, 2 * sizeof(float));
    x[0] = 1, x[1] = 2;
    run1(x);
    run2(x);
    printf("%g %g\\n", x[0], x[1]);
}
"""


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_functions_of_headers_use_the_variables_of_their_source(
    level: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"copies.cuh": _COPIES, "main.cu": _COPIES_MAIN}
    files |= {f"copy{i}.cu": _COPY.format(i) for i in (1, 2)}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    code = run_g2o(["translate", "-q", *(str(tmp_path / name) for name in files)])
    assert code == 0, capsys.readouterr().err
    sources = ["main.omp.cpp", "copy1.omp.cpp", "copy2.omp.cpp"]
    command = ["g++", "-std=c++17", level, "-fopenmp", "-Wall", "-Wextra", "-Werror", *sources]
    built = subprocess.run(
        [*command, "-o", "program"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    ran = subprocess.run(["./program"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.stdout.split() == ["256", "271"]


def test_methods_of_headers_with_variables_of_each_source_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    method = "struct Op { __device__ float operator()(float x) const { return weigh(x); } };\n"
    files = {"copies.cuh": _COPIES + method} | {f"copy{i}.cu": _COPY.format(i) for i in (1, 2)}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    names = [str(tmp_path / name) for name in files]
    assert run_g2o(["translate", "-q", *names[:2]]) == 0
    assert "G2O0221" not in capsys.readouterr().err
    assert run_g2o(["translate", "-q", *names]) == 0
    assert "method of a header that uses 'weigh'" in capsys.readouterr().err


def test_templates_of_kernels_that_sources_define_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = """template <typename T> __global__ void add(T *x) {{ x[threadIdx.x] += {0}; }}
void run{0}(float *x) {{ add<<<1, 2>>>(x); cudaDeviceSynchronize(); }}
"""
    files = {"main.cu": _COPIES_MAIN} | {f"add{i}.cu": source.format(i) for i in (1, 2)}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    code = run_g2o(["translate", "-q", *(str(tmp_path / name) for name in files)])
    assert code == 0, capsys.readouterr().err
    sources = ["main.omp.cpp", "add1.omp.cpp", "add2.omp.cpp"]
    command = ["g++", "-std=c++17", "-O0", "-fopenmp", "-Wall", "-Wextra", "-Werror", *sources]
    subprocess.run([*command, "-o", "program"], cwd=tmp_path, check=True)
    ran = subprocess.run(["./program"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.stdout.split() == ["4", "5"]


def test_classes_that_sources_define_differently_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = """struct Same {{ __device__ int get() const {{ return 1; }} }};
template <class T> struct Add {{ __device__ T operator()(T x) const {{ return x + {0}; }} }};
struct Plain {{ int x[{0}]; }};
__global__ void k{0}(int *x) {{ x[0] = Add<int>()(1) + Same().get(); }}
"""
    for i in (1, 2):
        (tmp_path / f"add{i}.cu").write_text(source.format(i))
    names = [str(tmp_path / f"add{i}.cu") for i in (1, 2)]
    assert run_g2o(["translate", "-q", names[0]]) == 0
    assert "G2O0222" not in capsys.readouterr().err
    assert run_g2o(["translate", "-q", *names]) == 0
    told = capsys.readouterr().err
    assert told.count("class 'Add' is defined differently in another source [G2O0222]") == 2
    assert told.count("G2O0222") == 2


def test_a_class_is_no_variable() -> None:
    text = "struct Box { int n = 0; __device__ int size() const { return n; } };\n"
    text += "__device__ inline Box one() { return Box(); }\n"
    assert names_of_each_source([lex(text)]) == frozenset()
    more = "__constant__ Box small;\n__device__ inline int two() { return small.n; }\n"
    assert names_of_each_source([lex(text + more)]) == {"small", "two"}


def test_a_macro_of_another_header_says_inline(tmp_path: Path) -> None:
    (tmp_path / "defs.h").write_text(
        "#pragma once\n#ifndef __CUDACC__\n#define __device__\n#define __forceinline__ inline\n"
        "#endif\n#define DEV __device__ __forceinline__\n"
    )
    header = tmp_path / "first.cuh"
    header.write_text('#include "defs.h"\nDEV __device__ float first(float3 a) { return a.x; }\n')
    source = tmp_path / "a.cu"
    source.write_text('#include "first.cuh"\n__global__ void k(float3 *x) { x->y = first(*x); }\n')
    assert run_g2o(["translate", "-q", str(source)]) == 0
    assert "\nDEV float first(" in (tmp_path / "first.omp.hpp").read_text()
