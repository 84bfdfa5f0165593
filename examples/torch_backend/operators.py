# pyright: basic, reportMissingImports=false
"""Operators of PyTorch from CUDA kernels, as PyTorch's CUDA side has them, on the CPU.

    from examples.torch_backend import operators as g2o_ops
    y = g2o_ops.layer_norm(x, weight, bias)

Each is called as PyTorch calls its own, takes float and double, and has a backward that g2o has
made from the kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import torch

import g2o

KERNELS: Final = Path(__file__).parent / "kernels"
_TYPES: Final = {torch.float32: "float", torch.float64: "double"}
_THREADS: Final = 128

Tensor = Any
Launch = Callable[..., Sequence[Any]]


@cache
def operator(file: str, kernel: str, grad: str, launch: Launch, dtype: Any) -> Any:
    """The instance of a kernel of kernels/FILE.cu for a type, made when it is first needed."""
    source = (KERNELS / f"{file}.cu").read_text(encoding="utf-8")
    name = f"{kernel}<{_TYPES[dtype]}>"
    spec = f"{kernel}{grad}" if grad else ""
    return g2o.torch.function(source, name, launch=launch, grad=spec, associative_math=True)


def _elements(count: int, *_: object) -> tuple[tuple[int], tuple[int]]:
    """A thread for each of the first argument."""
    return ((count + _THREADS - 1) // _THREADS,), (_THREADS,)


def _rows_of_second(columns: int, x: Tensor, *_: object) -> tuple[tuple[int], tuple[int]]:
    """A block for each row."""
    return (x.numel() // columns,), (_THREADS,)


def _rows_of_third(columns: int, _: float, x: Tensor, *__: object) -> tuple[tuple[int], tuple[int]]:
    return (x.numel() // columns,), (_THREADS,)


def _channels(images: int, channels: int, *_: object) -> tuple[tuple[int], tuple[int]]:
    del images
    return (channels,), (_THREADS,)


def _outputs(*args: Any) -> tuple[tuple[int], tuple[int]]:
    """A thread for each element of the last argument."""
    return _elements(args[-1].numel())


def _pixels(channels: int, _: int, __: int, height: int, width: int, *___: object) -> Any:
    return _elements(channels * height * width)


def _elements_of_two(rows: int, columns: int, *_: object) -> tuple[tuple[int], tuple[int]]:
    return _elements(rows * columns)


def _tiles(m: int, n: int, *_: object) -> tuple[tuple[int, int], tuple[int, int]]:
    return ((n + 15) // 16, (m + 15) // 16), (16, 16)


def mul(x: Tensor, y: Tensor) -> Tensor:
    """`x * y` of at most four axes, broadcast."""
    shape = torch.broadcast_shapes(x.shape, y.shape)
    sizes = (1,) * (4 - len(shape)) + tuple(shape)
    strides = [_strides(one, shape) for one in (x, y)]
    z = x.new_empty(shape)
    call = operator("pointwise", "mul_broadcast", "(z)/(x, y)", _elements, x.dtype)
    return call(z.numel(), *sizes[1:], *strides[0], *strides[1], x, y, z)


def _strides(x: Tensor, shape: Sequence[int]) -> tuple[int, ...]:
    own = x.expand(shape).stride()
    return (0,) * (4 - len(own)) + tuple(own)


def gelu(x: Tensor) -> Tensor:
    """As `torch.nn.functional.gelu`."""
    call = operator("pointwise", "gelu", "(y)/(x)", _elements, x.dtype)
    return call(x.numel(), x, torch.empty_like(x))


def silu(x: Tensor) -> Tensor:
    """As `torch.nn.functional.silu`."""
    call = operator("pointwise", "silu", "(y)/(x)", _elements, x.dtype)
    return call(x.numel(), x, torch.empty_like(x))


def bias_relu(x: Tensor, bias: Tensor) -> Tensor:
    """`relu(x + bias)` of a matrix."""
    call = operator("pointwise", "bias_relu", "(y)/(x, bias)", _elements_of_two, x.dtype)
    return call(*x.shape, x, bias, torch.empty_like(x))


def dropout(x: Tensor, p: float, seed: int) -> Tensor:
    """Dropout whose mask is a function of the seed."""
    call = operator("pointwise", "dropout", "(y)/(x)", _elements, x.dtype)
    return call(x.numel(), seed, p, x, torch.empty_like(x))


def layer_norm(x: Tensor, weight: Tensor, bias: Tensor, eps: float = 1e-5) -> Tensor:
    """As `torch.nn.functional.layer_norm` over the last axis."""
    call = operator("rows", "layer_norm", "(y)/(x, weight, bias)", _rows_of_third, x.dtype)
    return call(x.shape[-1], eps, x, weight, bias, torch.empty_like(x))


def softmax(x: Tensor) -> Tensor:
    """Softmax over the last axis."""
    call = operator("rows", "softmax", "(y)/(x)", _rows_of_second, x.dtype)
    return call(x.shape[-1], x, torch.empty_like(x))


def cross_entropy(x: Tensor, target: Tensor) -> Tensor:
    """As `torch.nn.functional.cross_entropy` without reduction."""
    call = operator("rows", "cross_entropy", "(loss)/(x)", _rows_of_second, x.dtype)
    return call(x.shape[1], x, target, x.new_empty(x.shape[0]))


def batch_norm(x: Tensor, weight: Tensor, bias: Tensor, eps: float = 1e-5) -> Tensor:
    """As `torch.nn.functional.batch_norm` in training, without running statistics."""
    images, channels, *rest = x.shape
    pixels = x[0, 0].numel() if rest else 1
    call = operator("rows", "batch_norm", "(y)/(x, weight, bias)", _channels, x.dtype)
    return call(images, channels, pixels, eps, x, weight, bias, torch.empty_like(x))


def _rows_of_result(*args: Any) -> tuple[tuple[int], tuple[int]]:
    return (args[1].numel(),), (_THREADS,)


def embedding(indices: Tensor, table: Tensor) -> Tensor:
    """As `torch.nn.functional.embedding`."""
    y = table.new_empty((*indices.shape, table.shape[1]))
    call = operator("rows", "embedding", "(y)/(table)", _rows_of_result, table.dtype)
    return call(table.shape[1], indices, table, y)


def max_pool2d(x: Tensor, size: int, stride: int) -> Tensor:
    """As `torch.nn.functional.max_pool2d`."""
    return _pool("max_pool", x, size, stride)


def avg_pool2d(x: Tensor, size: int, stride: int) -> Tensor:
    """As `torch.nn.functional.avg_pool2d`."""
    return _pool("avg_pool", x, size, stride)


def _pool(kernel: str, x: Tensor, size: int, stride: int) -> Tensor:
    *planes, height, width = x.shape
    rows, columns = ((one - size) // stride + 1 for one in (height, width))
    y = x.new_empty((*planes, rows, columns))
    call = operator("images", kernel, "(y)/(x)", _outputs, x.dtype)
    count = y.numel() // (rows * columns)
    return call(count, height, width, rows, columns, size, stride, x, y)


def im2col(x: Tensor, size: int, padding: int = 0, stride: int = 1) -> Tensor:
    """As `torch.nn.functional.unfold`, of one image."""
    channels, height, width = x.shape
    rows, columns = ((one + 2 * padding - size) // stride + 1 for one in (height, width))
    y = x.new_empty(channels * size * size, rows * columns)
    call = operator("images", "im2col", "(columns)/(x)", _pixels, x.dtype)
    return call(channels, height, width, rows, columns, size, padding, stride, x, y)


def conv2d(x: Tensor, weight: Tensor, bias: Tensor, padding: int = 0, stride: int = 1) -> Tensor:
    """As `torch.nn.functional.conv2d`, of square filters."""
    images, channels, height, width = x.shape
    filters, size = weight.shape[0], weight.shape[-1]
    rows, columns = ((one + 2 * padding - size) // stride + 1 for one in (height, width))
    y = x.new_empty(images, filters, rows, columns)
    sizes = (images, channels, height, width, filters, rows, columns, size, padding, stride)
    call = operator("images", "conv2d", "(y)/(x, weight, bias)", _outputs, x.dtype)
    return call(*sizes, x, weight, bias, y)


def matmul(a: Tensor, b: Tensor) -> Tensor:
    """The product of two matrices."""
    (m, k), n = a.shape, b.shape[1]
    call = operator("matrices", "matmul", "(c)/(a, b)", _tiles, a.dtype)
    return call(m, n, k, a, b, a.new_empty(m, n))


def attention(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """As `torch.nn.functional.scaled_dot_product_attention` of (heads, length, width)."""
    heads, length, width = query.shape
    call = operator(
        "matrices", "attention", "(y)/(query, key, value)", _elements_of_two, query.dtype
    )
    y = torch.empty_like(query)
    return call(heads, length, width, width**-0.5, query, key, value, y)


def sgd_(x: Tensor, gradient: Tensor, velocity: Tensor, rate: float, momentum: float) -> None:
    """A step of `torch.optim.SGD`, in place."""
    call = operator("optimisers", "sgd", "", _elements, x.dtype)
    call.inplace(x.numel(), rate, momentum, gradient, velocity, x)


def adam_(
    x: Tensor, gradient: Tensor, mean: Tensor, square: Tensor, step: int, rate: float = 1e-3
) -> None:
    """A step of `torch.optim.Adam`, in place; steps count from one."""
    first, second = 0.9, 0.999
    call = operator("optimisers", "adam", "", _elements, x.dtype)
    corrections = 1 - first**step, 1 - second**step
    rates = (rate, first, second, 1e-8, *corrections)
    call.inplace(x.numel(), *rates, gradient, mean, square, x)
