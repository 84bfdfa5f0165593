"""Shared memory that threads do not need to see each other's values goes: loads, stores, arrays."""

from __future__ import annotations

from g2o.analysis.access_collector import NotAnalysable, memory_model
from g2o.analysis.conflicts import Conflicts
from g2o.analysis.distinct_writes import evidence
from g2o.analysis.functions import FunctionTable
from g2o.diagnostics.diagnostic import Diagnostic
from g2o.ir.expressions import VarRef
from g2o.ir.kernel import Kernel
from g2o.ir.symbols import Storage
from g2o.ir.traverse import walk
from g2o.polyhedral.solver import Solver
from g2o.transforms.forward_stores import forward_stores
from g2o.transforms.forward_tiles import forward_tiles
from g2o.transforms.kept_memory import remarks_on_kept
from g2o.transforms.result import PassResult
from g2o.transforms.scalarise_shared import scalarise_shared


def eliminate_memory(
    kernel: Kernel, functions: FunctionTable, assume_noalias: bool, solver: Solver
) -> PassResult:
    """Scalars instead of shared arrays, then values instead of loads, until nothing changes."""
    remarks: list[Diagnostic] = []
    if not any(_is_shared(node) for node in walk(kernel.body)):
        return PassResult(kernel)
    changed: Kernel | None = None
    kept: tuple[Diagnostic, ...] = ()
    while changed is not kernel:
        kernel = kernel if changed is None else changed
        changed = kernel
        effects = functions.for_node(kernel.body)
        for transform in (scalarise_shared, forward_stores):
            try:
                model = memory_model(changed, effects, assume_noalias)
            except NotAnalysable:
                return PassResult(kernel, tuple(remarks))
            proves = evidence(model, solver, changed.body, effects)
            conflicts = Conflicts(model, solver, proves=proves)
            result = transform(changed, effects, model, conflicts)
            remarks.extend(result.remarks)
            changed = result.kernel
            kept = remarks_on_kept(changed, model)
    return PassResult(kernel, (*remarks, *kept))


def eliminate_tiles(
    kernel: Kernel, functions: FunctionTable, assume_noalias: bool, solver: Solver
) -> PassResult:
    """Loads of what shared tiles were copied from, until nothing changes."""
    remarks: list[Diagnostic] = []
    while any(_is_shared(node) for node in walk(kernel.body)):
        effects = functions.for_node(kernel.body)
        try:
            model = memory_model(kernel, effects, assume_noalias)
        except NotAnalysable:
            break
        proves = evidence(model, solver, kernel.body, effects)
        made = forward_tiles(kernel, effects, model, Conflicts(model, solver, proves=proves))
        remarks.extend(made.remarks)
        if made.kernel is kernel:
            break
        kernel = made.kernel
    return PassResult(kernel, tuple(remarks))


def _is_shared(node: object) -> bool:
    return isinstance(node, VarRef) and node.symbol.storage is Storage.SHARED
