"""Guards inside a loop over threads become its bounds.

    for ty                                         for ty {
        for tx {                                       int y = by * TILE + ty;
            int x = bx * TILE + tx;                    if (y < height)
            int y = by * TILE + ty;            ->          for (tx < std::min(TILE, width - ...)) {
            if (x < width && y < height)                       int x = bx * TILE + tx;
                s[ty][tx] = in[y * width + x];                 s[ty][tx] = in[y * width + x];
        }                                                  }
                                                   }

    for tx                                         const int inside = std::clamp(n - k, 0, TILE);
        s[tx] = k + tx < n ? x[k + tx] : 0;    ->  for (tx < inside)
                                                       s[tx] = x[k + tx];
                                                   for (tx = inside; tx < TILE)
                                                       s[tx] = 0;
        (short rows: if (inside == TILE) a loop of TILE turns, which compilers unroll; else those)

    for tx {                                       for tx
        computed[tx] = false;                          computed[tx] = false;
        if (tx > low && tx <= high                 for (tx = max(0, low + 1);
            && flag[tx]) {                 ->           tx < min(high, TILE - 1) + 1)
            computed[tx] = true;                       if (flag[tx])
            s[tx] = x[tx];                                 computed[tx] = true, s[tx] = x[tx];
        }
    }

    for lane
        if (lane == 0) s[warp] = sum[lane];    ->  s[warp] = sum[0];

What only serves what a guard at the end lets through is done behind the guard.

A value that all threads load alike is loaded once: were it stored by one of them in the same
interval, the others would race with it.

Legal where the rest of the guard is the same in all turns, or stays a guard, and changes nothing:
the turns that do something are the same. Statements of one body may have loops of their own because
threads of an interval do not see each other, and what a thread keeps for itself goes through its
own elements; so may what stands behind `if (guard) continue;`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import isqrt
from typing import final

from g2o.analysis.definitions import constants_of
from g2o.analysis.effects import declared_in, statements_of, symbols_in
from g2o.analysis.jumps import leaves_beyond
from g2o.ir.comments import change_statements
from g2o.ir.directives import NO_DIRECTIVE, PARALLEL_FOR, SIMD, simd_where
from g2o.ir.expressions import (
    Binary,
    Builtin,
    Expr,
    Literal,
    VarRef,
    all_of,
    integer_value,
)
from g2o.ir.statements import (
    NO_TRIVIA,
    Block,
    CountedLoop,
    Declare,
    For,
    If,
    Stmt,
    Trivia,
    Variable,
    While,
)
from g2o.ir.symbols import Storage
from g2o.ir.traverse import children, walk, with_children
from g2o.ir.types import BOOL, INT
from g2o.lowering.chosen_loads import Choice, choice_of_load
from g2o.lowering.context import LoweringContext, substitute
from g2o.lowering.empty_turns import turns_with_work, with_plain_ends
from g2o.lowering.ends_of_loops import greatest, is_within_extent, least, with_least_ends
from g2o.lowering.first_turns import alike_in_all_turns, at_first, only_first_turn
from g2o.lowering.guards import conjuncts, only_continues
from g2o.lowering.halves import halves, has_one_edge
from g2o.lowering.in_place import (
    STAYING,
    collides,
    joined_trivia,
    with_trivia,
    without_braces,
    without_loop,
)
from g2o.lowering.index_arithmetic import is_int, is_unsigned
from g2o.lowering.indices import block_of
from g2o.lowering.lanes_above import with_lanes_above
from g2o.lowering.last_guards import under_last_guard
from g2o.lowering.loop_bodies import LoopBody
from g2o.lowering.simd import may_vectorise
from g2o.lowering.stride_loops import collapsed_loops, is_over_threads
from g2o.lowering.turn_guards import Guard, Guards, known_turns

_ZERO = Literal("0", 0, INT)
# Threads of a row whose usual case, all of them inside, gets a loop of constant length.
_LEAST_ROW, _MOST_ROW = 4, 64
_MOST_THREADS = 1024  # in a block


def bound_loops(statements: tuple[Stmt, ...], context: LoweringContext) -> tuple[Stmt, ...]:
    """Move guards of loops over threads into their bounds."""
    known = constants_of(block_of(statements), context.effects)
    guards = Guards(
        context.effects,
        context.counters,
        context.from_zero,
        context.kernel.shape.extents,
        frozenset(context.positive),
        known,
    )
    bounding = _Bounding(context, guards, collapsed_loops(statements))
    bounded = bounding.sequence(statements)
    match bounded:
        case (Block(statements=inner, trivia=trivia),) if bounded is not statements:
            return inner if trivia == NO_TRIVIA else bounded
        case _:
            return bounded


@final
@dataclass(frozen=True, slots=True)
class _Bounding:
    context: LoweringContext
    guards: Guards
    collapsed: set[int]

    def sequence(self, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        result: list[Stmt] = []
        for position, statement in enumerate(statements):
            if id(statement) in self.collapsed:  # the loop around it counts its turns, too
                result.append(self._inside(statement))
                continue
            others = (*result, *statements[position + 1 :])
            new = self._bounded(statement, others)
            if new is None:
                inner = self._inside(statement)
                new = None if inner is statement else self._bounded(inner, others)
                new = [inner] if new is None else new
            result.extend(one for some in new for one in self._without_idle_turns(some))
        same = len(result) == len(statements) and all(
            new is old for new, old in zip(result, statements, strict=True)
        )
        return statements if same else tuple(result)

    def _inside(self, statement: Stmt) -> Stmt:
        """`statement` with the loops in it bounded."""
        if isinstance(statement, Block):
            statements = self.sequence(statement.statements)
            match statements:
                case (Block(trivia=inner) as only,) if inner == NO_TRIVIA:
                    return only
                case _:
                    pass
            same = statements is statement.statements
            return statement if same else replace(statement, statements=statements)
        old = children(statement)
        new = tuple(
            self._where(statement, child)._child(child) if isinstance(child, Stmt) else child
            for child in old
        )
        same = all(after is before for after, before in zip(new, old, strict=True))
        return statement if same else with_children(statement, new)

    def _where(self, statement: Stmt, child: Stmt) -> _Bounding:
        """The same with what is known where a part of a statement stands."""
        holds: Expr | None = None
        match statement:
            case CountedLoop(index=index, upper=upper):
                holds = Binary("<", VarRef(index), upper, BOOL)
            case For(condition=condition, body=body) if child is body:
                holds = condition
            case While(condition=condition):
                holds = condition
            case If(condition=condition, then=then) if child is then:
                holds = condition
            case _:
                pass
        if holds is None:
            return self
        asked, done = self.context.effects.of(holds), self.context.effects.of(child)
        if not asked.is_pure or asked.memory_reads or done.writes & symbols_in(holds):
            return self
        known = [one for one, negated in conjuncts(holds, negate=False) if not negated]
        return replace(self, guards=self.guards.where(known))

    def _child(self, child: Stmt) -> Stmt:
        if isinstance(child, Block):
            return self._inside(child)
        statements = self.sequence((child,))
        return statements[0] if len(statements) == 1 else block_of(statements)

    def _bounded(self, statement: Stmt, others: tuple[Stmt, ...]) -> list[Stmt] | None:
        if not isinstance(statement, CountedLoop):
            return None
        new = self._loop(statement)
        return None if new is None or collides(new, others) else new

    def _without_idle_turns(self, statement: Stmt) -> list[Stmt]:
        if not isinstance(statement, CountedLoop) or statement.step is not None:
            return [statement]
        if not is_over_threads(statement, self.collapsed) or integer_value(statement.lower) != 0:
            return [statement]
        if not self.guards.has_a_turn(statement):
            return [statement]
        effects = self.context.effects
        first = only_first_turn(statement, effects)
        if first is not None:
            return [replace(first, trivia=statement.trivia)]
        if alike_in_all_turns(statement, effects):
            return without_loop(statement.body, statement.trivia)
        turns = turns_with_work(statement, effects)
        if turns == 1 or self._has_one_turn(statement):
            body = with_plain_ends(block_of(statements_of(statement.body)))
            done = at_first(body, statement.index, effects)
            return without_loop(with_least_ends(self._inside(done)), statement.trivia)
        if turns is None or turns >= (integer_value(statement.upper) or 0):
            return [statement]
        return [replace(statement, upper=Literal(str(turns), turns, INT))]

    def _has_one_turn(self, loop: CountedLoop) -> bool:
        """Is it `for (int warp = 0; warp < 1; ++warp)`, left at its end alone?"""
        stays = not any(leaves_beyond(one, frozenset()) for one in statements_of(loop.body))
        return integer_value(loop.upper) == 1 and stays and not loop.directive.is_parallel

    # -- one loop -------------------------------------------------------------------------------

    def _loop(self, loop: CountedLoop) -> list[Stmt] | None:
        if loop.directive == PARALLEL_FOR and loop.index.storage is Storage.INDEX:
            return self._shared_out(loop)
        if not is_over_threads(loop, self.collapsed) or loop.step is not None:
            return None
        if not (is_int(loop.index) or is_unsigned(loop.index)):
            return None
        body = self.guards.body(under_last_guard(loop, self.context.effects))
        if body is None:
            return None
        if integer_value(loop.lower) != 0:
            return self._part_of_threads(body)
        match body.rest:
            case (If(otherwise=None) as guarded,):
                return self._guarded(body, guarded, loop.trivia)
            case (If(then=then, otherwise=None) as leaving, *others) if only_continues(then):
                return self._behind(body, leaving, tuple(others), loop.trivia)
            case (If() as parted,) if is_int(loop.index):
                return self._in_two(body, parted) or self._chosen(body)
            case _:
                return self._chosen(body)

    def _part_of_threads(self, body: LoopBody) -> list[Stmt] | None:
        """A loop over some of the threads, whose body is `if (guard) then`."""
        match body.rest:
            case (If(otherwise=None) as guarded,) if is_int(body.loop.index):
                guard = self.guards.of(body, guarded.condition, negate=False)
            case _:
                return None
        if guard is None:
            return None
        trivia = joined_trivia(body.loop.trivia, guarded.trivia)
        then = statements_of(guarded.then)
        if guard.turn is not None:
            comes = integer_value(guard.turn) in known_turns(body.loop)
            return self._picked(body, guard, then, trivia) if comes else None
        return self._within(body, guard, then, trivia, fixed=guarded.is_constexpr)

    def _shared_out(self, loop: CountedLoop) -> list[Stmt] | None:
        """A loop that CPU threads share, whose body is `if (guard) then`: none where only one
        thread of the grid does something."""
        if loop.step is not None or not is_int(loop.index):
            return None
        body = self.guards.body(loop)
        match body.rest if body is not None else ():
            case (If(otherwise=None) as guarded,):
                pass
            case _:
                return None
        assert body is not None
        guard = self.guards.of(body, guarded.condition, negate=False)
        if guard is None:
            return None
        then, trivia = statements_of(guarded.then), joined_trivia(loop.trivia, guarded.trivia)
        if guard.turn is None:
            return self._within(body, guard, then, trivia, fixed=guarded.is_constexpr)
        return self._picked(body, guard, then, trivia) if integer_value(loop.lower) == 0 else None

    def _guarded(self, body: LoopBody, guarded: If, around: Trivia) -> list[Stmt] | None:
        """A loop whose body is `if (guard) then`; `around` it stands what stood around the loop."""
        guard = self.guards.of(body, guarded.condition, negate=False, any_turn=True)
        if guard is None:
            return None
        then, trivia = statements_of(guarded.then), joined_trivia(around, guarded.trivia)
        if guard.turn is not None:
            return self._picked(body, guard, then, trivia)
        return self._within(body, guard, then, trivia, fixed=guarded.is_constexpr)

    def _behind(
        self, body: LoopBody, leaving: If, then: tuple[Stmt, ...], around: Trivia
    ) -> list[Stmt] | None:
        """A loop whose body is `if (leaving) continue;` and then more."""
        guard = self.guards.of(body, leaving.condition, negate=True, any_turn=True)
        if guard is None or not then:
            return None
        trivia = joined_trivia(around, leaving.trivia)
        if guard.turn is not None:
            return self._picked(body, guard, then, trivia)
        return self._within(body, guard, then, trivia)

    def _within(
        self,
        body: LoopBody,
        guard: Guard,
        then: tuple[Stmt, ...],
        trivia: Trivia,
        *,
        fixed: bool = False,
    ) -> list[Stmt]:
        """The turns that pass the guard, which is `fixed` in each instance of a template."""
        loop = body.loop
        if guard.asked:
            then = (If(all_of(guard.asked), block_of(then)),)
        kinds = (loop.index, guard.floors, self.guards.is_never_negative)
        then = with_lanes_above(then, *kinds)
        loaded = [d.variables[0].symbol for d in body.needed(then) if self._is_loaded_once(body, d)]
        bounds = (*guard.uniform, *guard.limits, *guard.floors)
        moved = self._moved(body, (*bounds, *map(VarRef, loaded)))
        kept = with_lanes_above(tuple(d for d in body.needed(then) if d not in moved), *kinds)
        lower = greatest(loop.lower, guard.floors, self.guards.is_never_negative)
        upper = loop.upper
        for limit in sorted(guard.limits, key=is_within_extent, reverse=True):
            known = is_within_extent(limit) and upper == loop.upper
            upper = limit if known else least(upper, limit, loop.index.type)
        inner = block_of((*kept, *then))
        directive = loop.directive.without("simd") if loop.directive.is_parallel else NO_DIRECTIVE
        if may_vectorise(inner):
            directive = directive.with_simd()
        bounded: Stmt = replace(
            loop, lower=lower, upper=upper, body=inner, directive=directive, trivia=NO_TRIVIA
        )
        inside = replace(self, guards=self.guards.where(guard.uniform))
        parts = self._may_part(body, then)
        bounded = inside._child(bounded) if parts else inside._inside(bounded)
        if guard.uniform:
            bounded = If(all_of(guard.uniform), bounded, is_constexpr=fixed)
        return with_trivia([*moved, bounded], trivia)

    def _may_part(self, body: LoopBody, then: tuple[Stmt, ...]) -> bool:
        """Does it begin with a guard of its own, or does one turn do what stands at its end?"""
        acts = [one for one in then if not isinstance(one, Declare)]
        match acts:
            case [If(), *_]:
                return True
            case [*_, If(condition=condition, otherwise=None)]:
                guard = self.guards.of(body, condition, negate=False)
                inner = any(isinstance(node, CountedLoop | For) for s in then for node in walk(s))
                return guard is not None and guard.turn is not None and not inner
            case _:
                return False

    def _picked(
        self, body: LoopBody, guard: Guard, then: tuple[Stmt, ...], trivia: Trivia
    ) -> list[Stmt] | None:
        """Only one turn does something."""
        comes = None if guard.turn is None else self.guards.asked_of_turn(body.loop, guard.turn)
        if comes is None or guard.turn is None:
            return None
        uniform = (*comes, *guard.uniform)
        if any(leaves_beyond(statement, frozenset()) for statement in then):
            return None
        if guard.asked:
            then = (If(all_of(guard.asked), block_of(then)),)
        one, index = block_of((*body.needed(then), *then)), body.loop.index
        if integer_value(guard.turn) == 0:
            done = at_first(one, index, self.context.effects)
        elif index in symbols_in(one) and integer_value(guard.turn) is None:
            named = Declare((Variable(index, f"const {index.type.spelling}", "", guard.turn, "="),))
            done = Block((named, *one.statements))
        else:
            done = substitute(one, {index: guard.turn})
        if uniform:
            moved = self._moved(body, uniform)
            return with_trivia([*moved, If(all_of(uniform), done)], trivia)
        declares = any(isinstance(statement, Declare) for statement in done.statements)
        return with_trivia([done] if declares else list(done.statements), trivia)

    def _in_two(self, body: LoopBody, parted: If) -> list[Stmt] | None:
        """A loop whose body is `if (guard) then else otherwise`, as one for each of them."""
        guard = self.guards.of(body, parted.condition, negate=False)
        if guard is None or guard.asked or not has_one_edge(guard) or parted.otherwise is None:
            return None
        loops = [
            replace(body.loop, body=block_of((*body.needed(one), *one)), trivia=NO_TRIVIA)
            for one in (statements_of(parted.then), statements_of(parted.otherwise))
        ]
        if not all(may_vectorise(one.body) for one in loops):
            return None
        trivia = joined_trivia(body.loop.trivia, parted.trivia)
        moved = self._moved(body, (*guard.uniform, *guard.limits, *guard.floors))
        inside, outside = (replace(one, directive=SIMD) for one in loops)
        return with_trivia([*moved, *halves(guard, inside, outside, self.context.symbols)], trivia)

    def _chosen(self, body: LoopBody) -> list[Stmt] | None:
        """A loop of assignments, some of a value that the guard of a load chooses."""
        if not all(self._is_known(body, declare) for declare in body.declares):
            return None
        result: list[Stmt] = []
        plain: list[Stmt] = []
        alike: list[Choice] = []
        found = False
        for position, statement in enumerate(body.rest):
            behind = self._rest(body, body.rest[position:])
            if behind is not None:
                found = True
                result += [*self._halves(body, alike), *self._part(body, plain), *behind]
                plain, alike = [], []
                break
            chooses = is_int(body.loop.index)
            choice = choice_of_load(self.guards, body, statement) if chooses else None
            if choice is not None and alike and alike[0].guard == choice.guard:
                alike.append(replace(choice, inside=replace(choice.inside, trivia=choice.trivia)))
                continue
            result += self._halves(body, alike)
            alike = []
            if choice is not None:
                found = True
                result += self._part(body, plain)
                plain = []
                alike = [choice]
                continue
            own = self._own_loops(body, statement)
            if own is not None:
                found = True
                result += [*self._part(body, plain), *own]
                plain = []
            elif self._is_apart(statement):
                plain.append(statement)
            else:
                return None
        if not found:
            return None
        result += [*self._halves(body, alike), *self._part(body, plain)]
        loaded = [d for d in body.needed(body.rest) if self._is_loaded_once(body, d)]
        first = self._moved(body, [VarRef(d.variables[0].symbol) for d in loaded])
        moved = [d for d in body.declares if d in first or d in result]
        kept = change_statements(block_of(result), lambda one: None if one in moved else one)
        opened = [one for some in kept.statements for one in without_braces(some)]
        return with_trivia([*moved, *opened], body.loop.trivia)

    def _is_loaded_once(self, body: LoopBody, declare: Declare) -> bool:
        symbol = declare.variables[0].symbol
        return symbol in body.uniform and bool(self.context.effects.of(declare).memory_reads)

    def _is_known(self, body: LoopBody, declare: Declare) -> bool:
        """May the declaration be repeated in several loops?"""
        symbol = declare.variables[0].symbol
        return symbol in body.repeatable or symbol in body.uniform

    def _rest(self, body: LoopBody, statements: tuple[Stmt, ...]) -> list[Stmt] | None:
        """What follows `if (guard) continue;`."""
        match statements:
            case (If(then=then, otherwise=None) as leaving, *others) if only_continues(then):
                return self._behind(body, leaving, tuple(others), NO_TRIVIA)
            case _:
                return None

    def _own_loops(self, body: LoopBody, statement: Stmt) -> list[Stmt] | None:
        """The loops of a statement that has bounds of its own."""
        match statement:
            case If(otherwise=None):
                if not self._is_apart(statement):
                    return None
                return self._guarded(body, statement, NO_TRIVIA)
            case _:
                return None

    def _is_apart(self, statement: Stmt) -> bool:
        """May it stand in a loop of its own? It changes no variable that others see."""
        if isinstance(statement, STAYING) or leaves_beyond(statement, frozenset()):
            return False
        outer = self.context.effects.of(statement).writes - declared_in(statement)
        return not any(symbol.storage is Storage.LOCAL for symbol in outer)

    def _part(self, body: LoopBody, statements: list[Stmt]) -> list[Stmt]:
        """A loop of its own for some of the statements."""
        if not statements:
            return []
        inner = block_of((*body.needed(statements), *statements))
        directive = simd_where(may_vectorise(inner))
        return [replace(body.loop, body=inner, directive=directive, trivia=NO_TRIVIA)]

    def _halves(self, body: LoopBody, choices: list[Choice]) -> list[Stmt]:
        """The loops inside and outside of a guard that the choices have alike."""
        if not choices:
            return []
        guard = choices[0].guard
        moved = self._moved(body, (*guard.uniform, *guard.limits, *guard.floors))
        (inside,) = self._part(body, [one.inside for one in choices])
        (outside,) = self._part(body, [one.outside for one in choices])
        assert isinstance(inside, CountedLoop)
        assert isinstance(outside, CountedLoop)
        short = self._is_short_row(body.loop) and bool(guard.limits)
        made = halves(guard, inside, outside, self.context.symbols, short)
        return with_trivia([*moved, *made], choices[0].trivia)

    def _is_short_row(self, loop: CountedLoop) -> bool:
        """Is it one of the rows of a block whose length is constant?"""
        most = _most_threads(self.context, loop.upper)
        rows = len(self.context.axes[Builtin.THREAD_INDEX]) > 1
        return rows and most is not None and _LEAST_ROW <= most <= _MOST_ROW

    def _moved(self, body: LoopBody, nodes: Iterable[Expr]) -> list[Declare]:
        """The declarations that have to stand in front of the loop."""
        needed = body.needed(nodes)
        assert all(declare.variables[0].symbol in body.uniform for declare in needed)
        return needed


def _most_threads(context: LoweringContext, bound: Expr) -> int | None:
    """The most that a bound can be; None where nothing is known.

    A constant of unknown value that is the extent of a block in two axes is at most 32, and one of
    three axes at most 10.
    """
    known = integer_value(bound)
    if known is not None or not isinstance(bound, Literal):
        return known
    axes = context.kernel.shape.block.count(bound.text)
    if axes < 2:
        return None
    return isqrt(_MOST_THREADS) if axes == 2 else round(_MOST_THREADS ** (1 / 3))
