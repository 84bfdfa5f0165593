"""Pointers in a structure of the caller's that lead elsewhere behind the call.

    void step(Grid *g)                      double *u = g->u, *v = g->v, *now = u, *next = v;
        g->v[i] = g->u[i];                  next[i] = now[i];
        double *t = g->u;             ->    double *t = now;
        g->u = g->v;                        now = next;
        g->v = t;                           next = t;
                                            g->u = now, g->v = next;
                                            d_g->u = d_now, d_g->v = d_next;

Inside they are variables of the function, which differentiation numbers. What they are at the end
is said to it as a comparison, whose left side is what the pointer is then: `*told = now == u`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from g2o.diagnostics.diagnostic import Note, refuse
from g2o.ir.expressions import Assign, Binary, Cast, Expr, Form, Unary, VarRef, strip_parens
from g2o.ir.statements import Block, Declare, ExprStatement, Node, Return, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import INT, CType, TypeKind

_TOLD: Final = CType("int *", TypeKind.POINTER, 64, is_signed=False, element=INT)
Store = tuple[Expr, Mapping[Symbol, Symbol] | None]
"""A member, and the shadows of the arrays where it is one of a shadow."""


def with_moves_told(
    body: Block, moved: Collection[Symbol], symbols: SymbolTable
) -> tuple[Block, dict[Symbol, Symbol]]:
    """The body with variables in place of the parameters that it moves, and what tells where these
    lead at the end."""
    ordered = sorted(moved, key=lambda one: one.id)
    new = {one: symbols.fresh(one.name, one.type, Storage.LOCAL) for one in ordered}
    told = {one: symbols.fresh(f"{one.name}_moved", _TOLD, Storage.PARAMETER) for one in ordered}
    ends = tuple(_tell(told[one], new[one], one) for one in ordered)

    def replacement(node: Node) -> Node | None:
        return Block((*ends, node)) if isinstance(node, Return) else None

    inside = rewrite(rename_symbols(body, new), replacement)
    front = (
        Declare((Variable(now, one.type.spelling, "", VarRef(one), "="),))
        for one, now in new.items()
    )
    return Block((*front, *inside.statements, *ends), form=Form.BUILT), told


def _tell(told: Symbol, now: Symbol, first: Symbol) -> Stmt:
    place = Unary("*", VarRef(told), type=INT)
    return ExprStatement(Assign("=", place, Binary("==", VarRef(now), VarRef(first), INT), INT))


def with_members_moved(
    statements: Sequence[Stmt], stores: Mapping[Symbol, Sequence[Store]], arrays: Collection[Symbol]
) -> tuple[Stmt, ...]:
    """The statements of a derivative with members set where it is told where they lead, which is to
    one of the `arrays`. Raises Refusal."""

    def told(statement: Stmt) -> tuple[Stmt, ...]:
        match statement:
            case ExprStatement(
                expr=Assign(target=Unary(op="*", operand=VarRef(symbol=symbol)), value=value)
            ) if symbol in stores:
                pointer = _compared(value)
                return tuple(
                    ExprStatement(Assign("=", place, _led(pointer, place, new, arrays), place.type))
                    for place, new in stores[symbol]
                )
            case _:
                return (rewrite(statement, replacement),)

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        return replace(node, statements=tuple(new for old in node.statements for new in told(old)))

    return tuple(new for old in statements for new in told(old))


def _compared(value: Expr) -> Expr:
    inner = strip_parens(value)
    while isinstance(inner, Cast):
        inner = strip_parens(inner.operand)
    assert isinstance(inner, Binary)
    return strip_parens(inner.left)


def _led(
    pointer: Expr,
    place: Expr,
    shadows: Mapping[Symbol, Symbol] | None,
    arrays: Collection[Symbol],
) -> Expr:
    for node in walk(pointer):
        if isinstance(node, VarRef) and node.symbol.type.kind is TypeKind.POINTER:
            if node.symbol not in arrays or (shadows is not None and node.symbol not in shadows):
                message = (
                    "a pointer of the caller's leads to memory of the function's own behind it"
                )
                note = Note("or to an array that has no shadow")
                raise refuse("G2O0403", message, place.span, note)
    return rename_symbols(pointer, dict(shadows or {}))
