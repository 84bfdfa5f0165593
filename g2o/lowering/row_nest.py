"""A loop over rows and one over columns inside, in place of one loop (`delinearise.py`)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import declared_in, statements_of, symbols_in
from g2o.analysis.mixed_radix import Digit, Digits, Factors, product_of, without
from g2o.ir.comments import comments_of
from g2o.ir.directives import NO_DIRECTIVE, simd_where
from g2o.ir.expressions import (
    Binary,
    Cast,
    Code,
    Conditional,
    Expr,
    Literal,
    Paren,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import CountedLoop, Declare, Node, Stmt, Text, Variable
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rename_symbols, rewrite
from g2o.ir.types import BOOL, INT, CType, TypeKind
from g2o.lowering.context import LoweringContext, is_invariant, minimum
from g2o.lowering.indices import block_of
from g2o.lowering.simd import may_vectorise

Statements = tuple[Stmt, ...]

_STRIP: Final = 1024


@final
@dataclass(slots=True)
class RowNest:
    """`row` and `column` are what the index of `loop` is divided into by the product of `width`;
    `in_strips`: threads share parts of rows."""

    context: LoweringContext
    loop: CountedLoop
    statements: Statements
    digits: Digits
    width: Factors
    in_strips: bool = False
    row: Symbol = field(init=False)
    column: Symbol = field(init=False)
    length: Symbol | None = field(init=False)
    gone: set[Symbol] = field(default_factory=set[Symbol])
    comments: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.column = self._counter(Digit((), self.width), "column")
        self.row = self._counter(Digit(self.width), "row")
        wide = exceeds(product_of(self.width).type, self._number)
        self.length = self._length() if wide else None

    def _length(self) -> Symbol:
        """What a row is at most: its width may exceed what the index can be."""
        return self.context.symbols.fresh("width", self._number, Storage.GLOBAL)

    @property
    def _row_length(self) -> Expr:
        return product_of(self.width) if self.length is None else VarRef(self.length)

    def _counter(self, digit: Digit, wish: str) -> Symbol:
        """A variable that holds the digit, and does not change; or a new one."""
        own = self._number
        narrow = (one.type for one in self.width if not exceeds(one.type, own))
        holds = [own, *(narrow if digit.high and len(self.width) == 1 else ())]
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
        parallel = loop.directive.is_parallel
        directive = simd_where(simd and not loop.directive.reductions)
        rows, width, before = self._bounds()
        zero = Literal("0", 0, loop.index.type)
        columns = CountedLoop(self.column, zero, width, block_of(inner), directive)
        around = loop.directive.without("simd") if parallel else NO_DIRECTIVE
        trivia = replace(loop.trivia, before=(*loop.trivia.before, *self.comments))
        done: Statements = (*outer, columns)
        if self.in_strips:
            done = (self._strips(outer, columns),)
            around = replace(around, collapse=2)
        nest = CountedLoop(self.row, zero, rows, block_of(done), around)
        first, *others = (*before, nest)
        return (replace(first, trivia=trivia), *others)

    def _strips(self, outer: Statements, columns: CountedLoop) -> CountedLoop:
        """The columns of a row strip by strip: the last row may end in any of them."""
        ctype, symbols = self._number, self.context.symbols
        first = symbols.fresh("first", ctype, Storage.INDEX)
        end = symbols.fresh("end", ctype, Storage.GLOBAL)
        size = Literal(str(_STRIP), _STRIP, INT)
        beyond = Binary("+", VarRef(first), size, ctype)
        same = _unqualified(columns.upper.type).spelling == ctype.spelling
        least = minimum(columns.upper, beyond, "" if same else ctype.spelling)
        ends = Declare((Variable(end, f"const {ctype.spelling}", "", least, "="),))
        strip = replace(columns, lower=VarRef(first), upper=VarRef(end))
        body = block_of((*outer, ends, strip))
        return CountedLoop(first, columns.lower, self._row_length, body, step=size)

    def _bounds(self) -> tuple[Expr, Expr, Statements]:
        """How many rows there are, how long this one is, and what has to stand in front."""
        width = product_of(self.width)
        whole = whole_rows(self.loop, self.digits, self.width)
        if whole is not None and self.length is None:
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
        if self.length is not None:
            spelled = _unqualified(width.type).spelling
            least = Code((f"std::min<{spelled}>(", width, ", ", count, ")"), type=width.type)
            shorter = Cast(least, ctype)
            declared = Variable(self.length, f"const {ctype.spelling}", "", shorter, "=")
            before.append(Declare((declared,)))
            width = VarRef(self.length)
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
        place = Binary("*", VarRef(self.row), _operand(self._row_length), ctype)
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
            return new if isinstance(new, VarRef | Cast) else None
        if not isinstance(node, Binary) or node.op not in ("/", "%", "-"):
            return None
        digit = self.digits.of(node)
        new = None if digit is None else self._from_row(digit)
        divisor = product_of(self.width).type  # a number may have another sign, or be wider
        number = self._number
        same = divisor.is_signed == number.is_signed and not exceeds(divisor, number)
        if new is None or same:
            return new
        return Cast(new, _unqualified(divisor))

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
        place = Binary("*", row, _operand(self._row_length), self._number)
        whole = Binary("+", place, VarRef(self.column), self._number)
        return Paren(whole, whole.type)


def whole_rows(loop: CountedLoop, digits: Digits, width: Factors) -> Expr | None:
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


def exceeds(width: CType, number: CType) -> bool:
    """Are there widths that a number of another type cannot be?"""
    if width.kind is not TypeKind.INTEGER or number.bits <= 0:
        return False
    positive = [one.bits - one.is_signed for one in (width, number)]
    return positive[0] > positive[1]


def _declared(statement: Stmt) -> set[Symbol]:
    declares = isinstance(statement, Declare)
    return {variable.symbol for variable in statement.variables} if declares else set()


def _same_number(one: CType, other: CType) -> bool:
    same = one.kind is other.kind is TypeKind.INTEGER and one.bits == other.bits
    return same and one.is_signed == other.is_signed


def _unqualified(ctype: CType) -> CType:
    words = [word for word in ctype.spelling.split() if word != "const"]
    return replace(ctype, spelling=" ".join(words), is_const=False)


def _operand(expr: Expr) -> Expr:
    plain = isinstance(expr, VarRef | Literal | Paren)
    return expr if plain or not isinstance(expr, Binary) else Paren(expr, expr.type)
