"""One parallel region for all intervals of a block, whose loops end with a barrier each.

    #pragma omp parallel for                     #pragma omp parallel
    for (int t = 0; t < N; ++t)                  {
        buf[t] = in[t];                          #pragma omp for
    for (int s = N / 2; s > 0; s >>= 1) {            for (int t = 0; t < N; ++t)
    #pragma omp parallel for               ->            buf[t] = in[t];
        for (int t = 0; t < s; ++t)                  for (int s = N / 2; s > 0; s >>= 1) {
            buf[t] += buf[t + s];                #pragma omp for
    }                                                    for (int t = 0; t < s; ++t)
    out[bx] = buf[0];                                        buf[t] += buf[t + s];
                                                     }
                                                 #pragma omp single
                                                     out[bx] = buf[0];
                                                 }

A region that begins and ends for every interval takes several barriers and shares what the first
thread computes between the loops; in one region every thread computes that for itself, and an
interval takes one barrier, as in the CUDA source.

Legal where what stands between the loops only changes variables that every thread has for itself,
or memory, which one thread does (`single`, with a barrier behind it). A thread that has read memory
there waits for the others before anybody may change it. Arrays of the block, and whatever else the
loops store to, are declared in front of the region.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.analysis.effect_sets import Effects
from g2o.analysis.effects import (
    EffectsOf,
    declared_in,
    is_memory,
    statements_of,
    symbols_in,
)
from g2o.analysis.jumps import leaves_beyond
from g2o.ir.directives import BARRIER, NO_DIRECTIVE, PARALLEL, SINGLE, Directive
from g2o.ir.expressions import Form
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    DeclareTypes,
    DoWhile,
    Empty,
    For,
    If,
    Jump,
    LocalFunction,
    Node,
    Stmt,
    Text,
    While,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.lowering.indices import block_of
from g2o.lowering.offload.directives import for_both

_ARRAYS: Final = ("g2o::shared_array<", "g2o::thread_array<", "g2o::block_array<")
_PARALLEL_FOR: Final = "parallel for"


class _NotOne(Exception):
    """Not all of a block can be one parallel region."""


def as_one_region(
    statements: Sequence[Stmt],
    effects: EffectsOf,
    worksharing: Callable[[CountedLoop], CountedLoop],
    portable: bool,
) -> list[Stmt] | None:
    """The statements of a block with one region around its loops, which `worksharing` gives their
    directive; None where that would be wrong, or where there is one loop only."""
    try:
        if not _has_several_intervals(statements):
            return None
        return _Region(effects, worksharing, portable).of(statements)
    except _NotOne:
        return None


@final
@dataclass(slots=True)
class _Region:
    effects: EffectsOf
    worksharing: Callable[[CountedLoop], CountedLoop]
    portable: bool
    shared: set[Symbol] = field(default_factory=set[Symbol])  # declared in front of the region
    private: set[Symbol] = field(default_factory=set[Symbol])  # one for each thread of the team

    def of(self, statements: Sequence[Stmt]) -> list[Stmt]:
        if any(_leaves(statement) for statement in statements):
            raise _NotOne
        declared = list(_declared_by_the_team(statements))
        self.shared = self._memory(declared, statements)
        self.private = {v for one in declared for v in declared_in(one)} - self.shared
        outside, inside = self._split(statements)
        _check_names([one for one in outside if isinstance(one, Declare)], statements)
        body, _ = self._sequence(inside, False)
        region = Block(tuple(body), directive=self._directive(PARALLEL))
        return [*outside, region]

    # -- what stands in front of the region ------------------------------------------------------

    def _memory(self, declared: Iterable[Declare], statements: Iterable[Stmt]) -> set[Symbol]:
        """Which of the variables all threads have to see: those that parallel loops store to, and
        arrays that they name, whose elements belong to other threads in another loop."""
        written: set[Symbol] = set()
        through: set[Symbol | None] = set()
        named: set[Symbol] = set()
        for loop in _loops(statements):
            found = self.effects.of(loop)
            written |= found.writes
            through |= found.memory_writes
            named |= symbols_in(loop)
        variables = [variable for one in declared for variable in one.variables]
        arrays = {v.symbol for v in variables if v.suffix or not v.symbol.type.is_indirect}
        return {
            v.symbol
            for v in variables
            if v.symbol in written
            or is_memory(v.symbol)
            or v.symbol in arrays & through
            or (v.suffix and v.symbol in named)
        }

    def _split(self, statements: Sequence[Stmt]) -> tuple[list[Stmt], list[Stmt]]:
        """Declarations of memory, and all other statements."""
        outside: list[Stmt] = []
        inside: list[Stmt] = []
        for statement in statements:
            match statement:
                case DeclareTypes() if not inside:
                    outside.append(statement)
                case Text(parts=(str() as text, *_)) if text.startswith((*_ARRAYS, "assert(")):
                    self._check_outside(statement)
                    outside.append(statement)
                case Text(parts=(str() as text,)) if text.startswith("const std::size_t "):
                    outside.append(statement)
                case Declare(variables=variables) if self._is_shared(statement):
                    self._check_outside(statement)
                    if any(one.initial is not None for one in variables) and inside:
                        raise _NotOne
                    outside.append(statement)
                case _:
                    inside.append(self._without_memory(statement, outside))
        return outside, inside

    def _is_shared(self, declare: Declare) -> bool:
        """Does the declaration belong in front of the region?"""
        found = [variable.symbol in self.shared for variable in declare.variables]
        if any(found) and not all(found):
            raise _NotOne
        return all(found)

    def _without_memory(self, statement: Stmt, outside: list[Stmt]) -> Stmt:
        """`statement`, whose arrays of the block move to `outside`."""
        match statement:
            case Block(statements=inner):
                kept = self._without_memory_in(inner, outside)
                return replace(statement, statements=tuple(kept), form=Form.BUILT)
            case If(then=then, otherwise=otherwise) if any(_loops([statement])):
                first = self._without_memory(then, outside)
                other = None if otherwise is None else self._without_memory(otherwise, outside)
                return replace(statement, then=first, otherwise=other, form=Form.BUILT)
            case For(body=body) | While(body=body) | DoWhile(body=body) if any(_loops([statement])):
                inner = self._without_memory(body, outside)
                return replace(statement, body=inner, form=Form.BUILT)
            case _:
                return statement

    def _without_memory_in(self, statements: Sequence[Stmt], outside: list[Stmt]) -> list[Stmt]:
        kept: list[Stmt] = []
        for statement in statements:
            if isinstance(statement, Declare) and self._is_shared(statement):
                self._check_outside(statement)
                if any(variable.initial is not None for variable in statement.variables):
                    raise _NotOne
                outside.append(statement)
            elif isinstance(statement, Text) and _starts_with(statement, _ARRAYS):
                raise _NotOne
            else:
                kept.append(self._without_memory(statement, outside))
        return kept

    def _check_outside(self, statement: Stmt) -> None:
        """What stands in front of the region knows nothing of what the threads compute."""
        if symbols_in(statement) & self.private:
            raise _NotOne

    # -- the region ------------------------------------------------------------------------------

    def _sequence(self, statements: Iterable[Stmt], waits: bool) -> tuple[list[Stmt], bool]:
        """The statements as all threads go through them. `waits`: may one of them still read memory
        that a thread ahead of it must not change? Also whether that is so at the end."""
        result: list[Stmt] = []
        alone: list[Stmt] = []
        for statement in statements:
            if self._is_for_one(statement):
                alone.append(statement)
                continue
            if alone:
                result.extend(self._single(alone, waits))
                alone, waits = [], False
            done, waits = self._statement(statement, waits)
            result.extend(done)
        if alone:
            result.extend(self._single(alone, waits))
            waits = False
        return result, waits

    def _is_for_one(self, statement: Stmt) -> bool:
        """Does the statement change memory, which one thread does? The others wait for it."""
        if any(_loops([statement])):
            return False
        if isinstance(statement, Text):
            return _starts_with(statement, ("std::memset(",))
        found = self.effects.of(statement)
        if not self._changes_memory(found) or _leaves(statement):
            return False
        own = declared_in(statement)
        if isinstance(statement, (Declare, LocalFunction)) or found.writes - own - self.shared:
            raise _NotOne
        return True

    def _is_split(self, statement: Stmt) -> bool:
        """Do threads wait for each other inside of the statement? Where one thread has to do a part
        of it, and all go elsewhere afterwards, they do."""
        if any(_loops([statement])):
            return True
        return _leaves(statement) and self._changes_memory(self.effects.of(statement))

    def _single(self, statements: list[Stmt], waits: bool) -> list[Stmt]:
        body = statements[0] if len(statements) == 1 else None
        if not isinstance(body, Block) or body.directive:
            body = Block(tuple(statements))
        return [*self._barrier(waits), replace(body, directive=self._directive(SINGLE))]

    def _barrier(self, waits: bool) -> list[Stmt]:
        return [Text((f"#pragma {self._directive(BARRIER).text}",))] if waits else []

    def _statement(self, statement: Stmt, waits: bool) -> tuple[list[Stmt], bool]:
        match statement:
            case CountedLoop(directive=directive, lower=lower, upper=upper, step=step):
                header = [self.effects.of(part) for part in (lower, upper, step) if part]
                if directive.reductions or any(self._reads_memory(found) for found in header):
                    raise _NotOne
                return [*self._barrier(waits), self.worksharing(statement)], False
            case Text(parts=(str() as text,)) if _PARALLEL_FOR in text:
                loop = replace(statement, parts=(text.replace(_PARALLEL_FOR, "for"),))
                return [*self._barrier(waits), loop], False
            case Text() if _starts_with(statement, ("const int ",)):  # the lanes of a warp
                return [statement], self._value(statement) or waits
            case LocalFunction() | Text():
                raise _NotOne
            case Block(statements=inner) if not statement.directive:
                body, waits = self._sequence(inner, waits)
                return [replace(statement, statements=tuple(body), form=Form.BUILT)], waits
            case _ if not self._is_split(statement):
                return [statement], self._value(statement) or waits
            case If(condition=condition, then=then, otherwise=otherwise):
                waits = self._value(condition) or waits
                first, waits_then = self._sequence(statements_of(then), waits)
                other = () if otherwise is None else statements_of(otherwise)
                second, waits_else = self._sequence(other, waits)
                changed = replace(
                    statement,
                    then=block_of(first),
                    otherwise=None if otherwise is None else block_of(second),
                    form=Form.BUILT,
                )
                return [changed], waits_then or waits_else
            case For() | While() | DoWhile():
                return self._loop(statement, waits)
            case _:
                raise _NotOne

    def _loop(self, loop: For | While | DoWhile, waits: bool) -> tuple[list[Stmt], bool]:
        """A loop that all threads go through together."""
        reads = False
        if isinstance(loop, For):
            for part in (loop.initial, loop.condition, loop.increment):
                reads = (part is not None and self._value(part)) or reads
        else:
            reads = self._value(loop.condition)
        jumps = any(isinstance(node, Jump) for node in _team_level(loop.body))
        waits = waits or reads or jumps
        body, waits_behind = self._sequence(statements_of(loop.body), waits)
        if waits_behind and not waits:
            body, waits_behind = self._sequence(statements_of(loop.body), True)
            waits = True
        return [replace(loop, body=block_of(body), form=Form.BUILT)], waits

    def _value(self, node: Node) -> bool:
        """Does every thread read memory to evaluate it? It may only change what is the thread's."""
        found = self.effects.of(node)
        if self._changes_memory(found) or not self._changes_own(found, declared_in(node)):
            raise _NotOne
        return self._reads_memory(found)

    def _changes_memory(self, found: Effects) -> bool:
        return bool(found.memory_writes or found.side_effects or found.writes & self.shared)

    def _changes_own(self, found: Effects, own: set[Symbol]) -> bool:
        """Are all variables that change the thread's own?"""
        return found.writes <= self.private | own

    def _reads_memory(self, found: Effects) -> bool:
        return bool(found.memory_reads or found.reads & self.shared)

    def _directive(self, device: Directive) -> Directive:
        return for_both(device, NO_DIRECTIVE, self.portable)


def _has_several_intervals(statements: Sequence[Stmt]) -> bool:
    """Is there more than one interval, or one that is repeated?"""
    loops = list(_loops(statements))
    if len(loops) > 1:
        return True
    repeated = (
        node
        for statement in statements
        for node in _team_level(statement)
        if isinstance(node, (For, While, DoWhile))
    )
    return any(any(_loops([loop])) for loop in repeated)


def _team_level(statement: Stmt) -> Iterable[Stmt]:
    """The statement and what is inside of it, parallel loops and functions being closed."""
    yield statement
    match statement:
        case Block(statements=inner):
            for one in inner:
                yield from _team_level(one)
        case If(then=then, otherwise=otherwise):
            yield from _team_level(then)
            if otherwise is not None:
                yield from _team_level(otherwise)
        case For(initial=initial, body=body):
            if initial is not None:
                yield from _team_level(initial)
            yield from _team_level(body)
        case While(body=body) | DoWhile(body=body):
            yield from _team_level(body)
        case CountedLoop() | LocalFunction():
            pass
        case _ if any(isinstance(node, (CountedLoop, LocalFunction)) for node in walk(statement)):
            raise _NotOne
        case _:
            pass


def _loops(statements: Iterable[Stmt]) -> Iterable[CountedLoop]:
    """The parallel loops."""
    for statement in statements:
        for node in _team_level(statement):
            if isinstance(node, CountedLoop):
                yield node


def _declared_by_the_team(statements: Iterable[Stmt]) -> Iterable[Declare]:
    for statement in statements:
        for node in _team_level(statement):
            if isinstance(node, Declare):
                yield node


def _leaves(statement: Stmt) -> bool:
    """Does the block end early, or go elsewhere?"""

    def closed(node: Node) -> Node | None:
        return Empty() if isinstance(node, (CountedLoop, LocalFunction)) else None

    return leaves_beyond(rewrite(statement, closed), frozenset())


def _starts_with(statement: Text, prefixes: tuple[str, ...]) -> bool:
    match statement:
        case Text(parts=(str() as text, *_)):
            return text.startswith(prefixes)
        case _:
            return False


def _check_names(moved: Sequence[Declare], statements: Sequence[Stmt]) -> None:
    """Raise where a name would mean something else in front of the region."""
    every = {symbol for statement in statements for symbol in symbols_in(statement)}
    for declare in moved:
        for symbol in declared_in(declare):
            if any(other.name == symbol.name and other != symbol for other in every):
                raise _NotOne
