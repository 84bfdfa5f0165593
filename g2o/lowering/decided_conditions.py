"""Conditions that numbers decide go, where a position has become a number.

    if (0 == 0)                        printf("sum %d\\n", sum);
        printf("sum %d\\n", sum);   ->  if (sum > 9)
    if (0 == 0 && sum > 9)                 error();
        error();

Conditions that name a constant stay: their author may change it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from g2o.analysis.decided import truth
from g2o.analysis.effects import statements_of
from g2o.ir.comments import around_both, comments_of
from g2o.ir.expressions import (
    Binary,
    Cast,
    Conditional,
    Expr,
    Form,
    Literal,
    Paren,
    Unary,
    strip_parens,
)
from g2o.ir.statements import Block, Declare, Empty, If, Node, Stmt, Trivia
from g2o.ir.traverse import rewrite, walk, with_children

if TYPE_CHECKING:
    from collections.abc import Iterator

_DECIDING = (Binary, Cast, Literal, Paren, Unary)


def without_decided_conditions(statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """`statements` with the branches in place of conditions on numbers."""
    whole = Block(statements)
    made = rewrite(whole, _replacement)
    return statements if made is whole else statements_of(made)


def _replacement(node: Node) -> Node | None:
    match node:
        case Block(statements=statements):
            new = [one for statement in statements for one in _opened(statement)]
            same = len(new) == len(statements) and all(map(_is, new, statements))
            return node if same else replace(node, statements=tuple(new), form=Form.BUILT)
        case If(is_constexpr=False):
            condition = _shortened(rewrite(node.condition, _replacement))
            holds = _decided(condition)
            if holds is not None:
                return rewrite(_branch(node, taken=holds), _replacement)
            if condition is node.condition:
                return None
            branches = (node.then,) if node.otherwise is None else (node.then, node.otherwise)
            made = (rewrite(branch, _replacement) for branch in branches)
            return with_children(node, (condition, *made))
        case Conditional(condition=condition, if_true=if_true, if_false=if_false):
            holds = _decided(condition)
            chosen = if_true if holds else if_false
            if holds is None or chosen.type != node.type:
                return None
            return Paren(rewrite(chosen, _replacement), node.type)
        case _:
            return None


def _opened(statement: Stmt) -> Iterator[Stmt]:
    """The statement, or those of the branch that is taken, without braces that hold nothing."""
    made = rewrite(statement, _replacement)
    if not isinstance(statement, If) or not isinstance(made, Block):
        yield made
        return
    if any(isinstance(one, Declare) for one in made.statements):
        yield made
        return
    first, *rest = made.statements or (Empty(),)
    trivia = around_both(made.trivia, first.trivia)
    if made.statements or comments_of(made):
        yield replace(first, trivia=trivia)
    yield from rest


def _branch(choice: If, *, taken: bool) -> Stmt:
    """What is done, with the comments of the condition."""
    branch = choice.then if taken else choice.otherwise
    if branch is None:
        return Block((), trivia=Trivia(comments_of(choice)))
    return replace(branch, trivia=around_both(choice.trivia, branch.trivia))


def _shortened(condition: Expr) -> Expr:
    """The condition without parts that always hold."""
    match condition:
        case Paren(inner=inner):
            shorter = _shortened(inner)
            return condition if shorter is inner else shorter
        case Binary(op="&&", left=left, right=right):
            first, second = _shortened(left), _shortened(right)
            if _decided(first):
                return second
            if _decided(second):
                return first
            if first is left and second is right:
                return condition
            return with_children(condition, (first, second))
        case _:
            return condition


def _decided(condition: Expr) -> bool | None:
    bare = strip_parens(condition)
    if isinstance(bare, Literal) or not all(map(_is_number, walk(bare))):
        return None  # `if (1)` is as it was written
    return truth(bare)


def _is_number(node: Node) -> bool:
    return isinstance(node, _DECIDING) and not (isinstance(node, Literal) and not _spelled(node))


def _spelled(literal: Literal) -> bool:
    return literal.text.rstrip("uUlL").isdigit()


def _is(one: Node, other: Node) -> bool:
    return one is other
