"""`while` loops that count are written as `for` loops, where a pass looks for those.

    int i = a;
    while (i < n) {                 for (int i = a; i < n; i += s) {
        WORK                  ->        WORK
        i += s;                     }
    }

Legal where nothing outside of the loop names the variable and no `continue` skips the step.
"""

from __future__ import annotations

from g2o.analysis.effects import symbols_in
from g2o.ir.expressions import Assign, Binary, VarRef
from g2o.ir.statements import (
    Block,
    Declare,
    ExprStatement,
    For,
    Jump,
    JumpKind,
    Stmt,
    Trivia,
    While,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk


def counting_loops(statements: list[Stmt]) -> list[Stmt]:
    """The statements with `for` in place of each `while` that counts; the same list without."""
    for position, statement in enumerate(statements):
        if not isinstance(statement, While):
            continue
        found = _as_for(statements[:position], statement, statements[position + 1 :])
        if found is not None:
            return counting_loops(found)
    return statements


def _as_for(before: list[Stmt], loop: While, after: list[Stmt]) -> list[Stmt] | None:
    match loop:
        case While(
            condition=Binary(op="<", left=VarRef(symbol=symbol)),
            body=Block(statements=(*work, ExprStatement(expr=Assign() as increment))),
        ) if isinstance(increment.target, VarRef) and increment.target.symbol == symbol:
            pass
        case _:
            return None
    declared = [one for one in before if isinstance(one, Declare) and _declares(one, symbol)]
    others = [one for one in before if one not in declared]
    named_elsewhere = any(symbol in symbols_in(one) for one in (*others, *after))
    if len(declared) != 1 or named_elsewhere or any(map(_continues, work)):
        return None
    head = declared[0]
    if head.variables[0].initial is None:
        return None
    comments = (*head.trivia.before, *loop.trivia.before)
    trivia = Trivia(comments, loop.trivia.after, loop.trivia.blank_line)
    bare = Declare(head.variables)
    counted = For(bare, loop.condition, increment, Block(tuple(work)), trivia=trivia)
    return [*others, counted, *after]


def _declares(declare: Declare, symbol: Symbol) -> bool:
    return [variable.symbol for variable in declare.variables] == [symbol]


def _continues(statement: Stmt) -> bool:
    """Might the statement go on with the next turn of the loop? Those of inner loops count too."""
    return any(
        isinstance(node, Jump) and node.kind is not JumpKind.BREAK for node in walk(statement)
    )
