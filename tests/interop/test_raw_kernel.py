"""`g2o.RawKernel` on numpy arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Any, final

import numpy as np
import numpy.typing as npt
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
    source = "// λ, ℝ\n__global__ void k(int *x) { x[0] = N; }"
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


SQUARES = """
__global__ void squares(int n, double a, const double *x, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] * x[i];
}
"""


@pytest.mark.slow
def test_derivatives_that_make_their_shadows() -> None:
    squares = g2o.RawKernel(SQUARES, "squares")
    x, y, launch = np.arange(1.0, 5), np.zeros(4), ((2,), (2,))
    d_a, d_x, d_y = squares.grad(*launch, (4, 3.0, x, y))
    assert d_a.tolist() == [30]
    assert d_x.tolist() == [6, 12, 18, 24]
    assert d_y.tolist() == [0] * 4
    seeds = np.array([1.0, 0, 2, 0])
    d_a, d_x, _ = squares.vjp(*launch, (4, 3.0, x, y), (seeds,))
    assert (d_a.tolist(), d_x.tolist(), seeds.tolist()) == ([19], [6, 0, 36, 0], [1, 0, 2, 0])
    *_, t_y = squares.jvp(*launch, (4, 3.0, x, y))
    assert t_y.tolist() == [1 + 6, 4 + 12, 9 + 18, 16 + 24]
    *_, t_y = squares.jvp(*launch, (4, 3.0, x, y), (0, np.ones(4), np.zeros(4)))
    assert t_y.tolist() == [6, 12, 18, 24]
    g2o.check_grads(squares, *launch, (4, 3.0, x, y))


@pytest.mark.slow
def test_second_derivatives() -> None:
    squares = g2o.RawKernel(SQUARES, "squares", grad="squares(y)/(x)")
    x, y = np.arange(1.0, 5), np.zeros(4)
    shadows, tangents = (np.zeros(4), np.ones(4)), (np.ones(4), np.zeros(4))
    t_d_x, t_d_y = squares.hvp(2, 2, (4, 3.0, x, y), shadows, tangents)
    assert t_d_x.tolist() == [6] * 4
    assert t_d_y.tolist() == [0] * 4
    assert shadows[0].tolist() == [6, 12, 18, 24]
    assert tangents[1].tolist() == [6, 12, 18, 24]


@pytest.mark.slow
def test_a_derivative_that_is_none_is_found() -> None:
    steps = """
    __global__ void steps(const double *x, double *y) { y[0] = floor(x[0] * 1e7) * 1e-7; }
    """
    with pytest.raises(g2o.GradientError, match="the derivative of steps by 'x' is 0"):
        g2o.check_grads(g2o.RawKernel(steps, "steps"), 1, 1, (np.ones(1), np.zeros(1)))


def test_shadows_that_do_not_fit() -> None:
    squares = g2o.RawKernel(SQUARES, "squares")
    x, y = np.arange(1.0, 5), np.zeros(4)
    both = np.zeros(6)
    wrong: list[tuple[tuple[object, ...], type[Exception], str]] = [
        ((np.zeros(3), np.ones(4)), ValueError, "shadow 2 of squares has 24 bytes; expected 32"),
        ((both[:4], both[2:]), ValueError, "shadow 2 of squares and shadow 3 of squares overlap"),
        ((x, np.ones(4)), ValueError, "overlap: differentiated arrays may not"),
        ((np.zeros(4, np.float32), np.ones(4)), TypeError, "array of float32; expected float64"),
    ]
    for shadows, kind, message in wrong:
        with pytest.raises(kind, match=message):
            squares.grad(2, 2, (4, 3.0, x, y), shadows)
    with pytest.raises(ValueError, match="seeds 1 of squares has 3 numbers; expected 4"):
        squares.vjp(2, 2, (4, 3.0, x, y), (np.ones(3),))


def test_arrays_that_may_not_be_written(saxpy: g2o.RawKernel) -> None:
    x = np.ones(4, np.float32)
    y = x.copy()
    y.flags.writeable = False
    with pytest.raises(ValueError, match="argument 4 of saxpy is a read-only array"):
        saxpy(1, 4, (4, 1.0, x, y))
    assert y.tolist() == [1] * 4
    saxpy(1, 4, (4, 1.0, y, x))
    assert x.tolist() == [2] * 4


def test_launches_of_nothing(saxpy: g2o.RawKernel) -> None:
    x = np.ones(4, np.float32)
    for grid, block in ((0, 4), (1, 0), (-1, 4), ((1, 0), 4), (1, (4, 1, -2)), (2**31, 1)):
        with pytest.raises(ValueError, match="a launch has at least one thread"):
            saxpy(grid, block, (4, 1.0, x, x))
    with pytest.raises(ValueError, match="shared memory of -1 bytes"):
        saxpy(1, 4, (4, 1.0, x, x), shared_mem=-1)
    with pytest.raises(TypeError, match="expected integers"):
        saxpy(1.5, 4, (4, 1.0, x, x))  # pyright: ignore[reportArgumentType]


@pytest.mark.slow
def test_arrays_that_begin_between_vectors() -> None:
    source = "__global__ void k(float4 *x) { x[threadIdx.x].y += 1; }"
    kernel = g2o.RawKernel(source, "k")
    x = np.zeros(9, np.float32)
    kernel(1, 2, (x[:8],))
    assert x.tolist() == [0, 1, 0, 0, 0, 1, 0, 0, 0]
    with pytest.raises(ValueError, match="does not begin at a multiple of 16 bytes"):
        kernel(1, 2, (x[1:],))
    with pytest.raises(TypeError, match="expected float32, 4 for each element"):
        kernel(1, 2, (x[:6],))


@final
class Exported:
    """An array of a library that knows DLPack alone."""

    def __init__(self, array: npt.NDArray[np.float32]) -> None:
        self._array = array

    def __dlpack__(self, **options: Any) -> object:
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self) -> object:
        return self._array.__dlpack_device__()


def test_arrays_of_other_libraries(saxpy: g2o.RawKernel) -> None:
    x, y = np.ones(4, np.float32), np.ones(4, np.float32)
    saxpy(1, 4, (4, 1.0, Exported(x), Exported(y)))
    assert y.tolist() == [2] * 4
    y.flags.writeable = False
    with pytest.raises((TypeError, ValueError), match="argument 4 of saxpy"):
        saxpy(1, 4, (4, 1.0, x, Exported(y)))


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


ROWS = """
#include <cassert>
template <typename T> __global__ void shares(const T *x, T *y, int n)
{
    assert(blockDim.x == 64);
    __shared__ T part[64];
    int t = threadIdx.x;
    T sum = 0;
    for (int i = t; i < n; i += blockDim.x)
        sum += exp(x[blockIdx.x * n + i]);
    part[t] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    for (int i = t; i < n; i += blockDim.x)
        y[blockIdx.x * n + i] = exp(x[blockIdx.x * n + i]) / part[0];
}
"""


@pytest.mark.parametrize("associative", [False, True])
def test_instances_with_the_size_of_blocks_that_they_assert(associative: bool) -> None:
    kernel = g2o.RawKernel(
        ROWS, "shares<float>", grad="shares(y)/(x)", associative_math=associative
    )
    x = np.random.default_rng(7).uniform(-1, 1, (5, 100)).astype(np.float32)
    y = np.zeros_like(x)
    kernel((5,), (64,), (x, y, 100))
    expected = np.exp(x) / np.exp(x).sum(1, keepdims=True)
    np.testing.assert_allclose(y, expected, rtol=1e-5)
    seeds = np.cos(np.arange(500, dtype=np.float32)).reshape(5, 100)
    d_x = kernel.vjp((5,), (64,), (x, y, 100), (seeds,))[0]
    inner = (seeds * expected).sum(1, keepdims=True)
    np.testing.assert_allclose(d_x, expected * (seeds - inner), rtol=1e-4, atol=1e-7)
    text = kernel.translation
    assert "void shares<float>" in text
    assert "g2o_instance" not in text
    assert ("reduction(+ : sum)" in text) == associative
    with pytest.raises(ValueError, match=r"block\.x == 64"):
        kernel((5,), (32,), (x, y, 100))
