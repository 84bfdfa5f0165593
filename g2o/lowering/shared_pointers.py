"""Dynamic shared memory where only its address will do.

    T *tile = reinterpret_cast<T *>(smem);    ->    T *tile = reinterpret_cast<T *>(smem.data());

`g2o::shared_array` converts to a pointer wherever C++ looks for a conversion. It does not where a
pointer is reinterpreted, nor where the type of an argument or a variable is deduced. This comes
last: to other passes the name of the array is better known than a method of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from g2o.ir.expressions import Call, Cast, Code, Expr, VarRef, strip_parens
from g2o.ir.kernel import LoweredKernel
from g2o.ir.statements import Block, Declare, Node, Text
from g2o.ir.symbols import Storage
from g2o.ir.traverse import rewrite, walk

_OWNER = re.compile(r"g2o::shared_array<.*> (\w+)\(")


def point_to_shared(kernel: LoweredKernel) -> LoweredKernel:
    """The same object where the kernel has no such place."""
    body = Block(kernel.body)
    names = {name for node in walk(body) for name in _allocated(node)}
    found = {
        id(reference)
        for node in walk(body)
        for reference in map(strip_parens, _in_need_of_a_pointer(node))
        if isinstance(reference, VarRef)
        and reference.symbol.storage is Storage.DYNAMIC_SHARED
        and reference.symbol.name in names
    }
    if not found:
        return kernel

    def replacement(node: Node) -> Node | None:
        if id(node) not in found or not isinstance(node, VarRef):
            return None
        return Code((VarRef(node.symbol), ".data()"), type=node.type)

    return replace(kernel, body=tuple(rewrite(s, replacement) for s in kernel.body))


def _allocated(node: Node) -> list[str]:
    """The array that a statement allocates."""
    text = node.parts[0] if isinstance(node, Text) and node.parts else ""
    return _OWNER.findall(text) if isinstance(text, str) else []


def _in_need_of_a_pointer(node: Node) -> Iterator[Expr]:
    match node:
        case Cast(operand=operand, span=span):
            if span is not None and span.text.startswith("reinterpret_cast"):
                yield operand
        case Call(arguments=arguments, template_arguments=(_, *_)):
            yield from arguments
        case Declare(variables=variables):
            for variable in variables:
                if variable.initial is not None and "auto" in variable.declared.split():
                    yield variable.initial
        case _:
            pass
