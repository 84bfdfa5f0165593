"""The operators of CUB's operations in kernels, and the values that they combine."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, final

from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import Binary, Call, Cast, Conditional, Expr, Literal, VarRef, Verbatim
from g2o.ir.statements import ExprStatement
from g2o.ir.symbols import Storage
from g2o.ir.types import BOOL, INT, UNSIGNED, CType, TypeKind, unqualified
from g2o.transforms.cub_memory import Collective, text_of
from g2o.transforms.cub_parts import assign

_NAMES: Final = {"Sum": "add", "Max": "max", "Min": "min"}
_MADE: Final = re.compile(r"cub::(Sum|Max|Min)\s*(?:\(\s*\)|\{\s*\})")
_CLASS: Final = re.compile(r"[A-Za-z_][\w:]*(?:<[\w:, <>]*>)?")
_NOTHING: Final = re.compile(r"(\(\s*\)|\{\s*\})$")
_LEAST: Final = 8  # bits of an object that has no members
_COMPARISONS: Final = {"max": "<", "min": ">"}
_NUMBERS: Final = {
    "int": INT,
    "unsigned": UNSIGNED,
    "unsigned int": UNSIGNED,
    "float": CType("float", TypeKind.FLOATING, 32),
    "double": CType("double", TypeKind.FLOATING, 64),
}


@final
@dataclass(frozen=True, slots=True)
class Operator:
    """`name` is "add", "max", "min", or "with" a function object."""

    name: str
    functor: Expr | None = None

    def combined(self, left: Expr, right: Expr, ctype: CType) -> Expr:
        """What it makes of two values without effects."""
        if self.name == "add":
            return Binary("+", left, right, ctype)
        if self.functor is not None:
            name = f"{self.functor.type.spelling}::operator()"
            return Call(name, self.functor, (left, right), type=ctype)
        is_right = Binary(_COMPARISONS[self.name], left, right, BOOL)
        return Conditional(is_right, right, left, ctype)

    def update(self, target: Expr, value: Expr) -> ExprStatement:
        """`target = target op value`"""
        if self.name == "add" and target.type.is_arithmetic:
            return assign(target, value, "+=")
        return assign(target, self.combined(target, value, target.type))


def operator_of(functor: Expr, call: Call) -> Operator:
    """Raises Refusal where threads may have different ones."""
    text = functor.span.text if functor.span is not None else ""
    known = _MADE.fullmatch(text.strip())
    if known is not None:
        return Operator(_NAMES[known[1]])
    spelled = unqualified(functor.type)
    named = _NAMES.get(spelled.removeprefix("cub::"))
    if named is not None and spelled.startswith("cub::"):
        return Operator(named)
    is_made = isinstance(functor, Verbatim) and not functor.parts and functor.pure
    if not is_made and (_is_stateless(functor.type) or _is_made_of_nothing(functor)):
        return Operator("with", Literal(f"{spelled}{{}}", type=functor.type))
    is_given = isinstance(functor, VarRef) and functor.symbol.storage is Storage.PARAMETER
    if not is_made and not is_given:
        message = "cub reduction with an operator that is not made in place"
        raise refuse("G2O0205", message, call.span)
    if isinstance(functor, VarRef) or functor.span is None:
        return Operator("with", functor)
    return Operator("with", Literal(text_of(functor.span), type=functor.type))


def _is_stateless(ctype: CType) -> bool:
    """Are all objects of the class alike, so that each may be made in place?"""
    is_empty = ctype.kind is TypeKind.RECORD and ctype.bits == _LEAST and not ctype.fields
    return is_empty and not ctype.constructs and _CLASS.fullmatch(unqualified(ctype)) is not None


def _is_made_of_nothing(functor: Expr) -> bool:
    """Is it `Op<T>()` of a template, of a class that is known where that is used?"""
    if not isinstance(functor, Verbatim) or functor.type.kind is not TypeKind.DEPENDENT:
        return False
    text = functor.span.text if functor.span is not None else ""
    named = _CLASS.fullmatch(unqualified(functor.type)) is not None
    return named and not functor.parts and _NOTHING.search(text.rstrip()) is not None


def as_element(value: Expr, own: Collective, call: Call) -> Expr:
    """The value in the type that CUB combines."""
    spelled = value_type(value).spelling.replace("const ", "").rstrip("& ")
    if spelled == own.element:
        return value
    number = _NUMBERS.get(own.element)
    if number is not None and value_type(value).is_arithmetic:
        return value if value_type(value) == number else Cast(value, number)
    result, given = call.type, value_type(value)  # of a name that the program has for a number
    if number is None and result.is_arithmetic and given.is_arithmetic:
        same = (result.kind, result.bits, result.is_signed) == (
            given.kind, given.bits, given.is_signed
        )  # fmt: skip
        return value if same else Cast(value, result)
    message = f"value of type '{spelled}' in cub::{own.kind}<{own.element}, ...>"
    raise refuse("G2O0205", message, call.span)
