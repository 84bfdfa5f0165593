"""Kernels whose threads are told apart by `blockIdx.x * blockDim.x + threadIdx.x` alone.

    int i = blockIdx.x * blockDim.x + threadIdx.x;     const int count =
    if (i >= n)                                            std::min(n, int(grid.x * block.x));
        return;                                    ->  #pragma omp parallel for
    y[i] = x[i];                                       for (int i = 0; i < count; ++i)
                                                           y[i] = x[i];

Blocks are not seen at all: threads that never wait for each other may run in any order.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.definitions import declared_once
from g2o.analysis.effects import declared_in, statements_of
from g2o.analysis.grid_stride_form import linear_axis
from g2o.analysis.strides import by_locality
from g2o.diagnostics.diagnostic import Outcome
from g2o.ir.comments import comments_of, with_comments
from g2o.ir.directives import PARALLEL_FOR, PARALLEL_FOR_SIMD, Directive, simd_where
from g2o.ir.expressions import (
    Binary,
    Builtin,
    Cast,
    Expr,
    LaunchRef,
    Paren,
    VarRef,
    all_of,
    integer_value,
    negated,
    strip_parens,
)
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    Empty,
    If,
    Node,
    Return,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT, CType, TypeKind
from g2o.lowering.context import (
    LoweringContext,
    UnboundedThreads,
    is_invariant,
    product,
)
from g2o.lowering.grid_stride import GridStride
from g2o.lowering.guards import Bounds, returning_guard, split_guard
from g2o.lowering.index_arithmetic import may_trap
from g2o.lowering.indices import (
    LaunchIndex,
    block_of,
    drop_declarations,
    substitute_indices,
    written_after_declaration,
)
from g2o.lowering.launch_loops import dimensions, without_added_zero
from g2o.lowering.limits import lower_bound, upper_bound
from g2o.lowering.returns import without_returns
from g2o.lowering.simd import may_vectorise

_FEW_ITERATIONS = 64
_OTHER: Final = {
    Builtin.THREAD_INDEX: Builtin.BLOCK_INDEX,
    Builtin.BLOCK_INDEX: Builtin.THREAD_INDEX,
}
_EXTENTS: Final = {Builtin.THREAD_INDEX: Builtin.BLOCK_DIM, Builtin.BLOCK_INDEX: Builtin.GRID_DIM}
_COUNTS = {1: ("count",), 2: ("cols", "rows"), 3: ("cols", "rows", "planes")}


def linear_parts(body: Node) -> tuple[set[int], set[int]]:
    """Ids of the parts of all `blockIdx.a * blockDim.a + threadIdx.a`, and the axes of these."""
    inside: set[int] = set()
    axes: set[int] = set()
    for node in walk(body):
        axis = linear_axis(node)
        if axis is not None:
            axes.add(axis)
            inside.update(id(inner) for inner in walk(node))
    return inside, axes


@final
@dataclass(frozen=True, slots=True)
class Axes:
    """Axes that occur only as `blockIdx.a * blockDim.a + threadIdx.a`, and `bare` ones, which occur
    only as the one or the other, there being nothing to count along the other."""

    linear: frozenset[int]
    bare: Mapping[int, Builtin]

    @property
    def all(self) -> set[int]:
        return set(self.linear) | set(self.bare)


def find_linear_axes(body: Node, looped: Mapping[Builtin, set[int]] | None = None) -> Axes | None:
    """The axes of a body; None if some are of neither kind. Bare ones are looked for where it is
    known which indices are `looped` over."""
    inside, axes = linear_parts(body)
    bare: dict[int, Builtin] = {}
    for node in walk(body):
        if not isinstance(node, LaunchRef) or id(node) in inside:
            continue
        other = _OTHER.get(node.builtin)
        if other is None:
            continue
        axis = node.axis
        if looped is None or axis is None or axis in axes or axis in looped[other]:
            return None
        if bare.setdefault(axis, node.builtin) is not node.builtin:
            return None
    return Axes(frozenset(axes), bare) if axes else None


@final
@dataclass(frozen=True, slots=True)
class SharedOut:
    """Loops that threads share out, from the outermost, each with the constants in front of it,
    and the axes that are left."""

    loops: tuple[tuple[tuple[Stmt, ...], CountedLoop], ...]
    free: tuple[int, ...]


@final
class LinearLowering:
    """One loop per axis over all its threads. Other indices of the launch are those `beside`."""

    def __init__(
        self,
        context: LoweringContext,
        body: Block,
        axes: Collection[int],
        beside: Mapping[LaunchIndex, Expr] | None = None,
        bare: Mapping[int, Builtin] | None = None,
    ) -> None:
        self.context = context
        self.body = body
        self.bare = dict(bare or {})
        self.axes = sorted({*axes, *self.bare})
        self.written = written_after_declaration(body, context.effects)
        self.single = declared_once(body)
        self.beside = dict(beside or {})
        self.indices: dict[int, Symbol] = {}
        self.wide = _wide_indices(body)
        self.prologue: list[Stmt] = []
        self.conditions: list[Expr] = []  # of all threads alike: without them nobody does anything

    def lower(self) -> Block:
        """The whole kernel."""
        bounds, statements = self._prepared()
        only = self.axes[0] if len(self.axes) == 1 else None
        if only is not None and not bounds and not self.conditions:
            strided = self._stride_loop(statements, only, tuple(self.prologue))
            if strided is not None:
                return block_of((*self.prologue, *strided))
        return self._loops(statements, bounds)

    def shared_out(self) -> SharedOut | None:
        """The loops over all iterations that the threads along axes share out; None where the
        kernel does anything else."""
        bounds, statements = self._prepared()
        if bounds or self.conditions:
            return None
        found: list[tuple[tuple[Stmt, ...], CountedLoop]] = []
        free = list(self.axes)
        constants = tuple(self.prologue)
        while free:
            tried = ((axis, self._stride_loop(statements, axis, constants)) for axis in free)
            axis, strided = next(((a, s) for a, s in tried if s is not None), (None, ()))
            match strided:
                case (CountedLoop() as loop,) if axis is not None:
                    found.append((constants, loop))
                    free.remove(axis)
                    constants, statements = self._leading(statements_of(loop.body))
                case _:
                    break
        return SharedOut(tuple(found), tuple(free)) if found else None

    def _leading(self, body: tuple[Stmt, ...]) -> tuple[tuple[Stmt, ...], tuple[Stmt, ...]]:
        """What a body declares at its beginning without doing anything, and the rest. What is read
        for that no other thread writes meanwhile."""
        for position, one in enumerate(body):
            found = self.context.effects.of(one)
            pure = not found.side_effects and not found.memory_writes
            if (
                not isinstance(one, Declare)
                or not pure
                or {v.symbol for v in one.variables} & self.written
            ):
                return body[:position], body[position:]
        return body, ()

    def _prepared(self) -> tuple[Bounds, tuple[Stmt, ...]]:
        """What a thread does behind the guards, with the names of indices in place of them."""
        statements = self._name_indices(self._asked_of_all(self.body.statements))
        values = {axis: VarRef(symbol) for axis, symbol in self.indices.items()}

        def replacement(node: Node) -> Node | None:
            axis = self._axis_of(strip_parens(node) if isinstance(node, Paren) else node)
            return None if axis is None else values[axis]

        rewritten = rewrite(block_of(statements), replacement)
        dims = dimensions(self.context)
        placed = substitute_indices(rewritten, self.beside, dims)
        if self.beside:
            placed = rewrite(placed, without_added_zero)
        statements = placed.statements
        self.conditions = [substitute_indices(one, self.beside, dims) for one in self.conditions]
        names = ", ".join(f"'{self.indices[axis].name}'" for axis in self.axes)
        message = f"the threads of all blocks are enumerated by {names} alone"
        self.context.note(Outcome.PASSED, "G2O0313", message, None)
        return self._bounds(statements)

    def _asked_of_all(self, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        """What is behind conditions of the launch at the front, which become `conditions`."""
        self.varying_locals = declared_in(self.body)
        while statements:
            first, *rest = statements
            if isinstance(first, If) and first.is_constexpr:
                break  # what is not instantiated need not compile
            returning = returning_guard(first)
            if returning is not None and rest and self._is_alike(returning):
                self.conditions.append(negated(returning))
            elif (
                isinstance(first, If)
                and first.otherwise is None
                and all(isinstance(one, Empty | Return) for one in rest)
                and self._is_alike(first.condition)
            ):
                self.conditions.append(first.condition)
                rest = list(statements_of(first.then))
            else:
                break
            self._note_guard(first)
            statements = tuple(_comments_to_next(first, rest))
        return statements

    def _name_indices(self, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        for statement in statements:
            if not isinstance(statement, Declare):
                continue
            for variable in statement.variables:
                axis = self._initial_axis(variable)
                if axis is None or axis in self.indices or variable.symbol in self.written:
                    continue
                if variable.symbol.name not in self.single:
                    continue
                unqualified = variable.symbol.type.spelling.replace("const", "").strip()
                ctype = replace(variable.symbol.type, spelling=unqualified, is_const=False)
                self.indices[axis] = replace(variable.symbol, type=ctype, storage=Storage.INDEX)
        for axis in self.axes:
            if axis not in self.indices:
                wish = "i" if len(self.axes) == 1 else "xyz"[axis]
                if axis in self.bare:
                    wish = ("b" if self.bare[axis] is Builtin.BLOCK_INDEX else "t") + wish
                if len(self.axes) == 1 and wish in self.context.symbols.names:
                    wish = "thread"
                ctype = self.wide.get(axis, INT)
                self.indices[axis] = self.context.symbols.fresh(wish, ctype, Storage.INDEX)
        return drop_declarations(statements, set(self.indices.values()))

    def _axis_of(self, node: Node) -> int | None:
        """The axis whose index an expression is."""
        if isinstance(node, LaunchRef) and node.axis is not None:
            return node.axis if self.bare.get(node.axis) is node.builtin else None
        return linear_axis(node)

    def _initial_axis(self, variable: Variable) -> int | None:
        """The axis whose index a variable begins with."""
        if variable.initial is None or variable.symbol.type.kind is not TypeKind.INTEGER:
            return None
        if variable.symbol.type.bits < 32:
            return None
        initial = strip_parens(variable.initial)
        if isinstance(initial, Cast) and initial.type.bits >= 32:
            initial = strip_parens(initial.operand)
        return self._axis_of(initial)

    def _invariant(self, expr: Expr) -> bool:
        changing = self.written | set(self.indices.values()) | self.varying_locals
        return is_invariant(expr, self.context.effects, changing)

    def _bounds(self, statements: tuple[Stmt, ...]) -> tuple[Bounds, tuple[Stmt, ...]]:
        """Take guards off the front of the body, and declarations that hold for all threads."""
        bounds = Bounds()
        indices = set(self.indices.values())
        self.varying_locals: set[Symbol] = declared_in(block_of(statements))
        rest = list(statements)
        kept: list[Stmt] = []
        while rest:
            first = rest[0]
            if isinstance(first, Declare):
                rest.pop(0)
                guarded = bool(bounds or self.conditions)
                if self._hoist(first) and not (guarded and may_trap(first)):
                    self.varying_locals -= {v.symbol for v in first.variables}
                    self.prologue.append(first)
                elif self._pure_local(first):
                    kept.append(first)
                else:
                    rest.insert(0, first)
                    break
                continue
            if isinstance(first, If) and first.is_constexpr:
                break
            guard = returning_guard(first)
            if guard is not None:
                limits, others = split_guard(
                    guard, indices, self._invariant, negate=True, counters=self.context.counters
                )
                alike = [one for one in others if self._is_alike(one)]
                if len(alike) < len(others):
                    break
                rest.pop(0)
                bounds.add(limits)
                self.conditions += alike
                self._note_guard(first)
                rest = _comments_to_next(first, rest)
                continue
            only = len(rest) == 1 or all(isinstance(s, (Empty, Return)) for s in rest[1:])
            if only and isinstance(first, If) and first.otherwise is None:
                limits, others = split_guard(
                    first.condition,
                    indices,
                    self._invariant,
                    negate=False,
                    counters=self.context.counters,
                )
                alike = [one for one in others if self._is_alike(one)]
                if not (limits or alike):
                    break
                bounds.add(limits)
                self.conditions += alike
                self._note_guard(first)
                rest.pop(0)
                inner: tuple[Stmt, ...] = statements_of(first.then)
                others = [one for one in others if one not in alike]
                if others:
                    rest = [If(all_of(others), first.then, trivia=first.trivia)]
                    break
                rest = _comments_to_next(first, list(inner))
                continue
            break
        return bounds, (*kept, *rest)

    def _is_alike(self, condition: Expr) -> bool:
        """Is the condition one of the launch, and harmless where no thread would have asked?"""
        return self._invariant(condition) and not may_trap(condition)

    def _note_guard(self, guard: Stmt) -> None:
        message = "the condition has become the bound of the loop over threads"
        condition = guard.condition.span if isinstance(guard, If) else guard.span
        self.context.note(Outcome.PASSED, "G2O0312", message, condition or guard.span)

    def _hoist(self, declare: Declare) -> bool:
        """A declaration of constants: the same for every thread and touched by none."""
        return all(
            variable.initial is not None
            and variable.symbol not in self.written
            and variable.symbol.type.kind is not TypeKind.ARRAY
            and self._invariant(variable.initial)
            and not variable.symbol.type.ends
            for variable in declare.variables
        )

    def _pure_local(self, declare: Declare) -> bool:
        effects = self.context.effects.of(declare)
        return not effects.side_effects and not effects.memory_writes and not effects.memory_reads

    def _stride_loop(
        self, statements: tuple[Stmt, ...], axis: int, constants: tuple[Stmt, ...]
    ) -> tuple[Stmt, ...] | None:
        """What is behind the constants, where that is nothing but a loop whose stride is the grid's
        along the axis."""
        known = {
            variable.symbol: variable.initial
            for statement in (*self.prologue, *constants)
            if isinstance(statement, Declare)
            for variable in statement.variables
            if variable.initial is not None
        }
        loop = GridStride(self.context, self.indices[axis], axis, known, self.written)
        return loop.merged(statements)

    # -- the loops ------------------------------------------------------------------------------

    def _loops(self, statements: tuple[Stmt, ...], bounds: Bounds) -> Block:
        context = self.context
        order = self._order(block_of(statements))
        body, returns = without_returns(context, statements, [self.indices[a] for a in order])
        names = _COUNTS[len(order)]
        nest: Stmt = block_of(body)
        simd = not returns and may_vectorise(nest)
        limits: list[Stmt] = []
        for position, axis in enumerate(order):
            index = self.indices[axis]
            limits_above = bounds.upper.get(index, [])
            if context.kernel.is_unbounded:
                upper, plain = self._only_limit(limits_above), True
            else:
                upper, plain = upper_bound(limits_above, index, self.total(axis))
            if not plain:
                ctype = index.type
                name = context.symbols.fresh(names[position], ctype, Storage.BLOCK)
                spelled = "const " + ctype.spelling
                limits.append(Declare((Variable(name, spelled, "", upper, "="),)))
                upper = VarRef(name)
            known = bounds.lower.get(index, []), bounds.above.get(index, [])
            lower = lower_bound(*known, index, self.total(axis), upper)
            nest = CountedLoop(index, lower, upper, nest, self._directive(position, order, simd))
        limits.reverse()
        inside: tuple[Stmt, ...] = (*limits, *returns, nest)
        if self.conditions:
            inside = (If(all_of(self.conditions), block_of(inside)),)
        return block_of((*self.prologue, *inside))

    def _only_limit(self, limits: list[Expr]) -> Expr:
        """The end of the indices where guards alone say how many there are."""
        if len(limits) != 1 or (len(self.axes) != 1 and not self.context.kernel.of_loops):
            raise UnboundedThreads
        return limits[0]

    def _order(self, body: Block) -> list[int]:
        """Axes from the innermost loop outwards: threads may run in any order."""
        axes = {self.indices[axis]: axis for axis in self.axes}
        return [axes[index] for index in by_locality(list(axes), body)]

    def _directive(self, position: int, order: list[int], simd: bool) -> Directive:
        innermost, outermost = position == 0, position == len(order) - 1
        collapsed = len(order) > 2 or (len(order) == 2 and self._is_short(order[-1]))
        if outermost and collapsed:
            return replace(PARALLEL_FOR, collapse=2)
        if outermost:
            return PARALLEL_FOR_SIMD if innermost and simd else PARALLEL_FOR
        joined = collapsed and position == len(order) - 2
        return simd_where(innermost and simd and not joined)

    def _is_short(self, axis: int) -> bool:
        """Has the loop too few iterations to keep all cores busy?"""
        context = self.context
        extents = (
            context.constant_extent(Builtin.GRID_DIM, axis),
            context.constant_extent(Builtin.BLOCK_DIM, axis),
        )
        if axis in self.bare:
            extents = ("1", context.constant_extent(_EXTENTS[self.bare[axis]], axis))
        values = [int(extent) for extent in extents if extent is not None and extent.isdigit()]
        return len(values) == 2 and values[0] * values[1] < _FEW_ITERATIONS

    def total(self, axis: int) -> Expr:
        """The number of threads along an axis, in the type of the index where the source has more
        of them than `unsigned` holds."""
        if axis in self.bare:
            return Cast(self.context.dimension(_EXTENTS[self.bare[axis]], axis), INT)
        grid = self.context.dimension(Builtin.GRID_DIM, axis)
        block = self.context.dimension(Builtin.BLOCK_DIM, axis)
        ctype = self.indices[axis].type
        if axis not in self.wide or ctype.bits < 64 or integer_value(grid) == 1:
            return product(grid, block)
        wide = Cast(grid, ctype)
        return wide if integer_value(block) == 1 else Binary("*", wide, block, ctype)


def _wide_indices(body: Node) -> dict[int, CType]:
    """The types of 64 bits in which the source computes indices, by their axes: it may be launched
    with more threads along these than 32 bits count."""
    found: dict[int, CType] = {}
    for node in walk(body):
        axis = linear_axis(node)
        if axis is None or not isinstance(node, Binary):
            continue
        if node.type.kind is TypeKind.INTEGER and node.type.bits >= 64:
            found.setdefault(axis, node.type)
    return found


def _comments_to_next(gone: Stmt, rest: list[Stmt]) -> list[Stmt]:
    return [with_comments(rest[0], comments_of(gone)), *rest[1:]] if rest else rest
