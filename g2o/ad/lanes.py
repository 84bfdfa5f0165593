"""Which lanes of a warp take part in a shuffle, and whether they ask for the same."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final, final

from g2o.ad.lane_winners import WINNERS
from g2o.analysis.effects import declared_in
from g2o.analysis.lane_masks import stays_inside
from g2o.analysis.uniformity import Uniformity, solve_uniformity
from g2o.ir.expressions import VarRef
from g2o.ir.kernel import LaunchShape
from g2o.ir.statements import Block, DoWhile, Exchange, For, If, Return, Stmt, While
from g2o.ir.traverse import children, walk

_WARP: Final = 32


class Part(Enum):
    """Lanes that take part."""

    WHOLE = auto()  # all 32
    FIRST = auto()  # those below the size of the block: its last warp may not be complete
    SOME = auto()  # those that have come this way


@final
@dataclass(frozen=True, slots=True)
class Meeting:
    """The lanes that meet in an exchange. `is_uniform`: all of them give the same operands, but
    for the value that they hand out. `is_inside`: a butterfly reads no other group of lanes."""

    part: Part
    is_uniform: bool
    is_inside: bool = False


def find_meetings(
    statements: tuple[Stmt, ...], uniformity: Uniformity, shape: LaunchShape
) -> dict[int, Meeting]:
    """The lanes that meet in exchanges, by the identity of these."""
    usual = Part.WHOLE if _has_whole_warps(shape) else Part.FIRST
    found: dict[int, Meeting] = {}
    _find(statements, uniformity, usual, found)
    body = Block(statements)
    exchanges = [one for one in walk(body) if isinstance(one, Exchange)]
    winners = {VarRef(one.result) for one in exchanges if one.operation in WINNERS.values()}
    for node in exchanges:
        if node.operation == "shfl_xor" and id(node) in found:
            inside = stays_inside(node.operands[1], node.width, body, uniformity.effects)
            found[id(node)] = replace(found[id(node)], is_inside=inside)
        elif node.operation == "shfl" and node.operands[1] in winners:
            found[id(node)] = replace(found[id(node)], is_uniform=True)
    return found


def _find(
    statements: tuple[Stmt, ...], uniformity: Uniformity, part: Part, found: dict[int, Meeting]
) -> None:
    for position, statement in enumerate(statements):
        if isinstance(statement, Exchange):
            uniform = all(uniformity.is_uniform(one) for one in statement.operands[1:])
            found[id(statement)] = Meeting(part, uniform)
            continue
        nested = tuple(one for one in children(statement) if isinstance(one, Stmt))
        if not _divides(statement, uniformity):
            _find(nested, uniformity, part, found)
            continue
        for one in nested:
            _find_among_some((one,), uniformity, found)
        if any(isinstance(node, Return) for node in walk(statement)):
            _find_among_some(statements[position + 1 :], uniformity, found)
            return


def _find_among_some(
    statements: tuple[Stmt, ...], uniformity: Uniformity, found: dict[int, Meeting]
) -> None:
    """Those that come here may have the same values where not all of the block have them."""
    if not any(isinstance(node, Exchange) for one in statements for node in walk(one)):
        return
    own = {symbol for statement in statements for symbol in declared_in(statement)}
    varying = uniformity.varying - own
    inner = solve_uniformity(Block(statements), uniformity.scope, uniformity.effects, varying)
    _find(statements, inner, Part.SOME, found)


def _divides(statement: Stmt, uniformity: Uniformity) -> bool:
    """Do some threads go another way than others?"""
    if not isinstance(statement, (If, For, While, DoWhile)):
        return False
    return statement.condition is not None and not uniformity.is_uniform(statement.condition)


def _has_whole_warps(shape: LaunchShape) -> bool:
    extent = shape.block[0]
    value = None if extent is None else shape.values.get(extent, _number(extent))
    return value is not None and value % _WARP == 0


def _number(text: str) -> int | None:
    return int(text) if text.isdigit() else None
