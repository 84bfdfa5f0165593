"""Threads that combine values, and the memory of the block that they do it in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

from g2o.ir.expressions import (
    Assign,
    Binary,
    Expr,
    Index,
    Literal,
    VarRef,
)
from g2o.ir.statements import (
    NO_TRIVIA,
    Barrier,
    Declare,
    ExprStatement,
    If,
    Scope,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.types import INT, CType, TypeKind, unqualified


@final
@dataclass(frozen=True, slots=True)
class Group:
    """The threads that combine values: `count` groups of `size` are in a block. `first` holds for
    the first of each group, `number` is the group's, `rank` the thread's in the block; `spelled` is
    how many threads the block has, as the source says it."""

    scope: Scope
    count: int
    size: int
    first: Expr
    number: Expr
    rank: Expr
    spelled: str

    def first_rank(self) -> Expr:
        """The rank of its first thread."""
        if self.count == 1:
            return Literal("0", 0, INT)
        size = Literal(str(self.size), self.size, INT)
        return Binary("*", self.number, size, self.number.type)

    def barrier(self) -> Barrier:
        return Barrier(self.scope)

    def variable(self, name: str, ctype: CType, symbols: SymbolTable, *, own: bool) -> Symbol:
        """A variable for each group; `own`: under exactly that name."""
        plain = replace(ctype, spelling=unqualified(ctype), is_const=False)
        if self.scope is not Scope.BLOCK:
            spelled = f"{plain.spelling}[{self.count}]"
            plain = CType(spelled, TypeKind.ARRAY, element=plain, extent=self.count)
        make = symbols.declare if own else symbols.fresh
        return make(name, plain, Storage.SHARED)

    def declared(self, symbol: Symbol) -> Declare:
        element = symbol.type.element
        if element is None:
            return Declare((Variable(symbol, f"{symbol.type.spelling} "),))
        extent = Literal(str(self.count), self.count, INT)
        suffix = f"[{self.count}]"
        return Declare((Variable(symbol, f"{element.spelling} ", suffix, extents=(extent,)),))

    def place(self, symbol: Symbol) -> Expr:
        element = symbol.type.element
        if element is None:
            return VarRef(symbol)
        return Index(VarRef(symbol), self.number, element)

    def started(
        self, total: Symbol, value: Expr, nested: bool, instead: tuple[Stmt, ...]
    ) -> tuple[Stmt, ...]:
        """The total with its first value, in place of another statement."""
        trivia = instead[0].trivia if instead and isinstance(instead[0], Declare) else NO_TRIVIA
        place = self.place(total)
        store = ExprStatement(Assign("=", place, value, place.type), trivia=trivia)
        begun = (self.declared(total), If(self.first, store), self.barrier())
        return (self.barrier(), *begun) if nested else begun
