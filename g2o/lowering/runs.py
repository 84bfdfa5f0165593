"""Neighbours that keep small arrays for themselves go through their loops in runs.

    for (int x = 0; x < n; ++x) {          for (int first = 0, next; first < n; first = next) {
        if (solid[x]) {                        int end = std::min(first + chunk, n);
            to[x] = 0;                         next = end;
            continue;                          for (int x = first; x < end; ++x)
        }                                          if (solid[x]) {
        float f[Q];                                    to[x] = 0;
        for (int q = 0; q < Q; ++q)                    end = x;
            f[q] = from[q * n + x];    ->              next = x + 1;
        ...                                        }
    }                                          float f[Q][chunk];
                                               for (int q = 0; q < Q; ++q)
                                                   #pragma omp simd
                                                   for (int x = first; x < end; ++x)
                                                       f[q][x - first] = from[q * n + x];
                                               ...
                                           }

A run ends before a thread that leaves early, and at the edges where indices wrap around
(`wraps.py`), so that all its threads do the same: their loops need no masks, and none does anything
for a thread that has left. Legal because threads without barriers run in any order, also so that
those of a run wait for each other after every turn of a loop that all go through alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.constant_turns import constant_turns
from g2o.analysis.effects import declared_in, statements_of, symbols_in
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Code,
    Expr,
    Form,
    Index,
    Literal,
    Unary,
    VarRef,
    integer_value,
)
from g2o.ir.statements import (
    NO_TRIVIA,
    Barrier,
    Block,
    CountedLoop,
    Declare,
    DeclareTypes,
    DoWhile,
    ExprStatement,
    For,
    If,
    Jump,
    JumpKind,
    Labelled,
    LocalFunction,
    Node,
    Return,
    Scope,
    Stmt,
    Switch,
    Text,
    Trivia,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, rename_symbols, walk
from g2o.ir.types import BOOL, INT, TypeKind
from g2o.lowering.context import LoweringContext
from g2o.lowering.counting_loops import counting_loops
from g2o.lowering.fission import Fission
from g2o.lowering.indices import block_of, written_after_declaration
from g2o.lowering.interchange import loop_variable
from g2o.lowering.load_places import LoadPlaces
from g2o.lowering.run_ends import Edges, RunEnds
from g2o.lowering.single_declarations import split_declarations
from g2o.lowering.strip_mine import StripGroup, by_element, few_turns, is_arithmetic, may_split
from g2o.lowering.wraps import Tables, Wraps, around, resolved

_CHUNK = 128
_MOST_TURNS = 32
_NOT_SPLIT = (CountedLoop, DeclareTypes, Labelled, LocalFunction, Return, Text)
_COMMENT = "// Neighbours that do the same go through the loops together."


def run_points(context: LoweringContext, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """Put the threads of parallel loops, or of loops in those, into runs where that pays."""
    result: list[Stmt] = []
    known: dict[Symbol, Expr] = {}
    for statement in statements:
        new = None
        if isinstance(statement, CountedLoop) and statement.pragma == "omp parallel for":
            new = _in_runs(context, statement, known)
        elif isinstance(statement, Declare):
            known |= {v.symbol: v.initial for v in statement.variables if v.initial is not None}
        result.extend((statement,) if new is None else new)
    return tuple(result)


def _in_runs(
    context: LoweringContext, outer: CountedLoop, known: dict[Symbol, Expr]
) -> tuple[Stmt, ...] | None:
    match statements_of(outer.body):
        case (*declares, CountedLoop(pragma="") as inner) if (
            inner.index.storage is Storage.INDEX  # it runs over threads
            and all(isinstance(statement, Declare) for statement in declares)
        ):
            found = _Runs(context, _with_indices(inner, outer.index, inner.index), known).nested()
        case _:
            declares = []
            found = _Runs(context, _with_indices(outer, outer.index), known).parallel()
    if found is None:
        return None
    chunk, loop = found
    if isinstance(loop, For) or not loop.pragma:
        loop = replace(outer, body=block_of((*declares, loop)) if declares else loop)
    size = Literal(str(_CHUNK), _CHUNK, INT)
    told = replace(outer.trivia, before=(*outer.trivia.before, _COMMENT))
    declare = Declare((Variable(chunk, "constexpr int", "", size, "="),), trivia=told)
    return declare, replace(loop, trivia=NO_TRIVIA)


def _with_indices(loop: CountedLoop, *indices: Symbol) -> CountedLoop:
    """The loop, in which the indices are known as such."""
    return rename_symbols(loop, {one: replace(one, storage=Storage.INDEX) for one in indices})


@final
@dataclass(frozen=True, slots=True)
class _Run:
    """What the threads `first` to `end` do, and what ends their run before the chunk does.

    `is_fixed`: nothing does.
    """

    chunk: Symbol
    first: Symbol
    end: Symbol
    next_one: Symbol
    cuts: list[Stmt]
    body: tuple[Stmt, ...]
    is_fixed: bool

    def loop(self, lower: Expr, upper: Expr, chunked: bool, trivia: Trivia) -> For | CountedLoop:
        """The loop over runs; `chunked`: none is longer than a chunk."""
        if self.is_fixed:
            declare = _declare_end(self.end, "const int", self.first, self.chunk, upper)
            body = block_of((declare, *self.body))
            step = VarRef(self.chunk)
            return CountedLoop(self.first, lower, upper, body, step=step, trivia=trivia)
        last = Declare((Variable(self.end, "int", "", upper, "="),))
        if chunked:
            last = _declare_end(self.end, "int", self.first, self.chunk, upper)
        follow = _assign(self.next_one, VarRef(self.end))
        begin = (Variable(self.first, "int", "", lower, "="), Variable(self.next_one, ""))
        return For(
            Declare(begin),
            Binary("<", VarRef(self.first), upper, BOOL),
            Assign("=", VarRef(self.first), VarRef(self.next_one), INT),
            block_of((last, *self.cuts, follow, *self.body)),
            trivia=trivia,
        )


def _declare_end(end: Symbol, declared: str, first: Symbol, chunk: Symbol, upper: Expr) -> Declare:
    last = Code(("std::min(", VarRef(first), " + ", VarRef(chunk), ", ", upper, ")"), type=INT)
    return Declare((Variable(end, declared, "", last, "="),))


@final
class _Runs:
    """One loop over threads that are neighbours."""

    def __init__(
        self, context: LoweringContext, loop: CountedLoop, known: dict[Symbol, Expr]
    ) -> None:
        """`known` are values of variables in front of all loops, which stay the same."""
        self.context = context
        self.limits = _limits(loop, known)
        self.outer = loop
        body = split_declarations(block_of(statements_of(loop.body))).statements
        self.body = tuple(counting_loops(list(body), context.effects))
        self.index = loop.index

    def nested(self) -> tuple[Symbol, For | CountedLoop] | None:
        """The size of a chunk, and the loop over the runs; None where the loop stays."""
        run = self._run()
        if run is None:
            return None
        loop = self.outer
        return run.chunk, run.loop(loop.lower, loop.upper, chunked=True, trivia=loop.trivia)

    def parallel(self) -> tuple[Symbol, CountedLoop] | None:
        """The same, with a parallel loop over chunks outside of the one over the runs in them."""
        run = self._run()
        if run is None:
            return None
        loop = self.outer
        if run.is_fixed:
            whole = run.loop(loop.lower, loop.upper, chunked=True, trivia=NO_TRIVIA)
            assert isinstance(whole, CountedLoop)
            return run.chunk, replace(whole, pragma=loop.pragma)
        symbols = self.context.symbols
        start = symbols.fresh("start", INT, Storage.INDEX)
        limit = symbols.fresh("limit", INT, Storage.GLOBAL)
        declare = _declare_end(limit, "const int", start, run.chunk, loop.upper)
        inner = run.loop(VarRef(start), VarRef(limit), chunked=False, trivia=NO_TRIVIA)
        body = block_of((declare, inner))
        step = VarRef(run.chunk)
        return run.chunk, CountedLoop(start, loop.lower, loop.upper, body, loop.pragma, step)

    def _run(self) -> _Run | None:
        loop = self.outer
        if loop.step is not None or loop.index.type.spelling != "int":
            return None
        parts = self._parts()
        if parts is None or not may_split(parts[1], arrays=True):
            return None
        leaving, staying = parts
        if any(isinstance(node, _NOT_SPLIT) for one in self.body for node in walk(one)):
            return None
        if not any(map(_declares_array, staying)):
            return None
        symbols = self.context.symbols
        chunk = symbols.fresh("chunk", INT, Storage.GLOBAL)
        first = symbols.fresh("first", INT, Storage.INDEX)
        end = symbols.fresh("end", INT, Storage.GLOBAL)
        next_one = symbols.fresh("next", INT, Storage.GLOBAL)
        marked, cuts = self._marked(staying, first, end)
        if marked is None:
            return None
        prefix: list[Stmt] = []
        if leaving:
            goes = (_assign(end, VarRef(self.index)), _assign(next_one, _after(self.index)))
            prefix = [*leaving[:-1], _without_jump(leaving[-1], goes), Barrier(Scope.ROW)]
        group = StripGroup(
            self.index, VarRef(first), VarRef(end), VarRef(chunk), self.context.effects
        )
        result = Fission(self.context, group, set()).run((*prefix, *marked))
        if result.leaves_early:
            return None
        allocations, statements = by_element(result.allocations, result.statements, group)
        if leaving:
            statements = self._only_with_threads(statements, first, end)
        is_fixed = not leaving and not cuts
        return _Run(chunk, first, end, next_one, cuts, (*allocations, *statements), is_fixed)

    def _only_with_threads(self, statements: list[Stmt], first: Symbol, end: Symbol) -> list[Stmt]:
        """Nothing is done for a run without threads, behind the loop in which they leave."""
        place = next(
            place
            for place, one in enumerate(statements)
            if isinstance(one, CountedLoop) and one.index == self.index
        )
        nobody = Binary("==", VarRef(first), VarRef(end), BOOL)
        skip = If(nobody, Jump(JumpKind.CONTINUE))
        return [*statements[: place + 1], skip, *statements[place + 1 :]]

    def _parts(self) -> tuple[tuple[Stmt, ...], tuple[Stmt, ...]] | None:
        """What ends with the statement in which threads leave early, and what the others do."""
        places = [place for place, one in enumerate(self.body) if _jumps(one)]
        match places:
            case []:
                return (), self.body
            case [place] if _only_leaves_last(self.body[place]):
                return self.body[: place + 1], self.body[place + 1 :]
            case _:
                return None

    def _marked(
        self, staying: tuple[Stmt, ...], first: Symbol, end: Symbol
    ) -> tuple[tuple[Stmt, ...] | None, list[Stmt]]:
        """The loops of the threads that stay, with a barrier at the end of each turn, and what
        ends a run at the edges."""
        effects = self.context.effects
        own = {symbol for statement in self.body for symbol in declared_in(statement)}
        stored = effects.of_all(self.body).memory_writes
        arrays = {s for s in own if s.type.kind is TypeKind.ARRAY}
        result: list[Stmt] = []
        ends = RunEnds(self.context.symbols, first, end)
        used = False
        for statement in staying:
            if not isinstance(statement, For):
                plain = is_arithmetic(statement) or _adds_atomically(statement)
                if not plain and not _declares_array(statement):
                    return None, []
                result.append(statement)
                continue
            counter, turns = loop_variable(statement), few_turns(statement, _MOST_TURNS)
            if counter is None or turns is None or not self._is_common(statement, own, counter):
                return None, []
            values = self._values((*self.body, *statements_of(statement.body)))
            private = own - {counter} - values.keys()
            tables = Tables(counter, turns)
            wraps = Wraps(
                *(self.index, first, self.context.symbols, effects),
                *(values, private, stored, tables, self.limits),
            )
            loop = wraps.without(statement)
            values = self._values((*self.body, *statements_of(loop.body)))
            if not self._reads_neighbours(loop, values, arrays):
                return None, []
            ends.add(loop, Edges(turns, counter, wraps.edges, wraps.remainders))
            used = used or any(
                isinstance(node, Index)
                and isinstance(node.base, VarRef)
                and node.base.symbol in arrays
                and node.index == VarRef(counter)
                for node in walk(loop.body)
            )
            places = LoadPlaces(self.context.symbols, tables, values)
            body = places.before_choices(statements_of(loop.body))
            turn = Block((*body, Barrier(Scope.ROW)))
            result.append(replace(loop, body=turn, form=Form.BUILT))
        return (tuple(result) if used else None), ends.cuts

    def _is_common(self, loop: For, own: set[Symbol], counter: Symbol) -> bool:
        """Do all threads go through the few turns of the loop alike, by arithmetic alone?"""
        effects = self.context.effects
        head = [part for part in (loop.initial, loop.condition, loop.increment) if part is not None]
        named = {symbol for part in head for symbol in symbols_in(part)} - {counter}
        found = effects.of(loop.body)
        if named & (own | {self.index} | found.writes) or counter in found.writes:
            return False
        if found.side_effects or any(effects.of(part).memory_reads for part in head):
            return False
        counts = loop.increment is not None and _counts_up(loop.increment)
        if not counts and constant_turns(loop) is None:
            return False
        return is_arithmetic(loop.body)

    def _values(self, statements: Sequence[Stmt]) -> dict[Symbol, Expr]:
        """What the variables stand for that are declared with plain arithmetic and stay so."""
        written = written_after_declaration(block_of(self.body), self.context.effects)
        values: dict[Symbol, Expr] = {}
        for statement in statements:
            for variable in statement.variables if isinstance(statement, Declare) else ():
                if variable.initial is None or variable.symbol in written:
                    continue
                if variable.symbol.type.kind is not TypeKind.INTEGER:
                    continue
                if self.context.effects.of(variable.initial).is_pure:
                    values[variable.symbol] = variable.initial
        return values

    def _reads_neighbours(self, loop: For, values: dict[Symbol, Expr], arrays: set[Symbol]) -> bool:
        """Do neighbours access neighbouring elements?"""
        for node in walk(loop.body):
            if not isinstance(node, Index):
                continue
            if isinstance(node.base, VarRef) and node.base.symbol in arrays:
                if self.index in symbols_in(resolved(node.index, values)):
                    return False
                continue
            place = resolved(node.index, values)
            if self.index in symbols_in(place) and around(place, self.index) is None:
                return False
        return True


def _counts_up(increment: Expr) -> bool:
    match increment:
        case Unary(op="++"):
            return True
        case Assign(op="+=", value=step):
            return (integer_value(step) or 0) > 0
        case _:
            return False


def _assign(symbol: Symbol, value: Expr) -> Stmt:
    return ExprStatement(Assign("=", VarRef(symbol), value, INT))


def _after(symbol: Symbol) -> Expr:
    return Binary("+", VarRef(symbol), Literal("1", 1, INT), INT)


def _jumps(statement: Node) -> bool:
    """Does control leave the statement otherwise than at its end?"""
    match statement:
        case Jump():
            return True
        case For() | While() | DoWhile() | Switch():
            return any(
                isinstance(node, Jump) and node.kind is JumpKind.GOTO for node in walk(statement)
            ) or (isinstance(statement, Switch) and any(map(_jumps, children(statement))))
        case _:
            return any(_jumps(child) for child in children(statement))


def _declares_array(statement: Stmt) -> bool:
    """Is it the declaration of a small array whose elements get their values later?"""
    return isinstance(statement, Declare) and all(
        variable.initial is None
        and (element := variable.symbol.type.element) is not None
        and variable.symbol.type.kind is TypeKind.ARRAY
        and element.is_arithmetic
        for variable in statement.variables
    )


def _adds_atomically(statement: Stmt) -> bool:
    """Is it one addition that threads may make in any order?"""
    match statement:
        case ExprStatement(
            expr=Call(name="atomicAdd" | "atomicAdd_block", is_cuda=True, arguments=arguments)
        ):
            return all(map(is_arithmetic, arguments))
        case _:
            return False


def _only_leaves_last(statement: Stmt) -> bool:
    """Is it `if (condition) { ...; continue; }`?"""
    match statement:
        case If(then=then, otherwise=None):
            *before, last = statements_of(then) or (statement,)
            continues = isinstance(last, Jump) and last.kind is JumpKind.CONTINUE
            return continues and not any(map(_jumps, before))
        case _:
            return False


def _without_jump(statement: Stmt, instead: tuple[Stmt, ...]) -> Stmt:
    assert isinstance(statement, If)
    *before, jump = statements_of(statement.then)
    first = replace(instead[0], trivia=jump.trivia)
    return replace(statement, then=Block((*before, first, *instead[1:])), form=Form.BUILT)


def _limits(loop: CountedLoop, known: dict[Symbol, Expr]) -> tuple[Expr, ...]:
    """What the index of a loop, which starts at 0 or above, stays below."""
    if (integer_value(loop.lower) or 0) < 0 or integer_value(loop.lower) is None:
        return ()
    upper = loop.upper
    if isinstance(upper, VarRef) and upper.symbol in known:
        upper = known[upper.symbol]
    match upper:
        case Code(parts=("std::min(", one, ", ", *_)) if not isinstance(one, str):
            return (loop.upper, one)
        case _:
            return (loop.upper,)
