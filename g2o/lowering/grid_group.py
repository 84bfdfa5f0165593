"""All threads of a grid, for kernels that synchronise it (cooperative groups).

Each interval between synchronisations of the grid is a parallel loop over blocks of its own, in
which barriers of the block are lowered as ever. What a thread keeps across is in an array with an
element for every thread of the grid.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from g2o.ir.expressions import Binary, Builtin, Code, Expr, Index, Paren, VarRef
from g2o.ir.statements import Block, Scope, Stmt, Variable
from g2o.ir.symbols import Symbol
from g2o.ir.types import INT, UNSIGNED
from g2o.lowering.context import LoweringContext, product
from g2o.lowering.grid_memory import grid_array
from g2o.lowering.indices import IndexNames, block_of
from g2o.lowering.thread_group import ZERO, BlockGroup


@final
@dataclass(frozen=True, slots=True)
class GridGroup:
    """The threads of a grid. `lower_part` lowers the statements of one interval."""

    context: LoweringContext
    names: IndexNames
    lower_part: Callable[[Block], Block]
    scope: Scope = Scope.GRID

    @property
    def described(self) -> dict[Symbol, str]:
        return {
            symbol: f"{builtin.value}.{'xyz'[axis]}"
            for (builtin, axis), symbol in self.names.symbols.items()
        }

    @property
    def lacks_threads(self) -> bool:
        return False

    def _threads(self) -> BlockGroup:
        axes = self.names.axes(Builtin.THREAD_INDEX)
        return BlockGroup(
            self.context, {a: self.names.symbols[Builtin.THREAD_INDEX, a] for a in axes}
        )

    def block_rank(self) -> Expr:
        """The number of the current block among the axes in use, x fastest."""
        axes = self.names.axes(Builtin.BLOCK_INDEX)
        if not axes:
            return ZERO
        rank: Expr = VarRef(self.names.symbols[Builtin.BLOCK_INDEX, axes[-1]])
        for axis in reversed(axes[:-1]):
            row = Binary("*", rank, self.context.dimension(Builtin.GRID_DIM, axis), UNSIGNED)
            index = VarRef(self.names.symbols[Builtin.BLOCK_INDEX, axis])
            rank = Binary("+", row, index, UNSIGNED)
        return rank

    def blocks(self) -> Expr:
        count: Expr | None = None
        for axis in self.names.axes(Builtin.BLOCK_INDEX):
            extent = self.context.dimension(Builtin.GRID_DIM, axis)
            count = extent if count is None else product(count, extent)
        return count if count is not None else Code(("1",), type=INT)

    def lower(self, statements: tuple[Stmt, ...]) -> list[Stmt]:
        return list(self.lower_part(block_of(statements)).statements)

    def loop(self, body: tuple[Stmt, ...]) -> Stmt:
        lowered = self.lower_part(block_of(body))
        return lowered.statements[0] if len(lowered.statements) == 1 else lowered

    def element(self, symbol: Symbol) -> Expr:
        threads = self._threads()
        before = Binary("*", _operand(self.block_rank()), threads.size(), UNSIGNED)
        return Index(VarRef(symbol), Binary("+", before, threads.linear(), UNSIGNED), symbol.type)

    def first(self, symbol: Symbol) -> Expr:
        return Index(VarRef(symbol), ZERO, symbol.type)

    def remote(self, symbol: Symbol, thread: Expr | None) -> Expr:
        if thread is None:
            return VarRef(symbol) if self.context.device else Code((VarRef(symbol), ".data()"))
        return Index(VarRef(symbol), thread, symbol.type)

    def allocate(self, variable: Variable, element: str, array: Symbol) -> Stmt:
        return grid_array(self.context, array, element + variable.suffix, self.size())

    def outside(self) -> dict[Symbol, Expr]:
        return dict.fromkeys(self.names.symbols.values(), ZERO)

    def size(self) -> Expr:
        return product(self.blocks(), self._threads().size())

    def current(self) -> Expr:
        before = Binary("*", _operand(self.block_rank()), self._threads().size(), UNSIGNED)
        return Binary("+", before, self._threads().linear(), UNSIGNED)

    def source_thread(self, operation: str, operand: Expr, width: Expr | None) -> Expr:
        raise AssertionError(f"{operation} between the threads of a grid")


def _operand(expr: Expr) -> Expr:
    return expr if isinstance(expr, VarRef) else Paren(expr, UNSIGNED)
