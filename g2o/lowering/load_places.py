"""Where a choice between two loads finds them is computed before the choice.

    v = c ? x[(size_t)q * n + i] : x[(size_t)p * n + j];

    const std::size_t place = (size_t)q * n + i, place2 = (size_t)p * n + j;
    v = c ? x[place] : x[place2];

Compilers rewrite arithmetic that they make unconditional so that it cannot overflow, and no longer
see then that neighbours load neighbouring elements. Legal for sums and products in unsigned
arithmetic on variables, constants and elements of tables that are long enough for the loop around:
nothing happens where the element that they name is not loaded.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

from g2o.ir.expressions import (
    Binary,
    Cast,
    Conditional,
    Expr,
    Index,
    Literal,
    Paren,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import Declare, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite
from g2o.ir.types import TypeKind
from g2o.lowering.context import SIZE


@final
@dataclass(frozen=True, slots=True)
class Tables:
    """Arrays that have an element for each of the `turns` of a loop with this `counter`."""

    counter: Symbol
    turns: range

    def hold(self, load: Index) -> bool:
        """Is it the element of such an array that belongs to the turn?"""
        extent = load.base.symbol.type.extent if isinstance(load.base, VarRef) else None
        if extent is None or strip_parens(load.index) != VarRef(self.counter):
            return False
        return self.turns.start >= 0 and self.turns.stop <= extent


@final
@dataclass(slots=True)
class LoadPlaces:
    """Takes places out of the choices of a loop."""

    symbols: SymbolTable
    tables: Tables
    found: list[Variable] = field(default_factory=list[Variable])

    def before_choices(self, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        """The statements with the places of chosen loads in front of the choices."""
        result: list[Stmt] = []
        for statement in statements:
            new = rewrite(statement, self._in_choice)
            result += [Declare((variable,)) for variable in self.found]
            result.append(new)
            self.found.clear()
        return tuple(result)

    def _in_choice(self, node: Node) -> Node | None:
        if not isinstance(node, Conditional):
            return None
        chosen = (rewrite(node.if_true, self._of_load), rewrite(node.if_false, self._of_load))
        if chosen == (node.if_true, node.if_false):
            return None
        return Conditional(node.condition, *chosen, node.type)

    def _of_load(self, node: Node) -> Node | None:
        if not isinstance(node, Index) or isinstance(strip_parens(node.index), (VarRef, Literal)):
            return None
        ctype = node.index.type
        if ctype.is_signed or ctype.bits != SIZE.bits or not self._is_harmless(node.index):
            return None
        symbol = self.symbols.fresh("place", SIZE, Storage.LOCAL)
        self.found.append(Variable(symbol, "const std::size_t", "", node.index, "="))
        return Index(node.base, VarRef(symbol), node.type)

    def _is_harmless(self, expr: Expr) -> bool:
        """Does the expression have a value, whatever the variables in it are?"""
        match expr:
            case Literal() | VarRef():
                return True
            case Paren(inner=inner) | Cast(operand=inner):
                integer = expr.type.kind is TypeKind.INTEGER or isinstance(expr, Paren)
                return integer and self._is_harmless(inner)
            case Binary(op="+" | "-" | "*", left=left, right=right):
                unsigned = expr.type.kind is TypeKind.INTEGER and not expr.type.is_signed
                return unsigned and self._is_harmless(left) and self._is_harmless(right)
            case Index():
                return self.tables.hold(expr)
            case _:
                return False
