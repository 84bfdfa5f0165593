"""Whether code only changes variables of its own, or also what lies elsewhere.

float s[32];  s[t] = x[t];           // the array goes with the block that declares it
float *q = y + n;  q[t] = x[t];      // the pointer does, what it leads to does not
"""

from __future__ import annotations

from collections.abc import Iterable, Set

from g2o.analysis.effect_sets import Effects
from g2o.analysis.effects import symbols_in
from g2o.ir.expressions import Assign, Call, Expr, Index, Member, Paren, Unary, VarRef
from g2o.ir.statements import Node
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import CType, TypeKind


def changed_beyond(nodes: Iterable[Node], found: Effects, own: Set[Symbol]) -> set[Symbol | None]:
    """The variables besides `own`, and the memory by the variables that it is reached through,
    that `nodes` change; `found` are their effects. None: any memory."""
    beyond: set[Symbol | None] = {one for one in found.writes if one not in own}
    targets: list[Expr] = []
    handed_on: set[Symbol] = set()
    for node in (node for one in nodes for node in walk(one)):
        match node:
            case Assign(target=target) | Unary(op="++" | "--", operand=target):
                targets.append(target)
            case Call():
                handed_on |= symbols_in(node)
            case _:
                pass
    stored = {root for target in targets for root in _stored_in(target)} - handed_on
    for one in found.memory_writes:
        plain = one is not None and (
            _has_no_pointers(one.type) or (one in stored and _all_in(one, targets))
        )
        if one not in own or not plain:
            beyond.add(one)
    return beyond


def _has_no_pointers(ctype: CType) -> bool:
    inner = ctype.innermost
    if inner.kind is TypeKind.RECORD and inner.fields:
        return all(_has_no_pointers(field) for _, field in inner.fields)
    return inner.is_arithmetic


def _all_in(symbol: Symbol, targets: Iterable[Expr]) -> bool:
    """Does every target that names the variable at its root lie in it?"""
    return all(symbol in _stored_in(target) for target in targets if _outermost(target) == symbol)


def _stored_in(target: Expr) -> set[Symbol]:
    """The variable that a target is, or is an element of, where no pointer leads on from there."""
    levels = 0
    while True:
        match target:
            case Paren(inner=inner):
                target = inner
            case Member(base=base, arrow=False):
                target = base
            case Index(base=base):
                target, levels = base, levels + 1
            case VarRef(symbol=symbol):
                return {symbol} if levels <= _levels(symbol) else set()
            case _:
                return set()


def _outermost(target: Expr) -> Symbol | None:
    while True:
        match target:
            case Paren(inner=inner):
                target = inner
            case Member(base=base) | Index(base=base):
                target = base
            case Unary(op="*", operand=operand):
                target = operand
            case VarRef(symbol=symbol):
                return symbol
            case _:
                return None


def _levels(symbol: Symbol) -> int:
    """How many indices lead to an element of the variable; what threads keep has one for them."""
    levels, ctype = int(symbol.storage is Storage.BLOCK), symbol.type
    while ctype.kind is TypeKind.ARRAY and ctype.element is not None:
        levels, ctype = levels + 1, ctype.element
    return levels
