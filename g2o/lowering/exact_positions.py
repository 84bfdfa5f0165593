"""Positions as the numbers that they stand for, whatever types they go through on the way.

long row = (long)blockIdx.y * 16 + threadIdx.y;      by * 16 + ty
unsigned at = threadIdx.x + 1;                       tx + 1
"""

from __future__ import annotations

from collections.abc import Mapping, Set

from g2o.analysis.effects import symbols_in
from g2o.ir.expressions import Binary, Cast, Expr, Paren, VarRef
from g2o.ir.statements import Node
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite
from g2o.ir.types import INT, TypeKind


def spelled_out(expr: Expr, numbers: Mapping[Symbol, Expr], varying: Set[Symbol]) -> Expr:
    """The number that `expr` is, with what variables stand for, and without conversions of what
    varies; those to a narrower type stay."""

    def replacement(node: Node) -> Node | None:
        match node:
            case VarRef(symbol=symbol) if symbol in numbers:
                value = numbers[symbol]
                if symbol.type.bits < value.type.bits:
                    return None
                inner = spelled_out(value, numbers, varying)
                return inner if isinstance(inner, VarRef) else Paren(inner, inner.type)
            case Cast(operand=inner) if (
                node.type.kind is TypeKind.INTEGER
                and node.type.bits >= max(inner.type.bits, INT.bits)
                and inner.type.kind is TypeKind.INTEGER
                and symbols_in(inner) & varying
            ):
                return spelled_out(inner, numbers, varying)
            case _:
                return None

    return rewrite(expr, replacement)


def keeps_its_value(expr: Expr, numbers: Mapping[Symbol, Expr], varying: Set[Symbol]) -> bool:
    """Is the sum computed in signed types, none of which is narrower than what it holds?"""
    match expr:
        case Paren(inner=inner):
            return keeps_its_value(inner, numbers, varying)
        case Cast(operand=inner) if symbols_in(inner) & varying:
            wide = expr.type.is_signed and expr.type.bits >= max(inner.type.bits, INT.bits)
            return wide and keeps_its_value(inner, numbers, varying)
        case VarRef(symbol=symbol) if symbol in numbers:
            value = numbers[symbol]
            wide = symbol.type.is_signed and symbol.type.bits >= value.type.bits
            return wide and keeps_its_value(value, numbers, varying)
        case Binary(op="+" | "-", left=left, right=right):
            return expr.type.is_signed and all(
                keeps_its_value(one, numbers, varying) for one in (left, right)
            )
        case _:
            signed = expr.type.kind is TypeKind.INTEGER and expr.type.is_signed
            return signed or not symbols_in(expr) & varying
