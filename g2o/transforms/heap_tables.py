"""Tables of rows that a C function allocates one by one, as one array of all rows.

    double **u = malloc(n * sizeof(double *));    double *u = malloc(n * (m * sizeof(double)));
    for (int i = 0; i < n; i++)
        u[i] = malloc(m * sizeof(double));
    u[i][j] = u[i - 1][j];                   ->   u[i * m + j] = u[(i - 1) * m + j];
    for (int i = 0; i < n; i++)
        free(u[i]);
    free(u);                                      free(u);

Pointers to tables may be exchanged: all of those that may lead to one have rows of one size. Legal
where nothing else is done to a table than to read where its rows are, where these get their memory
behind the table, and where the size of a row is the same at all times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.analysis.copied_elements import copied_count, with_sizes_of
from g2o.analysis.effects import EffectsOf, symbols_in
from g2o.analysis.liveness import Liveness, liveness
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Code,
    Expr,
    Form,
    Index,
    Literal,
    Paren,
    Unary,
    VarRef,
    Verbatim,
    strip_parens,
)
from g2o.ir.kernel import Function
from g2o.ir.statements import Block, Declare, Empty, ExprStatement, For, Node, Stmt, Variable
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT, CType, TypeKind, unqualified
from g2o.transforms.heap_arrays import sizes_by_parameters

_SIZE: Final = CType("size_t", TypeKind.INTEGER, 64, is_signed=False)


def with_tables_in_one(function: Function, effects: EffectsOf) -> Function:
    """The function with its own tables as arrays, where each of them can be one."""
    body = function.body
    candidates = {
        one.symbol
        for node in walk(body)
        if isinstance(node, Declare)
        for one in node.variables
        if is_table(one.symbol.type) and not one.extents
    }
    if not candidates:
        return function
    found = _Tables(candidates, sizes_by_parameters(function, effects))
    body = with_sizes_by_types(body, candidates)
    found.look_at(body)
    tables = found.usable()
    if not tables:
        return function
    return replace(function, body=_Flattening(tables, liveness(body)).of(body))


def without_body(loop: For, live: Liveness) -> Stmt:
    """A loop that does nothing but count: nothing is left of it where nobody asks how far."""
    head = (loop.initial, loop.condition, loop.increment)
    counted = {one for part in head if part for node in walk(part) for one in _counted(node)}
    if counted.isdisjoint(live.after(loop)):
        return Empty(trivia=loop.trivia)
    return replace(loop, body=Block(()), form=Form.BUILT)


def _counted(node: Node) -> set[Symbol]:
    match node:
        case Assign(target=target) | Unary(op="++" | "--", operand=target):
            return symbols_in(target)
        case _:
            return set()


def is_table(ctype: CType) -> bool:
    """Is it a pointer to pointers to numbers?"""
    rows = ctype.element
    if ctype.kind is not TypeKind.POINTER or rows is None or rows.kind is not TypeKind.POINTER:
        return False
    return rows.element is not None and rows.element.is_arithmetic


def with_sizes_by_types(body: Block, tables: Collection[Symbol]) -> Block:
    """The body with sizes of what tables lead to by their types: `sizeof **u` looks at no table.
    Their first row is spelled as one."""
    for one in sorted(tables, key=lambda symbol: symbol.id):
        body = with_sizes_of(body, one)

    def replacement(node: Node) -> Node | None:
        match node:
            case Unary(op="*", operand=VarRef(symbol=symbol) as table) if symbol in tables:
                return Index(table, Literal("0", 0, INT), node.type, span=node.span)
            case _:
                return None

    return rewrite(body, replacement)


def _allocation(value: Expr) -> Call | None:
    inner = without_casts(value)
    sizes = {"malloc": 1, "calloc": 2}
    is_one = isinstance(inner, Call) and sizes.get(inner.name) == len(inner.arguments)
    return inner if is_one and isinstance(inner, Call) else None


def _count(call: Call, table: Symbol, element: CType) -> Expr | None:
    """How many elements an allocation for a table, or for a row of it, has place for."""
    first, *others = (with_sizes_of(one, table) for one in call.arguments)
    size = Binary("*", first, others[0], _SIZE) if others else first
    while isinstance(size, (Paren, Cast)):
        size = size.inner if isinstance(size, Paren) else size.operand
    return copied_count(size, element, ())


@final
@dataclass(frozen=True, slots=True)
class _Rows:
    """How a row is allocated, and how many numbers are in it."""

    call: Call
    count: Expr


@final
@dataclass(slots=True)
class _Tables:
    """What is done to the `candidates`. `by_parameters` gives sizes that stay the same."""

    candidates: Collection[Symbol]
    by_parameters: Callable[[Expr], Expr | None]
    spoiled: set[Symbol] = field(default_factory=set[Symbol])
    linked: dict[Symbol, set[Symbol]] = field(default_factory=dict[Symbol, set[Symbol]])
    allocated: Counter[Symbol] = field(default_factory=Counter[Symbol])
    filled: Counter[Symbol] = field(default_factory=Counter[Symbol])
    rows: dict[Symbol, list[_Rows]] = field(default_factory=dict[Symbol, list[_Rows]])

    def look_at(self, body: Block) -> None:
        known: set[int] = set()  # the names that are understood
        for node in walk(body):
            match node:
                case Declare(variables=variables):
                    for one in variables:
                        if one.symbol in self.candidates and one.initial is not None:
                            self._begins(one.symbol, one.initial, known)
                case Assign(op="=", target=VarRef(symbol=symbol) as target, value=value):
                    if symbol in self.candidates:
                        known.add(id(target))
                        self._begins(symbol, value, known)
                case Assign(target=Index(base=VarRef(symbol=symbol)) as target, value=value):
                    if symbol in self.candidates:
                        self._row(symbol, target, value)
                case Index(base=VarRef(symbol=symbol) as base) if symbol in self.candidates:
                    known.add(id(base))
                case Call() | Unary(op="!") | Binary():
                    known |= set(map(id, asked_of(node)))
                case Unary(op="&" | "++" | "--", operand=operand):
                    if isinstance(row := strip_parens(operand), Index):
                        self.spoiled |= {one for one in (_root(row),) if one is not None}
                case Block(statements=statements):
                    self._in_turn(statements)
                case _:
                    pass
        for node in walk(body):
            if isinstance(node, VarRef) and node.symbol in self.candidates:
                if id(node) not in known:
                    self.spoiled.add(node.symbol)

    def _begins(self, symbol: Symbol, value: Expr, known: set[int]) -> None:
        inner = strip_parens(value)
        if isinstance(inner, VarRef) and inner.symbol in self.candidates:
            known.add(id(inner))
            self.linked.setdefault(symbol, set()).add(inner.symbol)
            self.linked.setdefault(inner.symbol, set()).add(symbol)
            return
        call, rows = _allocation(value), symbol.type.element
        self.allocated[symbol] += 1
        if call is None or rows is None or _count(call, symbol, rows) is None:
            self.spoiled.add(symbol)
            return

    def _in_turn(self, statements: tuple[Stmt, ...]) -> None:
        """Tables that get memory, and rows that get theirs in a loop behind that."""
        bare: set[Symbol] = set()
        for one in statements:
            match one:
                case Declare(variables=variables):
                    bare |= {v.symbol for v in variables if v.initial and _allocation(v.initial)}
                case ExprStatement(expr=Assign(target=VarRef(symbol=symbol), value=value)):
                    bare |= {symbol} if _allocation(value) else set()
                case For(body=body):
                    inside = body.statements if isinstance(body, Block) else (body,)
                    for inner in inside:
                        match inner:
                            case ExprStatement(
                                expr=Assign(target=Index(base=VarRef(symbol=table)))
                            ) if table in bare:
                                self.filled[table] += 1
                                bare.discard(table)
                            case _:
                                pass
                case _:
                    pass

    def _row(self, symbol: Symbol, target: Index, value: Expr) -> None:
        call, element = _allocation(value), target.type.element
        count = None if call is None or element is None else _count(call, symbol, element)
        count = None if count is None else self.by_parameters(count)
        if call is None or count is None:
            self.spoiled.add(symbol)
            return
        self.rows.setdefault(symbol, []).append(_Rows(call, count))

    def usable(self) -> dict[Symbol, _Rows]:
        """The tables that can be one array, each with its rows."""
        found: dict[Symbol, _Rows] = {}
        for first in self.candidates:
            group = linked_with(first, self.linked)
            rows = [one for each in group for one in self.rows.get(each, ())]
            alike = bool(rows) and all(
                one.count == rows[0].count and one.call.name == rows[0].call.name for one in rows
            )
            alike = alike and all(
                self.allocated[one] == self.filled[one] == len(self.rows.get(one, ()))
                for one in group
            )
            if alike and group.isdisjoint(self.spoiled):
                found[first] = rows[0]
        return found


def asked_of(node: Node) -> tuple[Expr, ...]:
    """What is freed, or compared: a table may be without being seen by others."""
    match node:
        case Call(name="free", arguments=(read,)) | Unary(op="!", operand=read):
            return (without_casts(read),)
        case Binary(op="==" | "!=", left=left, right=right):
            return without_casts(left), without_casts(right)
        case _:
            return ()


def without_casts(expr: Expr) -> Expr:
    """What is converted, or stands in parentheses."""
    inner = strip_parens(expr)
    return without_casts(inner.operand) if isinstance(inner, Cast) else inner


def linked_with(first: Symbol, linked: Mapping[Symbol, set[Symbol]]) -> set[Symbol]:
    """The pointers that may lead to the same table."""
    group, pending = {first}, [first]
    while pending:
        new = linked.get(pending.pop(), set()) - group
        group |= new
        pending += new
    return group


@final
@dataclass(slots=True)
class _Flattening:
    tables: dict[Symbol, _Rows]
    live: Liveness
    new: dict[Symbol, Symbol] = field(default_factory=dict[Symbol, Symbol])

    def of(self, body: Block) -> Block:
        for one in self.tables:
            rows = one.type.element
            assert rows is not None
            self.new[one] = replace(one, type=rows)
        return rewrite(body, self._replacement)

    def _replacement(self, node: Node) -> Node | None:
        match node:
            case Declare(variables=variables) if any(one.symbol in self.new for one in variables):
                own = tuple(map(self._variable, variables))
                return replace(node, variables=own, form=Form.BUILT)
            case Assign(op="=", target=VarRef(symbol=symbol), value=value) if symbol in self.new:
                new = self.new[symbol]
                made = self._value(symbol, value)
                return replace(node, target=VarRef(new), value=made, type=new.type, form=Form.BUILT)
            case ExprStatement(expr=expr) if self._is_of_row(expr):
                return Empty(trivia=node.trivia)
            case For(body=inner) if self._only_of_rows(inner):
                return without_body(node, self.live)
            case Index(base=Index(base=VarRef(symbol=symbol), index=row), index=column):
                if symbol not in self.new:
                    return None
                place = Binary("+", self._first(symbol, row), self._of(column), INT)
                return Index(VarRef(self.new[symbol]), place, node.type, span=node.span)
            case Index(base=VarRef(symbol=symbol), index=row) if symbol in self.new:
                new = self.new[symbol]
                return Binary("+", VarRef(new), self._first(symbol, row), new.type)
            case VarRef(symbol=symbol) if symbol in self.new:
                return VarRef(self.new[symbol])
            case _:
                return None

    def _of(self, expr: Expr) -> Expr:
        return rewrite(expr, self._replacement)

    def _first(self, symbol: Symbol, row: Expr) -> Expr:
        count = self.tables[symbol].count
        factors = [_factor(self._of(row)), _factor(count)]
        return Binary("*", factors[0], factors[1], INT)

    def _variable(self, variable: Variable) -> Variable:
        new = self.new.get(variable.symbol)
        initial = variable.initial
        if new is None:
            return replace(variable, initial=None if initial is None else self._of(initial))
        made = None if initial is None else self._value(variable.symbol, initial)
        return replace(variable, symbol=new, declared=new.type.spelling, suffix="", initial=made)

    def _value(self, symbol: Symbol, value: Expr) -> Expr:
        call, rows = _allocation(value), symbol.type.element
        if call is None or rows is None:
            return self._of(value)
        count = _count(call, symbol, rows)
        assert count is not None
        of_row, element = self.tables[symbol], rows.element
        assert element is not None
        whole = Binary("*", Cast(_factor(count), _SIZE), _factor(of_row.count), _SIZE)
        size = Code((f"sizeof({unqualified(element)})",), type=_SIZE)
        is_cleared = len(of_row.call.arguments) == 2
        bytes_ = (whole, size) if is_cleared else (Binary("*", whole, size, _SIZE),)
        return replace(of_row.call, arguments=bytes_, form=Form.BUILT, span=None)

    def _is_of_row(self, expr: Expr) -> bool:
        """Does it allocate a row, or free one?"""
        match expr:
            case Assign(target=Index(base=VarRef(symbol=symbol))):
                return symbol in self.new
            case Call(name="free", arguments=(Index(base=VarRef(symbol=symbol)),)):
                return symbol in self.new
            case _:
                return False

    def _only_of_rows(self, body: Stmt) -> bool:
        statements = body.statements if isinstance(body, Block) else (body,)
        return bool(statements) and all(
            isinstance(one, ExprStatement) and self._is_of_row(one.expr) for one in statements
        )


def _root(row: Index) -> Symbol | None:
    """The table of which it is a row, or a part of one."""
    base = strip_parens(row.base)
    return base.symbol if isinstance(base, VarRef) else None


def _factor(expr: Expr) -> Expr:
    inner = strip_parens(expr)
    return inner if isinstance(inner, (VarRef, Literal, Verbatim)) else Paren(inner, inner.type)
