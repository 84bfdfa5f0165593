"""Accesses to memory that the threads of a block share, and where those of different threads meet.

That is shared memory, and global memory as far as the kernel writes it: the `arrays`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from types import EllipsisType
from typing import final

from g2o.analysis.effects import root_symbol
from g2o.analysis.thread_values import Symbolic
from g2o.ir.expressions import (
    Assign,
    Call,
    Expr,
    Index,
    Member,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import Declare, ExprStatement, Node, Stmt
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, walk
from g2o.ir.types import TypeKind

WARP = 32
FENCE = "__threadfence_block"
SHARED = (Storage.SHARED, Storage.DYNAMIC_SHARED)


def is_fence(node: Node) -> bool:
    """`__threadfence_block();`"""
    call = strip_parens(node.expr) if isinstance(node, ExprStatement) else None
    return isinstance(call, Call) and call.is_cuda and call.name == FENCE


def shared_pointers(body: Stmt, arrays: Collection[Symbol] = ()) -> set[Symbol]:
    """Local pointers and references that may point into shared memory, or into the arrays."""
    sources: list[tuple[Symbol, Expr]] = []
    for node in walk(body):
        if isinstance(node, Declare):
            sources += [(v.symbol, v.initial) for v in node.variables if v.initial is not None]
        elif isinstance(node, Assign) and isinstance(node.target, VarRef):
            sources.append((node.target.symbol, node.value))
    kinds = (TypeKind.POINTER, TypeKind.REFERENCE, TypeKind.DEPENDENT, TypeKind.OTHER)
    candidates = [(s, value) for s, value in sources if s.type.kind in kinds]
    found: set[Symbol] = set()
    size = -1
    while size != len(found):
        size = len(found)
        for symbol, value in candidates:
            roots = (node.symbol for node in walk(value) if isinstance(node, VarRef))
            if any(r.storage in SHARED or r in arrays or r in found for r in roots):
                found.add(symbol)
    return found


def is_access(node: Node, pointers: set[Symbol]) -> bool:
    """Is it an lvalue in memory that is, or may be, shared? `pointers` are arrays, too."""
    match node:
        case VarRef(symbol=symbol):
            if symbol.storage in SHARED:
                return symbol.type.kind is not TypeKind.ARRAY
            named = symbol.storage is Storage.GLOBAL and symbol in pointers
            return named and symbol.type.kind not in (TypeKind.ARRAY, TypeKind.POINTER)
        case Index() | Unary(op="*") | Member():
            root = root_symbol(node)
            if node.type.kind is TypeKind.ARRAY:
                return False
            return root is not None and (root.storage in SHARED or root in pointers)
        case _:
            return False


@final
@dataclass(slots=True)
class Touch:
    node: Expr
    writes: bool


def touches(node: Node, pointers: set[Symbol], written: bool = False) -> Iterator[Touch]:
    """Accesses in the order in which they are evaluated, loads first."""
    if isinstance(node, Assign):
        yield from touches(node.value, pointers)
        if node.op != "=":
            yield from touches(node.target, pointers)
        yield from touches(node.target, pointers, written=True)
        return
    if isinstance(node, Unary) and node.is_update:
        yield from touches(node.operand, pointers)
        yield from touches(node.operand, pointers, written=True)
        return
    if not isinstance(node, Stmt) and is_access(node, pointers):
        yield Touch(node, written)
    for child in children(node):
        keep = written and isinstance(node, Paren)
        yield from touches(child, pointers, written=keep)


Place = tuple[Symbol, tuple[int | Symbolic | str, ...], int | Symbolic]
"""Equal for what is certainly the same memory."""

Branch = tuple[int, int]
"""An execution of an `if` or `switch`, and which of its branches."""


@final
@dataclass(frozen=True, slots=True)
class Event:
    """An access of all active threads."""

    node: Expr
    writes: bool
    atomic: bool
    value: int | None  # what is stored, where that is a constant
    branches: tuple[Branch, ...]
    block_phase: int
    warp_phase: int
    fences: int
    places: tuple[Place | EllipsisType | None, ...]  # of each thread; ...: not known


@final
@dataclass(slots=True)
class Meeting:
    """`first` is evaluated before `second` in every thread.

    `reversed`: a lower lane does `second` where a higher one does `first`, so running the lanes of
    a warp one after the other does not do the same. `across`: threads of different warps meet.
    """

    first: Expr
    second: Expr
    root: Symbol | None = None  # where they meet, if that is known
    in_warp: bool = False
    reversed: bool = False
    across: bool = False


def note_meeting(first: Event, second: Event, meetings: dict[tuple[int, int], Meeting]) -> None:
    """Put down where threads meet in two accesses of one phase of the block."""
    if not (first.writes or second.writes) or (first.atomic and second.atomic):
        return
    if first.writes and second.writes:
        if first.node is second.node:
            return
        if first.value is not None and first.value == second.value:
            return
    if _exclusive(first.branches, second.branches):
        return
    key = (id(first.node), id(second.node))
    found = meetings.get(key, Meeting(first.node, second.node))
    in_step = first.warp_phase == second.warp_phase
    threads: dict[Place, list[int]] = {}
    for thread, place in enumerate(first.places):
        if isinstance(place, tuple):
            threads.setdefault(place, []).append(thread)
    both = (*first.places, *second.places)
    if in_step and first.fences != second.fences and (... in both or _symbolic(both)):
        found.in_warp = found.reversed = True
    for thread, place in enumerate(second.places):
        for other in threads.get(place, ()) if isinstance(place, tuple) else ():
            if other == thread:
                continue
            if other // WARP == thread // WARP:
                found.in_warp = found.in_warp or in_step
                found.reversed = found.reversed or (in_step and other > thread)
            else:
                found.across = True
            found.root = place[0] if isinstance(place, tuple) else None
    if found.in_warp or found.across:
        meetings[key] = found


def _exclusive(one: tuple[Branch, ...], other: tuple[Branch, ...]) -> bool:
    """Are these different branches of one decision?"""
    taken = dict(one)
    return any(taken.get(number, branch) != branch for number, branch in other)


def _symbolic(places: Iterable[Place | EllipsisType | None]) -> bool:
    """Are there places of which it is not known whether they are the same?"""
    names: set[tuple[str | int, ...]] = set()
    for place in places:
        if isinstance(place, tuple):
            _, path, offset = place
            names.add(tuple(p.name if isinstance(p, Symbolic) else 0 for p in (*path, offset)))
    return len(names) > 1
