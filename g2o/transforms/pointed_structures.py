"""Structures with pointers that a C function is handed by their address, as if it were handed the
structures themselves.

    static double dot(const View *v)             double f(..., View v)
        s += v->x[i] * v->y[i];         ->           s += v.x[i] * v.y[i];
    double f(const View *v) { return dot(v); }

Legal where the pointer never leads elsewhere, and leads to nothing but the one structure.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf
from g2o.analysis.value_types import value_type
from g2o.ir.expressions import Assign, Cast, Expr, Form, Member, Paren, Unary, VarRef, strip_parens
from g2o.ir.kernel import Function
from g2o.ir.statements import Block, Declare, Node, Variable
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import CType, TypeKind


def with_structures_themselves(body: Block, effects: EffectsOf) -> Block:
    """The body without local pointers and references to local structures, to those that parameters
    lead to, and to structures inside of them."""
    fixed = {
        variable.symbol: variable
        for node in walk(body)
        if isinstance(node, Declare)
        for variable in node.variables
        if _structure(variable.symbol.type) and variable.initial is not None
    }
    written = written_after_declaration(body, effects)
    known = {
        one: variable
        for one, variable in fixed.items()
        if one not in written or one.type.kind is TypeKind.REFERENCE
        if (place := _place(variable)) is not None and _pointers_in(place).isdisjoint(written)
        if not isinstance(place, Member) or not _moves_members(body)
    }
    if not known:
        return body

    def replacement(node: Node) -> Node | None:
        match node:
            case Member(base=base) if (place := _behind(base, known)) is not None:
                arrow = not isinstance(place, Unary)
                new = place if arrow else place.operand
                return rewrite(replace(node, base=new, arrow=arrow, form=Form.BUILT), replacement)
            case Unary(op="*", operand=operand) if (place := _behind(operand, known)) is not None:
                if not isinstance(place, Unary):
                    return None
                return rewrite(place.operand, replacement)
            case VarRef(symbol=symbol) if symbol in known:
                place = _place(known[symbol])
                if isinstance(place, Unary) and symbol.type.kind is TypeKind.REFERENCE:
                    place = place.operand
                return None if place is None else rewrite(place, replacement)
            case _:
                return None

    gone = rewrite(body, replacement)
    left = {node.symbol for node in walk(gone) if isinstance(node, VarRef)}
    return _without_declarations(gone, known.keys() - left)


def without_second_names(body: Block, effects: EffectsOf) -> Block:
    """The body without local pointers that are other names of pointers: `double *v_x = x;`."""
    written = written_after_declaration(body, effects)
    names: dict[Symbol, Symbol] = {}
    for node in walk(body):
        for one in node.variables if isinstance(node, Declare) else ():
            inner = None if one.initial is None else strip_parens(one.initial)
            both = TypeKind.POINTER
            if isinstance(inner, VarRef) and one.symbol.type.kind is inner.symbol.type.kind is both:
                if one.symbol not in written and inner.symbol not in written:
                    names[one.symbol] = inner.symbol
    if not names:
        return body
    last = {one: _last(one, names) for one in names}
    return rename_symbols(_without_declarations(body, names), last)


def _last(symbol: Symbol, names: dict[Symbol, Symbol]) -> Symbol:
    return _last(names[symbol], names) if symbol in names else symbol


def _without_declarations(body: Block, symbols: Collection[Symbol]) -> Block:
    def replacement(node: Node) -> Node | None:
        match node:
            case Block(statements=statements):
                kept = [rewrite(one, replacement) for one in statements]
                left = tuple(one for one in kept if not isinstance(one, Declare) or one.variables)
                return replace(node, statements=left, form=Form.BUILT)
            case Declare(variables=variables) if any(one.symbol in symbols for one in variables):
                own = tuple(one for one in variables if one.symbol not in symbols)
                return replace(node, variables=own, form=Form.BUILT)
            case _:
                return None

    return rewrite(body, replacement)


def with_structures_given(
    function: Function, named: Collection[Symbol]
) -> tuple[Function, dict[Symbol, Symbol]]:
    """The function with structures in place of the pointers to them that are among the parameters
    `named`, and these by what stands for them."""
    found: dict[Symbol, Symbol] = {}
    for one in named:
        record = _structure(one.type)
        if record is not None and _is_only_one(function.body, one):
            found[one] = replace(one, type=replace(record, is_const=False))
    if not found:
        return function, {}

    def replacement(node: Node) -> Node | None:
        match node:
            case Member(base=base, arrow=True):
                inner = strip_parens(base)
                if isinstance(inner, VarRef) and inner.symbol in found:
                    new = VarRef(found[inner.symbol])
                    return replace(node, base=new, arrow=False, form=Form.BUILT)
                return None
            case _:
                return None

    parameters = tuple(found.get(one, one) for one in function.parameters)
    made = replace(function, body=rewrite(function.body, replacement), parameters=parameters)
    return made, {new: old for old, new in found.items()}


def with_pointers_again(body: Block, pointers: Collection[Symbol]) -> Block:
    """`v->x` in place of `v.x` for what is handed over by its address."""

    def replacement(node: Node) -> Node | None:
        match node:
            case Member(base=VarRef(symbol=symbol), arrow=False) if symbol in pointers:
                return replace(node, arrow=True, form=Form.BUILT)
            case _:
                return None

    return rewrite(body, replacement)


def _structure(ctype: CType) -> CType | None:
    """The structure that a pointer or reference leads to."""
    element = ctype.element
    if ctype.kind not in (TypeKind.POINTER, TypeKind.REFERENCE) or element is None:
        return None
    return element if element.kind is TypeKind.RECORD else None


def _place(variable: Variable) -> VarRef | Member | Unary | None:
    """Another pointer, or the address of a variable or of a part of one, that a pointer or a
    reference begins with."""
    inner = variable.initial
    if variable.symbol.type.kind is TypeKind.REFERENCE:
        inner = None if inner is None else strip_parens(inner)
        is_part = (
            inner is not None and value_type(inner).kind is TypeKind.RECORD and _is_part(inner)
        )
        return Unary("&", inner, type=variable.symbol.type) if inner and is_part else None
    while isinstance(inner, (Paren, Cast)):
        if isinstance(inner, Cast) and not _is_same_structure(inner):
            return None
        inner = inner.inner if isinstance(inner, Paren) else inner.operand
    match inner:
        case VarRef(symbol=symbol) if _structure(symbol.type):
            return inner
        case Member() if _structure(value_type(inner)) and _is_part(inner):
            return inner
        case Unary(op="&", operand=operand) if _is_part(strip_parens(operand)):
            return replace(inner, operand=strip_parens(operand), form=Form.BUILT)
        case _:
            return None


def _is_same_structure(cast: Cast) -> bool:
    """Has what the pointer leads to the same members behind the cast? A structure that is seen in
    an array of numbers has none there."""
    before = value_type(cast.operand)
    new, old = _structure(cast.type), _structure(before)
    if new is not None and old is None:
        element = before.element
        return element is None or not (
            element.innermost.is_arithmetic or element.kind is TypeKind.ARRAY
        )
    return new is None or old is None or (new.bits, new.fields) == (old.bits, old.fields)


def _is_part(expr: Expr) -> bool:
    """Is it a variable, or a member of one, or of what a variable leads to?"""
    match strip_parens(expr):
        case VarRef():
            return True
        case Member(base=base, arrow=arrow):
            return isinstance(strip_parens(base), VarRef) if arrow else _is_part(base)
        case _:
            return False


def _moves_members(body: Block) -> bool:
    """Does it store a pointer to a structure in a member of another one?"""
    return any(
        isinstance(node, Assign)
        and isinstance(strip_parens(node.target), Member)
        and _structure(value_type(node.target)) is not None
        for node in walk(body)
    )


def _pointers_in(place: Expr) -> set[Symbol]:
    """The pointers of which a place depends: an address of a variable is the same at all times."""
    return {
        node.symbol
        for node in walk(place)
        if isinstance(node, VarRef) and node.type.kind is TypeKind.POINTER
    }


def _behind(base: Expr, known: dict[Symbol, Variable]) -> VarRef | Member | Unary | None:
    """What the base of `base->member` is in the end."""
    inner = strip_parens(base)
    if not isinstance(inner, VarRef) or inner.symbol not in known:
        return inner if isinstance(inner, Unary) and inner.op == "&" else None
    place = _place(known[inner.symbol])
    if isinstance(place, VarRef):
        return _behind(place, known) or place
    return place if isinstance(place, (Member, Unary)) else None


def _is_only_one(body: Block, pointer: Symbol) -> bool:
    """Is the pointer used for nothing but members of what it leads to?"""
    direct = {
        id(inner)
        for node in walk(body)
        if isinstance(node, Member) and node.arrow
        if isinstance(inner := strip_parens(node.base), VarRef) and inner.symbol == pointer
    }
    named = [n for n in walk(body) if isinstance(n, VarRef) and n.symbol == pointer]
    return bool(named) and all(id(one) in direct for one in named)
