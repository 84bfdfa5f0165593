"""A kernel that shares out the iterations of one loop, as one with a thread for each of them.

    for (int i = blockIdx.x * blockDim.x + threadIdx.x;        int i = blockIdx.x * blockDim.x
         i < n; i += gridDim.x * blockDim.x)             ->              + threadIdx.x;
        x[i] += y[i] * y[i];                                   if (i < n)
                                                                   x[i] += y[i] * y[i];

The same where the threads of each block share out a loop, from `threadIdx.x` on `blockDim.x` at a
time, behind what is the same for all of them.

An adjoint can then go back over each iteration as soon as it has run, and the increments of one are
told from those of others as they are for threads. Legal where no iteration depends on another one:
those of different CUDA threads do not in a program without races, those of one thread are asked
for. Where all launches have more than one thread, iterations of one thread do not meet through two
arrays either: those of other threads would, and race. The launch does not say how many threads
there are any more: the guard does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf, symbols_in
from g2o.analysis.grid_stride_form import is_index, leaves_loop, linear_axis, step_of, upper_limit
from g2o.analysis.independence import dependence_between_iterations
from g2o.ir.expressions import (
    Assign,
    Binary,
    Builtin,
    Cast,
    Expr,
    LaunchRef,
    VarRef,
    strip_parens,
)
from g2o.ir.jumps import returning
from g2o.ir.kernel import Kernel
from g2o.ir.statements import (
    Block,
    Declare,
    Empty,
    ExprStatement,
    For,
    If,
    Node,
    Return,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import BOOL, TypeKind

_PLACES: Final = (Builtin.THREAD_INDEX, Builtin.BLOCK_INDEX)


def iterations_as_threads(
    kernel: Kernel, active: tuple[Symbol, ...], effects: EffectsOf
) -> Kernel | None:
    """`kernel` with a thread for each iteration, where it is nothing but a grid-stride loop, or one
    of each block. The `active` arrays do not overlap."""
    written = written_after_declaration(kernel.body, effects)
    front, rest = _front(kernel.body.statements, written, effects)
    declared = (v for one in front if isinstance(one, Declare) for v in one.variables)
    known = {v.symbol: v.initial for v in declared if v.initial and v.symbol not in written}
    values = {one: value for one, value in known.items() if one.type.is_arithmetic}
    match [one for one in rest if not isinstance(one, (Empty, Return))]:
        case [For(initial=Declare(variables=(variable,))) as loop]:
            pass
        case [Declare(variables=(variable,)), For(initial=None) as loop]:
            pass
        case _:
            return None
    index, start = variable.symbol, variable.initial
    upper, stride = (
        upper_limit(loop.condition, index),
        loop.increment and step_of(loop.increment, index),
    )
    if start is None or upper is None or stride is None or not is_index(index):
        return None
    first, total = strip_parens(_resolved(start, values)), _resolved(stride, values)
    axis, of_block = linear_axis(first), False
    if axis is None or not _is_total(total, axis):
        axis, of_block = _shared_by_block(first, total), True
    if axis is None:
        return None
    if not _same_number(upper, index) or not _stays(upper, kernel, effects, written):
        return None
    places = (Builtin.THREAD_INDEX,) if of_block else _PLACES
    apart = _Places(values, places)
    if not of_block and not all(
        isinstance(one, Declare) and _is_constant(one, written) for one in front
    ):
        return None
    if any(apart.tells(one) for one in front if not isinstance(one, Declare)):
        return None
    place = {one for one, value in values.items() if apart.tells(value)}
    inside = symbols_in(loop.body) | symbols_in(upper)
    if inside & place or any(map(apart.is_place, walk(loop.body))) or leaves_loop(loop.body):
        return None
    changing = written_after_declaration(loop.body, effects) if of_block else written
    changing = changing - {index}
    if dependence_between_iterations(loop.body, index, effects, changing, active) is not None:
        return None
    return _with_threads(kernel, (*front,), variable, _resolved(start, values), upper, loop, axis)


def _with_threads(
    kernel: Kernel,
    front: tuple[Stmt, ...],
    variable: Variable,
    start: Expr,
    upper: Expr,
    loop: For,
    axis: int,
) -> Kernel:
    declared = Declare((replace(variable, initial=start),), trivia=loop.trivia)
    guard = Binary("<", VarRef(variable.symbol), upper, BOOL)
    body = Block((*front, declared, If(guard, returning(loop.body))), span=kernel.body.span)
    gx, gy, gz = (None if at == axis else one for at, one in enumerate(kernel.shape.grid))
    free = axis if (Builtin.BLOCK_DIM, axis) not in kernel.relied else None
    bx, by, bz = (None if at == free else one for at, one in enumerate(kernel.shape.block))
    shape = replace(kernel.shape, grid=(gx, gy, gz), block=(bx, by, bz))
    function = replace(kernel.function, body=body)
    return replace(kernel, function=function, shape=shape, is_unbounded=True)


def _front(
    statements: tuple[Stmt, ...], written: set[Symbol], effects: EffectsOf
) -> tuple[list[Stmt], tuple[Stmt, ...]]:
    """What a kernel begins with that changes nothing but its own variables, up to the declaration
    of what changes later, and what follows."""
    front: list[Stmt] = []
    for position, statement in enumerate(statements):
        match statement:
            case Declare():
                plain = _is_constant(statement, written)
            case ExprStatement(expr=Assign(target=VarRef(symbol=own), value=value)):
                found = effects.of(statement)
                plain = not found.memory_writes and not found.memory_reads
                plain = plain and not found.side_effects and _leads_nowhere_else(own, value)
            case _:
                plain = False
        if not plain:
            return front, statements[position:]
        front.append(statement)
    return front, ()


def _leads_nowhere_else(own: Symbol, value: Expr) -> bool:
    """Does a variable that is given the value lead into no array that another one leads to?"""
    return all(symbol == own or symbol.type.is_arithmetic for symbol in symbols_in(value))


def _is_constant(statement: Declare, written: set[Symbol]) -> bool:
    return all(
        v.initial is not None and v.symbol not in written and v.symbol.type.is_arithmetic
        for v in statement.variables
    )


def _shared_by_block(start: Expr, stride: Expr) -> int | None:
    """The axis of the threads of a block that share a loop out: from `threadIdx.x` on, `blockDim.x`
    at a time."""
    match start, stride:
        case LaunchRef(builtin=Builtin.THREAD_INDEX), LaunchRef(builtin=Builtin.BLOCK_DIM):
            return start.axis if start.axis == stride.axis else None
        case _:
            return None


def _resolved(expr: Expr, values: dict[Symbol, Expr]) -> Expr:
    """`expr` without the names of constants."""
    bare = strip_parens(expr)
    while isinstance(bare, VarRef) and bare.symbol in values:
        bare = strip_parens(values[bare.symbol])
    if isinstance(bare, Cast) and bare.type.kind is TypeKind.INTEGER and bare.type.bits >= 32:
        return _resolved(bare.operand, values)
    match bare:
        case Binary(left=left, right=right):
            return replace(bare, left=_resolved(left, values), right=_resolved(right, values))
        case _:
            return bare


def _is_total(stride: Expr, axis: int) -> bool:
    """Is it the number of threads along an axis: `gridDim.x * blockDim.x`?"""
    match stride:
        case Binary(op="*", left=LaunchRef() as one, right=LaunchRef() as other):
            builtins = {one.builtin, other.builtin}
            return (
                builtins == {Builtin.GRID_DIM, Builtin.BLOCK_DIM} and one.axis == other.axis == axis
            )
        case _:
            return False


def _same_number(upper: Expr, index: Symbol) -> bool:
    """Is the limit a number of the type of the index?"""
    one, other = upper.type, index.type
    return (one.kind, one.bits, one.is_signed) == (other.kind, other.bits, other.is_signed)


def _stays(upper: Expr, kernel: Kernel, effects: EffectsOf, written: set[Symbol]) -> bool:
    found = effects.of(upper)
    if not found.is_pure or found.memory_reads or found.reads & written:
        return False
    return found.reads <= set(kernel.function.parameters)


@final
@dataclass(frozen=True, slots=True)
class _Places:
    """Which values tell threads, or blocks, apart: those made of indices `builtins`. `values` are
    what constants stand for."""

    values: dict[Symbol, Expr]
    builtins: tuple[Builtin, ...]

    def tells(self, value: Node) -> bool:
        for node in walk(value):
            if self.is_place(node):
                return True
            if isinstance(node, VarRef) and node.symbol in self.values:
                if self.tells(self.values[node.symbol]):
                    return True
        return False

    def is_place(self, node: Node) -> bool:
        return isinstance(node, LaunchRef) and node.builtin in self.builtins
