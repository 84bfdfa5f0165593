"""What stands in front of sweeps over an array (`sweeps.py`), and what goes with them."""

from __future__ import annotations

from collections.abc import Sequence

from g2o.analysis.effects import symbols_in
from g2o.ir.expressions import Assign, Call, Code, Index, Unary, VarRef, Verbatim, integer_value
from g2o.ir.statements import CountedLoop, Declare, For, Node, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import TypeKind
from g2o.lowering.sweeps import Value


def is_sweep(loop: For, array: Symbol) -> bool:
    """Is it a loop whose turns are loops of threads that add up elements of the array?"""
    inner = [node for node in walk(loop.body) if isinstance(node, CountedLoop)]
    return any(
        isinstance(node, Index) and node.base == VarRef(array)
        for one in inner
        for node in walk(one)
    )


def declared_symbols(statement: Stmt) -> set[Symbol]:
    if not isinstance(statement, Declare):
        return set()
    return {variable.symbol for variable in statement.variables}


def known_numbers(before: Sequence[Stmt]) -> dict[Symbol, Value]:
    """The variables that have a known value behind these statements."""
    numbers: dict[Symbol, Value] = {}
    for statement in before:
        for symbol in symbols_in(statement) & numbers.keys():
            if not isinstance(statement, Declare) or any(map(_has_effects, walk(statement))):
                del numbers[symbol]  # perhaps changed
        for variable in statement.variables if isinstance(statement, Declare) else ():
            known = None if variable.initial is None else integer_value(variable.initial)
            if known is not None and variable.symbol.type.kind is TypeKind.INTEGER:
                numbers[variable.symbol] = known
    return numbers


def _has_effects(node: Node) -> bool:
    return isinstance(node, (Assign, Unary, Call, Verbatim, Code))


def without_unnamed(before: tuple[Stmt, ...], gone: set[Symbol]) -> tuple[Stmt, ...]:
    """The statements without declarations of variables that only the sweeps named."""
    return tuple(
        statement
        for statement in before
        if not (
            len(declared := declared_symbols(statement)) == 1
            and declared <= gone
            and not any(declared & symbols_in(one) for one in before if one is not statement)
        )
    )
