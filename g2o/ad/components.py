"""Values of several numbers, number by number."""

from __future__ import annotations

from dataclasses import replace

from g2o.ad.increments import is_all_zeros
from g2o.ad.reals import fields_of, hides_parts, is_real, real_parts
from g2o.analysis.braces import with_braces
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
from g2o.ir.types import INT, CType, TypeKind, unqualified

_LVALUES = (VarRef, Index, Member, Unary, Conditional)


def pairs_of(target: Expr, value: Expr) -> list[tuple[Expr, Expr]]:
    """The real numbers of a target with what each of them becomes. Raises Refusal where they are
    not known."""
    ctype = value_type(target)
    if is_real(ctype):
        return [(target, value)]
    if hides_parts(ctype) and not is_all_zeros(value):
        message = "value of several numbers that carry derivatives, some of them in a union"
        raise refuse("G2O0403", f"{message} or a class of a library", value.span)
    if ctype.copies and isinstance(strip_parens(value), _LVALUES):
        message = f"copy of a '{unqualified(ctype)}', which is not what it was copied from,"
        raise refuse("G2O0403", f"{message} on values that carry derivatives", value.span)
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
        case InitList(elements=elements, said=said):
            if isinstance(step, Member) and value_type(step.base).is_built and said is None:
                message = "list that calls a constructor on values that carry derivatives"
                raise refuse("G2O0403", message, value.span)
            if isinstance(step, Index) and isinstance(step.index, Literal):
                position = step.index.value or 0
                listed = with_braces(elements, (step.type,) * (position + 1))
                return _element(listed, position, step.type)
            if isinstance(step, Member):
                fields = fields_of(value_type(step.base))
                position = [name for name, _ in fields].index(step.name)
                listed = with_braces(elements, tuple(ctype for _, ctype in fields))
                return _element(listed, position, step.type)
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
