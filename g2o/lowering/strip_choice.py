"""Which loops of threads change places with the loop over the threads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import final

from g2o.analysis.effects import EffectsOf, statements_of
from g2o.analysis.strides import Strides, accesses_in, counter_of
from g2o.analysis.uniformity import Uniformity, solve_uniformity
from g2o.ir.expressions import (
    Call,
)
from g2o.ir.statements import (
    CountedLoop,
    Declare,
    DoWhile,
    Empty,
    For,
    Node,
    Scope,
    Stmt,
    While,
)
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import TypeKind
from g2o.lowering.indices import block_of
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

    def loops(self) -> frozenset[int]:
        """Ids of the loops that get a barrier at the end of each iteration."""
        found = self.paying()
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


def _without_inner_loops(body: Stmt) -> Stmt:
    """What an iteration does itself."""

    def replacement(node: Node) -> Node | None:
        inner = isinstance(node, While | DoWhile) or (
            isinstance(node, For) and few_turns(node) is None
        )
        return Empty() if inner else None

    return rewrite(body, replacement)
