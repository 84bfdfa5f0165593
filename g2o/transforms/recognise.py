"""CUDA calls become primitives of the IR.

__syncthreads();        ->  Barrier(BLOCK)
__threadfence_block();  ->  nothing: one OpenMP thread runs the whole block
"""

from __future__ import annotations

from dataclasses import replace

from g2o.analysis.functions import FunctionTable
from g2o.ir.expressions import Call
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Barrier, Empty, ExprStatement, Node, Scope
from g2o.ir.traverse import rewrite

_FENCES = frozenset({"__threadfence_block"})


def recognise(kernel: Kernel, functions: FunctionTable) -> Kernel:
    """Replace calls that stand for barriers. Unchanged kernels are returned as they are."""
    body = rewrite(kernel.body, _primitive)
    if body is kernel.body:
        return kernel
    return replace(kernel, function=replace(kernel.function, body=body))


def _primitive(node: Node) -> Node | None:
    if not isinstance(node, ExprStatement) or not isinstance(node.expr, Call):
        return None
    call = node.expr
    if not call.is_cuda:
        return None
    match call.name:
        case "__syncthreads":
            return Barrier(Scope.BLOCK, trivia=node.trivia, span=node.span)
        case "__syncwarp":
            return Barrier(Scope.WARP, trivia=node.trivia, span=node.span)
        case name if name in _FENCES:
            return Empty(trivia=node.trivia, span=node.span)
        case _:
            return None
