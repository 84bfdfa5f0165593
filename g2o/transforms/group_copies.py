"""Copies by a thread, or by all threads of a cooperative group.

cg::memcpy_async(block, s, x, bytes);   ->   for (unsigned i = rank; i < bytes / sizeof(T); i += n)
                                                 s[i] = x[i];

That they are done is only known behind a wait; done at once they are as good as any.
"""

from __future__ import annotations

import re
from typing import Final

from g2o.analysis.copied_elements import copied_count, copied_element, element_at
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Code,
    Conditional,
    Expr,
    Literal,
    Member,
    Unary,
    VarRef,
    Verbatim,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import Declare, ExprStatement, For, If, Node, Stmt, Variable
from g2o.ir.symbols import Storage, SymbolTable
from g2o.ir.types import BOOL, INT, UNSIGNED, VOID, CType, TypeKind, unqualified
from g2o.transforms.groups import Groups

_ALIGNED: Final = re.compile(r"(?:cuda::)?aligned_size_t\b")
_ZERO: Final = Literal("0", 0, INT)


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
    if rank is None or size is None or len(rest) not in (3, 4):
        raise refuse("G2O0212", "cooperative groups: 'memcpy_async' of this kind", call.span)
    if len(rest) == 4:  # both sides with their numbers of elements
        target, room, source, there = rest
        element = _common_element(call, target, source)
        first, second = (Code(("std::size_t(", _plain_size(one), ")")) for one in (room, there))
        count: Expr = Code(("std::min(", first, ", ", second, ")"), type=UNSIGNED)
    else:
        target, source, size_in_bytes = rest
        element = _common_element(call, target, source)
        count = _count(size_in_bytes, element, (target, source))
    index = symbols.fresh("i", UNSIGNED, Storage.LOCAL)
    place = VarRef(index)
    return For(
        Declare((Variable(index, "unsigned", "", rank, "="),)),
        Binary("<", place, count, BOOL),
        Assign("+=", place, size, UNSIGNED),
        ExprStatement(_assignment(target, source, place, element)),
        span=call.span,
    )


def thread_copy(
    call: Call, operands: tuple[Expr, ...], symbols: SymbolTable, zeros: Expr | None = None
) -> Stmt:
    """The copy that one thread makes, of `operands`: to where, from where, how many bytes, the last
    `zeros` of which are set to 0. Raises Refusal where that is not all or nothing."""
    target, source, size = operands
    condition = None if zeros is None else _copies(call, strip_parens(zeros), size)
    element = _element_of_both(target, source)
    if element is None:
        return _copy_of_bytes(call, (target, source, _plain_size(size)), condition)
    count = _count(size, element, (target, source))
    if integer_value(count) == 1:
        only = _assignment(target, source, _ZERO, element, condition)
        return ExprStatement(only, span=call.span)
    index = symbols.fresh("i", UNSIGNED, Storage.LOCAL)
    place = VarRef(index)
    return For(
        Declare((Variable(index, "unsigned", "", _ZERO, "="),)),
        Binary("<", place, count, BOOL),
        Unary("++", place, type=UNSIGNED),
        ExprStatement(_assignment(target, source, place, element, condition)),
        span=call.span,
    )


def _copy_of_bytes(call: Call, operands: tuple[Expr, ...], condition: Expr | None) -> Stmt:
    copy = ExprStatement(
        Call("memcpy", Literal("std::memcpy"), operands, type=VOID), span=call.span
    )
    if condition is None:
        return copy
    clear = (operands[0], _ZERO, operands[2])
    otherwise = ExprStatement(Call("memset", Literal("std::memset"), clear, type=VOID))
    return If(condition, copy, otherwise, span=call.span)


def _copies(call: Call, zeros: Expr, size: Expr) -> Expr | None:
    """When a copy with that many bytes of zeros takes place; None: always."""
    if integer_value(zeros) == 0:
        return None
    if isinstance(zeros, Conditional):
        if integer_value(zeros.if_true) == 0 and _same(zeros.if_false, size):
            return zeros.condition
        if integer_value(zeros.if_false) == 0 and _same(zeros.if_true, size):
            return Unary("!", zeros.condition, type=BOOL)
    raise refuse("G2O0223", f"'{call.name}' that sets a part to zero", call.span)


def _same(left: Expr, right: Expr) -> bool:
    left, right = strip_parens(left), strip_parens(right)
    if not isinstance(left, Verbatim) or not isinstance(right, Verbatim):
        return left == right
    return left.span is not None and right.span is not None and left.span.text == right.span.text


def _assignment(
    target: Expr, source: Expr, place: Expr, element: CType, condition: Expr | None = None
) -> Assign:
    value = element_at(_pointer(source), place, element)
    if condition is not None:
        zero = Code((f"{unqualified(element)}{{}}",), type=element)
        value = Conditional(condition, value, zero, element)
    return Assign("=", element_at(_pointer(target), place, element), value, element)


def _common_element(call: Call, target: Expr, source: Expr) -> CType:
    """The type of what is copied; it says how the copy is made number by number. Raises Refusal
    where it is not known."""
    element = _element_of_both(target, source)
    if element is None:
        raise refuse("G2O0223", f"'{call.name}' of elements of unknown types", call.span)
    return element


def _element_of_both(target: Expr, source: Expr) -> CType | None:
    elements = [copied_element(_pointer(one)) for one in (target, source)]
    known = [one for one in elements if one is not None and one.kind is not TypeKind.VOID]
    if len(known) != 2 or unqualified(known[0]) != unqualified(known[1]):
        return None
    return known[0]


def _pointer(expr: Expr) -> Expr:
    """A pointer, without conversions to one that says nothing."""
    expr = strip_parens(expr)
    while isinstance(expr, Cast) and _leads_to_nothing(expr.type):
        expr = strip_parens(expr.operand)
    return expr


def _leads_to_nothing(ctype: CType) -> bool:
    return ctype.element is not None and ctype.element.kind is TypeKind.VOID


def _count(size: Expr, element: CType, sides: tuple[Expr, ...]) -> Expr:
    size = _plain_size(size)
    pointers = tuple(_pointer(side) for side in sides)
    known = copied_count(size, element, pointers)
    if known is not None:
        return known
    spelled = f" / sizeof({unqualified(element)})"
    return Code((Code((size,), atomic=False), spelled), type=UNSIGNED, atomic=False)


def _plain_size(size: Expr) -> Expr:
    """A number of bytes, or elements, without the alignment that it promises."""
    size = strip_parens(size)
    if isinstance(size, Call) and size.name.startswith("operator ") and len(size.arguments) == 1:
        converted = size.arguments[0]
        size = converted.base if isinstance(converted, Member) else size
    while isinstance(size, Verbatim) and size.parts and _is_aligned(size):
        size = strip_parens(size.parts[-1])
    return size


def _is_aligned(size: Verbatim) -> bool:
    return size.span is not None and _ALIGNED.match(size.span.text) is not None
