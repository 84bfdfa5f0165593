"""Accesses to memory that the threads of a block share, and where those of different threads meet.

That is shared memory, and global memory as far as the kernel writes it: the `arrays`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Set
from dataclasses import dataclass, field
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
_LANES = (1 << WARP) - 1
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


_Key = tuple[int, bool, tuple[Branch, ...], int, int]


@final
@dataclass(frozen=True, slots=True)
class Event:
    """An access of all active threads."""

    node: Expr
    writes: bool
    atomic: bool
    value: int | None  # what is stored, where that is a constant
    branches: tuple[Branch, ...]
    warp_phase: int
    fences: int
    places: tuple[Place | EllipsisType | None, ...]  # of each thread; ...: not known

    @property
    def key(self) -> _Key:
        """Equal for what need not be told apart: the same access in another turn of a loop."""
        return id(self.node), self.writes, self.branches, self.warp_phase, self.fences


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

    def joined(self, other: Meeting) -> Meeting:
        """What either tells of the same two accesses."""
        return Meeting(
            self.first,
            self.second,
            self.root if self.root == other.root else None,
            self.in_warp or other.in_warp,
            self.reversed or other.reversed,
            self.across or other.across,
        )


@final
@dataclass(slots=True)
class Meetings:
    """Who has been where since the last barrier of the block, and who met there.

    `at`: of each place the accesses, with a bit for each thread that was there. What is compared is
    what was at one place, never all pairs: kernels have thousands of accesses between barriers.
    """

    found: dict[tuple[int, int], Meeting] = field(default_factory=dict["tuple[int, int]", Meeting])
    at: dict[Place, dict[_Key, tuple[Event, int]]] = field(
        default_factory=dict["Place", "dict[_Key, tuple[Event, int]]"]
    )
    events: list[tuple[Symbol | None, Event]] = field(
        default_factory=list["tuple[Symbol | None, Event]"]
    )

    def forget(self) -> None:
        """The block has waited."""
        self.at.clear()
        self.events.clear()

    def note(self, root: Symbol | None, event: Event, arrays: Set[Symbol]) -> int:
        """Put down where threads of `event` meet those of earlier ones in memory of `root`; how
        many accesses were compared."""
        key = event.key
        threads: dict[Place, int] = {}
        for thread, place in enumerate(event.places):
            if isinstance(place, tuple):
                threads[place] = threads.get(place, 0) | 1 << thread
        compared = 0
        for place, bits in threads.items():
            others = self.at.setdefault(place, {})
            for first, earlier in others.values():
                if first.writes or event.writes:
                    compared += 1
                    self._meet(first, earlier, event, bits, place[0])
            _, before = others.get(key, (event, 0))
            others[key] = event, bits | before
        if event.fences:
            for other_root, other in self.events:
                anywhere = None in (root, other_root) and not {root, other_root} & arrays
                if other.fences != event.fences and (anywhere or root == other_root):
                    compared += 1
                    self._over_fences(other, event)
        self.events.append((root, event))
        return compared

    def _meet(self, first: Event, one: int, second: Event, other: int, root: Symbol) -> None:
        """Threads `one` and `other`, as bits, have been at one place."""
        in_warp = is_reversed = across = False
        while one and other and not (in_warp and is_reversed and across):
            lanes, others = one & _LANES, other & _LANES
            one, other = one >> WARP, other >> WARP
            if lanes and others and (lanes != others or lanes & (lanes - 1)):
                in_warp = True
                lowest = others & -others
                is_reversed = is_reversed or lanes >= lowest << 1
            across = across or bool((lanes and other) or (others and one))
        in_step = first.warp_phase == second.warp_phase
        if not (in_warp and in_step) and not across:
            return
        meeting = self._between(first, second)
        if meeting is not None:
            meeting.root = root
            meeting.in_warp = meeting.in_warp or (in_warp and in_step)
            meeting.reversed = meeting.reversed or (is_reversed and in_step)
            meeting.across = meeting.across or across

    def _over_fences(self, first: Event, second: Event) -> None:
        """A fence says that the two meet, where their places are not known to differ."""
        if not (first.writes or second.writes) or first.warp_phase != second.warp_phase:
            return
        both = (*first.places, *second.places)
        meeting = self._between(first, second) if ... in both or _symbolic(both) else None
        if meeting is not None:
            meeting.in_warp = meeting.reversed = True

    def _between(self, first: Event, second: Event) -> Meeting | None:
        """What is known of the two, None where it makes no difference who comes first."""
        if first.atomic and second.atomic:
            return None
        if first.writes and second.writes:
            if first.node is second.node:
                return None
            if first.value is not None and first.value == second.value:
                return None
        if _exclusive(first.branches, second.branches):
            return None
        key = (id(first.node), id(second.node))
        return self.found.setdefault(key, Meeting(first.node, second.node))


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
