"""`g2o.RawKernel` on numpy arrays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import g2o
from g2o.interop.raw_kernel import CompileError

SAXPY = """
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += a * x[i];
}
"""
KERNELS = """
struct Pair { float first; int second; };
enum Mode { PLAIN, NEGATED };

__global__ void reverse(double *x)
{
    extern __shared__ double s[];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

__global__ void values(signed char a, unsigned long long b, double c, bool d, Mode mode, Pair pair,
                       float4 v, const Pair *pairs, void *raw, double *out)
{
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        out[0] = a;
        out[1] = double(b);
        out[2] = c;
        out[3] = d;
        out[4] = mode;
        out[5] = pair.first + pair.second;
        out[6] = v.x + v.y + v.z + v.w;
        out[7] = pairs[1].first * pairs[1].second;
        out[8] = raw == nullptr;
    }
}

template <typename T, int N> __global__ void fill(T *x, T value)
{
    x[(blockIdx.y * gridDim.x + blockIdx.x) * N + threadIdx.y * blockDim.x + threadIdx.x] = value;
}
"""


@pytest.fixture(scope="module")
def saxpy() -> g2o.RawKernel:
    return g2o.RawKernel(SAXPY, "saxpy")


def test_call(saxpy: g2o.RawKernel) -> None:
    x, y = np.arange(1000, dtype=np.float32), np.ones(1000, dtype=np.float32)
    saxpy((8,), (128,), (900, np.float32(2), x, y))
    expected = np.where(np.arange(1000) < 900, 1 + 2 * x, 1)
    assert np.array_equal(y, expected)
    saxpy(8, 128, (np.array(1), 1.5, x, y))
    assert y[0] == 1.0
    assert "void saxpy(dim3 grid, dim3 block, int n, float a" in saxpy.translation


def test_arguments_that_do_not_fit(saxpy: g2o.RawKernel) -> None:
    x = np.zeros(4, dtype=np.float32)
    wrong: list[tuple[tuple[object, ...], str]] = [
        ((4, 1.0, x), "takes 4 arguments, not 3"),
        ((4.5, 1.0, x, x), "argument 1 of saxpy is 4.5; expected an integer"),
        ((2**40, 1.0, x, x), "argument 1 of saxpy is 1099511627776, too large for int32"),
        ((4, "a", x, x), "argument 2 of saxpy is a str; expected a number"),
        ((4, 1.0, x.astype(np.float64), x), "argument 3 .* array of float64; expected float32"),
        ((4, 1.0, np.zeros(8, np.float32)[::2], x), "argument 3 of saxpy is not contiguous"),
        ((4, 1.0, [1.0], x), "argument 3 of saxpy is a list; expected a numpy array or None"),
    ]
    for arguments, message in wrong:
        with pytest.raises(TypeError, match=message):
            saxpy(1, 1, arguments)
    with pytest.raises(TypeError, match="grid has 4 sizes"):
        saxpy((1, 1, 1, 1), 1, (4, 1.0, x, x))


def test_shared_memory() -> None:
    x = np.arange(64, dtype=np.float64)
    g2o.RawKernel(KERNELS, "reverse")((1,), (64,), (x,), shared_mem=64 * 8)
    assert np.array_equal(x, np.arange(64)[::-1])


def test_kinds_of_values() -> None:
    pair = np.dtype([("first", np.float32), ("second", np.int32)])
    pairs = np.array([(1, 2), (3, 4)], dtype=pair)
    vector = np.array([1, 2, 3, 4], dtype=np.float32)
    out = np.zeros(9)
    kernel = g2o.RawKernel(KERNELS, "values")
    kernel(1, 32, (-3, 2**63, 0.5, True, 1, pairs[1], vector, pairs, None, out))
    assert out.tolist() == [-3, 2.0**63, 0.5, 1, 1, 7, 10, 12, 1]


def test_template() -> None:
    x = np.zeros(24, dtype=np.int64)
    g2o.RawKernel(KERNELS, "fill<long long, 4>")((2, 3), (2, 2), (x, 7))
    assert x.tolist() == [7] * 24


def test_options_and_faults(tmp_path: Path) -> None:
    source = "__global__ void k(int *x) { x[0] = N; }"
    x = np.zeros(1, dtype=np.int32)
    g2o.RawKernel(source, "k", ("-DN=5",))(1, 1, (x,))
    assert x[0] == 5
    with pytest.raises(g2o.TranslationError, match="use of undeclared identifier 'N'"):
        g2o.RawKernel(source, "k").compile()
    with pytest.raises(CompileError, match="no_such_kernel"):
        g2o.RawKernel(source, "no_such_kernel", ("-DN=5",)).compile()


def test_gradients_of_arrays_and_of_values() -> None:
    saxpy = g2o.RawKernel(SAXPY, "saxpy")
    x, y = np.arange(5, dtype=np.float32), np.ones(5, dtype=np.float32)
    seed = np.arange(1, 6, dtype=np.float32)
    d_x, d_y = np.ones(5, np.float32), seed.copy()
    saxpy.grad((2,), (4,), (5, 3.0, x, y), (d_x, d_y))
    assert np.allclose(y, 3 * x + 1)
    assert np.allclose(d_x, 1 + 3 * seed)
    assert np.allclose(d_y, seed)
    d_a = np.zeros(1, np.float32)
    saxpy.grad((2,), (4,), (5, 3.0, x, y), (d_a, d_x, d_y))
    assert np.allclose(d_a, x @ seed)
    with pytest.raises(TypeError, match="takes 3 shadows"):
        saxpy.grad((2,), (4,), (5, 3.0, x, y), (d_x,))


def test_gradient_of_a_template_and_of_shared_memory() -> None:
    source = """
    template <typename T> __global__ void squares(const T *x, T *total, int n)
    {
        extern __shared__ double buffer[];
        int t = threadIdx.x;
        buffer[t] = t < n ? x[t] * x[t] : T(0);
        __syncthreads();
        for (int s = blockDim.x / 2; s > 0; s >>= 1) {
            if (t < s)
                buffer[t] += buffer[t + s];
            __syncthreads();
        }
        if (t == 0)
            total[0] = buffer[0];
    }
    """
    squares = g2o.RawKernel(source, "squares<double>")
    x, total = np.arange(7.0), np.zeros(1)
    d_x, d_total = np.zeros(7), np.full(1, 2.0)
    squares.grad(1, 8, (x, total, 7), (d_x, d_total), shared_mem=64)
    assert total[0] == x @ x
    assert np.allclose(d_x, 4 * x)
    assert d_total[0] == 0


def test_kernel_that_uses_libraries() -> None:
    source = """
    #include <cub/block/block_reduce.cuh>
    #include <thrust/execution_policy.h>
    #include <thrust/sort.h>
    __global__ void sort_and_add(float *x, float *sums)
    {
        typedef cub::BlockReduce<float, 4> Reduce;
        __shared__ Reduce::TempStorage storage;
        float *row = x + (blockIdx.x * 4 + threadIdx.x) * 8;
        thrust::sort(thrust::seq, row, row + 8);
        float least = Reduce(storage).Sum(row[0]);
        if (threadIdx.x == 0)
            sums[blockIdx.x] = least;
    }
    """
    rows = np.random.default_rng(7).random((12, 8), dtype=np.float32)
    x, sums = rows.copy(), np.zeros(3, np.float32)
    g2o.RawKernel(source, "sort_and_add")((3,), (4,), (x, sums))
    np.testing.assert_array_equal(x, np.sort(rows, axis=1))
    np.testing.assert_allclose(sums, rows.min(axis=1).reshape(3, 4).sum(axis=1), rtol=1e-6)
