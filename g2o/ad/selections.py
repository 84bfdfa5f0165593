"""Atomic minima and maxima of values that carry derivatives: what there is, and what is refused.

The derivative of the number that is left goes to the thread that put it there. Of several threads
with the same number that is the first of the grid, of its tries the last one; the number that was
there before keeps the derivative where no thread has put another one, or the same, there.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, final

from g2o.ad.activity import Activity
from g2o.ad.components import behind
from g2o.ad.prepare import written_after_declaration
from g2o.ad.reals import is_real
from g2o.ad.shadows import is_block_memory
from g2o.analysis.effects import EffectsOf
from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import Note, refuse
from g2o.ir.expressions import (
    Assign,
    Binary,
    Builtin,
    Call,
    Cast,
    Expr,
    Index,
    LaunchRef,
    Literal,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import Block, Declare, ExprStatement, For, Node, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import INT, UNSIGNED, TypeKind

_KINDS: Final = ("Min", "Max", "BitsMin", "BitsMax")
OFFERED: Final = "_offered"  # ends the names of those that a later store stands for
OF_WINNERS: Final = "Winner"  # ends the names of those that say who has won
_INSTEAD: Final = Note(
    "give the kernel that fills it, or reads the result, memory of its own, "
    "or write the result in another kernel"
)


def kind_of(call: Call) -> str:
    """Min, Max, BitsMin or BitsMax; empty for other atomics."""
    name = call.name.removesuffix("_block").removesuffix("_system")
    kind = name.removeprefix("atomic")
    return kind if name.startswith("atomic") and kind in _KINDS else ""


def takes_selections(body: Block) -> bool:
    """Is there an atomic minimum or maximum of real numbers?"""
    return any(
        isinstance(node, Call)
        and kind_of(node)
        and is_real(value_type(behind(strip_parens(node.arguments[0]))))
        for node in walk(body)
    )


def has_no_own_derivative(call: Call) -> bool:
    """Is it an operation whose derivative other statements have?"""
    return call.name.startswith("atomic") and call.name.endswith(OFFERED)


def is_of_winners(call: Call) -> bool:
    return call.name.startswith("atomic") and call.name.endswith(OF_WINNERS)


def selected(expr: Expr, activity: Activity, *, shared: bool) -> Call | None:
    """The minimum or maximum that an expression statement takes of active memory of a block, or
    else of all blocks."""
    inner = strip_parens(expr)
    if not isinstance(inner, Call) or not kind_of(inner) or len(inner.arguments) != 2:
        return None
    target = behind(strip_parens(inner.arguments[0]))
    if not is_real(value_type(target)) or not activity.is_active(target):
        return None
    roots = activity.origins.roots(target)
    own = [root is not None and is_block_memory(root) for root in roots]
    if any(own) and not all(own):
        message = f"'{inner.name}' on values of a block or of the grid that carry derivatives"
        raise refuse("G2O0403", message, inner.span)
    return inner if all(own) == shared else None


@final
class Pointers:
    """What local pointers that keep their value were made from."""

    def __init__(self, statements: tuple[Stmt, ...], effects: EffectsOf) -> None:
        whole = Block(statements)
        self.effects = effects
        self.written = written_after_declaration(statements, effects) - _own_counters(whole)
        self.initial = {
            variable.symbol: variable.initial
            for node in walk(whole)
            if isinstance(node, Declare)
            for variable in node.variables
            if variable.initial is not None
        }

    def behind(self, address: Expr) -> Expr:
        """The address in terms of what the pointer that it is was made from."""
        inner = strip_parens(address)
        if not isinstance(inner, VarRef) or inner.symbol.type.kind is not TypeKind.POINTER:
            return inner
        initial = self.initial.get(inner.symbol)
        if initial is None or inner.symbol in self.written:
            return inner
        if self.effects.of(initial).reads & self.written:
            return inner
        return self.behind(initial)


def _own_counters(body: Block) -> set[Symbol]:
    """Variables that only the head of the loop changes that declares them: where they are seen,
    they stay the same until the end of the turn."""
    found: set[Symbol] = set()
    inside: set[Symbol] = set()
    for node in walk(body):
        match node:
            case For(initial=Declare(variables=variables)):
                found |= {one.symbol for one in variables}
            case ExprStatement(expr=expr):
                for inner in walk(expr):
                    match inner:
                        case Assign(target=VarRef(symbol=symbol)):
                            inside.add(symbol)
                        case Unary(op="++" | "--" | "&", operand=VarRef(symbol=symbol)):
                            inside.add(symbol)
                        case _:
                            pass
            case _:
                pass
    return found - inside


def refuse_other_changes(
    statements: tuple[Stmt, ...],
    calls: Sequence[Call],
    activity: Activity,
    pointers: Pointers,
) -> None:
    """Raise Refusal where what `calls` choose changes in another way, too."""
    own = {id(call) for call in calls}
    wanted = {root for call in calls for root in _roots(call, activity)}
    for node in walk(Block(tuple(statements))):
        for target in _changed(node):
            if id(node) not in own and wanted & activity.origins.roots(target):
                name = next(iter(sorted(r.name for r in wanted if r is not None)), "")
                message = f"'{name}', which carries derivatives, changes by atomic minima or maxima"
                raise refuse("G2O0403", f"{message} and in another way", node.span, _INSTEAD)
    for call in calls:
        for other in calls:
            if kind_of(call)[-3:] == kind_of(other)[-3:]:
                continue
            if not _are_apart(call, other, activity, pointers):
                message = "minima and maxima of the same values that carry derivatives"
                raise refuse("G2O0403", message, other.span)


def _roots(call: Call, activity: Activity) -> set[Symbol | None]:
    return activity.origins.roots(behind(strip_parens(call.arguments[0])))


def _changed(node: Node) -> list[Expr]:
    match node:
        case Assign(target=target) | Unary(op="++" | "--", operand=target):
            return [target] if not value_type(target).is_indirect else []
        case Call(name=name, arguments=(address, *_)) if name.startswith("atomic"):
            return [behind(strip_parens(address))]
        case _:
            return []


def _are_apart(one: Call, other: Call, activity: Activity, pointers: Pointers) -> bool:
    """Are these different arrays, or elements with different constant indices?"""
    if not _roots(one, activity) & _roots(other, activity):
        return True
    places = (pointers.behind(call.arguments[0]) for call in (one, other))
    first, second = (_constant_index(place) for place in places)
    return first is not None and second is not None and first != second


def _constant_index(address: Expr) -> int | None:
    match address:
        case Unary(op="&", operand=operand):
            inner = strip_parens(operand)
            if isinstance(inner, Index) and isinstance(inner.index, Literal):
                return inner.index.value
            return None
        case Binary(op="+", right=Literal(value=value)):
            return value
        case inner:
            return 0 if inner.type.is_indirect and not isinstance(inner, Binary) else None


def axes_of(statements: Collection[Stmt]) -> tuple[int, ...]:
    """The axes of the launch that statements name; all where they name a whole vector."""
    found: set[int] = set()
    for node in walk(Block(tuple(statements))):
        if isinstance(node, LaunchRef):
            found |= {0, 1, 2} if node.axis is None else {node.axis}
    return tuple(sorted(found or {0}))


def thread_of_block(axes: Collection[int]) -> Expr:
    """The number of the thread in its block."""
    number: Expr | None = None
    for axis in sorted(axes, reverse=True):
        own = LaunchRef(Builtin.THREAD_INDEX, axis, UNSIGNED)
        if number is None:
            number = own
        else:
            extent = LaunchRef(Builtin.BLOCK_DIM, axis, UNSIGNED)
            number = Binary("+", Binary("*", _factor(number), extent, UNSIGNED), own, UNSIGNED)
    assert number is not None
    return Cast(number if isinstance(number, LaunchRef) else Paren(number, UNSIGNED), INT)


def thread_of_grid(axes: Collection[int]) -> Expr:
    """The number of the thread in the grid: rows before columns."""
    number: Expr | None = None
    for axis in sorted(axes, reverse=True):
        block = LaunchRef(Builtin.BLOCK_INDEX, axis, UNSIGNED)
        extent = LaunchRef(Builtin.BLOCK_DIM, axis, UNSIGNED)
        thread = LaunchRef(Builtin.THREAD_INDEX, axis, UNSIGNED)
        own = Binary("+", Binary("*", block, extent, UNSIGNED), thread, UNSIGNED)
        if number is None:
            number = own
        else:
            grid = LaunchRef(Builtin.GRID_DIM, axis, UNSIGNED)
            whole = Binary("*", Binary("*", _factor(number), grid, UNSIGNED), extent, UNSIGNED)
            number = Binary("+", whole, own, UNSIGNED)
    assert number is not None
    return number


def _factor(expr: Expr) -> Expr:
    return Paren(expr, expr.type) if isinstance(expr, Binary) else expr
