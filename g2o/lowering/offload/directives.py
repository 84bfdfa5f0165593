"""Directives of the two targets, and of sources that serve both.

    --target offload   #pragma omp parallel for
    --target portable  #pragma omp G2O_CPU(simd) G2O_DEVICE(parallel for)

                       G2O_DEVICE_PRAGMA(omp parallel for collapse(2))   // nothing on a CPU
                       for (int ty = 0; ty < 16; ++ty) {
                           G2O_CPU_PRAGMA(omp simd)                      // nothing on a device
                           for (int tx = 0; tx < 16; ++tx)

g2o_runtime.hpp says which of the macros are empty. Both targets share the loops, so that such a
source tells in one place what each of them makes of one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.ir.directives import NO_DIRECTIVE, Directive, Heeds
from g2o.ir.statements import Block, CountedLoop, Node, Stmt, Text
from g2o.ir.traverse import children, rewrite

_WORDS: Final = re.compile(r"\w+")


def for_both(device: Directive, cpu: Directive, portable: bool) -> Directive:
    """That of what is `device` on a device and `cpu`, which may be none, on a CPU."""
    if not portable:
        return device
    return replace(cpu, on_device=device) if cpu else replace(device, heeds=Heeds.DEVICE)


def for_cpu_alone(cpu: Directive, portable: bool) -> Directive:
    """That of what a device does without one."""
    return replace(cpu, heeds=Heeds.CPU) if cpu and portable else NO_DIRECTIVE


def within_threads(statements: list[Stmt], portable: bool) -> list[Stmt]:
    """Loops inside of the parallel ones are sequential; compilers for devices do not vectorise."""

    def sequential(node: Node) -> Node | None:
        if not isinstance(node, CountedLoop) or not node.directive:
            return None
        directive = for_cpu_alone(node.directive, portable)
        return replace(node, directive=directive, body=rewrite(node.body, sequential))

    return [rewrite(statement, sequential) for statement in statements]


def check_constructs(statements: Iterable[Node]) -> None:
    """Every directive of threads stands in a target construct, and every loop that is shared out in
    a parallel region: others would run on the host. Raises AssertionError where not."""
    pragmas = _Pragmas()
    for statement in statements:
        pragmas.visit(statement, is_parallel=False)


@final
@dataclass(slots=True)
class _Pragmas:
    has_target: bool = False  # in front of what is visited

    def visit(self, node: Node, *, is_parallel: bool) -> None:
        pragma = ""
        match node:
            case CountedLoop(directive=directive) | Block(directive=directive):
                pragma = directive.text
            case Text(parts=(str() as text, *_)) if text.startswith("#pragma"):
                pragma = text
            case _:
                pass
        words = set(_WORDS.findall(pragma))
        self.has_target |= "target" in words
        is_parallel |= bool(words & {"parallel", "G2O_CPU", "G2O_CPU_PRAGMA"})
        is_for_threads = bool(words & {"parallel", "for", "single", "barrier"})
        assert self.has_target or not is_for_threads, f"on the host: {pragma}"
        assert is_parallel or "for" not in words, f"not in a parallel region: {pragma}"
        for child in children(node):
            self.visit(child, is_parallel=is_parallel)
