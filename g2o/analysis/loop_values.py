"""Variables that a loop advances, in any of its iterations.

for (int i = t; i < n; i += 32)    i = t + 32 k, k counts the iterations
for (int s = 64; s > 0; s /= 2)    s <= 64, and an iteration later 2 s' <= s
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

from g2o.analysis.evaluation import Evaluation
from g2o.analysis.induction import Induction
from g2o.ir.symbols import Symbol
from g2o.polyhedral.formula import at_least, conjunction, equal, less
from g2o.polyhedral.polynomial import ONE, ZERO, Polynomial
from g2o.polyhedral.space import NameInfo, Scaled, Successor


@final
@dataclass(slots=True)
class LoopValues:
    """`loop` is that of the graph; None for one that every thread runs through on its own, where
    the number of the iteration is the thread's own as well."""

    values: Evaluation
    loop: int | None
    counter: Polynomial = field(init=False)

    def __post_init__(self) -> None:
        alone = self.loop is None
        space = self.values.space
        info = NameInfo(alone, self.values.machine.loops, not_negative=True, counts=alone)
        name = space.name("k", info)
        self.counter = Polynomial.name(name)
        if alone:
            space.counters.add(name)
        if self.loop is not None:
            new = Polynomial.name(f"{name}'")
            one = self.counter + ONE
            space.successors[name, self.loop] = Successor(equal(new, one), at_least(new, one))
            space.starts[name, self.loop] = equal(self.counter, ZERO)

    def advanced(self, step: Induction, start: Polynomial, symbol: Symbol) -> Polynomial | None:
        """The value of an induction variable; None where it is not understood."""
        amount = self.values.value(step.amount)
        if step.op in ("+", "-"):
            moved = (amount * self.counter).scaled(1 if step.op == "+" else -1)
            return self.values.fitted(start + moved, symbol.type)
        factor = amount.value
        if factor is None or factor < 2 or not self.values.space.is_not_negative(start):
            return None
        return self._scaled(step, start, factor, symbol)

    def _scaled(
        self, step: Induction, start: Polynomial, factor: int, symbol: Symbol
    ) -> Polynomial:
        """A variable that every iteration multiplies or divides."""
        space, alone = self.values.space, self.loop is None
        varying = alone or any(space.infos[name].varying for name in start.names)
        info = NameInfo(varying, self.values.machine.loops, counts=alone)
        name = space.name(symbol.name, info)
        value, new = Polynomial.name(name), Polynomial.name(f"{name}'")
        if step.op == "*":
            space.define(name, at_least(value, start), not_negative=True)
            single = equal(new, value.scaled(factor))
            later = at_least(new, value.scaled(factor))
        else:
            space.define(name, at_least(start, value), not_negative=True)
            rest = value - new.scaled(factor)
            within = (at_least(rest, ZERO), less(rest, Polynomial.constant(factor)))
            single = conjunction((*within, at_least(new, ZERO)))
            later = conjunction((at_least(value, new.scaled(factor)), at_least(new, ZERO)))
        (counter,) = self.counter.names
        space.scaled[name] = Scaled(start, factor, step.op == "/", counter)
        if self.loop is not None:
            space.successors[name, self.loop] = Successor(single, later)
            space.starts[name, self.loop] = equal(value, start)
        return value
