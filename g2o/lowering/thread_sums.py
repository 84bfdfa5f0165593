"""Integers of a loop over threads as polynomials in the thread and its turn."""

from __future__ import annotations

from typing import Final, final

from g2o.analysis.effects import symbols_in
from g2o.ir.expressions import Binary, Cast, Expr, Literal, Paren, Unary, VarRef, integer_value
from g2o.ir.statements import Declare, Node
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children
from g2o.ir.types import CType, TypeKind
from g2o.polyhedral.polynomial import Polynomial

THREAD: Final = "thread"
_TURN: Final = "turn"


@final
class ThreadSums:
    """Do values depend on a thread and its turn by their sum alone? Without a turn: not at all?"""

    def __init__(
        self,
        thread: Symbol,
        turn: Symbol | None,
        declarations: dict[Symbol, Declare],
        inner: set[Symbol],
    ) -> None:
        self.thread = thread
        self.turn = turn
        self.declarations = declarations
        self.inner = inner
        self.atoms: dict[Expr, str] = {}

    def decide(self, node: Node) -> bool:
        """Does that hold for every expression in `node`?"""
        if isinstance(node, Expr) and is_integer(node.type):
            value = self.polynomial(node)
            if value is None:
                return False
            names = Polynomial.name(THREAD), Polynomial.name(_TURN)
            return value == value.substituted(
                {THREAD: names[0] + names[1], _TURN: Polynomial.constant(0)}
            )
        if isinstance(node, Declare) and node.variables[0].symbol in self.inner:
            return True  # it counts where the variable is used
        if isinstance(node, VarRef):
            return not self.follows_thread(node.symbol)
        return all(self.decide(child) for child in children(node))

    def polynomial(self, expr: Expr) -> Polynomial | None:
        """None where a part depends on the two in another way."""
        match expr:
            case Literal() if (value := integer_value(expr)) is not None:
                return Polynomial.constant(value)
            case VarRef(symbol=symbol):
                return self._variable(symbol)
            case Paren(inner=inner):
                return self.polynomial(inner)
            case Cast(operand=operand, type=ctype) if keeps_values(operand.type, ctype):
                return self.polynomial(operand)
            case Unary(op="-", operand=operand):
                value = self.polynomial(operand)
                return None if value is None else -value
            case Binary(op="+" | "-" | "*" as op, left=left, right=right) if all(
                keeps_values(operand.type, expr.type) for operand in (left, right)
            ):
                one, other = self.polynomial(left), self.polynomial(right)
                if one is None or other is None:
                    return None
                found = one * other if op == "*" else one + other if op == "+" else one - other
                return None if found.is_large else found
            case _:
                if not all(self.decide(child) for child in children(expr)):
                    return None
                return Polynomial.name(self.atoms.setdefault(expr, f"atom{len(self.atoms)}"))

    def _variable(self, symbol: Symbol) -> Polynomial | None:
        if symbol == self.thread:
            return Polynomial.name(THREAD)
        if symbol == self.turn:
            return Polynomial.name(_TURN)
        declare = self.declarations.get(symbol)
        if declare is None or not self.follows_thread(symbol):
            return Polynomial.name(self.atoms.setdefault(VarRef(symbol), f"atom{len(self.atoms)}"))
        initial = declare.variables[0].initial
        if initial is None or not keeps_values(initial.type, symbol.type):
            return None
        return self.polynomial(initial)

    def follows(self, node: Node) -> bool:
        """Does anything in `node` depend on the thread or the turn?"""
        return any(self.follows_thread(symbol) for symbol in symbols_in(node))

    def follows_thread(self, symbol: Symbol) -> bool:
        """Does the variable depend on the thread or the turn?"""
        declare = self.declarations.get(symbol)
        if declare is None:
            return symbol in (self.thread, self.turn)
        return any(self.follows_thread(named) for named in symbols_in(declare) - {symbol})


def is_integer(ctype: CType) -> bool:
    return ctype.kind is TypeKind.INTEGER and ctype.bits >= 32


def keeps_values(source: CType, target: CType) -> bool:
    """Is a conversion the identity, or one that sums of the source's type pass unharmed?"""
    if not is_integer(source) or not is_integer(target):
        return False
    return source.bits == target.bits or (source.is_signed and source.bits < target.bits)
