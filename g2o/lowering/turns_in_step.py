"""Loops that threads leave at different turns, around what they do together, before they are
differentiated.

    for (int i = lane; i < n; i += 32) {        while (true) {
        v = x[i];                                   running = i < n;
        v += __shfl_xor_sync(m, v, 1);     ->       if (!any(running)) break;
        y[i] = v;                                   if (running) v = x[i];
    }                                               other = shfl_xor(v, 1);  ...
                                                }

A sweep in reverse goes through the turns backwards, and each thread through as many as it has done:
where those differ, what one turn has exchanged would meet another turn. In such a loop all threads
have the same turns, the first ones first, which is how those that run in step go through it.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.analysis.effects import EffectsOf
from g2o.analysis.functions import FunctionTable
from g2o.analysis.uniformity import solve_uniformity
from g2o.ir.kernel import Kernel
from g2o.ir.single_declarations import split_declarations
from g2o.ir.statements import Block, DoWhile, For, Node, Scope, Stmt, While
from g2o.ir.symbols import SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.lowering.indices import block_of
from g2o.lowering.intervals import waits
from g2o.lowering.predication import Predication
from g2o.lowering.turns_together import with_turns_together


def with_turns_in_step(kernel: Kernel, functions: FunctionTable) -> Kernel:
    """The kernel with the same turns for all threads of the block, or of the warp, that do
    something together in a loop."""
    loops = [node for node in walk(kernel.body) if isinstance(node, For | While | DoWhile)]
    if not any(waits(one, Scope.WARP) for one in loops):
        return kernel
    symbols = SymbolTable(continued=kernel.function.symbols)
    body = split_declarations(kernel.body)
    joined = with_turns_together(body, functions.for_node(body), symbols)
    made = joined
    for scope in (Scope.BLOCK, Scope.WARP):
        made = _with_loops(made, functions.for_node(made), symbols, scope)
    if made is body:
        return kernel
    whole = replace(made, span=kernel.body.span)
    return replace(kernel, function=replace(kernel.function, body=whole, symbols=symbols))


def _with_loops(body: Block, effects: EffectsOf, symbols: SymbolTable, scope: Scope) -> Block:
    uniformity = solve_uniformity(body, scope, effects, set())
    values = solve_uniformity(body, scope, effects, set(), control=False)
    predication = Predication(uniformity, values, symbols, scope)

    def in_step(node: Node) -> Node | None:
        if not isinstance(node, For | While | DoWhile) or not waits(node, scope):
            return None
        asked = node.condition
        if (asked is None or uniformity.is_uniform(asked)) and not uniformity.leaves_varying(node):
            return None
        return block_of(tuple(predication.sequence((node,), None)))

    made = rewrite(body, in_step)
    assert isinstance(made, Stmt)
    return body if made is body else block_of((made,))
