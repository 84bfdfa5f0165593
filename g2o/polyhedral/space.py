"""The named integers of one kernel: thread indices, launch dimensions, counters, values of
variables.

    t.x          differs between threads
    blockDim.x   the same for all threads of a block
    k1           counts the iterations of a loop
    v3           a value that is not affine, or not known

A name stands for one value per instance of the code that it belongs to: it is another value in
another thread if it is `varying`, and in another iteration of the loops in `loops`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Final, final

from g2o.polyhedral.formula import TRUE, Formula, at_least, conjunction, names_of
from g2o.polyhedral.polynomial import ZERO, Polynomial

MOST_THREADS: Final = 1024
"""Threads that a block has at most (CUDA C++ Programming Guide, technical specifications)."""
_MOST_SCALED: Final = 64
"""Times that a number can be doubled, or halved, before its bits are used up."""


@final
@dataclass(frozen=True, slots=True)
class Successor:
    """How the value of a name follows from the one that it has an iteration before.

    `step(old, new)` holds between successive iterations, `later(old, new)` between any two.
    """

    step: Formula
    later: Formula


@final
@dataclass(frozen=True, slots=True)
class NameInfo:
    """What is known of one name. `definition` relates it to other names."""

    varying: bool
    loops: tuple[int, ...] = ()
    definition: Formula = TRUE
    not_negative: bool = False
    exact: bool = True  # a value that the launch can really have: no load, no unknown function
    counts: bool = False  # iterations that each thread runs on its own


@final
@dataclass(frozen=True, slots=True)
class Scaled:
    """A name that every iteration of a loop multiplies by `factor`, or divides: of the values that
    its definition allows it has only those that follow from `start`. `counter` is the name that
    counts the iterations."""

    start: Polynomial
    factor: int
    divides: bool
    counter: str

    def after(self, count: int, start: int) -> int:
        """The value after `count` iterations."""
        scale = self.factor ** min(count, _MOST_SCALED)
        return start // scale if self.divides else start * scale

    def is_reached(self, value: int, start: int, count: int | None) -> bool:
        """Does it ever have the value, at the iteration `count` where that is given?"""
        counts = range(_MOST_SCALED + 1) if count is None else (count,)
        return any(self.after(one, start) == value for one in counts)

    def quotients(self) -> tuple[int, ...]:
        """All values of a constant that is divided, 0 at the end; none of others."""
        if not self.divides or self.start.value is None:
            return ()
        found = [self.start.value]
        while found[-1] > 0:
            found.append(found[-1] // self.factor)
        return tuple(found)


@final
@dataclass(slots=True)
class Space:
    """Hands out names. Equal keys give equal names.

    `quotients` are the names that stand for a value divided by something that is not a constant,
    with the divisor; `usual` are the values that constants have in this build, and may not have in
    another one; `operands` those that stand for the same function of these in all threads,
    `in_block` in all those of a block;
    `starts` tells what holds of a name in the first iteration of a loop; `scaled` are those that
    have few of the values that their definitions allow; `counters` those that count the iterations
    of loops that each thread runs on its own.
    """

    infos: dict[str, NameInfo] = field(default_factory=dict[str, NameInfo])
    by_key: dict[Hashable, str] = field(default_factory=dict[Hashable, str])
    starts: dict[tuple[str, int], Formula] = field(default_factory=dict[tuple[str, int], Formula])
    successors: dict[tuple[str, int], Successor] = field(
        default_factory=dict["tuple[str, int]", Successor]
    )
    quotients: dict[str, Polynomial] = field(default_factory=dict[str, Polynomial])
    operands: dict[str, tuple[Polynomial, ...]] = field(
        default_factory=dict[str, tuple[Polynomial, ...]]
    )
    in_block: dict[str, tuple[Polynomial, ...]] = field(
        default_factory=dict[str, tuple[Polynomial, ...]]
    )
    usual: dict[str, int] = field(default_factory=dict[str, int])
    scaled: dict[str, Scaled] = field(default_factory=dict[str, Scaled])
    counters: set[str] = field(default_factory=set[str])
    fresh: int = 0

    def name(self, wish: str, info: NameInfo, key: Hashable = None) -> str:
        """A new name, or the one that `key` has already."""
        if key is not None and key in self.by_key:
            return self.by_key[key]
        name = wish
        while name in self.infos:
            self.fresh += 1
            name = f"{wish}.{self.fresh}"
        self.infos[name] = info
        if key is not None:
            self.by_key[key] = name
        return name

    def derived(
        self, wish: str, key: Hashable, operands: Iterable[Polynomial], exact: bool = True
    ) -> tuple[str, bool]:
        """A name for a function of the operands; also whether it is new."""
        if key in self.by_key:
            return self.by_key[key], False
        infos = [self.infos[name] for operand in operands for name in sorted(operand.names)]
        loops = max((info.loops for info in infos), key=len, default=())
        info = NameInfo(
            varying=any(info.varying for info in infos),
            loops=loops,
            exact=exact and all(info.exact for info in infos),
            counts=any(info.counts for info in infos),
        )
        return self.name(wish, info, key), True

    def define(self, name: str, definition: Formula, not_negative: bool = False) -> None:
        """Add to what is known of the name."""
        old = self.infos[name]
        self.infos[name] = NameInfo(
            old.varying,
            old.loops,
            conjunction((old.definition, definition)),
            old.not_negative or not_negative,
            old.exact,
            old.counts,
        )

    def facts(self, names: Iterable[str]) -> Formula:
        """Everything that is known of the names, and of the names that this mentions."""
        parts: list[Formula] = []
        seen: set[str] = set()
        waiting = sorted(names)
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            info = self.infos[name]
            if info.not_negative:
                parts.append(at_least(Polynomial.name(name), ZERO))
            parts.append(info.definition)
            waiting.extend(sorted(names_of(info.definition) - seen))
        return conjunction(parts)

    def closure(self, names: Iterable[str]) -> frozenset[str]:
        """The names and all that their definitions mention."""
        seen: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen.add(name)
                waiting.extend(names_of(self.infos[name].definition))
        return frozenset(seen)

    def is_not_negative(self, value: Polynomial) -> bool:
        """Is it plain that the value is at least zero?"""
        return all(
            factor >= 0 and all(self.infos[name].not_negative for name in product)
            for product, factor in value.terms
        )

    def uniform_names(self, names: Iterable[str]) -> frozenset[str]:
        return frozenset(name for name in names if not self.infos[name].varying)
