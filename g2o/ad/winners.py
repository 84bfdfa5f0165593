"""Which thread has put an atomic minimum or maximum of all blocks there.

    atomicMax(&y[k], v);    ->    const unsigned turn = winners.atomic_max(&y[k], v, thread);
                                  ...
                                  if (winners.holds(turn)) {
                                      d_v += d_y[k];
                                      d_y[k] = 0;
                                  }

`winners` is an object of the launch (the runtime's `Winners`). The reverse sweep asks it when all
threads of the grid are done: so there is a barrier of the grid between the sweeps. Until then other
changes would have to be undone, so none are taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from g2o.ad.activity import Activity
from g2o.ad.selections import (
    OF_WINNERS,
    Pointers,
    axes_of,
    refuse_other_changes,
    selected,
    thread_of_grid,
)
from g2o.analysis.functions import FunctionTable
from g2o.ir.expressions import Call, Literal
from g2o.ir.statements import Barrier, Block, Declare, ExprStatement, Node, Scope, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import UNSIGNED, CType, TypeKind

_OBJECT: Final = "g2o::Winners"


def with_winners(
    statements: tuple[Stmt, ...],
    activity: Activity,
    symbols: SymbolTable,
    functions: FunctionTable,
    *,
    backwards: bool,
) -> tuple[tuple[Stmt, ...], Symbol | None]:
    """Statements that keep who has won, and the object that knows; `backwards`, for a reverse sweep
    behind them. Raises Refusal where the values change in other ways, too."""
    calls: dict[int, Call] = {}
    for node in walk(Block(statements)):
        if isinstance(node, ExprStatement):
            call = selected(node.expr, activity, shared=False)
            if call is not None:
                calls[id(node)] = call
    if not calls:
        return statements, None
    pointers = Pointers(statements, functions.for_node(Block(statements)))
    refuse_other_changes(statements, list(calls.values()), activity, pointers)
    winners = symbols.fresh("winners", CType(_OBJECT, TypeKind.OTHER), Storage.PARAMETER)
    thread = thread_of_grid(axes_of(statements))

    def put(node: Node) -> Node | None:
        call = calls.get(id(node))
        if call is None or not isinstance(node, ExprStatement):
            return None
        assert isinstance(call.callee, Literal)
        callee = Literal(call.callee.text.replace("g2o::", f"{winners.name}."))
        name = f"{call.name}{OF_WINNERS}"
        arguments = (*call.arguments, thread)
        new = Call(name, callee, arguments, is_cuda=True, type=UNSIGNED, span=call.span)
        if not backwards:
            return replace(node, expr=new)
        turn = symbols.fresh("turn", UNSIGNED, Storage.LOCAL)
        variable = Variable(turn, "const unsigned", "", new, "=")
        return Declare((variable,), trivia=node.trivia, span=node.span)

    made = tuple(rewrite(statement, put) for statement in statements)
    return ((*made, Barrier(Scope.GRID)) if backwards else made), winners


def declared_winners(winners: Symbol) -> Declare:
    """The declaration of the object, in front of all loops of a launch."""
    return Declare((Variable(winners, _OBJECT),))


def with_declaration(body: Sequence[Stmt], winners: Symbol | None) -> tuple[Stmt, ...]:
    return tuple(body) if winners is None else (declared_winners(winners), *body)
