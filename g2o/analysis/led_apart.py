"""Arrays and pointers that lead to different memory, by what pointers may lead to.

float *mine = all + first;      `mine` leads outside, and not to `tile`
__shared__ float tile[64];
"""

from __future__ import annotations

from g2o.analysis.memory import Memory, Objects
from g2o.ir.expressions import VarRef
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.types import TypeKind


def lead_apart(one: Symbol, other: Symbol, memory: Memory) -> bool:
    """Do elements of the two, or behind them, certainly lie in different arrays?"""
    first, second = _objects(one, memory), _objects(other, memory)
    return bool(first and second) and first.isdisjoint(second)


def _objects(root: Symbol, memory: Memory) -> Objects:
    """The arrays of the kernel's own that a pointer may lead to, and None for what is outside;
    empty where that is not known: of arrays that lowering has made, for one. All dynamic shared
    memory is one."""
    found: Objects = set()
    if root.type.kind is TypeKind.POINTER:
        found = memory.targets(VarRef(root))
    elif root.type.kind is TypeKind.ARRAY and root in memory.declared:
        found = {root}
    dynamic = (one for one in found if one and one.storage is Storage.DYNAMIC_SHARED)
    return set() if any(dynamic) else found
