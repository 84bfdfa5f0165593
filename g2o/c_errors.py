"""Error estimates of C functions: what their adjoints add up, as loops in C can.

#pragma omp atomic                         #pragma omp parallel for reduction(+ : error_v)
*error_v += fabs(error);        ->         error_v += fabs(error);
                                           ...
                                           errors->v.sum += error_v;
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

from g2o.ad.differentiate import Derivative
from g2o.ad.increments import zero_declaration
from g2o.ad.roundings import DOUBLE
from g2o.analysis.effects import root_symbol, symbols_in
from g2o.diagnostics.source import SourceSpan
from g2o.emit.errors import ErrorField, field_names
from g2o.error_estimates import error_fields, errors_parameter, notes
from g2o.ir.expressions import Assign, Call, Expr, Form, Member, Unary, VarRef
from g2o.ir.kernel import Function
from g2o.ir.statements import ExprStatement, Node, Stmt
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite


@final
@dataclass(frozen=True, slots=True)
class CErrors:
    """The errors that an adjoint adds up: its last parameter, the structure with these `fields`,
    and what the estimates know nothing of."""

    parameter: Symbol
    fields: tuple[ErrorField, ...]
    left_out: tuple[str, ...]


def with_own_sums(
    made: Derivative, primal: Function, asked: Sequence[Symbol]
) -> tuple[Derivative, CErrors]:
    """The adjoint of a function with variables for the sums of its roundings, which are added to
    the structure at its end. `asked` are the parameters with shadows."""
    function = made.kernel.function
    symbols = function.symbols
    own = {one: symbols.fresh(one.name, DOUBLE, Storage.LOCAL) for one in made.sums}
    fields = error_fields(asked, made.roundings, _same)
    parameter = errors_parameter(primal.name, symbols)

    def replacement(node: Node) -> Node | None:
        match node:
            case ExprStatement(expr=Call(name="atomicAdd", arguments=(address, value))):
                root = root_symbol(address)
                if root is None or root not in own:
                    return None
                return ExprStatement(Assign("+=", VarRef(own[root]), value, DOUBLE))
            case Unary(op="*", operand=VarRef(symbol=symbol)) if symbol in own:
                return VarRef(own[symbol])
            case _:
                return None

    body = rewrite(function.body, replacement)
    used = symbols_in(body)
    added = _added(parameter, field_names(fields)[len(fields) - len(made.roundings) :], own)
    kept = [(sums, stored) for sums, stored in added if sums in used]
    front = tuple(zero_declaration(sums) for sums, _ in kept)
    behind = tuple(stored for _, stored in kept)
    body = replace(body, statements=(*front, *body.statements, *behind), form=Form.BUILT)
    parameters = tuple(one for one in function.parameters if one not in own)
    function = replace(function, body=body, parameters=(*parameters, parameter))
    derivative = replace(made, kernel=replace(made.kernel, function=function))
    return derivative, CErrors(parameter, fields, notes(made.left_out, _same))


def _added(
    parameter: Symbol, members: Sequence[str], own: dict[Symbol, Symbol]
) -> list[tuple[Symbol, Stmt]]:
    """The sums with what adds them to the structure."""
    sums = list(own.values())
    found: list[tuple[Symbol, Stmt]] = []
    for member, pair in zip(members, zip(sums[::2], sums[1::2], strict=True), strict=True):
        rounding = Member(VarRef(parameter), member, True)
        for one, part in zip(pair, ("sum", "squares"), strict=True):
            place: Expr = Member(rounding, part, type=DOUBLE)
            found.append((one, ExprStatement(Assign("+=", place, VarRef(one), DOUBLE))))
    return found


def _same(span: SourceSpan | None) -> SourceSpan | None:
    return span
