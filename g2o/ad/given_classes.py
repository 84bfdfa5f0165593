"""Objects whose type is an argument of a template, with the class that it names.

    Gauss f = Gauss{x[i]};      // `F f` of a function template that stands in the kernel now

To the text `F` may be anything, and a number among others; what is stored in `f`, or another
variable with a type of that name, says that it is a class, whose members have shadows of their own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from g2o.analysis.value_types import value_type
from g2o.ir.expressions import VarRef
from g2o.ir.statements import Block, Declare
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rename_symbols, walk
from g2o.ir.types import CType, TypeKind, unqualified


def with_given_classes(body: Block) -> Block:
    """`body` with the classes of such variables, and of those that are copies of them."""
    while found := _of_a_class(body):
        body = rename_symbols(body, found)
    return body


def _of_a_class(body: Block) -> dict[Symbol, Symbol]:
    declared = [
        variable for node in walk(body) if isinstance(node, Declare) for variable in node.variables
    ]
    classes = _classes(node.symbol.type for node in walk(body) if isinstance(node, VarRef))
    found: dict[Symbol, Symbol] = {}
    for variable in declared:
        symbol, initial = variable.symbol, variable.initial
        if symbol.type.kind is not TypeKind.DEPENDENT:
            continue
        given = None if initial is None else value_type(initial)
        if given is None or given.kind is not TypeKind.RECORD or not _is_named(given, symbol.type):
            given = classes.get(unqualified(symbol.type))
        if given is not None:
            ctype = replace(given, spelling=symbol.type.spelling, is_const=symbol.type.is_const)
            found[symbol] = replace(symbol, type=ctype)
    return found


def _is_named(given: CType, ctype: CType) -> bool:
    return unqualified(given) == unqualified(ctype)


def _classes(types: Iterable[CType]) -> dict[str, CType]:
    """The classes among the types, by name, but for names of several."""
    found: dict[str, CType] = {}
    several: set[str] = set()
    for ctype in types:
        while ctype.element is not None and (ctype.is_indirect or ctype.kind is TypeKind.ARRAY):
            ctype = ctype.element
        if ctype.kind is not TypeKind.RECORD:
            continue
        other = found.setdefault(unqualified(ctype), ctype)
        if other.fields != ctype.fields:
            several.add(unqualified(ctype))
    return {name: ctype for name, ctype in found.items() if name not in several}
