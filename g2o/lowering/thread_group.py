"""Groups of threads that one loop runs through: the threads of a block, or the lanes of a warp.

A group knows how to loop over its threads, where the private variables of a thread are kept, and
what stands for the group's first thread in code outside of the loop.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, final

from g2o.analysis.effects import symbols_in
from g2o.analysis.lane_masks import is_lane_mask
from g2o.ir.directives import simd_where
from g2o.ir.expressions import (
    AXES,
    Binary,
    Builtin,
    Code,
    Expr,
    Index,
    Literal,
    VarRef,
    element_of,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import CountedLoop, Declare, Scope, Stmt, Text, Variable
from g2o.ir.symbols import Symbol
from g2o.ir.types import INT, CType, TypeKind
from g2o.lowering.context import LoweringContext, bound_for, product
from g2o.lowering.indices import block_of
from g2o.lowering.simd import may_vectorise

ZERO = Literal("0", 0, INT)
_MOST_THREADS = 1024  # in a block
WARP_SIZE = 32
_LARGEST_ON_STACK = 1 << 17  # bytes; a kernel may have many such arrays, a thread 2 MiB or more
LANES = Code(("g2o::warp_size",), type=INT)


class ThreadGroup(Protocol):
    """What fission asks of a group of threads."""

    @property
    def scope(self) -> Scope: ...

    @property
    def described(self) -> dict[Symbol, str]:
        """The indices of threads, with what CUDA calls them."""
        ...

    @property
    def lacks_threads(self) -> bool:
        """May threads read elements of the group's arrays that stand for no thread?"""
        ...

    def loop(self, body: tuple[Stmt, ...]) -> Stmt:
        """`body` for every thread."""
        ...

    def element(self, symbol: Symbol) -> Expr:
        """The current thread's element of a private array."""
        ...

    def remote(self, symbol: Symbol, thread: Expr | None) -> Expr:
        """Another thread's element, or the whole array."""
        ...

    def first(self, symbol: Symbol) -> Expr:
        """The first thread's element."""
        ...

    def allocate(self, variable: Variable, element: str, array: Symbol) -> Stmt:
        """Declare the array that keeps `variable` for all threads."""
        ...

    def outside(self) -> dict[Symbol, Expr]:
        """Values of the thread indices in code outside of the loop: those of the first thread."""
        ...

    def size(self) -> Expr:
        """The number of threads in the group."""
        ...

    def current(self) -> Expr:
        """The rank of the current thread in the group."""
        ...

    def source_thread(self, operation: str, operand: Expr, width: Expr | None) -> Expr:
        """Whose value a shuffle reads."""
        ...


@final
@dataclass(frozen=True, slots=True)
class BlockGroup:
    """The threads of a block: loops over the axes in use, x innermost."""

    context: LoweringContext
    threads: dict[int, Symbol]
    scope: Scope = Scope.BLOCK

    @property
    def axes(self) -> list[int]:
        return sorted(self.threads)

    @property
    def described(self) -> dict[Symbol, str]:
        return {symbol: f"threadIdx.{AXES[axis]}" for axis, symbol in self.threads.items()}

    @property
    def lacks_threads(self) -> bool:
        return False

    def extent(self, axis: int) -> Expr:
        return self.context.extent(Builtin.BLOCK_DIM, axis)

    def loop(self, body: tuple[Stmt, ...]) -> Stmt:
        nest: Stmt = block_of(body)
        simd = bool(self.threads) and may_vectorise(nest)
        for position, axis in enumerate(self.axes):
            index = self.threads[axis]
            directive = simd_where(simd and position == 0)
            nest = CountedLoop(
                index, ZERO, bound_for(index.type, self.extent(axis)), nest, directive
            )
        return nest

    def constant_shape(self) -> list[str] | None:
        """Extents from the outermost axis in, where all are constants."""
        shape = [self.context.constant_extent(Builtin.BLOCK_DIM, axis) for axis in self.axes]
        known = [extent for extent in shape if extent is not None]
        return known[::-1] if len(known) == len(shape) and known else None

    def linear(self) -> Expr:
        """The rank of the current thread among the axes in use."""
        if not self.axes:
            return ZERO
        result: Expr = VarRef(self.threads[self.axes[-1]])
        for axis in reversed(self.axes[:-1]):
            row = Binary("*", result, self.extent(axis), INT)
            result = Binary("+", row, VarRef(self.threads[axis]), INT)
        return result

    def on_stack(self, symbol: Symbol) -> bool:
        """Is the array of private values an ordinary one? Large ones would overflow the stack; on
        devices they are slices of memory (`offload/slices.py`)."""
        shape = self.constant_shape()
        if shape is None:
            return False
        if self.context.device and not self.context.portable and _is_sized(symbol.type):
            return True
        count = 1
        for axis in self.axes:
            count *= self.context.constant_value(Builtin.BLOCK_DIM, axis) or _MOST_THREADS
        return fits_on_stack(symbol.type, min(count, _MOST_THREADS))

    def element(self, symbol: Symbol) -> Expr:
        if not self.on_stack(symbol):
            return Index(VarRef(symbol), self.linear(), symbol.type)
        places = [VarRef(self.threads[axis]) for axis in reversed(self.axes)]
        return element_of(VarRef(symbol), places, symbol.type)

    def first(self, symbol: Symbol) -> Expr:
        count = len(self.axes) if self.on_stack(symbol) else 1
        return element_of(VarRef(symbol), [ZERO] * count, symbol.type)

    def remote(self, symbol: Symbol, thread: Expr | None) -> Expr:
        assert thread is None, "threads of a block read each other's values only as a whole"
        if not self.on_stack(symbol):
            return Code((VarRef(symbol), ".data()"))
        if len(self.axes) > 1:
            return Code(("&", self.first(symbol)))
        return VarRef(symbol)

    def allocate(self, variable: Variable, element: str, array: Symbol) -> Stmt:
        shape = self.constant_shape()
        if shape is not None and self.on_stack(array):
            suffix = "".join(f"[{extent}]" for extent in shape) + variable.suffix
            return Declare((Variable(array, element, suffix, extents=variable.extents),))
        spelled = element + variable.suffix
        start = f"g2o::thread_array<{spelled}> {array.name}("
        return Text((start, self.size(), ");"), declares=(array,))

    def outside(self) -> dict[Symbol, Expr]:
        return dict.fromkeys(self.threads.values(), ZERO)

    def size(self) -> Expr:
        count: Expr = Literal("1", 1, INT)
        for axis in self.axes:
            count = product(count, self.extent(axis))
        return count

    def current(self) -> Expr:
        return self.linear()

    def source_thread(self, operation: str, operand: Expr, width: Expr | None) -> Expr:
        raise AssertionError(f"{operation} between the threads of a block")


@final
@dataclass(frozen=True, slots=True)
class WarpGroup:
    """The lanes of a warp. `positions` declares, inside the loop, the thread indices that the code
    uses; `outside_values` gives them for lane 0."""

    lane: Symbol
    lanes: Expr
    positions: tuple[Stmt, ...]
    position_symbols: dict[Symbol, str]
    outside_values: dict[Symbol, Expr]
    scope: Scope = Scope.WARP
    extent: str = "g2o::warp_size"  # of arrays of the lanes' private values; "": at run time
    masks: frozenset[Symbol] = frozenset()  # variables that are lanes' numbers, 0 to 31
    width: Expr | None = None  # that shuffles name, where the group is a tile of a warp
    number: Symbol | None = None  # the index of the loop over the groups around this one

    @property
    def described(self) -> dict[Symbol, str]:
        return {**self.position_symbols, self.lane: "the lane"}

    @property
    def lacks_threads(self) -> bool:
        """The last warp of a block has fewer lanes where the block is no multiple of a warp."""
        return isinstance(self.lanes, VarRef)

    def loop(self, body: tuple[Stmt, ...]) -> Stmt:
        from_positions = needed_positions(self.positions, body)
        nest = block_of((*from_positions, *body))
        directive = simd_where(may_vectorise(nest))
        return CountedLoop(self.lane, ZERO, self.lanes, nest, directive)

    def element(self, symbol: Symbol) -> Expr:
        return Index(VarRef(symbol), VarRef(self.lane), symbol.type)

    def first(self, symbol: Symbol) -> Expr:
        return Index(VarRef(symbol), ZERO, symbol.type)

    def remote(self, symbol: Symbol, thread: Expr | None) -> Expr:
        if thread is None:
            return VarRef(symbol)
        return Index(VarRef(symbol), thread, symbol.type)

    def allocate(self, variable: Variable, element: str, array: Symbol) -> Stmt:
        if not self.extent or not fits_on_stack(array.type, WARP_SIZE):
            spelled = element + variable.suffix
            start = f"g2o::thread_array<{spelled}> {array.name}("
            return Text((start, self.lanes, ");"), declares=(array,))
        suffix = f"[{self.extent}]{variable.suffix}"
        return Declare((Variable(array, element, suffix, extents=variable.extents),))

    def outside(self) -> dict[Symbol, Expr]:
        return {**self.outside_values, self.lane: ZERO}

    def size(self) -> Expr:
        return self.lanes

    def current(self) -> Expr:
        return VarRef(self.lane)

    def source_thread(self, operation: str, operand: Expr, width: Expr | None) -> Expr:
        lane = VarRef(self.lane)
        if width is None and operation == "shfl_xor" and self._is_mask(operand):
            return Binary("^", lane, operand, INT)
        value = operand.value if isinstance(operand, Literal) else None
        if operation == "shfl" and value is not None and 0 <= value < self._least_lanes(width):
            return operand
        function = "g2o::shfl_lane" if operation == "shfl" else f"g2o::{operation}_lane"
        parts: tuple[str | Expr, ...] = (f"{function}(", lane, ", ", operand)
        if width is not None:
            parts = (*parts, ", ", width)
        return Code((*parts, ")"), type=INT)

    def _least_lanes(self, width: Expr | None) -> int:
        """How many lanes share values, at least, if the group is what they are shared in."""
        if width is None:
            return WARP_SIZE
        return (integer_value(width) or 1) if width == self.width else 0

    def _is_mask(self, operand: Expr) -> bool:
        """Has it no more than the low five bits, which are all that shuffles take?"""
        operand = strip_parens(operand)
        known = isinstance(operand, VarRef) and operand.symbol in self.masks
        return known or is_lane_mask(operand)


def _is_sized(ctype: CType) -> bool:
    """Are all extents of an array known?"""
    while ctype.kind is TypeKind.ARRAY and ctype.element is not None:
        if ctype.extent is None:
            return False
        ctype = ctype.element
    return ctype.bits > 0


def fits_on_stack(ctype: CType, count: int) -> bool:
    """May `count` values of a type stand on the stack of an OpenMP thread?"""
    size = 1
    while ctype.kind is TypeKind.ARRAY and ctype.element is not None:
        if ctype.extent is None:
            return False
        size *= ctype.extent
        ctype = ctype.element
    return size * max(ctype.bits, 8) // 8 * count <= _LARGEST_ON_STACK


def needed_positions(positions: tuple[Stmt, ...], body: tuple[Stmt, ...]) -> list[Stmt]:
    """The declarations of thread indices that `body` uses, directly or through each other."""
    named: set[Symbol] = set()
    for statement in body:
        named |= symbols_in(statement)
    kept: list[Stmt] = []
    for statement in reversed(positions):
        assert isinstance(statement, Declare)
        if statement.variables[0].symbol in named:
            kept.append(statement)
            named |= symbols_in(statement)
    kept.reverse()
    return kept
