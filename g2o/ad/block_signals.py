"""Values that one block computes and another one reads in the same kernel: refused.

    partial[blockIdx.x] = sum;
    __threadfence();
    if (atomicInc(done, gridDim.x - 1) == gridDim.x - 1)
        for (int b = 0; b < gridDim.x; ++b)
            total += partial[b];                              // the last block

The reverse sweep takes each block back behind its own forward sweep, as blocks that have no races
read nothing of each other. Here they do: what tells a block that the value is there is a ticket, or
a flag that it waits for. (A barrier of the grid stands between the sweeps, too; elements that are
named alike wherever they are read and stored belong to whoever has taken their number.)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from g2o.ad.activity import Activity
from g2o.ad.reals import is_real
from g2o.analysis.effects import root_symbol, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.diagnostics.diagnostic import Note, refuse
from g2o.frontend.cuda.names_device import ATOMICS
from g2o.ir.expressions import Assign, Call, Expr, Index, LaunchRef, Unary, VarRef, strip_parens
from g2o.ir.statements import Block, ExprStatement, Node
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import TypeKind

_FENCES: Final = ("__threadfence", "__threadfence_system")
_OWN: Final = (Storage.LOCAL, Storage.SHARED, Storage.DYNAMIC_SHARED)
_LEADING: Final = (TypeKind.POINTER, TypeKind.REFERENCE)
_INSTEAD: Final = Note("take two kernels, or let the grid wait with grid.sync()")


def refuse_flow_between_blocks(body: Block, activity: Activity, functions: FunctionTable) -> None:
    """Raise Refusal where blocks may tell each other that active memory, which they store, can be
    read."""
    if not _tells(body, functions, set()):
        return
    stored: dict[Symbol | None, list[Expr]] = {}
    added: set[Symbol | None] = set()
    places: set[int] = set()
    for node in walk(body):
        for place, adds in _changed(node):
            if activity.is_active(place):
                places.add(id(place))
                for root in activity.origins.roots(place):
                    stored.setdefault(root, []).append(place)
                    added |= {root} if adds else set()
    for place in walk(body):
        if not isinstance(place, Index) and not (isinstance(place, Unary) and place.op == "*"):
            continue
        if id(place) in places or not activity.is_active(place):
            continue
        for root in activity.origins.roots(place) & stored.keys():
            if root is not None and root.storage in _OWN and root.type.kind not in _LEADING:
                continue
            alike = all(one == place for one in stored[root])
            if not alike or root in added or not _has_number(place):
                message = "a value that carries derivatives goes from one block to another"
                raise refuse("G2O0403", message, place.span, _INSTEAD)


def _has_number(place: Expr) -> bool:
    """Is it an element with a number that threads may have for themselves?"""
    if not isinstance(place, Index):
        return False
    own = any(one.storage is Storage.LOCAL for one in symbols_in(place.index))
    return own or any(isinstance(node, LaunchRef) for node in walk(place.index))


def _changed(node: Node) -> Iterator[tuple[Expr, bool]]:
    """The places that it changes, and whether it only adds to them."""
    match node:
        case Assign(op=op, target=target):
            yield target, op in ("+=", "-=")
        case Call(is_cuda=True, name=name, arguments=(first, *_)) if name in ATOMICS:
            match strip_parens(first):
                case Unary(op="&", operand=place):
                    yield place, True
                case VarRef() as pointer:
                    yield Unary("*", pointer, type=pointer.type.element or pointer.type), True
                case _:
                    yield first, True
        case _:
            pass


def _tells(body: Block, functions: FunctionTable, seen: set[str]) -> bool:
    """Is there, here or in what is called, something by which one block may learn what another one
    has done: a fence, the result of an atomic operation, a look at `volatile` numbers?"""
    dropped = {
        id(strip_parens(node.expr)) for node in walk(body) if isinstance(node, ExprStatement)
    }
    for node in walk(body):
        match node:
            case Call(is_cuda=True, name=name) if name in _FENCES:
                return True
            case Call(is_cuda=True, name=name, arguments=(first, *_)) if (
                name in ATOMICS and id(node) not in dropped and not _is_of_reals(first)
            ):
                return True
            case Call(key=str() as key) if key and key not in seen:
                called = functions.body(key)
                if called is not None and _tells(called.body, functions, {*seen, key}):
                    return True
            case Index() | Unary(op="*") if node.type.is_volatile and not _is_of_block(node):
                return True
            case _:
                pass
    return False


def _is_of_reals(address: Expr) -> bool:
    """Does an operation change real numbers, be it by their bits? That is a sum, or an extreme."""
    root = root_symbol(address)
    return root is not None and is_real(root.type.innermost.element or root.type.innermost)


def _is_of_block(place: Expr) -> bool:
    """Is it memory of the block, or of the thread?"""
    root = root_symbol(place)
    return root is not None and root.storage in _OWN and root.type.kind not in _LEADING
