"""Values of a function's pointers that nobody reads: they lead to one array.

double *v = matrix.value;         double *v;
v = malloc(n * 8);         ->     v = malloc(n * 8);
free(v);                          free(v);
v = NULL;
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from g2o.analysis.liveness import liveness
from g2o.ir.expressions import (
    Assign,
    Cast,
    Expr,
    Form,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import Block, Declare, Empty, ExprStatement, Jump, JumpKind, Node, Variable
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import TypeKind


def without_dead_nulls(body: Block) -> Block:
    """The body without them."""
    nodes = [*walk(body)]
    alone = [one for one in nodes if isinstance(one, ExprStatement)]
    nulls = {id(one): set(_set_to_null(one.expr)) for one in alone}
    begun = any(_begins(v) for n in nodes if isinstance(n, Declare) for v in n.variables)
    leaps = any(isinstance(one, Jump) and one.kind is JumpKind.GOTO for one in nodes)
    if leaps or not (begun or any(nulls.values())):
        return body
    live = liveness(body)

    def replacement(node: Node) -> Node | None:
        if isinstance(node, Declare) and len(node.variables) == 1:
            (variable,) = node.variables
            if not _begins(variable) or variable.symbol in live.after(node):
                return None
            bare = replace(variable, initial=None, initial_style="")
            return replace(node, variables=(bare,), form=Form.BUILT)
        if not isinstance(node, ExprStatement) or not nulls.get(id(node)):
            return None
        return None if nulls[id(node)] & live.after(node) else Empty(trivia=node.trivia)

    return rewrite(body, replacement)


def _begins(variable: Variable) -> bool:
    """Is it a local pointer that begins with a place, which takes nothing to find?"""
    names = (VarRef, Member, Paren, Unary, Cast, Literal)
    return (
        variable.initial is not None
        and variable.symbol.storage is Storage.LOCAL
        and variable.symbol.type.kind is TypeKind.POINTER
        and all(isinstance(node, names) for node in walk(variable.initial))
        and not any(isinstance(n, Unary) and n.op in ("++", "--") for n in walk(variable.initial))
    )


def is_null(expr: Expr) -> bool:
    """Is it a pointer that leads nowhere?"""
    inner = strip_parens(expr)
    if isinstance(inner, Cast):
        return is_null(inner.operand)
    return isinstance(inner, Literal) and inner.value == 0


def _set_to_null(expr: Expr) -> Iterator[Symbol]:
    """The local pointers that `v = w = NULL` sets; none where it does anything else."""
    found: list[Symbol] = []
    value = strip_parens(expr)
    while isinstance(value, Assign) and value.op == "=":
        target = strip_parens(value.target)
        is_pointer = isinstance(target, VarRef) and target.symbol.type.kind is TypeKind.POINTER
        if not isinstance(target, VarRef) or not is_pointer:
            return
        found.append(target.symbol)
        value = strip_parens(value.value)
    if found and is_null(value) and all(one.storage is Storage.LOCAL for one in found):
        yield from found
