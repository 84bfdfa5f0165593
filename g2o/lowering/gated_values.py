"""Values that a condition decides on are functions of the condition.

    computed = false;                   const bool inside = t >= low && t < high;
    if (t >= low && t < high) {         if (inside)
        computed = true;                    next[t] = ...;
        next[t] = ...;            ->    __syncthreads();
    }                                   if (inside)
    __syncthreads();                        now[t] = next[t];
    if (computed)
        now[t] = next[t];

Gated single assignment (Ottenstein, Ballance and MacCabe, "The Program Dependence Web", PLDI 1990),
where the gate is a condition and both values are constants. What threads would have kept over a
barrier is computed again behind it, and what stands under it is a range of threads. The variable
stays for what reads it further on; where nothing does, it goes.

Legal because nothing reads the variable, and nothing leaves, between the first value and the
condition, which has no effects, reads no memory, and does not name it; what it was told it would
be told again. Variables that are looked at through their address are left alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.ir.comments import change_statements
from g2o.ir.expressions import (
    Assign,
    Code,
    Conditional,
    Expr,
    Form,
    Literal,
    Remote,
    VarRef,
    Verbatim,
    negated,
)
from g2o.ir.flags import asks_for
from g2o.ir.statements import (
    NO_TRIVIA,
    Block,
    Declare,
    ExprStatement,
    If,
    Jump,
    Labelled,
    Node,
    Return,
    Stmt,
    Switch,
    Text,
    Variable,
)
from g2o.ir.symbols import Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import TypeKind

Statements = tuple[Stmt, ...]


def gated_values(
    body: Block, kept: Iterable[Symbol], effects: EffectsOf, symbols: SymbolTable
) -> Block:
    """`body` with names for what conditions decide of the variables that are kept."""
    for symbol in kept:
        ctype = symbol.type
        plain = ctype.kind in (TypeKind.BOOL, TypeKind.INTEGER) and not ctype.is_volatile
        if plain and not _is_seen(symbol, body, effects):
            made = rewrite(body, _Gates(symbol, effects, symbols).inside)
            if made is not body:
                return _without_unread(made, symbol, effects)
    return body


def _without_unread(body: Block, symbol: Symbol, effects: EffectsOf) -> Block:
    """`body` without what gives the variable values, where nothing reads them."""
    if asks_for((body,), symbol):
        return body
    given = [n.value for n in walk(body) if isinstance(n, Assign) and n.target == VarRef(symbol)]
    pure = all(map(effects.is_pure, given))
    return change_statements(body, lambda one: _unless_set(one, symbol)) if pure else body


def _unless_set(statement: Stmt, symbol: Symbol) -> Stmt | None:
    match statement:
        case ExprStatement(expr=Assign(target=VarRef(symbol=target))) if target == symbol:
            return None
        case _:
            return statement


def _is_seen(symbol: Symbol, body: Block, effects: EffectsOf) -> bool:
    """Does anything but a reference in the code lead to the variable?"""
    texts = (node for node in walk(body) if isinstance(node, Code | Text | Verbatim | Remote))
    led_to = any(symbol in objects for objects in effects.memory.held.values())
    return led_to or any(symbol in symbols_in(node) for node in texts)


@final
@dataclass(frozen=True, slots=True)
class _Gates:
    """The gates of one variable."""

    symbol: Symbol
    effects: EffectsOf
    symbols: SymbolTable

    def inside(self, node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        statements = tuple(rewrite(one, self.inside) for one in node.statements)
        made = self._sequence(statements)
        return node if made == node.statements else replace(node, statements=made, form=Form.BUILT)

    def _sequence(self, statements: Statements) -> Statements:
        first: Expr | None = None  # the constant that it was given
        for place, statement in enumerate(statements):
            value = self._constant(statement)
            if value is not None:
                first = value
            elif first is not None and isinstance(statement, If):
                made = self._gate(statements, first, place, statement)
                if made is not None:
                    return made
            if value is None and self._ends(statement):
                first = None
        return statements

    def _ends(self, statement: Stmt) -> bool:
        """Is the variable named in it, or may it not be gone through once from above?"""
        leaving = any(isinstance(node, Jump | Return | Labelled) for node in walk(statement))
        return leaving or self.symbol in symbols_in(statement)

    def _constant(self, statement: Stmt) -> Expr | None:
        """The constant that all the threads which come here give the variable."""
        match statement:
            case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=value)):
                return value if symbol == self.symbol and isinstance(value, Literal) else None
            case Declare(variables=(Variable(symbol=symbol, initial=Literal() as value),)):
                return value if symbol == self.symbol else None
            case _:
                return None

    def _gate(self, statements: Statements, first: Expr, place: int, test: If) -> Statements | None:
        """The statements with a name for what the condition at `place` decides."""
        then = statements_of(test.then)
        at = next((i for i, one in enumerate(then) if self._constant(one) is not None), None)
        named = sum(self.symbol in symbols_in(one) for one in then)
        if at is None or named != 1 or isinstance(then[at], Declare) or test.is_constexpr:
            return None
        found = self.effects.of(test.condition)
        if not found.is_pure or found.memory_reads or self.symbol in symbols_in(test.condition):
            return None
        if test.otherwise is not None and self.symbol in symbols_in(test.otherwise):
            return None
        rest = statements[place + 1 :]
        if any(
            isinstance(n, Labelled)
            for one in rest
            if not isinstance(one, Switch)
            for n in walk(one)
        ):
            return None  # who jumps there has not asked the condition
        value = self._constant(then[at])
        assert value is not None
        chosen = _chosen(test.condition, value, first)
        gate = self.symbols.declare(self.symbol.name, self.symbol.type, self.symbol.storage)
        spelled = self.symbol.type.spelling
        const = spelled if self.symbol.type.is_const else f"const {spelled}"
        declared = Declare((Variable(gate, const, "", chosen, "="),), trivia=test.trivia)
        asked = VarRef(gate) if chosen is test.condition else test.condition
        told = replace(test, condition=asked, trivia=NO_TRIVIA, form=Form.BUILT)
        behind = self._renamed(rest, gate)
        if behind == rest:
            return None  # nobody asks
        start = place - 1 if self._constant(statements[place - 1]) is not None else place
        return (*statements[:start], declared, *statements[start:place], told, *behind)

    def _renamed(self, statements: Statements, gate: Symbol) -> Statements:
        """What follows, with the gate for the variable, up to the next one that changes it."""
        for place, statement in enumerate(statements):
            if self.symbol in self.effects.of(statement).writes:
                return (*self._renamed(statements[:place], gate), *statements[place:])
        return tuple(rename_symbols(one, {self.symbol: gate}) for one in statements)


def _chosen(condition: Expr, value: Expr, otherwise: Expr) -> Expr:
    """`value` where the condition holds; for truth values the condition itself."""
    match value, otherwise:
        case (Literal(text="true"), Literal(text="false")):
            return condition
        case (Literal(text="false"), Literal(text="true")):
            return negated(condition)
        case _:
            return Conditional(condition, value, otherwise, value.type)
