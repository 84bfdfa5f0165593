"""Vector loops, and loops that compilers make vectors of, get the runtime's exponentials and
logarithms in place of the C library's.

    #pragma omp simd                              #pragma omp simd
    for (int t = 0; t < 256; ++t)         ->      for (int t = 0; t < 256; ++t)
        y[t] = expf(x[t]);                            y[t] = g2o::simd_expf(x[t]);

Legal because they keep to what CUDA says of its own: floats are those next to the exact ones but in
rare cases, doubles less than one unit in the last place away, and infinities, NaNs, zeros and their
signs are those of the C library.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from g2o.analysis.effects import declared_in
from g2o.analysis.straight_line import obstacle
from g2o.analysis.vector_math import inline_name
from g2o.ir.expressions import Assign, Call, Form, Literal, VarRef
from g2o.ir.kernel import Kernel, LoweredKernel
from g2o.ir.statements import CountedLoop, For, Node, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite, walk


def with_vector_math(lowered: LoweredKernel) -> LoweredKernel:
    """The kernel with straight-line code in its vector loops."""
    body = tuple(rewrite(statement, _in_vectors) for statement in lowered.body)
    return replace(lowered, body=body)


def with_calls_of_libraries(kernel: Kernel) -> Kernel:
    """A kernel for C, where the runtime has no such code: its calls are nothing but calls."""
    body = rewrite(kernel.body, _called)
    return replace(kernel, function=replace(kernel.function, body=body))


def _called(node: Node) -> Node | None:
    if not isinstance(node, Call) or inline_name(node) is None:
        return None
    arguments = tuple(rewrite(one, _called) for one in node.arguments)
    return replace(node, arguments=arguments, key="")


def _in_vectors(node: Node) -> Node | None:
    if not isinstance(node, CountedLoop | For):
        return None
    if not node.directive.is_simd and not _may_become_vectors(node.body):
        return None
    body = rewrite(node.body, _inlined)
    return None if body is node.body else replace(node, body=body, form=Form.BUILT)


def _may_become_vectors(body: Stmt) -> bool:
    """Is it arithmetic, in which a turn hands on nothing to the next but sums?"""
    if obstacle(body) is not None:
        return False
    inside = declared_in(body)
    named = Counter(node.symbol for node in walk(body) if isinstance(node, VarRef))
    sums: Counter[Symbol] = Counter()
    for node in walk(body):
        match node:
            case Assign(op=op, target=VarRef(symbol=symbol)) if symbol not in inside:
                if op not in ("+=", "-="):
                    return False
                sums[symbol] += 1
            case _:
                pass
    return all(named[symbol] == count for symbol, count in sums.items())


def _inlined(node: Node) -> Node | None:
    name = inline_name(node) if isinstance(node, Call) else None
    if name is None or not isinstance(node, Call):
        return None
    arguments = tuple(rewrite(one, _inlined) for one in node.arguments)
    return replace(node, callee=Literal(name), arguments=arguments, form=Form.BUILT)
