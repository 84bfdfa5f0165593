"""What stands in front of sweeps over an array (`sweeps.py`), and what goes with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import final

from g2o.analysis.effects import EffectsOf, declared_in, symbols_in
from g2o.analysis.second_names import with_second_names
from g2o.ir.expressions import (
    Assign,
    Call,
    Code,
    Expr,
    Index,
    Literal,
    Unary,
    VarRef,
    Verbatim,
    integer_value,
)
from g2o.ir.statements import CountedLoop, Declare, For, Node, Stmt, Variable
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import INT
from g2o.lowering.sweeps import NotUnderstoodError, Sweeps, Value, is_number


@final
@dataclass(frozen=True, slots=True)
class Swept:
    """A block of statements around sweeps that have been gone through. `gone` are variables that
    nobody names behind them."""

    before: tuple[Stmt, ...]
    region: tuple[Stmt, ...]
    after: tuple[Stmt, ...]
    sweeps: Sweeps
    gone: set[Symbol]


def gone_through(
    statements: tuple[Stmt, ...],
    array: Symbol,
    is_part: Callable[[Stmt], bool],
    effects: EffectsOf,
) -> Swept | None:
    """Go through what stands from the first part of the sweeps to the last; None where that is not
    understood, or changes variables that are needed later, perhaps by another name."""
    places = [number for number, one in enumerate(statements) if is_part(one)]
    extent, element = array.type.extent, array.type.element
    if not places or extent is None or element is None:
        return None
    first, last = places[0], places[-1] + 1
    before, region, after = statements[:first], statements[first:last], statements[last:]
    sweeps = Sweeps(array, element, extent, known_numbers(before))
    try:
        sweeps.run(region)
    except NotUnderstoodError:
        return None
    own = {symbol for one in region for symbol in declared_in(one)}
    here = {symbol for one in before for symbol in declared_symbols(one)}
    gone = sweeps.changed - own
    named = {symbol for one in after for symbol in symbols_in(one)}
    named |= {symbol for one in before for symbol in symbols_in(one) - declared_symbols(one)}
    if array in own or gone - here or (gone | own) & named:
        return None
    if (gone | {array}) & with_second_names(before, effects):
        return None
    return Swept(before, region, after, sweeps, gone)


def written_extent(variable: Variable, count: int) -> Expr:
    """A number of elements, as the author writes it where that is a signed number."""
    for written in variable.extents[:1]:
        if written.type.spelling == "int" and integer_value(written) == count:
            return written
    return Literal(str(count), count, INT)


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
            elif not all(one.symbol.type.is_arithmetic for one in statement.variables):
                del numbers[symbol]  # perhaps changed from now on, by another name
        for variable in statement.variables if isinstance(statement, Declare) else ():
            known = None if variable.initial is None else integer_value(variable.initial)
            if known is not None and is_number(known, variable.symbol.type):
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
