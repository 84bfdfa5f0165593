"""Kernels as CuPy's users write them: names of the C library, `extern "C"` variables, options of
NVRTC, complex numbers and floats of 16 bits."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import g2o

SOURCE = r"""
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cupy/complex.cuh>

extern "C" {
__constant__ float coefficients[3];

__global__ void step(const float *x, float *y)
{
    y[threadIdx.x] = coefficients[2] * x[threadIdx.x];
}

__global__ void rotate(complex<float> by, const complex<float> *x, complex<float> *y)
{
    y[threadIdx.x] = by * conj(x[threadIdx.x]) + real(by);
}

__global__ void halves(half a, const half *x, const half2 *pairs, half *y)
{
    const int i = threadIdx.x;
    y[i] = a * x[i] + (i % 2 ? pairs[i / 2].y : pairs[i / 2].x);
}

__global__ void vectors(float2 a, double3 b, double *y)
{
    extern __shared__ double kept[];
    kept[threadIdx.x] = a.x;
    y[2 * threadIdx.x] = kept[threadIdx.x] + a.y;
    y[2 * threadIdx.x + 1] = b.z;
}
}

namespace tables {
__device__ int hits[2];
template <typename T, int N> __global__ void scale(T *x) { x[threadIdx.x] *= N; }
}

template <typename T> __global__ void add(T a, const T *x, float *y)
{
    y[threadIdx.x] = float(x[threadIdx.x]) + float(a);
}
"""


@pytest.fixture(scope="module")
def module() -> g2o.RawModule:
    options = ("--std=c++11", "--use_fast_math", "-arch=sm_80", "-lineinfo")
    names = ("tables::scale<double, 3>", "add<__nv_bfloat16>")
    return g2o.RawModule(SOURCE, options, backend="nvcc", name_expressions=names)


def test_names_of_the_c_library_and_variables(module: g2o.RawModule) -> None:
    module.get_global("coefficients")[...] = 1, 2, 3
    x, y = np.arange(4, dtype=np.float32), np.zeros(4, np.float32)
    module.get_function("step")(1, 4, (x, y))  # libc has a `step`, which is not this one
    assert np.array_equal(y, 3 * x)
    assert module.get_global("tables::hits").shape == (2,)
    z = np.arange(4.0)
    module.get_function("tables::scale<double, 3>")(1, 4, (z,))
    assert z.tolist() == [0, 3, 6, 9]


def test_complex_numbers(module: g2o.RawModule) -> None:
    x = np.array([1 + 2j, 3 - 1j], np.complex64)
    for by in (2 - 1j, np.complex128(2 - 1j), np.complex64(2 - 1j)):
        y = np.zeros_like(x)
        module.get_function("rotate")(1, 2, (by, x, y))
        assert np.allclose(y, by * x.conj() + 2)
    module.get_function("rotate")(1, 2, (2, x.view(np.float32), y))
    assert np.allclose(y, 2 * x.conj() + 2)


def test_floats_of_16_bits(module: g2o.RawModule) -> None:
    x, y = np.arange(4, dtype=np.float16), np.zeros(4, np.float16)
    module.get_function("halves")(1, 4, (0.5, x, x + 1, y))
    assert np.array_equal(y, 1.5 * x + 1)
    bits = (np.arange(4, dtype=np.float32).view(np.uint32) >> 16).astype(np.uint16)
    sums = np.zeros(4, np.float32)
    module.get_function("add<__nv_bfloat16>")(1, 4, (1.00390625, bits, sums))  # a tie, to even: 1
    assert sums.tolist() == [1, 2, 3, 4]


def _fails(module: g2o.RawModule, name: str, args: tuple[Any, ...], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        module.get_function(name)(1, 1, args)


def test_what_would_be_read_as_other_numbers(module: g2o.RawModule) -> None:
    out, triple = np.zeros(2), np.ones(3)
    launched = module.get_function("vectors")
    launched(1, 1, (np.array([1, 2], np.float32), triple, out), shared_mem=8)
    assert out.tolist() == [3, 1]
    _fails(module, "vectors", (np.complex64(1 + 2j), triple, out), "has extern __shared__ memory")
    for pair in (1.0, np.array([1, 2], np.int32), np.array([1, 2], ">f4")):  # of eight bytes all
        with pytest.raises(TypeError, match="expected 2 numbers of float32"):
            launched(1, 1, (pair, triple, out), shared_mem=8)
    x, wide = np.zeros(4, np.float32), np.zeros(2, np.complex128)
    _fails(module, "step", (wide, x), "of complex128; expected float32")
    _fails(module, "rotate", (1, wide, wide), "of complex128; expected float32, 2 for each")
    _fails(module, "halves", (1.0, x, x, x), "of float32; expected float16")
    _fails(module, "halves", (1e5, x, x, x), "too large for float16")
    _fails(
        module, "add<__nv_bfloat16>", (1, x.astype(np.float16), x), "of float16; expected bfloat16"
    )


def test_copies(module: g2o.RawModule) -> None:
    """They reach other processes, also behind a call."""
    x = np.ones(2)
    kernel = module.get_function("tables::scale<double, 3>")
    for one in (copy.deepcopy(kernel), pickle.loads(pickle.dumps(kernel))):
        one(1, 2, (x,))
    assert x.tolist() == [9, 9]
    plain = pickle.loads(
        pickle.dumps(g2o.RawKernel("source", "name", ("-DN",), grad="name(y)/(x)"))
    )
    assert (plain.code, plain.name, plain.options) == ("source", "name", ("-DN",))
