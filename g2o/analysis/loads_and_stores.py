"""Reads and writes of variables and of memory."""

from __future__ import annotations

from dataclasses import dataclass

from g2o.analysis.accesses import AccessKind
from g2o.analysis.addresses import ANY_MEMBER, Address, spelled_path
from g2o.analysis.evaluation import Value
from g2o.analysis.integer_types import is_integer, is_unsigned
from g2o.analysis.places import Places
from g2o.ir.expressions import Expr, Member, Paren, VarRef
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.types import TypeKind
from g2o.polyhedral.formula import TRUE
from g2o.polyhedral.polynomial import Polynomial
from g2o.polyhedral.space import NameInfo


@dataclass(slots=True)
class LoadsAndStores(Places):
    """What variables of a thread hold is followed; accesses of memory are recorded."""

    def _load(self, expr: Expr) -> Polynomial:
        if isinstance(expr, VarRef):
            symbol = expr.symbol
            if symbol in self.hidden:
                return self.anything(True, not_negative=is_unsigned(symbol.type))
            known = self.machine.env.get(symbol)
            if isinstance(known, Polynomial):
                return known
            if symbol.storage is Storage.PARAMETER and known is None:
                return self._parameter(symbol)
        place = self.place(expr)
        if place.private:
            return self._private(place, expr)
        self.record(AccessKind.READ, place, expr, None)
        constant = place.root is not None and self._is_constant(place.root)
        if constant and place.offset is not None and ANY_MEMBER not in place.path:
            element = "" if place.element is None else place.element.spelling
            key = ("load", place.root, place.offset, place.path, element, expr.type.spelling)
            name, _ = self.space.derived("v", key, (place.offset,), exact=False)
            if is_integer(expr.type) and not expr.type.is_signed:
                self.space.define(name, TRUE, not_negative=True)
            return Polynomial.name(name)
        return self.unknown(expr)

    def _private(self, place: Address, expr: Expr) -> Polynomial:
        """A member of a parameter that is never changed stands for itself."""
        root = place.root
        if root is not None and root.storage is Storage.PARAMETER and isinstance(expr, Member):
            path = spelled_path(expr)
            if path is not None and root not in self.machine.env and root not in self.hidden:
                info = NameInfo(varying=False, not_negative=is_unsigned(expr.type))
                key = ("member", root, path)
                return Polynomial.name(self.space.name(expr.name, info, key))
        return self.unknown(expr)

    def _parameter(self, symbol: Symbol) -> Polynomial:
        info = NameInfo(varying=False, not_negative=is_unsigned(symbol.type))
        return Polynomial.name(self.space.name(symbol.name, info, ("parameter", symbol)))

    def _is_constant(self, root: Symbol) -> bool:
        """Does nothing in the kernel change what lies behind the root?"""
        if root in self.written or None in self.written:
            return False
        if root.storage is Storage.DYNAMIC_SHARED:
            return not any(_is_dynamic(one) for one in self.written)
        if root.storage is Storage.SHARED or root.type.is_restrict:
            return True
        if root.type.innermost.is_const and not root.type.is_indirect:
            return True
        return not any(_may_be(root, one) for one in self.written)

    def _store(self, target: Expr, value: Value | None, expr: Expr) -> None:
        match target:
            case Paren(inner=inner):
                self._store(inner, value, expr)
                return
            case VarRef(symbol=symbol) if symbol.storage in (Storage.LOCAL, Storage.PARAMETER):
                if symbol.type.kind is not TypeKind.REFERENCE:
                    self._bind(symbol, value)
                    return
            case _:
                pass
        place = self.place(target)
        if place.private:
            if place.root is not None:
                self._bind(place.root, None)
            return
        self.record(AccessKind.WRITE, place, expr, value if isinstance(value, Polynomial) else None)


def _is_dynamic(symbol: Symbol | None) -> bool:
    return symbol is not None and symbol.storage is Storage.DYNAMIC_SHARED


def _may_be(root: Symbol, written: Symbol | None) -> bool:
    """May what lies behind `written` be memory that lies behind `root`, too?"""
    if written is None or written.storage not in (Storage.PARAMETER, Storage.GLOBAL):
        return written is None
    arrays = root.type.kind is not TypeKind.POINTER and written.type.kind is not TypeKind.POINTER
    return not (arrays and root.storage is written.storage is Storage.GLOBAL)
