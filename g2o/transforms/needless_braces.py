"""Braces that nothing needs go.

    {                              if (at < n)
        if (at < n)         ->         d_x[at] += d_largest;
            d_x[at] += d_largest;
    }

Legal where nothing is declared in them, and no jump leads there by a name.
"""

from __future__ import annotations

import operator
from dataclasses import replace

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
from g2o.ir.traverse import rewrite_statements

_IN_SCOPE = (Declare, DeclareTypes, Labelled, LocalFunction, Text)


def without_needless_braces(kernel: LoweredKernel) -> LoweredKernel:
    """The same object where there are none."""
    whole = Block(kernel.body)
    made = rewrite_statements(whole, _replacement)
    return kernel if made is whole else replace(kernel, body=made.statements)


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
    first, *rest = statement.statements
    own, trivia = statement.trivia, first.trivia
    before = (*own.before, *trivia.before)
    told = replace(trivia, before=before, blank_line=own.blank_line or trivia.blank_line)
    return (replace(first, trivia=told), *rest)
