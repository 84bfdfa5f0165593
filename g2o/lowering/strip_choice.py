"""Which loops of threads change places with the loop over the threads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import final

from g2o.analysis.effects import EffectsOf, declared_in, statements_of
from g2o.analysis.strides import Strides, accesses_in, counter_of, size_of
from g2o.analysis.uniformity import Uniformity, solve_uniformity
from g2o.ir.expressions import Assign, Call, Conditional, VarRef
from g2o.ir.statements import (
    CountedLoop,
    Declare,
    DoWhile,
    Empty,
    For,
    If,
    Node,
    Scope,
    Stmt,
    While,
)
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import TypeKind
from g2o.lowering.indices import block_of
from g2o.lowering.simd import may_vectorise
from g2o.lowering.strips import few_turns


@final
@dataclass(slots=True)
class Choice:
    """Which loops in a loop over threads change places with it."""

    effects: EffectsOf
    threads: CountedLoop
    positions: tuple[Declare, ...] = ()
    strides: Strides = field(init=False)
    uniformity: Uniformity = field(init=False)

    def __post_init__(self) -> None:
        self.strides = Strides.of(self.threads)

    def paying(self) -> frozenset[int]:
        """Ids of the loops that had better be outside."""
        return frozenset(
            id(node)
            for node in walk(self.threads.body)
            if isinstance(node, For) and few_turns(node) is None and self._pays(node)
        )

    def summing(self) -> frozenset[int]:
        """Ids of the loops that add up real numbers, which no compiler does in another order, where
        neighbours read what lies beside each other."""
        return frozenset(
            id(node)
            for node in walk(self.threads.body)
            if isinstance(node, For) and not _unrolls(node) and self._sums(node)
        )

    def _sums(self, loop: For) -> bool:
        if counter_of(loop) is None or loop.condition is None:
            return False
        own = _without_inner_loops(loop.body)
        found = self.effects.of(own)
        if found.side_effects or found.memory_writes:
            return False
        if any(_chooses(node) for node in walk(own)):
            return False  # an element at any distance
        inside = declared_in(loop.body)
        adds = any(
            isinstance(node, Assign)
            and node.op in ("+=", "-=")
            and isinstance(node.target, VarRef)
            and node.target.symbol.type.kind is TypeKind.FLOATING
            and node.target.symbol not in inside
            for node in walk(own)
        )
        accesses = list(accesses_in(own))
        moved = [self.strides.address(one, self.threads) for one in accesses]
        beside = all(
            distance in (0, size_of(one.type))
            for one, distance in zip(accesses, moved, strict=True)
        )
        return adds and beside and any(moved) and may_vectorise(_unguarded(own))

    def loops(self, wanted: frozenset[int] | None = None) -> frozenset[int]:
        """Ids of the loops that get a barrier at the end of each iteration: of those `wanted`, or
        of those that pay."""
        found = self.paying() if wanted is None else wanted
        if not found:
            return found
        body = block_of(statements_of(self.threads.body))
        varying = {self.threads.index, *(one.variables[0].symbol for one in self.positions)}
        self.uniformity = solve_uniformity(body, Scope.ROW, self.effects.within(body), varying)
        return frozenset(self._possible(body, found))

    def _possible(self, node: Node, wanted: frozenset[int]) -> Iterator[int]:
        """Those that all threads go through alike, with all loops around them."""
        if isinstance(node, For | While | DoWhile):
            alike = node.condition is not None and self.uniformity.is_uniform(node.condition)
            if not alike or self.uniformity.leaves_varying(node):
                return
            if id(node) in wanted:
                yield id(node)
        for child in children(node):
            yield from self._possible(child, wanted)

    def _pays(self, loop: For) -> bool:
        if counter_of(loop) is None or loop.condition is None:
            return False
        own = _without_inner_loops(loop.body)
        found = self.effects.of(own)
        if found.side_effects or not any(True for _ in accesses_in(own)):
            return False
        return self.strides.is_better_outside(loop, self.threads, own)

    def pays_by_chunks(self, loop: For) -> bool:
        """Do neighbours move less than a thread does, if functions access what they are told of?"""
        told = [
            argument
            for node in walk(loop.body)
            if isinstance(node, Call)
            for argument in node.arguments
            if argument.type.kind is TypeKind.INTEGER
        ]
        return self.strides.is_better_outside(loop, self.threads, loop.body, told)


def _unrolls(loop: For) -> bool:
    """Do compilers make straight-line code of the loop, which they vectorise?"""
    guarded = any(isinstance(node, If) for node in walk(loop.body))
    return few_turns(loop) is not None and not guarded


def _chooses(node: Node) -> bool:
    """Is it one of several numbers?"""
    return isinstance(node, Call | Conditional) and node.type.kind is TypeKind.INTEGER


def _unguarded(body: Stmt) -> Stmt:
    """What is done where all conditions hold."""

    def replacement(node: Node) -> Node | None:
        inner = isinstance(node, If) and node.otherwise is None
        return rewrite(node.then, replacement) if inner and isinstance(node, If) else None

    return rewrite(body, replacement)


def _without_inner_loops(body: Stmt) -> Stmt:
    """What an iteration does itself."""

    def replacement(node: Node) -> Node | None:
        inner = isinstance(node, While | DoWhile) or (
            isinstance(node, For) and few_turns(node) is None
        )
        return Empty() if inner else None

    return rewrite(body, replacement)
