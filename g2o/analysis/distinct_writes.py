"""Writes of a source without races whose elements differ between threads, for that reason."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from g2o.analysis.accesses import OUTSIDE, Access, AccessKind, MemoryModel
from g2o.analysis.effects import EffectsOf
from g2o.analysis.grid_conflicts import GridConflicts
from g2o.analysis.index_forms import IndexForms
from g2o.analysis.own_values import OwnValues
from g2o.ir.expressions import Assign, Expr, Literal
from g2o.ir.statements import Block
from g2o.ir.symbols import Storage, Symbol
from g2o.polyhedral.solver import Solver

_OF_THREADS = ("threadIdx.", "blockIdx.", "blockDim.")
_SHARED = (Storage.SHARED, Storage.DYNAMIC_SHARED)


def distinct_writes(
    model: MemoryModel, solver: Solver, values: OwnValues, made: Collection[Symbol] = ()
) -> tuple[Access, ...]:
    """Those to global memory. `made` is memory that is not the source's."""
    is_own = own_loads(model, solver)
    return tuple(
        access
        for access in model.accesses
        if access.kind is AccessKind.WRITE and access.root is not None
        if access.root not in made and access.root.storage not in _SHARED
        if values.tells_apart(access.node, is_own)
    )


def overwritten_once(model: MemoryModel, shadows: Collection[Symbol]) -> tuple[Access, ...]:
    """The plain writes of a loop that OpenMP shares out, to memory that it is handed, in places
    that counters and parameters say: two iterations that make one to the same element have a race.
    Where differentiation sets one of the `shadows` to 0, the iteration of the source overwrites the
    element. In places that memory or quotients say, iterations may well store one value twice:
    `y[k[i]] = w[k[i]]`.
    """
    return tuple(
        replace(access, varying_value=True)
        for access in model.accesses
        if access.kind is AccessKind.WRITE and access.root is not None
        if access.root.storage is Storage.PARAMETER
        if access.root not in shadows or _is_zeroed(access.node)
        if _is_of_counters(access, model)
    )


def _is_of_counters(access: Access, model: MemoryModel) -> bool:
    """Is the place of an access made of counters, parameters and the index of the thread alone?"""
    if access.index is None:
        return False
    space = model.space
    keys = space.by_key.items()
    parameters = {n for key, n in keys if isinstance(key, tuple) and key[:1] == ("parameter",)}
    known = parameters | space.counters
    return all(one in known or one.startswith(_OF_THREADS) for one in access.index.names)


def _is_zeroed(node: Expr | None) -> bool:
    match node:
        case Assign(op="=", value=Literal(text=text)):
            return text in ("0", "0.0", "0.0f")
        case _:
            return False


def evidence(
    model: MemoryModel, solver: Solver, body: Block, effects: EffectsOf
) -> Callable[[Access], bool]:
    """Whether threads of a block that make a write to one element have a race."""
    values = OwnValues(body, effects, IndexForms(body))
    is_own = own_loads(model, solver)
    known: dict[int, bool] = {}

    def proves(access: Access) -> bool:
        if access.id not in known:
            known[access.id] = values.tells_apart(access.node, is_own)
        return known[access.id]

    return proves


def own_loads(model: MemoryModel, solver: Solver) -> Callable[[Expr], bool]:
    """Whether an expression loads an element of global memory that no other thread loads."""
    grid = GridConflicts(model, solver)
    loads = {id(one.node): one for one in model.accesses if one.kind is AccessKind.READ}
    known: dict[int, bool] = {}

    def is_own(node: Expr) -> bool:
        load = loads.get(id(node))
        if load is None:
            return False
        form = grid.form(load)
        if form not in known:
            known[form] = _is_read_by_one(load, model, grid)
        return known[form]

    return is_own


def _is_read_by_one(load: Access, model: MemoryModel, grid: GridConflicts) -> bool:
    """Does no other thread read the element, nor anything write it?"""
    if load.root is None or load.root.storage in _SHARED:
        return False
    stored = replace(load, kind=AccessKind.WRITE)
    return not any(
        other.kind is not AccessKind.READ or grid.may_meet(stored, other)
        for other in model.accesses
        if other.root in (load.root, None, OUTSIDE)
    )
