"""What a thread computes for a guard at the end of its turn is computed behind the guard.

    for tx {                                         for tx {
        const bool inside = x0 + tx < width;             const bool inside = x0 + tx < width;
        float value = c[0] * tile[tx];                   if (inside) {
        for (int i = 1; i < 4; i++)                          float value = c[0] * tile[tx];
            value += c[i] * tile[tx + i];     ->             for (int i = 1; i < 4; i++)
        if (inside)                                              value += c[i] * tile[tx + i];
            out[tx] = value;                                 out[tx] = value;
    }                                                    }
                                                     }

The guard can become a bound of the loop. Legal where what moves changes nothing but variables of
the turn itself, none of which the guard looks at.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.ir.expressions import Form
from g2o.ir.statements import CountedLoop, Declare, If, Jump, Labelled, Return, Stmt, Text
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.lowering.indices import block_of


def under_last_guard(loop: CountedLoop, effects: EffectsOf) -> CountedLoop:
    """The loop with all that only serves its last statement, a guard, in there."""
    *before, last = statements_of(loop.body)
    if not isinstance(last, If) or last.otherwise is not None:
        return loop
    leading = 0
    while leading < len(before) and isinstance(before[leading], Declare):
        leading += 1
    moved = tuple(before[leading:])
    if not moved or not _is_own(moved, declared_in(loop.body), last, effects):
        return loop
    then = block_of((*moved, *statements_of(last.then)))
    guarded = replace(last, then=then, form=Form.BUILT)
    body = block_of((*before[:leading], guarded))
    return replace(loop, body=body, form=Form.BUILT)


def _is_own(moved: tuple[Stmt, ...], own: set[Symbol], last: If, effects: EffectsOf) -> bool:
    """Does it change nothing but the turn's own variables, and not those of the guard?"""
    kept = (Jump, Return, Labelled, Text)
    if any(isinstance(node, kept) for one in moved for node in walk(one)):
        return False
    done = effects.of_all(moved)
    if done.side_effects or done.memory_writes or not done.writes <= own:
        return False
    changed = done.writes | {symbol for one in moved for symbol in declared_in(one)}
    return not symbols_in(last.condition) & changed
