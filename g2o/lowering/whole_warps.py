"""In a warp that is complete all lanes take part.

    const unsigned there = 0xffffffffu >> (32 - g2o::warp_size);
    d_sum += ((there >> (lane ^ o)) & 1u) != 0 ? returned : 0.0f;      ->      d_sum += returned;

Lanes that come to an operation one by one have masks that are computed otherwise.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from g2o.analysis.effects import EffectsOf, statements_of
from g2o.ir.directives import simd_where
from g2o.ir.expressions import (
    Binary,
    Code,
    Conditional,
    Expr,
    Form,
    Literal,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import Block, CountedLoop, Declare, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import BOOL, UNSIGNED
from g2o.lowering.guards import conjuncts
from g2o.lowering.simd import may_vectorise
from g2o.lowering.thread_group import LANES, needed_positions
from g2o.lowering.unused import drop_unused

_ALL = Literal("0xffffffffu", 0xFFFFFFFF, UNSIGNED)


def without_whole_masks(statements: tuple[Stmt, ...], effects: EffectsOf) -> tuple[Stmt, ...]:
    """Leave out questions for lanes of complete warps, and what only they need."""
    masks = {symbol for one in statements for node in walk(one) if (symbol := _mask(node))}
    if not masks:
        return statements

    def known(node: Node) -> Node | None:
        match node:
            case Block(statements=inner) if any(_mask(one) for one in inner):
                kept = tuple(one for one in inner if not _mask(one))
                return rewrite(replace(node, statements=kept, form=Form.BUILT), known)
            case Conditional(condition=condition, if_true=if_true):
                asked = _still_asked(condition, masks)
                if asked == []:
                    return rewrite(if_true, known)
                return None if asked is None else rewrite(_where(node, asked), known)
            case VarRef(symbol=symbol) if symbol in masks:
                return _ALL
            case CountedLoop(upper=upper, body=body) if upper == LANES and not node.directive:
                new = rewrite(body, known)
                if new is body:
                    return node
                new = _without_needless_positions(new)
                directive = simd_where(may_vectorise(new))
                return replace(node, body=new, directive=directive)
            case _:
                return None

    left = tuple(rewrite(one, known) for one in statements if not _mask(one))
    return drop_unused(left, effects)


def _without_needless_positions(body: Stmt) -> Block:
    """`body` without the indices of threads that only the questions needed."""
    statements = statements_of(body)
    positions = tuple(takewhile(_is_position, statements))
    rest = statements[len(positions) :]
    return Block((*needed_positions(positions, rest), *rest))


def _is_position(statement: Stmt) -> bool:
    match statement:
        case Declare(variables=(Variable(symbol=symbol),)):
            return symbol.storage is Storage.INDEX
        case _:
            return False


def _mask(node: Node) -> Symbol | None:
    """The variable that is declared as the mask of all lanes of a complete warp."""
    match node:
        case Declare(variables=(Variable(symbol=symbol, initial=Code(parts=parts)),)):
            return symbol if parts == ("0xffffffffu >> (32 - ", LANES, ")") else None
        case _:
            return None


def _still_asked(condition: Expr, masks: set[Symbol]) -> list[Expr] | None:
    """What the condition asks besides whether lanes are there; None where it does not ask that."""
    parts = conjuncts(condition, False)
    kept = [part for part, negated in parts if negated or not _asks_for_lane(part, masks)]
    if len(kept) == len(parts) or any(negated for _, negated in parts):
        return None
    return kept


def _asks_for_lane(part: Expr, masks: set[Symbol]) -> bool:
    """Is it `((there >> lane) & 1u) != 0`?"""
    match strip_parens(part):
        case Binary(op="!=", left=left, right=right) if integer_value(right) == 0:
            bit = strip_parens(left)
        case _:
            return False
    match bit:
        case Binary(op="&", left=left, right=right) if integer_value(right) == 1:
            shifted = strip_parens(left)
        case _:
            return False
    match shifted:
        case Binary(op=">>", left=VarRef(symbol=symbol)):
            return symbol in masks
        case _:
            return False


def _where(node: Conditional, conditions: list[Expr]) -> Conditional:
    whole = conditions[0]
    for condition in conditions[1:]:
        whole = Binary("&&", whole, condition, BOOL)
    return replace(node, condition=whole, form=Form.BUILT)
