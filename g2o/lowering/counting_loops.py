"""`while` loops that count are written as `for` loops, where a pass looks for those.

    int i = a;
    while (i < n) {                 for (int i = a; i < n; i += s) {
        WORK                  ->        WORK
        i += s;                     }
    }

Legal where nothing outside of the loop names the variable and no `continue` skips the step, where
what stands between the two leaves the start as it is, and the step is known outside of the loop.
"""

from __future__ import annotations

from g2o.analysis.effects import EffectsOf, declared_in, symbols_in
from g2o.ir.expressions import Assign, Binary, Expr, VarRef
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


def counting_loops(statements: list[Stmt], effects: EffectsOf) -> list[Stmt]:
    """The statements with `for` in place of each `while` that counts; the same list without."""
    for position, statement in enumerate(statements):
        if not isinstance(statement, While):
            continue
        found = _as_for(statements[:position], statement, statements[position + 1 :], effects)
        if found is not None:
            return counting_loops(found, effects)
    return statements


def _as_for(
    before: list[Stmt], loop: While, after: list[Stmt], effects: EffectsOf
) -> list[Stmt] | None:
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
    initial = head.variables[0].initial
    between = before[before.index(head) + 1 :]
    if initial is None or not _may_wait(initial, between, effects):
        return None
    if symbols_in(increment) & declared_in(Block(tuple(work))):
        return None
    comments = (*head.trivia.before, *loop.trivia.before)
    trivia = Trivia(comments, loop.trivia.after, loop.trivia.blank_line)
    bare = Declare(head.variables)
    counted = For(bare, loop.condition, increment, Block(tuple(work)), trivia=trivia)
    return [*others, counted, *after]


def _may_wait(initial: Expr, between: list[Stmt], effects: EffectsOf) -> bool:
    """Is the value the same behind these statements?"""
    own, others = effects.of(initial), effects.of_all(between)
    if not own.is_pure or own.reads & others.writes:
        return False
    return not own.memory_reads or not (others.memory_writes or others.side_effects)


def _declares(declare: Declare, symbol: Symbol) -> bool:
    return [variable.symbol for variable in declare.variables] == [symbol]


def _continues(statement: Stmt) -> bool:
    """Might the statement go on with the next turn of the loop? Those of inner loops count too."""
    return any(
        isinstance(node, Jump) and node.kind is not JumpKind.BREAK for node in walk(statement)
    )
