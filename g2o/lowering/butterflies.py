"""Reductions over a warp whose result every lane gets.

    for (int offset = 16; offset > 0; offset /= 2) {      for (int offset = 16; offset > 0;
        for lane                                               offset /= 2)
            other[lane] = sum[lane ^ offset];         ->      for (lane < offset)
        for lane                                                  sum[lane] += sum[lane + offset];
            sum[lane] += other[lane];                     for (lane > 0)
    }                                                         sum[lane] = sum[0];

Legal for operations that commute. Before a turn lanes that are the same modulo twice the offset
have the same value, as the offsets halve from 16 in a warp of 32 lanes, or from half of the lanes
that share values. In the turn lane l computes `v[l] op v[l ^ offset]`, and its partner the same
with the operands changed over: behind it lanes that are the same modulo the offset have the same
value, and behind the last turn all have. Lanes below the offset keep the order of their operands,
and read what no lane writes in the same turn.
Of the maximum of 0.0 and -0.0 C leaves open which it is; here all lanes agree, as on a GPU.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.effects import declared_in, statements_of, symbols_in
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Code,
    Expr,
    Form,
    Index,
    Literal,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import Block, CountedLoop, Declare, ExprStatement, For, Node, Stmt, Trivia
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite
from g2o.ir.types import INT
from g2o.lowering.indices import block_of
from g2o.lowering.lane_trees import HALF_WARP, halving, lanes_below, only_first_used, turn_of
from g2o.lowering.simd import may_vectorise
from g2o.lowering.thread_group import LANES

_COMMUTING = frozenset({"+=", "*=", "&=", "|=", "^="})
_EXTREMES = frozenset({"min", "max", "fmin", "fmax", "fminf", "fmaxf"})
_COMMENT = "// All lanes get what the first one has."


def shorten_butterflies(statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """Compute once what all lanes of a warp compute from the same values."""
    return _sequence(statements)


def _sequence(statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    result: list[Stmt] = []
    declared: set[Symbol] = set()
    for position, statement in enumerate(statements):
        if isinstance(statement, Declare):
            declared |= declared_in(statement)
        found = _butterfly(statement) if isinstance(statement, For) else None
        rest = statements[position + 1 :]
        if found is None or not found.is_unseen(declared, rest):
            result.append(rewrite(statement, _in_block))
        else:
            unseen = found.array in declared and only_first_used(found.array, rest)
            result += [found.halved()] if unseen else [found.halved(), found.spread()]
    same = len(result) == len(statements) and all(
        new is old for new, old in zip(result, statements, strict=True)
    )
    return statements if same else tuple(result)


def _in_block(node: Node) -> Node | None:
    if not isinstance(node, Block):
        return None
    statements = _sequence(node.statements)
    same = statements is node.statements
    return node if same else replace(node, statements=statements, form=Form.BUILT)


@final
@dataclass(frozen=True, slots=True)
class _Butterfly:
    """`combine` changes `own`, the element of a lane, with `got`, what it gets from its partner.

    `own` is at `start` in the first lane; `place` declares its index where that is no lane.
    """

    loop: For
    lanes: CountedLoop
    offset: Symbol
    other: Symbol
    array: Symbol
    own: Index
    start: Expr
    place: tuple[Declare, ...]
    combine: Assign
    got: Expr

    def is_unseen(self, declared: Set[Symbol], rest: tuple[Stmt, ...]) -> bool:
        """Does nobody see what a lane gets? `rest` is what stands behind, `declared` before."""
        own, _ = turn_of(self.loop)
        if self.other in own:
            return True
        return self.other in declared and not any(self.other in symbols_in(s) for s in rest)

    def halved(self) -> Stmt:
        far = Binary("+", self.own.index, VarRef(self.offset), INT)
        partner = Index(self.own.base, far, self.own.type)
        combine = rewrite(self.combine, lambda node: partner if node == self.got else None)
        lanes = self._loop(self.lanes.lower, lanes_below(VarRef(self.offset)), combine)
        return replace(self.loop, body=block_of((lanes,)), form=Form.BUILT)

    def spread(self) -> Stmt:
        first = Index(self.own.base, self.start, self.own.type)
        copy = Assign("=", self.own, first, self.own.type)
        loop = self._loop(Literal("1", 1, INT), self.lanes.upper, copy)
        return replace(loop, trivia=Trivia(before=(_COMMENT,)))

    def _loop(self, lower: Expr, upper: Expr, assign: Assign) -> CountedLoop:
        body = block_of((*self.place, ExprStatement(assign)))
        pragma = "omp simd" if may_vectorise(body) else ""
        return replace(self.lanes, lower=lower, upper=upper, body=body, pragma=pragma)


def _butterfly(loop: For) -> _Butterfly | None:
    halves = halving(loop)
    match turn_of(loop):
        case (_, (CountedLoop() as fetch, CountedLoop() as lanes)) if halves is not None:
            pass
        case _:
            return None
    width = fetch.upper
    if not isinstance(width, Literal) and width != LANES:
        return None
    if fetch.index != lanes.index or lanes.upper != width or not halves.is_half(width):
        return None
    if not all(one.step is None and integer_value(one.lower) == 0 for one in (fetch, lanes)):
        return None
    match statements_of(fetch.body):
        case (*place, ExprStatement(expr=Assign(op="=", target=target, value=source))):
            pass
        case _:
            return None
    match strip_parens(target), strip_parens(source):
        case (
            Index(base=VarRef(symbol=other), index=VarRef(symbol=index)),
            Index(base=VarRef(symbol=array)) as source,
        ) if index == lanes.index and array.storage is Storage.BLOCK and array != other:
            pass
        case _:
            return None
    offset = halves.offset
    partner = _partner(lanes.index, offset, width)
    own = Index(source.base, VarRef(index), source.type) if source.index == partner else source
    other_lane = VarRef(index) if source.index == partner else partner
    got = Index(VarRef(other), other_lane, own.type)
    body = statements_of(lanes.body)
    declarations = tuple(statement for statement in place if isinstance(statement, Declare))
    start = _start(declarations, own, lanes.index)
    if start is None or body[: len(place)] != tuple(place) or len(declarations) != len(place):
        return None
    if symbols_in(start) & {array, other, offset, lanes.index}:
        return None
    combined = _combined(body[len(place) :], own, got)
    if combined is None or target.type != own.type or not own.type.is_arithmetic:
        return None
    return _Butterfly(loop, lanes, offset, other, array, own, start, declarations, *combined)


def _start(place: tuple[Declare, ...], own: Index, lane: Symbol) -> Expr | None:
    """The index of the first lane's element."""
    match place, own.index:
        case (), VarRef(symbol=symbol) if symbol == lane:
            return Literal("0", 0, INT)
        case (Declare(variables=(variable,)),), VarRef(symbol=symbol) if symbol == variable.symbol:
            pass
        case _:
            return None
    match variable.initial:
        case Binary(op="+", left=before, right=VarRef(symbol=last)) if last == lane:
            return before if _is_plain(before) else None
        case _:
            return None


def _is_plain(expr: Expr) -> bool:
    """Products of variables and constants."""
    match strip_parens(expr):
        case VarRef() | Literal() | Code(pure=True):
            return True
        case Binary(op="*" | "+", left=left, right=right):
            return _is_plain(left) and _is_plain(right)
        case _:
            return False


def _partner(lane: Symbol, offset: Symbol, width: Expr) -> Expr:
    """The lane whose value a shuffle gives to `lane`."""
    if width == LANES or integer_value(width) == 2 * HALF_WARP:
        return Binary("^", VarRef(lane), VarRef(offset), INT)
    parts = ("g2o::shfl_xor_lane(", VarRef(lane), ", ", VarRef(offset), ", ", width, ")")
    return Code(parts, type=INT)


def _combined(body: tuple[Stmt, ...], own: Index, element: Expr) -> tuple[Assign, Expr] | None:
    """The operation that commutes, and what stands in it for the value of the other lane."""
    got = element
    match body:
        case (Declare(variables=(variable,)), *rest) if variable.initial == element:
            if variable.symbol.type.spelling != own.type.spelling:
                return None
            got, body = VarRef(variable.symbol), tuple(rest)
        case _:
            pass
    match body:
        case (ExprStatement(expr=Assign(op=op, target=target, value=value) as combine),):
            pass
        case _:
            return None
    if strip_parens(target) != own:
        return None
    value = strip_parens(value)
    if op in _COMMUTING:
        return (combine, got) if value == got else None
    match value:
        case Call(name=name, arguments=(left, right)) if op == "=" and name in _EXTREMES:
            operands = [strip_parens(left), strip_parens(right)]
            alike = may_vectorise(value) and operands in ([own, got], [got, own])
            return (combine, got) if alike else None
        case Binary(op="+" | "*" | "&" | "|" | "^", left=left, right=right) if op == "=":
            operands = [strip_parens(left), strip_parens(right)]
            return (combine, got) if operands in ([own, got], [got, own]) else None
        case _:
            return None
