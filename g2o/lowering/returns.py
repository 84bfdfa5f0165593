"""`return` ends one thread, not the loops that it has become part of."""

from __future__ import annotations

from collections.abc import Sequence

from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.ir.expressions import VarRef, negated
from g2o.ir.statements import (
    DoWhile,
    Empty,
    For,
    If,
    Jump,
    JumpKind,
    LocalFunction,
    Node,
    Return,
    Stmt,
    Switch,
    Text,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import INT
from g2o.lowering.context import LoweringContext
from g2o.lowering.indices import block_of


def without_returns(
    context: LoweringContext, statements: tuple[Stmt, ...], indices: list[Symbol]
) -> tuple[tuple[Stmt, ...], list[Stmt]]:
    """Make `return` end one thread instead of the kernel.

    Outside inner loops it is `continue`; elsewhere the body becomes a lambda that the loop calls.
    The second result holds statements to put in front of the loop.
    """
    statements = _without_last(statements)
    if not any(isinstance(node, Return) for s in statements for node in walk(s)):
        return statements, []
    if not any(_returns_inside_loop(s, False) for s in statements):

        def to_continue(node: Node) -> Node | None:
            if isinstance(node, Return):
                return Jump(JumpKind.CONTINUE, trivia=node.trivia)
            return None

        return tuple(rewrite(s, to_continue) for s in statements), []
    name = context.symbols.fresh("thread", INT, Storage.BLOCK)
    arguments = (part for one in indices for part in (", ", VarRef(one)))
    call = Text((f"{name.name}(", *(*arguments,)[1:], ");"))
    function = LocalFunction(name.name, tuple(indices), block_of(statements))
    return (call,), [function]


def without_returns_of_one(
    context: LoweringContext, statements: Sequence[Stmt]
) -> tuple[Stmt, ...]:
    """The same for what one thread does where no loop is around it: nothing may jump out of a
    region of OpenMP."""
    kept = returns_as_branches(_without_last(tuple(statements)), context.effects)
    if not any(_returns(statement) for statement in kept):
        return kept
    name = context.symbols.fresh("thread", INT, Storage.BLOCK).name
    return (LocalFunction(name, (), block_of(kept)), Text((f"{name}();",)))


def _returns(node: Node) -> bool:
    match node:
        case Return():
            return True
        case LocalFunction():
            return False
        case _:
            return any(map(_returns, children(node)))


def _without_last(statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """A `return` at the end says nothing; comments behind it stay."""
    end = len(statements)
    while end and isinstance(statements[end - 1], (Return, Empty)):
        end -= 1
    return (*statements[:end], *(one for one in statements[end:] if isinstance(one, Empty)))


def _returns_inside_loop(node: Node, inside: bool) -> bool:
    match node:
        case Return():
            return inside
        case For() | While() | DoWhile() | Switch():
            return any(_returns_inside_loop(child, True) for child in children(node))
        case _:
            return any(_returns_inside_loop(child, inside) for child in children(node))


def returns_as_branches(statements: tuple[Stmt, ...], effects: EffectsOf) -> tuple[Stmt, ...]:
    """`if (c) return; rest` becomes `if (!c) { rest }`, where that is all there is to it."""
    for position, statement in enumerate(statements):
        if not any(isinstance(node, Return) for node in walk(statement)):
            continue
        before, rest = statements[:position], statements[position + 1 :]
        if isinstance(statement, Return):
            return before
        work = _work_before_return(statement)
        if work is None or not isinstance(statement, If):
            return statements
        condition, trivia = statement.condition, statement.trivia
        fixed = statement.is_constexpr
        inner = returns_as_branches(rest, effects)
        done, asked = effects.of_all(work), effects.of(condition)
        changes = done.writes & (symbols_in(condition) | asked.reads)
        if changes or (done.memory_writes and asked.memory_reads):
            other = block_of(inner) if inner else None
            return (
                *before,
                If(condition, block_of(work), other, is_constexpr=fixed, trivia=trivia),
            )
        if work:
            before = (*before, If(condition, block_of(work), is_constexpr=fixed, trivia=trivia))
        if not inner:
            return before
        kept = If(negated(condition), block_of(inner), is_constexpr=fixed, trivia=trivia)
        return (*before, kept)
    return statements


def _work_before_return(statement: Stmt) -> tuple[Stmt, ...] | None:
    """What `if (c) { work; return; }` does, or None for a statement of another form."""
    match statement:
        case If(then=then, otherwise=None):
            match statements_of(then):
                case (*work, Return()) if not any(
                    isinstance(node, Return) for one in work for node in walk(one)
                ):
                    return tuple(work)
                case _:
                    return None
        case _:
            return None
