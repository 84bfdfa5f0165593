"""Loops over the threads of a block cut into pieces that have a loop each.

A piece may go through another range than the threads. Declarations that name values are repeated
in every piece that needs them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf, declared_in, symbols_in
from g2o.ir.comments import comments_of, with_comments
from g2o.ir.expressions import Expr
from g2o.ir.statements import CountedLoop, Declare, Empty, Node, Stmt, Variable
from g2o.ir.symbols import Symbol
from g2o.lowering.indices import block_of
from g2o.lowering.simd import may_vectorise
from g2o.lowering.stride_loops import jumps_out


@final
@dataclass(frozen=True, slots=True)
class Piece:
    """What becomes of one statement of the threads, or of several. With an `end` the loop goes
    through [0, end), without, through the threads. Statements that go by an `index` of their own
    come with the declarations that they need."""

    statements: tuple[Stmt, ...]
    end: Expr | None = None
    index: Symbol | None = None
    first: Stmt | None = None  # whose comments stand in front
    simd: bool = False  # no turn of the range depends on another one


def split_body(
    body: tuple[Stmt, ...], effects: EffectsOf
) -> tuple[dict[Symbol, Declare], list[Stmt]]:
    """Declarations that may be repeated, and all else."""
    fleeting = written_after_declaration(block_of(body), effects)
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
            case Declare() if (symbol := named_value(commented, fleeting, effects)) is not None:
                found[symbol] = commented
            case _:
                rest.append(commented)
                fleeting |= declared_in(commented)
    return found, rest


def named_value(node: Node, fleeting: set[Symbol], effects: EffectsOf) -> Symbol | None:
    """The variable where a declaration does nothing but name a value, which stays what it is: it
    is none of the `fleeting` variables and rests on none of them."""
    match node:
        case Declare(variables=(Variable(symbol=symbol, initial=initial),)) if (
            initial is not None and symbol not in fleeting
        ):
            found = effects.of(initial)
            stays = found.is_pure and not found.memory_reads and not found.reads & fleeting
            return symbol if stays else None
        case _:
            return None


def crosses(rest: list[Stmt]) -> bool:
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


def needed_declarations(
    statements: Iterable[Stmt], declarations: dict[Symbol, Declare]
) -> list[Declare]:
    """The declarations that `statements` rest on, in their order."""
    pending = {symbol for one in statements for symbol in symbols_in(one)}
    found: set[Symbol] = set()
    while pending:
        symbol = pending.pop()
        if symbol in declarations and symbol not in found:
            found.add(symbol)
            pending |= symbols_in(declarations[symbol])
    return [declare for symbol, declare in declarations.items() if symbol in found]


def nests_of(
    loops: list[CountedLoop],
    position: int,
    declarations: dict[Symbol, Declare],
    pieces: list[Piece],
) -> tuple[Stmt, ...]:
    """A nest for each piece; neighbours that go through the threads share one. The ranges of the
    others are those of `loops[position]`."""
    result: list[Stmt] = []
    pending: list[Stmt] = []

    def add(statements: Iterable[Stmt], piece: Piece | None, first: Stmt) -> None:
        own = list(loops)
        needed: list[Declare] = []
        if piece is None or piece.index is None:
            needed = needed_declarations(statements, declarations)
        body = block_of((*needed, *statements))
        if piece is not None and piece.end is not None:
            index = piece.index or own[position].index
            own[position] = replace(own[position], upper=piece.end, index=index)
        nest: Stmt = body
        # Turns of one thread may depend on each other: no vectors of them.
        free = piece is None or piece.simd or position + 1 < len(own)
        simd = may_vectorise(body) and free
        for depth, loop in enumerate(reversed(own)):
            pragma = "omp simd" if simd and depth == 0 else ""
            trivia = replace(loop.trivia, before=(), after="", blank_line=False)
            nest = replace(loop, body=nest, pragma=pragma, trivia=trivia)
        result.append(replace(nest, trivia=first.trivia))

    for piece in pieces:
        if piece.end is None:
            pending += piece.statements
            continue
        if pending:
            add(tuple(pending), None, loops[0] if not result else pending[0])
            pending.clear()
        add(piece.statements, piece, piece.first or piece.statements[0])
    if pending:
        add(tuple(pending), None, pending[0])
    outer, new = loops[0].trivia, result[0].trivia
    before = (*outer.before, *(line for line in new.before if line not in outer.before))
    joined = replace(new, before=before, blank_line=outer.blank_line)
    return (replace(result[0], trivia=joined), *result[1:])
