"""Values of several numbers, number by number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from g2o.ad.increments import is_all_zeros
from g2o.ad.reals import fields_of, hides_parts, is_real, real_parts
from g2o.analysis.effects import EffectsOf
from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import (
    Call,
    Cast,
    Code,
    Conditional,
    Expr,
    Form,
    Index,
    InitList,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.types import INT, CType, TypeKind


def pairs_of(target: Expr, value: Expr) -> list[tuple[Expr, Expr]]:
    """The real numbers of a target with what each of them becomes. Raises Refusal where they are
    not known."""
    ctype = value_type(target)
    if is_real(ctype):
        return [(target, value)]
    if hides_parts(ctype) and not is_all_zeros(value):
        message = "value of several numbers that carry derivatives, some of them in a union"
        raise refuse("G2O0403", f"{message} or a class of a library", value.span)
    return [(part, _part_of(value, target, part)) for part in real_parts(target)]


def _part_of(value: Expr, target: Expr, part: Expr) -> Expr:
    """What the number `part` of `target` becomes when `target` becomes `value`."""
    path: list[Member | Index] = []
    current = part
    while current != target:
        assert isinstance(current, (Member, Index))
        path.append(current)
        current = current.base
    for step in reversed(path):
        value = component(strip_parens(value), step)
    return value


def is_of_a_value(expr: Expr) -> bool:
    """Is it a part of a value that no variable holds, `Complex{a, b}.re`?"""
    inner = expr
    while True:
        match inner:
            case Member(base=base, arrow=False):
                inner = base
            case Index(base=base) if base.type.kind is TypeKind.ARRAY:
                inner = base
            case Paren(inner=below):
                inner = below
            case _:
                return not isinstance(inner, (VarRef, Index, Member, Unary))


def number_of_a_value(expr: Expr) -> Expr:
    """The number that such a part is. Raises Refusal where that is not known."""
    match strip_parens(expr):
        case Member(base=base) | Index(base=base) as step:
            return component(strip_parens(number_of_a_value(base)), step)
        case whole:
            return whole


def component(value: Expr, step: Member | Index) -> Expr:
    """The number in `value` that `step` takes from it. Raises Refusal where that is not known."""
    match value:
        case Code(parts=(only,)) if not isinstance(only, str):
            return component(strip_parens(only), step)
        case Call(name=name, arguments=arguments) if name.startswith("make_"):
            axis = step.name if isinstance(step, Member) else ""
            if axis and axis in "xyzw" and "xyzw".index(axis) < len(arguments):
                return arguments["xyzw".index(axis)]
        case Call() if is_all_zeros(value):
            return _element((), 0, step.type)
        case InitList(elements=elements):
            if isinstance(step, Index) and isinstance(step.index, Literal):
                return _element(_with_braces(elements, step.type), step.index.value or 0, step.type)
            if isinstance(step, Member):
                fields = fields_of(value_type(step.base))
                names = [name for name, _ in fields]
                whole = _with_braces_of(elements, [ctype for _, ctype in fields])
                return _element(whole, names.index(step.name), step.type)
        case Cast(operand=InitList() as braces, type=ctype) if ctype.kind is TypeKind.RECORD:
            return component(braces, step)
        case Conditional(condition=condition, if_true=if_true, if_false=if_false):
            first = component(strip_parens(if_true), step)
            second = component(strip_parens(if_false), step)
            return Conditional(condition, first, second, step.type)
        case VarRef() | Index() | Member() | Unary(op="*"):
            return replace(step, base=value, form=Form.BUILT, span=None)
        case _:
            pass
    raise refuse("G2O0403", "value of several numbers that carry derivatives", value.span)


def _element(elements: tuple[Expr, ...], position: int, ctype: CType) -> Expr:
    """What a list gives to a part of type `ctype`: zeros where it ends before."""
    if position >= len(elements):
        return Literal("0", 0, INT) if is_real(ctype) else InitList((), ctype)
    found = elements[position]
    if value_type(found).is_arithmetic and not is_real(ctype):
        raise refuse("G2O0403", "list without the braces of its parts", found.span)
    return found


def _with_braces(elements: tuple[Expr, ...], ctype: CType) -> tuple[Expr, ...]:
    """The elements of a list of arrays `ctype` whose braces may have been left out."""
    size = _numbers_in(ctype)
    if size == 0 or not all(map(_is_number, elements)):
        return elements
    starts = range(0, len(elements), size)
    return tuple(InitList(elements[start : start + size], ctype) for start in starts)


def _with_braces_of(elements: tuple[Expr, ...], members: Sequence[CType]) -> tuple[Expr, ...]:
    """The elements of a list of members whose braces may have been left out: `{x, y, m}`, of a
    point and a number."""
    sizes = [1 if one.is_arithmetic else _numbers_in(one) for one in members]
    flat = all(one.is_arithmetic for one in members)
    if flat or 0 in sizes or not all(map(_is_number, elements)):
        return elements
    made: list[Expr] = []
    at = 0
    for ctype, size in zip(members, sizes, strict=True):
        own = elements[at : at + size]
        if own:
            made.append(own[0] if ctype.is_arithmetic else InitList(own, ctype))
        at += size
    return tuple(made)


def _numbers_in(ctype: CType) -> int:
    """How many numbers an array or a structure is made of; 0 for what is none of numbers."""
    if ctype.kind is TypeKind.RECORD and not hides_parts(ctype):
        sizes = [1 if one.is_arithmetic else _numbers_in(one) for _, one in fields_of(ctype)]
        return 0 if 0 in sizes else sum(sizes)
    if ctype.kind is not TypeKind.ARRAY or ctype.element is None or ctype.extent is None:
        return 0
    return ctype.extent * (1 if is_real(ctype.element) else _numbers_in(ctype.element))


def _is_number(value: Expr) -> bool:
    ctype = value_type(value)
    return is_real(ctype) or ctype.is_arithmetic


def behind(argument: Expr) -> Expr:
    inner = strip_parens(argument)
    if isinstance(inner, Unary) and inner.op == "&":
        return strip_parens(inner.operand)
    element = inner.type.element
    return Unary("*", inner, type=element if element is not None else inner.type)


def refuse_impure(effects: EffectsOf, expr: Expr) -> None:
    """Refuse an expression that changes something and would be evaluated twice."""
    if not _changes_nothing(effects, expr):
        message = "side effect inside an expression on values that carry derivatives"
        raise refuse("G2O0403", message, expr.span)


def _changes_nothing(effects: EffectsOf, expr: Expr) -> bool:
    """An address by itself changes nothing; handed to a function, who knows."""
    match strip_parens(expr):
        case Unary(op="&", operand=operand):
            return effects.of(operand).is_pure
        case Conditional(condition=condition, if_true=one, if_false=other):
            parts = (condition, one, other)
            return all(_changes_nothing(effects, part) for part in parts)
        case whole:
            return effects.of(whole).is_pure
