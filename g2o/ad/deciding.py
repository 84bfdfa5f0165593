"""Functions that look at real numbers and decide: nothing of what they do has a derivative.

    __device__ bool above(float v, float limit) { return v - limit > 0.0f; }

They stay calls in adjoints and tangents.
"""

from __future__ import annotations

from collections.abc import Collection

from g2o.ad.bits import FROM_BITS, TO_BITS
from g2o.ad.reals import carries
from g2o.analysis.functions import FunctionTable
from g2o.ir.expressions import Call, Cast, Code, Member, VarRef, Verbatim
from g2o.ir.kernel import Function
from g2o.ir.statements import Declare
from g2o.ir.traverse import walk
from g2o.ir.types import TypeKind

_DECISIONS = (TypeKind.BOOL, TypeKind.INTEGER)


def only_decides(
    function: Function, functions: FunctionTable, callers: Collection[str] = ()
) -> bool:
    """Does it give a truth value or an integer, and neither changes real numbers nor hands their
    bits on?"""
    if function.result.kind not in _DECISIONS or function.receiver is not None:
        return False
    if any(carries(one.type) and one.type.is_indirect for one in function.parameters):
        return False
    seen = (*callers, function.key)
    for node in walk(function.body):
        match node:
            case Call(name=name, key=key):
                inner = functions.body(key) if key and key not in seen else None
                if name in TO_BITS | FROM_BITS or name.startswith("atomic"):
                    return False
                if inner is not None and not _is_harmless(inner, functions, seen):
                    return False
            case Cast(type=ctype) if ctype.is_indirect:
                return False
            case Declare(variables=variables):
                if any(one.symbol.type.innermost.kind is TypeKind.RECORD for one in variables):
                    return False
            case Verbatim() | Code():
                return False
            case _:
                pass
    return True


def _is_harmless(function: Function, functions: FunctionTable, seen: Collection[str]) -> bool:
    """What it calls: a decision as well, or a function of numbers without memory."""
    if function.result.kind in _DECISIONS:
        return only_decides(function, functions, seen)
    effects = functions.effects(function.key)
    return effects is not None and not effects.needs_context and not effects.has_atomics


def changes_its_object(function: Function, functions: FunctionTable) -> bool:
    """Is it a method that may change real numbers of its object, or behind pointers in it?

    __device__ void normalize() { double n = 1.0 / sqrt(x * x + y * y); x *= n; y *= n; }
    """
    effects = functions.effects(function.key)
    if effects is None or not effects.writes_receiver:
        return False
    members = [node for node in walk(function.body) if isinstance(node, Member)]
    if any(carries(one.type) for one in members):
        return True
    of_members = {id(one.base) for one in members}
    return any(
        isinstance(node, VarRef) and node.symbol == function.receiver and id(node) not in of_members
        for node in walk(function.body)
    )
