"""The heads of loops that OpenMP shares out: how many iterations there are, and which is which.

for (int i = 0; i < n; ++i)           n iterations
for (long i = n - 1; i >= 0; i -= 2)  (n - 1 - 0 + 2) / 2 iterations, number (n - 1 - i) / 2
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.loop_heads import MIRRORED, start_of, step_of
from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import Note, refuse
from g2o.ir.expressions import (
    Assign,
    Binary,
    Builtin,
    Call,
    Conditional,
    Expr,
    Form,
    LaunchRef,
    Literal,
    Unary,
    VarRef,
    integer_value,
    is_variable,
    moved_by,
    strip_parens,
)
from g2o.ir.statements import Declare, For, Variable
from g2o.ir.symbols import Storage, SymbolTable
from g2o.ir.traverse import walk
from g2o.ir.types import BOOL, INT, CType, TypeKind

_CODE: Final = "G2O0412"
_FORM: Final = Note("write for (int i = first; i < limit; ++i), or i <= limit")
_ONE: Final = Literal("1", 1, INT)


@final
@dataclass(frozen=True, slots=True)
class ThreadOfIteration:
    """The declaration of a thread's index, what lets it take part, and the counter of the loop,
    where that is another one."""

    declared: Declare
    guards: tuple[Expr, ...]
    place: Declare | None = None


@final
@dataclass(frozen=True, slots=True)
class LoopHead:
    """`for (index = first; index op limit; index += step)`, or `-= step` where it falls. The step
    is positive."""

    loop: For
    index: Variable
    first: Expr
    op: str
    limit: Expr
    step: Expr = _ONE
    falls: bool = False

    @property
    def is_plain(self) -> bool:
        """Does an `int` go up by one?"""
        ctype = self.index.symbol.type
        is_int = ctype.bits == INT.bits and ctype.is_signed
        return is_int and not self.falls and self._by_one

    @property
    def stride(self) -> int | None:
        """By how much the index changes; None where that is no constant."""
        amount = integer_value(self.step)
        return -amount if self.falls and amount is not None else amount

    @property
    def _by_one(self) -> bool:
        return integer_value(self.step) == 1

    @property
    def _type(self) -> CType:
        return self.index.symbol.type

    def as_thread(self, axis: int, symbols: SymbolTable) -> ThreadOfIteration:
        """The thread of an iteration, along the axis."""
        thread = Binary(
            "+",
            Binary(
                "*", LaunchRef(Builtin.BLOCK_INDEX, axis), LaunchRef(Builtin.BLOCK_DIM, axis), INT
            ),
            LaunchRef(Builtin.THREAD_INDEX, axis),
            INT,
        )
        index = VarRef(self.index.symbol)
        first = integer_value(self.first)
        if self.is_plain and first is not None and first >= 0:
            declared = Declare((replace(self.index, initial=thread, initial_style="="),))
            inside: Expr = Binary("<", index, self._end(), BOOL)
            low = [Binary(">=", index, self.first, BOOL)] if first > 0 else []
            return ThreadOfIteration(declared, (*low, inside))
        turn = symbols.fresh("turn", INT, Storage.LOCAL)
        declared = Declare((Variable(turn, "int", "", thread, "="),))
        place = self.place_of(VarRef(turn))
        found = Declare((replace(self.index, initial=place, initial_style="="),))
        if self.is_plain:
            count = Binary("-", self._end(), self.first, INT)
            return ThreadOfIteration(declared, (Binary("<", VarRef(turn), count, BOOL),), found)
        return ThreadOfIteration(declared, (Binary(self.op, place, self.limit, BOOL),), found)

    def place_of(self, number: Expr) -> Expr:
        """The index in the iteration with this number."""
        far = number if self._by_one else Binary("*", number, self.step, self._type)
        if integer_value(self.first) == 0 and not self.falls:
            return far
        return Binary("-" if self.falls else "+", self.first, far, self._type)

    def number_of(self, index: Expr) -> Expr:
        """The number of the iteration with this index."""
        if self.falls:
            far: Expr = Binary("-", self.first, index, self._type)
        elif integer_value(self.first) == 0:
            far = index
        else:
            far = Binary("-", index, self.first, self._type)
        return far if self._by_one else Binary("/", far, self.step, self._type)

    def iterations(self) -> Expr:
        """How many there are, or a number below 0."""
        low, high = (self.limit, self.first) if self.falls else (self.first, self.limit)
        high = _past(high, self._type) if self.op in ("<=", ">=") else high
        far = high
        if integer_value(low) != 0:
            count = self.count()
            if count is not None:
                return Literal(str(count), count, INT)
            known = integer_value(low)
            far = Binary("-", high, low, self._type)
            far = far if known is None else moved_by(high, -known, self._type)
        if not self._by_one:
            amount = integer_value(self.step)
            most: Expr = Binary("-", self.step, _ONE, self._type)
            if amount is not None:
                most = Literal(str(amount - 1), amount - 1, INT)
            far = Binary("/", Binary("+", far, most, self._type), self.step, self._type)
        if self._type.is_signed or far is self.limit:
            return far
        starts = Binary(self.op, self.first, self.limit, BOOL)
        return Conditional(starts, far, Literal("0", 0, INT), self._type)

    def count(self) -> int | None:
        """How many iterations there are, where that is a constant."""
        first, limit, stride = integer_value(self.first), integer_value(self.limit), self.stride
        if first is None or limit is None or stride is None:
            return None
        past = {"<=": 1, ">=": -1}.get(self.op, 0)
        return len(range(first, limit + past, stride))

    def _end(self) -> Expr:
        """What the counter stays below."""
        return self.limit if self.op == "<" else _past(self.limit, self._type)


def _past(expr: Expr, ctype: CType) -> Expr:
    """The number behind this one: there is one behind the last index, or it overflows."""
    return moved_by(expr, 1, ctype)


def head_of(loop: For) -> LoopHead:
    """The head of a loop. Raises Refusal for one that is not understood."""
    found = find_head(loop)
    if found is None:
        raise refuse(_CODE, "a loop of this form", loop.span, _FORM)
    return found


def in_order(loop: For) -> For:
    """The loop with `<` or `>` in place of `!=`."""
    head = find_head(loop)
    condition = None if loop.condition is None else strip_parens(loop.condition)
    if head is None or not isinstance(condition, Binary) or condition.op != "!=":
        return loop
    ordered = Binary(head.op, VarRef(head.index.symbol), head.limit, BOOL)
    return replace(loop, condition=ordered, form=Form.BUILT)


def find_head(loop: For) -> LoopHead | None:
    """The head of a loop that counts; None for others."""
    begun = start_of(loop.initial)
    condition = None if loop.condition is None else strip_parens(loop.condition)
    if begun is None or not isinstance(condition, Binary) or loop.increment is None:
        return None
    symbol, first = begun
    op, left, limit = condition.op, condition.left, condition.right
    if is_variable(limit, symbol):
        op, left, limit = MIRRORED.get(op, op), limit, left
    stepped = step_of(loop.increment, symbol)
    if not is_variable(left, symbol) or stepped is None:
        return None
    step, falls = stepped
    amount = integer_value(step)
    if op == "!=" and amount == 1:
        op = ">" if falls else "<"
    if op not in MIRRORED or falls != (op in (">", ">=")) or (amount is not None and amount < 1):
        return None
    parts = (first, limit, step)
    if (
        symbol.type.bits < INT.bits
        or not all(map(_is_whole, parts))
        or _mixes_signs(symbol.type, *parts)
    ):
        return None
    if any(isinstance(n, Assign | Call) or _counts(n) for one in parts for n in walk(one)):
        return None
    match loop.initial:
        case Declare(variables=(index,)):
            pass
        case _:
            index = Variable(symbol, symbol.type.spelling, "", first, "=")
    return LoopHead(loop, index, first, op, limit, step, falls)


def _counts(node: object) -> bool:
    return isinstance(node, Unary) and node.op in ("++", "--")


def _is_whole(expr: Expr) -> bool:
    return value_type(expr).kind is TypeKind.INTEGER


def _mixes_signs(index: CType, first: Expr, limit: Expr, step: Expr) -> bool:
    """Is a signed index, which may be below 0, compared or counted as an unsigned one?"""
    wide = (one for one in (limit, step) if integer_value(one) is None)
    unsigned = any(_is_wide_unsigned(value_type(one), index) for one in wide)
    start = integer_value(first)
    starts_below = value_type(first).is_signed and (start is None or start < 0)
    return index.is_signed and unsigned and starts_below


def _is_wide_unsigned(ctype: CType, index: CType) -> bool:
    return not ctype.is_signed and ctype.bits >= max(index.bits, INT.bits)
