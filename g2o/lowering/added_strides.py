"""Threads that go through a range in strides, their index added to the turn, become one loop.

    for (int ty = 0; ty < ROWS; ++ty) {                     for (int ty = 0; ty < TILE; ++ty) {
        int y = by * TILE + ty;                                 int y = by * TILE + ty;
        for (int j = 0; j < TILE; j += ROWS)        ->          tile[ty][tx] = in[y * width + x];
            tile[ty + j][tx] = in[(y + j) * width + x];     }
    }

Legal because
- TILE is a multiple of ROWS, so that the sums of a thread and a turn are each number below TILE
  once, and a thread meets its own in ascending order;
- every value in the body depends on the two by their sum alone: as polynomials, indices with the
  sum for the thread and zero for the turn are those of the source. What is no polynomial
  (comparisons, calls, elements) is a function of parts for which that holds;
- nothing but memory connects the turns, and threads of one barrier interval see nothing of each
  other in a program without races (`stride_loops.py`, which merges loops that start at the thread).

Other statements of the threads get a loop of their own; declarations that both need are repeated.
"""

from __future__ import annotations

from typing import final

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.ir.expressions import (
    Assign,
    Binary,
    Expr,
    Paren,
    VarRef,
    integer_value,
)
from g2o.ir.statements import (
    CountedLoop,
    Declare,
    For,
    LocalFunction,
    Node,
    Stmt,
    Text,
    Variable,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite, walk, with_children
from g2o.ir.types import CType
from g2o.lowering.stride_loops import (
    collapsed_loops,
    is_over_threads,
    is_same,
    jumps_out,
    perfect_nest,
    stride_of,
    with_loops_replaced,
)
from g2o.lowering.thread_nests import Piece, crosses, named_value, nests_of, split_body
from g2o.lowering.thread_sums import ThreadSums, is_integer


def merge_added_strides(statements: tuple[Stmt, ...], effects: EffectsOf) -> tuple[Stmt, ...]:
    """Replace loops over threads around strided loops whose turns are added to the thread."""
    merger = _Merger(effects, collapsed_loops(statements))
    return tuple(new for statement in statements for new in merger.statement(statement))


@final
class _Merger:
    def __init__(self, effects: EffectsOf, collapsed: set[int]) -> None:
        self.effects = effects
        self.collapsed = collapsed

    def statement(self, statement: Stmt) -> tuple[Stmt, ...]:
        """The loops in place of `statement`, or itself."""
        if isinstance(statement, CountedLoop) and is_over_threads(statement, self.collapsed):
            merged = self._nest(statement)
            if merged is not None:
                return tuple(new for one in merged for new in self.statement(one))

        return (with_loops_replaced(statement, self.statement),)

    def _nest(self, outer: CountedLoop) -> tuple[Stmt, ...] | None:
        loops = perfect_nest(outer)
        body = statements_of(loops[-1].body)
        if any(isinstance(node, (Text, LocalFunction)) for node in walk(outer)):
            return None
        declarations, rest = split_body(body, self.effects)
        for position, loop in enumerate(loops):
            if not is_over_threads(loop, self.collapsed):
                continue
            pieces = [self._piece(one, loop, declarations) for one in rest]
            merged = [piece.end is not None for piece in pieces]
            if any(merged) and (all(merged) or not crosses(rest)):
                return nests_of(loops, position, declarations, pieces)
        return None

    def _piece(
        self, statement: Stmt, threads: CountedLoop, declarations: dict[Symbol, Declare]
    ) -> Piece:
        merged = self._merged(statement, threads, declarations)
        if merged is None:
            return Piece((statement,))
        return Piece(merged[1], merged[0], first=statement)

    def _merged(
        self, statement: Stmt, threads: CountedLoop, declarations: dict[Symbol, Declare]
    ) -> tuple[Expr, tuple[Stmt, ...]] | None:
        """The end of the whole range, and the body where `threads.index` goes through it."""
        match statement:
            case For(
                initial=Declare(variables=(Variable(symbol=turn, initial=first),)),
                condition=Binary(op="<", left=VarRef(symbol=compared), right=end),
                increment=Assign() as increment,
            ) if compared == turn and _value(first) == 0:
                stride = stride_of(increment, turn)
            case _:
                return None
        size, least = integer_value(end), _value(stride)
        if stride is None or not size or not least or size % least or size == least:
            return None
        if not _covers(threads, stride):
            return None
        body = statement.body
        if turn in self.effects.of(body).writes or jumps_out(body, continues=True):
            return None
        if self.effects.of(body).writes - declared_in(body):
            return None
        written = written_after_declaration(body, self.effects)
        inner = {
            symbol: node
            for node in walk(body)
            if isinstance(node, Declare)
            and (symbol := named_value(node, written, self.effects)) is not None
            and is_integer(symbol.type)
        }
        sums = ThreadSums(threads.index, turn, {**declarations, **inner}, set(inner))
        if not sums.decide(body):
            return None
        without = _without_turn(body, threads.index, turn)
        return None if without is None else (end, statements_of(without))


def _value(expr: Expr | None) -> int | None:
    return None if expr is None else integer_value(expr)


def _covers(threads: CountedLoop, stride: Expr) -> bool:
    """Are there as many threads as a stride is long?"""
    if threads.step is not None or integer_value(threads.lower) != 0:
        return False
    size = integer_value(threads.upper)
    return is_same(threads.upper, stride) or (size is not None and size == integer_value(stride))


def _without_turn(body: Stmt, threads: Symbol, turn: Symbol) -> Stmt | None:
    """`body` in the turn 0; None where the turn is more than an operand of a sum."""

    def is_turn(expr: Expr) -> bool:
        return isinstance(expr, VarRef) and expr.symbol == turn

    def is_typed(expr: Expr, ctype: CType) -> bool:
        """Has it the type, or is it an index, which any type holds?"""
        index = isinstance(expr, VarRef) and expr.symbol == threads
        same = expr.type.is_signed == ctype.is_signed or index
        return same and expr.type.bits == ctype.bits

    def folded(sum_of: Binary, left: Expr, right: Expr) -> Expr:
        match sum_of.op:
            case "*" if is_turn(left) or is_turn(right):
                return VarRef(turn)
            case "+" if is_turn(left) and is_typed(right, sum_of.type):
                return right
            case "+" | "-" if is_turn(right) and is_typed(left, sum_of.type):
                return left
            case _:
                return with_children(sum_of, (left, right))

    def replacement(node: Node) -> Node | None:
        match node:
            case Paren(inner=inner):
                new = rewrite(inner, replacement)
                if new is inner:
                    return node
                return new if isinstance(new, VarRef) else with_children(node, (new,))
            case Binary(op="+" | "-" | "*", left=left, right=right):
                if turn not in symbols_in(node):
                    return node
                return folded(node, rewrite(left, replacement), rewrite(right, replacement))
            case _:
                return None

    result = rewrite(body, replacement)
    return None if turn in symbols_in(result) else result
