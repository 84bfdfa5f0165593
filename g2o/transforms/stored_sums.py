"""What is added to a zero is stored.

    d_y[i] = 0.0f;                    d_y[i] = scale * seed;
    d_y[i] += scale * seed;    ->

The statements stand behind each other, name one place, and what is added comes from variables: no
memory is read between that the place may be part of.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.analysis.effects import symbols_in
from g2o.ir.expressions import (
    Assign,
    Binary,
    Cast,
    Expr,
    Index,
    Literal,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.kernel import LoweredKernel
from g2o.ir.statements import NO_TRIVIA, Block, ExprStatement, Node, Stmt
from g2o.ir.symbols import Storage
from g2o.ir.traverse import rewrite_statements, walk
from g2o.ir.types import TypeKind


def store_first_sums(lowered: LoweredKernel) -> LoweredKernel:
    """The kernel with such stores; itself where there are none."""
    whole = Block(lowered.body)

    def in_block(node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        statements: list[Stmt] = []
        for one in node.statements:
            inner = rewrite_statements(one, in_block)
            joined = _joined(statements[-1], inner) if statements else None
            if joined is None:
                statements.append(inner)
            else:
                statements[-1] = joined
        same = len(statements) == len(node.statements) and all(
            new is old for new, old in zip(statements, node.statements, strict=True)
        )
        return node if same else replace(node, statements=tuple(statements))

    made = rewrite_statements(whole, in_block)
    return lowered if made is whole else replace(lowered, body=made.statements)


def _joined(first: Stmt, second: Stmt) -> Stmt | None:
    if not isinstance(first, ExprStatement) or not isinstance(second, ExprStatement):
        return None
    match strip_parens(first.expr), strip_parens(second.expr):
        case (
            Assign(op="=", target=place, value=Literal() as zero),
            Assign(op="+=" | "-=" as op, target=other, value=value),
        ) if place == other and _is_zero(zero) and second.trivia == NO_TRIVIA:
            if place.type.kind is not TypeKind.FLOATING or place.type.is_volatile:
                return None
            if not _is_of_variables(value) or not _is_plain(place):
                return None
            if symbols_in(value) & symbols_in(place) and not isinstance(place, Index):
                return None
            stored = value if op == "+=" else Unary("-", Paren(value, value.type), type=value.type)
            store = Assign("=", place, stored, place.type)
            return replace(first, expr=store, span=None)
        case _:
            return None


def _is_zero(literal: Literal) -> bool:
    return literal.text in ("0.0f", "0.0", "0")


def _is_of_variables(value: Expr) -> bool:
    plain = (Binary, Cast, Literal, Paren, Unary, VarRef)
    return all(
        isinstance(node, plain)
        and not (isinstance(node, Unary) and node.op not in ("-", "+"))
        and not (isinstance(node, VarRef) and node.symbol.storage is Storage.GLOBAL)
        for node in walk(value)
    )


def _is_plain(place: Expr) -> bool:
    plain = (Binary, Cast, Index, Literal, Paren, VarRef)
    return all(isinstance(node, plain) for node in walk(place))
