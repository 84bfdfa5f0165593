"""Fission of a kernel at its barriers: a loop over threads for each interval.

    buf[t] = x[i];            for (int t = 0; t < int(block.x); ++t)
    __syncthreads();              buf[t] = x[i];
    y[i] = buf[n - t];   ->   for (int t = 0; t < int(block.x); ++t)
                                  y[i] = buf[n - t];

Legal because threads of one interval see nothing of each other, so they may run in any order, and
because every thread finishes an interval before any enters the next. (Stratton et al., "MCUDA",
LCPC 2008; Moses et al., "High-Performance GPU-to-CPU Transpilation and Optimization via
High-Level Parallel Constructs", PPoPP 2023.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.analysis.definitions import hiding_others
from g2o.analysis.effects import EffectsOf, symbols_in
from g2o.analysis.uniformity import Uniformity, solve_uniformity
from g2o.diagnostics.diagnostic import Outcome, refuse
from g2o.ir.comments import around_both
from g2o.ir.expressions import Assign, Call, Expr, Literal, negated
from g2o.ir.flags import FALSE, TRUE
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    DeclareTypes,
    DoWhile,
    Empty,
    Exchange,
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
    Trivia,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import N, rewrite, walk
from g2o.ir.types import BOOL
from g2o.lowering.bound_values import own_bound_values
from g2o.lowering.context import LoweringContext
from g2o.lowering.exchange_values import votes_in
from g2o.lowering.exchanges import asked_from_outside, detach_exchanges
from g2o.lowering.flat import without_returns
from g2o.lowering.gated_values import gated_values
from g2o.lowering.guards import returning_guard
from g2o.lowering.indices import block_of, written_after_declaration
from g2o.lowering.initialisers import element_type, kept_variable
from g2o.lowering.intervals import (
    Interval,
    IntervalBuilder,
    Item,
    Once,
    Structured,
    intervals_in,
    structured_in,
    waits_below,
)
from g2o.lowering.kept_arrays import (
    array_of_objects,
    arrays_for,
    declared_once,
    shuffled,
    without_unneeded,
    zeroed,
)
from g2o.lowering.kept_values import in_threads, outside_threads
from g2o.lowering.loop_heads import in_waiting_heads, with_own_heads
from g2o.lowering.narrow_scopes import narrow_scopes
from g2o.lowering.objects_kept import refuse_objects_over_barriers
from g2o.lowering.open_types import open_types
from g2o.lowering.predication import Predication
from g2o.lowering.privates import PrivateAnalysis, Privates, needed_first
from g2o.lowering.returns import returns_as_branches
from g2o.lowering.thread_group import ThreadGroup

_CONTINUE = Jump(JumpKind.CONTINUE)
_DECLARING: Final = (Declare, DeclareTypes, LocalFunction, Labelled)


Shorten = Callable[[Stmt, list[Stmt], list[Item], set[Symbol]], "list[Stmt] | None"]
Interchange = Callable[[list[Stmt], set[Symbol]], "list[Stmt] | None"]
LowerSmaller = Callable[[tuple[Stmt, ...]], "list[Stmt]"]


@final
@dataclass(slots=True)
class FissionResult:
    """`allocations` declare the arrays of private values; `leaves_early`: some `return` ends the
    whole group from inside a loop."""

    allocations: list[Stmt]
    statements: list[Stmt]
    leaves_early: bool


@final
@dataclass(slots=True)
class Fission:
    """Fission of `statements` for one group of threads.

    `lower_smaller` lowers intervals in which smaller groups of threads work together. `shorten`
    may give a shorter loop for an interval that is one condition, `interchange` put sequential
    loops outside of the loop over threads.
    """

    context: LoweringContext
    group: ThreadGroup
    constant_memory: set[Symbol]
    lower_smaller: LowerSmaller | None = None
    shorten: Shorten | None = None
    interchange: Interchange | None = None
    done: Symbol | None = None
    leaves_early: bool = False
    arrays: dict[Symbol, Symbol] = field(default_factory=dict[Symbol, Symbol])
    guards: dict[int, list[Stmt]] = field(default_factory=dict[int, "list[Stmt]"])
    left: set[int] = field(default_factory=set[int])  # intervals that look at `done`
    origins: dict[Symbol, Symbol] = field(default_factory=dict[Symbol, Symbol])
    items: list[Item] = field(default_factory=list["Item"])
    once: set[Symbol] = field(default_factory=set[Symbol])
    written: set[Symbol] = field(default_factory=set[Symbol])
    privates: Privates = field(default_factory=Privates)
    votes: dict[Symbol, str] = field(default_factory=dict[Symbol, str])  # on what, and how
    partly_set: set[Symbol] = field(default_factory=set[Symbol])
    copied: set[Symbol] = field(default_factory=set[Symbol])  # arrays that start with their values
    last: int = 0
    effects: EffectsOf = field(init=False)

    def run(self, statements: tuple[Stmt, ...]) -> FissionResult:
        context, group = self.context, self.group
        varying = set(group.described)
        # Nobody keeps the indices of threads in an array that others could look into.
        indices = varying - symbols_in(group.current())
        apart = indices | asked_from_outside(statements)
        body = block_of(detach_exchanges(list(statements), apart, context.symbols))
        uniformity = self._uniformity(body)
        disputed = in_waiting_heads(body, group.scope) & uniformity.varying
        narrowed = narrow_scopes(body, disputed, self.effects, context.symbols, self.origins)
        if narrowed is not body:
            body = narrowed
            uniformity = self._uniformity(body)
        values = solve_uniformity(body, group.scope, self.effects, varying, control=False)
        predication = Predication(uniformity, values, context.symbols, group.scope)
        predicated = predication.whole(body.statements)
        self.partly_set = predication.partly_set
        if group.lacks_threads:
            self.partly_set |= shuffled(body, self.origins)
        if predication.changed:
            body = block_of(predicated)
            uniformity = self._uniformity(body)
        self.votes = votes_in(body)
        while True:
            self._analyse(body, uniformity)
            rewritten = self._with_less_to_keep(body)
            if rewritten is body:
                break
            body = rewritten
            uniformity = self._uniformity(body)
        refuse_objects_over_barriers(body, self.privates.kept)
        hiding = hiding_others(body, context.kernel.function.parameters, self.origins)
        self.arrays = arrays_for(self.privates, self.origins, context.symbols, hiding)
        if self.left:
            self.done = self.context.symbols.fresh("done", BOOL, Storage.LOCAL)
        self._note_result()
        owners = {self.arrays[symbol]: symbol for symbol in reversed(self.privates.kept)}
        types = open_types(body, self.privates.kept, context.symbols)
        arrays = [self._allocation(one, types.named) for one in reversed(owners.values())]
        allocations = [*types.statements, *arrays]
        emitted = [*self._done_flags(), *self._items(self.items, in_loop=False)]
        extents = _declared_first(emitted, allocations)
        moved = set(map(id, extents))
        rest = [one for one in emitted if id(one) not in moved]
        return FissionResult([*extents, *allocations], rest, self.leaves_early)

    def _uniformity(self, body: Block) -> Uniformity:
        self.effects = self.context.effects.within(body)
        varying = set(self.group.described)
        return solve_uniformity(body, self.group.scope, self.effects, varying)

    def _analyse(self, body: Block, uniformity: Uniformity) -> None:
        """Cut `body` into intervals and find what threads keep between them."""
        builder = IntervalBuilder(uniformity, self.effects, self.group)
        self.items = builder.build(body.statements)
        self.once = builder.once_symbols
        self.written = written_after_declaration(body, self.effects)
        self.last = max((interval.number for interval in intervals_in(self.items)), default=0)
        self._plan_guards()
        self.privates = PrivateAnalysis(
            self.items,
            self.effects,
            self.effects.memory,
            self.once,
            self.written,
            self.constant_memory,
            {number: symbols_in(block_of(guards)) for number, guards in self.guards.items()},
        ).solve()

    def _with_less_to_keep(self, body: Block) -> Block:
        """`body` with variables in the scopes that they need, and with loops whose heads change
        what threads keep for themselves opened."""
        kept = set(self.privates.kept)
        effects, symbols = self.effects, self.context.symbols
        narrowed = narrow_scopes(body, kept, effects, symbols, self.origins)
        if narrowed is not body:
            return narrowed
        owned = own_bound_values(body, kept, effects.memory, symbols)
        if owned is not body:
            return owned
        gated = gated_values(body, self.privates.kept, effects, symbols)
        if gated is not body:
            return gated
        loops = [
            item.statement
            for item in structured_in(self.items)
            if isinstance(item.statement, (For, While, DoWhile))
        ]
        return with_own_heads(body, loops, kept, self.once, effects, symbols)

    def _note_result(self) -> None:
        """Remark on the cuts, and on how values get across them."""
        scope = self.group.scope.value
        if self.last > 1:
            message = f"cut into {self.last} loops over the threads of a {scope}"
            self.context.note(Outcome.PASSED, "G2O0311", message, None)
        again = {
            variable.symbol: variable
            for statements in self.privates.again.values()
            for statement in statements
            for variable in statement.variables
        }
        for symbol, variable in again.items():
            message = f"'{symbol.name}' is computed again behind a barrier"
            self.context.note(Outcome.PASSED, "G2O0306", message, variable.span)
        for symbol in self.privates.kept:
            variable = self.privates.declarations[symbol]
            message = f"'{symbol.name}' lives across a barrier: an array with an element per thread"
            self.context.note(Outcome.MISSED, "G2O0306", message, variable.span)

    # -- threads that have left -----------------------------------------------------------------

    def _plan_guards(self) -> None:
        """What keeps threads that have returned out of later intervals.

        A condition that every interval can compute again, or else the flag `done`, which says all.
        """
        loops = [
            (s.first_interval, max((i.number for p in s.parts for i in intervals_in(p)), default=0))
            for s in structured_in(self.items)
            if isinstance(s.statement, (For, While, DoWhile))
        ]
        guards: list[tuple[int, Stmt]] = []
        behind: set[int] = set()
        recorded = False
        for interval in intervals_in(self.items):
            for statement in interval.statements:
                if not any(isinstance(node, Return) for node in walk(statement)):
                    continue
                around = [loop for loop in loops if loop[0] <= interval.number <= loop[1]]
                if interval.number == self.last and not around:
                    continue
                next_one = min((first for first, _ in around), default=interval.number + 1)
                behind.update(range(next_one, self.last + 1))
                condition = returning_guard(statement)
                if condition is not None and not around and self._is_repeatable(condition):
                    guards.append((interval.number, If(condition, self._skip())))
                else:
                    recorded = True
        self.left = behind if recorded else set()
        self.guards = {
            interval.number: []
            if recorded
            else [guard for number, guard in guards if number < interval.number]
            for interval in intervals_in(self.items)
        }

    def _skip(self) -> Stmt:
        """What a thread does in an interval after it has returned."""
        return Return() if self.group.scope is Scope.GRID else _CONTINUE

    def _done_flags(self) -> list[Stmt]:
        if self.done is None:
            return []
        array = Variable(self.done, "bool")
        clear = ExprStatement(Assign("=", self.group.element(self.done), Literal("false")))
        return [self.group.allocate(array, "bool", self.done), self.group.loop((clear,))]

    def _is_repeatable(self, condition: Expr) -> bool:
        found = self.effects.of(condition)
        if not found.is_pure or found.memory_reads or found.reads & self.written:
            return False
        return not any(isinstance(node, Call) for node in walk(condition))

    # -- private arrays -------------------------------------------------------------------------

    def _allocation(self, symbol: Symbol, types: Mapping[Symbol, str]) -> Stmt:
        variable = kept_variable(self.privates.declarations[symbol])
        array = self.arrays[symbol]
        if not self.context.device and self.group.scope is not Scope.GRID:
            element, size = self.group.element(array), self.group.size()
            made = array_of_objects(variable, array, element, size, self.context.kernel.body)
            if made is not None:
                objects, has_values = made
                self.copied |= {symbol} & set(declared_once(self.items)) if has_values else set()
                return objects
        spelled = types.get(symbol) or element_type(variable)
        declared = self.group.allocate(variable, spelled, array)
        if self.origins.get(symbol, symbol) not in self.partly_set or not isinstance(
            declared, Declare
        ):
            return declared
        return zeroed(declared, symbol.type)

    def _privatise(self, node: N) -> N:
        return in_threads(node, self.arrays, self.copied, self.group)

    def _outside(self, node: N) -> N:
        return outside_threads(node, self.arrays, self.group)

    # -- items ----------------------------------------------------------------------------------

    def _items(self, items: list[Item], in_loop: bool) -> list[Stmt]:
        result: list[Stmt] = []
        for item in items:
            match item:
                case Interval():
                    result.extend(self._interval(item))
                case Once(statement=statement):
                    result.append(self._outside(statement))
                case Structured(statement=Block() as block, parts=(inside, *_)):
                    result.extend(_without_braces(self._items(inside, in_loop), block.trivia))
                case Structured():
                    result.append(self._structured(item, in_loop))
        return result

    def _body(self, part: list[Item], in_loop: bool) -> Stmt:
        return block_of(self._items(part, in_loop))

    def _structured(self, item: Structured, in_loop: bool) -> Stmt:
        statement = item.statement
        trivia = statement.trivia
        match statement:
            case Return():
                return replace(self._leave(in_loop), trivia=trivia)
            case Jump():
                return statement
            case If(condition=condition) if returning_guard(statement) is not None:
                asked, leave = self._outside(condition), self._leave(in_loop)
                return If(asked, leave, is_constexpr=statement.is_constexpr, trivia=trivia)
            case If(condition=condition):
                bodies = [self._body(part, in_loop) for part in item.parts]
                otherwise = bodies[1] if len(bodies) > 1 else None
                fixed = statement.is_constexpr
                asked = self._outside(condition)
                return If(asked, bodies[0], otherwise, is_constexpr=fixed, trivia=trivia)
            case For(initial=initial, condition=condition, increment=increment):
                return For(
                    None if initial is None else self._outside(initial),
                    None if condition is None else self._outside(condition),
                    None if increment is None else self._outside(increment),
                    self._body(item.parts[0], True),
                    trivia=trivia,
                )
            case While(condition=condition):
                body = self._body(item.parts[0], True)
                return While(self._outside(condition), body, trivia=trivia)
            case DoWhile(condition=condition):
                body = self._body(item.parts[0], True)
                return DoWhile(body, self._outside(condition), trivia=trivia)
            case Switch(condition=condition):
                body = self._body(item.parts[0], True)
                return Switch(self._outside(condition), body, trivia=trivia)
            case Labelled(label=label, value=value):
                inner = self._items(item.parts[0], in_loop)
                body = inner[0] if len(inner) == 1 else block_of(inner)
                return Labelled(label, value, body, trivia=trivia)
            case Exchange(operation=operation):
                raise refuse("G2O0205", f"'{operation}' at this place", statement.span)
            case _:
                raise refuse("G2O0203", "control flow with a barrier", statement.span)

    def _leave(self, in_loop: bool) -> Jump | Return:
        """End this group of threads: `continue` where the loop over groups is the innermost."""
        if not in_loop:
            return Jump(JumpKind.CONTINUE)
        self.leaves_early = True
        return Return()

    # -- intervals ------------------------------------------------------------------------------

    def _interval(self, interval: Interval) -> list[Stmt]:
        kept = set(self.arrays)
        needed = without_unneeded(tuple(interval.statements), self.privates.repeatable)
        own = detach_exchanges(list(needed), kept, self.context.symbols)
        statements = [self._privatise(s) for s in own]
        statements = [s for s in statements if not isinstance(s, Empty) or s.trivia.before]
        if all(map(_only_waits, statements)):
            return [statement for statement in statements if isinstance(statement, Empty)]
        again: list[Stmt] = [
            self._privatise(d) for d in self.privates.again.get(interval.number, [])
        ]
        guards = [self._privatise(g) for g in self.guards.get(interval.number, [])]
        if self.done is not None and interval.number in self.left:
            guards.append(If(self.group.element(self.done), self._skip()))
        if self.lower_smaller and any(waits_below(s, self.group.scope) for s in statements):
            return self._smaller(again, guards, statements)
        if self.interchange is not None and not guards and self.done is None:
            rows = self.interchange([*again, *statements], self.once)
            if rows is not None:
                return rows
        if self.done is not None:
            statements = [self._record_done(s) for s in statements]
        if not guards and len(statements) == 1 and self.shorten is not None:
            shorter = self.shorten(statements[0], again, self.items, self.once)
            if shorter is not None:
                return shorter
        first = needed_first(again, guards)
        rest = [declare for declare in again if declare not in first]
        if guards:
            first = [*first, *self._abstentions(statements)]
        body = (*first, *guards, *rest, *statements)
        if self.group.scope is Scope.GRID:
            return [self.group.loop(body)]
        body, functions = without_returns(self.context, body, list(self.group.described))
        return [*functions, self.group.loop(body)]

    def _abstentions(self, statements: list[Stmt]) -> list[Stmt]:
        """What threads that have returned say in the votes that others prepare here."""
        elements = {
            symbol: self.group.element(array)
            for symbol, array in self.arrays.items()
            if symbol in self.votes
        }
        return [
            ExprStatement(Assign("=", element, TRUE if self.votes[symbol] == "all" else FALSE))
            for symbol, element in elements.items()
            if any(
                isinstance(node, Assign) and node.target == element
                for statement in statements
                for node in walk(statement)
            )
        ]

    def _smaller(self, again: list[Stmt], guards: list[Stmt], statements: list[Stmt]) -> list[Stmt]:
        """An interval in which smaller groups of threads work together."""
        assert self.lower_smaller is not None
        if self.done is not None:
            statements = [self._record_done(s) for s in statements]
        effects = self.context.effects
        left = again
        asked: list[tuple[list[Stmt], If]] = []
        for guard in guards:
            assert isinstance(guard, If)
            first = needed_first(left, [guard])
            left = [one for one in left if one not in first]
            asked.append((first, guard))
        body: tuple[Stmt, ...] = (*left, *returns_as_branches(tuple(statements), effects))
        for first, guard in reversed(asked):
            body = (*first, If(negated(guard.condition), block_of(body)))
        return self.lower_smaller(body)

    def _record_done(self, statement: Stmt) -> Stmt:
        assert self.done is not None
        flag = ExprStatement(Assign("=", self.group.element(self.done), Literal("true")))

        def replacement(node: Node) -> Node | None:
            return block_of((flag, Return())) if isinstance(node, Return) else None

        return rewrite(statement, replacement)


def _without_braces(statements: list[Stmt], around: Trivia) -> list[Stmt]:
    """The statements of a block, which is one where it declares something."""
    if not statements or any(isinstance(one, _DECLARING) for one in statements):
        return [Block(tuple(statements), trivia=around)]
    first, *rest = statements
    first = replace(first, trivia=around_both(around, first.trivia))
    return [first, *rest]


def _declared_first(statements: list[Stmt], allocations: list[Stmt]) -> list[Stmt]:
    """The constants of `statements` that extents of arrays name, with what they name in turn."""
    named = set[Symbol]().union(*map(symbols_in, allocations))
    found: list[Stmt] = []
    for statement in reversed(statements):
        match statement:
            case Declare(variables=variables) if any(one.symbol in named for one in variables):
                found.append(statement)
                named |= symbols_in(statement)
            case _:
                pass
    return found[::-1]


def _only_waits(statement: Stmt) -> bool:
    """Does a thread do nothing in it but wait for those of its warp?"""
    if isinstance(statement, Block):
        return all(map(_only_waits, statement.statements))
    return isinstance(statement, (Empty, Barrier))
