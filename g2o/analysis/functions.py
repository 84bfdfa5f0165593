"""What is known of the device functions that kernels call, found on demand."""

from __future__ import annotations

from collections.abc import Callable
from typing import final

from g2o.analysis.effects import EffectsOf, FunctionEffects
from g2o.ir.expressions import Builtin, Call, LaunchRef, VarRef
from g2o.ir.kernel import Function
from g2o.ir.statements import Declare, Node
from g2o.ir.symbols import Storage
from g2o.ir.traverse import walk
from g2o.ir.types import TypeKind

_BLOCK_OPERATIONS = frozenset(
    {"__syncthreads", "__syncthreads_count", "__syncthreads_and", "__syncthreads_or"}
)
_GROUP_METHODS = frozenset({"sync", "thread_rank", "shfl", "shfl_down", "shfl_up", "shfl_xor"})
_CLOCKS = frozenset({"clock", "clock64", "__activemask"})


@final
class FunctionTable:
    """Bodies and effects of device functions, by key. `body_of` builds a body, or gives None."""

    def __init__(self, body_of: Callable[[str], Function | None]) -> None:
        self._body_of = body_of
        self._effects: dict[str, FunctionEffects] = {}
        self._in_progress: set[str] = set()

    def body(self, key: str) -> Function | None:
        return self._body_of(key) if key and "|" not in key else None

    def effects(self, key: str) -> FunctionEffects | None:
        """Effects of calling the function, or None where its body is not known."""
        known = self._effects.get(key)
        if known is not None:
            return known
        if key in self._in_progress:
            return FunctionEffects()  # recursion: anything
        function = self.body(key)
        if function is None:
            return None
        self._in_progress.add(key)
        found = self._summarise(function)
        self._in_progress.discard(key)
        self._effects[key] = found
        return found

    def for_node(self, node: Node) -> EffectsOf:
        """Effects of code, with all that it calls looked up."""
        table: dict[str, FunctionEffects] = {}
        for inner in walk(node):
            if isinstance(inner, Call) and inner.key:
                for key in inner.key.split("|"):
                    found = self.effects(key)
                    if found is not None:
                        table[key] = found
        return EffectsOf(table)

    def _summarise(self, function: Function) -> FunctionEffects:
        effects_of = self.for_node(function.body)
        effects = effects_of.of(function.body)
        reads_thread = reads_block = barrier = exchange = atomics = shared = dims = False
        for node in walk(function.body):
            match node:
                case LaunchRef(builtin=builtin):
                    reads_thread = reads_thread or builtin is Builtin.THREAD_INDEX
                    reads_block = reads_block or builtin is Builtin.BLOCK_INDEX
                    dims = dims or builtin in (Builtin.BLOCK_DIM, Builtin.GRID_DIM)
                case VarRef(symbol=symbol):
                    shared = shared or symbol.storage is Storage.DYNAMIC_SHARED
                case Declare(variables=variables):
                    kinds = (Storage.SHARED, Storage.DYNAMIC_SHARED)
                    shared = shared or any(v.symbol.storage in kinds for v in variables)
                case Call():
                    reads_thread = reads_thread or node.name in _CLOCKS
                    barrier = barrier or node.name in _BLOCK_OPERATIONS
                    exchange = exchange or is_exchange(node)
                    for key in node.key.split("|"):
                        callee = effects_of.functions.get(key)
                        if callee is not None:
                            reads_thread = reads_thread or callee.reads_thread
                            reads_block = reads_block or callee.reads_block
                            barrier = barrier or callee.has_barrier
                            exchange = exchange or callee.has_exchange
                            shared = shared or callee.has_shared
                            dims = dims or callee.reads_dimensions
                            atomics = atomics or callee.has_atomics
                case _:
                    pass
        written = frozenset(
            position
            for position, parameter in enumerate(function.parameters)
            if parameter.type.kind is TypeKind.REFERENCE and parameter in effects.writes
        )
        outside = {s for s in effects.memory_writes if s is None or s.storage is not Storage.LOCAL}
        by_reference = {
            parameter
            for parameter in function.parameters
            if parameter.type.kind is TypeKind.REFERENCE
        }
        return FunctionEffects(
            reads_thread,
            reads_block,
            barrier,
            exchange,
            shared,
            dims,
            bool(outside - by_reference),
            bool(effects.memory_reads),
            atomics or effects.side_effects,
            written
            | frozenset(
                position
                for position, parameter in enumerate(function.parameters)
                if parameter in outside and parameter in by_reference
            ),
        )


def is_exchange(call: Call) -> bool:
    """Is this an operation between the threads of a warp?"""
    name = call.name
    if not call.is_cuda:
        return False
    return name.startswith(("__shfl", "__ballot", "__any", "__all", "__reduce_", "__match_")) or (
        name in ("__syncwarp", "__activemask") or name in _GROUP_METHODS
    )
