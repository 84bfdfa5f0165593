"""Variables by identity: two symbols of one name are different variables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import count
from typing import final

from g2o.ir.types import CType


class Storage(Enum):
    """Where a variable lives and who sees it."""

    LOCAL = "local"  # one per thread
    PARAMETER = "parameter"  # of the kernel: the same for all threads; each has its own copy
    SHARED = "shared"  # one per block
    DYNAMIC_SHARED = "dynamic shared"  # the `extern __shared__` array
    GLOBAL = "global"  # namespace scope
    BLOCK = "block"  # made by lowering: one per block
    INDEX = "index"  # made by lowering: a loop index


@final
@dataclass(frozen=True, slots=True)
class Symbol:
    """A variable. Ids count per kernel in order of appearance, so output is deterministic.

    `wish` is the name that it would have were others of the kernel not called so; "" for `name`.
    """

    id: int
    name: str = field(compare=False)
    type: CType = field(compare=False, repr=False)
    storage: Storage = field(compare=False, repr=False)
    wish: str = field(default="", compare=False, repr=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Symbol) and self.id == other.id

    def __hash__(self) -> int:
        return self.id  # what analyses spend most of their time on


def numbered(wish: str) -> Iterator[str]:
    """Other names for one that is taken: `x2`, `x3`, ...; `r2_2`, not `r22`, for another `r2`."""
    between = "_" if wish[-1:].isdigit() else ""
    return (f"{wish}{between}{number}" for number in count(2))


@final
class SymbolTable:
    """Hands out symbols with consecutive ids and names that do not collide.

    A table that continues another starts behind its ids and knows its names. Those that the first
    one starts with, of macros and of what the file declares, are free in no scope.
    """

    __slots__ = ("_next_id", "names", "reserved")

    def __init__(
        self, taken: frozenset[str] = frozenset(), continued: SymbolTable | None = None
    ) -> None:
        self._next_id = 0 if continued is None else continued.last_id
        self.names: set[str] = set(taken) | (set() if continued is None else continued.names)
        self.reserved = taken if continued is None else continued.reserved

    @property
    def last_id(self) -> int:
        return self._next_id

    def behind(self, last_id: int) -> SymbolTable:
        """The names of this table, with ids that start behind `last_id`, too."""
        table = SymbolTable(continued=self)
        table._next_id = max(table._next_id, last_id)
        return table

    def adopt(self, other: SymbolTable) -> None:
        """Know the symbols of a table that continues this one, too."""
        self._next_id = max(self._next_id, other._next_id)
        self.names |= other.names

    def declare(self, name: str, ctype: CType, storage: Storage) -> Symbol:
        """A symbol for a variable that the source declares; keeps its name."""
        self._next_id += 1
        self.names.add(name)
        return Symbol(self._next_id, name, ctype, storage)

    def unnamed(self, name: str, ctype: CType, storage: Storage) -> Symbol:
        """A symbol that is not declared anywhere: its name stays free."""
        self._next_id += 1
        return Symbol(self._next_id, name, ctype, storage)

    def fresh(self, wish: str, ctype: CType, storage: Storage) -> Symbol:
        """A symbol with a name of its own: `wish`, or another one where that is taken.

        What is made of a qualified name, `old_a::s`, is `old_a_s`: it is declared here.
        """
        if "::" in wish:
            wish = "_".join(part.rstrip("_") for part in wish.split("::") if part)
        name = wish
        others = numbered(wish)
        while name in self.names:
            name = next(others)
        symbol = self.declare(name, ctype, storage)
        return symbol if wish in self.reserved else replace(symbol, wish=wish)
