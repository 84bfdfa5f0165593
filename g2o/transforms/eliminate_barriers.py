"""Drop barriers that order no two accesses of different threads.

    s[t] = x[i];          s[t] = x[i];
    __syncthreads();  ->  y[i] = 2 * s[t];
    y[i] = 2 * s[t];

Legal when, for every pair of accesses of different threads of a block to one location with a write
among them, a barrier that stays stands on every way from the one to the other on which a barrier
stood. (architecture.md, "Polyhedral model"; Moses et al., "High-Performance GPU-to-CPU
Transpilation and Optimization via High-Level Parallel Constructs", PPoPP 2023, section 4.)
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from g2o.analysis.access_collector import NotAnalysable, memory_model
from g2o.analysis.accesses import Access
from g2o.analysis.barriers import BarrierVerdict, Ordered, judge_barriers
from g2o.analysis.conflicts import Certainty, Conflicts
from g2o.analysis.distinct_writes import evidence
from g2o.analysis.functions import FunctionTable
from g2o.diagnostics.diagnostic import Diagnostic, Note, Outcome, remark
from g2o.ir.expressions import Builtin
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Barrier, Empty, Node, Scope
from g2o.ir.traverse import rewrite, walk
from g2o.polyhedral.solver import Solver
from g2o.transforms.empty_statements import without_empty_statements
from g2o.transforms.result import PassResult


def eliminate_barriers(
    kernel: Kernel, functions: FunctionTable, assume_noalias: bool, solver: Solver
) -> PassResult:
    """The kernel without the barriers that are not needed, and a remark on each of them."""
    if not any(_is_removable(node) for node in walk(kernel.body)):
        return PassResult(kernel)
    effects = functions.for_node(kernel.body)
    try:
        model = memory_model(kernel, effects, assume_noalias)
    except NotAnalysable as reason:
        message = f"the barriers of '{kernel.name}' are kept: {reason}"
        return PassResult(kernel, (remark(Outcome.MISSED, "G2O0302", message, kernel.body.span),))
    proves = evidence(model, solver, kernel.body, effects)
    verdicts = judge_barriers(model, Conflicts(model, solver, proves=proves))
    remarks = tuple(_remark(verdict) for verdict in verdicts)
    gone = {verdict.site.position for verdict in verdicts if verdict.needed_for is None}
    if not gone:
        return PassResult(kernel, remarks)
    relied = kernel.relied | {(Builtin.BLOCK_DIM, axis) for axis in model.assumed}
    return PassResult(replace(without_barriers(kernel, gone), relied=relied), remarks)


def _is_removable(node: Node) -> bool:
    return isinstance(node, Barrier) and node.scope is Scope.BLOCK


def without_barriers(kernel: Kernel, gone: Set[int | None]) -> Kernel:
    """The kernel without some of its block barriers, counted in the order of the source."""
    barriers = [node for node in walk(kernel.body) if _is_removable(node)]
    removed = {id(node) for position, node in enumerate(barriers) if position in gone}

    def replacement(node: Node) -> Node | None:
        if isinstance(node, Barrier) and id(node) in removed:
            return Empty(trivia=replace(node.trivia, after=""))
        return None

    body = without_empty_statements(rewrite(kernel.body, replacement))
    return replace(kernel, function=replace(kernel.function, body=body))


def _remark(verdict: BarrierVerdict) -> Diagnostic:
    span, needed_for = verdict.site.span, verdict.needed_for
    if needed_for is None:
        message = "barrier removed: no two threads meet across it"
        return remark(Outcome.PASSED, "G2O0301", message, span)
    notes = [
        Note(f"{_described(access)} here", access.span)
        for access in (needed_for.first, needed_for.second)
        if access.span is not None
    ]
    return remark(Outcome.MISSED, "G2O0302", f"barrier kept: {_why(needed_for)}", span, *notes)


def _why(pair: Ordered) -> str:
    one, other = pair.first.root, pair.second.root
    if pair.meeting.reason and one != other:
        return pair.meeting.reason
    across = "" if pair.distance.loop is None else ", in another iteration"
    if one is None or other is None:
        return f"it is not known where one of two accesses goes, so they may meet{across}"
    if one != other:
        return f"'{one.name}' and '{other.name}' may overlap{across}"
    certain = pair.meeting.certainty is Certainty.CERTAIN
    text = f"two threads {'' if certain else 'may '}meet in '{one.name}'{across}"
    if pair.meeting.first:
        first = ", ".join(f"{name} = {value}" for name, value in pair.meeting.first[:3])
        second = ", ".join(f"{name} = {value}" for name, value in pair.meeting.second[:3])
        text += f" ({first} and {second})"
    return text


def _described(access: Access) -> str:
    return access.kind.value
