"""The tangent of the adjoint: how gradients change in a direction.

    d_x[i] += a * d_y[i];     ->     t_d_x[i] += a * t_d_y[i] + *t_a * d_y[i];
                                     d_x[i] += a * d_y[i];

The adjoint is a kernel like any other, its shadows are parameters of it. With seeds `d_y` that stay
as they are, what is added to `t_d_x` is the Hessian of the seeded result times `t_x`
(Griewank and Walther, "Evaluating Derivatives", section 5.3).
"""

from __future__ import annotations

from dataclasses import replace

from g2o.ad.differentiate import Derivative, tangent_of
from g2o.analysis.functions import FunctionTable
from g2o.diagnostics.diagnostic import Refusal
from g2o.ir.symbols import Symbol


def with_tangents(
    adjoint: Derivative, named: tuple[Symbol, ...], functions: FunctionTable
) -> Derivative:
    """The adjoint with the tangents of the values of the parameters `named`, and then those of
    their shadows, as further parameters.

    Increments are plain by now where they can be: no more threads meet in tangents than meet in
    what they are tangents of. Raises Refusal where a statement has none.
    """
    kernel, own = adjoint.kernel, {*adjoint.shadows, *adjoint.made}
    try:
        second = tangent_of(kernel, (*named, *adjoint.shadows), functions, own)
    except Refusal as refusal:
        raise refusal.with_note("in the adjoint, of which a tangent is asked for") from None
    name = f"{kernel.name.removesuffix('_grad')}_hvp"
    function = replace(second.kernel.function, name=name)
    return replace(
        second,
        kernel=replace(second.kernel, function=function),
        shadows=(*adjoint.shadows, *second.shadows),
        remarks=adjoint.remarks,
        winners=adjoint.winners,
        made=adjoint.made | second.made,
    )
