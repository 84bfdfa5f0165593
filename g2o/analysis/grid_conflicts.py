"""Whether two threads of a grid can meet at one location, whatever order they run in.

`conflicts.py` asks this of the threads of one block and of one interval between barriers. Here the
two threads can be anywhere, and at any time: what never meets in this sense needs neither barriers
nor atomics.

Along every axis where only `blockDim.x * blockIdx.x + threadIdx.x` counts, that sum is one index,
which tells the threads of the axis apart. Elsewhere block and thread do.

What the source does without a race and inside of its arrays is knowledge: a place that threads
write without a barrier or an atomic is another one for each of them, and who reads s[t] of
`__shared__ float s[64]` has a t below 64. (FormAD: Hückelheim and Hascoët, "Source-to-source
automatic differentiation of OpenMP parallel loops", 2022.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import final

from g2o.analysis.accesses import Access, AccessKind, MemoryModel
from g2o.analysis.conflicts import Conflicts, same_unit
from g2o.ir.expressions import AXES
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.types import CType, TypeKind
from g2o.polyhedral.cases import excludes, without_impossible
from g2o.polyhedral.formula import (
    Atom,
    Formula,
    Relation,
    at_least,
    conjunction,
    conjuncts,
    different,
    disjunction,
    equal,
    less,
    names_of,
    products_of,
    renamed,
    substituted,
)
from g2o.polyhedral.polynomial import ZERO, Polynomial
from g2o.polyhedral.solver import Solver
from g2o.polyhedral.strides import cofactors, ordered_products, vanishes

_EVERYWHERE_EQUAL = ("blockDim.", "gridDim.")
_MOST_LOOPS = 6


@final
@dataclass(slots=True)
class GridConflicts:
    """Answers for the accesses of one kernel, remembered. `proofs` are writes of a source that is
    known to have no races. With `of_blocks`, only threads of different blocks are asked about."""

    model: MemoryModel
    solver: Solver
    proofs: tuple[Access, ...] = ()
    of_blocks: bool = False
    answers: dict[tuple[int, int], bool] = field(default_factory=dict[tuple[int, int], bool])
    forms: dict[int, tuple[Access, int]] = field(default_factory=dict[int, "tuple[Access, int]"])
    by_form: dict[Access, int] = field(default_factory=dict[Access, int])
    axes: list[int] | None = None
    made: dict[tuple[int, int], tuple[Polynomial, ...]] = field(
        default_factory=dict["tuple[int, int]", "tuple[Polynomial, ...]"]
    )

    def may_meet(self, first: Access, second: Access) -> bool:
        """Can two different threads make these accesses at one place, a write among them?"""
        one, other = self.form(first), self.form(second)
        key = (min(one, other), max(one, other))
        known = self.answers.get(key)
        if known is None:
            known = self.answers[key] = self._decide(first, second)
        return known

    def form(self, access: Access) -> int:
        """The same number for accesses of which the answers are the same: unrolled code makes the
        same ones many times."""
        known = self.forms.get(id(access))
        if known is None:
            same = replace(access, id=0, segment=0, varying_value=True)
            number = self.by_form.setdefault(same, len(self.by_form))
            known = self.forms[id(access)] = access, number
        return known[1]

    def _decide(self, first: Access, second: Access) -> bool:
        if first.kind is AccessKind.READ and second.kind is AccessKind.READ:
            return False
        if not Conflicts(self.model, self.solver).may_alias(first, second):
            return False
        if first.index is None or second.index is None or first.root != second.root:
            return True
        if not same_unit(first.element, second.element):
            return True
        if self._is_proved(first, second):
            return False
        return not self._excluded(first, second)

    def _is_proved(self, first: Access, second: Access) -> bool:
        """Is it the very index of a write of the source that tells threads apart?"""
        return (first.index, second.index) in self._told_apart(first, second)

    def _told_apart(self, first: Access, second: Access) -> set[tuple[Polynomial, Polynomial]]:
        """What is not the same in any two threads that make the one and the other access."""
        return {
            (one, other)
            for proof in self.proofs
            if proof.varying_value
            for one in self._made_in(proof, first)
            for other in self._made_in(proof, second)
        }

    def _made_in(self, fact: Access, access: Access) -> tuple[Polynomial, ...]:
        """The index of what every thread that makes `access` writes by `fact`: in an iteration of
        loops of the one that has the number of an iteration of loops of the other one.

            for (i = t; i < n; i += 32)        for (i = t; i < n; i += 32)
                y[i] = f(x[i]);                    d_x[i] += g(x[i]) * d_y[i];

        Iterations that are counted backwards are the same ones.
        """
        key = self.form(fact), self.form(access)
        if key not in self.made:
            self.made[key] = tuple(self._made(fact, access))
        return self.made[key]

    def _made(self, fact: Access, access: Access) -> Iterator[Polynomial]:
        if self._is_made(fact, access):
            assert fact.index is not None
            yield fact.index
        elif fact.index is not None and fact.exact and access.index is not None:
            space = self.model.space
            guards = [name for one in fact.guard for name in names_of(one)]
            names = space.closure({*fact.index.names, *guards})
            counted = sorted(name for name in names if space.infos[name].counts)
            if not space.counters.issuperset(counted) or any(
                space.infos[name].loops for name in names
            ):
                return
            known = (*fact.guard, *conjuncts(space.facts(names)))
            asked = space.closure(access.names)
            theirs = sorted(asked & space.counters)[:_MOST_LOOPS]
            facts = {*access.guard, *conjuncts(space.facts(asked))}
            for chosen in permutations(theirs, len(counted)):
                new = {
                    one: _iteration(fact.index, one, access.index, number, known)
                    for one, number in zip(counted, chosen, strict=True)
                }
                if all(substituted(one, new) in facts for one in known):
                    yield fact.index.substituted(new)

    def _is_made(self, fact: Access, access: Access) -> bool:
        """Does every thread that makes `access` also make the access `fact`, once?"""
        if fact.index is None or not fact.exact or not set(fact.guard) <= set(access.guard):
            return False
        infos = self.model.space.infos
        names = self.model.space.closure(fact.index.names)
        asked = self.model.space.closure(name for one in fact.guard for name in names_of(one))
        if any(infos[name].loops for name in asked):
            return False  # one after the other, with barriers between them
        return not any(infos[name].counts or infos[name].loops for name in names)

    def _within_arrays(self, access: Access, known: frozenset[str]) -> list[Formula]:
        """What a thread that makes the access stays below, as it does not leave shared arrays."""
        found: list[Formula] = []
        for fact in self.model.accesses:
            size = None if fact.root is None else _size_of_shared(fact.root, fact.element)
            if size is None or fact.index is None or not fact.index.names <= known:
                continue
            if self._is_made(fact, access):
                found.append(at_least(fact.index, ZERO))
                found.append(less(fact.index, Polynomial.constant(size)))
        return found

    def _excluded(self, first: Access, second: Access) -> bool:
        space = self.model.space
        axes = self._named_axes()
        threads = [f"threadIdx.{AXES[axis]}" for axis in axes]
        blocks = [f"blockIdx.{AXES[axis]}" for axis in axes]
        known = set(space.infos)
        involved = first.names | second.names | (set(threads + blocks) & known)
        closed = space.closure(involved)
        other = {name: f"{name}'" for name in sorted(closed) if not self._is_constant(name)}
        facts = space.facts(closed)
        assert first.index is not None
        assert second.index is not None
        difference = first.index - second.index.renamed(other)
        parts = [facts, *first.guard, renamed(facts, other)]
        parts += [renamed(guard, other) for guard in second.guard]
        parts += self._within_arrays(first, closed)
        parts += [renamed(one, other) for one in self._within_arrays(second, closed)]
        parts += self._relations(other, parts)
        parts += [
            different(one, two.renamed(other))
            for one, two in sorted(self._told_apart(first, second), key=str)
            if one.names | two.names <= closed
        ]
        flat: set[int] = set()
        if not self.of_blocks:
            flat, difference, parts = self._flattened(axes, other, difference, parts)
        identities: list[Formula] = []
        for axis in axes:
            if axis in flat:
                names = [f"global.{AXES[axis]}"]
            elif self.of_blocks:
                names = [f"blockIdx.{AXES[axis]}"]
            else:
                names = [f"threadIdx.{AXES[axis]}", f"blockIdx.{AXES[axis]}"]
            identities += [
                different(Polynomial.name(name), Polynomial.name(f"{name}'"))
                for name in names
                if name in known or axis in flat
            ]
        if not identities:
            return False
        context = conjunction((*parts, disjunction(identities)))
        context = without_impossible(context, self.solver)
        strides = frozenset(name for name in closed if self._is_constant(name))
        same = vanishes(difference, strides, context, self.solver)
        return excludes(conjunction((context, same)), self.solver)

    def _relations(self, other: Mapping[str, str], parts: list[Formula]) -> list[Formula]:
        """What follows for names of both threads that stand for the same function."""
        space = self.model.space
        products = {product for part in parts for product in products_of(part)}
        found: list[Formula] = []
        for name, second in other.items():
            divisor = space.quotients.get(name)
            if divisor is not None and not divisor.names & set(other):
                found.append(ordered_products(name, second, divisor))
                for bound in sorted(cofactors(divisor, products)):
                    if self._is_constant(bound):
                        found.append(ordered_products(name, bound, divisor))
                        found.append(ordered_products(second, bound, divisor))
            operands = space.operands.get(name)
            if operands is not None:
                parts = [different(one, one.renamed(other)) for one in operands]
                same = equal(Polynomial.name(name), Polynomial.name(second))
                found.append(disjunction((*parts, same)))
        return found

    def _flattened(
        self,
        axes: list[int],
        other: Mapping[str, str],
        difference: Polynomial,
        parts: list[Formula],
    ) -> tuple[set[int], Polynomial, list[Formula]]:
        """Everything in terms of the global index along the axes where that is all that counts."""
        flat: set[int] = set()
        for axis in axes:
            letter = AXES[axis]
            extent = self.model.extents[axis]
            thread, block, whole = f"threadIdx.{letter}", f"blockIdx.{letter}", f"global.{letter}"
            if thread not in self.model.space.infos:
                continue
            values: dict[str, Polynomial] = {}
            for mark in ("", "'"):
                start = extent * Polynomial.name(block + mark)
                values[thread + mark] = Polynomial.name(whole + mark) - start
            own = [  # what holds for all threads and blocks
                fact
                for mark in ("", "'")
                for fact in (
                    less(Polynomial.name(thread + mark), extent),
                    at_least(Polynomial.name(thread + mark), ZERO),
                    at_least(Polynomial.name(block + mark), ZERO),
                )
            ]
            kept = [part for part in conjuncts(conjunction(parts)) if part not in own]
            changed = [substituted(part, values) for part in kept]
            new = difference.substituted(values)
            left = set(new.names).union(*(names_of(part) for part in changed)) & {
                thread, block, f"{thread}'", f"{block}'"
            }  # fmt: skip
            if left:
                continue
            flat.add(axis)
            difference = new
            bounds = [at_least(Polynomial.name(whole + mark), ZERO) for mark in ("", "'")]
            parts = [*changed, *bounds]
        return flat, difference, parts

    def _named_axes(self) -> list[int]:
        """The axes whose threads or blocks the kernel tells apart."""
        if self.axes is None:
            space = self.model.space
            made = (one.names for one in self.model.accesses if one.index is not None)
            named = space.closure(frozenset[str]().union(*made)) | {
                name for name in space.infos if name.startswith("threadIdx.")
            }
            self.axes = [
                axis
                for axis, letter in enumerate(AXES)
                if f"threadIdx.{letter}" in named or f"blockIdx.{letter}" in named
            ]
        return self.axes

    def _is_constant(self, name: str) -> bool:
        """Is the value the same for all threads of the launch?"""
        if name.startswith(_EVERYWHERE_EQUAL):
            return True
        for key, known in self.model.space.by_key.items():
            if known == name and isinstance(key, tuple) and key:
                if key[0] == "literal":
                    return True
                if key[0] == "parameter" and isinstance(key[1], Symbol):
                    return not self.model.space.infos[name].varying
        return False


def _iteration(
    fact: Polynomial, counter: str, made: Polynomial, number: str, known: Iterable[Formula]
) -> Polynomial:
    """Which iteration of the loop with a counter it is in the iteration of that number of another
    loop: the same one, or the one as far from the last where the index falls that rises here."""
    same = Polynomial.name(number)
    if _factor(made, number) != -_factor(fact, counter):
        return same
    for one in known:
        if isinstance(one, Atom) and one.relation is Relation.NOT_NEGATIVE:
            last = one.polynomial + Polynomial.name(counter)
            if counter not in last.names:
                return last - same
    return same


def _factor(polynomial: Polynomial, name: str) -> Polynomial:
    """How much the polynomial rises with a name."""
    one = Polynomial.constant(1)
    return polynomial.substituted({name: Polynomial.name(name) + one}) - polynomial


def _size_of_shared(symbol: Symbol, element: CType | None) -> int | None:
    """How many elements a shared array of known size has."""
    if symbol.storage is not Storage.SHARED or element != symbol.type.innermost:
        return None
    size, ctype = 1, symbol.type
    while ctype.kind is TypeKind.ARRAY and ctype.element is not None:
        if ctype.extent is None:
            return None
        size, ctype = size * ctype.extent, ctype.element
    return size
