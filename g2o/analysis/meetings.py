"""Where threads meet in memory without waiting for each other.

    s[t] += s[t + 16];      // thread 0 reads s[16], which thread 16 writes
    s[t] += s[t + 8];       // thread 0 reads s[8], which thread 8 has written above

The kernel is stepped through for the first threads of a block at once, each with the integers and
addresses that are known at compile time (`thread_values`). Two accesses of different threads to one
place, a write among them, with no barrier in between, are a meeting. Global memory is looked at
where the launches show the size of a block, or its threads are in a row, the first two warps of
which do what all others do: what is met in there by threads of one warp alone has an order where
the warp is in step; by threads of several it has none. Nothing is claimed that some
thread would not do if the branches that cannot be decided are taken: found are the meetings that a
warp in step has to order, not all that a race detector would report. The exception are accesses
to shared memory with a `__threadfence_block()` between them: that says that they meet, where their
places are not known to differ.

`conflicts` asks isl nearly the same and cannot stand in for this. It must not miss a meeting, so
what it does not understand (a condition on memory, an index from memory) meets everything; here
each meeting costs a warp barrier, which must not be put where lanes do not wait for each other, so
what is not understood meets nothing. And isl's relations have no order within an interval, while
of two statements of one warp in step it matters which comes first, and in which turn of a loop.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle, islice
from typing import final

from g2o.analysis.effects import EffectsOf, root_symbol
from g2o.analysis.open_constants import usual_value
from g2o.analysis.pointer_roots import written_roots
from g2o.analysis.shared_accesses import SHARED, WARP, Meeting, Touch, shared_pointers, touches
from g2o.analysis.stepper import Stepper
from g2o.analysis.thread_machine import BlockShape
from g2o.analysis.uniformity import solve_uniformity
from g2o.ir.constant_text import number_of
from g2o.ir.expressions import Builtin, Expr, LaunchRef, VarRef
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Barrier, Block, DoWhile, Exchange, For, If, Node, Scope, Stmt, While
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, walk
from g2o.ir.types import TypeKind

_WIDTHS = (32, 16, 8)  # of rows of threads, where the launches do not say


@final
@dataclass(frozen=True, slots=True)
class FoundMeetings:
    """Of all of the kernel, unless it is `too_large` to be stepped through to its end."""

    meetings: list[Meeting]
    too_large: bool = False


def find_meetings(kernel: Kernel, effects: EffectsOf) -> FoundMeetings:
    """The meetings of threads of one block, as far as they can be known."""
    shapes, known = _shapes(kernel)
    arrays = _written_arrays(kernel, effects) if known else set[Symbol]()
    if not arrays and not any(map(_is_shared, walk(kernel.body))):
        return FoundMeetings([])
    unplaced = shared_pointers(kernel.body)
    pointers = arrays | shared_pointers(kernel.body, arrays)
    if not _may_meet(kernel.body, pointers, effects):
        return FoundMeetings([])
    too_large = False
    every: dict[tuple[int, int], Meeting] = {}
    for choice in kernel.shape.argument_choices:  # what meets in one instance has to be in step
        found: dict[tuple[int, int], Meeting] | None = None
        given = _numbers(kernel, choice)
        several = max(len(shapes), len(given))
        for shape, numbers in islice(zip(cycle(shapes), cycle(given), strict=False), several):
            stepper = Stepper(effects, pointers, shape, arrays, unplaced, numbers)
            too_large = not stepper.run(kernel.body) or too_large
            if found is None:
                found = stepper.meetings.found
            else:
                both = found.keys() & stepper.meetings.found.keys()
                found = {key: found[key] for key in found if key in both}
        for key, one in (found or {}).items():
            every[key] = one.joined(every.get(key, one))
    meetings = list(every.values())
    crossed = {meeting.root for meeting in meetings if meeting.across} & arrays
    known = [meeting for meeting in meetings if meeting.root not in crossed]
    return FoundMeetings(known, too_large)


def _is_shared(node: Node) -> bool:
    return isinstance(node, VarRef) and node.symbol.storage in SHARED


def _written_arrays(kernel: Kernel, effects: EffectsOf) -> set[Symbol]:
    """Arrays of global memory, and pointers to it that the kernel is given, that it writes to."""
    given = {root for root in written_roots(kernel.body, effects) if root is not None}
    return {
        root
        for root in given
        if root.storage is Storage.GLOBAL
        or (root.storage is Storage.PARAMETER and root.type.kind is TypeKind.POINTER)
    }


# -- the shape of a block ------------------------------------------------------------------------


def _shapes(kernel: Kernel) -> tuple[list[BlockShape], bool]:
    """The shapes that blocks may have, and whether there is one, of at least two warps or as the
    launches show it."""
    given = tuple(_extent(kernel, axis) for axis in range(3))
    used = {
        node.axis
        for node in walk(kernel.body)
        if isinstance(node, LaunchRef) and node.builtin is Builtin.THREAD_INDEX
    }
    x, y, z = given
    if x is not None and y is not None and z is not None:
        return [_shape((x, y, z), known=True)], True
    in_a_row = not used & {1, 2, None}
    if x is not None or in_a_row:
        return [_shape((x, y, z), known=in_a_row)], in_a_row
    return [_shape((width, y, z), known=False) for width in _WIDTHS], False


def _shape(extents: tuple[int | None, int | None, int | None], known: bool) -> BlockShape:
    x, y, z = (64 if extent is None else max(extent, 1) for extent in extents)
    count = min(2 * WARP if known else WARP, x * y * z)
    threads = tuple((rank % x, rank // x % y, rank // x // y) for rank in range(count))
    return BlockShape(extents, threads)


def _extent(kernel: Kernel, axis: int) -> int | None:
    """The extent of the block where every launch agrees on it; of what the build may define
    otherwise the value it has here, as extents of arrays have."""
    text = kernel.shape.block[axis]
    if text is None:
        return None

    def known(name: str) -> int | None:
        value = kernel.shape.values.get(name)
        return usual_value(kernel.body, name) if value is None else value

    return number_of(text, known)


def _numbers(kernel: Kernel, choice: dict[str, int]) -> list[dict[str, int]]:
    """What the parameters of the template may be, where the launches do not say."""
    open_ones = [one for one in kernel.function.template_parameters if one not in choice]
    if not open_ones:
        return [choice]
    return [{**choice, **dict.fromkeys(open_ones, width)} for width in _WIDTHS]


# -- is there anything to look at? -----------------------------------------------------------------


def _may_meet(body: Block, pointers: set[Symbol], effects: EffectsOf) -> bool:
    """Are there two accesses without a barrier in between that do not look the same?"""
    changing = effects.of(body).writes
    uniformity = solve_uniformity(body, Scope.BLOCK, effects, set())

    def same(one: Expr, other: Expr) -> bool:
        if one != other or uniformity.is_uniform(one):
            return False
        return not any(isinstance(n, VarRef) and n.symbol in changing for n in walk(one))

    def apart(one: Expr, other: Expr) -> bool:
        roots = {root_symbol(one), root_symbol(other)}
        return len(roots) == 2 and all(
            root is not None and root.storage is not Storage.LOCAL for root in roots
        )

    def meets(touch: Touch, live: list[Touch]) -> bool:
        return any(
            (touch.writes or other.writes)
            and not same(touch.node, other.node)
            and not apart(touch.node, other.node)
            for other in live
        )

    def visit(node: Node, live: list[Touch]) -> bool:
        match node:
            case Barrier(scope=scope) | Exchange(scope=scope) if scope in (Scope.BLOCK, Scope.GRID):
                live.clear()
                return False
            case If(condition=condition, then=then, otherwise=otherwise):
                if visit(condition, live):
                    return True
                other = list(live)
                if visit(then, live) or (otherwise is not None and visit(otherwise, other)):
                    return True
                live.extend(touch for touch in other if touch not in live)
                return False
            case For() | While() | DoWhile():
                return any(visit(child, live) for _ in range(2) for child in children(node))
            case _ if not isinstance(node, Stmt):
                for touch in touches(node, pointers):
                    if meets(touch, live):
                        return True
                    if touch not in live:
                        live.append(touch)
                return False
            case _:
                return any(visit(child, live) for child in children(node))

    return visit(body, [])
