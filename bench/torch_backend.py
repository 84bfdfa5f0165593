#!/usr/bin/env python3
"""Operators of examples/torch_backend beside PyTorch's own: microseconds, forward and backward.

    make test-torch                                      # installs PyTorch
    .venv/bin/python bench/torch_backend.py [NAME...] [--threads N] [--rounds N]

Both take turns; medians of the rounds are shown, and how many times faster ours is. `bias_relu` is
two operators there.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

torch: Any = import_module("torch")
functional: Any = torch.nn.functional
ops: Any = import_module("examples.torch_backend.operators")


def _numbers(*sizes: int) -> Any:
    return torch.randn(sizes, requires_grad=True)


def _bias_relu(x: Any, bias: Any) -> Any:
    return (x + bias).relu()


def _softmax(x: Any) -> Any:
    return x.softmax(-1)


def _attention(query: Any, key: Any, value: Any) -> Any:
    return functional.scaled_dot_product_attention(query, key, value)


def _batch_norm(x: Any, weight: Any, bias: Any) -> Any:
    return functional.batch_norm(x, None, None, weight, bias, training=True)


def _layer_norm(x: Any, weight: Any, bias: Any) -> Any:
    return functional.layer_norm(x, x.shape[-1:], weight, bias)


def _cross_entropy(x: Any, target: Any) -> Any:
    return functional.cross_entropy(x, target, reduction="none")


def _unfold(x: Any, size: int, padding: int) -> Any:
    return functional.unfold(x[None], size, padding=padding)[0]


def _conv2d(x: Any, weight: Any, bias: Any, padding: int) -> Any:
    return functional.conv2d(x, weight, bias, padding=padding)


Pair = tuple[Callable[..., Any], Callable[..., Any], Callable[[], tuple[Any, ...]]]

PAIRS: Final[dict[str, Pair]] = {
    "mul": (ops.mul, torch.mul, lambda: (_numbers(64, 1, 256), _numbers(128, 1))),
    "gelu": (ops.gelu, functional.gelu, lambda: (_numbers(2048, 512),)),
    "silu": (ops.silu, functional.silu, lambda: (_numbers(2048, 512),)),
    "bias_relu": (
        ops.bias_relu,
        _bias_relu,
        lambda: (_numbers(2048, 512), _numbers(512)),
    ),
    "layer_norm": (
        ops.layer_norm,
        _layer_norm,
        lambda: (_numbers(2048, 512), _numbers(512), _numbers(512)),
    ),
    "softmax": (ops.softmax, _softmax, lambda: (_numbers(2048, 512),)),
    "cross_entropy": (
        ops.cross_entropy,
        _cross_entropy,
        lambda: (_numbers(1024, 1000), torch.randint(1000, (1024,))),
    ),
    "batch_norm": (
        ops.batch_norm,
        _batch_norm,
        lambda: (_numbers(16, 64, 28, 28), _numbers(64), _numbers(64)),
    ),
    "embedding": (
        ops.embedding,
        functional.embedding,
        lambda: (torch.randint(10000, (4096,)), _numbers(10000, 128)),
    ),
    "max_pool2d": (ops.max_pool2d, functional.max_pool2d, lambda: (_numbers(16, 64, 56, 56), 2, 2)),
    "avg_pool2d": (ops.avg_pool2d, functional.avg_pool2d, lambda: (_numbers(16, 64, 56, 56), 2, 2)),
    "im2col": (ops.im2col, _unfold, lambda: (_numbers(64, 56, 56), 3, 1)),
    "conv2d": (
        ops.conv2d,
        _conv2d,
        lambda: (_numbers(4, 32, 28, 28), _numbers(32, 32, 3, 3), _numbers(32), 1),
    ),
    "matmul": (ops.matmul, torch.matmul, lambda: (_numbers(256, 256), _numbers(256, 256))),
    "attention": (ops.attention, _attention, lambda: tuple(_numbers(8, 128, 64) for _ in "qkv")),
}


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(PAIRS))
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    head = f" {'ours':>9} {'PyTorch':>9} {'times':>6}  "
    print(f"{'':<14}{head}{head}".rstrip())
    ratios: list[list[float]] = [[], []]
    for name in options.names or PAIRS:
        *functions, arguments = PAIRS[name]
        args = arguments()
        torch.testing.assert_close(functions[0](*args), functions[1](*args), rtol=1e-3, atol=1e-4)
        line = f"{name:<14}"
        for kind, timed in enumerate((_forward, _backward)):
            ours, theirs = _medians(functions, args, timed, options.rounds)
            ratios[kind].append(theirs / ours)
            line += f" {ours * 1e6:>9.0f} {theirs * 1e6:>9.0f} {theirs / ours:>6.2f}  "
        print(line.rstrip(), flush=True)
    forward, backward = (statistics.geometric_mean(one) for one in ratios)
    print(f"geometric mean: forward {forward:.2f}, backward {backward:.2f}")


def _medians(
    functions: list[Any], args: tuple[Any, ...], timed: Callable[..., float], rounds: int
) -> tuple[float, float]:
    times = [[timed(one, args) for one in functions] for _ in range(rounds + 2)][2:]
    ours, theirs = (statistics.median(one) for one in zip(*times, strict=True))
    return ours, theirs


def _forward(function: Any, args: tuple[Any, ...]) -> float:
    with torch.no_grad():
        begin = time.perf_counter()
        function(*args)
        return time.perf_counter() - begin


def _backward(function: Any, args: tuple[Any, ...]) -> float:
    active = [one for one in args if torch.is_tensor(one) and one.requires_grad]
    made = function(*args)
    seed = torch.ones_like(made)
    begin = time.perf_counter()
    torch.autograd.grad(made, active, seed)
    return time.perf_counter() - begin


if __name__ == "__main__":
    main()
