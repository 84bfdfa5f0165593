"""What changes numbers that carry derivatives where no statement says so: refused.

    y = scale(&v) + 1;        y[count(x)] += (v *= 2);

Both modes turn statements into statements: `v = ...;`, `atomicAdd(&v, ...);`. What happens to v
inside of another expression, from where `changes_apart` has not taken it, would be lost without a
word.
"""

from __future__ import annotations

import re
from typing import Final

from g2o.ad.activity import Activity
from g2o.ad.components import behind
from g2o.ad.increments import is_taken_seed
from g2o.ad.reals import carries, is_real
from g2o.ad.selections import has_no_own_derivative, is_of_winners, kind_of
from g2o.analysis.effects import EffectsOf, is_tape_call, symbols_in
from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import Note, refuse
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Code,
    Expr,
    Index,
    Member,
    Paren,
    Unary,
    VarRef,
    Verbatim,
    strip_parens,
)
from g2o.ir.statements import Block, Declare, Exchange, ExprStatement, Node, Stmt, Variable
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children, walk
from g2o.ir.types import TypeKind, unqualified

_WITHOUT_RESULT = Note("drop the result: it depends on which threads came first")
_IN_FLOAT = Note("half precision has no derivatives: compute in float, convert in another kernel")
_HALF: Final = re.compile(r"half|bfloat|^__h[a-z]|^operator float$")
_IN_ONE_THREAD = Note("where one thread alone comes there, read the number and store the new one")


def refuse_hidden_changes(body: Block, activity: Activity, effects: EffectsOf) -> None:
    """Raise Refusal where an active variable changes inside of an expression."""
    for statement in walk(body):
        match statement:
            case ExprStatement(expr=expr):
                _look_below(strip_parens(expr), activity, effects)
            case Declare(variables=variables):
                for variable in variables:
                    _refuse_opaque(variable, activity)
                    _refuse_lambda(variable, body, activity)
                    if variable.initial is not None and not isinstance(variable.initial, Verbatim):
                        _look_into_value(variable.initial, activity, effects)
            case Exchange(operands=operands):
                for operand in operands:
                    _look_at(operand, activity, effects)
            case _ if isinstance(statement, Stmt):
                for part in children(statement):
                    if not isinstance(part, Stmt):
                        _look_at(part, activity, effects)
            case _:
                pass


def _refuse_opaque(variable: Variable, activity: Activity) -> None:
    """Nobody knows where in a class of a library its numbers lie, or whether it has them at all.
    Where a union's are written is looked at (`changed_bits.py`)."""
    symbol = variable.symbol
    if symbol in activity.active and symbol.type.hides_reals and not symbol.type.is_union:
        message = f"values that carry derivatives in '{symbol.name}' of type"
        raise refuse("G2O0403", f"{message} {unqualified(symbol.type)}", variable.span)


def _refuse_lambda(variable: Variable, body: Block, activity: Activity) -> None:
    """A lambda that is still one could not be resolved: what it does to active numbers that it
    captures, or gives back of them, nobody knows. It may decide something by them."""
    initial = variable.initial
    if not isinstance(initial, Verbatim) or initial.key:
        return
    captured = symbols_in(initial) & activity.active
    changed = {
        written
        for node in walk(initial)
        if isinstance(node, Assign)
        for written in symbols_in(node.target)
    }
    calls = (node for node in walk(body) if isinstance(node, Call))
    gives = any(
        strip_parens(call.callee) == VarRef(variable.symbol) and carries(call.type)
        for call in calls
        if captured
    )
    if captured & changed or (captured and gives):
        names = ", ".join(f"'{one.name}'" for one in sorted(captured, key=lambda one: one.id))
        message = f"lambda on {names}, on values that carry derivatives"
        raise refuse("G2O0403", message, initial.span)


def refuse_unknown(expr: Expr, activity: Activity) -> None:
    """Raise Refusal where something that is not understood has active numbers. What only looks at
    them (assert) has no derivative."""
    for node in walk(expr):
        unknown = isinstance(node, (Code, Verbatim)) and not node.pure
        if unknown and symbols_in(node) & activity.active:
            message = "expression on values that carry derivatives"
            raise refuse("G2O0403", message, expr.span)


def is_atomic_on_active(expr: Expr, activity: Activity) -> bool:
    """Is it an atomic operation, whose value is used, on numbers that carry derivatives?"""
    inner = strip_parens(expr)
    return (
        isinstance(inner, Call)
        and inner.name.startswith("atomic")
        and activity.is_active(behind(strip_parens(inner.arguments[0])))
    )


def _look_below(expr: Expr, activity: Activity, effects: EffectsOf) -> None:
    """Look at the parts of a statement whose own change is followed."""
    match expr:
        case Assign(target=target, value=value):
            _look_at_places(target, activity, effects)
            _look_into_value(value, activity, effects)
        case Unary(op="++" | "--", operand=operand):
            _look_at_places(operand, activity, effects)
        case Call(name=name, arguments=arguments) if name.startswith("atomic"):
            _refuse_other_atomics(expr, activity)
            for argument in arguments:
                _look_at(argument, activity, effects)
        case Call(arguments=arguments) if is_tape_call(expr):
            for argument in arguments:
                _look_at(argument, activity, effects)
        case _:
            _look_at(expr, activity, effects)


def _refuse_other_atomics(call: Call, activity: Activity) -> None:
    """Which thread has stored the number that is left is not known behind an exchange; what a
    minimum or maximum found there depends on which threads came first."""
    if has_no_own_derivative(call) or is_of_winners(call) or is_taken_seed(call):
        return
    target = behind(strip_parens(call.arguments[0]))
    name = call.name.removesuffix("_block").removesuffix("_system")
    adds = name in ("atomicAdd", "atomicSub")
    if not adds and is_real(value_type(target)) and activity.is_active(target):
        used = " whose result is used," if kind_of(call) else ""
        message = f"'{call.name}'{used} on values that carry derivatives"
        raise refuse("G2O0403", message, call.span, _WITHOUT_RESULT if used else _IN_ONE_THREAD)


def _look_into_value(value: Expr, activity: Activity, effects: EffectsOf) -> None:
    inner = strip_parens(value)
    is_popped = isinstance(inner, Call) and is_tape_call(inner)
    if is_popped or is_atomic_on_active(value, activity):
        _look_below(strip_parens(value), activity, effects)
    else:
        _look_at(value, activity, effects)


def _look_at_places(lvalue: Expr, activity: Activity, effects: EffectsOf) -> None:
    match lvalue:
        case Index(base=base, index=index):
            _look_at(index, activity, effects)
            _look_at_places(base, activity, effects)
        case Member(base=inner) | Paren(inner=inner) | Cast(operand=inner):
            _look_at_places(inner, activity, effects)
        case Unary(op="*" | "&", operand=operand):
            _look_at_places(operand, activity, effects)
        case Binary(left=left, right=right):
            _look_at(left, activity, effects)
            _look_at(right, activity, effects)
        case _:
            _look_at(lvalue, activity, effects)


def _look_at(node: Node, activity: Activity, effects: EffectsOf) -> None:
    for inner in walk(node):
        match inner:
            case Assign(target=changed) | Unary(op="++" | "--", operand=changed):
                if activity.is_active(changed):
                    message = "change of values that carry derivatives inside an expression"
                    raise refuse("G2O0403", message, inner.span)
            case Call() if any(_may_change(inner, activity, effects)):
                what = f"call of '{inner.name}'"
                if isinstance(inner.callee, VarRef) and inner.callee.type.kind is TypeKind.POINTER:
                    what = f"call through '{inner.callee.symbol.name}' of a function not known here"
                message = f"{what}, which may change values that carry derivatives"
                notes = (_IN_FLOAT,) if _HALF.search(inner.name) else ()
                raise refuse("G2O0403", message, inner.span, *notes)
            case Code(pure=False) | Verbatim(pure=False):
                if effects.of(inner).writes & activity.active:
                    message = "construct that g2o does not understand on active values"
                    raise refuse("G2O0403", message, inner.span)
            case _:
                pass


def _may_change(call: Call, activity: Activity, effects: EffectsOf) -> list[Symbol]:
    found = effects.of(call)
    changed = {one for one in found.writes | found.memory_writes if one is not None}
    roots = {root for one in changed for root in activity.origins.resolve(one)}
    own = {one for one in roots if one is not None}
    return sorted(own & activity.active, key=lambda one: one.id)
