"""Increments of shadows that no other thread can meet need not be atomic.

    atomicAdd(&d_x[i], a * d_y[i]);    ->    d_x[i] += a * d_y[i];

Legal where no other thread reads, overwrites or adds to the same place: anywhere in the grid for
global memory, between the same barriers for the memory of a block. All pairs of accesses to a
shadow are asked, the increments of one thread to its neighbours' elements among them: judged one by
one, each would look as if it were alone. Shadows overlap with nothing else: that is the contract of
adjoints.

    atomicAdd(&d_x[row * n + j], v);   ->    atomicAdd_block(&d_x[row * n + j], v);

Where only threads of one block can meet, an increment has to be atomic for those alone: it is plain
where one thread of the CPU runs all of a block (`block_local_atomics.py`).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import final

from g2o.analysis.access_collector import NotAnalysable, memory_model
from g2o.analysis.accesses import OUTSIDE, Access, AccessKind, MemoryModel
from g2o.analysis.barrier_flow import ways_from
from g2o.analysis.barriers import meetings_within
from g2o.analysis.conflicts import Certainty, Conflicts
from g2o.analysis.distinct_writes import distinct_writes, overwritten_once, own_loads
from g2o.analysis.functions import FunctionTable
from g2o.analysis.grid_conflicts import GridConflicts
from g2o.analysis.index_forms import IndexForms
from g2o.analysis.own_values import OwnValues
from g2o.diagnostics.diagnostic import Outcome, remark
from g2o.ir.expressions import Builtin, Call, Form
from g2o.ir.increments import is_increment, is_reason
from g2o.ir.increments import plain as plain_addition
from g2o.ir.increments import reason as because
from g2o.ir.kernel import Kernel, LoweredKernel
from g2o.ir.statements import Block, Declare, ExprStatement, If, Node, Stmt
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.polyhedral.solver import Solver
from g2o.transforms.result import PassResult
from g2o.transforms.taken_seeds import shared_seeds, take_once

_SHARED = (Storage.SHARED, Storage.DYNAMIC_SHARED)


def make_increments_plain(
    kernel: Kernel,
    shadows: Collection[Symbol],
    functions: FunctionTable,
    assume_noalias: bool,
    solver: Solver,
) -> PassResult:
    """Replace the atomics of an adjoint that need not be. `shadows` are its shadow parameters and
    the shadows of shared memory.

    Seeds that several threads consume become atomic."""
    if not any(is_increment(node) for node in walk(kernel.body)):
        return PassResult(kernel)
    relied = kernel.relied
    anywhere = replace(kernel, shape=replace(kernel.shape, block=(None, None, None)))
    judged = _judged(anywhere, shadows, functions, assume_noalias, solver)
    if judged is None:
        return PassResult(_commented(kernel, {}))
    plain, met, _, several, inside = judged
    if met and kernel.shape.block != anywhere.shape.block:
        judged = _judged(kernel, shadows, functions, assume_noalias, solver)
        if judged is not None and len(judged[0]) > len(plain):
            plain, met, assumed, several, inside = judged
            relied |= {(Builtin.BLOCK_DIM, axis) for axis in assumed}

    def replacement(node: Node) -> Node | None:
        match node:
            case ExprStatement(expr=Call() as call) if is_increment(call) and id(call) in plain:
                return plain_addition(call)
            case _:
                return None

    body = rewrite(kernel.body, replacement)
    remarks = tuple(
        remark(Outcome.MISSED, "G2O0406", f"atomic increment: {reason}", kernel.function.span)
        for reason in dict.fromkeys(met.values())
    )
    function = replace(kernel.function, body=body)
    kernel = _commented(replace(kernel, function=function, relied=relied), met)
    if inside:
        kernel = _for_blocks(kernel, inside)
    if several:
        body = take_once(kernel.body, several, function.symbols)
        kernel = replace(kernel, function=replace(function, body=body))
    return PassResult(kernel, remarks)


def _judged(
    kernel: Kernel,
    shadows: Collection[Symbol],
    functions: FunctionTable,
    assume_noalias: bool,
    solver: Solver,
) -> tuple[set[int], dict[int, str], frozenset[int], set[int], set[int]] | None:
    """The increments that can be plain, those that cannot with the reason, both by identity, the
    axes of blockDim whose value that builds on, what sets seeds to 0 that other threads may take as
    well, and those of the increments that only threads of one block meet in. None where the kernel
    cannot be analysed."""
    try:
        model = memory_model(kernel, functions.for_node(kernel.body), assume_noalias)
    except NotAnalysable:
        return None
    forms = IndexForms(kernel.body)
    effects = functions.for_node(kernel.body)
    own = OwnValues(kernel.body, effects, forms)
    judge = _Judge(model, solver, frozenset(shadows), own, of_loops=kernel.of_loops)
    met: dict[int, str] = {}
    elsewhere: set[int] = set()
    for access in model.accesses:
        if access.node is not None and is_increment(access.node):
            reason = judge.meets(access)
            if reason is not None:
                met.setdefault(id(access.node), reason)
                if judge.meets_other_blocks(access):
                    elsewhere.add(id(access.node))
    plain = {id(a.node) for a in model.accesses if a.node is not None} - set(met)
    suspected = shared_seeds(kernel.body, shadows, forms)
    several = {
        id(access.node)
        for access in model.accesses
        if access.kind is AccessKind.WRITE and id(access.node) in suspected
        if judge.meets_itself(access)
    }
    return plain, met, model.assumed, several, set(met) - elsewhere


def _for_blocks(kernel: Kernel, increments: set[int]) -> Kernel:
    """These increments have to be atomic for the threads of a block alone."""

    def replacement(node: Node) -> Node | None:
        if isinstance(node, Call) and id(node) in increments:
            return replace(node, name="atomicAdd_block")
        return None

    function = replace(kernel.function, body=rewrite(kernel.body, replacement))
    return replace(kernel, function=function)


def without_stale_reasons(lowered: LoweredKernel) -> LoweredKernel:
    """Reasons for atomics go where later passes have found another form."""

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, (ExprStatement, Declare, If)) or any(map(_is_atomic, walk(node))):
            return None
        kept = tuple(one for one in node.trivia.before if not is_reason(one))
        if len(kept) == len(node.trivia.before):
            return None
        return replace(node, trivia=replace(node.trivia, before=kept))

    return replace(lowered, body=tuple(rewrite(one, replacement) for one in lowered.body))


def _is_atomic(node: Node) -> bool:
    return isinstance(node, Call) and node.name.startswith("atomic")


def all_plain(statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """Statements that one thread runs alone: none of their increments need be atomic."""

    def replacement(node: Node) -> Node | None:
        match node:
            case ExprStatement(expr=Call() as call) if is_increment(call):
                return plain_addition(call)
            case _:
                return None

    return tuple(rewrite(statement, replacement) for statement in statements)


def _commented(kernel: Kernel, met: dict[int, str]) -> Kernel:
    """Atomics that stay say why, the first of several in a row for all of them."""

    def reason_of(node: Node) -> str | None:
        match node:
            case ExprStatement(expr=Call() as call) if is_increment(call):
                return met.get(id(call))
            case _:
                return None

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        new: list[Stmt] = []
        last: str | None = None
        for statement in node.statements:
            reason = reason_of(statement)
            if reason is not None and reason != last:
                before = (*statement.trivia.before, because(reason))
                statement = replace(statement, trivia=replace(statement.trivia, before=before))
            else:
                statement = rewrite(statement, replacement)
            last = reason
            new.append(statement)
        same = all(one is old for one, old in zip(new, node.statements, strict=True))
        return node if same else replace(node, statements=tuple(new), form=Form.BUILT)

    body = rewrite(kernel.body, replacement)
    return replace(kernel, function=replace(kernel.function, body=body))


@final
class _Judge:
    def __init__(
        self,
        model: MemoryModel,
        solver: Solver,
        shadows: frozenset[Symbol],
        values: OwnValues,
        *,
        of_loops: bool,
    ) -> None:
        self.model = model
        is_own = own_loads(model, solver)
        self.block = Conflicts(
            model, solver, proves=lambda access: values.tells_apart(access.node, is_own)
        )
        proofs = distinct_writes(model, solver, values, shadows)
        if of_loops:
            proofs = (*proofs, *overwritten_once(model, shadows))
        self.grid = GridConflicts(model, solver, proofs)
        self.blocks = GridConflicts(model, solver, proofs, of_blocks=True)
        self.reasons: dict[int, str | None] = {}
        self.elsewhere: dict[int, bool] = {}

    def meets(self, access: Access) -> str | None:
        """What keeps an increment from being plain, in words."""
        root = access.root
        if root is not None and access.index is not None and root.storage in _SHARED:
            return self._meets_in_block(access)
        form = self.grid.form(access)
        if form not in self.reasons:
            self.reasons[form] = self._meets_in_grid(access)
        return self.reasons[form]

    def _meets_in_grid(self, access: Access) -> str | None:
        root = access.root
        if root is None or access.index is None:
            return "the element is not known"
        for other in self.model.accesses:
            if other.root in (None, OUTSIDE) and other.kind is not AccessKind.READ:
                return "other code may change any memory"
            if other.root == root and self.grid.may_meet(access, other):
                return f"several threads may add to one element of {root.name}"
        return None

    def meets_itself(self, access: Access) -> bool:
        """May two threads make the access to one element?"""
        if access.root is None or access.root.storage not in _SHARED:
            return self.grid.may_meet(access, access)
        barriers = frozenset(self.model.graph.barriers)
        return any(
            way.segment == access.segment
            and not way.ordered
            and self.block.meeting(access, access, way.distance).certainty is not Certainty.NEVER
            for way in ways_from(self.model.graph, access.segment, barriers, access.loops)
        )

    def meets_other_blocks(self, access: Access) -> bool:
        """May a thread of another block name the element as well?"""
        if access.root is None or access.root.storage in _SHARED or access.index is None:
            return True
        form = self.blocks.form(access)
        if form not in self.elsewhere:
            self.elsewhere[form] = any(
                other.root in (None, OUTSIDE)
                if other.root != access.root
                else self.blocks.may_meet(access, other)
                for other in self.model.accesses
            )
        return self.elsewhere[form]

    def _meets_in_block(self, access: Access) -> str | None:
        for _ in meetings_within(self.model, self.block, access):
            return "threads of the block add to one element"
        return None
