"""Small shared variables have a value from the start where they may be read without one.

    double largest;                          double largest = 0.0;
    for (int t = 0; t < block.x; ++t)        for (int t = 0; t < block.x; ++t)
        if (t == 0)                    ->        if (t == 0)
            largest = 2.0;                           largest = 2.0;
    while (largest > 0.3)                    while (largest > 0.3)

The loop over the threads gives the value; a compiler that cannot know that a block has threads says
that it may be missing, or that `t` comes to be 0. Legal because shared memory holds anything at
first, and so do conditions that only some threads set. Of arrays only what is outside of loops over
threads counts, and large ones, which would take time, are left alone.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from g2o.analysis.effects import root_symbol, statements_of, symbols_in
from g2o.analysis.unset import read_unset
from g2o.ir.expressions import Assign, Expr, Form, Literal, VarRef, strip_parens
from g2o.ir.statements import Block, CountedLoop, Declare, ExprStatement, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, rewrite_statements
from g2o.ir.types import CType, TypeKind

Statements = tuple[Stmt, ...]

_FEW_BITS: Final = 512
_EMPTY: Final = Literal("{}")


def with_first_values(statements: tuple[Stmt, ...], open_names: Collection[str]) -> Statements:
    """`statements` with values for what may be read before loops over the threads store it.
    `open_names` are template parameters, which mostly stand for numbers."""

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        new = _sequence(
            tuple(rewrite_statements(one, replacement) for one in node.statements), open_names
        )
        same = all(one is old for one, old in zip(new, node.statements, strict=True))
        return node if same else replace(node, statements=new, form=Form.BUILT)

    return tuple(rewrite_statements(statement, replacement) for statement in statements)


def _sequence(statements: Statements, open_names: Collection[str]) -> Statements:
    new: list[Stmt] = []
    for position, statement in enumerate(statements):
        following = statements[position + 1 :]
        if isinstance(statement, Declare):
            variables = tuple(_started(one, following, open_names) for one in statement.variables)
            if any(one is not old for one, old in zip(variables, statement.variables, strict=True)):
                statement = replace(statement, variables=variables, form=Form.BUILT)
        new.append(statement)
    return tuple(new)


def _started(
    variable: Variable, following: Sequence[Stmt], open_names: Collection[str]
) -> Variable:
    symbol = variable.symbol
    if variable.initial is not None or not _may_hold_anything(variable):
        return variable
    initial = _EMPTY if symbol.type.spelling in open_names else _first_value(symbol.type)
    if initial is None or not _may_be_missing(symbol, following):
        return variable
    return replace(variable, initial=initial, initial_style="=")


def _may_hold_anything(variable: Variable) -> bool:
    """Is it in shared memory, or a condition of one thread? That is given its value where the
    thread is active, and read where it is: `active && ...`."""
    symbol = variable.symbol
    is_array = variable.suffix or variable.extents
    is_bool = symbol.type.kind is TypeKind.BOOL and not is_array
    is_condition = is_bool and symbol.storage is Storage.LOCAL
    return symbol.storage is Storage.SHARED or is_condition


def _first_value(ctype: CType) -> Expr | None:
    """What a small variable starts with; None for others."""
    bits, inner = 1, ctype
    if ctype.kind is TypeKind.POINTER:
        return Literal("nullptr")
    while inner.kind is TypeKind.ARRAY:
        if inner.element is None or inner.extent is None:
            return None
        bits, inner = bits * inner.extent, inner.element
    if not inner.is_arithmetic or inner.is_volatile or not 0 < bits * inner.bits <= _FEW_BITS:
        return None
    if ctype.kind is TypeKind.ARRAY:
        return _EMPTY
    match inner.kind:
        case TypeKind.FLOATING:
            return Literal("0.0f" if inner.bits == 32 else "0.0", None, inner)
        case TypeKind.BOOL:
            return Literal("false", 0, inner)
        case _:
            return Literal("0", 0, inner)


def _may_be_missing(symbol: Symbol, following: Sequence[Stmt]) -> bool:
    """Is the variable read before it is surely set?"""
    until = _until(following, symbol)
    if symbol.type.kind is TypeKind.ARRAY:
        return any(_reads(statement, symbol) for statement in until)
    return bool(read_unset(Block(tuple(until)), {symbol}))


def _until(statements: Sequence[Stmt], symbol: Symbol) -> list[Stmt]:
    """The statements in front of the first that surely sets the variable."""
    found: list[Stmt] = []
    for statement in statements:
        if _sets(statement, symbol):
            break
        found.append(statement)
    return found


def _sets(statement: Stmt, symbol: Symbol) -> bool:
    match statement:
        case ExprStatement(expr=Assign(op="=", target=target, value=value)):
            if strip_parens(target) == VarRef(symbol):
                return symbol not in symbols_in(value)
            return isinstance(value, Assign) and _sets(ExprStatement(value), symbol)
        case Block(statements=inner):
            for one in inner:
                if symbol in symbols_in(one):
                    return _sets(one, symbol)
            return False
        case CountedLoop(lower=Literal(), upper=upper) if not symbols_in(upper):
            # A compiler knows that it has turns.
            stored = (
                one.expr for one in statements_of(statement.body) if isinstance(one, ExprStatement)
            )
            return any(
                root_symbol(store.target) == symbol and symbol not in symbols_in(store.value)
                for store in stored
                if isinstance(store, Assign)
            )
        case _:
            return False


def _reads(statement: Stmt, symbol: Symbol) -> bool:
    """Does something in the statement, but outside of loops over threads, take the value?"""
    match statement:
        case CountedLoop():
            return False
        case ExprStatement(expr=Assign(op="=", target=target, value=value)) if (
            root_symbol(target) == symbol
        ):
            return symbol in symbols_in(value)
        case _:
            pass
    return any(
        _reads(part, symbol) if isinstance(part, Stmt) else symbol in symbols_in(part)
        for part in children(statement)
    )
