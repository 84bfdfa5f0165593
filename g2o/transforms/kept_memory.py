"""Why shared arrays stay memory: what `g2o analyze` says of their loads and stores."""

from __future__ import annotations

from collections.abc import Sequence

from g2o.analysis.accesses import Access, AccessKind, MemoryModel
from g2o.diagnostics.diagnostic import Diagnostic, Note, Outcome, remark
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Declare, Variable
from g2o.ir.symbols import Storage
from g2o.ir.traverse import walk


def remarks_on_kept(kernel: Kernel, model: MemoryModel) -> tuple[Diagnostic, ...]:
    """A remark on each shared array, or variable, whose loads and stores stay. `model` is that of
    the kernel."""
    found: list[Diagnostic] = []
    for variable in _shared(kernel):
        accesses = [one for one in model.accesses if one.root == variable.symbol]
        if accesses:
            found.append(_remark(variable, accesses))
    return tuple(found)


def _shared(kernel: Kernel) -> list[Variable]:
    memory = (Storage.SHARED, Storage.DYNAMIC_SHARED)
    return [
        variable
        for node in walk(kernel.body)
        if isinstance(node, Declare)
        for variable in node.variables
        if variable.symbol.storage in memory
    ]


def _remark(variable: Variable, accesses: Sequence[Access]) -> Diagnostic:
    stores = [one for one in accesses if one.kind is not AccessKind.READ]
    loads = [one for one in accesses if one.kind is AccessKind.READ]
    reason, shown = _reason(stores, loads)
    notes = [
        Note(f"{access.kind.value} here", access.span)
        for access in shown
        if access.span is not None
    ]
    message = (
        f"{_count(len(loads), 'load')} and {_count(len(stores), 'store')} of "
        f"'{variable.symbol.name}' are kept: {reason}"
    )
    return remark(Outcome.MISSED, "G2O0304", message, variable.span, *notes)


def _reason(stores: Sequence[Access], loads: Sequence[Access]) -> tuple[str, list[Access]]:
    """The reason and the accesses that show it."""
    for access in (*stores, *loads):
        if access.index is None or access.path:
            return "it is not understood which element this is", [access]
    for access in stores:
        if access.kind is AccessKind.ATOMIC:
            return "threads update elements together", [access]
    for store in stores:
        for load in loads:
            if load.index != store.index:
                return "elements are loaded elsewhere than where they were stored", [store, load]
    for store in stores[1:]:
        if store.index != stores[0].index:
            return "several elements are stored", [stores[0], store]
    return "the element is not one that this thread alone uses, for as long as it is used", [
        *stores[:1],
        *loads[:1],
    ]


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
