"""Device variables that a header declares for several sources are defined for all of them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from g2o.cli.main import run as run_g2o

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
