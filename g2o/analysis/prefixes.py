"""Prefix sums, and prefixes of other operators, by what each value is made of.

for (int d = 1; d < 32; d *= 2) {            Thread t has v_0 + ... + v_t, whatever the order
    int other = __shfl_up_sync(m, v, d);     that they were added in.
    if (lane >= d) v += other;
}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final, final

from g2o.analysis.contribution_places import bits_from
from g2o.analysis.contribution_values import Combined, Item, Start
from g2o.analysis.contributions import Contributions
from g2o.analysis.effects import symbols_in
from g2o.ir.expressions import Index, VarRef
from g2o.ir.statements import Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk

_FEWEST: Final = 4  # values of one row


@final
@dataclass(frozen=True, slots=True)
class Prefix:
    """What the values from the first on combine to, up to one's own; `exclusive`: without that.
    The first of them is at the bit `first` of the base."""

    base: Symbol
    operator: str
    exclusive: bool
    first: int = 0


@final
@dataclass(frozen=True, slots=True)
class Row:
    """`count` elements of a shared array, from `first` on, that hold prefixes."""

    array: Symbol
    first: int
    count: int
    prefix: Prefix


def prefix_of_threads(items: Sequence[Item], group: int) -> Prefix | None:
    """The prefix that a variable of each thread is, of what all threads of its group have."""
    if group < _FEWEST:
        return None
    found: Prefix | None = None
    for begin in range(0, len(items), group):
        one = _prefix(items[begin : begin + group])
        if one is None or one.first != begin:
            return None
        here = Prefix(one.base, one.operator, one.exclusive)
        if found is not None and here != found:
            return None
        found = here
    return found


def whole_of_row(items: Sequence[Item], row: Row | None) -> Combined | None:
    """What all values of a row combine to, if each of the items is that."""
    first = items[0]
    if row is None or not isinstance(first, Combined) or first.base is not row.prefix.base:
        return None
    if first.parts != bits_from(row.prefix.first, row.count):
        return None
    same = all(isinstance(one, Combined) and one.same_as(first) for one in items)
    return first if same else None


def prefix_in_array(array: Symbol, stored: Mapping[tuple[int, ...], Item]) -> Row | None:
    """The elements of an array that hold prefixes, of what it held before or of something else."""
    combined = {
        place[0]: item
        for place, item in stored.items()
        if len(place) == 1 and isinstance(item, Combined)
    }
    if not combined:
        return None
    last = max(combined, key=lambda place: combined[place].parts.bit_count())
    most = combined[last].parts.bit_count()
    base = combined[last].base
    for count in (most, most + 1):
        first = last - count + 1
        if count < _FEWEST or first < 0:
            continue
        items = [_held(array, place, stored, base) for place in range(first, last + 1)]
        prefix = _prefix(items)
        if prefix is None:
            continue
        apart = abs(prefix.first - first)
        if prefix.base is not array or apart == 0 or apart >= count:
            return Row(array, first, count, prefix)
    return None


def names_only(
    machine: Contributions,
    statements: Sequence[Stmt],
    array: Symbol,
    places: Set[tuple[int, ...]],
    changed: Set[Symbol],
) -> bool:
    """Do statements name no other elements of an array, by variables that keep their values?"""
    named = 0
    for node in (inner for one in statements for inner in walk(one)):
        if not isinstance(node, Index) or not isinstance(node.base, VarRef):
            continue
        if node.base.symbol is array:
            indices = None if symbols_in(node.index) & changed else machine.numbers(node.index)
            if indices is None or any((index,) not in places for index in indices):
                return False
            named += 1
    whole = (inner for one in statements for inner in walk(one))
    return named == sum(isinstance(one, VarRef) and one.symbol is array for one in whole)


def _held(array: Symbol, place: int, stored: Mapping[tuple[int, ...], Item], base: Symbol) -> Item:
    """What an element holds; one that nothing was stored to, what it did."""
    untouched = Combined(array, "", 1 << place) if base is array else None
    return stored.get((place,), untouched)


def _prefix(items: Sequence[Item]) -> Prefix | None:
    last = items[-1]
    if not isinstance(last, Combined) or not last.operator or last.start is not None:
        return None
    first = (last.parts & -last.parts).bit_length() - 1
    exclusive = not (isinstance(items[0], Combined))
    if exclusive and (last.operator != "add" or not _is_zero(items[0])):
        return None
    for position, item in enumerate(items):
        if exclusive and not position:
            continue
        if not isinstance(item, Combined) or item.base is not last.base or item.start is not None:
            return None
        if item.operator not in ("", last.operator):
            return None
        if item.parts != bits_from(first, position + (not exclusive)):
            return None
    return Prefix(last.base, last.operator, exclusive, first)


def _is_zero(item: Item) -> bool:
    return item == 0 or (isinstance(item, Start) and item.of == "add")
