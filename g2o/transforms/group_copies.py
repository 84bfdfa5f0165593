"""Copies by all threads of a cooperative group.

cg::memcpy_async(block, s, x, bytes);   ->   for (unsigned i = rank; i < bytes / sizeof(T); i += n)
                                                 s[i] = x[i];

That they are done is only known behind `cg::wait`, which is a barrier of the group.
"""

from __future__ import annotations

from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Code,
    Expr,
    Index,
    Paren,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import Declare, ExprStatement, For, Node, Stmt, Variable
from g2o.ir.symbols import Storage, SymbolTable
from g2o.ir.types import UNSIGNED, CType, TypeKind
from g2o.transforms.groups import Groups


def is_group_copy(node: Node) -> bool:
    """Is this a call of `memcpy_async`?"""
    return isinstance(node, Call) and node.is_cuda and node.name == "memcpy_async"


def copy_statement(call: Call, groups: Groups, symbols: SymbolTable) -> Stmt | None:
    """The loop that `memcpy_async` of a group is; None for other calls. Raises Refusal where what
    is copied is not known."""
    if not is_group_copy(call) or not call.arguments:
        return None
    group, *rest = call.arguments
    rank, size = groups.property(group, "thread_rank"), groups.property(group, "size")
    if rank is None or size is None or len(rest) != 3:
        raise refuse("G2O0212", "cooperative groups: 'memcpy_async' of this kind", call.span)
    target, source, count = rest
    element = _element(target)
    if element is None or element.kind is TypeKind.DEPENDENT:
        raise refuse("G2O0212", "cooperative groups: copy of unknown elements", call.span)
    index = symbols.fresh("i", UNSIGNED, Storage.LOCAL)
    spelled = element.spelling.replace("const ", "")
    elements = Code((_operand(count), f" / sizeof({spelled})"), type=UNSIGNED, atomic=False)
    place = VarRef(index)
    copy = Assign(
        "=",
        Index(_operand(target), place, element),
        Index(_operand(source), place, element),
        element,
    )
    return For(
        Declare((Variable(index, "unsigned", "", rank, "="),)),
        Binary("<", place, elements),
        Assign("+=", place, size, UNSIGNED),
        ExprStatement(copy),
        span=call.span,
    )


def _element(pointer: Expr) -> CType | None:
    return strip_parens(pointer).type.element


def _operand(expr: Expr) -> Expr:
    return expr if isinstance(expr, (VarRef, Paren, Call)) else Paren(expr, expr.type)
