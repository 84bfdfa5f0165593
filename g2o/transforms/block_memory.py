"""Which addresses lie in the shared memory of a block.

__shared__ int s[N];  int *p = &s[3];       &s[i], s + i, p, &p[2] do
__shared__ int *q;                          &q[1] does not: q points anywhere
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import final

from g2o.ir.expressions import (
    Assign,
    Binary,
    Cast,
    Code,
    Conditional,
    Expr,
    Index,
    Member,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import Declare, Stmt
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import TypeKind

_SHARED = (Storage.SHARED, Storage.DYNAMIC_SHARED)


@final
@dataclass(slots=True)
class BlockMemory:
    """`pointers` are local pointers that only ever hold addresses of shared memory."""

    pointers: set[Symbol] = field(default_factory=set[Symbol])

    def is_address(self, expr: Expr) -> bool:
        """Does `expr` certainly point into shared memory?"""
        match expr:
            case Paren(inner=inner):
                return self.is_address(inner)
            case Unary(op="&", operand=operand):
                return self.holds(operand)
            case Cast(operand=operand, type=ctype):
                return ctype.kind is TypeKind.POINTER and self.is_address(operand)
            case Binary(op="+" | "-", left=left, right=right):
                return self.is_address(left) or (expr.op == "+" and self.is_address(right))
            case Conditional(if_true=if_true, if_false=if_false):
                return self.is_address(if_true) and self.is_address(if_false)
            case VarRef(symbol=symbol) if symbol in self.pointers:
                return True
            case Code(parts=(only,)) if not isinstance(only, str):
                return self.is_address(only)
            case VarRef() | Index() | Member():
                return expr.type.kind is TypeKind.ARRAY and self.holds(expr)
            case _:
                return False

    def holds(self, lvalue: Expr) -> bool:
        """Does the lvalue certainly lie in shared memory?"""
        match lvalue:
            case VarRef(symbol=symbol):
                reference = symbol.type.kind is TypeKind.REFERENCE
                return symbol.storage in _SHARED and not reference
            case Index(base=base):
                return self.is_address(base)
            case Member(base=base, arrow=arrow):
                return self.is_address(base) if arrow else self.holds(base)
            case Paren(inner=inner):
                return self.holds(inner)
            case Unary(op="*", operand=operand):
                return self.is_address(operand)
            case Code(parts=(only,)) if not isinstance(only, str):
                return self.holds(only)
            case _:
                return False

    def is_named_in(self, expr: Expr) -> bool:
        """Does the expression name shared memory, or a pointer to it?"""
        return any(
            isinstance(node, VarRef)
            and (node.symbol in self.pointers or node.symbol.storage in _SHARED)
            for node in walk(expr)
        )


def find_block_memory(statements: Iterable[Stmt]) -> BlockMemory:
    """The local pointers into shared memory: the largest set that is consistent with all that is
    ever assigned to them."""
    definitions: dict[Symbol, list[Expr]] = {}
    unknown: set[Symbol] = set()
    for statement in statements:
        for node in walk(statement):
            match node:
                case Declare(variables=variables):
                    for variable in variables:
                        if variable.initial is not None:
                            definitions.setdefault(variable.symbol, []).append(variable.initial)
                case Assign(op=op, target=target, value=value):
                    root = strip_parens(target)
                    if (
                        not isinstance(root, VarRef)
                        or root.symbol.type.kind is not TypeKind.POINTER
                    ):
                        continue
                    if op == "=":
                        definitions.setdefault(root.symbol, []).append(value)
                case Unary(op="&", operand=operand):
                    inner = strip_parens(operand)
                    if isinstance(inner, VarRef):
                        unknown.add(inner.symbol)
                case _:
                    pass
    pointers = {
        symbol
        for symbol in definitions
        if symbol.storage is Storage.LOCAL and symbol.type.kind is TypeKind.POINTER
    }
    result = BlockMemory(pointers - unknown)
    while True:
        consistent = {
            symbol
            for symbol in result.pointers
            if all(result.is_address(value) for value in definitions[symbol])
        }
        if consistent == result.pointers:
            return result
        result.pointers = consistent
