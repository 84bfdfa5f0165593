"""The value of another thread is one's own where all threads of the group have the same.

const int row = threadIdx.x / 32;                       // stands outside of the loop over lanes
int other = __shfl_down_sync(mask, row, 1);    ->    int other = row;
"""

from __future__ import annotations

from g2o.ir.expressions import Binary, Code, Conditional, Expr, Literal, Paren, Remote, VarRef
from g2o.ir.statements import Node, Stmt
from g2o.ir.traverse import rewrite
from g2o.ir.types import BOOL, INT, UNSIGNED


def take_own_values(statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """Put variables in place of values of other threads that no group of threads has kept: they
    are declared outside of the loop over its threads."""

    def replacement(node: Node) -> Node | None:
        match node:
            case Remote(symbol=symbol, thread=thread) if thread is not None:
                return VarRef(symbol)
            case Code(parts=(str(function), Remote(symbol=symbol, thread=None), ", ", size, ")")):
                return None if isinstance(size, str) else _vote(function, VarRef(symbol), size)
            case Code(parts=("g2o::match_any(", Remote(thread=None), ", ", _, ", ", size, ")")):
                return None if isinstance(size, str) else _all_lanes(size)
            case _:
                return None

    return tuple(rewrite(statement, replacement) for statement in statements)


def _vote(function: str, flag: Expr, size: Expr) -> Expr | None:
    """The vote, or the sum and the like, of `size` threads that all have the same `flag`."""
    none = Literal("0", 0, INT)
    match function:
        case "g2o::any(" | "g2o::all(":
            return Paren(Binary("!=", flag, none, BOOL), BOOL)
        case "g2o::ballot(":
            return Paren(Conditional(flag, _all_lanes(size).inner, none, UNSIGNED), UNSIGNED)
        case "g2o::count(":
            return Paren(Conditional(flag, size, none, INT), INT)
        case "g2o::match_all(":
            return _all_lanes(size)
        case "g2o::reduce_add(":
            return Paren(Binary("*", flag, size, flag.type), flag.type)
        case "g2o::reduce_min(" | "g2o::reduce_max(" | "g2o::reduce_and(" | "g2o::reduce_or(":
            return flag
        case "g2o::reduce_xor(":
            odd = Binary("%", size, Literal("2", 2, INT), INT)
            return Paren(Binary("*", flag, Paren(odd, INT), flag.type), flag.type)
        case _:
            return None


def _all_lanes(size: Expr) -> Paren:
    return Paren(Code(("0xffffffffu >> (32 - ", size, ")"), atomic=False, type=UNSIGNED), UNSIGNED)
