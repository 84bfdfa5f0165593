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

from dataclasses import replace
from typing import Final

from g2o.ir.statements import CountedLoop, Node, Stmt
from g2o.ir.traverse import rewrite

_OMP: Final = "omp "


def directive(device: str, cpu: str, portable: bool) -> str:
    """The pragma of what is `device` on a device and `cpu`, which may be empty, on a CPU."""
    if not portable:
        return device
    if not cpu:
        return f"G2O_DEVICE_PRAGMA({device})"
    return f"omp G2O_CPU({cpu.removeprefix(_OMP)}) G2O_DEVICE({device.removeprefix(_OMP)})"


def for_cpu_alone(cpu: str, portable: bool) -> str:
    """The pragma of what a device does without one."""
    return f"G2O_CPU_PRAGMA({cpu})" if cpu and portable else ""


def within_threads(statements: list[Stmt], portable: bool) -> list[Stmt]:
    """Loops inside of the parallel ones are sequential; compilers for devices do not vectorise."""

    def sequential(node: Node) -> Node | None:
        if not isinstance(node, CountedLoop) or not node.pragma:
            return None
        pragma = for_cpu_alone(node.pragma, portable)
        return replace(node, pragma=pragma, body=rewrite(node.body, sequential))

    return [rewrite(statement, sequential) for statement in statements]
