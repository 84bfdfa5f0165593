"""`switch` as a chain of conditions.

switch (kind) {                      if (kind == 0)
case 0: y = x; break;        ->          y = x;
default: y = x * x;                  else
}                                        y = x * x;
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from g2o.analysis.effects import declared_in, statements_of
from g2o.ir.expressions import Binary, Expr, VarRef, strip_parens
from g2o.ir.statements import (
    Block,
    Declare,
    DoWhile,
    Empty,
    For,
    If,
    Jump,
    JumpKind,
    Labelled,
    Return,
    Stmt,
    Switch,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols
from g2o.ir.types import BOOL

Case = tuple[list[Expr | None], list[Stmt]]  # values (None: default) and what they do


def choices_of(
    switch: Switch, symbols: SymbolTable, ended: Callable[[list[Stmt]], list[Stmt]]
) -> tuple[list[Stmt], Stmt]:
    """Statements that come first, and the chain. `ended` makes conditions of the `break`s inside of
    the statements of a case."""
    cases = [(values, ended(statements)) for values, statements in _cases(switch, symbols)]
    before: list[Stmt] = []
    chosen: Expr = strip_parens(switch.condition)
    if not isinstance(chosen, VarRef):
        symbol = symbols.fresh("chosen", switch.condition.type, Storage.LOCAL)
        declared = f"const {switch.condition.type.spelling.removeprefix('const ')}"
        before.append(Declare((Variable(symbol, declared, "", switch.condition, "="),)))
        chosen = VarRef(symbol)
    chain: Stmt | None = None
    for values, statements in cases:
        if None in values:
            chain = Block(tuple(statements))
    for values, statements in reversed(cases):
        if None in values:
            continue
        condition: Expr | None = None
        for value in values:
            assert value is not None
            equal = Binary("==", chosen, value, BOOL)
            condition = equal if condition is None else Binary("||", condition, equal, BOOL)
        assert condition is not None
        chain = If(condition, Block(tuple(statements)), chain)
    return before, chain if chain is not None else Block(())


def _cases(switch: Switch, symbols: SymbolTable) -> list[Case]:
    """The cases with what they do up to their `break`: what one falls through to, as well."""
    cases: list[Case] = []
    running: list[tuple[Case, dict[Symbol, Symbol]]] = []  # those that have not met a `break` yet
    for statement in statements_of(switch.body):
        values: list[Expr | None] = []
        while isinstance(statement, Labelled):
            values.append(statement.value)
            statement = statement.body
        if values:
            last = running[-1][0] if running else None
            if last is not None and not last[1]:
                last[0].extend(values)
            else:
                cases.append((values, []))
                running.append((cases[-1], {}))
        for inner in _opened(statement):
            match inner:
                case Jump(kind=JumpKind.BREAK):
                    running = []
                case Return():
                    for case, _ in running:
                        case[1].append(inner)
                    running = []
                case Empty(trivia=trivia):  # `[[fallthrough]]` means nothing any more
                    if running and trivia.before:
                        running[0][0][1].append(Empty(trivia=trivia))
                case _:
                    for position, (case, renames) in enumerate(running):
                        own = inner if position == 0 else _copied(inner, symbols, renames)
                        case[1].append(own)
    return cases


def _copied(statement: Stmt, symbols: SymbolTable, renames: dict[Symbol, Symbol]) -> Stmt:
    """The statement as another object, with variables of its own, which are added to `renames`."""
    declared = declared_in(statement)
    renames |= {old: symbols.declare(old.name, old.type, old.storage) for old in declared}
    return _duplicate(rename_symbols(statement, renames))


def _duplicate(statement: Stmt) -> Stmt:
    match statement:
        case Block(statements=inner):
            return replace(statement, statements=tuple(map(_duplicate, inner)))
        case If(then=then, otherwise=otherwise):
            other = None if otherwise is None else _duplicate(otherwise)
            return replace(statement, then=_duplicate(then), otherwise=other)
        case For(body=body, initial=initial):
            first = None if initial is None else _duplicate(initial)
            return replace(statement, initial=first, body=_duplicate(body))
        case While(body=body) | DoWhile(body=body) | Switch(body=body):
            return replace(statement, body=_duplicate(body))
        case _:
            return replace(statement)


def _opened(statement: Stmt) -> list[Stmt]:
    """The statement; of a block that ends in a jump, the block without it and the jump."""
    if isinstance(statement, Block) and statement.statements:
        *front, last = statement.statements
        if isinstance(last, (Jump, Return)):
            return [Block(tuple(front)), last]
    return [statement]
