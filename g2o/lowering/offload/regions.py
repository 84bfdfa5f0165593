"""Loops over blocks and threads become target constructs.

    #pragma omp parallel for                     #pragma omp target teams distribute ...
    for (int bx = 0; bx < int(grid.x); ++bx) {   for (int bx = 0; bx < int(grid.x); ++bx) {
        float buf[N];                                float buf[N];
        for (int t = 0; t < N; ++t)         ->   #pragma omp parallel for
            buf[t] = in[t];                          for (int t = 0; t < N; ++t)
        out[bx] = buf[0];                                buf[t] = in[t];
    }                                                out[bx] = buf[0];
                                                 }

Legal because every loop that lowering made runs through threads, warps or lanes of one interval,
which see nothing of each other, or through blocks. What stands between those loops is done by the
first thread of the team, and a parallel loop ends with a barrier of the team. Nothing depends on
how many threads or teams there are. Where no interval ends inside of a block, blocks and threads
are one loop nest and one construct.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import final

from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.directives import NO_DIRECTIVE, Directive
from g2o.ir.expressions import AXES, Builtin, Form, strip_parens
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    DeclareTypes,
    DoWhile,
    ExprStatement,
    For,
    If,
    LocalFunction,
    Node,
    Stmt,
    Text,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT
from g2o.lowering.context import LoweringContext
from g2o.lowering.indices import block_of
from g2o.lowering.nests import with_loops
from g2o.lowering.offload.clauses import data_clauses, names_allocated, variables_of
from g2o.lowering.offload.directives import for_both, within_threads
from g2o.lowering.offload.dynamic_shared import BlockMemory, with_small_tapes
from g2o.lowering.offload.mappable import has_members_of_values
from g2o.lowering.offload.minima import by_value
from g2o.lowering.offload.nests import nest_of, outermost_loops, rebuilt, with_functions_inside
from g2o.lowering.offload.slices import Slices, in_slices
from g2o.lowering.offload.spread_warps import WARP_SIZE, spread_warps
from g2o.lowering.offload.team_region import as_one_region
from g2o.lowering.returns import without_returns_of_one

_GRID_ARRAY = "const g2o::grid_array<"
_TAPE = "g2o::Tape<"
_FEWEST = 64
"""Threads that a team may have at least: where the team has more to do than a parallel loop, LLVM
takes a warp of them for that, and does not work without another one."""
_ONE_TEAM = Directive(("teams",), clauses=("num_teams(1)",))
_ARRAYS = ("g2o::shared_array<", "g2o::thread_array<")


def put_on_device(context: LoweringContext, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """The statements of a lowered kernel with target constructs in place of parallel loops.

    Raises Refusal where the host would have to look into the memory of the device.
    """
    regions = _Regions(context, variables_of(statements))
    nodes = [node for statement in statements for node in walk(statement)]
    if any(_is_parallel(node) for node in nodes):
        placed = regions.on_host(list(statements))
    else:
        placed = regions.one_block(statements)
    tapes = sum(_is_tape(node) for node in nodes)
    if tapes:
        name = context.symbols.fresh("tape_memory", INT, Storage.BLOCK).name
        launch = f"{context.grid.name}, {context.block.name}"
        placed.insert(0, Text((f"const g2o::TapeMemory {name}({launch}, {tapes});",)))
        placed = [rewrite(statement, with_small_tapes) for statement in placed]
    return tuple(placed)


@final
@dataclass(frozen=True, slots=True)
class _Regions:
    context: LoweringContext
    outer: set[Symbol]  # that the kernel declares
    arrays: set[str] = field(default_factory=set[str])  # of the whole grid

    @property
    def effects(self) -> EffectsOf:
        return self.context.effects

    # -- on the host ----------------------------------------------------------------------------

    def on_host(self, statements: list[Stmt]) -> list[Stmt]:
        """Statements outside of all parallel loops: the host goes through them."""
        result: list[Stmt] = []
        for statement in with_functions_inside(statements):
            match statement:
                case CountedLoop():
                    result.extend(self.target_loop(statement))
                case LocalFunction(body=body):
                    inner = self.on_host(list(statements_of(body)))
                    result.append(replace(statement, body=block_of(inner)))
                case Block(statements=inner):
                    result.append(replace(statement, statements=tuple(self.on_host(list(inner)))))
                case For() | While() | DoWhile():
                    inner = self.on_host(list(statements_of(statement.body)))
                    for part in _head(statement):
                        self._check_host(part)
                    result.append(replace(statement, body=block_of(inner), form=Form.BUILT))
                case ExprStatement() | If() if once := self._once_on_device(statement):
                    result.append(once)
                case If(condition=condition, then=then, otherwise=otherwise):
                    self._check_host(condition)
                    first = block_of(self.on_host(list(statements_of(then))))
                    other = (
                        block_of(self.on_host(list(statements_of(otherwise))))
                        if otherwise is not None
                        else None
                    )
                    result.append(replace(statement, then=first, otherwise=other, form=Form.BUILT))
                case Text(parts=(str() as text, *_)) if text.startswith(_GRID_ARRAY):
                    self.arrays.update(names_allocated(statement))
                    result.append(statement)
                case _:
                    self._check_host(statement)
                    result.append(statement)
        return result

    def _once_on_device(self, statement: Stmt) -> Stmt | None:
        """A statement that only changes the memory of the device, done there; None for others."""
        found = self.effects.of(statement)
        if found.writes or found.side_effects or not found.memory_writes:
            return None
        if not isinstance(statement, (ExprStatement, If)):
            return None
        data = data_clauses([statement], set(), self.arrays, self.outer)
        if has_members_of_values(statement):
            statement = Block((statement,), directive=self._directive(_ONE_TEAM))
        return Block((statement,), directive=self._directive(Directive(("target",), clauses=data)))

    def _check_host(self, node: Node) -> None:
        """Refuse what the host cannot do: the memory of a kernel is that of the device."""
        found = self.effects.of(node)
        on_device = any(symbol.name in self.arrays for symbol in symbols_in(node))
        if on_device or found.memory_reads or found.memory_writes or found.side_effects:
            message = "what all threads of a grid do together would need the device's memory here"
            raise refuse("G2O0502", message, node.span)

    def one_block(self, statements: tuple[Stmt, ...]) -> list[Stmt]:
        """A kernel of which every launch has one block, and that has no loop over blocks."""
        own: list[Stmt] = with_functions_inside(statements)
        host = [s for s in own if isinstance(s, DeclareTypes) or _is_assertion(s)]
        rest = [s for s in own if not any(s is one for one in host)]
        match rest:
            case [CountedLoop() as loop]:
                return [*host, *self.target_loop(loop)]
            case []:
                return host
            case _:
                pass
        if len(rest) == 1 and isinstance(rest[0], Block):
            rest = list(rest[0].statements)
        rest = list(without_returns_of_one(self.context, rest))
        memory = BlockMemory(self.context, " * ".join(self._threads()))
        slices = in_slices(self.context, self.in_team(memory.placed(rest)))
        host.extend(slices.before)
        self.arrays.add(slices.name)
        named = slices.body if slices.name else rest
        clauses = data_clauses(named, set(), self.arrays, self.outer)
        limit, dynamic = self._team_clauses(rest), memory.clause()
        region: Stmt = by_value(Block(slices.body))
        teams = any(isinstance(node, CountedLoop) for s in rest for node in walk(s))
        if has_members_of_values(region):
            target = self._directive(Directive(("target",), clauses=(*clauses, *dynamic)))
            inside = replace(_ONE_TEAM, clauses=(*_ONE_TEAM.clauses, *limit))
            team = replace(region, directive=self._directive(inside))
            return [*host, Text((f"#pragma {target.text}",)), team]
        construct = ("target", "teams") if teams else ("target",)
        one = _ONE_TEAM.clauses if teams else ()
        target = Directive(construct, clauses=(*one, *clauses, *limit, *dynamic))
        return [*host, replace(region, directive=self._directive(target))]

    def _directive(self, device: Directive) -> Directive:
        return for_both(device, NO_DIRECTIVE, self.context.portable)

    # -- target constructs ----------------------------------------------------------------------

    def target_loop(self, loop: CountedLoop) -> list[Stmt]:
        """The loop over blocks, or over all threads, with its construct."""
        nest = nest_of(loop)
        body = list(statements_of(nest[-1].body))
        own = {one.index for one in nest}
        memory = BlockMemory(self.context, " * ".join(self._threads()))
        limit: tuple[str, ...] = ()
        if not self._has_intervals(body):
            teams = ("teams", "distribute", "parallel", "for")
            slices = Slices(tuple(self._of_one_thread(body)))
        else:
            teams = ("teams", "distribute")
            slices = in_slices(self.context, self.in_team(memory.placed(body)), nest)
            limit = (*slices.clause, *self._team_clauses(body))
        inner = by_value(block_of(slices.body))
        # The device looks at the bounds, too: structures in them would be copied both ways.
        self.arrays.add(slices.name)
        data = data_clauses([inner, *(one.upper for one in nest)], own, self.arrays, self.outer)
        sums = tuple(f"map(tofrom: {one.variables})" for one in nest[0].directive.reductions)
        if not has_members_of_values(inner):
            clauses = (*data, *limit, *memory.clause(), *sums)
            return [*slices.before, self._around(nest, inner, ("target", *teams), clauses)]
        target = self._directive(Directive(("target",), clauses=(*data, *memory.clause(), *sums)))
        loops = self._around(nest, inner, teams, limit)
        return [*slices.before, Text((f"#pragma {target.text}",)), loops]

    def _around(
        self,
        nest: list[CountedLoop],
        body: Stmt,
        construct: tuple[str, ...],
        clauses: tuple[str, ...] = (),
    ) -> CountedLoop:
        """The nest around `body`, with what its outermost loop is on a device."""
        portable = self.context.portable
        cpu = with_loops(nest[0].directive, len(nest))
        device = Directive(construct, len(nest), clauses, cpu.reductions)
        return rebuilt(nest, body, for_both(device, cpu, portable), portable)

    def _of_one_thread(self, statements: Sequence[Stmt]) -> list[Stmt]:
        return within_threads(with_functions_inside(statements), self.context.portable)

    def _has_intervals(self, body: list[Stmt]) -> bool:
        """Is there more in the body of a loop over blocks than what one thread does?"""
        return any(
            isinstance(node, CountedLoop) or _is_allocation(node)
            for statement in body
            for node in walk(statement)
        )

    def _team_clauses(self, body: Sequence[Stmt]) -> tuple[str, ...]:
        """What the construct says about the threads of a team, if anything."""
        loops = [loop for statement in body for loop in outermost_loops(statement)]
        if loops and all(strip_parens(loop.upper) == WARP_SIZE for loop in loops):
            return ("thread_limit(2 * g2o::warp_size)",)
        limit = " * ".join(self._threads())
        known = self.context.number(limit)
        if known is not None and known < _FEWEST:
            limit = str(_FEWEST)
        return (f"thread_limit({limit})",) if limit else ()

    def _threads(self) -> list[str]:
        """The extents of a block."""
        context = self.context
        extents: list[str] = []
        for axis in sorted(context.axes[Builtin.THREAD_INDEX]):
            context.extent(Builtin.BLOCK_DIM, axis)  # asserts the constant
            constant = context.constant_extent(Builtin.BLOCK_DIM, axis)
            extents.append(constant or f"{context.block.name}.{AXES[axis]}")
        return extents

    def in_team(self, statements: list[Stmt]) -> list[Stmt]:
        """Statements of one block: one parallel region, or one for every interval, between which
        the first thread of the team goes on alone."""
        inside = with_functions_inside(statements)
        portable = self.context.portable
        forms = [inside] if portable else [spread_warps(inside, self.effects), inside]
        for form in forms:
            region = as_one_region(form, self.effects, self._worksharing, portable)
            if region is not None:
                return region
        return self._in_regions(inside)

    def _in_regions(self, statements: list[Stmt]) -> list[Stmt]:
        return [rewrite(s, self._parallel) for s in with_functions_inside(statements)]

    def _worksharing(self, loop: CountedLoop) -> CountedLoop:
        return self._shared_out(loop, ("for",))

    def _shared_out(self, loop: CountedLoop, construct: tuple[str, ...]) -> CountedLoop:
        """The nest of a loop over threads under `construct`."""
        nest = nest_of(loop)
        inner = block_of(self._of_one_thread(statements_of(nest[-1].body)))
        return self._around(nest, inner, construct)

    def _parallel(self, node: Node) -> Node | None:
        match node:
            case CountedLoop():
                return self._shared_out(node, ("parallel", "for"))
            case Block(statements=statements):
                inside = self._in_regions(list(statements))
                same = len(inside) == len(statements) and all(
                    new is old for new, old in zip(inside, statements, strict=True)
                )
                return node if same else replace(node, statements=tuple(inside), form=Form.BUILT)
            case _:
                return None


def _is_tape(node: Node) -> bool:
    """Does every thread have a tape of what is declared here?"""
    match node:
        case Declare(variables=variables):
            return any(_TAPE in variable.declared for variable in variables)
        case Text(parts=(str() as text, *_)):
            return text.startswith("g2o::thread_array<") and _TAPE in text
        case _:
            return False


def _is_parallel(node: Node) -> bool:
    """Is it a loop over blocks, or over the threads of all blocks?"""
    return isinstance(node, CountedLoop) and node.directive.is_parallel


def _head(loop: For | While | DoWhile) -> list[Node]:
    match loop:
        case For(initial=initial, condition=condition, increment=increment):
            return [part for part in (initial, condition, increment) if part is not None]
        case _:
            return [loop.condition]


def _is_assertion(statement: Stmt) -> bool:
    match statement:
        case Text(parts=(str() as text, *_)):
            return text.startswith("assert(")
        case _:
            return False


def _is_allocation(node: Node) -> bool:
    """Does the statement make memory that all threads of a block see?"""
    match node:
        case Text(parts=(str() as text, *_)):
            return text.startswith(_ARRAYS)
        case Declare(variables=variables):
            return any(v.symbol.storage in (Storage.SHARED, Storage.BLOCK) for v in variables)
        case _:
            return False
