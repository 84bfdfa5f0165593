"""The shadow of an lvalue, as the reverse sweep can reach it."""

from __future__ import annotations

from dataclasses import replace
from typing import final

from g2o.ad.activity import Activity
from g2o.ad.increments import zero_declaration
from g2o.ad.places import Places
from g2o.ad.scopes import Braces, Point
from g2o.ad.shadows import (
    Shadows,
    shadow_variable,
)
from g2o.ad.values import Values
from g2o.analysis.effects import declared_in
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import (
    Binary,
    Cast,
    Code,
    Conditional,
    Expr,
    Index,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
)
from g2o.ir.statements import Declare, Variable
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import TypeKind


@final
class Reach:
    """Where the shadows of lvalues are in the reverse sweep, and which may be the same."""

    def __init__(
        self, activity: Activity, places: Places, values: Values, shadows: Shadows
    ) -> None:
        self.activity = activity
        self.places = places
        self.values = values
        self.shadows = shadows

    def shadow(self, target: Expr, point: Point) -> Expr:
        """The shadow of an lvalue, as the reverse sweep can reach it."""
        place = self.reachable(target, point)
        for node in walk(place):
            if isinstance(node, VarRef):
                self._declare_shadow(node.symbol, point)
        return self.shadows.place(place)

    def is_own(self, target: Expr) -> bool:
        """Is the lvalue in memory of the thread alone?"""
        roots = self.activity.origins.roots(target)
        return all(root is not None and root.storage is Storage.LOCAL for root in roots)

    def may_be(self, one: Expr, other: Expr) -> bool:
        """May two lvalues be the same place?"""
        if one == other:
            return True
        origins = self.activity.origins
        if not any(
            self.places.may_alias(first, second)
            for first in origins.roots(one)
            for second in origins.roots(other)
        ):
            return False
        return not _are_apart(one, other)

    def reachable(self, target: Expr, point: Point) -> Expr:
        """The lvalue with indices that the reverse sweep has."""
        match target:
            case VarRef() | Literal():
                return target
            case Index(base=base, index=index):
                return replace(
                    target, base=self.reachable(base, point), index=self.values.value(index, point)
                )
            case Member(base=base):
                return replace(target, base=self.reachable(base, point))
            case Unary(op="*", operand=operand):
                return replace(target, operand=self.reachable(operand, point))
            case Unary(op="&", operand=operand):
                return replace(target, operand=self.reachable(operand, point))
            case Paren(inner=inner):
                return replace(target, inner=self.reachable(inner, point))
            case Code(parts=(only,)) if not isinstance(only, str):
                return self.reachable(only, point)
            case Binary(left=left, right=right) if left.type.is_indirect:
                return replace(
                    target, left=self.reachable(left, point), right=self.values.value(right, point)
                )
            case Conditional(condition=condition, if_true=if_true, if_false=if_false):
                return replace(
                    target,
                    condition=self.values.value(condition, point),
                    if_true=self.reachable(if_true, point),
                    if_false=self.reachable(if_false, point),
                )
            case Cast(operand=operand) if target.type.is_indirect:
                return replace(target, operand=self.reachable(operand, point))
            case _:
                raise refuse("G2O0403", "address of a value that carries derivatives", target.span)

    def _declare_shadow(self, symbol: Symbol, point: Point) -> None:
        """See to it that the shadow of a local variable is declared in its braces."""
        home = self.values.braces_of.get(symbol)
        if home is None or symbol in home.shadowed or not self._has_own_shadow(symbol):
            return
        home.shadowed.add(symbol)
        definition = self.places.definitions[symbol]
        shadow = self.shadows.of(symbol)
        if symbol.type.kind in (TypeKind.POINTER, TypeKind.REFERENCE):
            initial = definition.variable.initial
            if initial is None or symbol in self.activity.origins.moved:
                message = f"pointer '{symbol.name}' into memory that carries derivatives is moved"
                raise refuse("G2O0403", message, definition.statement.span)
            there = Point(definition.place, home)
            place = self.shadow(initial, there)
            made = Declare((shadow_variable(definition.variable, shadow, place),))
            if there.first or there.before:
                behind = home.behind.setdefault(id(definition.statement), [])
                behind.extend(there.before)
                home.shadows.extend([*there.first, made])
            elif home.joint and self._is_there_from_the_start(place, home):
                home.pointers.append((definition.statement, made))
            else:
                home.shadows.append(made)
            return
        there = Point(definition.place, home)
        like = self._with_sizes(definition.variable, there)
        if there.before:
            home.behind.setdefault(id(definition.statement), []).extend(there.before)
        home.shadows.extend([*there.first, zero_declaration(shadow, like)])

    def _with_sizes(self, variable: Variable, point: Point) -> Variable:
        """The array with sizes that the reverse sweep has: they stand in a text of their own."""
        sizes = tuple(self.values.value(one, point) for one in variable.extents)
        if sizes == variable.extents:
            return variable
        suffix = ""
        for one in sizes:
            match one:
                case VarRef(symbol=Symbol(name=text)) | Literal(text=text):
                    suffix += f"[{text}]"
                case _:
                    message = f"size of '{variable.symbol.name}' that the reverse sweep has not"
                    raise refuse("G2O0403", message, variable.span)
        return replace(variable, suffix=suffix, extents=sizes)

    def _is_there_from_the_start(self, place: Expr, home: Braces) -> bool:
        """Does the address of a shadow name no shadow that the reverse sweep declares first?"""
        early: set[Symbol] = set()
        around: Braces | None = home
        while around is not None:
            early |= {symbol for _, made in around.pointers for symbol in declared_in(made)}
            around = around.parent
        return not any(
            node.symbol.storage is Storage.LOCAL and node.symbol not in early
            for node in walk(place)
            if isinstance(node, VarRef) and self.shadows.primal_of(node.symbol) is not None
        )

    def _has_own_shadow(self, symbol: Symbol) -> bool:
        return symbol.storage is Storage.LOCAL and self.activity.is_active(VarRef(symbol))


def _are_apart(one: Expr, other: Expr) -> bool:
    """Are these different members of one object, or elements with different constant indices?"""
    match one, other:
        case Member(base=first, name=name), Member(base=second, name=other_name):
            return first == second and name != other_name
        case Index(base=first, index=Literal(value=i)), Index(base=second, index=Literal(value=j)):
            return first == second and i is not None and j is not None and i != j
        case _:
            return False
