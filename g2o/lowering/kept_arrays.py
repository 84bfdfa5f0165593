"""Which arrays hold what threads keep between intervals, and which declarations are left over."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from g2o.analysis.effects import symbols_in
from g2o.ir.expressions import (
    Call,
    Expr,
    Index,
    InitList,
    Member,
    VarRef,
    Verbatim,
    strip_parens,
)
from g2o.ir.statements import Block, Declare, Exchange, Stmt, Text, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import walk
from g2o.ir.types import CType, TypeKind
from g2o.lowering.exchange_values import AMONG
from g2o.lowering.indices import drop_declarations
from g2o.lowering.initialisers import element_type, kept_type
from g2o.lowering.intervals import Interval, Item
from g2o.lowering.privates import Privates


def arrays_for(
    privates: Privates,
    origins: Mapping[Symbol, Symbol],
    symbols: SymbolTable,
    hiding: Collection[Symbol],
) -> dict[Symbol, Symbol]:
    """An array for each variable that is kept; those of one origin share theirs. Arrays live
    longer than the variables did: one for a variable that is `hiding` another has its own name.

    Not those that a value which is computed again reads: they live on to that place, where
    another variable of their origin may have taken over.
    """
    arrays: dict[Symbol, Symbol] = {}
    read_again = {
        symbol
        for statements in privates.again.values()
        for statement in statements
        for symbol in symbols_in(statement)
    }
    shared: dict[Symbol, Symbol] = {}
    names: set[str] = set()
    for symbol in privates.kept:
        origin = origins.get(symbol, symbol)
        if symbol in read_again or origin not in shared:
            # A symbol of its own: elsewhere in the grid the variable may be no array.
            hides = symbol.name in names or symbol in hiding
            made = symbols.fresh if hides else symbols.declare
            array = made(symbol.name, kept_type(symbol.type), Storage.BLOCK)
            array = replace(array, wish=symbol.wish or array.wish)
            names.add(symbol.name)
            arrays[symbol] = array
            if symbol not in read_again:
                shared[origin] = array
        else:
            arrays[symbol] = shared[origin]
    return arrays


def array_of_objects(
    variable: Variable, array: Symbol, element: Expr, size: Expr, body: Block
) -> tuple[Stmt, bool] | None:
    """The array for the threads' objects of a class that the template does not know and that may
    have no constructor without arguments, and whether it starts with their values: copies of a
    parameter of the kernel do; for objects that each thread makes of something there is room.

    None for other variables, and where the elements have more than one index.
    """
    initial = variable.initial
    if not _is_open_object(variable, array, element):
        return None
    if isinstance(initial, VarRef) and initial.symbol.storage is Storage.PARAMETER:
        if not _has_members(body, initial):
            return None
        return _threads_array(variable, array, (size, ", ", initial)), True
    made = isinstance(initial, InitList | Verbatim)
    if not made or not _has_members(body, VarRef(variable.symbol)):
        return None
    return _threads_array(variable, array, (size,)), False


def _is_open_object(variable: Variable, array: Symbol, element: Expr) -> bool:
    single = isinstance(element, Index) and isinstance(element.base, VarRef)
    return single and array.type.kind is TypeKind.DEPENDENT and not variable.suffix


def _threads_array(variable: Variable, array: Symbol, given: tuple[str | Expr, ...]) -> Text:
    start = f"g2o::thread_array<{element_type(variable)}> {array.name}("
    return Text((start, *given, ");"), declares=(array,))


def declared_once(items: list[Item]) -> Iterator[Symbol]:
    """The variables that are declared in no loop, and under no condition."""
    for item in items:
        for statement in item.statements if isinstance(item, Interval) else ():
            if isinstance(statement, Declare):
                yield from (variable.symbol for variable in statement.variables)


def zeroed(declared: Declare, ctype: CType) -> Declare:
    """The array of a variable that some lanes do not set: what others read of theirs is undefined
    in CUDA; it is 0 on devices, and programs add it up."""
    zero = InitList((), ctype)
    variables = (replace(one, initial=zero, initial_style="=") for one in declared.variables)
    return replace(declared, variables=tuple(variables))


def _has_members(body: Block, variable: VarRef) -> bool:
    """Is the variable used as objects of classes are?"""
    return any(
        (isinstance(node, Member) and node.base == variable)
        or (isinstance(node, Call) and node.callee == variable)
        for node in walk(body)
    )


def shuffled(body: Block, origins: Mapping[Symbol, Symbol]) -> set[Symbol]:
    """The variables, by their origins, whose values shuffles take from other threads."""
    operands = [
        strip_parens(node.operands[0])
        for node in walk(body)
        if isinstance(node, Exchange) and node.operation.startswith(("shfl", AMONG))
    ]
    return {
        origins.get(operand.symbol, operand.symbol)
        for operand in operands
        if isinstance(operand, VarRef)
    }


def without_unneeded(
    statements: tuple[Stmt, ...], repeatable: Collection[Symbol]
) -> tuple[Stmt, ...]:
    """Leave out declarations that are only used, and so repeated, in other intervals."""
    while True:
        named = [symbols_in(statement) for statement in statements]
        gone: set[Symbol] = set()
        for position, statement in enumerate(statements):
            if not isinstance(statement, Declare) or len(statement.variables) != 1:
                continue
            symbol = statement.variables[0].symbol
            others = (names for place, names in enumerate(named) if place != position)
            if symbol in repeatable and not any(symbol in n for n in others):
                gone.add(symbol)
        if not gone:
            return statements
        statements = drop_declarations(statements, gone)
