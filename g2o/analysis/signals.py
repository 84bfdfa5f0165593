"""What other blocks may wait for: barriers order a block's memory before, and behind, its signals.

    data[i] = v;                                    if (t == 0) while (atomicCAS(lock, 0, 1)) {}
    __syncthreads();                                __syncthreads();
    if (t == 0) last = atomicAdd(count, 1) == n;    data[i] += v;

No two threads of the block meet there, but a thread of another block reads `data` once it has seen
`count`, and must not once it has not got the lock. A plain `*lock = 0` is a signal like an atomic
one where an atomic looks at the lock. (CUDA C++ Programming Guide, "Memory Fence
Functions".)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from g2o.analysis.accesses import OUTPUT, Access, AccessKind, MemoryModel
from g2o.analysis.conflicts import Conflicts
from g2o.ir.expressions import Paren
from g2o.ir.statements import ExprStatement
from g2o.ir.symbols import Storage


@final
@dataclass(frozen=True, slots=True)
class Signals:
    """The accesses of a kernel by which its blocks may learn of each other, and those of memory
    that the kernel changes."""

    signals: frozenset[int]
    changeable: frozenset[int]

    @staticmethod
    def of(model: MemoryModel, conflicts: Conflicts) -> Signals:
        outside = [access for access in model.accesses if _is_outside(access)]
        watched = [one for one in outside if _is_special(one) and _observes(one)]
        sent = [
            access
            for access in outside
            if _is_special(access)
            or (
                access.kind is AccessKind.WRITE
                and any(conflicts.may_alias(access, one) for one in watched)
            )
        ]
        written = [access for access in outside if access.kind is not AccessKind.READ]
        signals = frozenset(
            access.id
            for access in sent
            if any(_observes(one) and conflicts.may_alias(one, access) for one in outside)
        )
        if not signals:
            return Signals(signals, frozenset())
        changeable = frozenset(
            access.id
            for access in outside
            if access.kind is not AccessKind.READ
            or any(conflicts.may_alias(access, one) for one in written)
        )
        return Signals(signals, changeable)

    def orders(self, first: Access, second: Access) -> bool:
        """May it matter outside of the block which of the two comes first?"""
        one, other = first.id in self.signals, second.id in self.signals
        return (one and second.id in self.changeable) or (other and first.id in self.changeable)


def _is_outside(access: Access) -> bool:
    root = access.root
    if root is None:
        return True
    return root != OUTPUT and root.storage not in (Storage.SHARED, Storage.DYNAMIC_SHARED)


def _is_special(access: Access) -> bool:
    volatile = access.element is not None and access.element.is_volatile
    return access.kind is AccessKind.ATOMIC or volatile


def _observes(access: Access) -> bool:
    """Does the kernel get to know what is in the memory?"""
    if access.kind is not AccessKind.ATOMIC:
        return access.kind is AccessKind.READ
    if not isinstance(access.statement, ExprStatement):
        return True
    expr = access.statement.expr
    while isinstance(expr, Paren):
        expr = expr.inner
    return expr is not access.node
