"""Where device functions are called from, gathered while kernels become loops."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import final

from g2o.ir.expressions import Call
from g2o.ir.kernel import Function, LoweredKernel
from g2o.ir.statements import CountedLoop, Node
from g2o.ir.traverse import children, walk


@final
@dataclass(slots=True)
class Callers:
    """Who calls device functions, by key."""

    kernels: set[str] = field(default_factory=set[str])  # in front of parallel loops
    threads: set[str] = field(default_factory=set[str])
    functions: set[str] = field(default_factory=set[str])

    def note_kernel(self, lowered: LoweredKernel) -> None:
        for statement in lowered.body:
            self._note(statement, parallel=False)

    def note_functions(self, functions: Iterable[Function]) -> None:
        for function in functions:
            calls = (one for one in walk(function.body) if isinstance(one, Call))
            self.functions |= {call.key for call in calls if call.key}

    def _note(self, node: Node, parallel: bool) -> None:
        if isinstance(node, CountedLoop) and node.directive.is_parallel:
            parallel = True
        if isinstance(node, Call) and node.key:
            (self.threads if parallel else self.kernels).add(node.key)
        for child in children(node):
            self._note(child, parallel)

    def has_cpu_for_itself(self, key: str) -> bool:
        """Does nothing else run while the function does?"""
        return key in self.kernels and key not in self.threads | self.functions
