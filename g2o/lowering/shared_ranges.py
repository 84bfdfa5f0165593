"""A range that the threads of a block share out, and the loop of a thread through its part.

for (int i = first + t; i < n; i += threads)        first to n, in turns
for (int l = 0; l < 4; ++l) ... t + l * threads     0 to 4 * threads, in turns
for (int l = 0; l < 4; ++l) ... 4 * t + l           0 to 4 * threads, four for each
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import final

from g2o.analysis.constant_turns import constant_turns
from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.analysis.independence import dependence_between_iterations
from g2o.analysis.loop_heads import start_of, step_of
from g2o.analysis.positions import Positions
from g2o.ir.expressions import Binary, Expr, Literal, VarRef, integer_value
from g2o.ir.statements import CountedLoop, Declare, For, Stmt, Trivia, Variable
from g2o.ir.symbols import Symbol, SymbolTable
from g2o.ir.types import INT, TypeKind
from g2o.lowering.context import limit_for
from g2o.lowering.indices import block_of
from g2o.lowering.joint_ranges import (
    Counter,
    Joint,
    joint_range,
    share_of,
    without_threads,
)
from g2o.lowering.stride_forms import are_all, bare_number
from g2o.lowering.stride_forms import start_of as begin_of


@final
@dataclass(frozen=True, slots=True)
class SharedRange:
    """One loop of a range that `threads` share out: `for (index = lower; index < upper; ++index)`.
    Turns in a row are of different threads where they are fewer than `apart`."""

    index: Symbol
    lower: Expr
    upper: Expr
    body: Stmt
    threads: frozenset[Symbol]
    apart: Literal | None
    trivia: Trivia


@final
@dataclass(frozen=True, slots=True)
class SharedRanges:
    """`constants` are variables that keep the value of their declaration, those in `positions` one
    that names nothing that changes."""

    effects: EffectsOf
    constants: Mapping[Symbol, Expr]
    positions: Positions
    symbols: SymbolTable

    def of(
        self, loop: For, loops: Sequence[CountedLoop], private: set[Symbol]
    ) -> SharedRange | None:
        """The range that a loop inside of those over threads goes through; None where it is no such
        loop. `private` is what is declared in these."""
        threads = [one for one in loops if is_from_zero(one)]
        turns = constant_turns(loop)
        if turns is not None and isinstance(loop.initial, Declare) and turns.values:
            values = turns.values
            if isinstance(values, range) and values.step < 0 and values[-1] == 0:
                own = Counter(turns.counter, _number(len(values)), -values.step)
                return self._together(own, threads, loop, private, falls=True)
        begun = start_of(loop.initial)
        match loop:
            case For(
                initial=Declare(),
                condition=Binary(op="<", left=VarRef(symbol=compared), right=upper),
                increment=increment,
            ) if begun is not None and begun[0] == compared and increment is not None:
                symbol, start = begun
            case _:
                return None
        step = step_of(increment, symbol)
        if symbol.type.bits < INT.bits or step is None or step[1]:
            return None
        found = self._in_turns(symbol, start, upper, step[0], threads, loop)
        if found is not None:
            return found
        count, by = integer_value(upper), integer_value(step[0])
        if integer_value(start) != 0 or count is None or by is None or not 0 < by <= count:
            return None
        own = Counter(symbol, upper if by == 1 else _number(-(-count // by)), by)
        made = self._together(own, threads, loop, private)
        if made is not None and made.apart is not None and integer_value(made.upper) == count:
            return replace(made, upper=upper)  # by its name
        return made

    def _in_turns(
        self,
        symbol: Symbol,
        start: Expr,
        upper: Expr,
        step: Expr,
        threads: list[CountedLoop],
        loop: For,
    ) -> SharedRange | None:
        """A loop by which threads take one number after the other, in turns."""
        stride = self._kept(step)
        sharing: list[CountedLoop] = []
        lower: Expr | None = None
        for thread in threads:
            lower = begin_of(start, thread.index)
            if lower is not None and are_all(stride, thread.upper):
                sharing = [thread]
                break
        else:
            shares = share_of(start, step, _counters(threads), self.positions) or []
            own = {one.index for one in shares}
            sharing = [one for one in threads if one.index in own]
            if sharing:
                lower = without_threads(start, own, self.positions)
        if lower is None or not sharing:
            return None
        signed = symbol.type.is_signed and _is_signed(upper)
        if integer_value(lower) != 0 and not signed:
            return None  # what is below zero would wrap around
        unqualified = symbol.type.spelling.replace("const", "").strip()
        index = replace(symbol, type=replace(symbol.type, spelling=unqualified))
        end, every = limit_for(upper, index), frozenset(one.index for one in sharing)
        return SharedRange(index, lower, end, loop.body, every, _number_of(sharing), loop.trivia)

    def _together(
        self,
        own: Counter,
        threads: list[CountedLoop],
        loop: For,
        private: set[Symbol],
        *,
        falls: bool = False,
    ) -> SharedRange | None:
        """A loop that counts a digit of what it and threads count together. One that `falls` goes
        through its turns the other way round, which nothing of them may tell."""
        body = loop.body
        if own.index in self.effects.of(body).writes or own.index.type.bits < INT.bits:
            return None
        positions = self._positions_in(body)
        joint = joint_range(
            own, body, _counters(threads), positions, self.symbols, self.constants.keys()
        )
        if joint is None:
            return None
        others = frozenset(one.index for one in joint.digits if one != own)
        sharing = [one for one in threads if one.index in others]
        apart = _number_of(sharing) if joint.digits[-1] == own else None
        body = self._with_values(joint.body, private)
        if falls and dependence_between_iterations(body, joint.index, self.effects, set()):
            return None
        zero = Literal("0", 0, INT)
        return SharedRange(joint.index, zero, joint.upper, body, others, apart, loop.trivia)

    def of_threads(self, threads: Sequence[CountedLoop], body: Stmt) -> Joint | None:
        """The one number by which the body tells the threads of some loops apart."""
        if any(one.index in self.effects.of(body).writes for one in threads):
            return None
        *outer, inner = _counters(threads)
        positions = self._positions_in(body)
        return joint_range(inner, body, outer, positions, self.symbols, self.constants.keys())

    def _positions_in(self, body: Stmt) -> Positions:
        """Those of variables that the body does not declare."""
        declared = declared_in(body)
        values = self.positions.values
        return Positions({one: at for one, at in values.items() if one not in declared})

    def _with_values(self, body: Stmt, private: set[Symbol]) -> Stmt:
        """The body with what is declared in front of the loop, and stays what it is, declared
        again: it may be made of the indices of threads whose loops stay."""
        needed: dict[Symbol, Expr] = {}
        pending = symbols_in(body) - declared_in(body)
        while pending:
            one = pending.pop()
            value = self.positions.values.get(one)
            if one in private and one not in needed and value is not None:
                needed[one] = value
                pending |= symbols_in(value)
        if not needed:
            return body
        again = [one for one in self.positions.values if one in needed]
        declared = (
            Declare((Variable(one, one.type.spelling, "", needed[one], "="),)) for one in again
        )
        return block_of((*declared, *statements_of(body)))

    def _kept(self, stride: Expr) -> Expr:
        """What a variable that the launch gives its value keeps: `int threads = blockDim.x;`."""
        bare = bare_number(stride)
        if not isinstance(bare, VarRef) or bare.type.bits < INT.bits:
            return stride
        value = self.constants.get(bare.symbol)
        return stride if value is None else self._kept(value)


def _counters(threads: Sequence[CountedLoop]) -> list[Counter]:
    return [Counter(one.index, one.upper) for one in threads]


def _number(value: int) -> Literal:
    return Literal(str(value), value, INT)


def _number_of(threads: list[CountedLoop]) -> Literal | None:
    """How many there are, where that is a constant."""
    numbers = [bare_number(one.upper) for one in threads]
    values = [integer_value(one) for one in numbers if isinstance(one, Literal)]
    known = [one for one in values if one is not None]
    if len(known) != len(threads):
        return None
    whole = prod(known)
    for one in numbers[:1] if len(threads) == 1 else ():
        if isinstance(one, Literal):
            return one
    return Literal(str(whole), whole, INT)


def is_from_zero(loop: CountedLoop) -> bool:
    return loop.step is None and isinstance(loop.lower, Literal) and loop.lower.value == 0


def _is_signed(expr: Expr) -> bool:
    return expr.type.kind is TypeKind.INTEGER and expr.type.is_signed
