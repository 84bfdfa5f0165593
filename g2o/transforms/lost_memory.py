"""What functions of C that get memory for others give back where there is none.

    double *p = malloc(n);                 double *p = malloc(n);
    if (!p)                          ->
        return NULL;
    return p;                              return p;

Legal for functions that derivatives call, which take it that there is memory. A null pointer, or
the number of a fault, is all that is given back without.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.analysis.allocations import is_allocation
from g2o.analysis.effects import symbols_in
from g2o.ir.expressions import (
    Assign,
    Binary,
    Expr,
    Member,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.kernel import Function
from g2o.ir.statements import Block, Declare, Empty, ExprStatement, If, Node, Return, Stmt
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import TypeKind
from g2o.transforms.dead_nulls import is_null


def without_lost_memory(function: Function) -> Function:
    """The function without what it does for want of memory."""
    if function.result.kind not in (TypeKind.POINTER, TypeKind.INTEGER, TypeKind.BOOL):
        return function

    def replacement(node: Node) -> Node | None:
        match node:
            case Block(statements=statements):
                made = _without(statements)
                same = all(one is other for one, other in zip(made, statements, strict=True))
                return None if same else rewrite(Block(made, trivia=node.trivia), replacement)
            case _:
                return None

    body = rewrite(function.body, replacement)
    return function if body is function.body else replace(function, body=body)


def _without(statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    got: list[Expr] = []  # places that have got memory
    made: list[Stmt] = []
    for one in statements:
        if isinstance(one, If) and one.otherwise is None and _asks_for_any(one.condition, got):
            if _gives_none(one.then):
                made.append(Empty(trivia=one.trivia))
                continue
        set_here = [target for node in walk(one) for target in _targets(node)]
        got = [place for place in got if place not in set_here and _stays(place, set_here)]
        got += _gets(one)
        made.append(one)
    return tuple(made)


def _gets(statement: Stmt) -> list[Expr]:
    match statement:
        case Declare(variables=variables):
            return [
                VarRef(one.symbol)
                for one in variables
                if one.initial is not None and is_allocation(one.initial)
            ]
        case ExprStatement(expr=Assign(op="=", target=VarRef() | Member() as target, value=value)):
            return [target] if is_allocation(value) else []
        case _:
            return []


def _targets(node: Node) -> list[Expr]:
    match node:
        case Assign(target=target) | Unary(op="++" | "--" | "&", operand=target):
            return [strip_parens(target)]
        case _:
            return []


def _stays(place: Expr, changed: list[Expr]) -> bool:
    """Does no change of a variable make another place of it?"""
    names = symbols_in(place)
    return not any(isinstance(one, VarRef) and one.symbol in names for one in changed)


def _asks_for_any(condition: Expr, places: list[Expr]) -> bool:
    """Does it hold only where one of the places has got no memory?"""
    match strip_parens(condition):
        case Unary(op="!", operand=operand):
            return strip_parens(operand) in places
        case Binary(op="==", left=left, right=right) if is_null(left) or is_null(right):
            return strip_parens(right if is_null(left) else left) in places
        case Binary(op="||", left=left, right=right):
            return _asks_for_any(left, places) and _asks_for_any(right, places)
        case _:
            return False


def _gives_none(statement: Stmt) -> bool:
    last = statement
    if isinstance(statement, Block):
        if not statement.statements:
            return False
        last = statement.statements[-1]
    if not isinstance(last, Return) or last.value is None:
        return False
    return is_null(last.value) or integer_value(last.value) is not None
