"""Prefix sums that a group of threads works out together, added up by its first thread.

    for (int d = 1; d < 32; d *= 2) {                  __shared__ int scanned[256];
        int other = __shfl_up_sync(m, v, d);           scanned[threadIdx.x] = v;
        if (lane >= d) v += other;                     __syncthreads();
    }                                           ->     if (threadIdx.x == 0)
    if (lane == 31) sums[warp] = v;                        for (int i = 1; i < 256; ++i)
    __syncthreads();                                           scanned[i] += scanned[i - 1];
    ... the same of the sums ...                       __syncthreads();
    if (warp > 0) v += sums[warp - 1];                 v = scanned[threadIdx.x];

A CPU runs the threads one after the other: each value is added once, where a tree adds it as often
as it has levels. Where the source has the prefixes in an array of its own, they are made there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import final

from g2o.analysis.contribution_places import Outgoing, bits_from
from g2o.analysis.contribution_values import Combined, element_type
from g2o.analysis.contributions import Contributions
from g2o.analysis.prefixes import Prefix, Row
from g2o.ir.expressions import Assign, Binary, Conditional, Expr, Index, Literal, VarRef
from g2o.ir.statements import Block, Declare, ExprStatement, If, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.types import INT, CType, TypeKind, unqualified
from g2o.transforms.collective_groups import Group
from g2o.transforms.cub_operators import Operator
from g2o.transforms.cub_parts import ONE, ZERO, assign, counting, plus


@final
@dataclass(frozen=True, slots=True)
class Scan:
    """What is used of code that works out prefixes: the `row` that holds them, variables that do
    (`exclusive`: without the thread's own value), variables that all values are combined in, and
    what goes out of the latter."""

    prefix: Prefix
    row: Row | None
    variables: Mapping[Symbol, Prefix]
    totals: frozenset[Symbol]
    outgoing: tuple[Outgoing, ...]

    def statements(self, value: Expr, group: Group, symbols: SymbolTable) -> Scanned:
        """The code that does the same, with the `value` of each thread, or the row."""
        return _Maker(self, value, group, symbols).made()


def scan_of(
    row: Row | None,
    variables: Mapping[Symbol, Prefix],
    totals: Mapping[Symbol, Combined],
    machine: Contributions,
    differentiated: bool,
) -> Scan | None:
    """All that is used of a fragment, if it is one scan; where there is a row, of its values.
    Where it will be `differentiated`, an extreme is not taken for one: its element would be lost.
    """
    prefixes = [*variables.values(), *(() if row is None else (row.prefix,))]
    base, operator = prefixes[0].base, prefixes[0].operator
    if any(one.base is not base or one.operator != operator for one in prefixes):
        return None
    if differentiated and operator != "add":
        return None
    count = machine.group if row is None else row.count
    if row is not None and base.storage is Storage.LOCAL and count != machine.count:
        return None
    if row is not None and any(one.exclusive < row.prefix.exclusive for one in prefixes):
        return None
    if any(one.exclusive for one in prefixes) and operator != "add":
        return None
    first = prefixes[-1].first
    whole = Combined(base, operator, bits_from(first, count))
    taken = [*totals.values()]
    for one in machine.outgoing:
        taken += [item for item in one.items if item is not None]
    if any(not isinstance(item, Combined) or not item.same_as(whole) for item in taken):
        return None
    if machine.outgoing and row is None and machine.group != machine.count:
        return None
    return Scan(prefixes[-1], row, variables, frozenset(totals), tuple(machine.outgoing))


@final
@dataclass(frozen=True, slots=True)
class Scanned:
    """Statements, and where variables get their values from behind them."""

    statements: tuple[Stmt, ...]
    values: Mapping[Symbol, Expr]


@final
@dataclass(slots=True)
class _Maker:
    scan: Scan
    value: Expr
    group: Group
    symbols: SymbolTable

    def made(self) -> Scanned:
        scan, row = self.scan, self.scan.row
        statements: list[Stmt] = []
        if row is None:
            array = self._own_array(statements)
            begin, count = ZERO, self.group.size
        else:
            array, begin, count = row.array, _number(row.first), row.count
        first = begin if row is not None else self.group.first_rank()
        if row is not None and scan.prefix.base.storage is Storage.LOCAL:
            statements.append(self.group.barrier())  # others may still look at what it held
        if scan.prefix.base.storage is Storage.LOCAL:
            own = self._element(array, plus(self.group.rank, begin))
            statements.append(assign(own, self.value))
        statements.append(self.group.barrier())
        exclusive = self._is_exclusive
        total: Expr | None = None
        if exclusive and (scan.totals or scan.outgoing):
            symbol = self.group.variable("total", element_type(array), self.symbols, own=False)
            statements.append(self.group.declared(symbol))
            total = self.group.place(symbol)
        elif not exclusive:
            total = self._element(array, _number(count - 1, first))
        inner: tuple[Stmt, ...]
        if exclusive:
            inner = self._exclusive(array, first, count, total)
        else:
            inner = tuple(self._inclusive(array, first, count))
        statements.append(If(self.group.first, inner[0] if len(inner) == 1 else Block(inner)))
        statements.append(self.group.barrier())
        for one in scan.outgoing:
            assert total is not None
            statements.append(_under(one, total))
        values: dict[Symbol, Expr] = {}
        for symbol, prefix in scan.variables.items():
            values[symbol] = self._value(array, begin, prefix, exclusive)
        for symbol in scan.totals:
            assert total is not None
            values[symbol] = total
        return Scanned(tuple(statements), values)

    @property
    def _is_exclusive(self) -> bool:
        """Does the array hold the prefixes without the thread's own value?"""
        if self.scan.row is not None:
            return self.scan.row.prefix.exclusive
        return all(one.exclusive for one in self.scan.variables.values())

    def _own_array(self, statements: list[Stmt]) -> Symbol:
        """A shared array with an element for each thread of the block."""
        base = self.scan.prefix.base
        element = base.type if base.storage is Storage.LOCAL else element_type(base)
        spelled, count = unqualified(element), self.group.size * self.group.count
        extent = Literal(self.group.spelled, count, INT)
        inner = CType(spelled, element.kind, element.bits, element.is_signed)
        array = CType(f"{spelled}[{count}]", TypeKind.ARRAY, element=inner, extent=count)
        symbol = self.symbols.fresh("scanned", array, Storage.SHARED)
        variable = Variable(symbol, f"{spelled} ", f"[{extent.text}]", extents=(extent,))
        statements.append(Declare((variable,)))
        return symbol

    def _element(self, array: Symbol, index: Expr) -> Index:
        return Index(VarRef(array), index, element_type(array))

    def _value(self, array: Symbol, begin: Expr, prefix: Prefix, in_exclusive: bool) -> Expr:
        """The prefix of a thread, from the array."""
        rank = self.group.rank
        if prefix.exclusive == in_exclusive:
            return self._element(array, plus(rank, begin))
        assert not in_exclusive
        before = self._element(array, Binary("-", plus(rank, begin), ONE, rank.type))
        zero = Literal("0", 0, element_type(array))
        return Conditional(self.group.first, zero, before, before.type)

    def _inclusive(self, array: Symbol, first: Expr, count: int) -> Iterator[Stmt]:
        source, begin = self._source(array, first)
        is_apart = source is not array or begin != first
        if is_apart:
            yield assign(self._element(array, first), self._element(source, begin))
        operator = Operator(self.scan.prefix.operator)

        def step(i: Expr) -> list[Stmt]:
            place = self._element(array, _sum(first, i))
            before = self._element(array, Binary("-", _sum(first, i), ONE, INT))
            if not is_apart:
                return [operator.update(place, before)]
            value = self._element(source, _sum(begin, i))
            return [assign(place, operator.combined(before, value, place.type))]

        yield counting(self._count(count), step, self.symbols, ONE)

    def _exclusive(
        self, array: Symbol, first: Expr, count: int, total: Expr | None
    ) -> tuple[Stmt, ...]:
        source, begin = self._source(array, first)
        spelled = unqualified(element_type(array))
        total_so_far = self.symbols.fresh("sum", element_type(array), Storage.LOCAL)

        def step(i: Expr) -> list[Stmt]:
            value = self.symbols.fresh("value", element_type(array), Storage.LOCAL)
            loaded = self._element(source, _sum(begin, i))
            return [
                Declare((Variable(value, f"const {spelled} ", "", loaded, "="),)),
                assign(self._element(array, _sum(first, i)), VarRef(total_so_far)),
                assign(VarRef(total_so_far), VarRef(value), "+="),
            ]

        zero = Declare((Variable(total_so_far, f"{spelled} ", "", ZERO, "="),))
        loop = counting(self._count(count), step, self.symbols)
        last = () if total is None else (assign(total, VarRef(total_so_far)),)
        return (zero, loop, *last)

    def _count(self, count: int) -> Expr:
        if count == self.group.size and self.group.count == 1:
            return Literal(self.group.spelled, count, INT)
        return _number(count)

    def _source(self, array: Symbol, first: Expr) -> tuple[Symbol, Expr]:
        """Where the values come from. An element of shared memory for each thread of the block has
        the rank of the thread (`prefix_of_threads`)."""
        prefix = self.scan.prefix
        if prefix.base.storage is Storage.LOCAL:
            return array, first
        return prefix.base, first if self.scan.row is None else _number(prefix.first)


def _under(outgoing: Outgoing, value: Expr) -> Stmt:
    target = outgoing.target
    stored: Stmt = ExprStatement(Assign("=", target, value, target.type))
    for condition in reversed(outgoing.conditions):
        stored = If(condition, stored)
    return stored


def _number(value: int, more: Expr = ZERO) -> Expr:
    number = Literal(str(value), value, INT)
    return number if more == ZERO else Binary("+", more, number, INT)


def _sum(first: Expr, i: Expr) -> Expr:
    return i if first == ZERO else Binary("+", first, i, INT)
