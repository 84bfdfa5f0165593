"""A function of a library as Python calls it: a kernel, or a derivative with its shadows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, final

import numpy as np

from g2o.interop.arguments import Array, Packer, Sizes, array_of
from g2o.interop.library import Function

_OUT_OF_MEMORY: Final = 1


@final
class KernelFunction:
    """A function of a library, called on arrays.

    `owners` are the positions of the kernel's parameters that it has shadows for, in the order of
    these.
    """

    def __init__(self, function: Function) -> None:
        self._function = function
        self._call = function.call
        self._packer = Packer(
            function.entry.kernel,
            function.parameters,
            array_of,
            function.signature.takes_shared_bytes,
        )
        self.name = function.entry.kernel
        self.parameters = function.parameters
        self.names = function.signature.names
        self.owners = tuple(self.names.index(one) for one in function.signature.shadows)

    def __call__(self, grid: Sizes, block: Sizes, args: Sequence[object], shared_mem: int) -> None:
        """Raises TypeError and ValueError for what does not fit, before anything runs."""
        frame = self._packer(grid, block, shared_mem, args)
        if self.owners:
            self._refuse_overlaps(args)
        run(self._function, frame)

    def may_write(self, position: int) -> bool:
        """May the kernel write to what this parameter leads to?"""
        parameter = self.parameters[position]
        return parameter.is_pointer and not parameter.is_const

    def new_shadows(self, args: Sequence[object]) -> list[Array]:
        """A zero shadow for each parameter that has one: as large as the array, or one number."""
        if len(args) != len(self.names):
            raise TypeError(f"{self.name} takes {len(self.names)} arguments, not {len(args)}")
        made: list[Array] = []
        for owner in self.owners:
            parameter, value = self.parameters[owner], args[owner]
            if not parameter.is_pointer:
                count = parameter.size // max(1, parameter.component_size)
                made.append(np.zeros(count, parameter.dtype))
                continue
            if isinstance(value, (int, np.integer)) or value is None:
                message = f"{self._what(owner)} is no array: its shadow has to be given"
                raise TypeError(message)
            made.append(np.zeros_like(as_array(value)))
        return made

    def fill(self, shadows: Sequence[Array], values: Sequence[object], what: str) -> None:
        """Copy what was given into shadows. Raises TypeError and ValueError."""
        if len(values) != len(shadows):
            raise TypeError(f"{self.name} takes {len(shadows)} {what}, not {len(values)}")
        for index, (shadow, value) in enumerate(zip(shadows, values, strict=True), start=1):
            given = as_array(value)
            if given.size != shadow.size:
                message = f"{what} {index} of {self.name} has {given.size} numbers"
                raise ValueError(f"{message}; expected {shadow.size}")
            shadow.reshape(-1)[...] = given.reshape(-1)

    def with_values(self, args: Sequence[object], shadows: Sequence[object]) -> list[object]:
        """`shadows`, with scratch for those of values where only those of pointers are given."""
        if len(args) != len(self.names):
            raise TypeError(f"{self.name} takes {len(self.names)} arguments, not {len(args)}")
        if len(shadows) == len(self.owners):
            return list(shadows)
        is_pointer = [self.parameters[owner].is_pointer for owner in self.owners]
        if len(shadows) != sum(is_pointer):
            expected = f"{len(self.owners)} shadows, or {sum(is_pointer)} without those of values"
            raise TypeError(f"{self.name}.grad takes {expected}, not {len(shadows)}")
        rest = iter(shadows)
        return [
            next(rest) if pointer else np.zeros(self.parameters[owner].size, np.uint8).view("V1")
            for owner, pointer in zip(self.owners, is_pointer, strict=True)
        ]

    def _refuse_overlaps(self, args: Sequence[object]) -> None:
        """Shadows are as large as what they belong to, and share memory with nothing else."""
        count = len(self.names)
        places: list[tuple[int, int, str]] = []
        for position, value in enumerate(args):
            if value is None or not self.parameters[position].is_pointer:
                continue
            if isinstance(value, (int, np.integer)):
                continue  # an address: its owner knows how much there is
            array = as_array(value)
            if position >= count:
                self._refuse_size(position, args, array)
            elif position not in self.owners:
                continue
            begin = array.ctypes.data
            places.append((begin, begin + array.nbytes, self._what(position)))
        places = sorted(one for one in places if one[0] != one[1])
        for (_, end, what), (begin, _, other) in zip(places, places[1:], strict=False):
            if begin < end:
                raise ValueError(f"{what} and {other} overlap: differentiated arrays may not")

    def _refuse_size(self, position: int, args: Sequence[object], shadow: Array) -> None:
        owner = self.owners[(position - len(self.names)) % len(self.owners)]
        parameter, value = self.parameters[owner], args[owner]
        if not parameter.is_pointer:
            expected = parameter.size
        elif value is None or isinstance(value, (int, np.integer)):
            return
        else:
            expected = as_array(value).nbytes
        if shadow.nbytes != expected:
            message = f"{self._what(position)} has {shadow.nbytes} bytes"
            raise ValueError(f"{message}; expected {expected}, as many as {self._what(owner)}")

    def _what(self, position: int) -> str:
        count = len(self.names)
        if position < count:
            return f"argument {position + 1} of {self.name}"
        return f"shadow {position - count + 1} of {self.name}"


def as_array(value: Any) -> Array:
    """An array where it lies, of any library; a new one of what is none."""
    if hasattr(value, "__array_interface__") or not hasattr(value, "__dlpack__"):
        return np.asarray(value)
    return np.from_dlpack(value)


def run(function: Function, frame: bytes) -> None:
    """Call a function of a library. Raises MemoryError, and ValueError where what it asserts of a
    launch does not hold."""
    status = function.call(frame)
    if status == _OUT_OF_MEMORY:
        raise MemoryError(f"{function.entry.spelled} is out of memory")
    if status:
        said = function.message().decode("utf-8", "replace")
        message = f"{function.entry.spelled} cannot run so: it expects {said}"
        raise ValueError(message)
