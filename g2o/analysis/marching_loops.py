"""Loops that march through memory, and what registers hold in their iterations.

for (int k = 1; k < n; ++k) {
    below = here;                   x[c - w] one iteration later, if `here` begins with x[c]
    c += w;
    here = x[c];                    an element of the iteration, at a place that walks
}
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.analysis.held_elements import FrontState, are_same, counts, polynomial, same_type
from g2o.analysis.induction import inductions
from g2o.analysis.positions import name_of
from g2o.ir.expressions import (
    Assign,
    Conditional,
    Expr,
    Index,
    Literal,
    Paren,
    VarRef,
    is_primary,
    strip_parens,
)
from g2o.ir.statements import (
    Declare,
    DoWhile,
    ExprStatement,
    For,
    Jump,
    Node,
    Return,
    Stmt,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import TypeKind
from g2o.polyhedral.polynomial import Polynomial

Loop = For | While | DoWhile
_REGISTERS: Final = (TypeKind.FLOATING, TypeKind.INTEGER)


@final
@dataclass(frozen=True, slots=True)
class Held:
    """What a register holds: `value`, as it is at a position in the body, some iterations back."""

    value: Expr
    position: int
    back: int = 0


@final
@dataclass(slots=True)
class March:
    """A loop that sets registers: `steps` of variables that walk with it, each where it stands and
    how much it adds, and `sets` where, and to what, each register is set. `is_constant` is
    asked of an array: does nothing store to it?"""

    loop: Loop
    body: tuple[Stmt, ...]
    state: FrontState
    effects: EffectsOf
    is_constant: Callable[[Symbol], bool]
    steps: dict[Symbol, tuple[int, int, Expr]]
    sets: dict[Symbol, tuple[int, Expr]]
    waiting: set[Symbol] = field(default_factory=set[Symbol])

    @staticmethod
    def of(loop: Loop, state: FrontState, is_constant: Callable[[Symbol], bool]) -> March | None:
        """None where no register is carried, or iterations may end early."""
        if any(isinstance(node, Jump | Return) for node in walk(loop.body)):
            return None
        if isinstance(loop, For) and loop.shared is not None:
            return None
        body, effects = statements_of(loop.body), state.effects
        if state.hidden & symbols_in(loop):
            return None
        own = declared_in(loop)
        sets: dict[Symbol, tuple[int, Expr]] = {}
        for position, statement in enumerate(body):
            match statement:
                case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=value)):
                    plain = symbol.storage is Storage.LOCAL and symbol.type.kind in _REGISTERS
                    if plain and symbol not in own and effects.is_pure(value):
                        sets[symbol] = position, strip_parens(value)
                case _:
                    pass
        rest = [one for n, one in enumerate(body) if all(n != at for at, _ in sets.values())]
        heads = [] if loop.condition is None else [effects.of(loop.condition)]
        if isinstance(loop, For) and loop.increment is not None:
            heads.append(effects.of(loop.increment))
        for written in (*map(effects.of, rest), *heads):
            for symbol in written.writes & sets.keys():
                del sets[symbol]
        if not sets:
            return None
        begun = state.copy()
        if isinstance(loop, For) and loop.initial is not None:
            begun.pass_by(loop.initial)
        steps: dict[Symbol, tuple[int, int, Expr]] = {}
        for symbol, step in inductions(loop, effects).items():
            if step.op not in "+-" or not counts(symbol):
                continue
            at = [n for n, one in enumerate(body) if symbol in effects.of(one).writes]
            steps[symbol] = at[0] if at else len(body), 1 if step.op == "+" else -1, step.amount
        begun.declared = state.declared
        return March(loop, body, begun, effects, is_constant, steps, sets)

    def held_at(self, symbol: Symbol, position: int) -> Held | None:
        """What a variable holds at a position of an iteration."""
        if symbol in self.sets:
            at, value = self.sets[symbol]
            return self.held_of(value, at, symbol) if at < position else self.begins(symbol)
        for at, one in enumerate(self.body[:position]):
            match one:
                case Declare(variables=(variable,)) if variable.symbol == symbol:
                    behind = self.body[at + 1 :]
                    if any(symbol in self.effects.of(each).writes for each in behind):
                        return None
                    initial = variable.initial
                    if initial is None or variable.suffix:
                        return None
                    return self.held_of(strip_parens(initial), at, symbol)
                case _:
                    pass
        return None

    def held_of(self, value: Expr | None, position: int, register: Symbol) -> Held | None:
        """What a register is set to at a position."""
        if value is None or not same_type(value.type, register.type):
            return None
        match value:
            case VarRef(symbol=symbol):
                return self.held_at(symbol, position)
            case Index() | Conditional():
                told = self._told(value, position)
                return Held(told, position) if self._stays(told) else None
            case _:
                return None

    def begins(self, register: Symbol) -> Held | None:
        """What a register holds when an iteration begins, which is what the one in front has set it
        to; that has to be so for the first one, too."""
        if register in self.waiting:
            return None
        self.waiting.add(register)
        position, value = self.sets[register]
        held = self.held_of(value, position, register)
        self.waiting.discard(register)
        if held is None or register not in self.state.held:
            return None
        held = replace(held, back=held.back + 1)
        first, known = self.state.held[register]
        there = {**self.state.known}
        for symbol in symbols_in(held.value) & self.steps.keys():
            amount = polynomial(self.steps[symbol][2], self.state.known)
            before = there.get(symbol, Polynomial.name(name_of(symbol)))
            if amount is None:
                return None
            there[symbol] = before + amount.scaled(self.times(held, symbol, -1))
        return held if are_same(held.value, there, strip_parens(first), known) else None

    def times(self, held: Held, symbol: Symbol, position: int) -> int:
        """How many steps further on a variable was where a register was set to what it holds, than
        it is at a position."""
        at, sign, _ = self.steps[symbol]
        return sign * (int(held.position > at) - int(position > at) - held.back)

    def _told(self, value: Expr, position: int) -> Expr:
        """A value with what the iteration declares, once, put in."""
        declared: dict[Symbol, tuple[int, Expr]] = {}
        for at, one in enumerate(self.body[:position]):
            for variable in one.variables if isinstance(one, Declare) else ():
                changed = any(variable.symbol in self.writes(each) for each in self.body[at + 1 :])
                if variable.initial is not None and counts(variable.symbol) and not changed:
                    declared[variable.symbol] = at, variable.initial

        def replacement(node: Node) -> Node | None:
            if not isinstance(node, VarRef) or node.symbol not in declared:
                return None
            at, initial = declared[node.symbol]
            walking = [self.steps[one][0] for one in symbols_in(initial) & self.steps.keys()]
            if any((at > step) != (position > step) for step in walking):
                return None  # a step lies between
            new = rewrite(initial, replacement)
            return new if is_primary(new) else Paren(new, new.type)

        return rewrite(value, replacement)

    def writes(self, statement: Stmt) -> set[Symbol]:
        return self.effects.of(statement).writes

    def _stays(self, value: Expr) -> bool:
        """Is it an element of an array that nothing stores to, or a number, whichever is chosen,
        and is its place found from what walks and what does not change?"""
        match value:
            case Index(base=VarRef(symbol=array), index=index):
                effects = self.effects.of(index)
                plain = effects.is_pure and not effects.memory_reads
                fixed = symbols_in(value) - self.steps.keys()
                return (
                    plain
                    and array.type.kind in (TypeKind.POINTER, TypeKind.ARRAY)
                    and not value.type.is_volatile
                    and not fixed & self._changing()
                    and polynomial(index, {}) is not None
                    and self.is_constant(array)
                )
            case Conditional(condition=condition, if_true=then, if_false=otherwise):
                effects = self.effects.of(condition)
                plain = effects.is_pure and not effects.memory_reads
                parts = [strip_parens(then), strip_parens(otherwise)]
                loaded = [one for one in parts if isinstance(one, Index)]
                return (
                    plain
                    and not symbols_in(condition) & self._changing()
                    and all(isinstance(one, Index | Literal) for one in parts)
                    and len(loaded) == 1
                    and self._stays(loaded[0])
                )
            case _:
                return False

    def _changing(self) -> set[Symbol]:
        return self.effects.of(self.loop).writes | declared_in(self.loop)
