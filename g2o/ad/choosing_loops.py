"""Loops that only choose: of all iterations the last one that stores has a derivative.

    for (int w = w0; w < w1; ++w)                  if (has_chosen)
        if (row[w] > largest) {            ->          d_row[chosen_w] += d_largest;
            largest = row[w];
            where = w;
        }

What an earlier iteration stored is overwritten: its seed is 0. So the forward sweep notes the
counters where it stores, and the reverse sweep takes back one iteration in place of all, with no
tape of what the conditions were. Legal where all that carries derivatives in the loop is stored at
that one place, as a whole and from none of the variables that are stored there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from g2o.ad.activity import Activity
from g2o.ad.loops import counted, shifted, stepped
from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.ir.bodies import with_bodies
from g2o.ir.expressions import Assign, Expr, VarRef, strip_parens
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    DoWhile,
    Exchange,
    ExprStatement,
    For,
    If,
    Jump,
    Return,
    Stmt,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk

_LEAVING: Final = (Barrier, Exchange, Jump, Return)
_LOOPS: Final = (For, While, DoWhile)


@final
@dataclass(frozen=True, slots=True)
class Choice:
    """`path` are the statements of the iteration that stores, from the outermost loop's body on,
    without conditions and loops; the last of them, from number `site` on, stand where it stores.
    `counters` are those of the loops on the way."""

    path: tuple[Stmt, ...]
    site: int
    counters: tuple[Symbol, ...]
    chosen: frozenset[Symbol]

    def with_notes(self, loop: Stmt, notes: list[Stmt]) -> Stmt:
        """The loop with `notes` in front of what is stored."""
        first = self.path[self.site]

        def noted(statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
            result: list[Stmt] = []
            for one in statements:
                if one is first:
                    result += notes
                holds = isinstance(one, (Block, If, For, While, DoWhile))
                result.append(with_bodies(one, noted) if holds else one)
            return tuple(result)

        assert isinstance(loop, _LOOPS)
        return with_bodies(loop, noted)


def choice_of(loop: For | While | DoWhile, activity: Activity, effects: EffectsOf) -> Choice | None:
    """What the loop chooses, if it does nothing else with numbers that carry derivatives."""
    if any(isinstance(node, _LEAVING) for node in walk(loop)):
        return None
    finder = _Finder(activity, effects, declared_in(loop))
    if not finder.loop(loop) or finder.site is None or finder.depth_of_conditions == 0:
        return None
    path, chosen = tuple(finder.path), frozenset(finder.chosen)
    named = set[Symbol]()
    for statement in path:
        match statement:
            case Declare(variables=variables):
                for one in variables:
                    if activity.is_active(VarRef(one.symbol)) and one.initial is not None:
                        named |= symbols_in(ExprStatement(one.initial))
            case ExprStatement(expr=Assign(target=target, value=value)):
                if activity.is_active(target):
                    named |= symbols_in(ExprStatement(value))
            case _:
                pass
    if named & chosen:
        return None
    return Choice(path, finder.site, tuple(finder.counters), chosen)


@final
class _Finder:
    """Follows the one way to what is stored."""

    def __init__(self, activity: Activity, effects: EffectsOf, own: set[Symbol]) -> None:
        self.activity = activity
        self.effects = effects
        self.own = own
        self.path: list[Stmt] = []
        self.counters: list[Symbol] = []
        self.chosen: set[Symbol] = set()
        self.site: int | None = None
        self.depth_of_conditions = 0

    def loop(self, node: For | While | DoWhile) -> bool:
        head = counted(node, self.effects) or shifted(node, self.effects)
        head = head or stepped(node, self.effects)
        if head is None or not isinstance(node, For) or not isinstance(node.initial, Declare):
            return False
        if node.shared is not None or len(node.initial.variables) != 1:
            return False
        self.counters.append(head.index)
        return self.sequence(statements_of(node.body))

    def sequence(self, statements: tuple[Stmt, ...]) -> bool:
        gone_in = False
        for statement in statements:
            match statement:
                case Declare():
                    if not self._gives_values(statement):
                        return False
                    if not gone_in:
                        self.path.append(statement)
                case _ if not self._changes_active(statement):
                    pass
                case For() if self.site is None:
                    gone_in = True
                    if not self.loop(statement):
                        return False
                case If(otherwise=None) if self.site is None:
                    gone_in = True
                    self.depth_of_conditions += 1
                    if not self.sequence(statements_of(statement.then)):
                        return False
                case ExprStatement(expr=expr) if not gone_in and self._chooses(expr):
                    if self.site is None:
                        self.site = len(self.path)
                    self.path.append(statement)
                case _:
                    return False
        return True

    def _gives_values(self, statement: Declare) -> bool:
        """Is what carries derivatives of it a number that is there at once, or a pointer?"""
        found = self.effects.of(statement)
        if found.memory_writes or found.side_effects or found.writes - declared_in(statement):
            return False
        return all(
            one.symbol.type.is_indirect or (one.symbol.type.is_arithmetic and one.initial)
            for one in statement.variables
            if self.activity.is_active(VarRef(one.symbol))
        )

    def _chooses(self, expr: Expr) -> bool:
        if not isinstance(expr, Assign) or expr.op != "=":
            return False
        place = strip_parens(expr.target)
        if not isinstance(place, VarRef):
            return False
        symbol = place.symbol
        plain = symbol.storage is Storage.LOCAL and symbol.type.is_arithmetic
        if not plain or symbol in self.own or symbol in self.chosen:
            return False
        self.chosen.add(symbol)
        return True

    def _changes_active(self, statement: Stmt) -> bool:
        """May the statement change numbers that carry derivatives?"""
        found = self.effects.of(statement)
        roots: set[Symbol | None] = set(found.writes)
        for one in found.memory_writes:
            roots |= {None} if one is None else set(self.activity.origins.resolve(one))
        return any(root is None or self.activity.is_active(VarRef(root)) for root in roots)
