"""What can be named at a place of a C function that is being written."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Final, final

N: Final = 36
M: Final = 6
EXTENTS: Final = {N: "n", N // 2: "(n / 2)", M: "M", 3: "3", 1: "1"}
"""How programs write the sizes of arrays."""

Place = str | tuple[str, str]
"""An element by its number, or by row and column; no column: any of the row."""


class Role(Enum):
    """What the code that is being written may do with an array."""

    FREE = auto()
    OWN = auto()  # this iteration has the elements `own` for itself
    BESIDE = auto()  # it reads the elements `own`, which other iterations do not change
    READ = auto()
    ADDED = auto()  # iterations add to it, and nothing else


@final
@dataclass(frozen=True, slots=True)
class Array:
    """An array of real numbers; those of parameters that are `constant` are only read."""

    name: str
    size: int
    real: str
    role: Role = Role.FREE
    own: Place = ""
    has_rows: bool = False
    member: str = ""
    """The array is one of structures, of which this is a number."""
    is_local: bool = False
    """It belongs to the iteration, or to the function alone."""

    def at(self, place: Place) -> str:
        """The element as an expression."""
        if self.size == 1:
            return f"(*{self.name})"
        if self.member:
            return f"{replace(self, member='').at(place)}.{self.member}"
        if isinstance(place, tuple):
            row, column = place
            return f"{self.name}[{row}][{column}]" if self.has_rows else self._flat(row, column)
        if not self.has_rows:
            return f"{self.name}[{place}]"
        place = place if place.isalnum() else f"({place})"
        return f"{self.name}[{place} / M][{place} % M]"

    def _flat(self, row: str, column: str) -> str:
        row = row if row.isalnum() else f"({row})"
        return f"{self.name}[M * {row} + {column}]"


@final
@dataclass(frozen=True, slots=True)
class Index:
    """A number of at least `low` and below `high`."""

    name: str
    low: int
    high: int


@final
@dataclass(frozen=True, slots=True)
class Sum:
    """What iterations combine in a variable of all: `target op= value`, in that manner."""

    target: str
    op: str  # + - * min max
    manner: str  # reduction, atomic, critical
    guard: str = ""
    """The pragma that stands in front of each."""


@final
@dataclass(slots=True)
class Scope:
    """Variables that can be named. `values` are changed, `shared` are read."""

    values: list[str] = field(default_factory=list[str])
    shared: list[str] = field(default_factory=list[str])
    counts: list[str] = field(default_factory=list[str])
    changing: list[str] = field(default_factory=list[str])
    indices: list[Index] = field(default_factory=list[Index])
    pairs: list[tuple[Index, Index]] = field(default_factory=list[tuple[Index, Index]])
    arrays: list[Array] = field(default_factory=list[Array])
    structures: list[str] = field(default_factory=list[str])
    sums: list[Sum] = field(default_factory=list[Sum])

    def copy(self) -> Scope:
        return deepcopy(self)

    def arrays_named(self, *, has_rows: bool | None = None) -> list[Array]:
        """Arrays of N numbers, one after the other, and nothing else."""
        plain = [one for one in self.arrays if one.size == N and not one.member]
        return [one for one in plain if has_rows is None or one.has_rows is has_rows]

    def writable(self) -> list[Array]:
        return [one for one in self.arrays if one.role in (Role.FREE, Role.OWN)]

    def readable(self) -> list[Array]:
        return [one for one in self.arrays if one.role is not Role.ADDED]
