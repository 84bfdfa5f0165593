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


WHOLE = """\
constexpr int COUNT = 4;
enum { FIRST, SECOND };
struct Cell {
    double at[COUNT];
};
struct Grid;
// 内à
// à内
__global__ void clear(Grid *grid, Cell *cells)
{
    __shared__ double zero[32];
    zero[threadIdx.x] = 0;
    __syncthreads();
    // 内à
    for (int i = 0; i < COUNT; ++i)
        cells[threadIdx.x].at[i] = zero[31 - threadIdx.x];
}
struct View {
    const Cell *cells;
    __device__ double first(int i) const { return cells[i].at[FIRST]; }
};
__global__ void copy(View view, double *out) { out[threadIdx.x] = view.first(threadIdx.x); }
"""


def test_what_methods_name_stands_in_front_of_them(g2o: G2o) -> None:
    """Letters of comments whose bytes are line ends or blanks in Latin-1 stay whole as well."""
    Path("a.cu").write_text(WHOLE, encoding="utf-8")
    done = g2o("translate", "a.cu", "--header")
    assert done.exit_code == 0, done.err  # all of it was parsed
    text = Path("a.omp.h").read_text(encoding="utf-8")
    assert "struct Grid;\n" in text
    assert (
        text.index("constexpr int COUNT") < text.index("struct Cell {") < text.index("struct View")
    )
    assert "// 内à\n// à内\nvoid clear(" in text
    assert "// 内à\n" in Path("a.omp.cpp").read_text(encoding="utf-8")
