"""Names that code uses: a new one must not capture any of them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from g2o.ir.expressions import Code, Literal, VarRef
from g2o.ir.kernel import LoweredKernel
from g2o.ir.statements import CountedLoop, Declare, LocalFunction, Stmt, Text
from g2o.ir.symbols import SymbolTable
from g2o.ir.traverse import walk

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")


def names_in(statements: Iterable[Stmt]) -> frozenset[str]:
    """Every identifier that the statements declare or mention."""
    found: set[str] = set()
    for statement in statements:
        for node in walk(statement):
            match node:
                case VarRef(symbol=symbol):
                    found.add(symbol.name)
                case Declare(variables=variables):
                    found.update(variable.symbol.name for variable in variables)
                case CountedLoop(index=index):
                    found.add(index.name)
                case LocalFunction(name=name, parameters=parameters):
                    found.add(name)
                    found.update(parameter.name for parameter in parameters)
                case Literal(text=text):
                    found.update(_IDENTIFIER.findall(text))
                case Text(parts=parts) | Code(parts=parts):
                    for part in parts:
                        if isinstance(part, str):
                            found.update(_IDENTIFIER.findall(part))
                case _:
                    pass
    return frozenset(found)


def symbols_behind(lowered: LoweredKernel, names: Iterable[str] = ()) -> SymbolTable:
    """A table for further variables of a lowered kernel, whose ids none of its variables has: the
    passes before have made some that the table of its function does not know."""
    table = lowered.function.symbols.behind(last_id_in(lowered.body))
    table.names.update(names)
    return table


def last_id_in(statements: Iterable[Stmt]) -> int:
    """The last id of all variables that the statements declare or mention."""
    last = 0
    for statement in statements:
        for node in walk(statement):
            match node:
                case VarRef(symbol=symbol) | CountedLoop(index=symbol):
                    last = max(last, symbol.id)
                case Declare(variables=variables):
                    last = max(last, *(one.symbol.id for one in variables))
                case Text(declares=symbols) | LocalFunction(parameters=symbols):
                    last = max(last, *(one.id for one in symbols), 0)
                case _:
                    pass
    return last


def words_of(text: str) -> frozenset[str]:
    """Every identifier in the text of code, and the words of its comments."""
    return frozenset(_IDENTIFIER.findall(text))
