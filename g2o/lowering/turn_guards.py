"""What the guards inside a loop over threads ask of its index.

int x = bx * TILE + tx;
if (x < width && y < height)        `y < height` is the same in all turns, and
    s[tx] = in[y * width + x];      `width - bx * TILE` a limit of tx

bool valid = tx >= first && tx <= last;
if (valid)                          from `first` to below `std::min(last, TILE - 1) + 1`
    s[tx] = 0;
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import final

from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.analysis.positions import minimum_of, polynomial_of
from g2o.ir.expressions import (
    Binary,
    Cast,
    Code,
    Expr,
    Form,
    Literal,
    Member,
    Unary,
    VarRef,
    integer_value,
    negated,
    strip_parens,
)
from g2o.ir.single_declarations import apart
from g2o.ir.statements import Block, CountedLoop, Declare, Empty, If, Return, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import BOOL, INT, CType, TypeKind
from g2o.lowering.context import DIM3
from g2o.lowering.counted_conditions import WARP, counted
from g2o.lowering.ends_of_loops import is_above_zero, is_never_zero
from g2o.lowering.guards import conjuncts, is_truth
from g2o.lowering.index_arithmetic import (
    difference,
    expanded,
    is_int,
    is_signed,
    is_unsigned,
    may_trap,
    next_number,
    plain_operand,
    previous_number,
    trapping,
    without_index,
)
from g2o.lowering.loop_bodies import LoopBody
from g2o.lowering.thread_group import LANES
from g2o.lowering.turn_limits import Limits

_ZERO = Literal("0", 0, INT)


@final
@dataclass(frozen=True, slots=True)
class Guard:
    """`uniform` conditions are the same in all turns, the index is below all `limits` and none of
    the `floors` is above it. Where only one `turn` passes, there are none of these. `asked` is what
    turns have to fulfil besides.
    """

    uniform: tuple[Expr, ...]
    limits: tuple[Expr, ...] = ()
    floors: tuple[Expr, ...] = ()
    turn: Expr | None = None
    asked: tuple[Expr, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Guards:
    """Reads the guards of loop bodies."""

    effects: EffectsOf
    counters: frozenset[Symbol]  # never the largest number of their type
    from_zero: frozenset[Symbol] = frozenset()  # counters that are never negative
    extents: frozenset[str] = frozenset()  # constants that are numbers of threads
    positive: frozenset[Symbol] = frozenset()  # numbers of threads that are never 0
    constants: Mapping[Symbol, Expr] = field(default_factory=dict[Symbol, Expr])
    holds: tuple[Expr, ...] = ()  # what is known where the loops stand

    def where(self, conditions: Iterable[Expr]) -> Guards:
        """The same for loops that stand where these hold."""
        return replace(self, holds=(*self.holds, *conditions))

    @property
    def limits(self) -> Limits:
        """What reads comparisons with the index."""
        return Limits(self.is_uniform, self.counters, self.from_zero, self.extents, self.constants)

    def is_never_negative(self, expr: Expr) -> bool:
        """Is it made of what is never negative?"""
        return self.limits.is_never_negative(expr)

    def body(self, loop: CountedLoop) -> LoopBody | None:
        declares: list[Declare] = []
        statements = statements_of(loop.body)
        leading = 0
        while leading < len(statements) and isinstance(statements[leading], Declare):
            single = (one for one in apart(statements[leading]) if isinstance(one, Declare))
            declares.extend(single)
            leading += 1
        rest = _with_comments_inside(statements[leading:])
        if not rest or any(isinstance(node, Return) for s in rest for node in walk(s)):
            return None
        done = self.effects.of_all(rest)
        written, acts = done.writes, done.side_effects
        body = LoopBody(loop, declares, rest, varying={loop.index, *written})
        for declare in declares:
            (variable,) = declare.variables
            symbol, initial = variable.symbol, variable.initial
            if not self._is_optional(declare, symbol):
                return None  # turns that do nothing else have to do it
            if initial is None or symbol in written or not symbol.type.is_arithmetic:
                body.varying.add(symbol)
                if initial is not None and symbol not in written and self._is_lead(variable):
                    body.repeatable.add(symbol)
                continue
            divided = trapping(initial)
            if self.has_a_turn(loop):
                body.divided += divided
            found = self.effects.of(initial)
            loads = bool(found.memory_reads)
            varies = bool(symbols_in(initial) & body.varying)
            varies = varies or any(one not in body.divided for one in divided)
            if not found.is_pure or (loads and (varies or acts or not self.has_a_turn(loop))):
                body.varying.add(symbol)
            elif varies:
                body.varying.add(symbol)
                if not loads and symbol.type.kind in (TypeKind.INTEGER, TypeKind.BOOL):
                    body.repeatable.add(symbol)
                if symbol.type.kind is TypeKind.INTEGER and symbol.type.bits >= INT.bits:
                    body.numbers[symbol] = initial
                if symbol.type.kind is TypeKind.BOOL or is_truth(initial):
                    body.conditions[symbol] = initial  # C keeps them in integers
                elif is_int(symbol):
                    body.values[symbol] = expanded(initial, body.values)
                elif is_unsigned(symbol):
                    body.unsigned[symbol] = expanded(initial, body.values)
                elif _is_wide(symbol.type) and is_signed(initial):
                    body.wide[symbol] = expanded(initial, body.values)
            else:
                body.uniform[symbol] = declare
        return body

    def _is_lead(self, variable: Variable) -> bool:
        """Is it a pointer that is worked out from others, without a look into memory?"""
        if variable.symbol.type.kind is not TypeKind.POINTER or variable.initial is None:
            return False
        found = self.effects.of(variable.initial)
        return found.is_pure and not found.memory_reads and not trapping(variable.initial)

    def _is_optional(self, declare: Declare, symbol: Symbol) -> bool:
        """Does the declaration do nothing that shows where nobody uses the variable?"""
        found = self.effects.of(declare)
        return not found.side_effects and not found.memory_writes and found.writes <= {symbol}

    def of(
        self, body: LoopBody, condition: Expr, negate: bool, *, any_turn: bool = False
    ) -> Guard | None:
        """`any_turn`: the one turn that passes may be one of which it has to be asked whether the
        loop comes to it."""
        uniform: list[Expr] = []
        varying: list[Expr] = []
        turn: Expr | None = None
        for conjunct, inverted in _all_conjuncts(condition, negate, body.conditions):
            holds = negated(conjunct) if inverted else conjunct
            if self.is_uniform(body, holds):
                uniform.append(holds)
                continue
            rest = self._picked_by(body, holds)
            first = rest is not None or self._is_first(body, holds)
            only = _ZERO if first else self._only_turn(body, holds)
            if only is None and any_turn:
                only = self._turn_of_all(body, holds)
            if only is None or turn not in (None, only):
                varying.append(holds)
                continue
            turn = only
            uniform.extend(rest or ())
        if turn is not None:
            pure = all(self.effects.is_pure(one) for one in varying)
            return Guard(tuple(uniform), turn=turn, asked=tuple(varying)) if pure else None
        limits: list[Expr] = []
        floors: list[Expr] = []
        asked: list[Expr] = []
        for one in varying:
            limit, floor = self.limits.limit(body, one), self.limits.floor(body, one)
            limits += [] if limit is None else [limit]
            floors += [] if floor is None else [floor]
            asked += [one] if limit is floor is None else []
        found = counted(asked, body.loop, {**body.numbers, **body.conditions})
        if found is not None:
            easy = [one for one in varying if one not in asked]
            asked = list(found.asked)
            if found.end == found.first + 1 and self._comes_to(body.loop, found.first):
                turn, rest = _number(found.first), (*easy, *asked)
                is_pure = all(self.effects.is_pure(one) for one in rest)
                return Guard(tuple(uniform), turn=turn, asked=rest) if is_pure else None
            floors += [_number(found.first)] if found.first > found.turns.start else []
            limits += [_number(found.end)] if found.end < found.turns.stop else []
        is_pure = all(self.effects.is_pure(one) for one in asked)
        if asked and not (is_pure and (limits or floors)):
            return None
        return Guard(tuple(uniform), tuple(limits), tuple(floors), asked=tuple(asked))

    def _is_first(self, body: LoopBody, condition: Expr) -> bool:
        """Is the index below 1, in a loop from 0?"""
        limit = self.limits.limit(body, condition) if integer_value(body.loop.lower) == 0 else None
        return limit is not None and integer_value(limit) == 1

    def _comes_to(self, loop: CountedLoop, turn: int) -> bool:
        """Is there a turn of that number, or can it be asked whether there is?"""
        if integer_value(loop.lower) == 0 and (turn == 0 or self.has_a_turn(loop)):
            return True
        return turn in known_turns(loop)

    def _only_turn(self, body: LoopBody, condition: Expr) -> Expr | None:
        """The number that `condition` asks the index to be, where there is such a turn."""
        if self._asks_for_last(body, condition):
            return previous_number(body.loop.upper)
        if not isinstance(condition, Binary) or condition.op != "==":
            return None
        sides = (strip_parens(condition.left), strip_parens(condition.right))
        named = next((one for one in sides if integer_value(one) is None), None)
        number = next((one for one in sides if integer_value(one) is not None), None)
        last = next((one for one in sides if _is_last(one, body.loop)), None)
        if number is None and last is not None and self.has_a_turn(body.loop):
            others = [one for one in sides if one is not last]
            one = expanded(others[0], body.same) if len(others) == 1 else None
            at = None if one is None else without_index(one, body.loop.index)
            is_index = at is not None and integer_value(at) == 0
            return previous_number(body.loop.upper) if is_index else None
        if named is None or number is None:
            return None
        offset = without_index(expanded(named, body.same), body.loop.index)
        if offset is None or integer_value(offset) != 0:
            return None
        turns = WARP if body.loop.upper == LANES else integer_value(body.loop.upper)
        value = integer_value(number)
        if value is None or not turns or not 0 < value < turns:
            return None
        return number if is_signed(number) else Literal(str(value), value, INT)

    def _turn_of_all(self, body: LoopBody, condition: Expr) -> Expr | None:
        """The number, the same in all turns, that `condition` asks the index to be."""
        loop = body.loop
        if not isinstance(condition, Binary) or condition.op != "==":
            return None
        if integer_value(loop.lower) != 0 or not is_int(loop.index):
            return None
        for index, number in (
            (condition.left, condition.right),
            (condition.right, condition.left),
        ):
            offset = without_index(expanded(strip_parens(index), body.same), loop.index)
            bare = strip_parens(number)
            plain = isinstance(bare, VarRef) and is_int(bare.symbol)
            if offset is not None and integer_value(offset) == 0 and plain:
                return bare if self.is_uniform(body, bare) else None
        return None

    def _asks_for_last(self, body: LoopBody, condition: Expr) -> bool:
        """Is it the last turn that one of several conditions asks for, whichever comes first?

        `index == TILE - 1 || first + index == n - 1` in a loop to `min(TILE, n - first)`.
        """
        loop = body.loop
        if not is_int(loop.index) or integer_value(loop.lower) != 0:
            return False
        ends: list[Expr] = []
        for one in _alternatives(condition):
            match one:
                case Binary(op="==", left=left, right=right):
                    found = self._end_of(body, left, right) or self._end_of(body, right, left)
                case _:
                    return False
            if found is None:
                return False
            ends.append(found)
        limits = minimum_of(loop.upper) or [loop.upper]
        known, asked = ([polynomial_of(one, {}) for one in some] for some in (limits, ends))
        return None not in known and len(known) == len(asked) and set(known) == set(asked)

    def _end_of(self, body: LoopBody, index: Expr, last: Expr) -> Expr | None:
        """Where a loop ends whose last index is that, with what is added to it."""
        offset = self.limits.offset(body, index, last)
        if offset is None:
            return None
        return strip_parens(difference(next_number(strip_parens(last)), offset))

    def _picked_by(self, body: LoopBody, condition: Expr) -> tuple[Expr, ...] | None:
        """What has to hold besides where `condition` asks for the first turn; None where it does
        not.

        `index == 0`, and `k * n + index == 0` with another index k, which is `k == 0` besides:
        neither of the two is ever negative.
        """
        match condition:
            case Binary(op="==", left=left, right=right):
                sides = (strip_parens(left), strip_parens(right))
            case Unary(op="!", operand=operand):
                sides = (strip_parens(operand), _ZERO)
            case _:
                return None
        named = next((side for side in sides if integer_value(side) != 0), None)
        if named is None or not any(integer_value(side) == 0 for side in sides):
            return None
        before = without_index(expanded(named, body.same), body.loop.index)
        if before is None or not self.is_uniform(body, before) or not is_signed(before):
            return None
        if integer_value(before) == 0:
            return ()
        match strip_parens(before):
            case Binary(op="*", left=VarRef(symbol=index), right=size) if _is_a_size(size):
                pass
            case Binary(op="*", left=size, right=VarRef(symbol=index)) if _is_a_size(size):
                pass
            case VarRef(symbol=index):
                pass
            case _:
                return None
        return (
            (Binary("==", VarRef(index), _ZERO, BOOL),) if index.storage is Storage.INDEX else None
        )

    def has_a_turn(self, loop: CountedLoop) -> bool:
        """The bound is a number of threads, not the least of that and something else."""
        return is_never_zero(loop.upper, self.positive)

    def asked_of_turn(self, loop: CountedLoop, turn: Expr) -> tuple[Expr, ...] | None:
        """What has to hold so that the loop comes to `turn`; None where nobody knows."""
        if isinstance(turn, VarRef) and turn != previous_number(loop.upper):
            if may_trap(loop.upper):
                return None
            below = Binary("<", turn, loop.upper, BOOL)
            known = self.is_never_negative(turn)
            return (below,) if known else (Binary(">=", turn, _ZERO, BOOL), below)
        if self.has_a_turn(loop):
            return ()
        known = integer_value(turn) == 0 or turn == previous_number(loop.upper)
        if not known or integer_value(loop.lower) != 0 or not is_int(loop.index):
            return None
        above = is_above_zero(loop.upper, self.positive)
        asked = tuple(one for one in above if one not in self.holds)
        return None if any(may_trap(one) for one in asked) else asked

    def is_uniform(self, body: LoopBody, expr: Expr) -> bool:
        found = self.effects.of(expr)
        if not found.is_pure or found.memory_reads or symbols_in(expr) & body.varying:
            return False
        return all(one in body.divided for one in trapping(expr))


def _alternatives(condition: Expr) -> Iterator[Expr]:
    bare = strip_parens(condition)
    match bare:
        case Binary(op="||", left=left, right=right):
            yield from _alternatives(left)
            yield from _alternatives(right)
        case _:
            yield bare


def _is_last(number: Expr, loop: CountedLoop) -> bool:
    """Is it the last turn of a loop?"""
    match number:
        case Binary(op="-", left=left, right=right):
            upper = strip_parens(loop.upper)
            counted = strip_parens(left) in (upper, plain_operand(upper))
            return integer_value(right) == 1 and counted and is_signed(upper)
        case _:
            return False


def known_turns(loop: CountedLoop) -> range:
    """The turns of a loop between two numbers; none where these are not known."""
    lower, upper = integer_value(loop.lower), integer_value(loop.upper)
    return range(0) if lower is None or upper is None or loop.step else range(lower, upper)


def _number(value: int) -> Literal:
    return Literal(str(value), value, INT) if value else _ZERO


def _is_wide(ctype: CType) -> bool:
    return ctype.kind is TypeKind.INTEGER and ctype.bits > INT.bits


def _all_conjuncts(
    condition: Expr, negate: bool, values: Mapping[Symbol, Expr]
) -> Iterator[tuple[Expr, bool]]:
    """The conjuncts, those of the conditions that truth values stand for among them."""
    for conjunct, inverted in conjuncts(condition, negate):
        bare = strip_parens(conjunct)
        if isinstance(bare, VarRef) and bare.symbol in values:
            yield from _all_conjuncts(values[bare.symbol], inverted, values)
        else:
            yield conjunct, inverted


def _with_comments_inside(statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """Comments that stand alone behind a condition, at its end."""
    match statements:
        case (If(otherwise=None) as guarded, *others) if others and all(
            isinstance(one, Empty) for one in others
        ):
            then = Block((*statements_of(guarded.then), *others))
            return (replace(guarded, then=then, form=Form.BUILT),)
        case _:
            return statements


def _is_a_size(expr: Expr) -> bool:
    """Is it a positive constant, or a number of threads, of which there is one at least?"""
    value = integer_value(expr)
    if value is not None:
        return value > 0
    match strip_parens(expr):
        case Code(parts=("g2o::warp_size",)):
            return True
        case Code(parts=("int(", Member(base=VarRef(symbol=symbol)), ")")):
            return symbol.type == DIM3
        case Cast(operand=Member(base=VarRef(symbol=symbol))):
            return symbol.type == DIM3
        case _:
            return False
