"""What loads of shared memory find there: elements of an array that the block copied before.

    s[t + 1] = x[i];                          s[t + k] is x[i - 1 + k] where that was copied, and 0
    if (t == 0) s[0] = i > 0 ? x[i - 1] : 0;  where the copy has put 0: for i - 1 + k < 0

Every store into the array is taken apart into elements that it copies and constants, each with what
chooses it. A load has a value of this form if all stores that may have made its element agree on it
(which the solver proves, for every thread that stores and every thread that loads), and if one of
them has made it. The array that the elements come from is not written by the kernel.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

from g2o.analysis.accesses import Access, AccessKind, MemoryModel
from g2o.analysis.conflicts import Conflicts
from g2o.analysis.launch_names import THREAD_NAMES
from g2o.ir.symbols import Symbol
from g2o.polyhedral.cases import excludes
from g2o.polyhedral.formula import (
    And,
    Atom,
    Formula,
    Or,
    at_least,
    conjunction,
    conjuncts,
    different,
    disjunction,
    equal,
    fixed_values,
    less,
    names_of,
    negation,
    renamed,
    substituted,
)
from g2o.polyhedral.polynomial import ZERO, Monomial, Polynomial
from g2o.polyhedral.space import NameInfo
from g2o.polyhedral.strides import vanishes

_MOST_STORES: Final = 12
_MOST_PARTS: Final = 24
_ROUNDED: Final = (0, -1, 1)  # steps off the nearest that a thread may be


@final
@dataclass(frozen=True, slots=True)
class Copied:
    """What a load finds: the element `index` of `root` where all of `chosen` holds, and `otherwise`
    elsewhere. `chosen` is empty where it always does."""

    root: Symbol
    index: Polynomial
    chosen: tuple[Formula, ...] = ()
    otherwise: str = ""


@final
@dataclass(frozen=True, slots=True)
class _Part:
    """What a store may put at `place` of the array: the element `source` of `root`, or a constant,
    where `guard` holds; of that, `chosen` is what tells it from other parts of the same store.

    All of it is told by `axes`: the indices of the thread, each with the turns of a loop that
    counts on from it by the extent of the block. `ranges` holds of these.
    """

    write: Access
    axes: tuple[str, ...]
    ranges: Formula
    place: Polynomial
    guard: Formula
    chosen: Formula
    root: Symbol | None = None
    source: Polynomial = ZERO
    constant: str = ""


@final
@dataclass(frozen=True, slots=True)
class _Value:
    """What is stored where `chosen` holds: an element, or a constant."""

    chosen: Formula
    root: Symbol | None = None
    source: Polynomial = ZERO
    constant: str = ""


@final
@dataclass(slots=True)
class TileValues:
    """Answers for the loads of one shared array of a kernel."""

    model: MemoryModel
    conflicts: Conflicts
    parts: tuple[_Part, ...] = ()
    open_blocks: bool = False  # are blocks of unknown size as large as need be?

    @staticmethod
    def of(symbol: Symbol, model: MemoryModel, conflicts: Conflicts) -> TileValues | None:
        """None where a store into the array is not understood, or loads stand in front of some."""
        writes = _stores_in_front(symbol, model)
        if writes is None:
            return None
        made = TileValues(model, conflicts)
        parts: list[_Part] = []
        for write in writes:
            found = made._parts_of(write)
            if found is None or len(parts) + len(found) > _MOST_PARTS:
                return None
            parts += found
        made.parts = tuple(parts)
        return made if any(part.root is not None for part in parts) else None

    def value(self, read: Access) -> Copied | None:
        """What one load of the array finds; None where that has no such form."""
        assert read.index is not None
        met = [part for part in self.parts if not self._excluded(part, read)]
        copies = [part for part in met if part.root is not None]
        constants = [part for part in met if part.root is None]
        if len({part.root for part in copies}) != 1:
            return None
        if len({part.constant for part in constants}) > 1 or not self._is_covered(read, met):
            return None
        for base in copies:
            thread, rest = _thread_for(base, base.place, read.index)
            if rest != ZERO:
                continue
            index = base.source.substituted(thread)
            if _is_of(index, base) or not all(self._agrees(one, read, index) for one in copies):
                continue
            chosen = self._chosen(read, index, copies, constants)
            if chosen is not None and base.root is not None:
                constant = constants[0].constant if constants else ""
                return Copied(base.root, index, chosen, constant)
        return None

    # -- stores ----------------------------------------------------------------------------------

    def _parts_of(self, write: Access) -> list[_Part] | None:
        """What a store may put; None where not all of it is understood."""
        if write.value is None or write.index is None:
            return None
        values = list(self._values(write.value, conjunction(())))
        found: list[_Part] = []
        for value in values:
            if value is None or (value.root is not None and self._is_written(value.root)):
                return None
            part = self._part(write, value)
            if part is None:
                return None
            found.append(part)
        return found

    def _values(self, value: Polynomial, chosen: Formula) -> Iterator[_Value | None]:
        if value.value is not None:
            yield _Value(chosen, constant=str(value.value))
            return
        names = tuple(value.names)
        key = self._key(names[0]) if value == Polynomial.name(names[0]) else None
        match key:
            case ("load", Symbol() as root, Polynomial() as offset, (), str(), str()):
                yield _Value(chosen, root, offset)
            case ("literal", str(text)):
                yield _Value(chosen, constant=text)
            case (
                "?",
                Atom() | And() | Or() as if_true,
                Atom() | And() | Or() as if_false,
                Polynomial() as one,
                Polynomial() as other,
            ):
                for held, inner in ((if_true, one), (if_false, other)):
                    yield from self._values(inner, conjunction((chosen, held)))
            case _:
                yield None

    def _key(self, name: str) -> Hashable:
        return next((key for key, own in self.model.space.by_key.items() if own == name), None)

    def _is_written(self, root: Symbol) -> bool:
        like = next((one for one in self.model.accesses if one.root == root), None)
        return like is None or any(
            one.kind is not AccessKind.READ and self.conflicts.may_alias(like, one)
            for one in self.model.accesses
        )

    def _part(self, write: Access, value: _Value) -> _Part | None:
        """The part, by the indices of the thread that stores it; None where that depends on more.

        `i = threadIdx.x; i < n; i += blockDim.x` comes to every i from 0 on: turns and index are
        one number then.
        """
        space, axes = self.model.space, self.model.thread_axes
        assert write.index is not None
        place, source, chosen = write.index, value.source, value.chosen
        guard = conjunction((*write.guard, chosen))
        extents: dict[str, Polynomial | None] = {
            axis: self.model.extents[THREAD_NAMES.index(axis)] for axis in axes
        }
        others = {
            name
            for name in space.closure(place.names | source.names | names_of(guard))
            if space.infos[name].varying and name not in axes
        }
        if not all(_counts_on(space.infos[name]) for name in others):
            return None
        extents |= dict.fromkeys(sorted(others))
        while (merged := _merged(place, source, guard, extents)) is not None:
            axis, other, step = merged
            moved = {axis: Polynomial.name(axis) - step * Polynomial.name(other)}
            place, source = place.substituted(moved), source.substituted(moved)
            guard, chosen = substituted(guard, moved), substituted(chosen, moved)
            limit = extents.pop(other)
            extents[axis] = None if limit is None else limit * step
        if others & extents.keys():
            return None
        names = {axis: f"{axis}'" for axis in extents}
        ranges: list[Formula] = []
        for axis, extent in extents.items():
            ranges.append(at_least(Polynomial.name(names[axis]), ZERO))
            if extent is not None and not (self.open_blocks and extent.value is None):
                ranges.append(less(Polynomial.name(names[axis]), extent))
        return _Part(
            write,
            tuple(names.values()),
            conjunction(ranges),
            place.renamed(names),
            renamed(guard, names),
            renamed(chosen, names),
            value.root,
            source.renamed(names),
            value.constant,
        )

    # -- a thread that stores and a thread that loads --------------------------------------------

    def _meeting(self, part: _Part, read: Access) -> Formula:
        """What holds where the part has put what the load finds."""
        space = self.model.space
        stored = part.place.names | part.source.names | names_of(part.guard)
        names = space.closure({*read.names, *(stored - set(part.axes))})
        context = conjunction((space.facts(names), *read.guard, part.ranges, part.guard))
        uniform = space.uniform_names(names)
        difference = part.place - (read.index or ZERO)
        same = vanishes(difference, uniform, context, self.conflicts.solver)
        return conjunction((context, same))

    def _excluded(self, part: _Part, read: Access) -> bool:
        return excludes(self._meeting(part, read), self.conflicts.solver)

    def _agrees(self, part: _Part, read: Access, index: Polynomial) -> bool:
        """Is what the part copies the element `index`, wherever the load finds it?"""
        difference = part.source - index
        infos = self.model.space.infos
        uniform = [name for name in difference.names if name in infos and not infos[name].varying]
        apart = (
            different(factor, ZERO)
            for factor in difference.by_monomial_in(uniform).values()
            if factor != ZERO
        )
        claim = conjunction((self._meeting(part, read), disjunction(apart)))
        return excludes(claim, self.conflicts.solver)

    # -- is there one ----------------------------------------------------------------------------

    def covers(self, symbol: Symbol, writes: Iterable[Access]) -> bool:
        """Does each load of the array find what one of these stores has put there?"""
        found = (self._part(one, _Value(conjunction(()))) for one in writes)
        parts = [one for one in found if one is not None]
        return all(
            self._is_covered(one, parts)
            for one in self.model.accesses
            if one.root == symbol and one.kind is AccessKind.READ
        )

    def _is_covered(self, read: Access, parts: Iterable[_Part]) -> bool:
        """Has some thread stored what the load finds, whichever thread loads?"""
        assumed = self._assumed(read)
        left: list[Formula] = []
        for part in parts:
            covered = self._covered(part, read)
            if not excludes(conjunction((assumed, covered)), self.conflicts.solver):
                left.append(negation(covered))
        return excludes(conjunction((assumed, *left)), self.conflicts.solver)

    def _assumed(self, read: Access) -> Formula:
        space = self.model.space
        return conjunction((space.facts(space.closure(read.names)), *read.guard))

    def _covered(self, part: _Part, read: Access) -> Formula:
        """Where one of the threads that this names makes the store that the load finds."""
        assert read.index is not None
        fixed = fixed_values(part.guard)
        ways: list[Formula] = []
        for first in _ROUNDED:
            thread, rest = _thread_for(part, part.place, read.index, first)
            for axis in part.axes:
                if axis not in part.place.names:
                    thread[axis] = fixed.get(axis, thread[axis])
            told = [substituted(one, thread) for one in (part.ranges, part.guard)]
            if rest == ZERO:
                return conjunction(told)
            told.append(equal(part.place.substituted(thread), read.index))
            ways.append(conjunction(told))
        return disjunction(ways)

    # -- where it is the constant ----------------------------------------------------------------

    def _chosen(
        self,
        read: Access,
        index: Polynomial,
        copies: Sequence[_Part],
        constants: Sequence[_Part],
    ) -> tuple[Formula, ...] | None:
        """What holds where the load finds a copy, and does not where it finds the constant."""
        if not constants:
            return ()
        for whole in (False, True):
            found = self._conditions(read, index, copies, whole)
            if found and self._is_right(read, conjunction(found), copies, constants):
                return found
        return None

    def _conditions(
        self, read: Access, index: Polynomial, copies: Sequence[_Part], whole: bool
    ) -> tuple[Formula, ...]:
        """What chooses the copies, of the thread that would have copied what the load finds; all
        that the stores are guarded by where `whole` is asked for."""
        assumed = self._assumed(read)
        found: dict[Formula, None] = {}
        for part in copies:
            thread, rest = _thread_for(part, part.source, index)
            for one in conjuncts(part.guard if whole else part.chosen) if rest == ZERO else ():
                held = substituted(one, thread)
                refuted = conjunction((assumed, negation(held)))
                if not excludes(refuted, self.conflicts.solver):
                    found[held] = None
        return tuple(found)

    def _is_right(
        self,
        read: Access,
        condition: Formula,
        copies: Sequence[_Part],
        constants: Sequence[_Part],
    ) -> bool:
        refuted = [(part, negation(condition)) for part in copies]
        refuted += [(part, condition) for part in constants]
        return all(
            excludes(conjunction((self._meeting(part, read), claim)), self.conflicts.solver)
            for part, claim in refuted
        )


def is_stored_first(symbol: Symbol, model: MemoryModel, conflicts: Conflicts) -> bool:
    """Does every load of the shared array find what a thread of the block has stored before? Blocks
    of unknown size are taken to be large enough for their arrays."""
    writes = _stores_in_front(symbol, model)
    if writes is None:
        return False
    values = TileValues(model, conflicts, open_blocks=True)
    return values.covers(symbol, writes)


def _stores_in_front(symbol: Symbol, model: MemoryModel) -> list[Access] | None:
    """The stores into the array, where all of them stand in front of its loads, and are sure."""
    accesses = [one for one in model.accesses if one.root == symbol]
    writes = [one for one in accesses if one.kind is AccessKind.WRITE]
    reads = [one for one in accesses if one.kind is AccessKind.READ]
    if not reads or not 0 < len(writes) <= _MOST_STORES:
        return None
    if len(writes) + len(reads) < len(accesses):
        return None  # atomics
    around = writes[0].loops
    for one in accesses:
        if one.index is None or one.path or one.loops[: len(around)] != around:
            return None
    if any(one.loops != around for one in writes):
        return None
    if not all(one.exact for one in writes) or not _come_behind(reads, writes, model):
        return None
    return writes


def _counts_on(info: NameInfo) -> bool:
    """Does a name count the iterations of a loop that a thread runs on its own?"""
    return info.counts and info.not_negative and info.definition == conjunction(())


def _merged(
    place: Polynomial, source: Polynomial, guard: Formula, extents: Mapping[str, Polynomial | None]
) -> tuple[str, str, Polynomial] | None:
    """An index, another number that counts on from it by its extent, and that extent."""
    for axis, extent in extents.items():
        factor = place.by_monomial_in((axis,)).get((axis,), ZERO)
        if extent is None or factor.value is None or factor == ZERO:
            continue
        for other in extents:
            if other == axis or place.by_monomial_in((other,)).get((other,)) != extent * factor:
                continue
            moved = {axis: Polynomial.name(axis) - extent * Polynomial.name(other)}
            left = place.substituted(moved).names | source.substituted(moved).names
            if other not in left | names_of(substituted(guard, moved)):
                return axis, other, extent
    return None


def _come_behind(reads: Sequence[Access], writes: Sequence[Access], model: MemoryModel) -> bool:
    """Does every load stand behind all stores of its iteration, with a barrier between them?"""
    loops = frozenset(writes[0].loops)
    behind = {write.segment: _reached_from(model, write.segment, loops) for write in writes}
    for read in reads:
        if any(read.segment not in found for found in behind.values()):
            return False
        if _reached_from(model, read.segment, loops) & behind.keys():
            return False
    return not any(read.segment == write.segment for read in reads for write in writes)


def _reached_from(model: MemoryModel, segment: int, loops: frozenset[int]) -> set[int]:
    """The segments behind one, without starting another iteration of the loops."""
    found: set[int] = set()
    waiting = [segment]
    while waiting:
        for edge in model.graph.edges[waiting.pop()]:
            if edge.target not in found and edge.back not in loops:
                found.add(edge.target)
                waiting.append(edge.target)
    return found


def _thread_for(
    part: _Part, stored: Polynomial, wanted: Polynomial, first: int = 0
) -> tuple[dict[str, Polynomial], Polynomial]:
    """The thread for which `stored` comes to `wanted`, and what is left between the two. What the
    part does not tell is taken to be 0; `first` is added to the index with the longest steps."""
    thread = dict.fromkeys(part.axes, ZERO)
    rest = wanted - stored.substituted(thread)
    factors: list[tuple[Monomial, int, str]] = []
    for axis in part.axes:
        factor = stored.by_monomial_in((axis,)).get((axis,), ZERO)
        if len(factor.terms) == 1:
            ((product, number),) = factor.terms
            factors.append((product, number, axis))
    for product, number, axis in sorted(factors, key=lambda one: (-len(one[0]), -abs(one[1]))):
        thread[axis] = _steps(rest, product, number).plus(first)
        first = 0
        rest = rest - thread[axis] * Polynomial.of({product: number})
    return thread, rest


def _is_of(index: Polynomial, part: _Part) -> bool:
    """Does it depend on the thread that stores still?"""
    return not index.names.isdisjoint(part.axes)


def _steps(rest: Polynomial, product: Monomial, number: int) -> Polynomial:
    """How often `number * product` goes into a polynomial, term by term, to the nearest."""
    found: dict[Monomial, int] = {}
    for own, factor in rest.terms:
        left = list(own)
        if any(left.count(name) < product.count(name) for name in product):
            continue
        for name in product:
            left.remove(name)
        steps = _nearest(factor, number)
        if steps:
            found[tuple(left)] = found.get(tuple(left), 0) + steps
    return Polynomial.of(found)


def _nearest(factor: int, number: int) -> int:
    sign = 1 if (factor < 0) == (number < 0) else -1
    return sign * ((2 * abs(factor) + abs(number) - 1) // (2 * abs(number)))
