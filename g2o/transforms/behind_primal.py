"""The call of the primal in front of a reverse sweep that stands alone.

// The reverse sweep needs none of the values that are computed here.
block_sum(grid, block, shared_bytes, in, partial, n);
"""

from __future__ import annotations

from dataclasses import replace

from g2o.ir.expressions import Call, Literal, VarRef
from g2o.ir.kernel import Function, LoweredKernel
from g2o.ir.statements import ExprStatement, Trivia


def can_be_called(primal: Function) -> bool:
    """Can what is handed to the adjoint be handed on to the kernel? Not where parameters have no
    name, or one name stands for several."""
    span = primal.span
    end = primal.body.span.begin if primal.body.span is not None else span.end
    head = span.file.text[span.begin : end]
    named = all(one.name and one.name != primal.name for one in primal.parameters)
    return "..." not in head and named


def behind_primal(lowered: LoweredKernel, primal: Function, chosen: str) -> LoweredKernel:
    """`lowered` behind a call of the kernel that it is a derivative of; `chosen` are the template
    arguments of an instance with their brackets."""
    launch = [lowered.grid, lowered.block]
    if lowered.shared_bytes is not None:
        launch.append(lowered.shared_bytes)
    arguments = tuple(VarRef(one) for one in (*launch, *primal.parameters))
    names = ", ".join(primal.template_parameters)
    called = f"{primal.name}<{names}>" if names else f"{primal.name}{chosen}"
    call = Call(primal.name, Literal(called), arguments)
    trivia = Trivia(("// The reverse sweep needs none of the values that are computed here.",))
    return replace(lowered, body=(ExprStatement(call, trivia=trivia), *lowered.body))
