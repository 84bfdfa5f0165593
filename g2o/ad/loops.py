"""Loops whose iterations the reverse sweep can enumerate by itself.

for (int i = 0; i < n; ++i)           counted: backwards, or in the same order where all that
                                      the iterations do to adjoints is add
for (int s = n / 2; s > 0; s >>= 1)   shifted: the k-th value is (n / 2) >> k
for (int s = 32; s > 0; s >>= 1)      known: for (int s = 1; s <= 32; s <<= 1)
for (int i = 0; i < 4 && f(i); ++i)   stepped: the k-th value is k; how many there are is counted
                                      where it cannot be asked again
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import ge, gt, le, lt, ne
from typing import Final, final

from g2o.analysis.effects import EffectsOf
from g2o.analysis.loop_heads import MIRRORED, start_of, step_of
from g2o.analysis.value_types import value_type
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Expr,
    Literal,
    Unary,
    VarRef,
    integer_value,
    is_variable,
    moved_by,
    strip_parens,
)
from g2o.ir.statements import (
    Block,
    Declare,
    DoWhile,
    For,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rename_symbols, walk
from g2o.ir.types import BOOL, INT, CType, TypeKind

_COMPARED: Final = {"<": lt, ">": gt, "<=": le, ">=": ge, "!=": ne}
_MOST_SHIFTS: Final = 64
_ONE: Final = Literal("1", 1, INT)
_ZERO: Final = Literal("0", 0, INT)
_LONG: Final = CType("long long", TypeKind.INTEGER, 64)


@final
@dataclass(frozen=True, slots=True)
class Counted:
    """`for (index = first; index relation bound; index += step)`, or `-= step` where it falls."""

    node: For
    index: Symbol
    first: Expr
    relation: str
    bound: Expr
    step: Expr
    falls: bool

    def same_order(self, index: Symbol, body: list[Stmt]) -> Stmt:
        """The loop over the same values in the same order."""
        loop = _same_head(self.node, self.index, index, self.first, self.bound, body)
        assert self.node.increment is not None
        written = step_of(self.node.increment, self.index)
        if written is not None and written[0] == self.step:
            return loop
        op = "-=" if self.falls else "+="
        return replace(loop, increment=Assign(op, VarRef(index), self.step, index.type))


@final
@dataclass(frozen=True, slots=True)
class Shifted:
    """`for (index = first; condition; index op= amount)` with the op `>>` or `<<`."""

    node: For
    index: Symbol
    first: Expr
    op: str
    amount: int

    def same_order(self, index: Symbol, body: list[Stmt]) -> Stmt:
        return _same_head(self.node, self.index, index, self.first, None, body)

    def value(self, iteration: Symbol) -> Expr:
        """The index in an iteration, counted from 0."""
        shift: Expr = VarRef(iteration)
        if self.amount != 1:
            shift = Binary("*", shift, Literal(str(self.amount), self.amount, INT), INT)
        first, ctype = value_type(self.first), self.index.type
        same = (first.bits, first.is_signed) == (ctype.bits, ctype.is_signed)
        start = self.first if same else Cast(self.first, ctype)
        return Binary(self.op, start, shift, ctype)

    def last_iteration(self) -> Expr | None:
        """The number of the last iteration of `for (int s = first; s > 0; s >>= 1)`, -1 where there
        is none: the place of the highest bit of `first`. None for other loops."""
        ctype, plain = self.index.type, value_type(self.first)
        bits = max(ctype.bits, plain.bits)
        if (self.op, self.amount) != (">>", 1) or bits != 32 or not _is_above_0(self):
            return None
        first = self.first
        if plain.is_signed and ctype.is_signed and not (integer_value(first) or 0) > 0:
            if plain.bits < 32:
                first = Cast(first, INT)
            first = Call("max", Literal("std::max"), (first, _ZERO), type=INT)
        zeros = Call("__clz", Literal("g2o::clz"), (first,), is_cuda=True, type=INT)
        return Binary("-", Literal("31", 31, INT), zeros, INT)

    def mirrored(self, index: Symbol, body: list[Stmt]) -> Stmt | None:
        """The loop from the last value back to the first, where both are known and shifting the
        other way finds all of those between."""
        values = self._values()
        if not values:
            return None
        halves, amount = self.op == ">>", self.amount
        low, high = sorted((values[0], values[-1]))
        if low <= 0 or high << amount >= 1 << (index.type.bits - index.type.is_signed):
            return None
        if halves and any(one != other << amount for one, other in pairwise(values)):
            return None
        last = Literal(str(values[-1]), values[-1], INT)
        start = Declare((Variable(index, _plain(index.type), "", last, "="),))
        condition = Binary("<=" if halves else ">=", VarRef(index), self.first, BOOL)
        update = self.node.increment
        divides = isinstance(update, Assign) and ("/" in update.op or "*" in update.op)
        factor = 1 << amount if divides else amount
        op = {">>": "*=" if divides else "<<=", "<<": "/=" if divides else ">>="}[self.op]
        step = Assign(op, VarRef(index), Literal(str(factor), factor, INT), index.type)
        return For(start, condition, step, Block(tuple(body)))

    def _values(self) -> list[int]:
        """The values that the index takes one after the other; empty where they are not known."""
        value = integer_value(self.first)
        condition = None if self.node.condition is None else strip_parens(self.node.condition)
        if value is None or not isinstance(condition, Binary) or condition.op not in _COMPARED:
            return []
        relation, left, right = condition.op, condition.left, condition.right
        if is_variable(right, self.index):
            relation, left, right = MIRRORED.get(relation, relation), right, left
        bound = integer_value(right)
        if not is_variable(left, self.index) or bound is None:
            return []
        if not (_says_numbers(self.first) and _says_numbers(right)):
            return []  # a macro or a named constant may be changed
        values: list[int] = []
        while _COMPARED[relation](value, bound):
            values.append(value)
            if len(values) > _MOST_SHIFTS:
                return []
            value = value >> self.amount if self.op == ">>" else value << self.amount
        return values


@final
@dataclass(frozen=True, slots=True)
class Stepped:
    """`for (index = first; condition; index += step)`, or `-= step` where it falls, with a
    condition of any kind."""

    node: For
    index: Symbol
    first: Expr
    condition: Expr
    step: Expr
    falls: bool

    def same_order(self, index: Symbol, body: list[Stmt]) -> Stmt:
        loop = _same_head(self.node, self.index, index, self.first, None, body)
        return replace(loop, condition=self.condition)

    def value(self, iteration: Symbol) -> Expr:
        """The index in an iteration, counted from 0."""
        distance: Expr = VarRef(iteration)
        if integer_value(self.step) != 1:
            distance = Binary("*", distance, self.step, self.index.type)
        if integer_value(self.first) == 0 and not self.falls:
            return distance
        return Binary("-" if self.falls else "+", self.first, distance, self.index.type)


def stepped(node: For | While | DoWhile, effects: EffectsOf) -> Stepped | None:
    """The loop as one that steps, if nothing else in it changes its index or its step."""
    if not isinstance(node, For) or node.condition is None or node.increment is None:
        return None
    started, step = start_of(node.initial), None
    if started is not None:
        step = step_of(node.increment, started[0])
    if started is None or step is None or integer_value(step[0]) is None:
        return None
    index, first = started
    if not _is_positive(step[0]) or not _is_invariant(step[:1], node, index, effects):
        return None
    if not effects.is_pure(node.condition) or not _is_whole(first) or index.type.bits > 32:
        return None
    return Stepped(node, index, first, node.condition, *step)


def counted(node: For | While | DoWhile, effects: EffectsOf) -> Counted | None:
    """The loop as one that counts, if nothing in it changes its index or its bound."""
    if not isinstance(node, For) or node.condition is None or node.increment is None:
        return None
    started = start_of(node.initial)
    if started is None:
        return None
    index, first = started
    condition = strip_parens(node.condition)
    if not isinstance(condition, Binary) or condition.op not in MIRRORED:
        return None
    relation, left, right = condition.op, condition.left, condition.right
    if is_variable(right, index):
        relation, left, right = MIRRORED[relation], right, left
    stepped = step_of(node.increment, index)
    if not is_variable(left, index) or stepped is None:
        return None
    step, falls = stepped
    if falls != (relation in (">", ">=")) or not _is_positive(step):
        return None
    if not _is_invariant((right, step), node, index, effects):
        return None
    if not all(_is_whole(part) for part in (first, right, step)) or _mixes_signs(
        first, right, index
    ):
        return None
    return Counted(node, index, first, relation, right, step, falls)


def shifted(node: For | While | DoWhile, effects: EffectsOf) -> Shifted | None:
    """The loop as one that halves or doubles its index, if nothing else in it changes that."""
    if not isinstance(node, For) or node.condition is None or node.increment is None:
        return None
    started = start_of(node.initial)
    if started is None:
        return None
    index, first = started
    update = strip_parens(node.increment)
    if not isinstance(update, Assign) or not is_variable(update.target, index):
        return None
    op, amount = update.op, integer_value(update.value)
    if op == "=":
        value = strip_parens(update.value)
        if not isinstance(value, Binary) or not is_variable(value.left, index):
            return None
        op, amount = f"{value.op}=", integer_value(value.right)
    if amount is None or amount <= 0:
        return None
    if op in ("/=", "*="):
        start = integer_value(first)
        is_positive = start is not None and start >= 0  # and what becomes of it
        if amount & (amount - 1) or not (is_positive or _stays_positive(node.condition, index)):
            return None
        op, amount = (">>=" if op == "/=" else "<<="), amount.bit_length() - 1
    if op not in (">>=", "<<=") or index in effects.of(node.body).writes:
        return None
    return Shifted(node, index, first, op[:2], amount)


def _stays_positive(condition: Expr, index: Symbol) -> bool:
    """Is the index positive in every iteration? Then dividing is shifting."""
    if not index.type.is_signed:
        return True
    inner = strip_parens(condition)
    match inner:
        case Binary(op=">" | ">=" as op, left=left, right=right) if is_variable(left, index):
            value = integer_value(right)
            return value is not None and value + (op == ">") >= 1
        case Binary(op="<" | "<=" as op, left=left, right=right) if is_variable(right, index):
            value = integer_value(left)
            return value is not None and value + (op == "<") >= 1
        case _:
            return False


def _is_above_0(head: Shifted) -> bool:
    """Does the loop run while the index is greater than 0?"""
    condition = None if head.node.condition is None else strip_parens(head.node.condition)
    match condition:
        case Binary(op=">", left=left, right=right) | Binary(op="<", left=right, right=left):
            limit = 0
        case Binary(op=">=", left=left, right=right) | Binary(op="<=", left=right, right=left):
            limit = 1
        case Binary(op="!=", left=left, right=right) if not head.index.type.is_signed:
            limit = 0
        case _:
            return False
    return is_variable(left, head.index) and integer_value(right) == limit


def _is_positive(step: Expr) -> bool:
    """A step that is not positive makes a loop without end, or over by its first test."""
    value = integer_value(step)
    return value is None or value > 0


def _is_whole(expr: Expr) -> bool:
    """Is it a whole number? `j < 2.5` runs up to 2."""
    return value_type(expr).kind in (TypeKind.INTEGER, TypeKind.BOOL)


def _mixes_signs(first: Expr, bound: Expr, index: Symbol) -> bool:
    """Is a signed index, which may start below 0, compared as an unsigned one?"""
    ctype, value = value_type(bound), integer_value(first)
    wide = not ctype.is_signed and ctype.bits >= max(index.type.bits, 32)
    if not index.type.is_signed or not wide or integer_value(bound) is not None:
        return False
    return value_type(first).is_signed and (value is None or value < 0)


def _is_invariant(parts: Iterable[Expr], node: For, index: Symbol, effects: EffectsOf) -> bool:
    inside = effects.of(node.body)
    if index in inside.writes:
        return False
    for part in parts:
        own = effects.of(part)
        if not own.is_pure or own.reads & (inside.writes | {index}):
            return False
        if own.memory_reads and (inside.memory_writes or inside.side_effects):
            return False
    return True


# -- the loop in the reverse sweep --------------------------------------------------------------


def _same_head(
    node: For, old: Symbol, index: Symbol, first: Expr, bound: Expr | None, body: list[Stmt]
) -> For:
    assert node.condition is not None
    assert node.increment is not None
    renames = {old: index}
    variable = Variable(index, index.type.spelling, "", first, "=")
    match node.initial:
        case Declare(variables=(declared,)) as initial:
            if declared.initial is first and index.name == old.name:
                start: Stmt = rename_symbols(initial, renames)
            else:
                start = Declare((replace(declared, symbol=index, initial=first),))
        case _:
            start = Declare((variable,))
    condition = rename_symbols(node.condition, renames)
    inner = strip_parens(node.condition)
    if bound is not None and isinstance(inner, Binary):
        left = is_variable(inner.left, old)
        if bound is not (inner.right if left else inner.left):
            ends = (VarRef(index), bound) if left else (bound, VarRef(index))
            condition = Binary(inner.op, *ends, BOOL)
    increment = rename_symbols(node.increment, renames)
    return For(start, condition, increment, Block(tuple(body)), shared=node.shared)


def reversed_loop(head: Counted, index: Symbol, body: list[Stmt], iteration: Symbol) -> Stmt:
    """The loop over the same values, the last one first."""
    by_one = integer_value(head.step) == 1
    if index.type.is_signed:
        first, bound, step = (_signed(one, index) for one in (head.first, head.bound, head.step))
        head = replace(head, first=first, bound=bound, step=step)
    if by_one and index.type.is_signed:
        last = _moved(head.bound, head, index.type)
        start = Declare((Variable(index, _plain(index.type), "", last, "="),))
        relation = "<=" if head.falls else ">="
        condition = Binary(relation, VarRef(index), head.first, BOOL)
        update = Unary("++" if head.falls else "--", VarRef(index), type=index.type)
        return For(start, condition, update, Block(tuple(body)))
    if head.relation == "<" and index.type.is_signed and integer_value(head.first) == 0:
        return _by_steps(head, index, body)
    trips = _trips(head, index.type)
    last = Binary("-", trips, _ONE, _LONG)
    start = Declare((Variable(iteration, iteration.type.spelling, "", last, "="),))
    condition = Binary(">=", VarRef(iteration), _ZERO, BOOL)
    update = Unary("--", VarRef(iteration), type=iteration.type)
    distance: Expr = VarRef(iteration)
    if not by_one:
        distance = Binary("*", distance, head.step, index.type)
    value = Binary("-" if head.falls else "+", head.first, distance, index.type)
    spelled = _plain(index.type)
    declared = Declare((Variable(index, f"const {spelled}", "", _as(value, index.type), "="),))
    return For(start, condition, update, Block((declared, *body)))


def _by_steps(head: Counted, index: Symbol, body: list[Stmt]) -> Stmt:
    """The loop from the last multiple of the step down to 0: less than 0 where there is none."""
    ctype, number = index.type, integer_value(head.step)
    if number is not None and _is_number(head.step):
        less_one: Expr = Literal(str(number - 1), number - 1, INT)
        rounded = Binary("+", head.bound, less_one, ctype)
    else:
        rounded = Binary("-", Binary("+", head.bound, head.step, ctype), _ONE, ctype)
    multiple = Binary("*", Binary("/", rounded, head.step, ctype), head.step, ctype)
    last = Binary("-", multiple, head.step, ctype)
    start = Declare((Variable(index, _plain(ctype), "", last, "="),))
    condition = Binary(">=", VarRef(index), _ZERO, BOOL)
    return For(start, condition, Assign("-=", VarRef(index), head.step, ctype), Block(tuple(body)))


def _signed(expr: Expr, index: Symbol) -> Expr:
    """`expr` in the type of the index, which may fall below what an unsigned number holds."""
    inner = strip_parens(expr)
    if isinstance(inner, Literal) and inner.value is not None and inner.type.is_signed:
        return expr
    ctype = value_type(expr)
    same = ctype.kind is TypeKind.INTEGER and ctype.is_signed and ctype.bits <= index.type.bits
    return expr if same else Cast(expr, index.type)


def _as(value: Expr, ctype: CType) -> Expr:
    return value if ctype == INT else Cast(value, ctype)


def _plain(ctype: CType) -> str:
    return ctype.spelling.removeprefix("const ").strip()


def _moved(bound: Expr, head: Counted, ctype: CType) -> Expr:
    """The last value of an index that goes by one."""
    if head.relation in ("<=", ">="):
        return bound
    return moved_by(bound, 1 if head.falls else -1, ctype)


def _is_number(expr: Expr) -> bool:
    inner = strip_parens(expr)
    return isinstance(inner, Literal) and inner.text.isdigit()


def _says_numbers(expr: Expr) -> bool:
    """Does the text consist of numbers, with no names for them?"""
    literals = [node for node in walk(expr) if isinstance(node, Literal)]
    return all(
        one.text.isdigit() and (one.span is None or one.span.text == one.text) for one in literals
    )


def _trips(head: Counted, ctype: CType) -> Expr:
    """How often the loop runs; not positive where it does not."""
    first, bound, step = head.first, head.bound, head.step
    if not ctype.is_signed or ctype.bits > 32:
        first, bound, step = Cast(first, _LONG), Cast(bound, _LONG), Cast(step, _LONG)
    low, high = (bound, first) if head.falls else (first, bound)
    distance: Expr = high if integer_value(low) == 0 else Binary("-", high, low, ctype)
    inclusive = head.relation in ("<=", ">=")
    if integer_value(head.step) == 1:
        return Binary("+", distance, _ONE, ctype) if inclusive else distance
    rounded = Binary("+", distance, step, ctype)
    if not inclusive:
        rounded = Binary("-", rounded, _ONE, ctype)
    return Binary("/", rounded, step, ctype)


def iteration_type(ctype: CType) -> CType:
    """The type in which the iterations of a loop with such an index are counted."""
    return INT if ctype.is_signed and ctype.bits <= 32 else _LONG
