"""Objects whose type is an argument of a template, with the class that their values show.

    Gauss f = Gauss{x[i]};      // `F f` of a function template that stands in the kernel now

To the text `F` may be anything, and a number among others; what is stored in `f` says that it is a
class, whose members have shadows of their own.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.analysis.value_types import value_type
from g2o.ir.statements import Block, Declare
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rename_symbols, walk
from g2o.ir.types import TypeKind, unqualified


def with_given_classes(body: Block) -> Block:
    """`body` with the classes of such variables, and of those that are copies of them."""
    while found := _of_a_class(body):
        body = rename_symbols(body, found)
    return body


def _of_a_class(body: Block) -> dict[Symbol, Symbol]:
    found: dict[Symbol, Symbol] = {}
    for node in walk(body):
        for variable in node.variables if isinstance(node, Declare) else ():
            symbol, initial = variable.symbol, variable.initial
            if symbol.type.kind is not TypeKind.DEPENDENT or initial is None:
                continue
            given = value_type(initial)
            if given.kind is TypeKind.RECORD and unqualified(given) == unqualified(symbol.type):
                ctype = replace(given, spelling=symbol.type.spelling, is_const=symbol.type.is_const)
                found[symbol] = replace(symbol, type=ctype)
    return found
