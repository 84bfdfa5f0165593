"""What may be read or written by another name than its own."""

from __future__ import annotations

from collections.abc import Iterable

from g2o.analysis.effects import EffectsOf, root_symbol, symbols_in
from g2o.ir.expressions import Call, Index, Unary, VarRef, Verbatim, strip_parens
from g2o.ir.statements import Declare, LocalFunction, Stmt, Variable
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import TypeKind


def with_second_names(statements: Iterable[Stmt], effects: EffectsOf) -> set[Symbol]:
    """Variables whose addresses are taken, that references or functions may hold, or that stand in
    text which is not understood; arrays as well where they are named as a whole."""
    found: set[Symbol] = set()
    named: list[Symbol] = []
    elements: list[Symbol] = []
    for node in (node for statement in statements for node in walk(statement)):
        match node:
            case Unary(op="&", operand=held):
                found |= symbols_in(held)
            case Call(arguments=arguments, is_cuda=False) if not _only_computes(node, effects):
                found.update(root for one in arguments if (root := root_symbol(one)) is not None)
            case Verbatim() | LocalFunction():
                found |= symbols_in(node)
            case Declare(variables=variables):
                for one in variables:
                    if one.initial is not None and _is_reference(one):
                        found |= symbols_in(one.initial)
            case VarRef(symbol=symbol) if symbol.type.kind is TypeKind.ARRAY:
                named.append(symbol)
            case Index():
                elements += _array_of(node)
            case _:
                pass
    return found | {symbol for symbol in set(named) if named.count(symbol) > elements.count(symbol)}


def _only_computes(call: Call, effects: EffectsOf) -> bool:
    """Does the function leave nothing behind but a number?"""
    return call.type.is_arithmetic and effects.of(call).is_pure


def _is_reference(variable: Variable) -> bool:
    is_reference = variable.symbol.type.kind is TypeKind.REFERENCE
    return is_reference or variable.declared.rstrip().endswith("&")


def _array_of(element: Index) -> list[Symbol]:
    """The array that this is an innermost element of."""
    depth, base = 0, strip_parens(element)
    while isinstance(base, Index):
        depth, base = depth + 1, strip_parens(base.base)
    if not isinstance(base, VarRef):
        return []
    dimensions, ctype = 0, base.symbol.type
    while ctype.kind is TypeKind.ARRAY and ctype.element is not None:
        dimensions, ctype = dimensions + 1, ctype.element
    return [base.symbol] if depth == dimensions else []
