"""What the lanes of a warp do one after the other is shared out among the threads of the team.

    for (int warp = 0; warp < 4; ++warp) {       float v[4][g2o::warp_size];
        float v[g2o::warp_size];                 for (int warp = 0; warp < 4; ++warp)
        for (int lane = 0; ...; ++lane)              for (int lane = 0; ...; ++lane)
            v[lane] = x[warp * 32 + lane];               v[warp][lane] = x[warp * 32 + lane];
        for (int s = 16; s > 0; s /= 2)     ->   for (int s = 16; s > 0; s /= 2)
            for (int lane = 0; ...; ++lane)          for (int warp = 0; warp < 4; ++warp)
                w[lane] = v[lane ^ s];                   for (int lane = 0; ...; ++lane)
    }                                                        w[warp][lane] = v[warp][lane ^ s];

A core goes through the lanes of a warp at once by vector instructions; a device has a thread for
each of them. Legal because warps of an interval see nothing of each other, so that their loop may
be distributed over its statements, and because loops between two operations of a warp are the same
for all warps: their headers must not depend on the warp or on memory. What belongs to a warp is
computed by every lane for itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.ir.directives import NO_DIRECTIVE
from g2o.ir.expressions import (
    Binary,
    Code,
    Expr,
    Form,
    Index,
    Literal,
    Paren,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import Block, CountedLoop, Declare, Empty, For, If, Node, Stmt, Text
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import BOOL, INT
from g2o.lowering.indices import block_of

WARP_SIZE: Final = Code(("g2o::warp_size",), type=INT)
_LANES: Final = re.compile(r"const int (\w+) = ")
_OF_LANES: Final = "[g2o::warp_size]"


class _AsItIs(Exception):
    """The loop has to stay one over warps."""


def spread_warps(statements: Sequence[Stmt], effects: EffectsOf) -> list[Stmt]:
    """The statements of a block, with such loops over warps distributed."""
    result: list[Stmt] = []
    for statement in statements:
        match statement:
            case CountedLoop():
                try:
                    result.extend(_Warps(effects, statement).distributed())
                except _AsItIs:
                    result.append(statement)
            case Block(statements=inner) if not statement.directive:
                spread = spread_warps(inner, effects)
                result.append(replace(statement, statements=tuple(spread), form=Form.BUILT))
            case For(body=body):
                inner = block_of(spread_warps(statements_of(body), effects))
                result.append(replace(statement, body=inner, form=Form.BUILT))
            case _:
                result.append(statement)
    return result


@final
@dataclass(slots=True)
class _Warps:
    effects: EffectsOf
    loop: CountedLoop
    arrays: dict[Symbol, Declare] = field(default_factory=dict[Symbol, Declare])
    own: list[Stmt] = field(default_factory=list[Stmt])  # values that belong to a warp
    of_warp: set[Symbol] = field(default_factory=set[Symbol])
    lanes: str = ""  # the variable that says how many lanes the warp has

    def distributed(self) -> list[Stmt]:
        """Raises _AsItIs where that would be wrong, or not useful."""
        body = statements_of(self.loop.body)
        if not any(isinstance(node, CountedLoop) for one in body for node in walk(one)):
            raise _AsItIs
        self.of_warp = {self.loop.index}
        spread = self._sequence(body, ())
        before = [self._array(declare) for declare in self.arrays.values()]
        rows = {symbol: self._row(symbol) for symbol in self.arrays}

        def of_this_warp(node: Node) -> Node | None:
            return rows.get(node.symbol) if isinstance(node, VarRef) else None

        placed = [rewrite(one, of_this_warp) for one in spread]
        if placed:
            placed[0] = replace(placed[0], trivia=self.loop.trivia)
        return [*before, *placed]

    def _row(self, symbol: Symbol) -> Expr:
        return Index(VarRef(symbol), VarRef(self.loop.index), type=symbol.type)

    def _array(self, declare: Declare) -> Declare:
        warps = _constant(self.loop.upper) or "g2o::most_warps"
        (variable,) = declare.variables
        return replace(
            declare,
            variables=(replace(variable, suffix=f"[{warps}]{_OF_LANES}"),),
            form=Form.BUILT,
        )

    # -- statements of a warp ----------------------------------------------------------------------

    def _sequence(self, statements: Iterable[Stmt], guards: tuple[Expr, ...]) -> list[Stmt]:
        result: list[Stmt] = []
        known = len(self.own)
        for statement in statements:
            result.extend(self._statement(statement, guards))
        del self.own[known:]
        return result

    def _statement(self, statement: Stmt, guards: tuple[Expr, ...]) -> list[Stmt]:
        match statement:
            case CountedLoop():
                return [self._lanes_of(statement, guards)]
            case Declare(variables=variables):
                self._declaration(statement)
                gone = any(v.symbol in self.arrays or v.symbol in self.of_warp for v in variables)
                return [] if gone else [statement]
            case Text(parts=(str() as text, *_)) if found := _LANES.match(text):
                if self.lanes or not self._is_value(statement):
                    raise _AsItIs
                self.lanes = found[1]
                self.own.append(statement)
                return []
            case Empty():
                return [statement]
            case Block(statements=inner) if not statement.directive:
                kept = self._sequence(inner, guards)
                return [replace(statement, statements=tuple(kept), form=Form.BUILT)]
            case For(initial=initial, condition=condition, increment=increment, body=body):
                for part in (initial, condition, increment):
                    if part is not None:
                        self._check_same(part)
                inner = block_of(self._sequence(statements_of(body), guards))
                return [replace(statement, body=inner, form=Form.BUILT)]
            case If(condition=condition, then=then, otherwise=otherwise):
                if not self._is_value(condition):
                    raise _AsItIs
                where = (*guards, condition)
                result = self._sequence(statements_of(then), where)
                if otherwise is not None:
                    opposite = Unary("!", Paren(condition, BOOL), type=BOOL)
                    result += self._sequence(statements_of(otherwise), (*guards, opposite))
                return result
            case _:
                raise _AsItIs

    def _declaration(self, declare: Declare) -> None:
        """Arrays of lanes get a row for every warp, values of a warp go to the lanes."""
        if len(declare.variables) != 1:
            raise _AsItIs
        (variable,) = declare.variables
        if variable.initial is None:
            if variable.suffix != _OF_LANES:
                raise _AsItIs
            self.arrays[variable.symbol] = declare
            return
        if variable.suffix or not self._is_value(variable.initial) or self._stored(variable.symbol):
            raise _AsItIs
        if symbols_in(variable.initial) & self.of_warp or self._names_lanes(declare):
            self.of_warp.add(variable.symbol)
            self.own.append(declare)

    def _stored(self, symbol: Symbol) -> bool:
        """Does the warp change the variable after its declaration?"""

        def without(node: Node) -> Node | None:
            if isinstance(node, Declare) and symbol in declared_in(node):
                return Empty()
            return None

        return symbol in self.effects.of(rewrite(self.loop.body, without)).writes

    def _check_same(self, part: Node) -> None:
        """Raise where the header of a loop may differ between warps."""
        found = self.effects.of(part)
        if found.memory_reads or found.memory_writes or found.side_effects:
            raise _AsItIs
        if symbols_in(part) & (self.of_warp | self.arrays.keys()) or self._names_lanes(part):
            raise _AsItIs

    def _is_value(self, node: Node) -> bool:
        """Does the same come out wherever in the warp it is computed?"""
        found = self.effects.of(node)
        reads = found.memory_reads or symbols_in(node) & self.arrays.keys()
        return found.is_pure and not reads

    def _names_lanes(self, node: Node) -> bool:
        return bool(self.lanes) and any(
            isinstance(inner, VarRef) and inner.symbol.name == self.lanes for inner in walk(node)
        )

    def _lanes_of(self, loop: CountedLoop, guards: tuple[Expr, ...]) -> CountedLoop:
        """The loop over warps around what the lanes of one do."""
        upper = strip_parens(loop.upper)
        conditions = list(guards)
        if self._names_lanes(upper):
            if not isinstance(upper, VarRef):
                raise _AsItIs
            conditions.append(Binary("<", VarRef(loop.index), upper, BOOL))
            upper = WARP_SIZE
        elif upper != WARP_SIZE and not isinstance(upper, Literal):
            raise _AsItIs
        if loop.step is not None or integer_value(loop.lower) != 0:
            raise _AsItIs
        body: Stmt = loop.body
        for condition in reversed(conditions):
            body = If(condition, block_of(statements_of(body)))
        inner = block_of((*self._needed(body), *statements_of(body)))
        lanes = replace(loop, upper=upper, body=inner, directive=NO_DIRECTIVE, form=Form.BUILT)
        return replace(self.loop, body=block_of((lanes,)), form=Form.BUILT)

    def _needed(self, body: Stmt) -> list[Stmt]:
        """The values of the warp that `body` uses."""
        result: list[Stmt] = []
        used: set[Symbol] = symbols_in(body)
        names = {symbol.name for symbol in used}
        for value in reversed(self.own):
            declares = declared_in(value) & used
            if declares or (isinstance(value, Text) and self.lanes in names):
                result.insert(0, value)
                used |= symbols_in(value)
                names |= {symbol.name for symbol in symbols_in(value)}
        return result


def _constant(expr: Expr) -> str:
    """The text of a constant number; empty for others."""
    match expr:
        case Literal(text=text):
            return text
        case Paren(inner=inner):
            text = _constant(inner)
            return text and f"({text})"
        case Binary(op=op, left=left, right=right):
            first, second = _constant(left), _constant(right)
            return f"{first} {op} {second}" if first and second else ""
        case Code(parts=parts):
            texts = [part if isinstance(part, str) else _constant(part) for part in parts]
            return "".join(texts) if all(texts) else ""
        case _:
            return ""
