"""What the analysis of one kernel came to, in numbers: what `bench/analysis.py` tabulates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from g2o.diagnostics.diagnostic import Diagnostic, Outcome
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Barrier, Scope
from g2o.ir.traverse import walk

_BARRIER_REMOVED = "G2O0301"
_MEMORY_REMOVED = "G2O0303"


@final
@dataclass(frozen=True, slots=True)
class KernelFigures:
    """`barriers` of the whole block before; of these `removed`. `memory` counts stores, with the
    load that each goes to, and shared arrays that are gone. `seconds` of one processor."""

    name: str
    barriers: int
    removed: int
    memory: int
    seconds: float

    @staticmethod
    def of(kernel: Kernel, remarks: Sequence[Diagnostic], seconds: float) -> KernelFigures:
        """`kernel` is that before the passes that made the remarks."""
        barriers = sum(
            isinstance(node, Barrier) and node.scope is Scope.BLOCK for node in walk(kernel.body)
        )
        passed = [one.code for one in remarks if one.message.startswith(Outcome.PASSED.value)]
        removed, memory = passed.count(_BARRIER_REMOVED), passed.count(_MEMORY_REMOVED)
        return KernelFigures(kernel.name, barriers, removed, memory, seconds)
