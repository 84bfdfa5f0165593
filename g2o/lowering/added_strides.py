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

from collections.abc import Iterable
from dataclasses import replace
from typing import Final, final

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.ir.comments import comments_of, with_comments
from g2o.ir.expressions import (
    Assign,
    Binary,
    Cast,
    Expr,
    Literal,
    Paren,
    Unary,
    VarRef,
    integer_value,
)
from g2o.ir.statements import (
    CountedLoop,
    Declare,
    Empty,
    For,
    LocalFunction,
    Node,
    Stmt,
    Text,
    Variable,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children, rewrite, walk, with_children
from g2o.ir.types import CType, TypeKind
from g2o.lowering.indices import block_of
from g2o.lowering.simd import may_vectorise
from g2o.lowering.stride_loops import (
    collapsed_loops,
    is_over_threads,
    is_same,
    jumps_out,
    perfect_nest,
    stride_of,
    with_loops_replaced,
)
from g2o.polyhedral.polynomial import Polynomial

_THREAD: Final = "thread"
_TURN: Final = "turn"


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
        declarations, rest = self._split(body)
        for position, loop in enumerate(loops):
            if not is_over_threads(loop, self.collapsed):
                continue
            merged = [self._merged(one, loop, declarations) for one in rest]
            if any(merged) and (all(merged) or not _crosses(rest)):
                return self._rebuilt(loops, position, declarations, rest, merged)
        return None

    def _split(self, body: tuple[Stmt, ...]) -> tuple[dict[Symbol, Declare], list[Stmt]]:
        """Declarations that may be repeated, and all else."""
        written = written_after_declaration(block_of(body), self.effects)
        found: dict[Symbol, Declare] = {}
        rest: list[Stmt] = []
        comments: tuple[str, ...] = ()
        for statement in body:
            if isinstance(statement, Empty):
                comments = (*comments, *comments_of(statement))
                continue
            commented = with_comments(statement, comments)
            comments = ()
            match commented:
                case Declare() if (symbol := self._named_value(commented, written)) is not None:
                    found[symbol] = commented
                case _:
                    rest.append(commented)
        return found, rest

    def _named_value(self, node: Node, written: set[Symbol]) -> Symbol | None:
        """The variable where a declaration does nothing but name a value."""
        match node:
            case Declare(variables=(Variable(symbol=symbol, initial=initial),)) if (
                initial is not None and symbol not in written
            ):
                found = self.effects.of(initial)
                return symbol if found.is_pure and not found.memory_reads else None
            case _:
                return None

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
            and (symbol := self._named_value(node, written)) is not None
            and _is_integer(symbol.type)
        }
        sums = _Sums(threads.index, turn, {**declarations, **inner}, set(inner))
        if not sums.decide(body):
            return None
        without = _without_turn(body, threads.index, turn)
        return None if without is None else (end, statements_of(without))

    def _rebuilt(
        self,
        loops: list[CountedLoop],
        position: int,
        declarations: dict[Symbol, Declare],
        rest: list[Stmt],
        merged: list[tuple[Expr, tuple[Stmt, ...]] | None],
    ) -> tuple[Stmt, ...]:
        result: list[Stmt] = []
        pending: list[Stmt] = []

        def add(statements: Iterable[Stmt], end: Expr | None, first: Stmt) -> None:
            body = block_of((*_needed(statements, declarations), *statements))
            own = list(loops)
            if end is not None:
                own[position] = replace(own[position], upper=end)
            nest: Stmt = body
            # Turns of one thread may depend on each other: no vectors of them.
            simd = may_vectorise(body) and (end is None or position + 1 < len(own))
            for depth, loop in enumerate(reversed(own)):
                pragma = "omp simd" if simd and depth == 0 else ""
                trivia = replace(loop.trivia, before=(), after="", blank_line=False)
                nest = replace(loop, body=nest, pragma=pragma, trivia=trivia)
            result.append(replace(nest, trivia=first.trivia))

        for statement, whole in zip(rest, merged, strict=True):
            if whole is None:
                pending.append(statement)
                continue
            if pending:
                add(tuple(pending), None, loops[0] if not result else pending[0])
                pending.clear()
            add(whole[1], whole[0], statement)
        if pending:
            add(tuple(pending), None, pending[0])
        outer, new = loops[0].trivia, result[0].trivia
        before = (*outer.before, *(line for line in new.before if line not in outer.before))
        joined = replace(new, before=before, blank_line=outer.blank_line)
        return (replace(result[0], trivia=joined), *result[1:])


@final
class _Sums:
    """Do values depend on a thread and its turn by their sum alone?"""

    def __init__(
        self,
        thread: Symbol,
        turn: Symbol,
        declarations: dict[Symbol, Declare],
        inner: set[Symbol],
    ) -> None:
        self.thread = thread
        self.turn = turn
        self.declarations = declarations
        self.inner = inner
        self.atoms: dict[Expr, str] = {}

    def decide(self, node: Node) -> bool:
        """Does that hold for every expression in `node`?"""
        if isinstance(node, Expr) and _is_integer(node.type):
            value = self._polynomial(node)
            if value is None:
                return False
            names = Polynomial.name(_THREAD), Polynomial.name(_TURN)
            return value == value.substituted(
                {_THREAD: names[0] + names[1], _TURN: Polynomial.constant(0)}
            )
        if isinstance(node, Declare) and node.variables[0].symbol in self.inner:
            return True  # it counts where the variable is used
        if isinstance(node, VarRef):
            return not self._follows_thread(node.symbol)
        return all(self.decide(child) for child in children(node))

    def _polynomial(self, expr: Expr) -> Polynomial | None:
        """None where a part depends on the two in another way."""
        match expr:
            case Literal() if (value := integer_value(expr)) is not None:
                return Polynomial.constant(value)
            case VarRef(symbol=symbol):
                return self._variable(symbol)
            case Paren(inner=inner):
                return self._polynomial(inner)
            case Cast(operand=operand, type=ctype) if _keeps_values(operand.type, ctype):
                return self._polynomial(operand)
            case Unary(op="-", operand=operand):
                value = self._polynomial(operand)
                return None if value is None else -value
            case Binary(op="+" | "-" | "*" as op, left=left, right=right) if all(
                _keeps_values(operand.type, expr.type) for operand in (left, right)
            ):
                one, other = self._polynomial(left), self._polynomial(right)
                if one is None or other is None:
                    return None
                found = one * other if op == "*" else one + other if op == "+" else one - other
                return None if found.is_large else found
            case _:
                if not all(self.decide(child) for child in children(expr)):
                    return None
                return Polynomial.name(self.atoms.setdefault(expr, f"atom{len(self.atoms)}"))

    def _variable(self, symbol: Symbol) -> Polynomial | None:
        if symbol == self.thread:
            return Polynomial.name(_THREAD)
        if symbol == self.turn:
            return Polynomial.name(_TURN)
        declare = self.declarations.get(symbol)
        if declare is None or not self._follows_thread(symbol):
            return Polynomial.name(self.atoms.setdefault(VarRef(symbol), f"atom{len(self.atoms)}"))
        initial = declare.variables[0].initial
        if initial is None or not _keeps_values(initial.type, symbol.type):
            return None
        return self._polynomial(initial)

    def _follows_thread(self, symbol: Symbol) -> bool:
        """Does the variable depend on the thread or the turn?"""
        declare = self.declarations.get(symbol)
        if declare is None:
            return symbol in (self.thread, self.turn)
        return any(self._follows_thread(named) for named in symbols_in(declare) - {symbol})


def _value(expr: Expr | None) -> int | None:
    return None if expr is None else integer_value(expr)


def _covers(threads: CountedLoop, stride: Expr) -> bool:
    """Are there as many threads as a stride is long?"""
    if threads.step is not None or integer_value(threads.lower) != 0:
        return False
    size = integer_value(threads.upper)
    return is_same(threads.upper, stride) or (size is not None and size == integer_value(stride))


def _is_integer(ctype: CType) -> bool:
    return ctype.kind is TypeKind.INTEGER and ctype.bits >= 32


def _keeps_values(source: CType, target: CType) -> bool:
    """Is a conversion the identity, or one that sums of the source's type pass unharmed?"""
    if not _is_integer(source) or not _is_integer(target):
        return False
    return source.bits == target.bits or (source.is_signed and source.bits < target.bits)


def _crosses(rest: list[Stmt]) -> bool:
    """Does a statement of the threads declare what another one names, or skip the others?"""
    declared = [declared_in(one) for one in rest]
    if any(jumps_out(one, continues=True) for one in rest):
        return True
    return any(
        declared[position] & symbols_in(other)
        for position in range(len(rest))
        for number, other in enumerate(rest)
        if number != position
    )


def _needed(statements: Iterable[Stmt], declarations: dict[Symbol, Declare]) -> list[Stmt]:
    """The declarations that `statements` rest on, in their order."""
    pending = {symbol for one in statements for symbol in symbols_in(one)}
    found: set[Symbol] = set()
    while pending:
        symbol = pending.pop()
        if symbol in declarations and symbol not in found:
            found.add(symbol)
            pending |= symbols_in(declarations[symbol])
    return [declare for symbol, declare in declarations.items() if symbol in found]


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
