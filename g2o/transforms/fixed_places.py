"""What all iterations of a loop that is shared out add to one place becomes a sum.

                                              double sum_p_bond = 0.0;
    #pragma omp parallel for                  #pragma omp parallel for reduction(+ : sum_p_bond)
    for (int i = 0; i < n; ++i)        ->     for (int i = 0; i < n; ++i)
        d_p.bond += x[i] * seed;                  sum_p_bond += x[i] * seed;
                                              d_p.bond += sum_p_bond;

Neither a member of a structure nor an element of an array can stand in the clause. Legal where the
loop does nothing to that variable, or to what that pointer leads to, but to add to it: only the
order of a sum changes. Memory to which nothing is added may not exist.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.effects import declared_in, root_symbol
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Expr,
    Form,
    Index,
    Literal,
    Member,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.increments import is_increment, place_of
from g2o.ir.statements import Declare, ExprStatement, For, If, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import BOOL, CType, TypeKind, unqualified

_MOST_PLACES: Final = 16
"""In an array: sums of more take longer than atomic additions."""


@final
@dataclass(frozen=True, slots=True)
class Summed:
    """A loop, the declarations in front of it, and what stands behind it."""

    before: tuple[Stmt, ...]
    loop: For
    behind: tuple[Stmt, ...]


def with_fixed_places_summed(
    loop: For, shadows: Collection[Symbol], symbols: SymbolTable
) -> Summed:
    """The loop with sums of its own for what it adds to the `shadows` from outside."""
    places = _fixed_places(loop, shadows)
    if not places:
        return Summed((), loop, ())
    sums = [symbols.fresh(_name(one), _plain(one.type), Storage.LOCAL) for one in places]

    def replacement(node: Node) -> Node | None:
        found = _addition(node)
        if found is None or found[0] not in places:
            return None
        place, op, value = found
        own = sums[places.index(place)]
        return ExprStatement(Assign(op, VarRef(own), value, own.type))

    made = replace(loop, body=rewrite(loop.body, replacement), form=Form.BUILT)
    before = (Declare((Variable(one, one.type.spelling, "", _ZERO, "="),)) for one in sums)
    behind = (_added(place, one) for place, one in zip(places, sums, strict=True))
    return Summed(tuple(before), made, tuple(behind))


_ZERO: Final = Literal("0.0", None, CType("double", TypeKind.FLOATING, 64))


def _fixed_places(loop: For, shadows: Collection[Symbol]) -> list[Expr]:
    """The places that are the same in all iterations, each once."""
    additions = [one for node in walk(loop.body) if (one := _addition(node)) is not None]
    inside = declared_in(loop) | _assigned(loop)
    used = Counter(node.symbol for node in walk(loop) if isinstance(node, VarRef))
    added = Counter(root_symbol(place) for place, _, _ in additions)
    found: list[Expr] = []
    for place, _, _ in additions:
        root = root_symbol(place)
        if root is None or root not in shadows or root in inside or used[root] != added[root]:
            continue
        if place not in found and _is_fixed(place, root, inside):
            found.append(place)
    several = Counter(root_symbol(one) for one in found)
    return [one for one in found if _in_variable(one) or several[root_symbol(one)] <= _MOST_PLACES]


def _addition(node: Node) -> tuple[Expr, str, Expr] | None:
    """A place, the operator and the value of an addition to memory, or to a part of a variable."""
    match node:
        case ExprStatement(expr=Call(arguments=(_, value)) as call) if is_increment(call):
            place, op = place_of(call), "+="
            if isinstance(value, Unary) and value.op == "-" and not value.postfix:
                op, value = "-=", strip_parens(value.operand)
        case ExprStatement(expr=Assign(op="+=" | "-=" as op, target=place, value=value)):
            place = strip_parens(place)
        case _:
            return None
    is_number = place.type.kind is TypeKind.FLOATING
    return None if isinstance(place, VarRef) or not is_number else (place, op, value)


def _assigned(loop: For) -> set[Symbol]:
    """Variables that the loop changes: what they choose is not one place."""
    found: set[Symbol] = set()
    for node in walk(loop):
        match node:
            case Assign(target=place) | Unary(op="++" | "--" | "&", operand=place):
                bare = strip_parens(place)
                found |= {bare.symbol} if isinstance(bare, VarRef) else set()
            case _:
                pass
    return found


def _is_fixed(place: Expr, root: Symbol, inside: Collection[Symbol]) -> bool:
    """Is it the same place for all iterations, found without a look at other memory?"""
    named = [node.symbol for node in walk(place) if isinstance(node, VarRef)]
    return named.count(root) == 1 and not any(
        one in inside or one.storage is Storage.GLOBAL or (one is not root and _leads_on(one))
        for one in named
    )


def _leads_on(symbol: Symbol) -> bool:
    return symbol.type.is_indirect or symbol.type.kind is TypeKind.RECORD


def _in_variable(place: Expr) -> bool:
    """Is it a part of a variable, which is always there?"""
    match strip_parens(place):
        case Member(base=base, arrow=False):
            return _in_variable(base)
        case Index(base=base) if base.type.kind is TypeKind.ARRAY:
            return _in_variable(base)
        case inner:
            return isinstance(inner, VarRef)


def _added(place: Expr, own: Symbol) -> Stmt:
    add = ExprStatement(Assign("+=", place, VarRef(own), own.type))
    if _in_variable(place):
        return add
    return If(Binary("!=", VarRef(own), _ZERO, BOOL), add)


def _name(place: Expr) -> str:
    root = root_symbol(place)
    assert root is not None
    return f"sum_{root.name.removeprefix('d_')}{_position(place)}"


def _position(place: Expr) -> str:
    """What tells a place apart: `0` of `d_w[0]`, `_x` of `d_p.x`."""
    match strip_parens(place):
        case Index(base=base, index=index):
            bare = strip_parens(index)
            number = bare.text if isinstance(bare, Literal) and bare.text.isdigit() else ""
            return f"{_position(base)}{number}"
        case Member(base=base, name=name):
            return f"{_position(base)}_{name}"
        case _:
            return ""


def _plain(ctype: CType) -> CType:
    return replace(ctype, spelling=unqualified(ctype), is_const=False)
