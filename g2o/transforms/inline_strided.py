"""Functions whose loops walk through memory in steps of whole rows are inlined.

    float squared(int p, int n, const float *x) {        for (int d = 0; d < m; ++d)
        for (int d = 0; d < m; ++d)                          sum += x[d * n + i] * x[d * n + i];
            sum += x[d * n + p] * x[d * n + p];     ->   y[i] = sum;
        return sum;
    }
    y[i] = squared(i, n, x);

What threads do in them can then change places with the loop over threads, which lowering asks of
the same cost. Legal as inlining is. Calls that are not always made where they stand, or of which
the threads would not come back at the same time, are left.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from g2o.analysis.constant_turns import constant_turns
from g2o.analysis.functions import FunctionTable
from g2o.analysis.strides import Strides, accesses_in
from g2o.diagnostics.diagnostic import Refusal
from g2o.ir.expressions import (
    Binary,
    Builtin,
    Call,
    Conditional,
    Expr,
    Index,
    LaunchRef,
    Literal,
    VarRef,
    Verbatim,
)
from g2o.ir.kernel import Function, Kernel
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    DoWhile,
    For,
    Node,
    Return,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import INT
from g2o.transforms.inline import inline_context_functions

_THREAD: Final = Symbol(-1, "thread", INT, Storage.INDEX)
_ZERO: Final = Literal("0", 0, INT)
_MOST_CALLS: Final = 2
_MOST_NODES: Final = 300
"""Calls, and the size of a function, that are worth to be repeated."""


def inline_strided(kernel: Kernel, functions: FunctionTable) -> Kernel:
    """Inline calls of functions in which neighbours had better go through a loop together."""
    calls: dict[str, list[Call]] = {}
    for node in walk(kernel.body):
        if isinstance(node, Call) and node.key:
            calls.setdefault(node.key, []).append(node)
    certain = {id(call) for call in _certain(kernel.body)}
    threads = _over_threads(rewrite(kernel.body, _named))
    strides = Strides.of(threads)
    wanted = {
        key
        for key, found in calls.items()
        if len(found) <= _MOST_CALLS
        and all(id(call) in certain for call in found)
        and (function := functions.body(key)) is not None
        and sum(1 for _ in walk(function.body)) <= _MOST_NODES
        and not _leaves_early(function.body)
        and any(_marches(function, one, strides, threads) for one in found)
    }
    if not wanted:
        return kernel
    try:
        return inline_context_functions(kernel, functions, lambda key: key in wanted)
    except Refusal:
        return kernel


def _certain(node: Node) -> Iterator[Call]:
    """The calls that a statement of their own could take the place of."""
    match node:
        case Conditional() | Binary(op="&&" | "||") | Verbatim():
            return
        case For() | While() | DoWhile():
            yield from _certain(node.body)
            return
        case Call():
            yield node
        case _:
            pass
    for child in children(node):
        yield from _certain(child)


def _leaves_early(body: Block) -> bool:
    """Is there a way out but the last statement?"""
    returns = [node for node in walk(body) if isinstance(node, Return)]
    return any(one is not body.statements[-1] for one in returns)


def _marches(function: Function, call: Call, strides: Strides, threads: CountedLoop) -> bool:
    """Is there a loop that had better stand around the one over threads?"""
    handed: list[Stmt] = []
    for parameter, argument in zip(function.parameters, call.arguments, strict=False):
        moved = strides.moves(_in_threads(argument), threads)
        there: Expr = VarRef(_THREAD)
        there = Index(there, there) if moved is None else Binary("*", there, _number(moved), INT)
        handed.append(Declare((Variable(parameter, "", "", there),)))
    whole = _over_threads(Block((*handed, *function.body.statements)))
    inside = Strides.of(whole)
    return any(inside.is_better_outside(loop, whole, loop.body) for loop in _loops(function.body))


def _loops(body: Block) -> Iterator[For]:
    """The innermost loops of more than a few iterations."""
    for node in walk(body):
        if isinstance(node, For) and constant_turns(node) is None:
            inner = any(isinstance(one, For) for one in walk(node.body))
            if not inner and any(True for _ in accesses_in(node.body)):
                yield node


def _over_threads(body: Stmt) -> CountedLoop:
    return CountedLoop(_THREAD, _ZERO, _ZERO, body)


def _in_threads(expr: Expr) -> Expr:
    new = rewrite(expr, _named)
    assert not isinstance(new, Stmt)
    return new


def _named(node: Node) -> Node | None:
    is_thread = isinstance(node, LaunchRef) and node.builtin is Builtin.THREAD_INDEX
    return VarRef(_THREAD) if is_thread and node.axis == 0 else None


def _number(value: int) -> Literal:
    return Literal(str(value), value, INT)
