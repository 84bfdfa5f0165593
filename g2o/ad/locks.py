"""Numbers that threads change one behind the other under a lock: refused, but for sums.

    while (atomicCAS(lock, 0, 1) != 0) {}
    total[0] = total[0] * x[i];
    atomicExch(lock, 0);

In which order they get the lock is not known when the thread goes back, which it would have to do
in the opposite one. What is only added to has no order. Elsewhere it is the absence of races that
says that no other thread changes what one has read; a lock is what makes a race harmless.
"""

from __future__ import annotations

from collections.abc import Iterator

from g2o.ad.activity import Activity
from g2o.analysis.grid_stride_form import linear_axis
from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import Note, refuse
from g2o.ir.expressions import Assign, Call, Expr, Index, VarRef, strip_parens
from g2o.ir.statements import Block, Declare, DoWhile, For, Node, While
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import TypeKind

_LOCKS = ("atomicCAS", "atomicExch")
_ADDING = ("+=", "-=")
_INSTEAD = Note("add with += or atomicAdd, or let one thread do it")


def refuse_changes_under_locks(body: Block, activity: Activity) -> None:
    """Raise Refusal where threads that wait for a lock change active memory, which they share, in
    another way than by adding to it."""
    if not any(_waits(node) for node in walk(body)):
        return
    own = _own_positions(body)
    changes = [
        node
        for node in walk(body)
        if isinstance(node, Assign) and _is_shared(node.target, activity, own)
    ]
    adds = {id(node.target) for node in changes if node.op in _ADDING}
    read = {root for node in _reads(body, adds) for root in activity.origins.roots(node)}
    for change in changes:
        roots = activity.origins.roots(change.target)
        if change.op not in ("=", *_ADDING) or roots & read:
            message = "under a lock a value that carries derivatives changes by more than sums"
            raise refuse("G2O0403", message, change.span or change.target.span, _INSTEAD)


def _waits(node: Node) -> bool:
    """Is it a loop that tries to get a lock?"""
    if not isinstance(node, (While, DoWhile, For)):
        return False
    return any(
        isinstance(inner, Call)
        and inner.name.partition("_")[0] in _LOCKS
        and value_type(inner).kind is not TypeKind.FLOATING
        for inner in walk(node)
    )


def _own_positions(body: Block) -> set[Symbol]:
    """The variables that are the position of the thread in the grid."""
    return {
        variable.symbol
        for node in walk(body)
        if isinstance(node, Declare)
        for variable in node.variables
        if variable.initial is not None and linear_axis(strip_parens(variable.initial)) is not None
    }


def _is_shared(target: Expr, activity: Activity, own: set[Symbol]) -> bool:
    """Is it active memory of several threads, at a place that more than one of them may come to?"""
    if not activity.is_active(target):
        return False
    roots = activity.origins.roots(target)
    if all(root is not None and root.storage is Storage.LOCAL for root in roots):
        return False
    if isinstance(target, VarRef):
        return target.symbol.storage is Storage.SHARED
    position = strip_parens(target.index) if isinstance(target, Index) else None
    return not (isinstance(position, VarRef) and position.symbol in own)


def _reads(body: Block, adds: set[int]) -> Iterator[Expr]:
    """The places that are read, but for those that are only added to."""
    written = {
        id(node.target) for node in walk(body) if isinstance(node, Assign) and node.op == "="
    }
    for node in walk(body):
        if isinstance(node, Index) and id(node) not in adds and id(node) not in written:
            yield node
