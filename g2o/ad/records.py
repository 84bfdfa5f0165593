"""What is recorded for the reverse sweep: tapes, and how the values on them are spelled."""

from __future__ import annotations

from typing import Final

from g2o.analysis.effects import root_symbol
from g2o.analysis.value_types import is_known, value_type
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import (
    Binary,
    Call,
    Conditional,
    Expr,
    Index,
    Literal,
    Member,
    Unary,
    VarRef,
)
from g2o.ir.statements import Node
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import BOOL, INT, CType, TypeKind, unqualified

TAPE: Final = "g2o::Tape"


def is_plain(ctype: CType) -> bool:
    return ctype.kind in (TypeKind.INTEGER, TypeKind.FLOATING, TypeKind.BOOL)


def tape_type(spelled: str, element: CType) -> CType:
    return CType(f"{TAPE}<{spelled}>", TypeKind.OTHER, element=element)


def tape_call(tape: Symbol, name: str, arguments: tuple[Expr, ...]) -> Call:
    return Call(name, Member(VarRef(tape), name), arguments)


def guarded(expr: Expr, guards: list[Expr]) -> Expr:
    """`expr` where the guards hold, and 0 where it may not be evaluated."""
    loads = any(isinstance(node, Index) or _dereferences(node) for node in walk(expr))
    if not guards or not loads:
        return expr
    condition = guards[0]
    for guard in guards[1:]:
        condition = Binary("&&", condition, guard, BOOL)
    return Conditional(condition, expr, Literal("0", 0, INT), expr.type)


def _dereferences(node: Node) -> bool:
    arrow = isinstance(node, Member) and node.arrow
    return arrow or (isinstance(node, Unary) and node.op == "*")


def spelled_type(expr: Expr) -> tuple[CType, str]:
    ctype = value_type(expr)
    if ctype.kind is TypeKind.REFERENCE and ctype.element is not None:
        ctype = ctype.element
    if not is_known(ctype) or ctype.is_indirect:
        raise refuse("G2O0403", "value of this type that the reverse sweep needs", expr.span)
    return ctype, unqualified(ctype)


def wish(expr: Expr) -> str:
    root = root_symbol(expr)
    return root.name if root is not None else "value"
