"""Shared memory of launches that the file declares, declared by the kernel: its shadow is memory of
its own beside it.

    extern __shared__ double buffer[];        __global__ void k(...)
    __global__ void k(...)              ->    {
    {                                             extern __shared__ double buffer[];
"""

from __future__ import annotations

from dataclasses import replace

from g2o.analysis.effects import declared_in, symbols_in
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Block, Declare, Variable
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.types import TypeKind


def with_shared_memory_declared(kernel: Kernel) -> Kernel:
    """`kernel` with declarations of the dynamic shared memory that it names without one."""
    body = kernel.body
    named = sorted(symbols_in(body) - declared_in(body), key=lambda one: one.id)
    declared = [
        Declare((_variable(symbol),), span=kernel.function.span)
        for symbol in named
        if symbol.storage is Storage.DYNAMIC_SHARED
    ]
    if not declared:
        return kernel
    whole = Block((*declared, *body.statements), span=body.span)
    return replace(kernel, function=replace(kernel.function, body=whole))


def _variable(symbol: Symbol) -> Variable:
    suffix, inner = "[]", symbol.type.element
    while inner is not None and inner.kind is TypeKind.ARRAY:
        suffix, inner = f"{suffix}[{inner.extent}]", inner.element
    return Variable(symbol, symbol.type.innermost.spelling, suffix)
