"""Comparisons of signed indices with the unsigned extents of a launch say what is meant.

    if (bx == grid.x - 1)            if (bx == int(grid.x) - 1)
    if (t < block.x - 1)      ->     if (t < int(block.x) - 1)
    if (n < grid.x)                  if (unsigned(n) < grid.x)

CUDA compares unsigned numbers here. Signed numbers compare alike where both are equal or not, and
where neither can be negative: indices and extents are not, nor is an extent less one. Everything
else is compared unsigned, as before, and a cast says so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

from g2o.ir.expressions import (
    Binary,
    Cast,
    Code,
    Expr,
    Form,
    Literal,
    Member,
    Paren,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import CountedLoop, Node, Stmt
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite
from g2o.ir.types import INT, UNSIGNED, CType, TypeKind

_COMPARISONS = frozenset({"<", ">", "<=", ">=", "==", "!="})
_GROWING = frozenset({"+", "*", "/", "%"})
_SIGNED, _UNSIGNED, _LITERAL = "signed", "unsigned", "literal"


def with_equal_signs(statements: tuple[Stmt, ...], grid: Symbol, block: Symbol) -> tuple[Stmt, ...]:
    """`statements` without comparisons of `grid.x` and the like with signed numbers."""
    signs = _Signs(frozenset((grid, block)))
    return tuple(rewrite(statement, signs.compared) for statement in statements)


@final
@dataclass(frozen=True, slots=True)
class _Signs:
    launch: frozenset[Symbol]

    def compared(self, node: Node) -> Node | None:
        match node:
            case Binary(op=op, left=left, right=right) if op in _COMPARISONS:
                kinds = self.kind(left), self.kind(right)
                if kinds == (_SIGNED, _UNSIGNED) and self.is_extent(right):
                    one, other = self.alike(op, left, right)
                elif kinds == (_UNSIGNED, _SIGNED) and self.is_extent(left):
                    other, one = self.alike(op, right, left)
                else:
                    return None
                return replace(node, left=one, right=other, form=Form.BUILT)
            case CountedLoop(index=index, lower=lower, upper=upper, body=body) if (
                _kind_of(index.type) == _SIGNED
                and self.kind(upper) == _UNSIGNED
                and self.is_natural(lower)
            ):
                if not self.is_extent(upper) or not self.is_natural(upper):
                    return None
                upper = rewrite(upper, self.as_int)
                return replace(node, upper=upper, body=rewrite(body, self.compared))
            case _:
                return None

    def alike(self, op: str, signed: Expr, extent: Expr) -> tuple[Expr, Expr]:
        """Both sides with one sign."""
        equality = op in ("==", "!=") and self.is_sum(extent)
        if equality or (self.is_natural(signed) and self.is_natural(extent)):
            return signed, rewrite(extent, self.as_int)
        return Cast(strip_parens(signed), UNSIGNED), extent

    def is_sum(self, expr: Expr) -> bool:
        """Is it the same modulo 2^32, signed or unsigned?"""
        match expr:
            case Paren(inner=inner):
                return self.is_sum(inner)
            case Binary(op=op, left=left, right=right):
                return op in ("+", "-", "*") and self.is_sum(left) and self.is_sum(right)
            case _:
                return True

    def as_int(self, node: Node) -> Expr | None:
        if isinstance(node, Member) and self.is_dimension(node):
            return Code(("int(", node, ")"), type=INT)
        return None

    def is_dimension(self, expr: Expr) -> bool:
        base = expr.base if isinstance(expr, Member) else None
        return isinstance(base, VarRef) and base.symbol in self.launch

    def is_extent(self, expr: Expr) -> bool:
        """Is it made of dimensions, signed numbers and constants, of the former at least one?"""
        match expr:
            case Paren(inner=inner):
                return self.is_extent(inner)
            case Binary(op=op, left=left, right=right) if op in _GROWING or op == "-":
                parts = (left, right)
                known = all(self.is_extent(one) or self.kind(one) != _UNSIGNED for one in parts)
                return known and any(self.is_extent(one) for one in parts)
            case _:
                return self.is_dimension(expr)

    def is_natural(self, expr: Expr) -> bool:
        """Can it not be negative, as a signed number either?"""
        match expr:
            case Paren(inner=inner):
                return self.is_natural(inner)
            case VarRef(symbol=symbol):
                return symbol.storage is Storage.INDEX
            case Literal(value=value):
                return value is not None and value >= 0
            case Binary(op="-", left=left, right=Literal(value=1)):
                return self.is_dimension(strip_parens(left))
            case Binary(op=op, left=left, right=right) if op in _GROWING:
                return self.is_natural(left) and self.is_natural(right)
            case _:
                return self.is_dimension(expr)

    def kind(self, expr: Expr) -> str | None:
        """How C++ takes the number, as it is written by now; None where that is not known."""
        match expr:
            case Paren(inner=inner):
                return self.kind(inner)
            case Literal(text=text, value=value):
                return _LITERAL if value is not None and text.isdecimal() else None
            case VarRef(symbol=symbol):
                return _kind_of(symbol.type)
            case Cast(type=ctype):
                return _kind_of(ctype)
            case Code(parts=("int(", *_)):
                return _SIGNED
            case Code(parts=("unsigned(", *_)):
                return _UNSIGNED
            case Binary(op=op, left=left, right=right) if op in _GROWING or op == "-":
                kinds = {self.kind(left), self.kind(right)}
                if None in kinds:
                    return None
                for one in (_UNSIGNED, _SIGNED):
                    if one in kinds:
                        return one
                return _LITERAL
            case _:
                return _UNSIGNED if self.is_dimension(expr) else None


def _kind_of(ctype: CType) -> str | None:
    if ctype.kind is not TypeKind.INTEGER or ctype.bits > 32:
        return None
    return _SIGNED if ctype.is_signed or ctype.bits < 32 else _UNSIGNED
