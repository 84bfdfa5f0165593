"""Braces that nothing needs go.

    {                              if (at < n)
        if (at < n)         ->         d_x[at] += d_largest;
            d_x[at] += d_largest;
    }

Legal where nothing is declared in them, and no jump leads there by a name. What the last block of a
scope declares lives as long without its braces: its names have to be nobody else's there.
"""

from __future__ import annotations

import operator
from dataclasses import replace

from g2o.analysis.effects import declared_in, symbols_in
from g2o.ir.expressions import Form
from g2o.ir.kernel import LoweredKernel
from g2o.ir.statements import (
    Block,
    Declare,
    DeclareTypes,
    Labelled,
    LocalFunction,
    Node,
    Stmt,
    Text,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite_statements

_LEADS_THERE = (DeclareTypes, Labelled, LocalFunction, Text)
_IN_SCOPE = (Declare, *_LEADS_THERE)


def without_needless_braces(kernel: LoweredKernel) -> LoweredKernel:
    """The same object where there are none."""
    whole = Block(kernel.body)
    made = rewrite_statements(whole, _replacement)
    taken = {one.name for one in kernel.function.parameters}
    taken |= {one.name for one in (kernel.grid, kernel.block)}
    statements = _with_last_opened(made.statements, taken)
    if made is whole and statements is made.statements:
        return kernel
    return replace(kernel, body=statements)


def _with_last_opened(statements: tuple[Stmt, ...], taken: set[str]) -> tuple[Stmt, ...]:
    """The body of a function without the braces of its last block."""
    *others, last = statements or (Block(()),)
    if not isinstance(last, Block) or not last.statements:
        return statements
    if last.directive or last.trivia.after:
        return statements
    if any(isinstance(one, _LEADS_THERE) for one in last.statements):
        return statements
    if any(isinstance(one, Labelled | Text) and not _is_plain(one) for one in others):
        return statements
    names = taken | {one.name for other in others for one in _named_in(other)}
    if names & {one.name for one in _declared_by(last)}:
        return statements
    return (*others, *_without(last))


def _is_plain(statement: Stmt) -> bool:
    return isinstance(statement, Text) and not statement.declares


def _named_in(statement: Stmt) -> set[Symbol]:
    return symbols_in(statement) | declared_in(statement)


def _declared_by(block: Block) -> set[Symbol]:
    return {
        variable.symbol
        for one in block.statements
        if isinstance(one, Declare)
        for variable in one.variables
    }


def _replacement(node: Node) -> Node | None:
    if not isinstance(node, Block):
        return None
    inner = tuple(rewrite_statements(one, _replacement) for one in node.statements)
    made = tuple(one for statement in inner for one in _opened(statement))
    same = len(made) == len(node.statements) and all(map(operator.is_, made, node.statements))
    return node if same else replace(node, statements=made, form=Form.BUILT)


def _opened(statement: Stmt) -> tuple[Stmt, ...]:
    if not isinstance(statement, Block) or not statement.statements:
        return (statement,)
    if statement.directive or statement.trivia.after:
        return (statement,)
    if any(isinstance(one, _IN_SCOPE) for one in statement.statements):
        return (statement,)
    return _without(statement)


def _without(statement: Block) -> tuple[Stmt, ...]:
    first, *rest = statement.statements
    own, trivia = statement.trivia, first.trivia
    before = (*own.before, *trivia.before)
    told = replace(trivia, before=before, blank_line=own.blank_line or trivia.blank_line)
    return (replace(first, trivia=told), *rest)
