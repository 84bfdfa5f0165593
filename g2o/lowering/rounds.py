"""Threads of a block that walk through memory in large steps take each step together.

    for (int t = 0; t < B; ++t)                            for (int start = b * B; start < n;
        for (int i = b * B + t; i < n; i += step)   ->             start += step)
            s[key(x[i])] += 1;                                 for (int i = start;
                                                                    i < std::min(start + B, n); ++i)
                                                                   s[key(x[i])] += 1;

What a GPU reads at once, for neighbouring threads of one step, is then read one after the other.

Legal because a loop over threads may change places with one whose bounds and step are the same for
all of them: threads of one barrier interval do not see each other. A thread takes part in a step
when its own index is below the limit, as before, and goes through its steps in order. The body
names no thread index and nothing that is private to a thread but its own; where it does, the loops
change places with what is private kept in arrays (`interchange.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.ir.expressions import Assign, Binary, Code, Expr, Literal, VarRef
from g2o.ir.statements import (
    CountedLoop,
    Declare,
    DoWhile,
    For,
    LocalFunction,
    Node,
    Stmt,
    Text,
    Trivia,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import BOOL, CType, TypeKind
from g2o.lowering.stride_loops import (
    collapsed_loops,
    is_over_threads,
    jumps_out,
    start_of,
    stride_of,
)

_LOOPS = (For, While, DoWhile, CountedLoop)


def take_steps_together(
    statements: tuple[Stmt, ...], effects: EffectsOf, symbols: SymbolTable
) -> tuple[Stmt, ...]:
    """Interchange loops over the threads of a block with the steps that each of them takes."""
    rounds = _Rounds(effects, symbols, collapsed_loops(statements))
    return tuple(rounds.statement(statement) for statement in statements)


@final
@dataclass(frozen=True, slots=True)
class _Rounds:
    effects: EffectsOf
    symbols: SymbolTable
    collapsed: set[int]

    def statement(self, statement: Stmt) -> Stmt:
        return rewrite(statement, self._together)

    def _together(self, node: Node) -> Node | None:
        if not isinstance(node, CountedLoop) or not is_over_threads(node, self.collapsed):
            return None
        body = statements_of(node.body)
        if len(body) != 1 or not isinstance(body[0], For) or node.step is not None:
            return None
        match body[0]:
            case For(
                initial=Declare(variables=(variable,)),
                condition=Binary(op="<", left=VarRef(symbol=compared), right=limit),
                increment=Assign() as increment,
                body=inner,
            ) if variable.symbol == compared and variable.initial is not None:
                pass
            case _:
                return None
        lower = start_of(variable.initial, node.index)
        step = stride_of(increment, variable.symbol)
        if lower is None or step is None or not counts_up(variable, lower, limit, node.upper):
            return None
        found = self.effects.of_all((lower, limit, step, node.lower))
        named = symbols_in(lower) | symbols_in(limit) | symbols_in(step)
        private = declared_in(node) | {node.index}
        written = self.effects.of(inner).writes - declared_in(inner)
        if not found.is_pure or found.memory_reads or named & (private | written):
            return None
        if not isinstance(node.lower, Literal) or node.lower.value != 0:
            return None
        if node.index in symbols_in(inner) or written or not _is_simple(inner):
            return None
        return self._over_range(node, variable, (lower, limit, step), inner)

    def _over_range(
        self, loop: CountedLoop, variable: Variable, head: tuple[Expr, Expr, Expr], body: Stmt
    ) -> Stmt:
        lower, limit, step = head
        ctype = variable.symbol.type
        ctype = replace(ctype, spelling=_plain(ctype), is_const=False)
        start = self.symbols.fresh("start", ctype, Storage.BLOCK)
        end = Binary("+", VarRef(start), loop.upper, ctype)
        named = isinstance(loop.upper, Literal) and not loop.upper.text.isdigit()
        plain = _plain(limit.type) == ctype.spelling == "int" and not named
        explicit = "" if plain else f"<{ctype.spelling}>"
        bound = Code((f"std::min{explicit}(", end, ", ", limit, ")"), type=ctype)
        index = replace(variable.symbol, type=ctype)
        inner = CountedLoop(index, VarRef(start), bound, body)
        walked = statements_of(loop.body)[0]
        comments = (*loop.trivia.before, *walked.trivia.before)
        return For(
            Declare((Variable(start, ctype.spelling, "", lower, "="),)),
            Binary("<", VarRef(start), limit, BOOL),
            Assign("+=", VarRef(start), step, ctype),
            inner,
            trivia=Trivia(comments, walked.trivia.after, loop.trivia.blank_line),
        )


def _is_simple(body: Stmt) -> bool:
    """One row of memory, which every thread goes through to the end."""
    opaque = (*_LOOPS, Text, LocalFunction)
    return not jumps_out(body, continues=True) and not any(
        isinstance(node, opaque) for node in walk(body)
    )


def counts_up(variable: Variable, lower: Expr, limit: Expr, extent: Expr | None) -> bool:
    """Does comparing the first index of a step with the limit tell whether any thread takes part,
    without anything that wraps around? `extent` is known not to be negative."""
    index = variable.symbol.type
    if index.kind is not TypeKind.INTEGER or index.bits < 32:
        return False
    if limit.type.kind is not TypeKind.INTEGER or limit.type.bits > index.bits:
        return False
    if index.is_signed:
        return limit.type.is_signed
    return _is_never_negative(lower, extent)


def _is_never_negative(expr: Expr, extent: Expr | None) -> bool:
    """Sums and products of indices, extents and constants."""
    match expr:
        case Binary(op="+" | "*", left=left, right=right):
            return _is_never_negative(left, extent) and _is_never_negative(right, extent)
        case VarRef(symbol=symbol):
            return symbol.storage is Storage.INDEX
        case Literal(value=value):
            return (value is not None and value >= 0) or expr == extent
        case _:
            return expr == extent


def _plain(ctype: CType) -> str:
    words = ctype.spelling.split()
    return " ".join(word for word in words if word not in ("const", "volatile"))
