"""The objects that methods are called on, where these become statements.

v.scale(2)                    the variable itself
make(t).scale(2)              V made = make(t);      a variable for what an expression makes
(c ? a : b).scale(2)          V *made = &(c ? a : b);
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import final

from g2o.analysis.effects import EffectsOf, root_symbol
from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import Note, refuse
from g2o.ir.expressions import (
    Call,
    Cast,
    Conditional,
    Expr,
    Index,
    InitList,
    LaunchRef,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    Verbatim,
    strip_parens,
)
from g2o.ir.statements import Declare, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.types import CType, TypeKind
from g2o.transforms.instantiate import Instance


@final
@dataclass(slots=True)
class Receiver:
    """The `object`, a pointer to it with `arrow`, or none of functions that are no methods; the
    `arguments` proper, and what comes in front."""

    arguments: tuple[Expr, ...]
    object: Expr | None = None
    arrow: bool = False
    copies: list[Stmt] = field(default_factory=list[Stmt])


def is_simple(expr: Expr) -> bool:
    """Does it need no parentheses, wherever it stands?"""
    return isinstance(expr, (VarRef, Literal, LaunchRef, Paren)) or (
        isinstance(expr, Member) and is_simple(expr.base)
    )


def receiver_of(
    instance: Instance,
    call: Call,
    effects: EffectsOf,
    symbols: SymbolTable,
    refers: bool,
) -> Receiver:
    """What a call has for the object of a method, and its arguments proper.

    An object that another call has made is given a name first, a pointer where the call refers to
    an object that is there.
    """
    bound = Receiver(call.arguments)
    if instance.receiver is None:
        return bound
    arguments = call.arguments
    if isinstance(call.callee, Member):
        bound.object, bound.arrow = call.callee.base, call.callee.arrow
    elif arguments:
        bound.object, *rest = arguments
        arguments = bound.arguments = tuple(rest)
        match bound.object:
            case Member(base=base, name=name, arrow=arrow) if name == call.name:
                bound.object, bound.arrow = base, arrow  # what `operator double` is called on
            case _:
                pass
    given = bound.object
    if given is not None:
        _refuse_hidden_members(value_type(given), call)
    if given is not None and is_simple(strip_parens(given)):
        return bound
    if given is not None and _is_one_place(given, instance, arguments, effects):
        return bound
    made = strip_parens(given) if given is not None else None
    if isinstance(made, Unary) and made.op == "*" and isinstance(made.operand, VarRef):
        bound.object, bound.arrow = made.operand, True
        return bound
    ctype = CType("", TypeKind.OTHER) if made is None else made.type
    if (
        not isinstance(made, (Call, Cast, InitList, Verbatim, Conditional))
        or (isinstance(made, Conditional) and not _is_one_of_two(made))
        or ctype.kind is not TypeKind.RECORD
        or bound.arrow
    ):
        message = f"method '{call.name}', which needs the launch, of an object that is no variable"
        raise refuse("G2O0210", message, call.span)
    if isinstance(made, Conditional) or (refers and isinstance(made, Call)):
        pointer = CType(f"{ctype.spelling} *", TypeKind.POINTER, 64, is_signed=False, element=ctype)
        local = symbols.fresh(_name_of_object(made, ctype), pointer, Storage.LOCAL)
        value = Unary("&", made, type=pointer)
        bound.copies.append(Declare((Variable(local, pointer.spelling, "", value, "="),)))
        bound.object, bound.arrow = VarRef(local), True
        return bound
    plain = replace(ctype, spelling=ctype.spelling.removeprefix("const "), is_const=False)
    local = symbols.fresh(_name_of_object(made, plain), plain, Storage.LOCAL)
    bound.copies.append(Declare((Variable(local, plain.spelling, "", made, "="),)))
    bound.object = VarRef(local)
    return bound


def _refuse_hidden_members(ctype: CType, call: Call) -> None:
    """Raise Refusal for a class with a member that hides one of a base: as members of the object
    both would be the same."""
    record = ctype.element if ctype.is_indirect and ctype.element is not None else ctype
    names = [name for name, _ in record.fields]
    hidden = next((one for one in names if names.count(one) > 1), None)
    if hidden is not None:
        what = f"method '{call.name}' of a class that has several members '{hidden}'"
        note = Note("give the members names of their own")
        raise refuse("G2O0210", what, call.span, note)


def _is_one_place(
    given: Expr, instance: Instance, arguments: tuple[Expr, ...], effects: EffectsOf
) -> bool:
    """Is it an element or a member that stays the same one while the method runs?"""
    inner = strip_parens(given)
    if not isinstance(inner, (Index, Member)) or inner.type.kind is not TypeKind.RECORD:
        return False
    place: Expr = inner
    inside: list[Expr] = []
    while isinstance(place, (Index, Member)):
        if isinstance(place, Index):
            inside.append(place.index)
        place = strip_parens(place.base)
    if not isinstance(place, VarRef):
        return False
    found = [effects.of(one) for one in inside]
    is_array = place.symbol.type.kind is TypeKind.ARRAY and place.symbol.storage is Storage.SHARED
    named = {place.symbol} if place.symbol.type.is_indirect and not is_array else set[Symbol]()
    read = named.union(*(one.reads for one in found))
    local = all(one.storage in (Storage.LOCAL, Storage.PARAMETER) for one in read)
    pure = all(one.is_pure and not one.memory_reads for one in found)
    handed = {
        root_symbol(argument)
        for parameter, argument in zip(instance.parameters, arguments, strict=False)
        if _is_changeable(parameter.type) or isinstance(strip_parens(argument), Unary)
    }
    return pure and local and not read & (effects.of(instance.body).writes | handed)


def _is_changeable(ctype: CType) -> bool:
    """Is it a reference through which a variable may be written?"""
    element = ctype.element
    return ctype.kind is TypeKind.REFERENCE and (element is None or not element.is_const)


def _is_one_of_two(chosen: Conditional) -> bool:
    """Is it one of two objects that are there, `(c ? a : b)`?"""
    ends = strip_parens(chosen.if_true), strip_parens(chosen.if_false)
    return all(isinstance(one, (VarRef, Member, Index)) for one in ends)


def _name_of_object(made: Expr, ctype: CType) -> str:
    """`table_of` for what `table_of(i)` gives, `vec` for a new `Vec`."""
    if isinstance(made, Call) and made.name.isidentifier() and made.name[0].islower():
        return f"{made.name}_result"
    last = ctype.spelling.rpartition("::")[2].partition("<")[0]
    return f"{last[0].lower()}{last[1:]}" if last.isidentifier() and last[0].isupper() else "made"
