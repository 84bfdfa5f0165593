"""Functions are inlined where lowering can do more with what they do.

    float squared(int p, int n, const float *x) {        for (int d = 0; d < m; ++d)
        for (int d = 0; d < m; ++d)                          sum += x[d * n + i] * x[d * n + i];
            sum += x[d * n + p] * x[d * n + p];     ->   y[i] = sum;
        return sum;
    }
    y[i] = squared(i, n, x);

Loops that walk through memory in steps of whole rows can change places with the loop over threads,
which lowering asks of the same cost. Atomics on the memory of a block become plain updates
(`block_local_atomics.py`), also behind several functions. Loops that threads of the grid share out
become one (`lowering/grid_stride.py`) where all places that they store to are seen.

Elements of an array of the thread that are handed over by reference stay registers where the call
is written out: `swap(v[i], v[j])` in loops of few turns.

Legal as inlining is. Calls that are not always made where they stand, or of which the threads would
not come back at the same time, are left.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from g2o.analysis.constant_turns import constant_turns
from g2o.analysis.effects import statements_of
from g2o.analysis.functions import FunctionTable
from g2o.analysis.lvalues import root_symbol
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
    ExprStatement,
    For,
    Node,
    Return,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import INT, TypeKind
from g2o.transforms.block_memory import find_block_memory
from g2o.transforms.inline import inline_context_functions

_THREAD: Final = Symbol(-1, "thread", INT, Storage.INDEX)
_ZERO: Final = Literal("0", 0, INT)
_MOST_CALLS: Final = 2
_MOST_NODES: Final = 600
"""Calls, and the size of a function, that are worth to be repeated."""


def inline_profitable(kernel: Kernel, functions: FunctionTable) -> Kernel:
    """Inline calls of functions with loops in which neighbours had better go together, and of those
    with atomics on what is the block's."""
    done: set[str] = set()
    while True:  # what is inlined calls others
        wanted = [one for one in _profitable(kernel, functions) if not one <= done]
        if not wanted:
            return kernel
        for keys in wanted:
            kernel = _inlined(kernel, functions, keys)
            done |= keys


def _profitable(kernel: Kernel, functions: FunctionTable) -> list[set[str]]:
    """The keys of the functions that are worth it, among those the kernel itself calls, each with
    those that it calls for their atomics."""
    threads = _over_threads(rewrite(kernel.body, _named))
    strides, block = Strides.of(threads), find_block_memory((kernel.body,))
    certain = {id(call) for call in _certain(kernel.body)}
    shared_out = {id(call) for call in _in_grid_strides(kernel.body)}
    found: list[set[str]] = []
    for key, calls in _calls(kernel.body).items():
        function = functions.body(key)
        if function is None or not all(id(call) in certain for call in calls):
            continue
        wanted: set[str] = set()
        if any(block.is_address(one) for call in calls for one in call.arguments):
            wanted = _with_atomics(function, functions)
        if not wanted and len(calls) <= _MOST_CALLS and _is_fit(function):
            effects = functions.effects(key)
            stores = effects is not None and bool(effects.writes_through)
            hides = stores and any(id(one) in shared_out for one in calls)
            marches = hides or any(_marches(function, one, strides, threads) for one in calls)
            written = () if effects is None else effects.written_parameters
            hands = any(_hands_elements(one, written) for one in calls)
            wanted = {key} if marches or hands else wanted
        if wanted:
            found.append(wanted)
    return found


def _inlined(kernel: Kernel, functions: FunctionTable, wanted: set[str]) -> Kernel:
    try:
        return inline_context_functions(kernel, functions, lambda key: key in wanted)
    except Refusal:
        return kernel


def _calls(body: Node) -> dict[str, list[Call]]:
    """The calls of each function with a body that is known, by its key."""
    found: dict[str, list[Call]] = {}
    for node in walk(body):
        if isinstance(node, Call) and node.key:
            found.setdefault(node.key, []).append(node)
    return found


def _is_fit(function: Function) -> bool:
    """Is it small, and the end of its text the only way out?"""
    small = sum(1 for _ in walk(function.body)) <= _MOST_NODES
    returns = [node for node in walk(function.body) if isinstance(node, Return)]
    return small and all(one is function.body.statements[-1] for one in returns)


def _hands_elements(call: Call, written: Collection[int]) -> bool:
    """Does it hand over elements of an array of the thread to be changed, where it is `written`?"""
    places = [call.arguments[at] for at in written if at < len(call.arguments)]
    roots = [root_symbol(one) for one in places if isinstance(one, Index)]
    return any(
        one is not None and one.storage is Storage.LOCAL and one.type.kind is TypeKind.ARRAY
        for one in roots
    )


def _with_atomics(function: Function, functions: FunctionTable) -> set[str]:
    """The keys of a function with atomics and of those that it calls for them; none where one
    of them is not fit for that."""
    found: dict[str, Function] = {}
    pending = [function]
    for one in pending:
        effects = functions.effects(one.key)
        if one.key in found or effects is None or not effects.has_atomics:
            continue
        found[one.key] = one
        inner = (functions.body(key) for key in _calls(one.body))
        pending.extend(one for one in inner if one is not None)
    return set(found) if all(map(_is_fit, found.values())) else set()


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


def _in_grid_strides(body: Node) -> Iterator[Call]:
    """The calls in loops that go on by the number of threads of the grid."""
    wide: set[Symbol] = set()
    for node in walk(body):
        match node:
            case Declare(variables=variables):
                wide |= {v.symbol for v in variables if v.initial and _names_grid(v.initial, wide)}
            case For(increment=step, body=inside) if step is not None and _names_grid(step, wide):
                yield from (one for one in walk(inside) if isinstance(one, Call))
            case While(body=inside) | DoWhile(body=inside):
                last = statements_of(inside)[-1:]
                if any(isinstance(one, ExprStatement) and _names_grid(one, wide) for one in last):
                    yield from (one for one in walk(inside) if isinstance(one, Call))
            case _:
                pass


def _names_grid(node: Node, wide: set[Symbol]) -> bool:
    """Does it name the size of the grid, or a variable that is `wide` as that is?"""
    return any(
        (isinstance(one, LaunchRef) and one.builtin is Builtin.GRID_DIM)
        or (isinstance(one, VarRef) and one.symbol in wide)
        for one in walk(node)
    )


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
    match node:
        case LaunchRef(builtin=Builtin.THREAD_INDEX, axis=0):
            return VarRef(_THREAD)
        case _:
            return None


def _number(value: int) -> Literal:
    return Literal(str(value), value, INT)
