"""Constants of derivatives whose type is a parameter of a template.

    d_x[i] += 3.0 * x[i] * x[i] * d_y[i];    ->    d_x[i] += T(3) * x[i] * x[i] * d_y[i];

Without their type they would be numbers of double precision, and so would be all that they are
combined with.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from g2o.ir.expressions import Assign, Form, Literal
from g2o.ir.statements import Declare, ExprStatement, Node, Stmt, Variable
from g2o.ir.traverse import rewrite
from g2o.ir.types import CType, TypeKind, unqualified

_NUMBER: Final = re.compile(r"-?\d+\.?\d*(?:[eE][-+]?\d+)?")
_MOST_WHOLE: Final = 1e6


def with_open_constants(statements: Iterable[Stmt]) -> tuple[Stmt, ...]:
    """`statements` with the types of such constants, or those of what they become a part of. The
    author's constants have types of their own."""
    return tuple(rewrite(one, _typed) for one in statements)


def _typed(node: Node) -> Node | None:
    match node:
        case ExprStatement(expr=Assign(target=target, value=value) as assign):
            new = rewrite(value, lambda inner: _constant(inner, target.type))
            if new is value:
                return None
            return replace(node, expr=replace(assign, value=new, form=Form.BUILT), form=Form.BUILT)
        case Declare(variables=(Variable(symbol=symbol, initial=first) as variable,)) if (
            first is not None
        ):
            new = rewrite(first, lambda inner: _constant(inner, symbol.type))
            if new is first:
                return None
            return replace(node, variables=(replace(variable, initial=new),), form=Form.BUILT)
        case Literal():
            return _constant(node, node.type)
        case _:
            return None


def _constant(node: Node, whole: CType) -> Node | None:
    if not isinstance(node, Literal) or node.type.kind is not TypeKind.DEPENDENT:
        return None
    names = [unqualified(one) for one in (node.type, whole) if one.kind is TypeKind.DEPENDENT]
    name = next((one for one in names if one.isidentifier()), None)
    if node.form is not Form.BUILT or name is None or not _NUMBER.fullmatch(node.text):
        return None
    value = float(node.text)
    short = str(int(value)) if value.is_integer() and abs(value) < _MOST_WHOLE else node.text
    return Literal(f"{name}({short})", None, node.type)
