"""Templates whose derivative is not the same text for all of their instances.

template <class T> __global__ void k(const T *x, const float *w, float *y)    T = float, T = int

In the derivative of a template every argument is taken for a real number. Where one of its
instances has something else, an integer or a class, each has a derivative of its own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from g2o.ad.reals import carries, hides_reals
from g2o.diagnostics.diagnostic import Note, refuse
from g2o.diagnostics.source import SourceSpan
from g2o.ir.kernel import Function
from g2o.ir.statements import Block, Declare
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import CType, TypeKind, unqualified

NO_INSTANCE: Final = (
    "nothing in the program shows an instance of the template, which might be differentiated "
    "alone: launch it, or ask for one, as in --grad 'kernel<float>'"
)
_REAL: Final = frozenset({"float", "double", "const float", "const double"})
_CONSTEXPR_IF: Final = re.compile(r"\bif\s+constexpr\s*\(([^{;]*)\)")
_WORD: Final = re.compile(r"[A-Za-z_]\w*")
_NUMBERS: Final = (TypeKind.INTEGER, TypeKind.BOOL)


def depends_on_instance(function: Function, instances: Sequence[Collection[str]]) -> bool:
    """Is there an instance, of which the arguments are given, with another type in the place of a
    real number? Or are branches left out by what its types are, so that they may be nonsense for
    others?"""
    if instances and _chooses_by_type(function):
        return True
    others = {
        name
        for arguments in instances
        for name, is_type, argument in zip(
            function.template_parameters, function.template_types, arguments, strict=False
        )
        if is_type and argument not in _REAL
    }
    spelled = " ".join(one.spelling for one in _types(function) if carries(one))
    return any(re.search(rf"\b{name}\b", spelled) for name in others)


def _chooses_by_type(function: Function) -> bool:
    """Does it have an `if constexpr` that asks for more than numbers among its parameters?"""
    numbers = {
        name
        for name, is_type in zip(
            function.template_parameters, function.template_types, strict=False
        )
        if not is_type
    }
    heads = _CONSTEXPR_IF.findall(function.span.text)
    return any(not set(_WORD.findall(head)) <= numbers for head in heads)


def _types(function: Function) -> Iterator[CType]:
    for parameter in function.parameters:
        yield parameter.type
    for node in walk(function.body):
        if isinstance(node, Declare):
            yield from (variable.symbol.type for variable in node.variables)


def refuse_other_numbers(parameters: Collection[Symbol], instance: str, *, whole: bool) -> None:
    """Refuse parameters whose type may hold real numbers of a kind that has no derivatives here.
    What nobody asked for by name, as the request is for the `whole` kernel, is constant."""
    for one in parameters:
        ctype = one.type
        while ctype.is_indirect and ctype.element is not None:
            ctype = ctype.element
        is_half = not whole and _HALF.fullmatch(unqualified(ctype)) is not None
        is_half = is_half or ctype.spelling in _HALVES
        if ctype.kind not in _NUMBERS and not carries(ctype) and is_half:
            message = f"parameter '{one.name}' of '{instance}', which has type {ctype.spelling}"
            raise refuse("G2O0403", message, None)


def refuse_hidden_numbers(parameters: Collection[Symbol], span: SourceSpan) -> None:
    """Refuse parameters with real numbers inside of unions and classes of a library alone: they
    would have no shadow, and nobody would have asked for that."""
    for one in parameters:
        ctype = one.type
        while ctype.is_indirect and ctype.element is not None:
            ctype = ctype.element
        if hides_reals(ctype) and not carries(ctype):
            message = f"parameter '{one.name}' with numbers of type {unqualified(ctype)}"
            raise refuse("G2O0403", message, span, _OWN_TYPE)


def refuse_half_results(
    parameters: Collection[Symbol], written: Collection[Symbol | None], span: SourceSpan
) -> None:
    """Refuse results in half precision for a request that leaves nothing out on purpose: they have
    no shadow, so what they depend on would get nothing for them."""
    for one in parameters:
        element = one.type.element
        if one in written and element is not None and _HALF.fullmatch(unqualified(element)):
            message = f"results of type {unqualified(element)} behind '{one.name}'"
            raise refuse("G2O0403", message, span, _IN_FLOAT)


_TEMPLATE_ID: Final = re.compile(r"(?:const |typename )*[A-Za-z_][\w:]*<.*>")


def is_open_class(ctype: CType) -> bool:
    """Is it a class template with arguments that nobody knows yet?"""
    return ctype.kind is TypeKind.DEPENDENT and _TEMPLATE_ID.fullmatch(ctype.spelling) is not None


def refuse_open_classes(parameters: Collection[Symbol], body: Block) -> None:
    """Refuse variables of class templates whose arguments nobody knows yet: their members do not
    have names here, and an operator on them is none on numbers. Instances have them."""
    declared: list[tuple[Symbol, SourceSpan | None]] = [(one, None) for one in parameters]
    for node in walk(body):
        for variable in node.variables if isinstance(node, Declare) else ():
            declared.append((variable.symbol, node.span))
    for symbol, span in declared:
        ctype = symbol.type
        while ctype.is_indirect and ctype.element is not None:
            ctype = ctype.element
        if is_open_class(ctype):
            kind = "variable" if span is not None else "parameter"
            message = f"{kind} '{symbol.name}' of the open type {ctype.spelling}"
            raise refuse("G2O0403", message, span)


_OWN_TYPE: Final = Note(
    "use a structure or a vector type, or name what matters, --grad 'kernel(y, ...)/(x, ...)'"
)
_IN_FLOAT: Final = Note(
    "half precision has no derivatives: compute in float, convert in another kernel, or name what "
    "matters, --grad 'kernel(y, ...)/(x, ...)'"
)
_HALF: Final = re.compile(r"g2o::(half|nv_bfloat16)2?")
_HALVES: Final = frozenset({"__half", "half", "__half2", "half2", "__nv_bfloat16"})
