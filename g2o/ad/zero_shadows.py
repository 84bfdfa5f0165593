"""Shadows that stay 0, out of the sums that they would be terms of.

    const double d_r_w = 0.0;
    d_u_x += q.w * d_r_x - q.x * d_r_w;     ->     d_u_x += q.w * d_r_x;
    d_u_w += q.y * d_r_w;

Nothing depends on the number that such a shadow belongs to: the fourth number of a quaternion of
which a kernel stores three. So it is with a member of all elements of a shadow's array that nothing
but 0 is stored to, the velocities in a tile of bodies:

    atomicAdd(&d_bodies[j].vx, d_tile[t].vx);     ->
    d_tile[t].vx = 0.0f;

Legal where the array is one of the kernel's own that starts with zeros, and is only ever named to
name members of its elements.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import final

from g2o.ad.increments import is_taken_seed, is_zero, zero
from g2o.ad.zero_members import member_of, zero_members
from g2o.analysis.effects import symbols_in
from g2o.ir.comments import change_statements
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Form,
    Index,
    Member,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import Block, Declare, Exchange, ExprStatement, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk, with_children

_Part = tuple[Symbol, str]  # a member of all elements of an array


@final
@dataclass(frozen=True, slots=True)
class _Zeros:
    variables: frozenset[Symbol]
    members: frozenset[_Part]

    def __bool__(self) -> bool:
        return bool(self.variables or self.members)


def without_zero_shadows(
    statements: tuple[Stmt, ...], made: Collection[Symbol], objects: Collection[Symbol] = ()
) -> tuple[Stmt, ...]:
    """`statements` without the variables `made` by differentiation that are always 0, and without
    members of its `objects` that are."""
    body = Block(statements, form=Form.BUILT)

    def zeros_in(body: Block) -> _Zeros:
        return _Zeros(_zeros(body, made), zero_members(body, objects))

    zeros = zeros_in(body)
    while zeros:
        body = change_statements(body, lambda one, zeros=zeros: _changed(one, zeros))
        left = zeros_in(body)
        if left == zeros:
            break
        zeros = left
    named = _named(body)
    gone = {one for one in zeros.variables if not named[one]}
    return change_statements(body, lambda one: None if _declared(one) in gone else one).statements


def _zeros(body: Block, made: Collection[Symbol]) -> frozenset[Symbol]:
    """Variables that start with 0, and never get another value."""
    found: set[Symbol] = set()
    changed: set[Symbol] = set()
    for node in walk(body):
        match node:
            case Declare(variables=variables):
                for one in variables:
                    if one.symbol in made and is_zero(one.initial) and len(variables) == 1:
                        found.add(one.symbol)
                    elif one.initial is not None and one.symbol.type.is_indirect:
                        changed |= symbols_in(one.initial)  # under another name
            case Assign(target=VarRef(symbol=symbol)) | Exchange(result=symbol):
                changed.add(symbol)
            case Unary(op="&" | "++" | "--", operand=VarRef(symbol=symbol)):
                changed.add(symbol)
            case _:
                pass
    return frozenset(found - changed)


def _named(body: Block) -> Counter[Symbol]:
    return Counter(node.symbol for node in walk(body) if isinstance(node, VarRef))


def _declared(statement: Stmt) -> Symbol | None:
    return statement.variables[0].symbol if isinstance(statement, Declare) else None


def _changed(statement: Stmt, zeros: _Zeros) -> Stmt | None:
    match statement:
        case ExprStatement(expr=Assign(target=target)) if member_of(target) in zeros.members:
            return None
        case ExprStatement(expr=Assign(op="=" | "+=" | "-=" as op, value=value) as assign):
            new = _value(value, zeros)
            if new is None and op != "=":
                return None
            new = zero(value.type) if new is None else new
            if new is value:
                return statement
            return replace(statement, expr=replace(assign, value=new, form=Form.BUILT))
        case ExprStatement(expr=Call(name="atomicAdd", arguments=(address, value)) as call):
            new = _value(value, zeros)
            if new is None or new is value:
                return None if new is None else statement
            added = replace(call, arguments=(address, new), form=Form.BUILT)
            return replace(statement, expr=added, form=Form.BUILT)
        case Declare(variables=(variable,)) if variable.initial is not None:
            new = _value(variable.initial, zeros)
            if new is variable.initial:
                return statement
            new = zero(variable.symbol.type) if new is None else new
            return replace(statement, variables=(replace(variable, initial=new),), form=Form.BUILT)
        case _:
            return statement


def _taken_from(seed: Call) -> Expr:
    address = strip_parens(seed.arguments[0])
    return address.operand if isinstance(address, Unary) else address


def _value(expr: Expr, zeros: _Zeros) -> Expr | None:
    """The expression without terms that are 0; None where all of it is."""
    match expr:
        case VarRef(symbol=symbol):
            return None if symbol in zeros.variables else expr
        case Member() | Index() if member_of(expr) in zeros.members:
            return None
        case Call() if is_taken_seed(expr) and member_of(_taken_from(expr)) in zeros.members:
            return None
        case Paren(inner=inner) | Unary(op="-", operand=inner) | Cast(operand=inner):
            new = _value(inner, zeros)
            return None if new is None else expr if new is inner else with_children(expr, (new,))
        case Binary(op="*" | "/" | "+" | "-" as op, left=left, right=right):
            first, second = _value(left, zeros), _value(right, zeros)
            if first is left and second is right:
                return expr
            if op in ("*", "/"):
                gone = first is None or (second is None and op == "*")
                return None if gone else with_children(expr, (first or left, second or right))
            if second is None:
                return first
            if first is None:
                return second if op == "+" else Unary("-", second, type=expr.type)
            return replace(expr, left=first, right=second, form=Form.BUILT)
        case Conditional(if_true=if_true, if_false=if_false):
            first, second = _value(if_true, zeros), _value(if_false, zeros)
            if first is if_true and second is if_false:
                return expr
            if first is None and second is None:
                return None
            first = zero(expr.type) if first is None else first
            second = zero(expr.type) if second is None else second
            return replace(expr, if_true=first, if_false=second, form=Form.BUILT)
        case _:
            return expr
