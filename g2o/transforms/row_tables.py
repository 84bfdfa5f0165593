"""Tables of pointers to the rows of one array, as pointers to that array.

    double *data = malloc(n * m * 8);                  double *data = malloc(n * m * 8);
    double **u = malloc(n * sizeof(double *));
    for (int i = 0; i < n; i++)
        u[i] = data + i * m;                     ->    double *u = data;
    u[i][j] = u[i - 1][j];                             u[i * m + j] = u[(i - 1) * m + j];
    free(u[0]);                                        free(u);
    free(u);

So where the first row gets the memory of all, `u[0] = malloc(...)`, `u[i] = u[0] + i * m`, and
where a pointer that nobody looks at behind the loop walks from row to row: `u[i] = p; p += m;`.
Legal where nothing else is done to a table than to read where its rows are, which are set once, and
where the length of a row is the same at all times. Counters that are looked at behind still count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeVar, final

from g2o.analysis.allocations import is_allocation
from g2o.analysis.effects import EffectsOf, statements_of
from g2o.analysis.liveness import Liveness, liveness
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Expr,
    Form,
    Index,
    Literal,
    Paren,
    Unary,
    VarRef,
    integer_value,
    is_variable,
    strip_parens,
)
from g2o.ir.kernel import Function
from g2o.ir.statements import (
    NO_TRIVIA,
    Block,
    Declare,
    Empty,
    ExprStatement,
    For,
    Node,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT, CType, TypeKind, unqualified
from g2o.transforms.heap_arrays import sizes_by_parameters
from g2o.transforms.heap_tables import (
    asked_of,
    is_table,
    linked_with,
    with_sizes_by_types,
    without_body,
    without_casts,
)
from g2o.transforms.loop_heads import find_head

N = TypeVar("N", bound=Node)


def with_row_tables_as_pointers(function: Function, effects: EffectsOf) -> Function:
    """The function without such tables."""
    declared = [v for n in walk(function.body) if isinstance(n, Declare) for v in n.variables]
    candidates = {one.symbol for one in declared if is_table(one.symbol.type) and not one.extents}
    if not candidates:
        return function
    body = with_sizes_by_types(function.body, candidates)
    tables = _Tables(candidates, sizes_by_parameters(function, effects), liveness(body))
    tables.look_at(body)
    lengths = tables.usable()
    if not lengths:
        return function
    return replace(function, body=_Plain(lengths, tables).of(body))


def _is_memory(value: Expr) -> bool:
    return is_allocation(without_casts(value))


def _pointer(expr: Expr) -> Expr:
    """What a pointer is that is converted to one of the same type."""
    inner = strip_parens(expr)
    if isinstance(inner, Cast) and _element(inner.type) == _element(inner.operand.type) != "":
        return _pointer(inner.operand)
    return inner


def _element(ctype: CType) -> str:
    return "" if ctype.element is None else unqualified(ctype.element)


def _row_of(place: Expr) -> tuple[Symbol, Expr] | None:
    """The table and the number of a row."""
    match _pointer(place):
        case Index(base=VarRef(symbol=symbol), index=index):
            return symbol, index
        case _:
            return None


@final
@dataclass(frozen=True, slots=True)
class _Rows:
    """Where the rows begin, or None for the memory of the first one, and how long one is."""

    loop: For
    begin: Expr | None
    length: Expr


@final
@dataclass(slots=True)
class _Tables:
    """What is done to the `candidates`. `by_parameters` gives lengths that stay the same."""

    candidates: set[Symbol]
    by_parameters: Callable[[Expr], Expr | None]
    live: Liveness
    spoiled: set[Symbol] = field(default_factory=set[Symbol])
    linked: dict[Symbol, set[Symbol]] = field(default_factory=dict[Symbol, set[Symbol]])
    rows: dict[Symbol, list[_Rows]] = field(default_factory=dict[Symbol, list[_Rows]])
    first: dict[Symbol, int] = field(default_factory=dict[Symbol, int])  # times it is set

    def look_at(self, body: Block) -> None:
        known: set[int] = set()
        for node in walk(body):
            if isinstance(node, For):
                self._loop(node, known)
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
                case Assign(target=Index(base=VarRef(symbol=symbol)) as target):
                    if symbol in self.candidates and id(target) not in known:
                        is_first = node.op == "=" and integer_value(target.index) == 0
                        self.first[symbol] = self.first.get(symbol, 0) + is_first
                        self.spoiled |= set[Symbol]() if is_first else {symbol}
                case Index(base=VarRef(symbol=symbol) as base) if symbol in self.candidates:
                    known.add(id(base))
                case Call() | Unary(op="!") | Binary():
                    known |= set(map(id, asked_of(node)))
                case Unary(op="&" | "++" | "--", operand=operand):
                    row = _row_of(operand)
                    self.spoiled |= set[Symbol]() if row is None else {row[0]}
                case _:
                    pass
        for node in walk(body):
            if isinstance(node, VarRef) and node.symbol in self.candidates:
                if id(node) not in known:
                    self.spoiled.add(node.symbol)

    def _begins(self, symbol: Symbol, value: Expr, known: set[int]) -> None:
        inner = _pointer(value)
        if isinstance(inner, VarRef) and inner.symbol in self.candidates:
            known.add(id(inner))
            self.linked.setdefault(symbol, set()).add(inner.symbol)
            self.linked.setdefault(inner.symbol, set()).add(symbol)
        elif not _is_memory(value):
            self.spoiled.add(symbol)

    def _loop(self, loop: For, known: set[int]) -> None:
        """`u[i] = begin + i * length` for all i."""
        head = find_head(loop)
        match statements_of(loop.body):
            case (ExprStatement(expr=Assign(op="=", target=Index() as target, value=value)), *more):
                row = _row_of(target)
            case _:
                return
        if head is None or head.stride != 1 or row is None or row[0] not in self.candidates:
            return
        table, index = head.index.symbol, row[1]
        if not is_variable(index, table):
            return
        first = integer_value(head.first)
        if more:
            found = self._walked(loop, value, more) if first == 0 else None
        else:
            found = self._placed(row[0], value, table, first)
        if found is not None:
            begin, length = found
            self.rows.setdefault(row[0], []).append(_Rows(loop, begin, length))
            known.add(id(target))

    def _walked(self, loop: For, value: Expr, more: list[Stmt]) -> tuple[Expr, Expr] | None:
        """Where the rows begin that a pointer walks along, and how long each of them is."""
        place = _pointer(value)
        match more:
            case [ExprStatement(expr=Assign(op="+=", target=VarRef() as walking, value=step))]:
                pass
            case _:
                return None
        if place != walking or walking.symbol in self.live.after(loop):
            return None
        length = self.by_parameters(without_casts(step))
        is_own = walking.symbol.storage is Storage.LOCAL
        return (walking, length) if is_own and length is not None else None

    def _placed(
        self, symbol: Symbol, value: Expr, index: Symbol, first: int | None
    ) -> tuple[Expr | None, Expr] | None:
        """Where the rows begin, and how long each of them is."""
        inner = _pointer(value)
        if isinstance(inner, Unary) and inner.op == "&":
            place = strip_parens(inner.operand)
            if not isinstance(place, Index):
                return None
            base, distance = place.base, place.index
        elif isinstance(inner, Binary) and inner.op == "+" and inner.type.kind is TypeKind.POINTER:
            pointers = [one.type.is_indirect for one in (inner.left, inner.right)]
            base, distance = (inner.left, inner.right) if pointers[0] else (inner.right, inner.left)
        else:
            return None
        row = _row_of(base)
        if row is not None and row[0] == symbol:
            step = first == 1 and is_variable(_before(row[1]), index)  # `u[i - 1] + m`
            length = distance if step else _length(distance, index)
            is_first = first == 1 and (step or integer_value(row[1]) == 0)
            begin: Expr | None = None
        else:
            length, begin = _length(distance, index), base
            is_first = first == 0 and isinstance(_pointer(base), VarRef)
            is_first = is_first and _element(base.type) == _element(value.type)
        length = None if length is None else self.by_parameters(without_casts(length))
        return (begin, length) if is_first and length is not None else None

    def usable(self) -> dict[Symbol, Expr]:
        """The lengths of the rows of tables that can be plain pointers."""
        found: dict[Symbol, Expr] = {}
        for first in self.candidates:
            group = linked_with(first, self.linked)
            rows = [one for each in group for one in self.rows.get(each, ())]
            begun = sum(self.first.get(one, 0) for one in group)
            whole = len(rows) == 1 and begun == (rows[0].begin is None)
            if whole and group.isdisjoint(self.spoiled):
                found[first] = rows[0].length
        return found


def _before(index: Expr) -> Expr:
    """`i` of `i - 1`."""
    match without_casts(index):
        case Binary(op="-", left=left, right=right) if integer_value(right) == 1:
            return left
        case other:
            return other


def _length(distance: Expr, index: Symbol) -> Expr | None:
    """`m` of `i * m`."""
    match without_casts(distance):
        case Binary(op="*", left=left, right=right) if is_variable(without_casts(left), index):
            return right
        case Binary(op="*", left=left, right=right) if is_variable(without_casts(right), index):
            return left
        case _:
            return None


@final
@dataclass(slots=True)
class _Plain:
    lengths: dict[Symbol, Expr]
    tables: _Tables
    new: dict[Symbol, Symbol] = field(default_factory=dict[Symbol, Symbol])

    def of(self, body: Block) -> Block:
        for one in self.lengths:
            rows = one.type.element
            assert rows is not None
            self.new[one] = replace(one, type=rows)
        return rewrite(body, self._replacement)

    def _replacement(self, node: Node) -> Node | None:
        match node:
            case Block(statements=statements) if any(map(self._sets, statements)):
                made = [self._of(one) for one in statements]
                flat = [
                    part
                    for one, new in zip(statements, made, strict=True)
                    for part in (statements_of(new) if self._sets(one) else (new,))
                ]
                return replace(node, statements=tuple(flat), form=Form.BUILT)
            case For():
                return self._setting(node)
            case Declare(variables=variables) if any(one.symbol in self.new for one in variables):
                own = tuple(map(self._variable, variables))
                return replace(node, variables=own, form=Form.BUILT)
            case ExprStatement(expr=Assign(target=VarRef(symbol=symbol), value=value)) if (
                symbol in self.new and _is_memory(value)
            ):
                return Empty(trivia=node.trivia)
            case ExprStatement(expr=Call(name="free", arguments=(freed,))):
                inner = without_casts(freed)
                is_table = isinstance(inner, VarRef) and inner.symbol in self.new
                return Empty(trivia=node.trivia) if is_table else None
            case Assign(target=Index(base=VarRef(symbol=symbol)), value=value) if (
                symbol in self.new
            ):
                new = self.new[symbol]
                return Assign("=", VarRef(new), self._of(value), new.type, span=node.span)
            case Index(base=Index(base=VarRef(symbol=symbol), index=row), index=column):
                if symbol not in self.new:
                    return None
                place = self._of(column)
                if integer_value(row) != 0:
                    place = Binary("+", self._first(symbol, row), place, INT)
                return Index(VarRef(self.new[symbol]), place, node.type, span=node.span)
            case Index(base=VarRef(symbol=symbol), index=row) if symbol in self.new:
                new = self.new[symbol]
                if integer_value(row) == 0:
                    return VarRef(new)
                return Binary("+", VarRef(new), self._first(symbol, row), new.type)
            case VarRef(symbol=symbol) if symbol in self.new:
                return VarRef(self.new[symbol])
            case _:
                return None

    def _of(self, node: N) -> N:
        return rewrite(node, self._replacement)

    def _sets(self, statement: Stmt) -> bool:
        return any(rows.loop is statement for _, rows in self._rows())

    def _setting(self, loop: For) -> Stmt | None:
        """What takes the place of the loop that sets a table."""
        for table, rows in self._rows():
            if rows.loop is loop:
                counted = without_body(loop, self.tables.live)
                if rows.begin is None:
                    return counted
                new = self.new[table]
                made = Assign("=", VarRef(new), self._of(rows.begin), new.type)
                set_ = ExprStatement(made, trivia=loop.trivia, span=loop.span)
                if isinstance(counted, Empty):
                    return set_
                return Block((set_, replace(counted, trivia=NO_TRIVIA)))
        return None

    def _rows(self) -> Iterator[tuple[Symbol, _Rows]]:
        for table in self.new:
            yield from ((table, one) for one in self.tables.rows.get(table, ()))

    def _first(self, symbol: Symbol, row: Expr) -> Expr:
        return Binary("*", _factor(self._of(row)), _factor(self.lengths[symbol]), INT)

    def _variable(self, variable: Variable) -> Variable:
        new, initial = self.new.get(variable.symbol), variable.initial
        if new is None:
            return replace(variable, initial=None if initial is None else self._of(initial))
        made = None if initial is None or _is_memory(initial) else self._of(initial)
        return replace(variable, symbol=new, declared=new.type.spelling, suffix="", initial=made)


def _factor(expr: Expr) -> Expr:
    inner = strip_parens(expr)
    return inner if isinstance(inner, (VarRef, Literal)) else Paren(inner, inner.type)
