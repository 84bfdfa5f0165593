"""Extremes over lanes, as the value of the lane that has it.

    m = reduce_max(v);        ->        winner = reduce_argmax(v);
                                        m = shfl(v, winner);

In a block, where threads do not read each other's registers, the winner's value is a sum:

    m = reduce_max(v);        ->        winner = reduce_argmax(v);
                                        m = reduce_add(winner == t ? v : 0);

The derivative is the winner's: of several lanes with the same value that of the first, which is one
subgradient. The winner is a number that the reverse sweep can keep.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from g2o.ad.activity import Activity
from g2o.ad.increments import zero
from g2o.ad.reals import is_real
from g2o.ad.selections import axes_of, thread_of_block
from g2o.ir.expressions import Binary, Conditional, VarRef
from g2o.ir.statements import Block, Declare, Exchange, Node, Scope, Stmt, Variable
from g2o.ir.symbols import Storage, SymbolTable
from g2o.ir.traverse import rewrite
from g2o.ir.types import BOOL, INT

WINNERS: Final = {"reduce_min": "reduce_argmin", "reduce_max": "reduce_argmax"}


def with_lane_winners(
    statements: tuple[Stmt, ...], activity: Activity, symbols: SymbolTable
) -> tuple[Stmt, ...]:
    """`statements` in which active extremes of warps and tiles are the winner's values."""

    thread = thread_of_block(axes_of(statements))

    def sequence(inner: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return tuple(new for one in inner for new in (chosen(one) or [rewrite(one, inside)]))

    def chosen(node: Stmt) -> list[Stmt] | None:
        match node:
            case Exchange(operation=operation, operands=(value,), scope=scope) if (
                operation in WINNERS and node.result in activity.active and is_real(value.type)
            ):
                winner = symbols.fresh("winner", INT, Storage.LOCAL)
                found = [
                    Declare((Variable(winner, "int"),), trivia=node.trivia),
                    Exchange(WINNERS[operation], winner, (value,), scope, node.width),
                ]
                if scope is Scope.WARP:
                    operands = value, VarRef(winner)
                    return [*found, replace(node, operation="shfl", operands=operands)]
                is_own = Binary("==", VarRef(winner), thread, BOOL)
                own = Conditional(is_own, value, zero(value.type), value.type)
                return [*found, replace(node, operation="reduce_add", operands=(own,))]
            case _:
                return None

    def inside(node: Node) -> Node | None:
        match node:
            case Block(statements=inner):
                new = sequence(inner)
                same = len(new) == len(inner)
                same = same and all(a is b for a, b in zip(new, inner, strict=True))
                return node if same else replace(node, statements=new, form=node.form.BUILT)
            case Exchange():
                made = chosen(node)
                return None if made is None else Block(tuple(made))
            case _:
                return None

    return sequence(statements)
