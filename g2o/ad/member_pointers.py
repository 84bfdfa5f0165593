"""Pointers inside of structures that a kernel is handed: parameters, to differentiation.

    __global__ void step(Particles p, ...)       void step_grad(..., Particles p, ...,
        p.x[i] += dt * p.v[i];               ->                 Particles *d_p, ...)
                                                 {
                                                     float *x = p.x;
                                                     float *d_x = d_p->x;

The shadow of the structure has the same members: its pointers lead to the shadows. Like those of
distinct parameters, the arrays behind two members do not overlap. Legal where the structure is
nothing but a list of members here: whoever copies or changes it could have other pointers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

from g2o.ad.reals import carries
from g2o.ad.shadows import shadow_type
from g2o.analysis.effects import symbols_in
from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import Note, refuse
from g2o.ir.expressions import Assign, Cast, Expr, Form, Member, Paren, Unary, VarRef
from g2o.ir.kernel import Kernel, LoweredKernel
from g2o.ir.statements import Declare, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import CType, TypeKind, unqualified


@final
@dataclass(frozen=True, slots=True)
class MemberPointer:
    """`pointer` stands for the member `path` of the parameter `holder`."""

    holder: Symbol
    path: Expr
    pointer: Symbol


def leads_to_reals(ctype: CType) -> bool:
    """Is it a structure with pointers to real numbers in it?"""
    return ctype.kind is TypeKind.RECORD and any(
        _is_pointer_to_reals(member) or leads_to_reals(member) for _, member in ctype.fields
    )


def with_member_pointers(
    kernel: Kernel, named: tuple[Symbol, ...]
) -> tuple[Kernel, tuple[Symbol, ...], tuple[MemberPointer, ...]]:
    """`kernel` with parameters in place of the pointers inside of its parameters `named`, what to
    differentiate then, and what the new parameters stand for.

    Raises Refusal where such a structure is used as a whole.
    """
    holders = {one for one in named if leads_to_reals(one.type)}
    if not holders:
        return kernel, named, ()
    function = kernel.function
    symbols = SymbolTable(continued=function.symbols)
    found: dict[Expr, MemberPointer] = {}

    def replacement(node: Node) -> Node | None:
        holder = _holder(node)
        if not isinstance(node, Member) or holder not in holders:
            return None
        if not _is_pointer_to_reals(node.type):
            return None
        path = _own_path(rewrite(node, _bare))
        if path not in found:
            pointer = symbols.fresh(path.name, path.type, Storage.PARAMETER)
            found[path] = MemberPointer(holder, path, pointer)
        return VarRef(found[path].pointer)

    body = rewrite(function.body, replacement)
    for holder in holders:
        _refuse_whole_uses(body, holder)
    parts = tuple(found.values())
    _refuse_changes(body, parts)
    wanted = tuple(
        new
        for one in named
        for new in (
            *([one] if carries(one.type) else ()),
            *(part.pointer for part in parts if part.holder == one),
        )
    )
    parameters = (*function.parameters, *(part.pointer for part in parts))
    changed = replace(function, body=body, parameters=parameters, symbols=symbols)
    return replace(kernel, function=changed), wanted, parts


def with_structures(
    lowered: LoweredKernel,
    asked: tuple[Symbol, ...],
    wanted: tuple[Symbol, ...],
    shadows: Sequence[Symbol],
    parts: tuple[MemberPointer, ...],
    *,
    by_pointer: bool,
) -> tuple[LoweredKernel, tuple[Symbol, ...]]:
    """The derivative with the structures as parameters again, and the shadows that it is handed for
    the parameters `asked`; `shadows` are those of `wanted`."""
    if not parts:
        return lowered, tuple(shadows)
    own = dict(zip(wanted, shadows, strict=True))
    symbols = SymbolTable(continued=lowered.function.symbols)
    handed = {one: own.get(one) or _shadow(one, symbols, by_pointer) for one in asked}
    used = {symbol for statement in lowered.body for symbol in symbols_in(statement)}
    declared: list[Stmt] = []
    for part in parts:
        place = _put(part.path, part.holder, handed[part.holder], by_pointer)
        for pointer, value in ((part.pointer, part.path), (own[part.pointer], place)):
            if pointer in used:
                declared.append(_declared(pointer, value))
    function = replace(lowered.function, symbols=symbols)
    body = (*declared, *lowered.body)
    return replace(lowered, function=function, body=body), tuple(handed.values())


def _is_pointer_to_reals(ctype: CType) -> bool:
    return ctype.kind is TypeKind.POINTER and carries(ctype)


def _holder(node: Node) -> Symbol | None:
    """The variable of a chain of members, without any pointer between."""
    match node:
        case Member(base=base, arrow=False):
            return _holder(base)
        case Paren(inner=inner):
            return _holder(inner)
        case VarRef(symbol=symbol):
            return symbol
        case _:
            return None


def _bare(node: Node) -> Node | None:
    """The chain as generated code writes it."""
    match node:
        case Member(base=base, name=name, type=ctype):
            return Member(rewrite(base, _bare), name, type=ctype, form=Form.BUILT)
        case Paren(inner=inner):
            return rewrite(inner, _bare)
        case VarRef(symbol=symbol):
            return VarRef(symbol)
        case _:
            return None


def _own_path(chain: Expr) -> Member:
    """The chain with the types that the structures give their members: through a reference to a
    constant they are constant, and still the same."""
    assert isinstance(chain, Member)
    base = _own_path(chain.base) if isinstance(chain.base, Member) else chain.base
    own = value_type(base) if isinstance(base, VarRef) else base.type
    return replace(chain, base=base, type=dict(own.fields).get(chain.name, chain.type))


def _refuse_whole_uses(body: Node, holder: Symbol) -> None:
    """Refuse all but members that are numbers."""
    members = {
        id(leaf)
        for node in walk(body)
        if isinstance(node, Member) and _holder(node) == holder and not leads_to_reals(node.type)
        for leaf in walk(node)
    }
    for node in walk(body):
        direct = isinstance(node, VarRef) and node.symbol == holder
        if direct and id(node) not in members:
            message = f"structure '{holder.name}' with pointers to real numbers is used as a whole"
            note = Note("use its members, or hand the pointers over as parameters of their own")
            raise refuse("G2O0403", message, node.span, note)


def _refuse_changes(body: Node, parts: tuple[MemberPointer, ...]) -> None:
    """Refuse pointers of structures that are set, moved, or lent."""
    pointers = {one.pointer: one.holder for one in parts}
    for node in walk(body):
        match node:
            case Assign(target=VarRef(symbol=symbol)) if symbol in pointers:
                pass
            case Unary(op="++" | "--" | "&", operand=VarRef(symbol=symbol)) if symbol in pointers:
                pass
            case _:
                continue
        message = f"pointer '{symbol.name}' of structure '{pointers[symbol].name}' is changed"
        note = Note("copy it into a variable first, or hand it over as a parameter of its own")
        raise refuse("G2O0403", message, node.span, note)


def _shadow(parameter: Symbol, symbols: SymbolTable, by_pointer: bool) -> Symbol:
    ctype = shadow_type(parameter.type)
    if by_pointer:
        ctype = CType(f"{ctype.spelling} *", TypeKind.POINTER, 64, is_signed=False, element=ctype)
    return symbols.fresh(f"d_{parameter.name}", ctype, Storage.PARAMETER)


def _put(path: Expr, holder: Symbol, shadow: Symbol, by_pointer: bool) -> Expr:
    """The same member of the structure's shadow."""
    assert isinstance(path, Member)
    if isinstance(path.base, VarRef):
        place: Expr = Member(VarRef(shadow), path.name, by_pointer, type=path.type)
    else:
        place = replace(path, base=_put(path.base, holder, shadow, by_pointer))
    return place


def _declared(pointer: Symbol, value: Expr) -> Stmt:
    """`float *x = p.x;`; a shadow can be written, whatever the member says."""
    ctype = pointer.type
    if unqualified(value.type) != unqualified(ctype) or (
        value.type.element is not None
        and ctype.element is not None
        and value.type.element.is_const
        and not ctype.element.is_const
    ):
        value = Cast(value, ctype)
    return Declare((Variable(pointer, ctype.spelling, "", value, "="),))
