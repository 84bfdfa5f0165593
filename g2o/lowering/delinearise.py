"""A loop whose iterations find their place by division becomes a loop over rows and one inside.

    for (int e = 0; e < count; ++e) {           for (int row = 0; row < rows; ++row) {
        int row = e / width;                        const int end = min(width, count - row * width);
        int col = e % width;             ->         for (int col = 0; col < end; ++col) {
        out[e] = x[row] * y[col];                       int e = row * width + col;
    }                                                   out[e] = x[row] * y[col];
                                                    }
                                                }

No division is left in the inner loop, whose iterations are neighbours in memory and can be vector
lanes, and comparisons with the place become its bounds. It is the inverse of coalescing loops
(Wolfe, "High Performance Compilers for Parallel Computing", 1996, 9.7). Higher digits
(`analysis/mixed_radix.py`) are found from the row, once for all of it.

Legal because the iterations run in the order in which they did. The divisor is the same for all of
them and positive: a loop that runs would divide by zero otherwise, or step backwards, which is
asserted. A product of extents is left alone: it is a plane, of which there may be few, and rows
are what CPU threads share. So is a quotient alone, unless all of a row is added to one place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.analysis.definitions import constants_of, written_after_declaration
from g2o.analysis.effects import declared_in, statements_of, symbols_in
from g2o.analysis.mixed_radix import Digit, Digits, Factors, product_of, without
from g2o.ir.comments import comments_of
from g2o.ir.expressions import (
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Form,
    Literal,
    Paren,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    ExprStatement,
    If,
    Jump,
    Node,
    Return,
    Stmt,
    Text,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, rename_symbols, rewrite, walk
from g2o.ir.types import BOOL, CType, TypeKind
from g2o.lowering.context import LoweringContext, is_invariant, minimum
from g2o.lowering.indices import block_of
from g2o.lowering.simd import may_vectorise
from g2o.lowering.single_declarations import apart
from g2o.lowering.stride_loops import collapsed_loops

Statements = tuple[Stmt, ...]

_FEW: Final = 16
"""Neighbours that are too few to be worth a loop of their own."""


def delinearise(context: LoweringContext, statements: Statements) -> Statements:
    """Make nests of the loops over threads that divide their index by the length of a row."""
    constants = constants_of(block_of(statements), context.effects)
    whole = _Delinearisation(context, constants, collapsed_loops(statements))
    return whole.sequence(statements)


@final
@dataclass(slots=True)
class _Delinearisation:
    context: LoweringContext
    constants: dict[Symbol, Expr]
    collapsed: set[int]

    def sequence(self, statements: Statements) -> Statements:
        """The statements themselves where no loop changes."""
        new = [self._statement(one) for one in statements]
        if all(some[0] is old for some, old in zip(new, statements, strict=True)):
            return statements
        return tuple(one for some in new for one in some)

    def _statement(self, statement: Stmt) -> Statements:
        found = self._loop(statement) if isinstance(statement, CountedLoop) else None
        return (rewrite(statement, self._inside),) if found is None else found

    def _inside(self, node: Node) -> Node | None:
        match node:
            case Block(statements=inner):
                new = self.sequence(inner)
                return node if new is inner else replace(node, statements=new, form=Form.BUILT)
            case CountedLoop():
                found = self._loop(node)
                return None if found is None else block_of(found)
            case _:
                return None

    def _loop(self, loop: CountedLoop) -> Statements | None:
        parallel = loop.pragma.startswith("omp parallel for")
        if id(loop) in self.collapsed or "collapse" in loop.pragma:
            return None
        if loop.index.storage is not Storage.INDEX or loop.step is not None:
            return None
        if integer_value(loop.lower) != 0 or not (parallel or loop.pragma in ("", "omp simd")):
            return None
        statements = tuple(one for some in statements_of(loop.body) for one in apart(some))
        digits = Digits(loop.index, self.constants)
        width = _row_length(digits, statements)
        if width is None or not self._stays(width, loop):
            return None
        # Compilers divide by numbers without a division: only vectors are worth a loop more.
        constant = all(integer_value(factor) is not None for factor in width)
        if (constant or not parallel) and not may_vectorise(loop.body):
            return None
        if not parallel and _whole_rows(loop, digits, width) is None:
            return None
        return _Nest(self.context, loop, statements, digits, width).built()

    def _stays(self, width: Factors, loop: CountedLoop) -> bool:
        effects = self.context.effects
        changing = {loop.index, *declared_in(loop.body), *effects.of(loop.body).writes}
        return all(
            is_invariant(factor, effects, changing) and _fits(factor, loop.index.type)
            for factor in width
        )


@final
@dataclass(slots=True)
class _Nest:
    """`row` and `column` are what the index of `loop` is divided into by the product of `width`."""

    context: LoweringContext
    loop: CountedLoop
    statements: Statements
    digits: Digits
    width: Factors
    row: Symbol = field(init=False)
    column: Symbol = field(init=False)
    gone: set[Symbol] = field(default_factory=set[Symbol])
    comments: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.column = self._counter(Digit((), self.width), "column")
        self.row = self._counter(Digit(self.width), "row")

    def _counter(self, digit: Digit, wish: str) -> Symbol:
        """A variable that holds the digit, and does not change; or a new one."""
        own = self._number
        holds = [own, *(one.type for one in self.width if digit.high and len(self.width) == 1)]
        for one in self.statements:
            for symbol in _declared(one) & self.digits.values.keys():
                kind = next((ctype for ctype in holds if _same_number(symbol.type, ctype)), None)
                if kind is not None and self.digits.of(self.digits.values[symbol]) == digit:
                    self.gone.add(symbol)
                    self.comments += comments_of(one)
                    return replace(symbol, type=_unqualified(kind), storage=Storage.INDEX)
        return self.context.symbols.fresh(wish, own, Storage.INDEX)

    @property
    def _number(self) -> CType:
        """The type of the index."""
        return _unqualified(self.loop.index.type)

    # -- the loops --------------------------------------------------------------------------------

    def built(self) -> Statements:
        loop = self.loop
        kept = [one for one in self.statements if not (_declared(one) & self.gone)]
        body = rewrite(block_of(kept), self._replaced)
        body = rename_symbols(body, {one: one for one in (self.row, self.column)})
        outer, inner = self._hoisted(statements_of(body))
        if loop.index in symbols_in(block_of(inner)):
            inner = (self._index(), *inner)
        simd = may_vectorise(block_of(inner))
        parallel = loop.pragma.startswith("omp parallel")
        reduction = loop.pragma.partition("reduction(")[1]
        pragma = "omp simd" if simd and not reduction else ""
        rows, width, before = self._bounds()
        zero = Literal("0", 0, loop.index.type)
        columns = CountedLoop(self.column, zero, width, block_of(inner), pragma)
        around = loop.pragma.replace(" simd", "") if parallel else ""
        trivia = replace(loop.trivia, before=(*loop.trivia.before, *self.comments))
        nest = CountedLoop(self.row, zero, rows, block_of((*outer, columns)), around)
        first, *others = (*before, nest)
        return (replace(first, trivia=trivia), *others)

    def _bounds(self) -> tuple[Expr, Expr, Statements]:
        """How many rows there are, how long this one is, and what has to stand in front."""
        width = product_of(self.width)
        whole = _whole_rows(self.loop, self.digits, self.width)
        if whole is not None:
            return whole, width, ()
        ctype = self._number
        before: list[Stmt] = []
        count = strip_parens(self.loop.upper)
        if not isinstance(count, VarRef | Literal):
            symbol = self.context.symbols.fresh("count", ctype, Storage.GLOBAL)
            declared = f"const {ctype.spelling}"
            before.append(Declare((Variable(symbol, declared, "", count, "="),)))
            count = VarRef(symbol)
        zero, one = Literal("0", 0, ctype), Literal("1", 1, ctype)
        if width.type.is_signed and integer_value(width) is None:
            before.append(Text(("assert(", count, " <= 0 || ", width, " > 0);")))
        less = Paren(Binary("-", count, one, ctype), ctype)
        rows = Binary("+", Binary("/", less, _operand(width), ctype), one, ctype)
        rows = Conditional(Binary(">", count, zero, BOOL), rows, zero, ctype)
        symbol = self.context.symbols.fresh("rows", ctype, Storage.GLOBAL)
        before.append(Declare((Variable(symbol, f"const {ctype.spelling}", "", rows, "="),)))
        begun = Binary("*", VarRef(self.row), _operand(width), ctype)
        left = Binary("-", count, begun, ctype)
        same = _unqualified(width.type).spelling == ctype.spelling
        return VarRef(symbol), minimum(width, left, "" if same else ctype.spelling), tuple(before)

    def _index(self) -> Stmt:
        """The declaration of what was the index."""
        ctype = self._number
        place = Binary("*", VarRef(self.row), _operand(product_of(self.width)), ctype)
        value = Binary("+", place, VarRef(self.column), ctype)
        return Declare((Variable(self.loop.index, ctype.spelling, "", value, "="),))

    def _hoisted(self, statements: Statements) -> tuple[Statements, Statements]:
        """What is the same for all of a row, and the rest."""
        body = block_of(statements)
        varying = {self.loop.index, self.column, *declared_in(body)}
        varying |= self.context.effects.of(body).writes
        written = written_after_declaration(body, self.context.effects)
        outer: list[Stmt] = []
        inner: list[Stmt] = []
        for position, one in enumerate(statements):
            if not isinstance(
                one, Declare
            ):  # behind a guard nothing may be computed in front of it
                return tuple(outer), (*inner, *statements[position:])
            if not _declared(one) & written and self._is_of_row(one, varying):
                varying -= _declared(one)
                outer.append(one)
            else:
                inner.append(one)
        return tuple(outer), tuple(inner)

    def _is_of_row(self, statement: Declare, varying: set[Symbol]) -> bool:
        return all(
            variable.initial is not None
            and variable.symbol.type.kind in (TypeKind.INTEGER, TypeKind.POINTER)
            and is_invariant(variable.initial, self.context.effects, varying)
            for variable in statement.variables
        )

    # -- digits -----------------------------------------------------------------------------------

    def _replaced(self, node: Node) -> Node | None:
        if isinstance(node, Paren):
            new = self._replaced(node.inner)
            return new if isinstance(new, VarRef) else None
        if not isinstance(node, Binary) or node.op not in ("/", "%", "-"):
            return None
        digit = self.digits.of(node)
        new = None if digit is None else self._from_row(digit)
        divisor = product_of(self.width).type  # a number may have another sign, or be wider
        if new is None or divisor.is_signed == self._number.is_signed:
            return new
        return Cast(new, divisor)

    def _from_row(self, digit: Digit) -> Expr | None:
        if not digit.low:
            return self._from_column(digit.high or ())
        low = without(digit.low, self.width)
        if low is None:
            return None
        value: Expr = VarRef(self.row)
        for op, factors in (("/", low), ("%", digit.high or ())):
            if factors:
                by = product_of(factors)
                value = Binary(op, value, by if len(factors) == 1 else Paren(by, by.type), by.type)
        return value if isinstance(value, VarRef) else Paren(value, value.type)

    def _from_column(self, high: Factors) -> Expr | None:
        rest = without(high, self.width)
        if rest is None:
            return None
        if not rest:
            return VarRef(self.column)
        row = self._from_row(Digit(self.width, rest))
        assert row is not None
        place = Binary("*", row, _operand(product_of(self.width)), self._number)
        whole = Binary("+", place, VarRef(self.column), self._number)
        return Paren(whole, whole.type)


def _row_length(digits: Digits, statements: Statements) -> Factors | None:
    """The shortest row that all iterations find their place in, unless it is too short."""
    found = [digits.of(node) for node in _always_run(statements) if isinstance(node, Binary)]
    known = [one for one in found if one is not None]
    rows = [one.low or one.high or () for one in known if one != Digit()]
    width = min(rows, key=len, default=())
    takes_column = any(one.low == () and one.high == width for one in known)
    if not width or not (takes_column or _adds_up_rows(digits, statements, width)):
        return None
    numbers = [integer_value(factor) for factor in width]
    if numbers.count(None) > 1:
        return None
    if None not in numbers and (integer_value(product_of(width)) or 0) < _FEW:
        return None
    return width


def _adds_up_rows(digits: Digits, statements: Statements, width: Factors) -> bool:
    """Do the iterations of a row add to one place, which one of them could do for all?"""
    for node in (node for one in statements for node in walk(one)):
        if isinstance(node, Call) and node.name.startswith("atomic") and node.arguments:
            found = digits.within(node.arguments[0])
            if found and all(without(one.low, width) is not None for one in found):
                return True
    return False


def _whole_rows(loop: CountedLoop, digits: Digits, width: Factors) -> Expr | None:
    """How many rows there are, where all are known to be whole ones."""
    upper = loop.upper
    rest = without(digits.factors(upper), width)
    if rest:
        return product_of(rest)
    number, length = integer_value(upper), integer_value(product_of(width))
    if number is None or length is None or number % length:
        return None
    if isinstance(upper, Literal) and upper.text.isdigit():
        rows = number // length
        return Literal(str(rows), rows, loop.index.type)
    return Binary("/", upper, product_of(width), upper.type)


def _always_run(statements: Statements) -> Iterator[Expr]:
    """What every iteration computes: nothing that it may leave out, or may not come to."""
    for one in statements:
        match one:
            case Declare(variables=variables):
                for variable in variables:
                    if variable.initial is not None:
                        yield from _computed(variable.initial)
            case ExprStatement(expr=expr) | If(condition=expr):
                yield from _computed(expr)
            case _:
                pass
        if any(isinstance(node, Jump | Return) for node in walk(one)):
            return


def _computed(expr: Expr) -> Iterator[Expr]:
    match expr:
        case Binary(op="&&" | "||", left=left):
            yield from _computed(left)
        case Conditional(condition=condition):
            yield from _computed(condition)
        case _:
            yield expr
            for child in children(expr):
                if isinstance(child, Expr):
                    yield from _computed(child)


def _declared(statement: Stmt) -> set[Symbol]:
    declares = isinstance(statement, Declare)
    return {variable.symbol for variable in statement.variables} if declares else set()


def _fits(factor: Expr, ctype: CType) -> bool:
    """Can it be compared with an index of the type, whatever its value?"""
    known, own = integer_value(factor), factor.type
    if known is not None:
        return known > 0
    integer = own.kind is TypeKind.INTEGER and 0 < own.bits <= ctype.bits
    return integer and own.is_signed == ctype.is_signed


def _same_number(one: CType, other: CType) -> bool:
    same = one.kind is other.kind is TypeKind.INTEGER and one.bits == other.bits
    return same and one.is_signed == other.is_signed


def _unqualified(ctype: CType) -> CType:
    return replace(ctype, spelling=ctype.spelling.replace("const", "").strip(), is_const=False)


def _operand(expr: Expr) -> Expr:
    plain = isinstance(expr, VarRef | Literal | Paren)
    return expr if plain or not isinstance(expr, Binary) else Paren(expr, expr.type)
