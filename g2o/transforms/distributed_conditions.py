"""A condition on the position of a thread, around several statements, around each of them.

    if (warp == 0) {                          float v;
        float v = part[lane];                 if (warp == 0)
        v += __shfl_down_sync(m, v, 4);  ->       v = part[lane];
        if (lane == 0)                        if (warp == 0)
            y[0] = v;                             v += __shfl_down_sync(m, v, 4);
    }                                         if (warp == 0) { if (lane == 0) y[0] = v; }

So a row of statements may end between them. The condition asks numbers that nothing in the body
changes, so that it is the same in front of each, and no thread leaves the body or waits in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.analysis.lvalues import root_symbol
from g2o.ir.expressions import Assign, Expr, VarRef
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    Exchange,
    ExprStatement,
    If,
    Jump,
    Labelled,
    Node,
    Scope,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, walk
from g2o.ir.types import TypeKind, unqualified

_NUMBERS: Final = (TypeKind.INTEGER, TypeKind.FLOATING, TypeKind.BOOL)


@final
@dataclass(frozen=True, slots=True)
class _Distributed:
    """What a conditional statement became: declarations, then parts under its condition."""

    whole: If
    parts: tuple[Stmt, ...]


@final
@dataclass(slots=True)
class Distribution:
    """Distributes conditions that `asks_position` says yes to."""

    effects: EffectsOf
    asks_position: Callable[[Expr], bool]
    symbols: SymbolTable
    made: list[_Distributed] = field(default_factory=list[_Distributed])

    def distributed(self, statements: Sequence[Stmt]) -> tuple[Stmt, ...]:
        return tuple(part for one in statements for part in self._parts(one))

    def restored(self, statements: Sequence[Stmt]) -> tuple[Stmt, ...]:
        """The statements, with conditions around what they were around where nothing of it has
        changed, and around all that is left of it in a row otherwise."""
        result = tuple(statements)
        for one in self.made:
            at = next((i for i, each in enumerate(result) if each is one.parts[0]), None)
            if at is not None and _same(result[at : at + len(one.parts)], one.parts):
                result = (*result[:at], one.whole, *result[at + len(one.parts) :])
        return tuple(_joined(result))

    def _parts(self, statement: Stmt) -> tuple[Stmt, ...]:
        if not isinstance(statement, If) or statement.otherwise is not None:
            return (statement,)
        body = list(without_braces(statement.then))
        if not self._may_be_distributed(statement.condition, body):
            return (statement,)
        declared, parts = self._distributed_over(statement, body)
        if len(parts) < 2:
            return (statement,)
        parts[:1] = [replace(parts[0], trivia=statement.trivia)]
        made = _Distributed(statement, (*declared, *parts))
        self.made.append(made)
        return made.parts

    def _distributed_over(
        self, statement: If, body: Sequence[Stmt]
    ) -> tuple[list[Stmt], list[Stmt]]:
        """What the body declares, and its statements under the condition, and under conditions on
        positions inside."""
        declared: list[Stmt] = []
        parts: list[Stmt] = []
        new: dict[Symbol, Symbol] = {}
        for one in body:
            if isinstance(one, Declare):
                (variable,) = one.variables
                declared.append(self._declared(variable, new))
                if variable.initial is None:
                    continue
                target = VarRef(variable.symbol)
                one = ExprStatement(Assign("=", target, variable.initial, variable.symbol.type))
            one = rename_symbols(one, new)
            inside = [one]
            if isinstance(one, If) and one.otherwise is None:
                inner = list(without_braces(one.then))
                if len(inner) > 1 and self._may_be_distributed(one.condition, inner):
                    more, inside = self._distributed_over(one, inner)
                    declared += more
                    inside[:1] = [replace(inside[0], trivia=one.trivia)]
            parts += [
                If(statement.condition, Block((each,)), span=statement.span) for each in inside
            ]
        return declared, parts

    def _may_be_distributed(self, condition: Expr, body: Sequence[Stmt]) -> bool:
        whole = Block(tuple(body))
        if not any(isinstance(node, Exchange) or _stores_shared(node) for node in walk(whole)):
            return False
        if any(
            isinstance(node, (Jump, Labelled))
            or (isinstance(node, Barrier) and node.scope is not Scope.WARP)
            for node in walk(whole)
        ):
            return False
        if not all(map(_is_plain, body)) or not any(not isinstance(one, Declare) for one in body):
            return False
        if symbols_in(condition) & written_after_declaration(whole, self.effects):
            return False
        return self.asks_position(condition)

    def _declared(self, variable: Variable, new: dict[Symbol, Symbol]) -> Declare:
        """The declaration without a value: of another variable where it is a constant."""
        symbol = variable.symbol
        spelled = unqualified(symbol.type)
        if symbol.type.is_const:
            plain = replace(symbol.type, spelling=spelled, is_const=False)
            new[symbol] = self.symbols.fresh(symbol.name, plain, symbol.storage)
        return Declare((Variable(new.get(symbol, symbol), f"{spelled} ", "", None, ""),))


def without_braces(body: Stmt) -> Iterator[Stmt]:
    """The statements of a block, with those of blocks that are nothing more among them, and
    declarations of one variable each."""
    for one in statements_of(body):
        if isinstance(one, Block) and not one.directive:
            yield from without_braces(one)
        elif isinstance(one, Declare) and len(one.variables) > 1:
            yield Declare(one.variables[:1], trivia=one.trivia)
            yield from (Declare((variable,)) for variable in one.variables[1:])
        else:
            yield one


def _stores_shared(node: Node) -> bool:
    """Does it give a value to what the threads share?"""
    if not isinstance(node, Assign):
        return False
    root = root_symbol(node.target)
    return root is not None and root.storage in (Storage.SHARED, Storage.DYNAMIC_SHARED)


def _is_plain(statement: Stmt) -> bool:
    """Is it no declaration, or that of a number?"""
    return not isinstance(statement, Declare) or all(
        one.symbol.storage is Storage.LOCAL
        and one.symbol.type.kind in _NUMBERS
        and not one.symbol.type.is_volatile
        and not one.suffix
        for one in statement.variables
    )


def _same(found: Sequence[Stmt], wanted: Sequence[Stmt]) -> bool:
    return len(found) == len(wanted) and all(a is b for a, b in zip(found, wanted, strict=True))


def _joined(statements: Sequence[Stmt]) -> Iterator[Stmt]:
    """Neighbours under one condition, the same node, under it together."""
    waiting: If | None = None
    for one in statements:
        if (
            waiting is not None
            and isinstance(one, If)
            and one.condition is waiting.condition
            and one.otherwise is None
        ):
            inner = (*statements_of(waiting.then), *statements_of(one.then))
            waiting = replace(waiting, then=Block(tuple(_joined(inner))))
            continue
        if waiting is not None:
            yield waiting
        waiting = one if isinstance(one, If) and one.otherwise is None else None
        if waiting is None:
            yield one
    if waiting is not None:
        yield waiting
