"""Tensors as a library's functions take them, and what all operators of PyTorch need."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, final

from g2o.interop.arguments import Packer, Parameter
from g2o.interop.kernel_function import run
from g2o.interop.library import Function
from g2o.interop.torch_library import torch

Tensor = Any

DTYPES: Final = {
    **{("f", 2): torch.float16, ("f", 4): torch.float32, ("f", 8): torch.float64},
    **{("h", 2): torch.bfloat16, ("b", 1): torch.bool},
    **{("i", 1): torch.int8, ("i", 2): torch.int16, ("i", 4): torch.int32, ("i", 8): torch.int64},
    **{("u", 1): torch.uint8, ("u", 2): torch.uint16, ("u", 4): torch.uint32},
    ("u", 8): torch.uint64,
}


COMPLEX: Final = {torch.float32: torch.complex64, torch.float64: torch.complex128}


@final
class TensorCaller:
    """A function of a library, called on tensors."""

    def __init__(self, function: Function) -> None:
        self._function = function
        takes_shared = function.signature.takes_shared_bytes
        self._pack = Packer(function.entry.kernel, function.parameters, _address_of, takes_shared)

    def __call__(self, launch: tuple[Any, Any, int], args: Sequence[Any]) -> None:
        run(self._function, self._pack(*launch, args))


def _address_of(what: str, parameter: Parameter) -> Callable[[Any], int]:
    """What takes the address of a tensor."""
    dtype = DTYPES[parameter.component, parameter.component_size]
    numbers = parameter.element_size // parameter.component_size
    alignment = parameter.alignment

    def convert(value: Any) -> int:
        if not torch.is_tensor(value):
            raise TypeError(f"{what} is a {type(value).__name__}; expected a tensor")
        if value.dtype is not dtype and value.dtype is not COMPLEX.get(dtype):
            raise TypeError(f"{what} is a tensor of {value.dtype}; expected {dtype}")
        if value.device.type != "cpu" or value.layout is not torch.strided:
            raise TypeError(f"{what} lies on {value.device} as {value.layout}; expected cpu")
        if not value.is_contiguous() or value.is_neg() or value.is_conj():
            raise ValueError(f"{what} is not contiguous: pass its contiguous()")
        count = value.numel() * (2 if value.is_complex() else 1)
        if numbers > 1 and count % numbers:
            raise ValueError(f"{what} has {count} numbers, {numbers} for each element")
        address = value.data_ptr()
        if address % alignment:
            raise ValueError(f"{what} does not begin at a multiple of {alignment} bytes")
        return address

    return convert


def refuse_overlaps(
    kernel: str, names: Sequence[str], written: Iterable[int], args: Sequence[Any]
) -> None:
    """What is written to shares no memory with another tensor."""
    places = {
        index: (one.data_ptr(), one.data_ptr() + one.numel() * one.element_size())
        for index, one in enumerate(args)
        if torch.is_tensor(one)
    }
    for index in written:
        begin, end = places[index]
        for other, (first, last) in places.items():
            if other != index and first < end and begin < last:
                message = f"'{names[index]}' and '{names[other]}' of {kernel} overlap"
                raise ValueError(f"{message}, and the kernel writes to '{names[index]}'")


def save_inputs(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
    del output
    ctx.save_for_backward(*(one for one in inputs if torch.is_tensor(one)))
    ctx.others = tuple(None if torch.is_tensor(one) else one for one in inputs)
    ctx.are_tensors = tuple(torch.is_tensor(one) for one in inputs)


def saved_inputs(ctx: Any) -> list[Any]:
    tensors = iter(ctx.saved_tensors)
    return [
        next(tensors) if is_tensor else other
        for is_tensor, other in zip(ctx.are_tensors, ctx.others, strict=True)
    ]


def whole(grads: Iterable[Any], like: Iterable[Any]) -> list[Tensor]:
    """Gradients of all outputs: 0 of those that nothing depends on."""
    return [
        torch.zeros_like(one) if grad is None else grad
        for grad, one in zip(grads, like, strict=True)
    ]


def one_by_one(operator: Any, count: int) -> Callable[..., Any]:
    """The rule of vmap: the operator for each of the batch."""

    def batched(info: Any, in_dims: tuple[int | None, ...], *args: Any) -> Any:
        moved = [
            value if axis is None else value.movedim(axis, 0)
            for value, axis in zip(args, in_dims, strict=True)
        ]
        made = [
            all_of(
                operator(
                    *(
                        value if axis is None else value[index].contiguous()
                        for value, axis in zip(moved, in_dims, strict=True)
                    )
                )
            )
            for index in range(info.batch_size)
        ]
        if not made:
            raise ValueError("vmap over a batch of none: an operator of g2o is called for each")
        stacked = tuple(torch.stack(one) for one in zip(*made, strict=True))
        if count == 1:
            return stacked[0], 0
        return stacked, (0,) * count

    return batched


def results_of(count: int) -> str:
    return "Tensor" if count == 1 else f"({', '.join(['Tensor'] * count)})"


def one_or_all(tensors: Iterable[Tensor]) -> Any:
    found = tuple(tensors)
    return found[0] if len(found) == 1 else found


def all_of(made: Any) -> tuple[Tensor, ...]:
    return (made,) if torch.is_tensor(made) else tuple(made)


def overload(name: str) -> Any:
    return getattr(torch.ops.g2o, name.partition("::")[2]).default
