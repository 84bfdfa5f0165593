"""Small arrays of a thread that begin with zeros are declared, and then filled.

    float sum[4] = {};       ->       float sum[4];
                                      for (int i = 0; i < 4; ++i)
                                          sum[i] = 0;

Neighbours that go through a loop together keep such arrays next to each other, where no list says
what is in them. Legal as written: what a list does not name is zero.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.analysis.definitions import with_variables
from g2o.ir.expressions import (
    Assign,
    Binary,
    Expr,
    InitList,
    Literal,
    Unary,
    VarRef,
    element_of,
    strip_parens,
)
from g2o.ir.statements import Block, Declare, ExprStatement, For, Stmt, Variable
from g2o.ir.symbols import Storage, SymbolTable
from g2o.ir.types import BOOL, INT, TypeKind
from g2o.lowering.register_arrays import is_own_array

_ZERO = Literal("0", 0, INT)


def with_zeros_apart(statements: tuple[Stmt, ...], symbols: SymbolTable) -> tuple[Stmt, ...]:
    """The statements of a body, with loops in place of such lists."""
    new: list[Stmt] = []
    for statement in statements:
        match statement:
            case Declare(variables=(Variable(initial=InitList() as given) as one,)) if _are_zeros(
                given
            ):
                bare = replace(one, initial=None, initial_style="")
                if is_own_array(bare):
                    new.append(with_variables(statement, (bare,)))
                    new.append(_filled(bare, symbols))
                    continue
            case _:
                pass
        new.append(statement)
    return tuple(new) if len(new) > len(statements) else statements


def _are_zeros(given: Expr) -> bool:
    given = strip_parens(given)
    if isinstance(given, InitList):
        return all(map(_are_zeros, given.elements))
    if not isinstance(given, Literal):
        return False
    if given.value is not None:
        return given.value == 0
    try:
        return float(given.text.rstrip("fFlL")) == 0 and not given.text.startswith("-")
    except ValueError:
        return False


def _filled(variable: Variable, symbols: SymbolTable) -> Stmt:
    ctype, extents = variable.symbol.type, list[int]()
    while ctype.kind is TypeKind.ARRAY and ctype.element is not None:
        extents.append(ctype.extent or 0)
        ctype = ctype.element
    counters = [VarRef(symbols.fresh("i", INT, Storage.LOCAL)) for _ in extents]
    element = element_of(VarRef(variable.symbol), counters, ctype)
    made: Stmt = ExprStatement(Assign("=", element, _ZERO, ctype))
    for counter, extent in reversed(list(zip(counters, extents, strict=True))):
        start = Declare((Variable(counter.symbol, "int", "", _ZERO, "="),))
        below = Binary("<", counter, Literal(str(extent), extent, INT), BOOL)
        made = For(start, below, Unary("++", counter, type=INT), Block((made,)))
    return made
