"""Which names of a kernel may stand for the same memory.

    double *row = x + i * m;      row and x
    double *one = odd ? a : b;    one, a and b

Parameters are told apart by the contract of adjoints; what is asked here is which variables of the
kernel lead into the memory of one of them, and so into that of each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import final

from g2o.analysis.effects import root_symbol
from g2o.ir.expressions import Assign, Expr, Unary, VarRef, strip_parens
from g2o.ir.statements import Declare, Node
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import CType


@final
@dataclass(slots=True)
class SameMemory:
    """Groups of names, joined by what pointers and references are made from."""

    group: dict[Symbol, Symbol] = field(default_factory=dict[Symbol, Symbol])

    def names_beside(self, symbol: Symbol, node: Node) -> set[Symbol]:
        """The other names in `node` that may stand for the memory of `symbol`."""
        own = self._leader(symbol)
        named = {one.symbol for one in walk(node) if isinstance(one, VarRef)}
        return {one for one in named if one != symbol and self._leader(one) == own}

    def join(self, one: Symbol, other: Symbol) -> None:
        """Both may be the same from now on."""
        self.group[self._leader(one)] = self._leader(other)

    def _leader(self, symbol: Symbol) -> Symbol:
        while symbol in self.group and self.group[symbol] != symbol:
            symbol = self.group[symbol]
        return symbol


def same_memory(statements: Iterable[Node]) -> SameMemory:
    """The groups of what the statements name."""
    groups = SameMemory()
    for statement in statements:
        for node in walk(statement):
            match node:
                case Declare(variables=variables):
                    for variable in variables:
                        if variable.initial is not None:
                            _join_all(groups, variable.symbol, variable.initial)
                case Assign(op="=", target=target, value=value):
                    root = root_symbol(target)
                    if root is not None and isinstance(strip_parens(target), VarRef):
                        _join_all(groups, root, value)
                case _:
                    pass
    return groups


def _join_all(groups: SameMemory, symbol: Symbol, value: Expr) -> None:
    if not _leads_elsewhere(symbol.type):
        return
    root = root_symbol(value)
    if root is not None:
        groups.join(symbol, root)
    for node in walk(value):
        match node:
            case VarRef(symbol=other) if _leads_elsewhere(other.type):
                groups.join(symbol, other)
            case Unary(op="&", operand=operand):
                root = root_symbol(operand)
                if root is not None:
                    groups.join(symbol, root)
            case _:
                pass


def _leads_elsewhere(ctype: CType) -> bool:
    return ctype.is_indirect or any(_leads_elsewhere(member) for _, member in ctype.fields)
