"""Loop unswitching: a guard around all that a loop does, the same in every turn, goes around it.

    for (int k = 0; k < n; ++k)            if (i < m)
        if (i < m)                     ->      for (int k = 0; k < n; ++k)
            y[k * m + i] = x[i];                   y[k * m + i] = x[i];

What is left to threads is a range of them then, and the loop is without branches. Legal where the
loop changes nothing that the guard names, where the guard has no effects and reads no memory, and
where the head of the loop has no effect but on its own counter.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.ir.expressions import Form
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Block, Declare, For, If, Node
from g2o.ir.traverse import rewrite


def unswitch(kernel: Kernel, functions: FunctionTable) -> Kernel:
    """The kernel with such guards around its loops."""
    effects = functions.for_node(kernel.body)

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, For):
            return None
        inside = rewrite(node.body, replacement)
        loop = node if inside is node.body else replace(node, body=inside, form=Form.BUILT)
        return _around(loop, effects) or loop

    body = rewrite(kernel.body, replacement)
    if body is kernel.body:
        return kernel
    return replace(kernel, function=replace(kernel.function, body=body))


def _around(loop: For, effects: EffectsOf) -> If | None:
    body = statements_of(loop.body)
    match body:
        case (If(condition=condition, then=then, otherwise=None) as guard,):
            pass
        case _:
            return None
    asked, head = effects.of(condition), effects.of(replace(loop, body=Block(())))
    own = declared_in(loop.initial) if isinstance(loop.initial, Declare) else set[object]()
    if not asked.is_pure or asked.memory_reads or symbols_in(condition) & declared_in(loop):
        return None
    if symbols_in(condition) & effects.of(loop).writes or loop.shared is not None:
        return None
    if head.writes - own or head.memory_writes or head.side_effects:
        return None
    inner = replace(loop, body=then, form=Form.BUILT, trivia=guard.trivia)
    return replace(guard, then=Block((inner,)), form=Form.BUILT, trivia=loop.trivia)
