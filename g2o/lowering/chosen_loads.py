"""Assignments of one of two values that the guard of a load chooses.

s[t] = k + t < n ? x[k + t] : 0;     where the guard holds, `s[t] = x[k + t]`, else `s[t] = 0`
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

from g2o.ir.expressions import Assign, Conditional, strip_parens
from g2o.ir.statements import ExprStatement, Stmt, Trivia
from g2o.lowering.halves import has_one_edge
from g2o.lowering.loop_bodies import LoopBody
from g2o.lowering.turn_guards import Guard, Guards


@final
@dataclass(frozen=True, slots=True)
class Choice:
    """What is done where the guard holds, and where not."""

    guard: Guard
    inside: Stmt
    outside: Stmt
    trivia: Trivia


def choice_of_load(guards: Guards, body: LoopBody, statement: Stmt) -> Choice | None:
    """The choice that a statement is; None for others. What is taken outside reads no memory."""
    match statement:
        case ExprStatement(expr=Assign(op="=", value=value) as assign):
            choice = strip_parens(value)
        case _:
            return None
    if not isinstance(choice, Conditional):
        return None
    for negate in (False, True):
        inside, outside = choice.if_true, choice.if_false
        if negate:
            inside, outside = outside, inside
        loads = guards.effects.of(inside)
        if not loads.is_pure or not loads.memory_reads:
            continue
        other = guards.effects.of(outside)
        if not other.is_pure or other.memory_reads:
            continue
        guard = guards.of(body, choice.condition, negate)
        if guard is not None and has_one_edge(guard) and not guard.asked:
            return Choice(
                guard,
                ExprStatement(replace(assign, value=inside, form=assign.form.BUILT)),
                ExprStatement(replace(assign, value=outside, form=assign.form.BUILT)),
                statement.trivia,
            )
    return None
