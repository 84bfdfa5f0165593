"""Choices that the conditions around them have made.

    if (x > 0 && x < n - 1)                        if (x > 0 && x < n - 1)
        y[x] = (x < n ? a[x] : 0) * 2;     ->          y[x] = a[x] * 2;

Legal where the solver proves that the condition holds, or does not, for every thread that comes to
it, and where evaluating it does nothing else. A choice that is made for one branch alone is made
in it.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.analysis.access_collector import NotAnalysable, memory_model
from g2o.analysis.accesses import Choice
from g2o.analysis.functions import FunctionTable
from g2o.ir.expressions import Builtin, Conditional, Expr, Form, Paren, is_primary, strip_parens
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Node
from g2o.ir.traverse import rewrite, walk
from g2o.polyhedral.cases import excludes
from g2o.polyhedral.formula import Formula, conjunction, names_of
from g2o.polyhedral.solver import Solver
from g2o.polyhedral.space import Space
from g2o.transforms.sunk_values import with_sunk_choices


def without_implied_choices(kernel: Kernel, functions: FunctionTable, solver: Solver) -> Kernel:
    """The kernel with what is chosen in place of choices that are made before."""
    if not any(isinstance(node, Conditional) for node in walk(kernel.body)):
        return kernel
    sunk = with_sunk_choices(kernel.body, functions.for_node(kernel.body))
    if sunk is not kernel.body:
        kernel = replace(kernel, function=replace(kernel.function, body=sunk))
    effects = functions.for_node(kernel.body)
    try:
        model = memory_model(kernel, effects)
    except NotAnalysable:
        return kernel
    found: dict[int, list[bool | None]] = {}
    for one in model.choices:
        found.setdefault(id(one.node), []).append(_decided(one, model.space, solver))

    def replacement(node: Node) -> Node | None:
        bare = strip_parens(node) if isinstance(node, Paren) else node
        if not isinstance(bare, Conditional) or not effects.is_pure(bare.condition):
            return None
        known = found.get(id(bare), [None])
        if known[0] is None or len(set(known)) > 1:
            return None
        chosen: Expr = rewrite(bare.if_true if known[0] else bare.if_false, replacement)
        return (
            replace(node, inner=chosen, form=Form.BUILT) if _needs_parens(node, chosen) else chosen
        )

    body = rewrite(kernel.body, replacement)
    if body is kernel.body:
        return kernel
    relied = kernel.relied | {(Builtin.BLOCK_DIM, axis) for axis in model.assumed}
    return replace(kernel, function=replace(kernel.function, body=body), relied=relied)


def _needs_parens(node: Node, chosen: Expr) -> bool:
    return isinstance(node, Paren) and not is_primary(chosen)


def _decided(choice: Choice, space: Space, solver: Solver) -> bool | None:
    """What the condition comes to wherever it is asked; None where that is not known."""
    for claim, value in ((choice.if_false, True), (choice.if_true, False)):
        whole: Formula = conjunction((*choice.guards, claim))
        facts = space.facts(space.closure(names_of(whole)))
        if excludes(conjunction((facts, whole)), solver):
            return value
    return None
