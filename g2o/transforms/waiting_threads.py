"""Which loops that wait for other threads may stay.

    while (atomicCAS(lock, 0, 1) != 0);                  who has the lock goes on, and gives it back
    while (status[blockIdx.x - 1] == 0);                 block 0 waits for nobody
    while (((volatile int *)flag)[gridDim.x - 1] == 0);  refused: that block may come later

Blocks are iterations of a parallel loop of which a CPU thread runs one after the other, and the
threads of a block are iterations, too: nobody else of them runs while one of them waits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from g2o.analysis.block_order import BLOCK, BlockOrder, Position, stores_in
from g2o.analysis.functions import FunctionTable
from g2o.analysis.spins import Look, Spin, is_atomic, is_volatile, spins_in
from g2o.diagnostics.diagnostic import Diagnostic, Note, Refusal, Refusals, refuse, warning
from g2o.ir.expressions import (
    Assign,
    Call,
    Code,
    Form,
    Index,
    Unary,
    VarRef,
)
from g2o.ir.kernel import Function, Kernel
from g2o.ir.statements import Block, DoWhile, Empty, ExprStatement, For, Node, Stmt, While
from g2o.ir.symbols import Storage
from g2o.ir.traverse import rewrite, statements_behind, walk
from g2o.ir.types import VOID
from g2o.transforms.atomic_objects import are_equal, refuse_waits_on_objects
from g2o.transforms.inline import inline_context_functions

_LOOPS = (For, While, DoWhile)
_FENCE = ExprStatement(Code(("g2o::threadfence()",), pure=False, type=VOID))
_BETWEEN_LOOKS = ("__ldcv", "__threadfence", "__nanosleep")


def check_waiting_threads(
    kernel: Kernel, functions: FunctionTable, told: list[Diagnostic]
) -> Kernel:
    """The kernel, with what is known of its waits. Raises Refusal where a thread may wait for one
    that does not run before it is done."""
    called = list(_called(kernel.body, functions))
    refuse_waits_on_objects(kernel.body, tuple(each.body for each in called))
    if not any(_may_wait(one) for one in (kernel.body, *(each.body for each in called))):
        return kernel
    apart = _with_calls_inlined(kernel, functions)
    effects = functions.for_node(apart.body)
    order = BlockOrder(apart.body, effects)
    refusals = Refusals()
    found: list[Position] = []
    waits: set[int] = set()
    has_spins = False
    for spin in spins_in(apart.body, effects, order.origin):
        has_spins = True
        for look in spin.looks:
            if _is_lock(apart.body, spin, look, order):
                continue
            position = order.earlier_blocks(spin, look)
            if position is None:
                with refusals.noted():
                    raise _refused(spin, look, order)
                break
            found.append(position)
            waits.add(id(spin.loop))
            if position.of == BLOCK:
                told.append(_told(look))
    for function in _called(apart.body, functions):
        effects = functions.for_node(function.body)
        inside = BlockOrder(function.body, effects)
        for spin in spins_in(function.body, effects, inside.origin):
            has_spins = True
            for look in spin.looks:
                with refusals.noted():
                    if look.takes is None:
                        raise _refused(spin, look, inside)
    refusals.raise_all()
    if not has_spins:
        return kernel
    in_order = any(position.of == BLOCK for position in found)
    body = _with_fences(kernel.body, waits)
    function = replace(kernel.function, body=body)
    return replace(kernel, function=function, has_spins=True, in_block_order=in_order)


def _with_fences(body: Block, waits: set[int]) -> Block:
    """A fence behind each of the loops: what it has waited for is read behind it. A GPU does not
    read ahead of a loop over volatile memory; compilers for CPUs do."""

    def fenced(node: Node) -> Node | None:
        if id(node) in waits and not isinstance(node, Block):
            assert isinstance(node, _LOOPS)
            return Block((node, _FENCE), span=node.span)
        if not isinstance(node, Block) or not any(id(one) in waits for one in node.statements):
            return None
        statements: list[Stmt] = []
        for position, one in enumerate(node.statements):
            if id(one) not in waits:
                new = rewrite(one, fenced)
                assert isinstance(new, Stmt)
                statements.append(new)
                continue
            statements.append(one)
            if not any(map(_is_fence, node.statements[position + 1 : position + 2])):
                statements.append(_FENCE)
        return replace(node, statements=tuple(statements), form=Form.BUILT)

    result = rewrite(body, fenced)
    assert isinstance(result, Block)
    return result


def _is_fence(statement: Stmt) -> bool:
    expr = statement.expr if isinstance(statement, ExprStatement) else None
    return isinstance(expr, Call) and expr.is_cuda and expr.name.startswith("__threadfence")


def _may_wait(body: Node) -> bool:
    loops = [node for node in walk(body) if isinstance(node, _LOOPS)]
    if any(_does_nothing(loop.body) for loop in loops):
        return True
    return bool(loops) and any(
        is_atomic(node)
        or (isinstance(node, (VarRef, Index, Unary)) and is_volatile(node))
        or (isinstance(node, Call) and node.name.startswith(_BETWEEN_LOOKS))
        for node in walk(body)
    )


def _does_nothing(body: Node) -> bool:
    return isinstance(body, Empty) or (isinstance(body, Block) and not body.statements)


def _called(body: Node, functions: FunctionTable) -> Iterator[Function]:
    """The device functions of the program that are called, each once."""
    seen: set[str] = set()
    waiting = [body]
    while waiting:
        for node in walk(waiting.pop()):
            for key in node.key.split("|") if isinstance(node, Call) and node.key else ():
                function = None if key in seen else functions.body(key)
                seen.add(key)
                if function is not None:
                    waiting.append(function.body)
                    yield function


def _with_calls_inlined(kernel: Kernel, functions: FunctionTable) -> Kernel:
    """The kernel with what its functions do to memory in place, if that can be."""

    def wanted(key: str) -> bool:
        found = functions.effects(key)
        return found is not None and (
            found.has_atomics or found.writes_elsewhere or found.writes_receiver
            or bool(found.writes_through) or bool(found.reads_through)
        )  # fmt: skip

    try:
        return inline_context_functions(kernel, functions, wanted)
    except Refusal:
        return kernel


def _is_lock(body: Block, spin: Spin, look: Look, order: BlockOrder) -> bool:
    """Is it for a lock that this thread gives back, behind the loop or in it?"""
    takes = [one.takes for one in spin.looks if one.takes is not None and one.root == look.root]
    return any(
        order.place(store.target).root == look.root
        and any(_gives_back(store, one) for one in takes)
        for node in (spin.loop.body, *(statements_behind(body, spin.loop) or ()))
        for store in stores_in(node)
    )


def _gives_back(store: Assign, take: Call) -> bool:
    """Does it leave what the one who takes the lock has to find there?"""
    exchanged = len(take.arguments) == 2
    return store.op != "=" or exchanged != are_equal(store.value, take.arguments[1])


def _refused(spin: Spin, look: Look, order: BlockOrder) -> Refusal:
    """What is waited for, and where it is written."""
    root = look.root
    shared = root is not None and root.storage in (Storage.SHARED, Storage.DYNAMIC_SHARED)
    whom = "threads of their block" if shared else "blocks"
    writes = [] if root is None else order.writes(root)
    taken = {one.takes.span for one in spin.looks if one.takes is not None}
    written = [one.span for one in writes if one.span is not None and one.span not in taken]
    name = "memory" if root is None else f"'{root.name}'"
    notes = [Note(f"{name} is written here", span) for span in written[:1]]
    if not written:
        notes = [Note(f"nothing in the kernel is known to write {name}")]
    first = f"threads wait here for other {whom}, which may never run before they go on"
    return refuse("G2O0220", first, look.place.span, *notes)


def _told(look: Look) -> Diagnostic:
    message = "blocks wait here for those before them: they run one after the other"
    return warning("G2O0220", message, look.place.span)
