"""`g2o.torch.function`: kernels as operators of PyTorch."""

from __future__ import annotations

import copy
import pickle
from functools import partial
from typing import Any

import pytest

import g2o
from g2o.interop.library import CompileError

torch: Any = pytest.importorskip("torch", reason="needs PyTorch: make test-torch")

SOURCE = """
template <typename T> __global__ void saxpy(int n, T a, const T *x, T *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += a * x[i] * x[i];
}

// Two results, a value that is constant, and scratch that is not returned.
__global__ void polar(int n, float scale, const float *x, const float *y, float *radius,
                      float *angle, float *scratch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        scratch[i] = 1;
        radius[i] = scale * sqrtf(x[i] * x[i] + y[i] * y[i]);
        angle[i] = atan2f(y[i], x[i]);
    }
}

__global__ void count(int n, const float *x, bool positive, int *counts)
{
    extern __shared__ int partial[];
    int t = threadIdx.x;
    partial[t] = t < n && (x[t] > 0) == positive;
    __syncthreads();
    if (t == 0)
        for (int i = 0; i < blockDim.x; ++i)
            counts[0] += partial[i];
}

struct Pair { float first, second; };
__global__ void pairs(Pair pair, float *x) { x[0] = pair.first; }
__global__ void lengths(int n, const float4 *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i].x * x[i].x + x[i].y * x[i].y + x[i].z * x[i].z + x[i].w * x[i].w;
}
"""


def blocks(n: int, *_: object) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return ((n + 63) // 64,), (64,)


def saxpy(grad: str = "saxpy(y)/(a, x, y)", kind: str = "double") -> Any:
    return g2o.torch.function(SOURCE, f"saxpy<{kind}>", launch=blocks, grad=grad)


def numbers(*sizes: int, grad: bool = True, dtype: Any = torch.double) -> Any:
    return torch.randn(sizes, dtype=dtype, requires_grad=grad)


@pytest.fixture(scope="module")
def f() -> Any:
    return saxpy()


def test_value_and_gradients(f: Any) -> None:
    a, x, y = numbers(), numbers(100), numbers(100)
    z = f(100, a, x, y)
    assert torch.allclose(z, y + a * x * x)
    found = torch.autograd.grad(z.square().sum(), (a, x, y))
    expected = torch.autograd.grad((y + a * x * x).square().sum(), (a, x, y))
    assert all(map(torch.allclose, found, expected))
    few, point = partial(f, 5), (numbers(), numbers(5), numbers(5))
    assert torch.autograd.gradcheck(few, point)
    assert torch.autograd.gradgradcheck(few, point)


def test_opcheck(f: Any) -> None:
    a, x, y = numbers(), numbers(70), numbers(70)
    for operator, given in ((f.operator, (a, x, y)), (f.inplace_operator, (a, x, y))):
        tensors = [one.detach() for one in given] if operator is f.inplace_operator else given
        found = torch.library.opcheck(operator, (70, *tensors))
        assert set(found.values()) == {"SUCCESS"}, found


def test_a_number_and_tensors_that_stay(f: Any) -> None:
    x, y = numbers(6), numbers(6, grad=False)
    before, version = y.clone(), y._version
    z = f(6, 2.0, x, y)
    assert torch.equal(y, before)
    assert y._version == version
    (found,) = torch.autograd.grad(z.sum(), x)
    assert torch.allclose(found, 4 * x)


def test_in_place(f: Any) -> None:
    a, x, y = numbers(), numbers(6, grad=False), numbers(6, grad=False)
    expected, place = y + a.detach() * x * x, y.data_ptr()
    assert f.inplace(6, a.detach(), x, y) is y
    assert torch.allclose(y, expected)
    assert y.data_ptr() == place
    z = y * 1
    f.inplace(6, a, x, z)
    (found,) = torch.autograd.grad(z.sum(), a)
    assert torch.allclose(found, (x * x).sum())
    with pytest.raises(ValueError, match="'y' and 'x' of saxpy<double> overlap"):
        f.inplace(3, 1.0, x[:4], x[2:])


def test_in_place_without_gradients_keeps_no_history() -> None:
    f = saxpy("")
    x, y = numbers(6), numbers(6)
    made = f(6, 1.0, x, y)
    with pytest.raises(RuntimeError, match="no autograd formula"):
        made.sum().backward()
    with pytest.raises(ValueError, match="'y' of saxpy<double> requires a gradient, and is over"):
        f.inplace(6, 1.0, x.detach(), y * 1)
    with torch.no_grad():
        f.inplace(6, 1.0, x, y)


def test_several_results_and_scratch() -> None:
    polar = g2o.torch.function(SOURCE, "polar", launch=blocks, grad="polar(radius, angle)/(x, y)")
    x, y = numbers(90, dtype=torch.float32), numbers(90, dtype=torch.float32)
    out = [torch.zeros(90) for _ in range(3)]
    radius, angle = polar(90, 2.0, x, y, *out)
    assert torch.allclose(radius, 2 * torch.hypot(x, y))
    assert torch.allclose(angle, torch.atan2(y, x))
    assert not any(one.any() for one in out)
    found = torch.autograd.grad(angle.sum(), (x, y))
    expected = torch.autograd.grad(torch.atan2(y, x).sum(), (x, y))
    assert all(torch.allclose(*both, atol=1e-5) for both in zip(found, expected, strict=True))
    assert torch.allclose(polar(90, torch.tensor(2.0), x, y, *out)[0], radius)
    radius, _ = polar.inplace(90, 2.0, x, y, *out)
    assert all(one.all() for one in out)
    (found,) = torch.autograd.grad(radius.sum(), x)
    assert torch.allclose(found, 2 * x / torch.hypot(x, y), atol=1e-5)


def test_no_gradients_and_shared_memory() -> None:
    count = g2o.torch.function(SOURCE, "count", launch=lambda *_: ((1,), (8,), 8 * 4))
    x = torch.tensor([1.0, -1, 2, -3, 4])
    found = count(5, x, True, torch.tensor([10], dtype=torch.int32))
    assert found.tolist() == [13]
    assert found.dtype is torch.int32


def test_vectors() -> None:
    lengths = g2o.torch.function(SOURCE, "lengths", launch=blocks, grad="lengths(y)/(x)")
    x = numbers(5, 4, dtype=torch.float32)
    (found,) = torch.autograd.grad(lengths(5, x, torch.empty(5)).sum(), x)
    assert torch.allclose(found, 2 * x)
    with pytest.raises(ValueError, match="18 numbers, 4 for each element"):
        lengths(4, torch.zeros(18), torch.empty(4))
    with pytest.raises(ValueError, match="does not begin at a multiple of 16 bytes"):
        lengths(4, torch.zeros(17)[1:], torch.empty(4))


def test_vmap(f: Any) -> None:
    a, x, y = numbers(3), numbers(3, 6), numbers(6)

    def one(a: Any, x: Any) -> Any:
        return f(6, a, x, y)

    found = torch.vmap(one)(a, x)
    assert torch.allclose(found, y + a[:, None] * x * x)
    (grad,) = torch.autograd.grad(found.sum(), x)
    assert torch.allclose(grad, 2 * a[:, None] * x)


def test_forward_mode_is_refused(f: Any) -> None:
    x, y = numbers(6, grad=False), numbers(6, grad=False)
    forward_ad: Any = torch.autograd.forward_ad
    with forward_ad.dual_level():
        assert torch.allclose(f(6, 1.0, x, y), y + x * x)
        with pytest.raises(NotImplementedError, match="'x' of saxpy<double> has a tangent"):
            f(6, 1.0, forward_ad.make_dual(x, x), y)
    with pytest.raises(NotImplementedError, match="there is no forward mode"):
        torch.func.jacfwd(partial(f, 6, 1.0, x))(y)


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_compile(f: Any, backend: str) -> None:
    def step(a: Any, x: Any, y: Any) -> Any:
        return f(x.numel(), a, x.sin(), y * 2).cos()

    a, x, y = numbers(), numbers(40), numbers(40)
    compiled = torch.compile(step, fullgraph=True, backend=backend)
    assert torch.allclose(compiled(a, x, y), step(a, x, y))
    found = torch.autograd.grad(compiled(a, x, y).sum(), (a, x, y))
    expected = torch.autograd.grad(step(a, x, y).sum(), (a, x, y))
    assert all(map(torch.allclose, found, expected))


def test_what_is_not_an_independent() -> None:
    f = saxpy("saxpy(y)/(a)")
    x, y = numbers(6), numbers(6, grad=False)
    with pytest.raises(ValueError, match="'x' of saxpy<double> requires a gradient"):
        f(6, numbers(), x, y)
    with torch.no_grad():
        assert torch.allclose(f(6, 1.0, x, y), y + x * x)


def test_arguments_that_do_not_fit(f: Any) -> None:
    x = torch.zeros(6, dtype=torch.double)
    wrong: list[tuple[tuple[object, ...], type[Exception], str]] = [
        ((6, 1.0, x), TypeError, "takes 4 arguments, not 3"),
        ((6, 1.0, x.float(), x), TypeError, "argument 3 .* torch.float32; expected torch.float64"),
        ((6, 1.0, x[::2], x), ValueError, "argument 3 of saxpy<double> is not contiguous"),
        ((6, x, x, x), TypeError, "'a' of saxpy<double> has 1 axes; expected a number"),
        ((0, 1.0, x, x), ValueError, r"grid is \(0,\); a launch has at least one thread"),
        ((2**40, 1.0, x, x), TypeError, "too large for int32"),
        ((6, 1.0, None, x), TypeError, "'x' of saxpy<double> is a NoneType; expected a tensor"),
    ]
    for arguments, kind, message in wrong:
        with pytest.raises(kind, match=message):
            f(*arguments)


def test_requests_that_do_not_fit() -> None:
    wrong = [
        ("saxpy(x, y)/(a)", "'x' of saxpy<double> is a dependent .* cannot write to it"),
        ("polar(y)/(x)", "'polar.y./.x.' is of another kernel than 'saxpy'"),
        ("saxpy(y)(x)", "is no SPEC"),
    ]
    for grad, message in wrong:
        with pytest.raises(ValueError, match=message):
            saxpy(grad)
    with pytest.raises(g2o.TranslationError, match="has no parameter 'z'"):
        saxpy("saxpy(y)/(z)")
    with pytest.raises(ValueError, match="'pair' of pairs is no number"):
        g2o.torch.function(SOURCE, "pairs", launch=blocks)
    with pytest.raises(CompileError, match="there is no kernel 'none'; kernels of the source: s"):
        g2o.torch.function(SOURCE, "none", launch=blocks)


def test_buffers_without_shadows_are_refused() -> None:
    source = """
    __global__ void twice(int n, const float *x, float *between, float *y)
    {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) {
            between[i] = x[i] * x[i];
            y[i] = between[i] * x[i];
        }
    }
    """
    with pytest.raises(g2o.TranslationError, match="between"):
        g2o.torch.function(source, "twice", launch=blocks, grad="twice(y)/(x)")


NUMBERS = """
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void product(const cuDoubleComplex *a, const cuDoubleComplex *b, cuDoubleComplex *c)
{
    c[threadIdx.x] = cuCmul(a[threadIdx.x], b[threadIdx.x]);
}
template <typename T> __global__ void twice(const T *x, T *y)
{
    y[threadIdx.x] = T(2.0f) * x[threadIdx.x];
}
"""


def test_complex_numbers() -> None:
    """As tensors of them, or of their parts; their gradients are those of the parts."""
    f = g2o.torch.function(NUMBERS, "product", launch=lambda *_: (1, 5), grad="product(c)/(a, b)")
    a, b = (numbers(5, dtype=torch.complex128) for _ in range(2))
    c = torch.zeros(5, dtype=torch.complex128)
    assert torch.allclose(f(a, b, c), a * b)
    assert torch.allclose(f(a.conj(), b, c), a.conj() * b)
    assert torch.autograd.gradcheck(f, (a, b, c))
    assert torch.autograd.gradgradcheck(f, (a, b, c))
    parts = torch.view_as_real(a.detach()).clone()
    found = f(parts, torch.ones_like(parts), torch.zeros_like(parts))  # times 1 + i
    assert torch.allclose(found.sum(1), 2 * parts[:, 0])
    with pytest.raises(TypeError, match=r"tensor of torch\.complex64; expected torch\.float64"):
        f(a.to(torch.complex64), b, c)


def test_floats_of_16_bits() -> None:
    for kind, dtype in (("__half", torch.half), ("__nv_bfloat16", torch.bfloat16)):
        f = g2o.torch.function(NUMBERS, f"twice<{kind}>", launch=lambda *_: (1, 3))
        found = f(torch.arange(3).to(dtype), torch.zeros(3, dtype=dtype))
        assert (found.dtype, found.tolist()) == (dtype, [0, 2, 4])


def test_copies(f: Any) -> None:
    """As modules are copied that have one."""
    assert copy.deepcopy([f])[0] is f
    again = pickle.loads(pickle.dumps(g2o.torch.function(SOURCE, "lengths", launch=blocks)))
    assert torch.allclose(again(1, torch.ones(4), torch.zeros(1)), torch.full((1,), 4.0))
