"""Shared memory, declared where the kernel begins: it is the block's for as long as that runs, and
the reverse sweep, which stands behind the primal, names what an inner scope or the file declares.

    extern __shared__ double buffer[];        __global__ void k(...)
    __global__ void k(...)              ->    {
    {                                             extern __shared__ double buffer[];
        for (...) {                               __shared__ double s[64];
            __shared__ double s[64];              for (...) {
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from operator import is_

from g2o.analysis.effects import declared_in, symbols_in
from g2o.ir.expressions import Form
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Block, Declare, DeclareTypes, Node, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import TypeKind


def with_shared_memory_declared(kernel: Kernel) -> Kernel:
    """`kernel` with all of its shared memory declared in front, also the dynamic one that it names
    without a declaration."""
    body = kernel.body
    named = sorted(symbols_in(body) - declared_in(body), key=lambda one: one.id)
    declared = [
        Declare((_variable(symbol),), span=kernel.function.span)
        for symbol in named
        if symbol.storage is Storage.DYNAMIC_SHARED
    ]
    inner = [] if any(isinstance(node, DeclareTypes) for node in walk(body)) else list(_inner(body))
    if not declared and not inner:
        return kernel
    symbols = SymbolTable(continued=kernel.function.symbols)
    known = Counter(one.name for one in (*declared_in(body), *kernel.function.parameters))
    own = [variable.symbol for one in inner for variable in one.variables]
    renamed = {
        one: symbols.fresh(one.name, one.type, one.storage) for one in own if known[one.name] > 1
    }
    left = rewrite(body, lambda node: _without(node, inner))
    whole = Block((*declared, *inner, *left.statements), span=body.span)
    function = replace(kernel.function, body=rename_symbols(whole, renamed), symbols=symbols)
    return replace(kernel, function=function)


def _inner(body: Block) -> Iterator[Declare]:
    """Declarations of memory of the block in inner scopes that any scope may have."""
    outer = {id(one) for one in body.statements}
    for node in walk(body):
        if isinstance(node, Declare) and id(node) not in outer:
            extents = [extent for one in node.variables for extent in one.extents]
            shared = all(one.symbol.storage is Storage.SHARED for one in node.variables)
            if shared and not any(symbols_in(extent) & declared_in(body) for extent in extents):
                yield node


def _without(node: Node, inner: list[Declare]) -> Node | None:
    if not isinstance(node, Block):
        return None
    kept = [one for one in node.statements if not any(one is other for other in inner)]
    new = tuple(rewrite(one, lambda below: _without(below, inner)) for one in kept)
    same = len(new) == len(node.statements) and all(map(is_, new, node.statements))
    return node if same else replace(node, statements=new, form=Form.BUILT)


def _variable(symbol: Symbol) -> Variable:
    suffix, inner = "[]", symbol.type.element
    while inner is not None and inner.kind is TypeKind.ARRAY:
        suffix, inner = f"{suffix}[{inner.extent}]", inner.element
    return Variable(symbol, symbol.type.innermost.spelling, suffix)
