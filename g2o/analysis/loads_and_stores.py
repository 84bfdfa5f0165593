"""Reads and writes of variables and of memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from g2o.analysis.accesses import AccessKind
from g2o.analysis.addresses import ANY_MEMBER, Address, spelled_path
from g2o.analysis.evaluation import Value
from g2o.analysis.integer_types import is_integer, is_unsigned
from g2o.analysis.places import Places
from g2o.ir.expressions import Cast, Expr, InitList, Member, Paren, VarRef, integer_value
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import TypeKind
from g2o.polyhedral.formula import TRUE, at_least, conjunction
from g2o.polyhedral.polynomial import Polynomial
from g2o.polyhedral.space import NameInfo

_OF_ALL_THREADS: Final = (Storage.PARAMETER, Storage.GLOBAL)


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
            name, new = self.space.derived("v", key, (place.offset,), exact=False)
            if place.root is not None and place.root.storage in _OF_ALL_THREADS:
                self.space.operands[name] = (place.offset,)
            if new and is_integer(expr.type):
                self._bound(name, place.root)
            if is_integer(expr.type) and not expr.type.is_signed:
                self.space.define(name, TRUE, not_negative=True)
            return Polynomial.name(name)
        return self.unknown(expr)

    def _bound(self, name: str, root: Symbol | None) -> None:
        """An element of an array whose elements the file spells."""
        if root is None or root.storage is not Storage.GLOBAL or not _is_constant_array(root):
            return
        known = self.tables.get(root.name)
        if known is not None:
            self._between(name, *known)

    def _between(self, name: str, least: int, most: int) -> None:
        value = Polynomial.name(name)
        above = at_least(value, Polynomial.constant(least))
        below = at_least(Polynomial.constant(most), value)
        self.space.define(name, conjunction((above, below)))

    def note_table(self, symbol: Symbol, initial: Expr) -> None:
        """`const int cx[3] = {0, 1, -1};` is the same array in every thread."""
        if symbol.type.innermost.is_const and is_integer(symbol.type.innermost):
            elements = _elements(initial)
            if elements:
                self.own_tables[symbol] = min(0, *elements), max(0, *elements)

    def _private(self, place: Address, expr: Expr) -> Polynomial:
        """A member of a parameter that is never changed stands for itself."""
        root = place.root
        table = None if root is None else self.own_tables.get(root)
        if table is not None and place.offset is not None and is_integer(expr.type):
            key = ("load", root, place.offset, place.path)
            name, new = self.space.derived("v", key, (place.offset,), exact=False)
            self.space.operands[name] = (place.offset,)
            if new:
                self._between(name, *table)
            return Polynomial.name(name)
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
        if _is_constant_array(root):
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


def _elements(initial: Expr) -> list[int]:
    """The numbers of an initialiser; none where it has something else, as a cast may be."""
    if not isinstance(initial, InitList):
        value = integer_value(initial)
        plain = value is not None and not any(isinstance(node, Cast) for node in walk(initial))
        return [value] if value is not None and plain else []
    parts = [_elements(element) for element in initial.elements]
    return [number for part in parts for number in part] if all(parts) else []


def _is_constant_array(symbol: Symbol) -> bool:
    """An array, or a variable, that nothing changes: not what it points to, if it points."""
    if symbol.type.kind in (TypeKind.POINTER, TypeKind.REFERENCE):
        return False
    return symbol.type.is_const or symbol.type.innermost.is_const


def _is_dynamic(symbol: Symbol | None) -> bool:
    return symbol is not None and symbol.storage is Storage.DYNAMIC_SHARED


def _may_be(root: Symbol, written: Symbol | None) -> bool:
    """May what lies behind `written` be memory that lies behind `root`, too?"""
    if written is None or written.storage not in (Storage.PARAMETER, Storage.GLOBAL):
        return written is None
    arrays = root.type.kind is not TypeKind.POINTER and written.type.kind is not TypeKind.POINTER
    return not (arrays and root.storage is written.storage is Storage.GLOBAL)
