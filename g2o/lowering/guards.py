"""Guards become loop bounds.

    int i = blockIdx.x * blockDim.x + threadIdx.x;     const int count =
    if (i >= n)                                            std::min(n, int(grid.x * block.x));
        return;                                    ->  for (int i = 0; i < count; ++i)
    y[i] = x[i];                                           y[i] = x[i];

Legal when the limit is the same for all threads and does not change while the kernel runs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Set
from dataclasses import dataclass, field, replace
from typing import final

from g2o.analysis.constant_turns import constant_turns
from g2o.analysis.effects import EffectsOf
from g2o.ir.expressions import (
    Assign,
    Binary,
    Cast,
    Code,
    Expr,
    Form,
    LaunchRef,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    all_of,
    integer_value,
    negated,
)
from g2o.ir.statements import Block, Declare, For, If, Jump, JumpKind, Node, Return, Stmt
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import INT, CType, TypeKind
from g2o.lowering.context import DIM3

_NEGATED = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
_LARGEST = 2**31
_MOST_ELEMENTS = 2**16  # of a block, or a thread, that their index is multiplied by
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}


@final
@dataclass(frozen=True, slots=True)
class Limit:
    """`index op limit` holds for every thread that goes on; op is `<`, `>=`, or `>` where there may
    be no number after the limit."""

    index: Symbol
    op: str
    limit: Expr


@final
@dataclass(slots=True)
class Bounds:
    """What guards say about each loop variable."""

    upper: dict[Symbol, list[Expr]] = field(default_factory=dict[Symbol, "list[Expr]"])
    lower: dict[Symbol, list[Expr]] = field(default_factory=dict[Symbol, "list[Expr]"])
    above: dict[Symbol, list[Expr]] = field(default_factory=dict[Symbol, "list[Expr]"])

    def add(self, limits: list[Limit]) -> None:
        for limit in limits:
            sides = {"<": self.upper, ">=": self.lower, ">": self.above}
            known = sides[limit.op].setdefault(limit.index, [])
            if limit.limit not in known:
                known.append(limit.limit)

    def __bool__(self) -> bool:
        return bool(self.upper or self.lower or self.above)


def split_guard(
    condition: Expr,
    indices: set[Symbol],
    invariant: Callable[[Expr], bool],
    negate: bool,
    counters: Set[Symbol] = frozenset(),
) -> tuple[list[Limit], list[Expr]]:
    """Split `condition` (its negation where `negate`) into limits of loop variables and the rest.

    The rest are conjuncts that must hold too, each as it would be written. `counters` are variables
    that are never the largest number of their type.
    """
    limits: list[Limit] = []
    rest: list[Expr] = []
    for conjunct, inverted in conjuncts(condition, negate):
        limit = _limit(conjunct, inverted, indices, invariant, counters)
        if limit is not None:
            limits.append(limit)
        else:
            rest.append(negated(conjunct) if inverted else conjunct)
    return limits, rest


def conjuncts(condition: Expr, negate: bool) -> list[tuple[Expr, bool]]:
    """What has to hold for `condition` (its negation) to hold, each with whether it is negated."""
    match condition:
        case Paren(inner=inner):
            return conjuncts(inner, negate)
        case Unary(op="!", operand=operand):
            return conjuncts(operand, not negate)
        case Binary(op=op, left=left, right=right) if op == ("||" if negate else "&&"):
            return [*conjuncts(left, negate), *conjuncts(right, negate)]
        case Binary(op=op, left=left, right=right) if (
            op == ("|" if negate else "&") and is_truth(left) and is_truth(right)
        ):
            return [*conjuncts(left, negate), *conjuncts(right, negate)]
        case _:
            return [(condition, negate)]


def is_truth(condition: Expr) -> bool:
    """Is it true or false, so that `&` and `|` ask for both, or for one of two?"""
    match condition:
        case Paren(inner=inner):
            return is_truth(inner)
        case Binary(op="&" | "|", left=left, right=right):
            return is_truth(left) and is_truth(right)
        case Binary(op=op):
            return op in _NEGATED or op in ("&&", "||")
        case _:
            return condition.type.kind is TypeKind.BOOL


def _limit(
    conjunct: Expr,
    inverted: bool,
    indices: set[Symbol],
    invariant: Callable[[Expr], bool],
    counters: Set[Symbol],
) -> Limit | None:
    if not isinstance(conjunct, Binary) or conjunct.op not in _NEGATED:
        return None
    op = _NEGATED[conjunct.op] if inverted else conjunct.op
    left, right = _bare(conjunct.left), _bare(conjunct.right)
    if isinstance(right, VarRef) and right.symbol in indices:
        left, right, op = right, left, _MIRRORED[op]
    if not isinstance(left, VarRef) or left.symbol not in indices or not invariant(right):
        return None
    if right.type.kind is not TypeKind.INTEGER or op in ("==", "!="):
        return None  # what depends on a template's parameter may be real: i < 2.5 for i = 2
    if op in ("<=", ">"):
        unsigned = _compared_unsigned(left.symbol.type, right.type)
        if stays_small(right) or (not unsigned and has_a_next(right, counters)):
            following = _plus_one(right)
        elif op == ">":
            return Limit(left.symbol, op, right)
        elif unsigned and right.type.is_signed:
            return None  # below zero is large
        else:
            following = Code(("g2o::after(", right, ")"), type=right.type)
        return Limit(left.symbol, "<" if op == "<=" else ">=", following)
    return Limit(left.symbol, op, right)


def _compared_unsigned(left: CType, right: CType) -> bool:
    """Are numbers of these types compared as unsigned ones?"""
    bits = max(left.bits, right.bits, 32)
    return any(not one.is_signed and one.bits >= bits for one in (left, right))


def stays_small(limit: Expr) -> bool:
    """Is one more than `limit` above it as an unsigned number too? It is not where `n - 1` is asked
    for n = 0."""
    match limit:
        case Paren(inner=inner):
            return stays_small(inner)
        case Literal(value=value):
            return value is not None and 0 <= value < _LARGEST
        case Binary(op="+" | "*" | "/" | ">>" | "%", left=left, right=right):
            return stays_small(left) and stays_small(right)
        case Binary(op="-", left=left, right=right):
            return _is_dimension(left) and integer_value(right) == 1
        case _:
            return _is_dimension(limit)


def counters_with_a_next(body: Node, effects: EffectsOf) -> frozenset[Symbol]:
    """Counters of loops that are never the largest number of their type: in the body of

    for (int k = 0; k < n; ++k)    and    for (int k = n - 1; k >= 0; --k)

    there is always one above k.
    """
    found: set[Symbol] = set()
    for node in walk(body):
        match node:
            case For(initial=initial, condition=condition, increment=increment, body=inner) if (
                isinstance(initial, Declare) and increment is not None
            ):
                counters = {one.symbol for one in initial.variables}
                counters -= effects.of(inner).writes
                found |= _below(condition) & counters
                if isinstance(increment, Unary) and increment.op == "--":
                    found |= {
                        one.symbol
                        for one in initial.variables
                        if one.symbol in counters
                        and one.initial is not None
                        and has_a_next(one.initial, frozenset())
                    }
            case _:
                pass
    return frozenset(found)


def counters_from_zero(
    body: Node, effects: EffectsOf, extents: Collection[str]
) -> frozenset[Symbol]:
    """Counters of loops that start at a number that is not negative, and only grow, or come nearer
    to zero, or that are never negative in turns that are known. `extents` are constants that are
    numbers of threads. (A number that is shifted until it is negative is 0 in the end: where such a
    loop goes on, it does not end.)"""
    found: set[Symbol] = set()
    for node in walk(body):
        if not isinstance(node, For) or not isinstance(node.initial, Declare):
            continue
        turns = constant_turns(node)
        if turns is not None and min(turns.values, default=-1) >= 0:
            if turns.counter not in effects.of(node.body).writes:
                found.add(turns.counter)
        match node.increment:
            case Unary(op="++", operand=VarRef(symbol=symbol)):
                grows = True
            case Assign(
                op="+=" | "*=" | "<<=" | ">>=" | "/=", target=VarRef(symbol=symbol), value=step
            ):
                grows = is_never_negative(step, extents)
            case _:
                continue
        starts = [one.initial for one in node.initial.variables if one.symbol is symbol]
        if grows and symbol not in effects.of(node.body).writes and len(starts) == 1:
            if starts[0] is not None and is_never_negative(starts[0], extents):
                found.add(symbol)
    return frozenset(found)


def is_never_negative(
    expr: Expr,
    extents: Collection[str],
    known: Callable[[Expr], bool] = lambda _: False,
    *,
    wide: bool = False,
) -> bool:
    """Sums, products and quotients of indices and dimensions of the launch, of small numbers, of
    the constants `extents`, which are numbers of threads, and of what is `known` not to be
    negative. Larger numbers are those of hashes: what has no sign wraps around, and what is wider
    than an `int` loses its upper half, before it becomes one; where it does not (`wide`), it may be
    that wide."""
    match expr:
        case Paren(inner=inner):
            return is_never_negative(inner, extents, known, wide=wide)
        case Cast(operand=inner) if expr.type.bits >= INT.bits:
            kept = wide and expr.type.bits >= inner.type.bits
            return is_never_negative(inner, extents, known, wide=kept)
        case Binary(op="+" | "*" | "/", left=left, right=right) if wide or (
            expr.type.bits <= INT.bits
        ):
            parts = (left, right)
            return all(is_never_negative(one, extents, known, wide=wide) for one in parts)
        case VarRef(symbol=symbol) if symbol.storage is Storage.INDEX:
            return True
        case Literal(text=text) if text in extents:
            return True
        case LaunchRef() | Code(parts=("g2o::warp_size",)):
            return True
        case _:
            value = integer_value(expr)
            small = value is not None and 0 <= value <= _MOST_ELEMENTS
            return small or _is_dimension(expr) or known(expr)


def _below(condition: Expr | None) -> set[Symbol]:
    """The variables that are less than something where `condition` holds."""
    if condition is None:
        return set()
    found: set[Symbol] = set()
    for conjunct, _ in conjuncts(condition, negate=False):
        match conjunct:
            case Binary(op="<", left=VarRef(symbol=symbol)):
                found.add(symbol)
            case Binary(op=">", right=VarRef(symbol=symbol)):
                found.add(symbol)
            case _:
                pass
    return found


def has_a_next(limit: Expr, counters: Set[Symbol]) -> bool:
    """Is there a number above `limit`, of a signed type, whatever the variables in it are?"""
    if 0 < limit.type.bits < INT.bits:
        return True
    match limit:
        case Paren(inner=inner):
            return has_a_next(inner, counters)
        case Literal(value=value):
            return value is not None and value < _LARGEST - 1
        case VarRef(symbol=symbol):
            return symbol in counters
        case Unary(op="-"):
            return True
        case Binary(op="-" | "/" | ">>" as op, right=right):
            value = integer_value(right)
            return value is not None and value > (1 if op == "/" else 0)
        case Binary(op="%"):
            return True
        case _:
            return False


def _is_dimension(expr: Expr) -> bool:
    match expr:
        case Paren(inner=inner):
            return _is_dimension(inner)
        case Member(base=VarRef(symbol=symbol)):
            return symbol.type == DIM3
        case Code(parts=("int(", Member() as dimension, ")")):
            return _is_dimension(dimension)
        case _:
            return False


def _bare(expr: Expr) -> Expr:
    while isinstance(expr, Paren):
        expr = expr.inner
    return expr


def _plus_one(expr: Expr) -> Expr:
    value = integer_value(expr) if isinstance(expr, Literal) else None
    if value is not None and isinstance(expr, Literal) and expr.text.isdigit():
        return Literal(str(value + 1), value + 1, expr.type)
    match expr:
        case Binary(op="-", left=left, right=right) if integer_value(right) == 1:
            return left
        case _:
            return Binary("+", expr, Literal("1", 1, INT), expr.type)


def without_continues(body: Block) -> Block:
    """`if (c) continue; rest` at the level of a loop's body as `if (!c) { rest }`."""
    for position, one in enumerate(body.statements):
        match one:
            case If(condition=condition, then=then, otherwise=None) if only_continues(then):
                rest = without_continues(Block(body.statements[position + 1 :]))
            case _:
                continue
        asked = [negated(c) if inverted else c for c, inverted in conjuncts(condition, True)]
        guarded = replace(one, condition=all_of(asked), then=rest, form=Form.BUILT)
        kept = (*body.statements[:position], *((guarded,) if rest.statements else ()))
        return replace(body, statements=kept, form=Form.BUILT)
    return body


def only_continues(statement: Stmt) -> bool:
    match statement:
        case Jump(kind=JumpKind.CONTINUE) | Block(statements=(Jump(kind=JumpKind.CONTINUE),)):
            return True
        case _:
            return False


def only_returns(statement: Stmt) -> bool:
    """Is this `return;`, with or without braces?"""
    match statement:
        case Return(value=None):
            return True
        case Block(statements=(Return(value=None),)):
            return True
        case _:
            return False


def returning_guard(statement: Stmt) -> Expr | None:
    """The condition of `if (condition) return;`."""
    match statement:
        case If(condition=condition, then=then, otherwise=None) if only_returns(then):
            return condition
        case _:
            return None
