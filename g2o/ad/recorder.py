"""Where the forward sweep keeps what is gone in the reverse sweep: in a variable, or on a tape.

float old_v = 0;  ... old_v = v;             at most once a thread
g2o::Tape<float> kept_v;  kept_v.push(v);    as often as there are iterations
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

from g2o.ad.increments import zero
from g2o.ad.kept import Kept
from g2o.ad.places import Places
from g2o.ad.records import tape_call, tape_type, wish
from g2o.ad.scopes import Braces
from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import Assign, Expr, VarRef
from g2o.ir.statements import Declare, ExprStatement, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import walk
from g2o.ir.types import CType, unqualified


@final
@dataclass(slots=True)
class Recorder:
    """Stores values, and notes what has been `kept`."""

    places: Places
    symbols: SymbolTable
    kept: list[Kept] = field(default_factory=list[Kept])

    def held(self, kept: Symbol, expr: Expr, stores: list[Stmt], braces: Braces) -> None:
        """Store `expr` in the forward sweep, at most once a thread, where both sweeps see it."""
        spelled = unqualified(kept.type)
        home = braces.nearest_joint()
        home.tapes.append(Declare((Variable(kept, spelled, "", zero(kept.type), "="),)))
        stores.append(ExprStatement(Assign("=", VarRef(kept), expr, kept.type)))
        self.note(kept, kept.type, expr, is_tape=False)

    def taped(self, expr: Expr, spelled: str, pushes: list[Stmt], braces: Braces) -> Expr:
        """Push `expr` in the forward sweep; what takes it off again in the reverse sweep."""
        if not spelled or "<dependent type>" in spelled:
            raise refuse("G2O0403", "value of an open type that is kept", expr.span)
        name = self.symbols.fresh(
            f"kept_{wish(expr)}", tape_type(spelled, value_type(expr)), Storage.LOCAL
        )
        home = braces.nearest_joint()
        home.tapes.append(Declare((Variable(name, name.type.spelling),)))
        pushes.append(ExprStatement(tape_call(name, "push", (expr,))))
        self.note(name, value_type(expr), expr, is_tape=True)
        return tape_call(name, "pop", ())

    def note(self, symbol: Symbol, ctype: CType, expr: Expr, *, is_tape: bool) -> None:
        changed = dict.fromkeys(
            node.symbol
            for node in walk(expr)
            if isinstance(node, VarRef) and self._changes(node.symbol)
        )
        self.kept.append(Kept(symbol, ctype, is_tape, tuple(changed), expr.span))

    def _changes(self, symbol: Symbol) -> bool:
        """Does the variable, or memory behind it, get other values, or is it one of a loop?"""
        if self.places.writes.get(symbol):
            return True
        written = {root for root, _ in self.places.memory}
        definition = self.places.definitions.get(symbol)
        in_loop = definition is not None and bool(definition.place.loops)
        return in_loop or bool(self.places.origins.resolve(symbol) & written)
