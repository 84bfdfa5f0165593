"""Random kernels whose groups of threads combine values, in CUDA C++.

Blocks of any known shape add up, or find the extremes of, what their threads have: by ladders of
shuffles, trees and rows in shared memory, slots of warps, atomics, votes, tiles of cooperative
groups and functions; one behind the other, in loops and under conditions, in arrays that are used
again, of parts of a block, by values that are used by some threads only. Now and then a step is not
what it should be for a whole sum: such code says something else, and has to stay.

All numbers are small and all real ones multiples of a quarter: sums are exact in any order. What is
largest or least of its type is compared, never calculated with: no program overflows.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from tests.properties.cxx.tree import Arm, Block, Kind, Program, Simple, Statement, Unit
from tests.properties.groups import combining
from tests.properties.groups.values import NARROW, Writer

HEAD: Final = """\
#include <cfloat>
#include <climits>
#include <cmath>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

static int zero;

template <typename T> static void show(const char *kernel, const char *what, const T *values, int n)
{
    printf("%s %s:", kernel, what);
    for (int i = 0; i < n; ++i)
        printf(" %.17g", double(values[i]));
    printf("\\n");
}

template <typename T> struct Memory {
    T *x, *out, *rows;
    int *at;
    int n;
    explicit Memory(int threads) : n(threads)
    {
        cudaMallocManaged(&x, 4096 * sizeof(T));
        cudaMallocManaged(&out, n * sizeof(T));
        cudaMallocManaged(&rows, 128 * sizeof(T));
        cudaMallocManaged(&at, 128 * sizeof(int));
        for (int i = 0; i < 4096; ++i)
            x[i] = T((i * 37 + i * i % 29) % 41) / T(2) - (T(-1) < T(0) ? T(9) : T(0));
        for (int i = 0; i < n; ++i)
            out[i] = T(i % 5);
        for (int i = 0; i < 128; ++i) {
            rows[i] = T(i % 3);
            at[i] = -1;
        }
    }
    void report(const char *kernel)
    {
        cudaDeviceSynchronize();
        show(kernel, "out", out, n);
        show(kernel, "rows", rows, 128);
        show(kernel, "at", at, 128);
        show(kernel, "x", x, 1);
        fflush(stdout);
        cudaFree(x);
        cudaFree(out);
        cudaFree(rows);
        cudaFree(at);
    }
};

template <typename T> __device__ T warp_sum(T v)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d);
    return v;
}

template <typename T> __device__ T warp_max(T v)
{
    for (int d = 16; d > 0; d /= 2) {
        T other = __shfl_xor_sync(0xffffffffu, v, d);
        v = v > other ? v : other;
    }
    return v;
}

template <typename T, int N> __device__ T block_sum(T v, T *s, int t)
{
    v = warp_sum(v);
    if (t % 32 == 0)
        s[t / 32] = v;
    __syncthreads();
    T sum = T(0);
    for (int w = 0; w < N / 32; ++w)
        sum += s[w];
    return sum;
}

template <typename T, int N> __device__ T block_max(T v, T *s, int t)
{
    v = warp_max(v);
    if (t % 32 == 0)
        s[t / 32] = v;
    __syncthreads();
    v = t < N / 32 ? s[t % 32] : v;
    v = warp_max(v);
    if (t == 0)
        s[0] = v;
    __syncthreads();
    return s[0];
}
"""
TAIL: Final = """\
int main(int argc, char **)
{
    zero = argc - 1;
@main
    return 0;
}
"""
_SHAPES: Final = (
    *((32, 1, 1), (64, 1, 1), (64, 1, 1), (128, 1, 1), (128, 1, 1), (256, 1, 1), (96, 1, 1)),
    *((16, 1, 1), (40, 1, 1), (33, 1, 1), (100, 1, 1), (7, 1, 1)),
    *((8, 8, 1), (32, 4, 1), (16, 3, 1), (32, 2, 2), (8, 4, 1), (5, 3, 1)),
)
_TYPES: Final = (
    *(["int"] * 4 + ["float"] * 5 + ["unsigned"] * 2 + ["double"] * 2),
    *("long long", "unsigned long long", "short", "unsigned char"),
)


def _loop(w: Writer, depth: int) -> Statement:
    r = w.new("r")
    whole = True
    choices = [f"for (int {r} = 0; {r} < {w.number('2', '3', 'm / 2')}; ++{r}) {{"]
    choices += [f"if ({w.number('n > 5', 'n > 500', 'blockIdx.x == 1')}) {{"]
    if w.has_warps and w.threads > 32:
        choices += ["if (t / 32 == 1) {", "if (t < 32) {"]
        choices += [f"for (int {r} = t / 32; {r} < m; {r} += {w.threads // 32}) {{"]
    head = w.random.choice(choices)
    if "t /" in head or "t <" in head:
        whole = False
    with w.inside(whole=whole):
        body = _statements(w, w.random.randrange(2, 5), depth + 1)
    kind = Kind.LOOP if head.startswith("for") else Kind.BRANCH
    return Block(kind, (Arm(head, (), tuple(body)),))


def _statements(w: Writer, count: int, depth: int = 0) -> list[Statement]:
    made: list[Statement] = []
    if not w.values or w.chance(0.7):
        made.append(combining.fresh(w))
    for _ in range(count):
        made.append(_statement(w, depth))
        if w.chance(0.5):
            made.append(combining.use(w))
    return made


def _statement(w: Writer, depth: int) -> Statement:
    choices: list[Callable[[Writer], Statement]] = [
        *(combining.fresh, combining.fresh, combining.change, combining.bounded),
    ]
    if not w.smooth:  # pointers to variables have no derivatives
        choices += [combining.named_elsewhere, combining.named_use]
    if w.has_warps and w.type not in NARROW:
        choices += [combining.ladder] * 4 + [combining.tile, combining.scan]
        choices += [combining.called, combining.called]
    if not w.smooth and (w.has_warps or w.whole):
        choices += [combining.vote]
    if w.whole and w.has_warps:
        choices += [combining.rows_of_warps]
    if w.whole:
        choices += [combining.tree] * 3 + [combining.serial] * 2 + [combining.spread]
        if w.type not in NARROW:
            choices += [combining.atomics]
        if w.has_warps and w.type not in NARROW:
            choices += [combining.slots] * 3
    if w.type not in NARROW and (w.whole or w.has_warps):
        choices += [combining.place]
    if depth < 2 and w.chance(0.15):
        return _loop(w, depth)
    return w.random.choice(choices)(w)


def kernel(random: Random, name: str, *, smooth: bool = False) -> Unit:
    """A kernel with its launch. Its derivatives may be checked if it is `smooth`."""
    shape = random.choice(_SHAPES)
    x, y, z = shape
    kind = random.choice(["double", "double", "float"] if smooth else _TYPES)
    w = Writer(random, shape, kind, random.choice([1, 2, 3]), smooth)
    only_warps = w.has_warps and w.threads > 32 and random.random() < 0.15
    body: list[Statement] = []
    flat = y == z == 1
    rank = (
        f"threadIdx.y * {x} + threadIdx.x"
        if z == 1
        else f"(threadIdx.z * {y} + threadIdx.y) * {x} + threadIdx.x"
    )
    constant = random.choice(["const ", ""])
    body.append(Simple(f"{constant}int t = {'threadIdx.x' if flat else rank};"))
    body.append(Simple(f"{constant}int g = blockIdx.x * {w.wide()} + t;"))
    if only_warps:
        body.append(
            Simple(f"if (t / 32 >= {random.choice(['m - 3', '1', 'n / 100'])})\n    return;")
        )
        w.whole = False
    elif random.random() < 0.1:
        body.append(Simple("if (blockIdx.x >= 2)\n    return;"))
    body += _statements(w, random.randrange(2, 6))
    body.append(combining.use(w))
    declared = [Simple(text) for text in w.shared.values()]
    bounds = f"__launch_bounds__({w.threads}) " if random.random() < 0.2 else ""
    spelled = w.type
    parameters = f"const {spelled} *x, {spelled} *out, {spelled} *rows, int *at, int n, int m"
    head = f"__global__ void {bounds}{name}({parameters})\n{{"
    made = Block(Kind.FUNCTION, (Arm(head, (), (*declared, *body)),), name=name)
    launch = str(x) if flat else f"dim3({x}, {y}, {z})" if z > 1 else f"dim3({x}, {y})"
    grid = str(w.blocks) if random.random() < 0.7 else f"{w.blocks} + zero"
    instead = f"""\
// g2o-verify: {name}<<<{w.blocks}, {launch}>>>(n = 100, m = 5, x = [4096],
//     out = [{w.threads * w.blocks}], rows = [128], at = [128])"""
    lines = (
        Simple(f"Memory<{spelled}> memory({w.threads * w.blocks});"),
        Simple(
            f"{name}<<<{grid}, {launch}>>>(memory.x, memory.out, memory.rows, memory.at, 100, 5);"
        ),
        Simple(f'memory.report("{name}");'),
    )
    run = Block(Kind.FUNCTION, (Arm(f"static void run_{name}()\n{{", (), lines),), kept=True)
    return Unit(name, (made, run), instead if smooth else f"run_{name}();")


def program(seed: int, kernels: int) -> Program:
    """A program of random kernels `k0`, `k1` and so on; always the same for a seed."""
    units = tuple(kernel(Random(f"groups {seed} {one}"), f"k{one}") for one in range(kernels))
    return Program(HEAD, units, TAIL)
