"""Where a choice between two loads finds them is computed before the choice.

    v = c ? x[(size_t)q * n + i] : x[(size_t)p * n + j];

    const std::size_t place = (size_t)q * n + i, place2 = (size_t)p * n + j;
    v = c ? x[place] : x[place2];

Compilers rewrite arithmetic that they make unconditional so that it cannot overflow, and no longer
see then that neighbours load neighbouring elements. Legal for sums and products in unsigned
arithmetic on variables, constants and elements of tables that are long enough for the loop around:
nothing happens where the element that they name is not loaded.

Variables that are read only there would be computed where they are: their values are put in their
place, as sums and products of the place's width. These are the same wherever the narrower ones
have a value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
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
    is_primary,
    strip_parens,
)
from g2o.ir.statements import Declare, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import CType, TypeKind
from g2o.lowering.context import SIZE
from g2o.lowering.wraps import Tables, resolved


@final
@dataclass(slots=True)
class LoadPlaces:
    """Takes places out of the choices of a loop."""

    symbols: SymbolTable
    tables: Tables
    values: dict[Symbol, Expr]
    """Of variables, with nothing but arithmetic."""
    found: list[Variable] = field(default_factory=list[Variable])

    def before_choices(self, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        """The statements with the places of chosen loads in front of the choices."""
        chosen = [
            load.index
            for statement in statements
            for choice in walk(statement)
            if isinstance(choice, Conditional)
            for side in (choice.if_true, choice.if_false)
            for load in walk(side)
            if isinstance(load, Index)
        ]
        elsewhere = Counter(_named(statements))
        elsewhere.subtract(_named(chosen))
        self.values = {
            symbol: value
            for symbol, value in self.values.items()
            if elsewhere[symbol] <= 0 and _is_alike(symbol.type, value.type)
        }
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
        if not _is_of_size(node.index):
            return None
        place = _widened(resolved(node.index, self.values))
        if not self._is_harmless(place):
            return None
        symbol = self.symbols.fresh("place", SIZE, Storage.LOCAL)
        self.found.append(Variable(symbol, "const std::size_t", "", place, "="))
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


def _named(nodes: Iterable[Node]) -> Iterator[Symbol]:
    return (part.symbol for node in nodes for part in walk(node) if isinstance(part, VarRef))


def _is_alike(one: CType, other: CType) -> bool:
    """Is a value of the one type the same in the other?"""
    return (one.kind, one.bits, one.is_signed) == (other.kind, other.bits, other.is_signed)


def _is_of_size(expr: Expr) -> bool:
    return not expr.type.is_signed and expr.type.bits == SIZE.bits


def _widened(expr: Expr) -> Expr:
    """An operand of arithmetic of the place's width: narrower sums and products become as wide.
    That is the same but where they overflow, so unsigned ones, which wrap around, stay."""
    match expr:
        case Paren(inner=inner):
            new = _widened(inner)
            return new if is_primary(new) else Paren(new, new.type)
        case Binary(op="+" | "-" | "*" as op, left=left, right=right) if (
            expr.type.is_signed or _is_of_size(expr)
        ):
            left, right = _widened(left), _widened(right)
            if not _is_of_size(left) and not _is_of_size(right):
                left = Cast(strip_parens(left), SIZE)
            match op, right:
                case "+", Paren(inner=Binary(op="+", left=first, right=second)):
                    return Binary("+", Binary("+", left, first, SIZE), second, SIZE)
                case _:
                    return Binary(op, left, right, SIZE)
        case _:
            return expr
