"""Error estimates, from the sums that an adjoint has for them to the structure that users see.

*error_v += sum_v;    ->    errors->v.sum += sum_v;
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import PurePath

from g2o.ad.roundings import DOUBLE, LeftOut, Rounding
from g2o.diagnostics.diagnostic import Diagnostic, Outcome, remark
from g2o.diagnostics.source import SourceSpan
from g2o.emit.errors import ErrorField, field_names
from g2o.ir.expressions import Expr, Member, Unary, VarRef
from g2o.ir.kernel import Function, LoweredKernel
from g2o.ir.names import symbols_behind
from g2o.ir.statements import Node
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite
from g2o.ir.types import CType, TypeKind, unqualified

_Place = Callable[[SourceSpan | None], SourceSpan | None]


def error_fields(
    named: Sequence[Symbol], roundings: Sequence[Rounding], place: _Place
) -> tuple[ErrorField, ...]:
    """The members of the structure: parameters with shadows, and what is rounded in the kernel.
    `place` gives the place in the source as the user knows it."""
    given = (
        ErrorField(f"given_{one.name}", one.name, "parameter", _element(one.type), "given")
        for one in named
    )
    return (*given, *(_field(one, place(one.span)) for one in roundings))


def instance_name(kernel: Function) -> str:
    """`k` of a kernel, `k<T>` of a template and `k<float>` of an instance."""
    if kernel.template_parameters:
        return f"{kernel.name}<{', '.join(kernel.template_parameters)}>"
    return f"{kernel.name}{kernel.chosen}"


def errors_parameter(kernel: str, symbols: SymbolTable) -> Symbol:
    """What the adjoint of a kernel, `k` or `k<float>`, has behind its shadows."""
    name, bracket, arguments = kernel.partition("<")
    record = CType(f"{name}_errors{bracket}{arguments}", TypeKind.RECORD)
    pointer = CType(f"{record.spelling} *", TypeKind.POINTER, 64, is_signed=False, element=record)
    return symbols.fresh("errors", pointer, Storage.PARAMETER)


def _field(one: Rounding, span: SourceSpan | None) -> ErrorField:
    what = "inside" if one.is_terms else "copied" if one.is_copy else "computed"
    wish = f"{one.variable}_terms" if one.is_terms else one.variable
    return ErrorField(wish, one.variable, _shown(span), _element(one.type), what, one.reads)


def _shown(span: SourceSpan | None) -> str:
    return "" if span is None else f"{PurePath(span.file.path).name}:{span.line}"


def _element(ctype: CType) -> str:
    while ctype.element is not None:
        ctype = ctype.element
    return unqualified(ctype).removeprefix("const ")


def notes(left: Sequence[LeftOut], place: _Place) -> tuple[str, ...]:
    """What estimates leave out, as the report says it."""
    return tuple(f"{_shown(place(one.span))}: {one.what}" for one in left)


def remarks_on_left_out(name: str, left: Sequence[LeftOut]) -> tuple[Diagnostic, ...]:
    """The same for `--remarks`."""
    message = f"the error estimate of '{name}' leaves out that"
    return tuple(
        remark(Outcome.ANALYSIS, "G2O0415", f"{message} {one.what}", one.span) for one in left
    )


def with_error_places(
    lowered: LoweredKernel, primal: Function, sums: Sequence[Symbol], fields: Sequence[ErrorField]
) -> tuple[LoweredKernel, Symbol]:
    """The adjoint with one parameter, a pointer to the structure with these `fields`, in place of
    the pointers to `sums`: two for each rounding of the kernel."""
    symbols = symbols_behind(lowered)
    errors = errors_parameter(instance_name(primal), symbols)
    members = field_names(fields)[len(fields) - len(sums) // 2 :]
    places: dict[Symbol, Expr] = {}
    for member, pair in zip(members, zip(sums[::2], sums[1::2], strict=True), strict=True):
        rounding = Member(VarRef(errors), member, True)
        places |= {
            one: Member(rounding, part, type=DOUBLE)
            for one, part in zip(pair, ("sum", "squares"), strict=True)
        }

    def replacement(node: Node) -> Node | None:
        match node:
            case Unary(op="*", operand=VarRef(symbol=symbol)):
                return places.get(symbol)
            case VarRef(symbol=symbol) if symbol in places:
                place = places[symbol]
                return Unary("&", place, type=symbol.type)
            case _:
                return None

    body = tuple(rewrite(one, replacement) for one in lowered.body)
    kept = tuple(one for one in lowered.function.parameters if one not in places)
    function = replace(lowered.function, symbols=symbols, parameters=kept)
    return replace(lowered, function=function, body=body), errors
