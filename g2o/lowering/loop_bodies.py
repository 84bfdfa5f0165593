"""The body of a loop over threads, as its guards are read: declarations, and what follows them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import final

from g2o.analysis.effects import symbols_in
from g2o.ir.expressions import Expr
from g2o.ir.statements import CountedLoop, Declare, Stmt
from g2o.ir.symbols import Symbol


@final
@dataclass(slots=True)
class LoopBody:
    """The body of a loop: declarations, and what follows them.

    `uniform` declarations are the same in all turns; `values` are what the others stand for, also
    `numbers` of any type, and `conditions` what those of truth values do. What is `repeatable` may
    be computed several times. Quotients that are `divided` are so in any case.
    """

    loop: CountedLoop
    declares: list[Declare]
    rest: tuple[Stmt, ...]
    uniform: dict[Symbol, Declare] = field(default_factory=dict[Symbol, Declare])
    values: dict[Symbol, Expr] = field(default_factory=dict[Symbol, Expr])
    unsigned: dict[Symbol, Expr] = field(default_factory=dict[Symbol, Expr])
    wide: dict[Symbol, Expr] = field(default_factory=dict[Symbol, Expr])
    numbers: dict[Symbol, Expr] = field(default_factory=dict[Symbol, Expr])
    conditions: dict[Symbol, Expr] = field(default_factory=dict[Symbol, Expr])
    repeatable: set[Symbol] = field(default_factory=set[Symbol])
    divided: list[Expr] = field(default_factory=list[Expr])
    varying: set[Symbol] = field(default_factory=set[Symbol])

    @property
    def equal(self) -> dict[Symbol, Expr]:
        """What variables are equal to, were those without a sign to have one."""
        return {**self.values, **self.unsigned}

    @property
    def same(self) -> dict[Symbol, Expr]:
        """The same, with those of 64 bits: each is a number that only one `int` becomes, if it is
        compared for being equal."""
        return {**self.equal, **self.wide}

    def needed(self, nodes: Iterable[Stmt | Expr]) -> list[Declare]:
        """The declarations that `nodes` build on, directly or through each other."""
        named = {symbol for node in nodes for symbol in symbols_in(node)}
        kept: list[Declare] = []
        for declare in reversed(self.declares):
            if declare.variables[0].symbol in named:
                kept.append(declare)
                named |= symbols_in(declare)
        kept.reverse()
        return kept
