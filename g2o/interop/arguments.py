"""Arguments of a kernel: what it takes, and Python values as what it takes."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, cast, final

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

_NUMPY_KINDS: Final = {"i": "i", "u": "u", "f": "f", "b": "b"}
_SCALARS: Final = (bool, int, float, np.generic)


class _Type(ctypes.Structure):
    """`g2o_raw_kernel::Type`."""

    _fields_ = [
        ("kind", ctypes.c_char),
        ("element", ctypes.c_char),
        ("size", ctypes.c_size_t),
        ("element_size", ctypes.c_size_t),
    ]


@final
@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a kernel.

    `kind` is p (pointer), i, u, f, b (signed, unsigned, floating, boolean) or s (anything else);
    `element` that of what a pointer points to, v where it is void. Sizes are in bytes.
    """

    kind: str
    element: str
    size: int
    element_size: int


def read_parameters(library: ctypes.CDLL) -> tuple[Parameter, ...]:
    """What the kernel in a library takes."""
    describe = library["g2o_raw_kernel_describe"]
    describe.restype = ctypes.c_size_t
    count = int(describe(None))
    types = (_Type * max(1, count))()
    describe(types)
    return tuple(
        Parameter(each.kind.decode(), each.element.decode(), each.size, each.element_size)
        for each in types[:count]
    )


def packed(name: str, parameters: Sequence[Parameter], values: Sequence[object]) -> list[Array]:
    """For each parameter an array that holds the bytes of its argument.

    The caller keeps the list, and the values themselves, until the kernel has finished. Raises
    TypeError for what does not fit.
    """
    if len(parameters) != len(values):
        raise TypeError(f"{name} takes {len(parameters)} arguments, not {len(values)}")
    return [
        _packed(f"argument {index} of {name}", parameter, value)
        for index, (parameter, value) in enumerate(zip(parameters, values, strict=True), start=1)
    ]


def _packed(what: str, parameter: Parameter, value: object) -> Array:
    if parameter.kind == "p":
        return np.array([_address(what, parameter, value)], dtype=np.uintp)
    if parameter.kind == "s":
        return _bytes(what, parameter, value)
    if isinstance(value, np.ndarray):
        array = cast("Array", value)
        value = array[()] if array.ndim == 0 else array
    if not isinstance(value, _SCALARS):
        raise TypeError(f"{what} is a {type(value).__name__}; expected a number")
    dtype = np.dtype(f"{_NUMPY_KINDS[parameter.kind]}{parameter.size}")
    if parameter.kind in "iu" and isinstance(value, (float, np.floating)):
        raise TypeError(f"{what} is {value}; expected an integer")
    try:
        return np.array([value], dtype=dtype)
    except OverflowError as fault:
        raise TypeError(f"{what} is {value}, too large for {dtype}") from fault


def _address(what: str, parameter: Parameter, value: object) -> int:
    """The address that a pointer gets."""
    if value is None:
        return 0
    if isinstance(value, (int, np.integer)):
        return int(cast("int", value))
    if not isinstance(value, np.ndarray):
        raise TypeError(f"{what} is a {type(value).__name__}; expected a numpy array or None")
    array = cast("Array", value)
    if not array.flags.c_contiguous:
        raise TypeError(f"{what} is not contiguous: pass numpy.ascontiguousarray of it")
    element = _NUMPY_KINDS.get(parameter.element)
    fits = array.dtype.itemsize == parameter.element_size and array.dtype.kind == element
    is_opaque = element is None or array.dtype.kind in "cVS"
    sizes_fit = not parameter.element_size or array.nbytes % parameter.element_size == 0
    if not fits and not (is_opaque and sizes_fit):
        bits = 8 * parameter.element_size
        names = {"i": "int", "u": "uint", "f": "float", "b": "bool"}
        expected = f"{names.get(parameter.element, 'struct of ')}{bits}"
        raise TypeError(f"{what} is an array of {array.dtype}; expected {expected}")
    return int(array.ctypes.data)


def _bytes(what: str, parameter: Parameter, value: object) -> Array:
    """The bytes of a struct."""
    array: Array = np.ascontiguousarray(value)
    if array.nbytes != parameter.size or array.dtype.kind == "O":
        raise TypeError(f"{what} has {array.nbytes} bytes; expected {parameter.size}")
    return array.reshape(-1)
