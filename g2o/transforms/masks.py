"""Masks of warp operations: the lanes whose values count.

__all_sync(mask, p)    ->    (votes & mask) == mask        votes: of the whole warp
"""

from __future__ import annotations

from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Expr,
    Literal,
    Paren,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import Block, Declare
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import BOOL, INT, UNSIGNED

_WHOLE = 0xFFFFFFFF


def whole_masks(body: Block) -> set[Symbol]:
    """Variables that only ever hold a mask of the whole warp, or of its active lanes."""
    found: set[Symbol] = set()
    changed: set[Symbol] = set()
    for node in walk(body):
        match node:
            case Declare(variables=variables):
                found |= {
                    v.symbol
                    for v in variables
                    if v.initial is not None and is_whole(v.initial, found)
                }
            case Assign(target=VarRef(symbol=symbol)):
                changed.add(symbol)
            case Unary(op="++" | "--" | "&", operand=VarRef(symbol=symbol)):
                changed.add(symbol)
            case _:
                pass
    return found - changed


def is_whole(mask: Expr, known: set[Symbol]) -> bool:
    """Does `mask` name all lanes that get here? `known` are variables that do.

    CUDA demands that a lane is in its mask and that all lanes of a mask take part. Where the mask
    is the same for all of them, as votes are, these are the lanes that get here.
    """
    match strip_parens(mask):
        case VarRef(symbol=symbol):
            return symbol in known
        case Cast(operand=operand):
            return is_whole(operand, known)
        case Call(name="__activemask" | "__ballot_sync", is_cuda=True):
            return True
        case Unary(op="~", operand=operand):
            return integer_value(operand) == 0
        case plain:
            value = integer_value(plain)
            return value is not None and value & _WHOLE == _WHOLE


def of_lanes(operation: str, votes: Expr, mask: Expr) -> Expr:
    """What a vote of the lanes in `mask` gives, in terms of the votes of all."""
    if not isinstance(mask, Literal):
        mask = Paren(mask, mask.type)
    if mask.type.is_signed:
        mask = Cast(mask, UNSIGNED)
    own = Paren(Binary("&", votes, mask, UNSIGNED), UNSIGNED)
    match operation:
        case "any":
            return Paren(Binary("!=", own, Literal("0", 0, INT), BOOL), BOOL)
        case "all":
            return Paren(Binary("==", own, mask, BOOL), BOOL)
        case _:
            return own
