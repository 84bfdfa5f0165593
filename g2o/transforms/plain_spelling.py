"""Expressions that passes have put together, as a person would spell them.

    (difference).re          ->    difference.re
    (*d_box).length          ->    d_box->length
    n - 3 - 1                ->    n - 4
    if (n - 1 >= 0)          ->    if (n > 0)
    s[(16 * w + t)] = (t)    ->    s[16 * w + t] = t
    cos((v * d))             ->    cos(v * d)
    if ((i < n))             ->    if (i < n)
    else { if (c) ... }      ->    else if (c) ...

Only what nobody has written is touched.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar, cast

from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Expr,
    Form,
    Index,
    LaunchRef,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.kernel import LoweredKernel
from g2o.ir.statements import Block, Declare, If, Node
from g2o.ir.traverse import children, rewrite, with_children
from g2o.ir.types import TypeKind

E = TypeVar("E", Expr, "Expr | None")
_BINDS_TIGHTLY = (VarRef, Index, Member, Call, LaunchRef)


def spelled_plainly(lowered: LoweredKernel) -> LoweredKernel:
    """`lowered` with expressions that nobody has written in a plain form."""
    body = tuple(rewrite(statement, _plain) for statement in lowered.body)
    return replace(lowered, body=body)


def _conversion(node: Node) -> Cast | None:
    """What is in parentheses, where it is a conversion that is spelled like a call."""
    match node:
        case Paren(inner=Cast(type=ctype, form=Form.BUILT) as inner, form=Form.BUILT) if (
            ctype.converts_by_name
        ):
            return inner
        case _:
            return None


def _plain(node: Node) -> Node | None:
    if isinstance(node, (Binary, Index)):
        parts = children(node)
        bare = tuple(_conversion(part) or part for part in parts)
        if any(one is not part for one, part in zip(bare, parts, strict=True)):
            return rewrite(with_children(node, bare), _plain)
    match node:
        case Paren(inner=inner, form=Form.BUILT) if isinstance(inner, _BINDS_TIGHTLY):
            return rewrite(inner, _plain)
        case Paren() if (inner := _conversion(node)) is not None and not isinstance(
            strip_parens(inner.operand), VarRef
        ):  # `T one(unsigned(n))` would declare a function
            return rewrite(inner, _plain)
        case Member(base=Unary(op="*", operand=operand), arrow=False, form=Form.BUILT) if (
            isinstance(operand, _BINDS_TIGHTLY)
        ):
            return replace(node, base=rewrite(operand, _plain), arrow=True)
        case Declare(variables=variables) if any(_is_wrapped(one.initial) for one in variables):
            bare = tuple(replace(one, initial=_unwrapped(one.initial)) for one in variables)
            return rewrite(replace(node, variables=bare, form=Form.BUILT), _plain)
        case Index(index=index) if _is_wrapped(index):
            return rewrite(replace(node, index=_unwrapped(index), form=Form.BUILT), _plain)
        case Assign(value=value) if _is_wrapped(value):
            return rewrite(replace(node, value=_unwrapped(value), form=Form.BUILT), _plain)
        case Call(arguments=arguments) if any(map(_is_wrapped, arguments)):
            bare_arguments = tuple(map(_unwrapped, arguments))
            call = replace(node, arguments=bare_arguments, form=Form.BUILT)
            return rewrite(call, _plain)
        case If(condition=Paren(inner=inner), form=Form.BUILT) if not isinstance(inner, Assign):
            return rewrite(replace(node, condition=inner), _plain)
        case If(otherwise=Block(statements=(If() as only,), form=Form.BUILT) as block) if not any(
            one.trivia.before or one.trivia.after for one in (only, block)
        ):
            return rewrite(replace(node, otherwise=only, form=Form.BUILT), _plain)
        case If(
            condition=Binary(
                op=">=",
                left=Binary(op="-", left=count, right=Literal(value=1), span=None) as less,
                right=Literal(value=0) as none,
                span=None,
            ) as condition
        ) if less.type.kind is TypeKind.INTEGER and less.type.is_signed:
            positive = Binary(">", count, none, condition.type)
            return rewrite(replace(node, condition=positive, form=Form.BUILT), _plain)
        case Binary(op="-", left=Binary(op="-") as inner, right=Literal(value=last), span=None):
            first = inner.right
            if not isinstance(first, Literal) or first.value is None or last is None:
                return None
            if node.type.kind is not TypeKind.INTEGER or inner.span is not None:
                return None
            total = first.value + last
            literal = Literal(str(total), total, first.type)
            return replace(node, left=rewrite(inner.left, _plain), right=literal)
        case _:
            return None


def _is_wrapped(expr: Expr | None) -> bool:
    """Is all of it in parentheses that it does not need?"""
    if not isinstance(expr, Paren) or expr.form is not Form.BUILT:
        return False
    return not isinstance(expr.inner, Binary) or expr.inner.op != ","


def _unwrapped(expr: E) -> E:
    return cast(E, expr.inner) if isinstance(expr, Paren) and _is_wrapped(expr) else expr
