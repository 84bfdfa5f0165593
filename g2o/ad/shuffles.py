"""Shuffles, turned around: what a lane handed out comes back from the lanes that took it.

other = shfl_xor(v, m)     the partner took v:                d_v += shfl_xor(d_other, m)
other = shfl_down(v, k)    lane - k took v, and the last k    d_v += shfl_up(d_other, k) where
                           lanes kept their own                      there is a lane - k, and
                                                              d_v += d_other where lane + k is
                                                              outside
other = shfl(v, l)         the lanes that asked for l:        d_v += sum over lanes
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from g2o.ad.increments import zero
from g2o.ir.expressions import (
    Assign,
    Binary,
    Builtin,
    Cast,
    Conditional,
    Expr,
    LaunchRef,
    Literal,
    Unary,
    VarRef,
    integer_value,
)
from g2o.ir.statements import (
    Block,
    Declare,
    Exchange,
    ExprStatement,
    For,
    If,
    Scope,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, SymbolTable
from g2o.ir.types import BOOL, INT, UNSIGNED, CType

SHUFFLES: Final = ("shfl", "shfl_up", "shfl_down", "shfl_xor")
_WARP: Final = 32


@final
@dataclass(frozen=True, slots=True)
class Shuffle:
    """An exchange with operands that the reverse sweep has. `axes` are those along which the
    kernel tells threads apart, `seed` is the shadow of the result."""

    operation: str
    operands: tuple[Expr, ...]
    scope: Scope
    width: Expr | None
    seed: Expr
    ctype: CType
    axes: tuple[int, ...]
    is_uniform: bool  # do all lanes give the same operand?


def returned(shuffle: Shuffle, symbols: SymbolTable) -> tuple[list[Stmt], Expr]:
    """Statements after which the expression is what comes back to the lane."""
    if shuffle.operation == "shfl_xor":
        back, statement = _exchanged(shuffle, "shfl_xor", shuffle.operands[0], symbols)
        return statement, back
    if shuffle.operation in ("shfl_up", "shfl_down"):
        return _shifted(shuffle, symbols)
    return _gathered(shuffle, symbols)


def _exchanged(
    shuffle: Shuffle, operation: str, operand: Expr, symbols: SymbolTable
) -> tuple[Expr, list[Stmt]]:
    """The seed of another lane."""
    spelled = _spelled(shuffle.ctype)
    handed = symbols.fresh("handed", shuffle.ctype, Storage.LOCAL)
    result = symbols.fresh("returned", shuffle.ctype, Storage.LOCAL)
    return VarRef(result), [
        Declare((Variable(handed, spelled, "", shuffle.seed, "="),)),
        Declare((Variable(result, spelled),)),
        Exchange(operation, result, (VarRef(handed), operand), shuffle.scope, shuffle.width),
    ]


def _shifted(shuffle: Shuffle, symbols: SymbolTable) -> tuple[list[Stmt], Expr]:
    down = shuffle.operation == "shfl_down"
    delta = shuffle.operands[0]
    back, statements = _exchanged(shuffle, "shfl_up" if down else "shfl_down", delta, symbols)
    lane = _lane(shuffle)
    width = shuffle.width or Literal(str(_WARP), _WARP, INT)
    before = Binary(">=", lane, delta, BOOL)
    behind = Binary("<", Binary("+", lane, delta, UNSIGNED), width, BOOL)
    taken, own = (before, behind) if down else (behind, before)
    nothing = zero(shuffle.ctype)
    from_other = Conditional(taken, back, nothing, shuffle.ctype)
    kept = Conditional(own, nothing, shuffle.seed, shuffle.ctype)
    return statements, Binary("+", from_other, kept, shuffle.ctype)


def _gathered(shuffle: Shuffle, symbols: SymbolTable) -> tuple[list[Stmt], Expr]:
    """Asks every lane of the group whom it read from."""
    spelled = _spelled(shuffle.ctype)
    width = shuffle.width or Literal(str(_WARP), _WARP, INT)
    total = symbols.fresh("returned", shuffle.ctype, Storage.LOCAL)
    handed = symbols.fresh("handed", shuffle.ctype, Storage.LOCAL)
    asked = symbols.fresh("asked", INT, Storage.LOCAL)
    lane = symbols.fresh("lane", INT, Storage.LOCAL)
    source = symbols.fresh("source", INT, Storage.LOCAL)
    other = symbols.fresh("other", shuffle.ctype, Storage.LOCAL)
    wrapped = Binary("%", shuffle.operands[0], width, INT)
    shared: list[Stmt] = [
        Declare((Variable(other, spelled),)),
        Exchange("shfl", other, (VarRef(handed), VarRef(lane)), shuffle.scope, shuffle.width),
    ]
    adding: Stmt = ExprStatement(Assign("+=", VarRef(total), VarRef(other), shuffle.ctype))
    own = Cast(_lane(shuffle), INT)
    back: Expr = VarRef(total)
    first: list[Stmt] = []
    if shuffle.is_uniform:
        taken = Binary("==", own, wrapped, BOOL)
        back = Conditional(taken, back, zero(shuffle.ctype), shuffle.ctype)
    else:
        first.append(Declare((Variable(asked, "int", "", wrapped, "="),)))
        shared = [
            Declare((Variable(source, "int"),)),
            Exchange("shfl", source, (VarRef(asked), VarRef(lane)), shuffle.scope, shuffle.width),
            *shared,
        ]
        adding = If(Binary("==", VarRef(source), own, BOOL), adding)
    body = Block((*shared, adding))
    loop = For(
        Declare((Variable(lane, "int", "", Literal("0", 0, INT), "="),)),
        Binary("<", VarRef(lane), width, BOOL),
        Unary("++", VarRef(lane), type=INT),
        body,
    )
    return [
        Declare((Variable(handed, spelled, "", shuffle.seed, "="),)),
        *first,
        Declare((Variable(total, spelled, "", zero(shuffle.ctype), "="),)),
        loop,
    ], back


def _lane(shuffle: Shuffle) -> Expr:
    """The lane's place in its group."""
    rank: Expr = LaunchRef(Builtin.THREAD_INDEX, 0, UNSIGNED)
    if 2 in shuffle.axes:
        rows = Binary(
            "+",
            LaunchRef(Builtin.THREAD_INDEX, 1, UNSIGNED),
            Binary(
                "*",
                LaunchRef(Builtin.BLOCK_DIM, 1, UNSIGNED),
                LaunchRef(Builtin.THREAD_INDEX, 2, UNSIGNED),
                UNSIGNED,
            ),
            UNSIGNED,
        )
        rank = _beside(rank, rows)
    elif 1 in shuffle.axes:
        rank = _beside(rank, LaunchRef(Builtin.THREAD_INDEX, 1, UNSIGNED))
    width = shuffle.width or Literal(str(_WARP), _WARP, INT)
    return Binary("%", rank, width, UNSIGNED)


def _beside(column: Expr, row: Expr) -> Expr:
    start = Binary("*", LaunchRef(Builtin.BLOCK_DIM, 0, UNSIGNED), row, UNSIGNED)
    return Binary("+", column, start, UNSIGNED)


def _spelled(ctype: CType) -> str:
    return ctype.spelling.removeprefix("const ")


def is_certain(width: Expr | None) -> bool:
    """Is the number of lanes in a group a constant?"""
    return width is None or integer_value(width) is not None
