"""Operations between the lanes of a warp: a loop over warps around loops over lanes.

    v += __shfl_down_sync(full, v, 1);

    for (int warp = 0; warp < warps; ++warp) {
        ...
        for (int lane = 0; lane < lanes; ++lane)
            other[lane] = v[g2o::shfl_down_lane(lane, 1)];
        for (int lane = 0; lane < lanes; ++lane)
            v[lane] += other[lane];
    }

The lanes of a warp are threads 32 w ... 32 w + 31 in the order in which x runs fastest (CUDA C++
Programming Guide, "SIMT Architecture"). Warps of one interval do not see each other.
"""

from __future__ import annotations

from dataclasses import replace
from typing import final

from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import (
    Binary,
    Builtin,
    Code,
    Expr,
    Literal,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import (
    CountedLoop,
    Declare,
    LocalFunction,
    Node,
    Stmt,
    Text,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite
from g2o.ir.types import INT, CType
from g2o.lowering.context import LoweringContext, bound_for
from g2o.lowering.fission import Fission
from g2o.lowering.indices import block_of, drop_declarations, written_after_declaration
from g2o.lowering.thread_group import ZERO, BlockGroup, WarpGroup

_WARP = Code(("g2o::warp_size",), type=INT)
_SIZE = 32


@final
class WarpLowering:
    """Lowers intervals of a block in which warps work together."""

    def __init__(
        self, context: LoweringContext, block: BlockGroup, constant_memory: set[Symbol]
    ) -> None:
        self.context = context
        self.block = block
        self.constant_memory = constant_memory

    def lower(self, statements: tuple[Stmt, ...]) -> list[Stmt]:
        context = self.context
        if self._x_is_the_lane():
            return self._rows(statements)
        warp = context.symbols.fresh("warp", INT, Storage.INDEX)
        lane = context.symbols.fresh("lane", INT, Storage.INDEX)
        thread = self.block.threads.get(0)
        if thread is None:
            raise refuse(
                "G2O0205", "warp operation in a kernel without threadIdx", statements[0].span
            )
        linear = self._linear_thread(thread)
        statements, alias = self._name_lane(statements, linear, warp, lane)
        lane = alias or lane
        rank = Binary("+", Binary("*", VarRef(warp), _WARP, INT), VarRef(lane), INT)
        first = Binary("*", VarRef(warp), _WARP, INT)
        positions = self._positions(linear, rank)
        count = self.block.size()
        outside = self._outside(linear, first)
        group = WarpGroup(lane, self._lanes(warp, count), positions, self.block.described, outside)
        body, allocations = self._fission(group, statements)
        warps = self._warps(count)
        prologue: list[Stmt] = []
        if not isinstance(group.lanes, Code) or group.lanes is not _WARP:
            prologue = self._declare_lanes(group, body)
        loop = CountedLoop(warp, ZERO, warps, block_of((*prologue, *allocations, *body)))
        return [loop]

    # -- the shape of warps ---------------------------------------------------------------------

    def _x_is_the_lane(self) -> bool:
        """Rows of exactly 32 threads: a warp is a row, threadIdx.x the lane."""
        if len(self.block.axes) < 2 or 0 not in self.block.axes:
            return False
        extent = integer_value(self.block.extent(0))
        value = self.context.constant_value(Builtin.BLOCK_DIM, 0)
        return (extent or value) == _SIZE

    def _rows(self, statements: tuple[Stmt, ...]) -> list[Stmt]:
        lane = self.block.threads[0]
        rows = [axis for axis in self.block.axes if axis != 0]
        described = {lane: "threadIdx.x"}
        group = WarpGroup(lane, self.block.extent(0), (), described, {lane: ZERO})
        body, allocations = self._fission(group, statements)
        nest: Stmt = block_of((*allocations, *body))
        for axis in rows:
            index = self.block.threads[axis]
            nest = CountedLoop(index, ZERO, bound_for(index.type, self.block.extent(axis)), nest)
        return [nest]

    def _linear_thread(self, thread: Symbol) -> Symbol:
        """The variable that holds the rank of a thread in its block."""
        if self.block.axes == [0]:
            return thread
        return self.context.symbols.fresh("rank", INT, Storage.INDEX)

    def _positions(self, linear: Symbol, rank: Expr) -> tuple[Stmt, ...]:
        """Declarations, inside the loop over lanes, of the thread indices."""
        result: list[Stmt] = [
            Declare((Variable(linear, "const " + _plain(linear), "", rank, "="),))
        ]
        if self.block.axes == [0]:
            return tuple(result)
        rest: Expr = VarRef(linear)
        for position, axis in enumerate(self.block.axes):
            symbol = self.block.threads[axis]
            extent = bound_for(INT, self.block.extent(axis))
            last = position == len(self.block.axes) - 1
            value = rest if last else Binary("%", rest, extent, INT)
            declared = "const " + _plain(symbol)
            result.append(Declare((Variable(symbol, declared, "", value, "="),)))
            rest = Binary("/", rest, extent, INT)
        return tuple(result)

    def _outside(self, linear: Symbol, first: Expr) -> dict[Symbol, Expr]:
        if self.block.axes == [0]:
            return {linear: first}
        return {linear: first, **{symbol: ZERO for symbol in self.block.threads.values()}}

    def _lanes(self, warp: Symbol, count: Expr) -> Expr:
        value = integer_value(count)
        if value is None and len(self.block.axes) == 1:
            value = self.context.constant_value(Builtin.BLOCK_DIM, self.block.axes[0])
        if value is not None and value % _SIZE == 0:
            return _WARP
        return VarRef(self.context.symbols.fresh("lanes", INT, Storage.BLOCK))

    def _declare_lanes(self, group: WarpGroup, body: list[Stmt]) -> list[Stmt]:
        lanes = group.lanes
        if not isinstance(lanes, VarRef):
            return []
        return [
            Text(
                (
                    f"const int {lanes.symbol.name} = std::min(g2o::warp_size, ",
                    bound_for(INT, self.block.size()),
                    " - ",
                    group.outside_values[self._rank(group)],
                    ");",
                )
            )
        ]

    def _rank(self, group: WarpGroup) -> Symbol:
        return next(iter(group.outside_values))

    def _warps(self, count: Expr) -> Expr:
        value = integer_value(count)
        if value is not None:
            return Literal(str(-(-value // _SIZE)), -(-value // _SIZE), INT)
        constant = isinstance(count, Literal)
        total = bound_for(INT, count)
        known = (
            self.context.constant_value(Builtin.BLOCK_DIM, self.block.axes[0])
            if len(self.block.axes) == 1
            else None
        )
        if constant and known is not None and known % _SIZE == 0:
            return Binary("/", total, _WARP, INT)
        return Binary("/", Code(("(", total, " + g2o::warp_size - 1)")), _WARP, INT)

    # -- names that the source gives to lane and warp ---------------------------------------------

    def _name_lane(
        self, statements: tuple[Stmt, ...], thread: Symbol, warp: Symbol, lane: Symbol
    ) -> tuple[tuple[Stmt, ...], Symbol | None]:
        """`t % 32` is the lane and `t / 32` the warp; a local that holds the lane names its loop."""

        def simplify(node: Node) -> Node | None:
            if not isinstance(node, Binary):
                return None
            left, right = strip_parens(node.left), strip_parens(node.right)
            if not isinstance(left, VarRef) or left.symbol != thread:
                return None
            value = _warp_constant(right)
            if node.op == "%" and value == _SIZE or node.op == "&" and value == _SIZE - 1:
                return VarRef(lane)
            if node.op == "/" and value == _SIZE or node.op == ">>" and value == 5:
                return VarRef(warp)
            if node.op == "<" and value is not None and value % _SIZE == 0 and value > 0:
                if value == _SIZE:
                    return Binary("==", VarRef(warp), ZERO, node.type)
                limit = value // _SIZE
                return Binary("<", VarRef(warp), Literal(str(limit), limit, INT), node.type)
            return None

        statements = tuple(rewrite(statement, simplify) for statement in statements)
        body = block_of(statements)
        written = written_after_declaration(body, self.context.effects)
        for statement in statements:
            if not isinstance(statement, Declare):
                continue
            for variable in statement.variables:
                initial = variable.initial
                same = isinstance(initial, VarRef) and initial.symbol == lane
                if same and variable.symbol not in written and variable.symbol.type.bits >= 32:
                    symbol = _index(variable.symbol)
                    rest = drop_declarations(statements, {symbol})

                    def to_alias(node: Node, symbol: Symbol = symbol) -> Node | None:
                        if isinstance(node, VarRef) and node.symbol == lane:
                            return VarRef(symbol)
                        return None

                    return tuple(rewrite(s, to_alias) for s in rest), symbol
        return statements, None

    # -- fission --------------------------------------------------------------------------------

    def _fission(
        self, group: WarpGroup, statements: tuple[Stmt, ...]
    ) -> tuple[list[Stmt], list[Stmt]]:
        result = Fission(self.context, group, self.constant_memory).run(statements)
        if not result.leaves_early:
            return result.statements, result.allocations
        name = self.context.symbols.fresh("run_warp", INT, Storage.BLOCK).name
        function = LocalFunction(name, (), block_of(tuple(result.statements)))
        return [function, Text((f"{name}();",))], result.allocations


def _warp_constant(expr: Expr) -> int | None:
    value = integer_value(expr)
    if value is not None:
        return value
    if isinstance(expr, Code) and expr.parts == ("g2o::warp_size",):
        return _SIZE
    return None


def _plain(symbol: Symbol) -> str:
    return symbol.type.spelling.replace("const ", "")


def _index(symbol: Symbol) -> Symbol:
    plain = CType(_plain(symbol), symbol.type.kind, symbol.type.bits, symbol.type.is_signed)
    return replace(symbol, type=plain, storage=Storage.INDEX)
