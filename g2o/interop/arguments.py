"""Arguments of a kernel: what it takes, and Python values as what it takes."""

from __future__ import annotations

import ctypes
import math
import operator
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast, final

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Converter = Callable[[Any], Any]
Sizes = Sequence[int] | int

_NAMES: Final = {"i": "int", "u": "uint", "f": "float", "b": "bool"}
_CODES: Final = {
    **{("i", 1): "b", ("i", 2): "h", ("i", 4): "i", ("i", 8): "q", ("b", 1): "?"},
    **{("u", 1): "B", ("u", 2): "H", ("u", 4): "I", ("u", 8): "Q"},
    **{("f", 2): "e", ("f", 4): "f", ("f", 8): "d", ("h", 2): "H"},
}
_OPAQUE: Final = "VS"
_LARGEST: Final = {2: 65520.0, 4: 3.4028235677973366e38}
_MOST: Final = 1 << 31


class _Type(ctypes.Structure):
    """`g2o_raw_kernel::Type`."""

    _fields_ = [
        ("kind", ctypes.c_char),
        ("element", ctypes.c_char),
        ("component", ctypes.c_char),
        ("is_const", ctypes.c_bool),
        ("size", ctypes.c_size_t),
        ("element_size", ctypes.c_size_t),
        ("component_size", ctypes.c_size_t),
        ("alignment", ctypes.c_size_t),
    ]


@final
@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a kernel.

    `kind` is p (pointer), i, u, f, b (signed, unsigned, floating, boolean), h (bfloat16), c
    (complex) or s (anything else); `element` that of what a pointer points to, v where it is void,
    `component` that of the numbers in a vector type. `is_const`: what it points to. Sizes, and the
    `alignment` of what it points to, are in bytes.
    """

    kind: str
    element: str
    component: str
    is_const: bool
    size: int
    element_size: int
    component_size: int
    alignment: int

    @property
    def is_pointer(self) -> bool:
        """Does it take an array?"""
        return self.kind == "p"

    @property
    def dtype(self) -> np.dtype[Any]:
        """What numpy calls the numbers that it is, or leads to; bytes where it has no name, and the
        bits of a bfloat16."""
        if self.component == "h":
            return np.dtype("u2")
        if self.component in _NAMES and self.component_size <= 16:
            return np.dtype(f"{self.component}{self.component_size}")
        return np.dtype(f"V{self.component_size or 1}")


class _Variable(ctypes.Structure):
    """`g2o_raw_kernel::Variable`."""

    _fields_ = [
        ("type", _Type),
        ("extents", ctypes.c_size_t * 4),
        ("address", ctypes.c_void_p),
    ]


def read_variable(describe: Callable[..., None]) -> Array:
    """The variable that a function of a library describes, as an array where it lies."""
    found = _Variable()
    describe(ctypes.byref(found))
    parameter = _parameter(found.type)
    extents = [one for one in found.extents if one]
    size = parameter.element_size * math.prod(extents)
    memory = memoryview((ctypes.c_char * size).from_address(found.address))
    numbers = parameter.element_size // parameter.component_size
    array: Array = np.frombuffer(memory, parameter.dtype)
    array.flags.writeable = not parameter.is_const
    return array.reshape((*extents, numbers) if numbers > 1 else extents)


def read_parameters(describe: Callable[..., int]) -> tuple[Parameter, ...]:
    """What the kernel takes that a function of a library describes."""
    count = int(describe(None))
    types = (_Type * max(1, count))()
    describe(types)
    return tuple(map(_parameter, types[:count]))


def _parameter(read: _Type) -> Parameter:
    return Parameter(
        read.kind.decode(),
        read.element.decode(),
        read.component.decode(),
        read.is_const,
        read.size,
        read.element_size,
        read.component_size,
        read.alignment,
    )


Pointers = Callable[[str, Parameter], Converter]


@final
class Packer:
    """Arguments as the block of bytes that a library's functions take.

    The caller keeps the arguments until the kernel has finished.
    """

    def __init__(
        self, name: str, parameters: Sequence[Parameter], pointers: Pointers, takes_shared: bool
    ) -> None:
        """`pointers` makes the converter of a parameter that is a pointer, from what messages call
        it and from the parameter; `takes_shared`: has the kernel `extern __shared__` memory?"""
        self._name = name
        self._takes_shared = takes_shared
        self._converters = tuple(
            _converter(f"argument {index} of {name}", parameter, pointers)
            for index, parameter in enumerate(parameters, start=1)
        )
        self._layout = struct.Struct("=6IQ" + "".join(map(_layout, parameters)))

    def __call__(
        self,
        grid: Sizes,
        block: Sizes,
        shared: int,
        values: Sequence[object],
    ) -> bytes:
        """Raises TypeError and ValueError for what does not fit."""
        if len(values) != len(self._converters):
            count = len(self._converters)
            raise TypeError(f"{self._name} takes {count} arguments, not {len(values)}")
        converted = [
            convert(value) for convert, value in zip(self._converters, values, strict=True)
        ]
        sizes = (*launch_sizes(grid, "grid"), *launch_sizes(block, "block"))
        if shared < 0:
            raise ValueError(f"shared memory of {shared} bytes")
        if self._takes_shared and not shared:
            message = "has extern __shared__ memory: its launch has to say how many bytes"
            raise ValueError(f"{self._name} {message} (shared_mem=)")
        return self._layout.pack(*sizes, shared, *converted)


def launch_sizes(sizes: Sizes, what: str) -> tuple[int, int, int]:
    """The three sizes of a grid or block. Raises TypeError and ValueError for what is none."""
    given: tuple[Any, ...]
    if type(sizes) is tuple:  # as nearly all are; the question below takes a microsecond
        given = cast("tuple[Any, ...]", sizes)
    else:
        given = tuple(sizes) if isinstance(sizes, Sequence) else (sizes,)
    count = len(given)
    if not 1 <= count <= 3:
        raise TypeError(f"{what} has {count} sizes; expected one to three")
    try:
        x = operator.index(given[0])
        y = operator.index(given[1]) if count > 1 else 1
        z = operator.index(given[2]) if count > 2 else 1
    except TypeError as fault:
        raise TypeError(f"{what} is {given}; expected integers") from fault
    if not (0 < x < _MOST and 0 < y < _MOST and 0 < z < _MOST):
        raise ValueError(f"{what} is {given}; a launch has at least one thread, below 2^31 an axis")
    return x, y, z


def _layout(parameter: Parameter) -> str:
    code = "Q" if parameter.is_pointer else _CODES.get((parameter.kind, parameter.size))
    padding = -parameter.size % 8
    return f"{code or f'{parameter.size}s'}{f'{padding}x' if padding else ''}"


def _converter(what: str, parameter: Parameter, pointers: Pointers) -> Converter:
    if parameter.is_pointer:
        return pointers(what, parameter)
    if (parameter.kind, parameter.size) not in _CODES:
        return _bytes_of(what, parameter)
    if parameter.kind == "h":
        return _brain_of(what, parameter)
    return _real_of(what, parameter) if parameter.kind == "f" else _integer_of(what, parameter)


def _brain_of(what: str, parameter: Parameter) -> Converter:
    """The bits of a bfloat16: the upper half of a float, rounded to nearest even."""
    real = _real_of(what, replace(parameter, kind="f", size=4))

    def convert(value: Any) -> int:
        number = real(value)
        bits = int(np.float32(number).view(np.uint32))
        return 0x7FFF if number != number else (bits + 0x7FFF + (bits >> 16 & 1)) >> 16

    return convert


def _real_of(what: str, parameter: Parameter) -> Converter:
    largest = _LARGEST.get(parameter.size, float("inf"))

    def convert(value: Any) -> float:
        if isinstance(value, (str, bytes, complex)) or not hasattr(value, "__float__"):
            raise TypeError(f"{what} is a {type(value).__name__}; expected a number")
        try:
            number = float(value)
        except (TypeError, ValueError, RuntimeError, OverflowError) as fault:
            raise TypeError(f"{what} is no number: {fault}") from fault
        if largest <= abs(number) < float("inf"):
            raise TypeError(f"{what} is {number}, too large for float{8 * parameter.size}")
        return number

    return convert


def _integer_of(what: str, parameter: Parameter) -> Converter:
    bits = 8 * parameter.size
    low, high = (-1 << bits - 1, 1 << bits - 1) if parameter.kind == "i" else (0, 1 << bits)
    if parameter.kind == "b":
        high = 2

    def convert(value: Any) -> int:
        try:
            number = operator.index(value)
        except TypeError:
            if not isinstance(value, np.bool_):
                kind = "an integer" if hasattr(value, "__float__") else "a number"
                shown = value if kind == "an integer" else f"a {type(value).__name__}"
                raise TypeError(f"{what} is {shown}; expected {kind}") from None
            number = int(bool(cast("Any", value)))
        if not low <= number < high:
            name = f"{_NAMES[parameter.kind]}{bits}"
            raise TypeError(f"{what} is {number}, too large for {name}")
        return number

    return convert


def _bytes_of(what: str, parameter: Parameter) -> Converter:
    """The bytes of a struct, a vector or a complex number."""
    dtype = parameter.dtype

    def convert(value: Any) -> bytes:
        array: Array = np.ascontiguousarray(value)
        if parameter.kind == "c" and array.size == 1 and array.dtype.kind in "iufcb":
            array = array.astype(f"c{parameter.size}")
        if array.nbytes != parameter.size or array.dtype.kind == "O":
            raise TypeError(f"{what} has {array.nbytes} bytes; expected {parameter.size}")
        if not _holds(array, dtype):
            expected = f"{parameter.size // dtype.itemsize} numbers of {dtype}"
            raise TypeError(f"{what} is of {array.dtype}; expected {expected}")
        return array.tobytes()

    return convert


def _holds(array: Array, dtype: np.dtype[Any]) -> bool:
    """May these be numbers of that type: are they, in complex numbers, or of a type that numpy does
    not know?"""
    kind, size = array.dtype.kind, array.dtype.itemsize
    if not array.dtype.isnative:
        return False
    if kind == "c":
        return dtype.kind == "V" or (dtype.kind, 2 * dtype.itemsize) == ("f", size)
    return array.dtype == dtype or kind in _OPAQUE or dtype.kind == "V"


def array_of(what: str, parameter: Parameter) -> Converter:
    """What takes the address of an array: numpy's, or one that says where it lies by
    `__array_interface__` or DLPack."""
    dtype = parameter.dtype
    is_opaque = parameter.component not in _NAMES and dtype.kind == "V"
    kind, unit = dtype.kind.encode(), parameter.component_size
    size, alignment, is_const = parameter.element_size, parameter.alignment, parameter.is_const
    numbers = size // unit if unit else 1
    needed = _C_CONTIGUOUS | _NATIVE | (0 if is_const else _WRITEABLE)

    def convert(value: Any) -> int:
        if not isinstance(value, np.ndarray):
            if value is None:
                return 0
            if hasattr(value, "__index__") and not hasattr(value, "__dlpack__"):
                return operator.index(value)
            value = _imported(what, value)
        found = _Interface.from_address(_pointer_of(value.__array_struct__, None))
        address = found.data or 0
        if found.kind == kind and found.itemsize == unit and found.flags & needed == needed:
            is_whole = numbers == 1 or not value.size % numbers
            if is_whole and not address % alignment:
                return address
        _refuse(cast("Array", value))
        if address % alignment:
            raise ValueError(f"{what} does not begin at a multiple of {alignment} bytes")
        return address

    def _refuse(array: Array) -> None:
        """Raise for what does not fit, but for where it begins."""
        if not array.flags.writeable and not is_const:
            raise ValueError(f"{what} is a read-only array, and the kernel may write to it")
        if not array.flags.c_contiguous:
            raise TypeError(f"{what} is not contiguous: pass numpy.ascontiguousarray of it")
        if not _holds(array, dtype) or (size and array.nbytes % size):
            raise TypeError(f"{what} is an array of {array.dtype}; expected {_expected()}")

    def _expected() -> str:
        if parameter.component == "h":
            return "bfloat16, or its bits as uint16"
        if is_opaque:
            return f"struct of {8 * size}"
        return str(dtype) + (f", {numbers} for each element" if numbers > 1 else "")

    return convert


class _Interface(ctypes.Structure):
    """What numpy's `__array_struct__` points to."""

    _fields_ = [
        ("two", ctypes.c_int),
        ("dimensions", ctypes.c_int),
        ("kind", ctypes.c_char),
        ("itemsize", ctypes.c_int),
        ("flags", ctypes.c_int),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("data", ctypes.c_void_p),
    ]


_C_CONTIGUOUS: Final = 0x1
_NATIVE: Final = 0x200
_WRITEABLE: Final = 0x400

_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype = ctypes.c_void_p
_pointer_of.argtypes = (ctypes.py_object, ctypes.c_char_p)


def _imported(what: str, value: Any) -> Array:
    """An array of another library, where it lies."""
    try:
        if hasattr(value, "__array_interface__"):
            return np.asarray(value)
        if hasattr(value, "__dlpack__"):
            return np.from_dlpack(value)
    except (BufferError, RuntimeError, TypeError, ValueError) as fault:
        raise TypeError(f"{what} cannot be used where it lies: {fault}") from fault
    raise TypeError(f"{what} is a {type(value).__name__}; expected a numpy array or None")
