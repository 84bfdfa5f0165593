"""Members of what has no name, which clang does not take directly inside of a target construct.

    #pragma omp target teams distribute parallel for is_device_ptr(x, y)
    for (int i = 0; i < n; ++i)
        y[i] = ((float4 *)x)[i].w;       // error: expected addressable lvalue in 'map' clause

clang (19 at least) asks of every member expression there whether it is a part of something that has
to be mapped. It does not ask in a construct of its own inside of the target:

    #pragma omp target is_device_ptr(x, y)
    #pragma omp teams distribute parallel for

which is the same construct in two lines.
"""

from __future__ import annotations

import re
from typing import Final

from g2o.ir.expressions import Code, Expr, Index, Member, Paren, VarRef, Verbatim
from g2o.ir.statements import Node, Text
from g2o.ir.traverse import walk

_MEMBER_OF_VALUE: Final = re.compile(r"[)\]]\s*\.\s*[A-Za-z_]")


def has_members_of_values(node: Node) -> bool:
    """Does `node` name a member of a value, or of what an expression points to?"""
    return any(_is_member_of_value(inner) for inner in walk(node))


def _is_member_of_value(node: Node) -> bool:
    match node:
        case Member(base=base, arrow=False):
            return not _is_named(base)
        case Verbatim(span=span):
            return span is None or _MEMBER_OF_VALUE.search(span.text) is not None
        case Code(parts=parts) | Text(parts=parts):
            text = "".join(part if isinstance(part, str) else "0" for part in parts)
            return _MEMBER_OF_VALUE.search(text) is not None
        case _:
            return False


def _is_named(expr: Expr) -> bool:
    """A variable, or an element or a member of one."""
    match expr:
        case VarRef():
            return True
        case Index(base=base) | Member(base=base) | Paren(inner=base):
            return _is_named(base)
        case _:
            return False
