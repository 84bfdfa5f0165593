"""Structures that get all of their members at once behind their declaration begin with these.

    View v;                                   View v = {n, 0.5, 0};
    v = (View){.n = n, .h = 0.5};       ->

Legal where nothing names the structure in between.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.analysis.effects import symbols_in
from g2o.ir.expressions import Assign, Cast, Expr, Form, InitList, VarRef, strip_parens
from g2o.ir.statements import Block, Declare, ExprStatement, Node, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite
from g2o.ir.types import TypeKind


def with_structures_begun(body: Block) -> Block:
    """`body` with them declared where they get their members."""

    def replacement(node: Node) -> Node | None:
        match node:
            case Block(statements=statements) if any(_given(one) for one in statements):
                made = tuple(rewrite(one, replacement) for one in _begun(statements))
                return replace(node, statements=made, form=Form.BUILT)
            case _:
                return None

    return rewrite(body, replacement)


def _given(statement: Stmt) -> tuple[Symbol, Expr] | None:
    """The structure that a statement gives all members, and these."""
    match statement:
        case ExprStatement(expr=Assign(op="=", target=target, value=value)):
            place, whole = strip_parens(target), strip_parens(value)
        case _:
            return None
    if not isinstance(place, VarRef) or place.type.kind is not TypeKind.RECORD:
        return None
    if not isinstance(whole, Cast) or not isinstance(whole.operand, InitList):
        return None
    return None if place.symbol in symbols_in(whole) else (place.symbol, whole.operand)


def _begun(statements: tuple[Stmt, ...]) -> list[Stmt]:
    made: list[Stmt] = []
    for one in statements:
        given = _given(one)
        at = None if given is None else _declared_at(made, given[0])
        if given is None or at is None:
            made.append(one)
            continue
        declared = made.pop(at)
        assert isinstance(declared, Declare)
        variable = replace(declared.variables[0], initial=given[1], initial_style="=")
        made.append(Declare((variable,), trivia=declared.trivia))
    return made


def _declared_at(statements: list[Stmt], symbol: Symbol) -> int | None:
    """Where a structure is declared alone and without a value, if nothing names it behind that."""
    for at, one in reversed([*enumerate(statements)]):
        match one:
            case Declare(variables=(variable,)) if variable.symbol == symbol:
                return at if variable.initial is None and not variable.suffix else None
            case _ if symbol in symbols_in(one):
                return None
            case _:
                pass
    return None
