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

from g2o.analysis.effects import statements_of, symbols_in
from g2o.diagnostics.diagnostic import Outcome
from g2o.ir.expressions import (
    Binary,
    Builtin,
    Expr,
    Literal,
    VarRef,
    integer_value,
)
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    Exchange,
    For,
    If,
    LocalFunction,
    Node,
    Return,
    Scope,
    Stmt,
    Text,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import INT, CType
from g2o.lowering.chunks import ChunkLoop
from g2o.lowering.context import LoweringContext, bound_for, minimum, substitute
from g2o.lowering.first_turns import at_first, is_first
from g2o.lowering.fission import Fission, Interchange
from g2o.lowering.indices import block_of, drop_declarations, written_after_declaration
from g2o.lowering.interchange import split_rows
from g2o.lowering.stride_forms import start_of
from g2o.lowering.thread_group import ZERO, BlockGroup, WarpGroup
from g2o.lowering.tiles import Lanes, as_own, lanes_of, with_positions


@final
class WarpLowering:
    """Lowers intervals of a block in which warps work together."""

    def __init__(
        self, context: LoweringContext, block: BlockGroup, constant_memory: set[Symbol]
    ) -> None:
        self.context = context
        self.block = block
        self.constant_memory = constant_memory
        self.loop_names: dict[str, tuple[Symbol, Symbol]] = {}

    def lower(self, statements: tuple[Stmt, ...]) -> list[Stmt]:
        place = next((n.span for s in statements for n in walk(s) if isinstance(n, Exchange)), None)
        message = "operations of a warp: a loop over warps around loops over lanes"
        self.context.note(Outcome.PASSED, "G2O0314", message, place)
        lanes = lanes_of(statements, self.context.kernel.body, self.context.effects)
        statements = as_own(statements, lanes)
        if self._x_is_the_lane(lanes):
            return self._rows(statements, lanes)
        warp, lane = self._names(lanes)
        linear = self._linear_thread()
        statements = with_positions(statements, linear, warp, lane, lanes, self.context.effects)
        statements, lane = self._named_by_source(statements, lane)
        statements, warp = self._named_by_source(statements, warp)
        first = Binary("*", VarRef(warp), lanes.count, INT)
        rank = Binary("+", first, VarRef(lane), INT)
        positions = self._positions(linear, rank)
        count = self.block.size()
        outside = self._outside(linear, first)
        group = WarpGroup(
            lane,
            self._lanes_in(count, lanes),
            positions,
            self.block.described,
            outside,
            extent=lanes.extent(),
            masks=self.context.masks,
            width=lanes.width,
            number=warp,
        )
        body, allocations = self._fission(group, statements)
        if not body:
            return []  # the lanes waited for each other, and for nothing else
        warps = self._groups(count, lanes)
        prologue = self._declare_lanes(group, lanes)
        return [self._over_warps(warp, warps, (*prologue, *allocations, *body))]

    def _names(self, lanes: Lanes) -> tuple[Symbol, Symbol]:
        """The variables of the loops over warps or tiles and over their lanes; the same names in
        the whole kernel."""
        if lanes.name not in self.loop_names:
            self.loop_names[lanes.name] = (
                self.context.symbols.fresh(lanes.name, INT, Storage.INDEX),
                self.context.symbols.fresh("lane", INT, Storage.INDEX),
            )
        return self.loop_names[lanes.name]

    def _over_warps(self, warp: Symbol, warps: Expr, body: tuple[Stmt, ...]) -> Stmt:
        """The loop over warps; `if (warp == 0)` around everything needs none."""
        match body:
            case (*before, If(condition=condition, then=then, otherwise=None) as only) if (
                self.context.optimisation >= 2
                and is_first(condition, warp)
                and all(isinstance(s, (Declare, Text)) for s in before)
            ):
                whole = block_of((*before, *statements_of(then)))
                first = at_first(whole, warp, self.context.effects)
                return replace(first, trivia=only.trivia)
            case _:
                return CountedLoop(warp, ZERO, warps, block_of(body))

    # -- the shape of warps ---------------------------------------------------------------------

    def _x_is_the_lane(self, lanes: Lanes) -> bool:
        """Rows of exactly 32 threads: a warp is a row, threadIdx.x the lane."""
        if len(self.block.axes) < 2 or 0 not in self.block.axes:
            return False
        extent = integer_value(self.block.extent(0))
        value = self.context.constant_value(Builtin.BLOCK_DIM, 0)
        return (extent or value) == lanes.value is not None

    def _rows(self, statements: tuple[Stmt, ...], lanes: Lanes) -> list[Stmt]:
        lane = self.block.threads[0]
        rows = [axis for axis in self.block.axes if axis != 0]
        described = {lane: "threadIdx.x"}
        group = WarpGroup(
            lane,
            self.block.extent(0),
            (),
            described,
            {lane: ZERO},
            extent=lanes.extent(),
            masks=self.context.masks,
            width=lanes.width,
        )
        body, allocations = self._fission(group, statements)
        nest: Stmt = block_of((*allocations, *body))
        for axis in rows:
            index = self.block.threads[axis]
            nest = CountedLoop(index, ZERO, bound_for(index.type, self.block.extent(axis)), nest)
        return [nest]

    def _is_a_row(self) -> bool:
        """Is the rank of a thread its index along the only axis that blocks have?"""
        return len(self.block.axes) == 1

    def _linear_thread(self) -> Symbol:
        """The variable that holds the rank of a thread in its block."""
        if self._is_a_row():
            return next(iter(self.block.threads.values()))
        return self.context.symbols.fresh("rank", INT, Storage.INDEX)

    def _positions(self, linear: Symbol, rank: Expr) -> tuple[Stmt, ...]:
        """Declarations, inside the loop over lanes, of the thread indices."""
        result: list[Stmt] = [
            Declare((Variable(linear, "const " + _plain(linear), "", rank, "="),))
        ]
        if self._is_a_row():
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
        if self._is_a_row():
            return {linear: first}
        return {linear: first, **dict.fromkeys(self.block.threads.values(), ZERO)}

    def _lanes_in(self, count: Expr, lanes: Lanes) -> Expr:
        """How many lanes each group has of `count` threads."""
        if lanes.divides(self._known(count)) or self._are_launched_whole(lanes):
            return lanes.count
        present = self.context.symbols.fresh("lanes", INT, Storage.BLOCK)
        self.context.positive.add(present)
        return VarRef(present)

    def _known(self, count: Expr) -> int | None:
        value = integer_value(count)
        if value is None and len(self.block.axes) == 1:
            value = self.context.constant_value(Builtin.BLOCK_DIM, self.block.axes[0])
        return value

    def _are_launched_whole(self, lanes: Lanes) -> bool:
        """Has a block of the template as many threads as some groups, wherever it is launched?
        Relied on, and told to compilers."""
        if len(self.block.axes) != 1 or self.context.optimisation < 2 or lanes.value is None:
            return False
        spelled = self.context.constant_extent(Builtin.BLOCK_DIM, self.block.axes[0])
        if spelled is None or not lanes.divides(self.context.launched(spelled)):
            return False
        self.context.multiples[spelled] = lanes.extent()
        return True

    def _declare_lanes(self, group: WarpGroup, lanes: Lanes) -> list[Stmt]:
        """How many lanes there are in the last group of a block, which may lack some."""
        present = group.lanes
        if not isinstance(present, VarRef):
            return []
        rank = next(iter(group.outside_values))
        first = group.outside_values[rank]
        left = Binary("-", bound_for(INT, self.block.size()), first, INT)
        alike = all(_is_int(node) for one in (first, lanes.count) for node in walk(one))
        least = minimum(lanes.count, left, "" if alike else "int")
        return [Declare((Variable(present.symbol, "const int", "", least, "="),))]

    def _groups(self, count: Expr, lanes: Lanes) -> Expr:
        """How many groups there are among `count` threads."""
        value = integer_value(count)
        if value is not None and lanes.value is not None:
            groups = -(-value // lanes.value)
            return Literal(str(groups), groups, INT)
        total = bound_for(INT, count)
        spelled = value is not None or isinstance(count, Literal)
        whole = lanes.divides(self._known(count)) or self._are_launched_whole(lanes)
        if spelled and whole:
            return Binary("/", total, lanes.count, INT)
        return lanes.groups_of(total)

    # -- names that the source gives to lane and warp ---------------------------------------------

    def _named_by_source(
        self, statements: tuple[Stmt, ...], index: Symbol
    ) -> tuple[tuple[Stmt, ...], Symbol]:
        """A local that holds the index of the loop over lanes or warps throughout names it."""
        body = block_of(statements)
        written = written_after_declaration(body, self.context.effects)
        for statement in statements:
            if not isinstance(statement, Declare):
                continue
            for variable in statement.variables:
                initial = variable.initial
                same = isinstance(initial, VarRef) and initial.symbol == index
                if not same or variable.symbol in written or variable.symbol.type.bits < 32:
                    continue
                symbol = _index(variable.symbol)
                rest = drop_declarations(statements, {symbol})
                named = substitute(block_of(rest), {index: VarRef(symbol)})
                assert isinstance(named, Block)
                return named.statements, symbol
        return statements, index

    # -- fission --------------------------------------------------------------------------------

    def _fission(
        self, group: WarpGroup, statements: tuple[Stmt, ...]
    ) -> tuple[list[Stmt], list[Stmt]]:
        rows = (
            None
            if self.context.device or self.context.optimisation < 2
            else self._interchange(group)
        )
        fission = Fission(self.context, group, self.constant_memory, interchange=rows)
        result = fission.run(statements)
        if not result.leaves_early:
            return result.statements, result.allocations
        name = self.context.symbols.fresh("run_warp", INT, Storage.BLOCK).name
        function = LocalFunction(name, (), block_of(tuple(result.statements)))
        return [function, Text((f"{name}();",))], result.allocations

    def _interchange(self, group: WarpGroup) -> Interchange:
        """How loops of all lanes move outside of the loop over lanes."""
        turn = replace(group, scope=Scope.ROW)
        shorten = ChunkLoop(group.lane, group.lanes, group.positions)
        declared: set[str] = set()

        def interchange(statements: list[Stmt], once: set[Symbol]) -> list[Stmt] | None:
            named = {symbol for statement in statements for symbol in symbols_in(statement)}
            leaves = any(isinstance(node, Return) for s in statements for node in walk(s))
            others = named & group.position_symbols.keys() - {group.lane}
            if leaves or (others and [*others] != [*group.outside_values]):
                return None
            places: dict[Symbol, Expr] = {}
            for rank, first in group.outside_values.items() if others else ():
                places[rank] = Binary("+", first, VarRef(group.lane), rank.type)
                statements = [_from_lane(one, rank, first, group.lane) for one in statements]
            effects, symbols = self.context.effects, self.context.symbols
            uniform = once if group.number is None else once | {group.number}
            lanes = group.lanes
            rows = split_rows(statements, group.lane, uniform, effects, symbols, places, lanes)
            if rows is None:
                return None
            inner = Fission(self.context, turn, self.constant_memory, shorten=shorten)
            result = inner.run(tuple(rows))
            lowered = [*result.allocations, *result.statements]
            names = {
                variable.symbol.name
                for statement in lowered
                if isinstance(statement, Declare)
                for variable in statement.variables
            }
            if names & declared:  # computed again, and once more put into an array
                return [block_of(tuple(lowered))]
            declared.update(names)
            return lowered

        return interchange


def _from_lane(statement: Stmt, rank: Symbol, first: Expr, lane: Symbol) -> Stmt:
    """A loop that starts at the rank of the thread, plus anything, with the rank as what the first
    lane has plus the lane."""
    match statement:
        case For(initial=Declare(variables=(Variable() as variable,))):
            before = None if variable.initial is None else start_of(variable.initial, rank)
        case _:
            return statement
    if before is None:
        return statement
    ctype = variable.symbol.type
    start = first if integer_value(before) == 0 else Binary("+", before, first, ctype)
    own = replace(variable, initial=Binary("+", start, VarRef(lane), ctype))
    return replace(statement, initial=Declare((own,)))


def _plain(symbol: Symbol) -> str:
    return symbol.type.spelling.replace("const ", "")


def _index(symbol: Symbol) -> Symbol:
    plain = CType(_plain(symbol), symbol.type.kind, symbol.type.bits, symbol.type.is_signed)
    return replace(symbol, type=plain, storage=Storage.INDEX)


def _is_int(node: Node) -> bool:
    """May the value take part in `std::min` of two int?"""
    match node:
        case VarRef(symbol=symbol):
            return symbol.type.spelling.removeprefix("const ").strip() == INT.spelling
        case _:
            return True
