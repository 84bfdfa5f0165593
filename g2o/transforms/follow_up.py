"""What follows when all threads are done: adjoints of calls that gave all of them the same.

double d_in_magnitude = 0.0;
#pragma omp parallel for reduction(+ : ...)
...
magnitude_grad(in, n, d_in, d_in_magnitude);
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import final

from g2o.analysis.effects import symbols_in
from g2o.ir.expressions import Assign, Binary, Call, Expr, Literal, Unary, VarRef
from g2o.ir.kernel import LoweredKernel
from g2o.ir.statements import Declare, ExprStatement, If, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite
from g2o.ir.types import BOOL


@final
@dataclass(frozen=True, slots=True)
class FollowUp:
    """A call of `name` with `arguments` and the sum of what was added behind `seeds`."""

    name: str
    arguments: tuple[Expr, ...]
    seeds: Symbol


def follow_up(lowered: LoweredKernel, calls: Sequence[FollowUp]) -> LoweredKernel:
    """Declare the sums in front, and make the calls at the end. Threads that ask for nothing leave
    a sum of 0: then there may be nothing to read for the call."""
    if not calls:
        return lowered
    body: tuple[Stmt, ...] = lowered.body
    declared: list[Stmt] = []
    following: list[Stmt] = []
    for one in calls:
        pointee = one.seeds.type.element
        assert pointee is not None
        own = Symbol(one.seeds.id, one.seeds.name, pointee, Storage.LOCAL)
        direct = partial(_direct, seeds=one.seeds, own=own)
        body = tuple(rewrite(statement, direct) for statement in body)
        zero = Literal("0.0f" if pointee.bits == 32 else "0.0", None, pointee)
        total = _total(body, own)
        if total is None:
            declared.append(Declare((Variable(own, pointee.spelling, "", zero, "="),)))
        else:
            body = tuple(one for one in body if own not in symbols_in(one))
            own = total
        call = Call(one.name, Literal(one.name), (*one.arguments, VarRef(own)))
        asked = Binary("!=", VarRef(own), zero, BOOL)
        following.append(If(asked, ExprStatement(call)))
    return replace(lowered, body=(*declared, *body, *following))


def _total(body: tuple[Stmt, ...], own: Symbol) -> Symbol | None:
    """The variable that has all of `own`, where `own += total;` is all that is done to it, perhaps
    only for sums that are not 0."""
    naming = [n for n, statement in enumerate(body) if own in symbols_in(statement)]
    if len(naming) != 1:
        return None
    match body[naming[0]]:
        case ExprStatement(expr=Assign(op="+=", target=VarRef(), value=VarRef(symbol=total))):
            pass
        case If(
            condition=Binary(op="!=", left=VarRef(symbol=asked)),
            then=ExprStatement(expr=Assign(op="+=", target=VarRef(), value=VarRef(symbol=total))),
            otherwise=None,
        ) if asked == total:
            pass  # a sum of 0 adds nothing
        case _:
            return None
    declares = any(
        isinstance(one, Declare) and any(variable.symbol == total for variable in one.variables)
        for one in body
    )
    changes = any(total in symbols_in(one) for one in body[naming[0] + 1 :])
    return total if declares and not changes else None


def _direct(node: Node, seeds: Symbol, own: Symbol) -> Node | None:
    """The sum itself in place of the pointer to it."""
    match node:
        case Unary(op="*", operand=VarRef(symbol=symbol)) if symbol == seeds:
            return VarRef(own)
        case VarRef(symbol=symbol) if symbol == seeds:
            return Unary("&", VarRef(own), type=symbol.type)
        case _:
            return None
