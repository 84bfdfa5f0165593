"""The operators of examples/torch_backend against PyTorch's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

torch: Any = pytest.importorskip("torch", reason="needs PyTorch: make test-torch")
ops: Any = pytest.importorskip("examples.torch_backend.operators")
functional: Any = torch.nn.functional

pytestmark = pytest.mark.slow


def attention(query: Any, key: Any, value: Any) -> Any:
    scores = query @ key.transpose(1, 2) * query.shape[-1] ** -0.5
    return scores.softmax(-1) @ value


def numbers(*sizes: int) -> Any:
    return torch.randn(sizes, dtype=torch.double, requires_grad=True)


def bias_relu(x: Any, bias: Any) -> Any:
    return (x + bias).relu()


def batch_norm(x: Any, weight: Any, bias: Any) -> Any:
    return functional.batch_norm(x, None, None, weight, bias, training=True)


def layer_norm(x: Any, weight: Any, bias: Any) -> Any:
    return functional.layer_norm(x, x.shape[-1:], weight, bias)


def unfold(x: Any, size: int, padding: int, stride: int) -> Any:
    return functional.unfold(x[None], size, padding=padding, stride=stride)[0]


def conv2d(x: Any, weight: Any, bias: Any, padding: int, stride: int) -> Any:
    return functional.conv2d(x, weight, bias, padding=padding, stride=stride)


def softmax(x: Any) -> Any:
    return x.softmax(-1)


def cross_entropy(x: Any, target: Any) -> Any:
    return functional.cross_entropy(x, target, reduction="none")


Case = tuple[Callable[..., Any], Callable[..., Any], Callable[[], tuple[Any, ...]], bool]

# Ours, PyTorch's, arguments, and whether the operator is smooth.
CASES: Final[dict[str, Case]] = {
    "mul": (ops.mul, torch.mul, lambda: (numbers(2, 3, 1, 4), numbers(3, 2, 1)), True),
    "gelu": (ops.gelu, functional.gelu, lambda: (numbers(3, 5),), True),
    "silu": (ops.silu, functional.silu, lambda: (numbers(3, 5),), True),
    "bias_relu": (ops.bias_relu, bias_relu, lambda: (numbers(3, 5), numbers(5)), False),
    "layer_norm": (
        ops.layer_norm,
        layer_norm,
        lambda: (numbers(3, 5), numbers(5), numbers(5)),
        True,
    ),
    "softmax": (ops.softmax, softmax, lambda: (numbers(3, 5),), True),
    "cross_entropy": (
        ops.cross_entropy,
        cross_entropy,
        lambda: (numbers(3, 5), torch.tensor([4, 0, 2])),
        True,
    ),
    "batch_norm": (
        ops.batch_norm,
        batch_norm,
        lambda: (numbers(3, 2, 2, 2), numbers(2), numbers(2)),
        True,
    ),
    "embedding": (
        ops.embedding,
        functional.embedding,
        lambda: (torch.tensor([[1, 3], [1, 0]]), numbers(4, 3)),
        True,
    ),
    "max_pool2d": (ops.max_pool2d, functional.max_pool2d, lambda: (numbers(2, 5, 5), 3, 2), False),
    "avg_pool2d": (ops.avg_pool2d, functional.avg_pool2d, lambda: (numbers(2, 5, 5), 3, 2), True),
    "im2col": (ops.im2col, unfold, lambda: (numbers(2, 4, 5), 3, 1, 2), True),
    "conv2d": (
        ops.conv2d,
        conv2d,
        lambda: (numbers(2, 2, 4, 4), numbers(2, 2, 3, 3), numbers(2), 1, 2),
        True,
    ),
    "matmul": (ops.matmul, torch.matmul, lambda: (numbers(3, 4), numbers(4, 2)), True),
    "attention": (ops.attention, attention, lambda: tuple(numbers(2, 3, 4) for _ in "qkv"), True),
}


@pytest.fixture(autouse=True)
def _seeded() -> None:
    torch.manual_seed(1)


@pytest.mark.parametrize("name", CASES)
def test_operator(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs, arguments, is_smooth = CASES[name]
    args = arguments()
    called: list[tuple[Any, tuple[Any, ...]]] = []
    found_by = ops.operator

    def noted(*key: Any) -> Any:
        operator = found_by(*key)

        def call(*given: Any) -> Any:
            called.append((operator.operator, given))
            return operator(*given)

        return call

    monkeypatch.setattr(ops, "operator", noted)
    active = [one for one in args if torch.is_tensor(one) and one.requires_grad]
    made, expected = ours(*args), theirs(*args)
    assert torch.allclose(made, expected)
    seed = torch.randn_like(made)
    found = torch.autograd.grad(made, active, seed)
    wanted = torch.autograd.grad(expected, active, seed)
    assert all(torch.allclose(*both) for both in zip(found, wanted, strict=True))
    assert torch.autograd.gradcheck(ours, args)
    if is_smooth:
        assert torch.autograd.gradgradcheck(ours, args)
    results = torch.library.opcheck(*called[0])
    assert set(results.values()) == {"SUCCESS"}, results


@pytest.mark.parametrize("name", CASES)
def test_compiled(name: str) -> None:
    ours, _, arguments, _ = CASES[name]
    args = arguments()
    active = [one for one in args if torch.is_tensor(one) and one.requires_grad]
    ours(*args)  # makes the operator
    compiled = torch.compile(ours, backend="aot_eager")
    made, expected = compiled(*args), ours(*args)
    assert torch.equal(made, expected)
    found = torch.autograd.grad(made.sum(), active)
    wanted = torch.autograd.grad(expected.sum(), active)
    assert all(torch.allclose(*both) for both in zip(found, wanted, strict=True))


def test_single_precision() -> None:
    x, weight, bias = torch.randn(40, 300), torch.randn(300), torch.randn(300)
    expected = functional.layer_norm(x, (300,), weight, bias)
    assert torch.allclose(ops.layer_norm(x, weight, bias), expected, atol=1e-5)


def test_dropout() -> None:
    x = numbers(4000)
    y = ops.dropout(x, 0.25, 7)
    kept = y != 0
    assert torch.allclose(y[kept], x[kept] / 0.75)
    assert 0.7 < kept.double().mean() < 0.8
    assert torch.equal(ops.dropout(x, 0.25, 7), y)
    (found,) = torch.autograd.grad(y.sum(), x)
    assert torch.allclose(found, kept.double() / 0.75)


def test_optimisers() -> None:
    x, gradient = torch.randn(2, 50, dtype=torch.double)
    ours, theirs = x.clone(), x.clone().requires_grad_()
    mean, square = torch.zeros_like(x), torch.zeros_like(x)
    adam = torch.optim.Adam([theirs], lr=1e-2)
    for step in range(1, 4):
        theirs.grad = gradient * step
        adam.step()
        ops.adam_(ours, gradient * step, mean, square, step, 1e-2)
    assert torch.allclose(ours, theirs)
    ours, theirs = x.clone(), x.clone().requires_grad_()
    velocity = torch.zeros_like(x)
    sgd = torch.optim.SGD([theirs], lr=1e-2, momentum=0.9)
    for _ in range(3):
        theirs.grad = gradient
        sgd.step()
        ops.sgd_(ours, gradient, velocity, 1e-2, 0.9)
    assert torch.allclose(ours, theirs)
