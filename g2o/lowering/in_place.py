"""Several statements in the place of a loop."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from g2o.analysis.effects import statements_of, symbols_in
from g2o.ir.expressions import Form
from g2o.ir.statements import (
    NO_TRIVIA,
    Block,
    CountedLoop,
    Declare,
    DeclareTypes,
    Empty,
    Labelled,
    LocalFunction,
    Node,
    Stmt,
    Text,
    Trivia,
)
from g2o.ir.traverse import rewrite
from g2o.lowering.indices import block_of

STAYING: Final = (Declare, DeclareTypes, Empty, Labelled, LocalFunction, Text)


def with_loops_replaced(
    statements: tuple[Stmt, ...], replaced: Callable[[CountedLoop], tuple[Stmt, ...]]
) -> tuple[Stmt, ...]:
    """The statements with what `replaced` gives for each loop: the loop alone where it stays, which
    is then looked into."""
    whole = block_of(statements)

    def new(statement: Stmt) -> tuple[Stmt, ...]:
        made = replaced(statement) if isinstance(statement, CountedLoop) else (statement,)
        return (rewrite(statement, replacement),) if made == (statement,) else made

    def replacement(node: Node) -> Node | None:
        match node:
            case Block(statements=inner):
                made = tuple(one for old in inner for one in new(old))
                same = len(made) == len(inner) and all(map(operator.is_, made, inner))
                return node if same else replace(node, statements=made, form=Form.BUILT)
            case CountedLoop(body=body) if not isinstance(body, Block):
                made = new(body)
                same = len(made) == 1 and made[0] is body
                return node if same else replace(node, body=block_of(made), form=Form.BUILT)
            case _:
                return None

    made = rewrite(whole, replacement)
    return statements if made is whole else statements_of(made)


def without_loop(body: Stmt, trivia: Trivia) -> list[Stmt]:
    """The body of a loop without the loop; in a scope where it declares something."""
    statements = statements_of(body)
    if not statements or any(isinstance(one, STAYING) for one in statements):
        return [replace(body, trivia=trivia)]
    first, *rest = statements
    return [
        replace(first, trivia=joined_trivia(joined_trivia(trivia, body.trivia), first.trivia)),
        *rest,
    ]


def without_braces(statement: Stmt) -> list[Stmt]:
    """What stands in braces that nothing needs."""
    if not isinstance(statement, Block) or any(
        isinstance(s, STAYING) for s in statement.statements
    ):
        return [statement]
    return without_loop(statement, NO_TRIVIA)


def joined_trivia(outer: Trivia, inner: Trivia) -> Trivia:
    return replace(outer, before=(*outer.before, *inner.before), after=outer.after or inner.after)


def with_trivia(statements: list[Stmt], trivia: Trivia) -> list[Stmt]:
    first, *rest = statements
    return [replace(first, trivia=joined_trivia(trivia, first.trivia)), *rest]


def collides(new: list[Stmt], others: tuple[Stmt, ...]) -> bool:
    """Would a declaration of `new` meet one of its name, or another variable of its name?"""
    declared = {
        variable.symbol.name: variable.symbol
        for statement in new
        if isinstance(statement, Declare)
        for variable in statement.variables
    }
    if not declared:
        return False
    for statement in others:
        if isinstance(statement, Declare) and any(
            variable.symbol.name in declared for variable in statement.variables
        ):
            return True
        if any(declared.get(symbol.name, symbol) != symbol for symbol in symbols_in(statement)):
            return True
    return False
