"""`--header`: declarations with which other files call the kernels of a translation."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.cli.conftest import G2o

SOURCE = """\
#include "types.cuh"
#include <cstdint>

typedef float real;
enum Mode { PLAIN, TWICE };
struct Buffer { real *data; int size; };

// Scales a buffer
// in place.
__global__ void scale(Buffer buffer, real a, Mode mode, const uint32_t *mask)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < buffer.size && mask[i])
        buffer.data[i] *= mode == TWICE ? 2 * a : a;
}

namespace shapes {
namespace {
__global__ void hidden(float *x) { x[threadIdx.x] = 0; }
}

/* Reverses the points of a block. */
__global__ void __launch_bounds__(64) reverse(Point *points, const struct Local *unused)
{
    extern __shared__ Point s[];
    s[threadIdx.x] = points[threadIdx.x];
    __syncthreads();
    points[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
__global__ void zero(Point *points) { points[threadIdx.x] = Point(); }
}

static __global__ void mine(float *x) { x[threadIdx.x] = 0; }
template <typename T> __global__ void any(T *x) { x[threadIdx.x] = 0; }
extern "C" __global__ void c_name(float4 x, float *y) { y[0] = x.x; }
"""
HEADER = """\
#ifndef A_OMP_H
#define A_OMP_H

#include "g2o_runtime.hpp"
#include "types.omp.hpp"

typedef float real;

struct Buffer {
    real *data;
    int size;
};

enum Mode { PLAIN, TWICE };

namespace shapes {
struct Local;
} // namespace shapes

// Scales a buffer
// in place.
void scale(dim3 grid, dim3 block, Buffer buffer, real a, Mode mode, const uint32_t *mask);

namespace shapes {
/* Reverses the points of a block. */
void reverse(dim3 grid, dim3 block, std::size_t shared_bytes, Point *points,
             const struct Local *unused);

void zero(dim3 grid, dim3 block, Point *points);
} // namespace shapes

extern "C" void c_name(dim3 grid, dim3 block, float4 x, float *y);

#endif
"""


def test_header(g2o: G2o) -> None:
    Path("types.cuh").write_text("struct Point { float x, y; };\n")
    Path("a.cu").write_text(SOURCE)
    assert g2o("translate", "a.cu", "types.cuh", "--header").exit_code == 0
    text = Path("a.omp.h").read_text()
    assert text.split("\n", 2)[2] == HEADER
    assert not Path("types.omp.h").exists()
    Path("use.cpp").write_text(
        '#include "a.omp.h"\n#include "a.omp.h"\nvoid f(Point *p, float *y)\n{\n'
        "    shapes::reverse(1, 2, 2 * sizeof(Point), p, nullptr);\n"
        "    c_name(1, 1, make_float4(1, 2, 3, 4), y);\n}\n"
    )
    for source in ("use.cpp", "a.omp.cpp"):
        command = ["g++", "-std=c++17", "-fopenmp", "-Wall", "-c", source]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
