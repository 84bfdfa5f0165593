"""Values of random C functions: small, and smooth where nothing chooses between two."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Final, TypeVar, final

from tests.openmp_c.random_c.scope import EXTENTS, Array, M, N, Place, Role, Scope
from tests.reducing import Tree, sequence

T = TypeVar("T")
GIVEN: Final = ("n", "m", "steps")
"""Numbers that functions are given."""


@final
@dataclass(frozen=True, slots=True)
class Callee:
    """A function of the file: what it is given, in order, and whether it gives a number back.

    `given` are "value", "place", "count", "n", "row", "vector", "source", "structure", "k"."""

    name: str
    given: tuple[str, ...]
    has_result: bool
    of_threads: bool = False
    """All threads of a region call it, and it shares out its loops among them."""
    is_serial: bool = True


@final
@dataclass(slots=True)
class Writer:
    """What is known while a function is written."""

    random: Random
    name: str
    is_long: bool = False
    has_floats: bool = False
    scope: Scope = field(default_factory=Scope)
    count: int = 0
    depth: int = 0
    jumps: list[str] = field(default_factory=list[str])
    """What a jump from here may be: break, continue."""
    is_shared_out: bool = False
    """An iteration that OpenMP shares out, or something else of a single thread of several."""
    is_vector: bool = False
    """An iteration of `simd`, in which there are no other constructs."""
    in_region: bool = False
    functions: list[Callee] = field(default_factory=list[Callee])
    reals: dict[str, str] = field(default_factory=dict[str, str])
    """The types of variables that are not double."""
    constructs: set[str] = field(default_factory=set[str])

    # -- choices --------------------------------------------------------------------------------

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def pick(self, *options: T) -> T:
        return self.random.choice(options)

    def one_of(self, options: Sequence[T]) -> T:
        return self.random.choice(options)

    def note(self, construct: str) -> None:
        self.constructs.add(construct)

    def new(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def real(self) -> str:
        return "float" if self.has_floats and self.chance(0.5) else "double"

    @contextmanager
    def inside(self, *, jumps: list[str] | None = None) -> Generator[Scope]:
        """A block; `jumps`: of a loop or a switch."""
        kept, held = self.scope, self.jumps
        self.scope = kept.copy()
        self.depth += 1
        if jumps is not None:
            self.jumps = jumps
        yield self.scope
        self.depth -= 1
        self.scope, self.jumps = kept, held

    def body(self, kinds: Callable[[], Tree], least: int = 1, most: int = 3) -> Tree:
        most = most if self.is_long else max(most - 1, 1)
        return sequence([kinds() for _ in range(self.random.randint(min(least, most), most))])

    # -- places ---------------------------------------------------------------------------------

    def index(self, size: int) -> str:
        """Any number of an element."""
        found = [str(self.random.randrange(min(size, 7)))]
        extent = EXTENTS[size]
        for one in self.scope.indices[-3:]:
            name = one.name
            bare = name if name.isalnum() else f"({name})"
            if one.high <= size:
                found += [name] * 3
                if size == N:
                    found += [f"k[{name}]", f"n - 1 - {bare}", f"({name} + 5) % n"]
            else:
                found += [f"{bare} % {extent}"] * 2
            if one.high <= size and one.low >= 1:
                found += [f"{name} - 1"] * 3
            if one.high < size:
                found += [f"{name} + 1"] * 3
            found += [f"({name} + {self.random.randrange(1, 4)}) % {extent}"]
            if size < N:
                found += [f"k[{name}] % {extent}"] * (one.high <= N)
        known = self.scope.counts[-2:]
        if self.scope.indices:
            known = [one for one in known if one not in GIVEN]
        found += [f"{one} % {extent}" for one in known]
        return self.one_of(found)

    def place(self, array: Array) -> Place:
        """An element to read or, where the array is free, to write."""
        if array.role in (Role.OWN, Role.BESIDE):
            row = array.own[0]
            return (row, self.index(M)) if array.own == (row, "") else array.own
        if array.has_rows and self.scope.pairs and self.chance(0.9):
            row, column = self.one_of(self.scope.pairs)
            if self.chance(0.5):
                return self._beside(row.name, row.low, row.high), column.name
            return row.name, self._beside(column.name, column.low, column.high)
        if array.has_rows and self.chance(0.6):
            return self.index(M), self.index(M)
        return self.index(array.size)

    def _beside(self, name: str, low: int, high: int) -> str:
        found = [name, f"({name} + 1) % M"]
        found += [f"{name} - 1"] * 2 * (low >= 1) + [f"{name} + 1"] * 2 * (high < M)
        return self.one_of(found)

    def element(self, arrays: Sequence[Array]) -> str:
        array = self.one_of(arrays)
        return array.at(self.place(array))

    def target(self) -> str:
        """A place that may be given a value: a number, or an element of an array."""
        arrays = self.scope.writable()
        numbers = self.scope.values
        if arrays and (not numbers or self.chance(0.6)):
            return self.element(arrays)
        return self.one_of(numbers)

    # -- values ---------------------------------------------------------------------------------

    def atom(self) -> Tree:
        kind = self.random.randrange(10)
        scope = self.scope
        readable = scope.readable()
        if kind < 5 and readable:
            return Tree(self.element(readable), others=("0.5",))
        if kind == 5:
            return Tree(self.pick("0.7", "1.1", "0.4"))
        if kind == 6 and scope.counts:
            return Tree(f"0.2 * ({self.some_count()} % 5)", others=("0.5",))
        numbers = [*scope.values, *scope.values, *scope.shared]
        return Tree(self.one_of(numbers) if numbers else "0.6", others=("0.5",))

    def small(self) -> Tree:
        """A value between -1.5 and 1.5 if those that it is made of are."""
        choices = [
            *("sin(@ * @)", "tanh(@ + @)", "cos(@ - @)", "sin(@) * cos(@)", "atan(@ * @)"),
            *("(0.5 * @ + 0.3 * @)", "0.5 * @ * @", "(0.6 * @ - 0.4 * @)", "exp(-@ * @) * 0.8"),
            *("log(2.0 + sin(@ * @))", "sqrt(1.0 + 0.5 * sin(@)) * 0.5 * @", "@ / (2.0 + @ * @)"),
            *("fmin(@, @ + 4.0)", "fmax(@, @ - 4.0)", "0.5 * @ / (2.0 + sin(@))"),
            *("bump(@, 1.5) * @", "SQUARE(@) / (1.0 + SQUARE(@))", "0.5 * pow(1.5 + sin(@), @)"),
        ]
        if self.scope.counts or self.scope.indices:
            choices += [f"({self.count_condition()} ? @ : @)"] * 2
        if self.has_floats:
            choices += ["sinf(@ * @)", "0.5f * @ * @", "(float)(0.4 * @ - 0.3 * @)"]
        text = self.one_of(choices)
        parts: list[Tree] = []
        while len(parts) < text.count("@"):
            parts.append(self.atom())
        if text.startswith(("exp", "@ /", "SQUARE")):  # the same number twice
            parts = [parts[0]] * 2 + parts[2:]
        return Tree(text, tuple(parts), others=("0.5",))

    def value(self) -> Tree:
        scalars = [one for one in self.functions if one.given[0] == "value" and one.has_result]
        if scalars and self.chance(0.25):
            return self.call_of_number(self.one_of(scalars))
        if self.chance(0.5):
            return self.small()
        text = self.pick(
            *("0.6 * @ - 0.4 * @", "@ * @ * 0.6", "-(@ + 0.2) * @ * 0.5", "sin(@) / (2.5 + @)"),
            *("tanh(@) * cos(@)", "(@ + @) * 0.4"),
        )
        return Tree(text, (self.small(), self.small()), others=("0.5",))

    def call_of_number(self, callee: Callee) -> Tree:
        """A call of a function that is given numbers alone."""
        self.note("call in a value")
        parts = tuple(
            self.atom() if one == "value" else Tree(self.number()) for one in callee.given
        )
        words = ", ".join("@" for _ in parts)
        return Tree(f"{callee.name}({words})", parts, others=("0.5",))

    def without(self, name: str) -> Tree:
        """A value that does not read a variable."""
        words = set(re.findall(r"[A-Za-z_]\w*", name)) - {"n", "k", "M"}
        for _ in range(20):
            made = self.small()
            if not words & words_of(made):
                return made
        return Tree("0.3")

    # -- conditions and numbers -----------------------------------------------------------------

    def condition(self) -> Tree:
        if self.chance(0.5) and (self.scope.counts or self.scope.indices):
            return Tree(self.count_condition())
        limit = self.pick("0.3137", "0.0713", "0.5219", "-0.2371")
        both = "@ > " + limit
        if self.chance(0.2):
            both += self.pick(" && ", " || ") + "@ < 0.6113"
            return Tree(both, (self.atom(), self.atom()), lifts=False, others=("1", "0"))
        return Tree(both, (self.atom(),), lifts=False, others=("1", "0"))

    def count_condition(self) -> str:
        number = self.number()
        bare = number if number.isalnum() else f"({number})"
        return self.pick(
            f"{bare} % 3 != {self.random.randrange(3)}", f"{bare} % 2 == 0", f"{bare} % 5 < 3"
        )

    def number(self) -> str:
        """An expression of a number of at least 0."""
        found = [*self.scope.counts, *(one.name for one in self.scope.indices)]
        if self.chance(0.8):
            found = [one for one in found if one not in GIVEN] or found
        inside = [one.name for one in self.scope.indices if one.high <= N]
        if inside and self.chance(0.2):
            return f"k[{self.one_of(inside)}]"
        return self.one_of(found) if found else str(self.random.randrange(1, 4))

    def some_count(self) -> str:
        """A whole number that is not given, if there is one."""
        own = [one for one in self.scope.counts if one not in GIVEN]
        return self.one_of(own or self.scope.counts)

    def trips(self) -> str:
        """How often an inner loop runs: up to three times."""
        number = self.number()
        bare = number if number.isalnum() or number.endswith("]") else f"({number})"
        return self.pick("3", "2", f"{bare} % 4", f"{bare} % 3")


def words_of(tree: Tree) -> set[str]:
    """The names in the text of a tree."""
    found = set(re.findall(r"[A-Za-z_]\w*", tree.text))
    for part in tree.parts:
        found |= words_of(part)
    return found
