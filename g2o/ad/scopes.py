"""The braces of a kernel as both sweeps see them.

The outermost braces are `joint`: the reverse sweep stands in the same braces as the forward sweep,
behind it, and sees its variables. What is inside loops and conditions is left by the forward sweep
and entered again by the reverse sweep: there, variables are computed again or come from a tape.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import final

from g2o.ad.places import Place
from g2o.analysis.effects import declared_in, symbols_in
from g2o.ir.expressions import Expr
from g2o.ir.statements import Stmt
from g2o.ir.symbols import Symbol


@final
@dataclass(slots=True)
class Braces:
    """One pair of braces. `again` declares anew, in the reverse sweep, what it needs of the
    variables; `renewed` says under which names. `shadows` are the shadows of variables declared
    here, `pointers` those of pointers with the declarations that they can follow, `sums` what a
    thread adds to the shadows of value parameters, `tapes` the tapes that have to be declared in
    front of the current statement. A loop that only fills memory again `keeps_nothing` of what is
    declared in it; one of whose iterations only the last that stores counts
    `keeps_last`: what is recorded there needs no tape. `statements` are those inside, `final` the
    variables that are made again with the last of their values, `refused` those that cannot be.
    Those of a loop are `entered` at its point, and `loop` is its number."""

    parent: Braces | None
    joint: bool
    again: list[Stmt] = field(default_factory=list[Stmt])
    renewed: dict[Symbol, Expr] = field(default_factory=dict[Symbol, Expr])
    shadows: list[Stmt] = field(default_factory=list[Stmt])
    pointers: list[tuple[Stmt, Stmt]] = field(default_factory=list["tuple[Stmt, Stmt]"])
    shadowed: set[Symbol] = field(default_factory=set[Symbol])
    sums: dict[Symbol, Symbol] = field(default_factory=dict[Symbol, Symbol])
    tapes: list[Stmt] = field(default_factory=list[Stmt])
    behind: dict[int, list[Stmt]] = field(default_factory=dict[int, list[Stmt]])
    keeps_nothing: bool = False
    keeps_last: bool = False
    statements: tuple[Stmt, ...] = ()
    final: set[Symbol] = field(default_factory=set[Symbol])
    refused: set[Symbol] = field(default_factory=set[Symbol])
    statement: Stmt | None = None  # the one that is being turned around
    entered: Point | None = None
    loop: int | None = None

    def nearest_joint(self) -> Braces:
        braces = self
        while not braces.joint:
            assert braces.parent is not None
            braces = braces.parent
        return braces

    def renewed_name(self, symbol: Symbol) -> Expr | None:
        """The name of a variable in the reverse sweep, if braces around it renew it."""
        braces: Braces | None = self
        while braces is not None:
            if symbol in braces.renewed:
                return braces.renewed[symbol]
            braces = braces.parent
        return None

    def around(self) -> Iterator[Braces]:
        """These braces and those around them, from the inner ones out."""
        braces: Braces | None = self
        while braces is not None:
            yield braces
            braces = braces.parent


@final
@dataclass(slots=True)
class Point:
    """A statement that is being turned around: what it needs from the forward sweep is recorded
    `before` it there, and read back `first` in the reverse sweep. `stored` is the value that the
    statement stores, and where."""

    place: Place
    braces: Braces
    before: list[Stmt] = field(default_factory=list[Stmt])
    first: list[Stmt] = field(default_factory=list[Stmt])
    recorded: dict[tuple[Expr, tuple[Expr, ...]], Expr] = field(
        default_factory=dict["tuple[Expr, tuple[Expr, ...]]", Expr]
    )
    guards: list[Expr] = field(default_factory=list[Expr])  # under which values are evaluated
    stored: tuple[Expr, Expr] | None = None

    def known(self, expr: Expr) -> Expr | None:
        """The value of `expr`, if it has been recorded under no guards but those that hold now:
        under others it is 0."""
        outer = (tuple(self.guards[:depth]) for depth in range(len(self.guards) + 1))
        return next(
            (self.recorded[expr, one] for one in outer if (expr, one) in self.recorded), None
        )

    def stores(self, expr: Expr) -> list[Stmt]:
        """Where the value of `expr` is kept: in front of the statement, or behind it where it is
        made from what the statement declares (`x / r` of `const double r = hypot(x, y);`)."""
        statement = self.braces.statement
        if statement is None or declared_in(statement).isdisjoint(symbols_in(expr)):
            return self.before
        return self.braces.behind.setdefault(id(statement), [])
