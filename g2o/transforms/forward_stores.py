"""A thread that reads back what it has stored takes the value; stores that nobody reads go.

    w[ty][tx] = weights[index];             w[ty][tx] = weights[index] * node;
    __syncthreads();                    ->
    w[ty][tx] = w[ty][tx] * node;

Forwarding is legal when the store comes before the load on every way, goes to the same element, and
nothing between the two writes that element or what the value is computed from: in a program
without races, a write of another thread would have to stand between the two as well. A store is
dead when the same thread stores to the element again before anybody can read it.
(architecture.md, "Load/store elimination across barriers".)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.accesses import Access, AccessKind, MemoryModel
from g2o.analysis.addresses import ANY_MEMBER
from g2o.analysis.barrier_flow import Distance, ways_from
from g2o.analysis.conflicts import Certainty, Conflicts
from g2o.analysis.effect_sets import Effects
from g2o.analysis.effects import EffectsOf
from g2o.diagnostics.diagnostic import Outcome, remark
from g2o.ir.expressions import Assign, Binary, Conditional, Expr, Paren
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Barrier, Block, Empty, ExprStatement, Jump, Node, Return, Stmt
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import TypeKind
from g2o.transforms.result import PassResult


@final
@dataclass(frozen=True, slots=True)
class _Pair:
    """A store and the statement of the same block that stores to the element again."""

    block: Block
    first: int
    second: int
    store: Assign
    load: Expr | None  # what the value takes the place of


def forward_stores(
    kernel: Kernel, effects: EffectsOf, model: MemoryModel, conflicts: Conflicts
) -> PassResult:
    """The kernel with one store forwarded into the store that replaces it, where there is one.

    `model` is that of the kernel. Call again until nothing changes.
    """
    question = _Question(effects, model, conflicts)
    for node in walk(kernel.body):
        if not isinstance(node, Block):
            continue
        for pair in question.pairs(node):
            body = rewrite(kernel.body, lambda inner, pair=pair: _joined(inner, pair))
            changed = replace(kernel, function=replace(kernel.function, body=body))
            message = "store removed: its value goes straight to where it is read"
            span = pair.block.statements[pair.first].span
            return PassResult(changed, (remark(Outcome.PASSED, "G2O0303", message, span),))
    return PassResult(kernel, ())


@final
class _Question:
    def __init__(self, effects: EffectsOf, model: MemoryModel, conflicts: Conflicts) -> None:
        self.effects = effects
        self.model = model
        self.conflicts = conflicts
        self.by_node: dict[int, list[Access]] = {}
        for access in model.accesses:
            self.by_node.setdefault(id(access.node), []).append(access)

    def pairs(self, block: Block) -> list[_Pair]:
        found: list[_Pair] = []
        for position, statement in enumerate(block.statements):
            store = _store_of(statement)
            if store is None:
                continue
            after = self._next_store(block, position, store)
            if after is None or not self._nobody_sees(block, position, after, store):
                continue
            loads = self._loads(block.statements[after], store)
            if not loads and self.effects.of(store.value).is_pure:
                found.append(_Pair(block, position, after, store, None))
            elif len(loads) == 1 and self._may_move(block.statements[after], store, loads[0]):
                found.append(_Pair(block, position, after, store, loads[0].node))
        return found

    def _write(self, store: Assign) -> Access | None:
        """The store as an access of the model; None where it stands for several."""
        writes = [a for a in self.by_node.get(id(store), []) if a.kind is AccessKind.WRITE]
        return writes[0] if len(writes) == 1 else None

    def _next_store(self, block: Block, position: int, store: Assign) -> int | None:
        """The next statement that stores to the same element for certain."""
        write = self._write(store)
        if write is None or not _is_block_memory(write.root) or write.index is None:
            return None
        if ANY_MEMBER in write.path or write.element is None or write.element.is_volatile:
            return None  # not known to be the same member, or watched by others
        for later in range(position + 1, len(block.statements)):
            other = _store_of(block.statements[later])
            again = None if other is None else self._write(other)
            if again is not None and again.root == write.root and again.index == write.index:
                if again.path == write.path and again.loops == write.loops:
                    return later
        return None

    def _nobody_sees(self, block: Block, first: int, second: int, store: Assign) -> bool:
        """Is the element neither seen nor changed between the two stores?"""
        write = self._write(store)
        assert write is not None
        return all(
            isinstance(one, (Barrier, Empty)) or self._is_apart(one, write, store)
            for one in block.statements[first + 1 : second]
        )

    def _loads(self, statement: Stmt, store: Assign) -> list[Access]:
        write = self._write(store)
        last = _store_of(statement)
        assert write is not None
        assert last is not None
        return self._meeting_in(statement, write, self._write(last))

    def _may_move(self, statement: Stmt, store: Assign, load: Access) -> bool:
        """Can the value be computed where it is loaded, and is it this thread's own?"""
        write, last = self._write(store), _store_of(statement)
        assert write is not None
        assert last is not None
        if load.index != write.index or load.path != write.path:
            return False
        if self.conflicts.meeting(write, load, Distance()).certainty is not Certainty.NEVER:
            return False
        if not _always_evaluated(last.value, load.node) or not self._fits(last, store):
            return False
        sources = [
            access
            for node in walk(store.value)
            for access in self.by_node.get(id(node), [])
            if access.kind is AccessKind.READ
        ]
        return not any(
            self._meet(source, other, distance, behind)
            for other, distance, behind in self._in_interval_of(last)
            for source in sources
        )

    def _meet(self, source: Access, other: Access, distance: Distance, behind: bool) -> bool:
        first, second = (source, other) if behind else (other, source)
        return self.conflicts.meeting(first, second, distance).certainty is not Certainty.NEVER

    def _in_interval_of(self, store: Assign) -> list[tuple[Access, Distance, bool]]:
        """What threads write with no barrier between that and the store; and whether behind it."""
        graph, barriers = self.model.graph, frozenset(self.model.graph.barriers)
        place = self._write(store)
        assert place is not None
        ahead = {
            (way.segment, way.distance)
            for way in ways_from(graph, place.segment, barriers, place.loops)
        }
        found: list[tuple[Access, Distance, bool]] = []
        for other in self.model.accesses:
            if other.kind is AccessKind.READ:
                continue
            found += [
                (other, distance, True) for segment, distance in ahead if segment == other.segment
            ]
            found += [
                (other, way.distance, False)
                for way in ways_from(graph, other.segment, barriers, other.loops)
                if way.segment == place.segment
            ]
        return found

    def _fits(self, last: Assign, store: Assign) -> bool:
        """May the value stand in the place of the load? Its type is that of the element."""
        return (
            self.effects.of(store.value).is_pure
            and self.effects.of(last.value).is_pure
            and store.target.type.kind is not TypeKind.OTHER
            and _same_type(store.value, store.target)
        )

    def _is_apart(self, statement: Stmt, write: Access, store: Assign) -> bool:
        """Does the statement neither see the element nor change what the value comes from?"""
        if any(isinstance(node, (Return, Jump)) for node in walk(statement)):
            return False  # a thread that leaves does not store again
        found = self.effects.of(statement)
        if found.side_effects or _disturbs(found, self.effects.of(store)):
            return False
        return not self._meeting_in(statement, write)

    def _meeting_in(
        self, statement: Stmt, write: Access, besides: Access | None = None
    ) -> list[Access]:
        """Accesses of the statement, by any thread, that may see or replace the element."""
        met: list[Access] = []
        for node in walk(statement):
            for access in self.by_node.get(id(node), []):
                if access is besides:
                    continue
                meeting = self.conflicts.meeting(write, access, Distance())
                other = meeting.certainty is not Certainty.NEVER
                if other or self.conflicts.own_meeting(write, access):
                    met.append(access)
        return met


def _store_of(statement: Stmt) -> Assign | None:
    if isinstance(statement, ExprStatement) and isinstance(statement.expr, Assign):
        return statement.expr if statement.expr.op == "=" else None
    return None


def _is_block_memory(root: Symbol | None) -> bool:
    return root is not None and root.storage is Storage.SHARED


def _disturbs(statement: Effects, value: Effects) -> bool:
    """Does the statement write what the value, or its place, is computed from?"""
    if statement.writes & value.reads:
        return True
    return bool(statement.memory_writes) and bool(value.memory_reads)


def _same_type(value: Expr, target: Expr) -> bool:
    one, other = value.type, target.type
    same = (one.kind, one.bits, one.is_signed) == (other.kind, other.bits, other.is_signed)
    return one.is_arithmetic and same


def _always_evaluated(expr: Expr, part: Expr | None) -> bool:
    """Is the part evaluated once whenever the expression is?"""
    if part is None:
        return False
    count = sum(node is part for node in walk(expr))
    conditional = any(
        any(node is part for node in walk(branch))
        for inner in walk(expr)
        for branch in _branches(inner)
    )
    return count == 1 and not conditional


def _branches(node: Node) -> tuple[Expr, ...]:
    match node:
        case Conditional(if_true=one, if_false=other):
            return (one, other)
        case Binary(op="&&" | "||", right=right):
            return (right,)
        case _:
            return ()


def _joined(node: Node, pair: _Pair) -> Node | None:
    if node is not pair.block:
        return None
    statements = list(pair.block.statements)
    gone, kept = statements[pair.first], statements[pair.second]
    value = pair.store.value
    if isinstance(value, (Binary, Conditional)):
        value = Paren(value, type=value.type)
    if pair.load is not None:
        statements[pair.second] = rewrite(kept, lambda inner: value if inner is pair.load else None)
    statements[pair.first] = Empty(trivia=replace(gone.trivia, after=""))
    return replace(node, statements=tuple(statements))
