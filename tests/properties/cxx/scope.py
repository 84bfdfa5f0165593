"""What a random program may name at a place: variables with their types, innermost first."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Final, final

from tests.properties.cxx.tree import Expr, Touch

BITS: Final = {
    **{"bool": 1, "unsigned char": 8, "signed char": 8, "short": 16, "unsigned short": 16},
    **{"int": 32, "unsigned": 32, "long long": 64, "unsigned long long": 64},
}
UNSIGNED: Final = ("unsigned", "unsigned long long")
SIGNED: Final = ("int", "long long")
NARROW: Final = ("short", "unsigned short", "unsigned char", "signed char")
REALS: Final = ("float", "double")
SCALARS: Final = (*UNSIGNED, *SIGNED, *NARROW, *REALS, "bool")
VECTORS: Final = {"int2": ("int", "xy"), "uint3": ("unsigned", "xyz"), "float4": ("float", "xyzw")}
NAMES: Final = ("a", "b", "c", "e", "i", "j", "k", "p", "q", "u", "v", "w", "x", "y", "z", "sum")


@final
@dataclass(frozen=True, slots=True)
class Class:
    """A class of the unit: members are scalars, arrays (`unsigned[3]`) or vectors.

    `values` are methods without side effects, `changes` others: `total(@1)`, result, arguments.
    `made` is what a constructor takes; without it the class is an aggregate.
    """

    name: str
    members: tuple[tuple[str, str], ...]
    values: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    changes: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    made: tuple[str, ...] | None = None


@final
@dataclass(frozen=True, slots=True)
class Variable:
    """`extent`: elements of an array, or behind a pointer; 0 for others. `rows`: of a matrix.

    `uniform`: the same in all threads. `bound`: of its magnitude; constants with one are not
    negative. `touches`: of an access through a reference or pointer to shared memory.
    """

    name: str
    type: str
    extent: int = 0
    rows: int = 0
    constant: bool = False
    uniform: bool = False
    touches: tuple[Touch, ...] = ()
    bound: int | None = None
    pointer: bool = False
    level: int = 0
    """How deep the scope is in which what it names lives."""


@final
@dataclass(slots=True)
class Scopes:
    """The stack of scopes; an inner name hides an outer one."""

    frames: list[dict[str, Variable | None]] = field(
        default_factory=lambda: list[dict[str, "Variable | None"]]([{}])
    )

    def open(self) -> None:
        self.frames.append({})

    def close(self) -> None:
        self.frames.pop()

    @property
    def level(self) -> int:
        return len(self.frames) - 1

    def add(self, variable: Variable) -> None:
        self.frames[-1][variable.name] = variable

    def hide(self, name: str) -> None:
        """A name that is something else here: a function, a label."""
        self.frames[-1][name] = None

    def visible(self) -> list[Variable]:
        seen: dict[str, Variable | None] = {}
        for frame in reversed(self.frames):
            for name, variable in frame.items():
                seen.setdefault(name, variable)
        return [variable for variable in seen.values() if variable is not None]

    def free_name(self, random: Random, reuse: float) -> str:
        """A name for a new variable: often one that an outer scope has, too."""
        here = self.frames[-1]
        outer = {name for frame in self.frames[:-1] for name in frame}
        fresh = [name for name in NAMES if name not in here and name not in outer]
        again = [name for name in NAMES if name not in here and name in outer]
        if again and (not fresh or random.random() < reuse):
            return random.choice(again)
        if fresh:
            return random.choice(fresh)
        number = 2
        while f"a{number}" in here or f"a{number}" in outer:
            number += 1
        return f"a{number}"


def named(variable: Variable) -> Expr:
    """The scalar variable itself."""
    return Expr(
        variable.name,
        type=variable.type,
        touches=variable.touches,
        bound=variable.bound,
        uniform=variable.uniform,
    )
