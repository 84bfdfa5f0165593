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
from g2o.diagnostics.diagnostic import Outcome, refuse
from g2o.ir.expressions import (
    Binary,
    Builtin,
    Code,
    Expr,
    Literal,
    Paren,
    VarRef,
    integer_value,
    strip_parens,
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
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT, CType
from g2o.lowering.chunks import ChunkLoop
from g2o.lowering.context import LoweringContext, bound_for, substitute
from g2o.lowering.first_turns import at_first, is_first
from g2o.lowering.fission import Fission, Interchange
from g2o.lowering.indices import block_of, drop_declarations, written_after_declaration
from g2o.lowering.interchange import split_rows
from g2o.lowering.stride_loops import start_of
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
        self.loop_names: tuple[Symbol, Symbol] | None = None

    def lower(self, statements: tuple[Stmt, ...]) -> list[Stmt]:
        place = next((n.span for s in statements for n in walk(s) if isinstance(n, Exchange)), None)
        message = "operations of a warp: a loop over warps around loops over lanes"
        self.context.note(Outcome.PASSED, "G2O0314", message, place)
        if self._x_is_the_lane():
            return self._rows(statements)
        warp, lane = self._names()
        thread = self.block.threads.get(0)
        if thread is None:
            raise refuse(
                "G2O0205", "warp operation in a kernel without threadIdx", statements[0].span
            )
        linear = self._linear_thread(thread)
        statements = self._simplified(statements, linear, warp, lane)
        statements, lane = self._named_by_source(statements, lane)
        statements, warp = self._named_by_source(statements, warp)
        rank = Binary("+", Binary("*", VarRef(warp), _WARP, INT), VarRef(lane), INT)
        first = Binary("*", VarRef(warp), _WARP, INT)
        positions = self._positions(linear, rank)
        count = self.block.size()
        outside = self._outside(linear, first)
        lanes, described = self._lanes(warp, count), self.block.described
        masks = self.context.masks
        group = WarpGroup(lane, lanes, positions, described, outside, masks=masks)
        body, allocations = self._fission(group, statements)
        if not body:
            return []  # the lanes waited for each other, and for nothing else
        warps = self._warps(count)
        prologue: list[Stmt] = []
        if not isinstance(group.lanes, Code) or group.lanes is not _WARP:
            prologue = self._declare_lanes(group, body)
        return [self._over_warps(warp, warps, (*prologue, *allocations, *body))]

    def _names(self) -> tuple[Symbol, Symbol]:
        """The variables of the loops over warps and lanes; the same names in the whole kernel."""
        if self.loop_names is None:
            self.loop_names = (
                self.context.symbols.fresh("warp", INT, Storage.INDEX),
                self.context.symbols.fresh("lane", INT, Storage.INDEX),
            )
        return self.loop_names

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
        extent, masks = self.block.extent(0), self.context.masks
        group = WarpGroup(lane, extent, (), described, {lane: ZERO}, masks=masks)
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
        return {linear: first, **dict.fromkeys(self.block.threads.values(), ZERO)}

    def _lanes(self, warp: Symbol, count: Expr) -> Expr:
        value = integer_value(count)
        if value is None and len(self.block.axes) == 1:
            value = self.context.constant_value(Builtin.BLOCK_DIM, self.block.axes[0])
        if value is not None and value % _SIZE == 0:
            return _WARP
        lanes = self.context.symbols.fresh("lanes", INT, Storage.BLOCK)
        self.context.positive.add(lanes)
        return VarRef(lanes)

    def _declare_lanes(self, group: WarpGroup, body: list[Stmt]) -> list[Stmt]:
        lanes = group.lanes
        if not isinstance(lanes, VarRef):
            return []
        rank = next(iter(group.outside_values))
        return [
            Text(
                (
                    f"const int {lanes.symbol.name} = std::min(g2o::warp_size, ",
                    Binary("-", bound_for(INT, self.block.size()), group.outside_values[rank], INT),
                    ");",
                )
            )
        ]

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

    def _simplified(
        self, statements: tuple[Stmt, ...], thread: Symbol, warp: Symbol, lane: Symbol
    ) -> tuple[Stmt, ...]:
        """`t % 32` is the lane and `t / 32` the warp."""

        def simplify(node: Node) -> Node | None:
            if not isinstance(node, Binary):
                return None
            left, right = strip_parens(node.left), strip_parens(node.right)
            whole = self._whole_warps_before(left, thread)
            if whole is not None and _warp_constant(right) == _SIZE and node.op in ("/", "%"):
                if node.op == "%":
                    return VarRef(lane)
                before = Binary("/", whole, node.right, INT)
                return Paren(Binary("+", before, VarRef(warp), INT), INT)
            if not isinstance(left, VarRef) or left.symbol != thread:
                return None
            value = _warp_constant(right)
            if (node.op == "%" and value == _SIZE) or (node.op == "&" and value == _SIZE - 1):
                return VarRef(lane)
            if (node.op == "/" and value == _SIZE) or (node.op == ">>" and value == 5):
                return VarRef(warp)
            if node.op == "<" and value is not None and value % _SIZE == 0 and value > 0:
                if value == _SIZE:
                    return Binary("==", VarRef(warp), ZERO, node.type)
                limit = value // _SIZE
                return Binary("<", VarRef(warp), Literal(str(limit), limit, INT), node.type)
            return None

        return tuple(rewrite(statement, simplify) for statement in statements)

    def _whole_warps_before(self, expr: Expr, thread: Symbol) -> Expr | None:
        """In `block * 128 + t`: the multiple of the warp size in front of `t`."""
        if not isinstance(expr, Binary) or expr.op != "+":
            return None
        for first, second in ((expr.left, expr.right), (expr.right, expr.left)):
            if strip_parens(second) != VarRef(thread):
                continue
            factors: list[Expr] = [strip_parens(first)]
            while factors:
                factor = factors.pop()
                value = integer_value(factor)
                if value is not None and value % _SIZE == 0:
                    return first
                if isinstance(factor, Binary) and factor.op == "*":
                    factors.extend((strip_parens(factor.left), strip_parens(factor.right)))
        return None

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
            rows = split_rows(statements, group.lane, once, effects, symbols, places)
            if rows is None:
                return None
            inner = Fission(self.context, turn, self.constant_memory, shorten=shorten)
            result = inner.run(tuple(rows))
            return [*result.allocations, *result.statements]

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
