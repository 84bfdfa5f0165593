"""Is an element of memory still there in the reverse sweep, though elements of the same array are
written behind it, or in later iterations?

    for (int d = 0; d < depth; ++d)
        for (int i = 0; i < n; ++i)
            u[d + 1][i] = f(u[d][i]);          u[d][i]: later ones write u[d + 2], u[d + 3] ...

    for (int k = 0; k < n; ++k)
        for (int i = k + 1; i < n; ++i)
            a[i * n + k] /= a[k * n + k];      a[k * n + k]: only columns and rows behind k follow

This is the question for an anti-dependence: does a write that is executed after the read meet its
element? It is asked once for each loop around both, as that in which the write comes in a later
iteration (those around it are in the same one), and once for the same iteration of all. The
difference of the two places has to be positive there, or negative, whatever the numbers are that
are not the same for both; of counters and positions it is known between which bounds they are.
Elements of arrays of arrays are apart where one of their subscripts is, and so they are in arrays
that keep their rows one behind the other, as long as no subscript reaches into another row.

Legal for iterations that OpenMP shares out as for others: of two of them that read and write one
element, without waiting in between, the source would have a race. Threads of a kernel that waits
have other positions than the one that reads.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count, product
from typing import TYPE_CHECKING, Final, final

from g2o.ad.loops import Counted, Stepped
from g2o.analysis.allocations import is_allocation
from g2o.analysis.loop_heads import MIRRORED
from g2o.ir.expressions import (
    Binary,
    Builtin,
    Cast,
    Conditional,
    Expr,
    Index,
    LaunchRef,
    Literal,
    Member,
    Unary,
    VarRef,
    integer_value,
    is_variable,
    strip_parens,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.types import CType, TypeKind, unqualified
from g2o.polyhedral.polynomial import ONE, ZERO, Polynomial
from g2o.polyhedral.signs import Bounds, Signs

if TYPE_CHECKING:
    from g2o.ad.places import Definition, Place

_LATER: Final = "+"
"""By how much the counter of the write is ahead of that of the read: 1 at least."""
_READ: Final = "r"
_WRITE: Final = "w"
_SIDES: Final = (_READ, _WRITE)
_UNKNOWN: Final = "?"
_COUNTS: Final = {
    Builtin.THREAD_INDEX: Builtin.BLOCK_DIM,
    Builtin.BLOCK_INDEX: Builtin.GRID_DIM,
}
_INNERMOST: Final = 1 << 30


@final
@dataclass(frozen=True, slots=True)
class Numbers:
    """What is known of the numbers of a body. `heads` are the loops that count, by their numbers;
    `changing` says of variables whether anything but their declaration gives them a value, `stays`
    of loads whether the memory is never written. `waits`: may threads wait for each other, or, of
    `blocks_wait`, blocks?"""

    definitions: Mapping[Symbol, Definition]
    heads: Mapping[int, Counted | Stepped]
    changing: Callable[[Symbol], bool]
    stays: Callable[[Expr], bool]
    may_alias: Callable[[Symbol | None, Symbol | None], bool]
    waits: bool
    blocks_wait: bool

    def loop_of(self, symbol: Symbol, loops: Collection[int]) -> int | None:
        """The one of these loops that counts with the variable."""
        heads = ((one, self.heads.get(one)) for one in loops)
        return next((one for one, head in heads if head and head.index == symbol), None)


@final
@dataclass(frozen=True, slots=True)
class _Element:
    """An element, or what lies `offset` elements behind one: the array and its subscripts. One that
    `walks` may leave its row, as `a[0][k]` does for all elements."""

    array: Symbol
    subscripts: tuple[Polynomial, ...] = ()
    offset: Polynomial = ZERO
    walks: bool = False


def is_met(read: Index, at: Place, write: Index, place: Place, numbers: Numbers) -> bool:
    """May the element that is read at one place be written at another one afterwards?"""
    common = [one for one, two in zip(at.loops, place.loops, strict=False) if one == two]
    orders = [_Order(numbers, tuple(common[:k]), common[k], at, place) for k in range(len(common))]
    if place.number >= at.number:
        orders.append(_Order(numbers, tuple(common), None, at, place))
    return any(one.meets(read, write) for one in orders)


@final
@dataclass(slots=True)
class _Order:
    """A write after a read: in the same iteration of the loops that are `equal`, and in a later one
    of the loop `later`, if that is any."""

    numbers: Numbers
    equal: tuple[int, ...]
    later: int | None
    at: Place
    place: Place
    signs: Signs = field(default_factory=Signs)
    unknown: Iterator[int] = field(default_factory=count)

    def meets(self, read: Index, write: Index) -> bool:
        """May both be one element?"""
        reads, writes = self._pointers(read, _READ), self._pointers(write, _WRITE)
        if reads is None or writes is None:
            return True
        for place, side in ((self.at, _READ), (self.place, _WRITE)):
            self._note_iterations(place, side)
            for guard in place.guards:
                self._note_guard(guard, side)
        return any(self._may_be_same(one, other) for one in reads for other in writes)

    def _may_be_same(self, one: _Element, other: _Element) -> bool:
        if one.array != other.array:
            return self.numbers.may_alias(one.array, other.array)
        if len(one.subscripts) != len(other.subscripts) or one.walks or other.walks:
            return True
        pairs = zip(one.subscripts, other.subscripts, strict=True)
        return not any(self.signs.differ(second - first) for first, second in pairs)

    # -- what is known ----------------------------------------------------------------------------

    def _note_iterations(self, at: Place, side: str) -> None:
        """Loops that have an iteration are not empty: `n` is 1 at least in `i < n`."""
        for loop in at.loops:
            head = self.numbers.heads.get(loop)
            relation, limit = ("", None) if head is None else _limit(head)
            if head is None or head.falls or limit is None or relation not in ("<", "<="):
                continue
            first, bound = (self.number(one, side) for one in (head.first, limit))
            self.signs.note_iterations(first, bound.plus(relation == "<="))

    def _note_guard(self, guard: Expr, side: str) -> None:
        """`t > k` and `t < n - k` say between which bounds the position of a thread is."""
        match strip_parens(guard):
            case Binary(op="&&", left=left, right=right):
                self._note_guard(left, side)
                self._note_guard(right, side)
            case Binary(op="<" | "<=" | ">" | ">=" | "==" as op, left=left, right=right):
                first, second = self.number(left, side), self.number(right, side)
                if op in ("<", "<=", "=="):
                    self._note_order(first, second.plus(-(op == "<")))
                if op in (">", ">=", "=="):
                    self._note_order(second, first.plus(-(op == ">")))
            case _:
                pass

    def _note_order(self, low: Polynomial, high: Polynomial) -> None:
        """The one is not above the other."""
        room = high - low
        for names, factor in room.terms:
            (name,) = names if len(names) == 1 else ("",)
            known = self.signs.bounds.get(name)
            others = room - Polynomial.of({names: factor})
            if known is None or known.depth < (_INNERMOST, False) or name in others.names:
                continue
            if factor == 1:
                known = replace(known, lows=(-others, *known.lows))
            elif factor == -1:
                known = replace(known, highs=(others, *known.highs))
            self.signs.bounds[name] = known
            for low, high in product(known.lows, known.highs):
                self.signs.note_iterations(low, high.plus(1))

    # -- numbers --------------------------------------------------------------------------------

    def number(self, expr: Expr, side: str) -> Polynomial:
        """The value for the read or the write; a name of its own stands for what is not known."""
        known = integer_value(expr)
        if known is not None:
            return Polynomial.constant(known)
        inner = strip_parens(expr)
        match inner:
            case Literal(text=text):
                return Polynomial.name(text)
            case VarRef(symbol=symbol):
                return self._variable(symbol, side)
            case LaunchRef(builtin=builtin, axis=int() as axis):
                return self._position(builtin, axis, side)
            case Cast(operand=operand, type=ctype) if _is_wide(ctype) and _is_wide(operand.type):
                return self.number(operand, side)
            case Binary(op="+", left=left, right=right, type=ctype) if _is_wide(ctype):
                return self.number(left, side) + self.number(right, side)
            case Binary(op="-", left=left, right=right, type=ctype) if _is_wide(ctype):
                return self.number(left, side) - self.number(right, side)
            case Binary(op="*", left=left, right=right, type=ctype) if _is_wide(ctype):
                return self.number(left, side) * self.number(right, side)
            case Member(base=VarRef(symbol=symbol), name=name) if self._is_given(symbol):
                return Polynomial.name(f"{symbol.id}.{name}")
            case Index() if self.numbers.stays(inner):
                return self._loaded(inner, side)
            case _:
                return self._unknown()

    def _position(self, builtin: Builtin, axis: int, side: str) -> Polynomial:
        """Of a thread in its block, or of a block in the grid, and how many there are."""
        name = f"{builtin.value}.{axis}"
        if builtin not in _COUNTS:
            self.signs.least[name] = 1
            return Polynomial.name(name)
        is_thread = builtin is Builtin.THREAD_INDEX
        if self.numbers.waits if is_thread else self.numbers.blocks_wait:
            name += side
        if name not in self.signs.bounds:
            most = self._position(_COUNTS[builtin], axis, side) - ONE
            self.signs.bounds[name] = Bounds((_INNERMOST + is_thread, False), (ZERO,), (most,))
        return Polynomial.name(name)

    def _loaded(self, load: Index, side: str) -> Polynomial:
        """A number of memory that is never written: one name for one element."""
        elements = self._pointers(load, side)
        if elements is None or len(elements) != 1:
            return self._unknown()
        (one,) = elements
        subscripts = "".join(f"[{each}]" for each in one.subscripts)
        return Polynomial.name(f"{one.array.id}{subscripts}")

    def _variable(self, symbol: Symbol, side: str) -> Polynomial:
        if not _is_wide(symbol.type) or symbol.type.is_volatile:
            return self._unknown()
        loop = self.numbers.loop_of(symbol, (self.at if side == _READ else self.place).loops)
        if loop is not None:
            return self._counter(symbol, loop, side)
        if self.numbers.changing(symbol):
            return self._unknown()
        if self._is_given(symbol):
            return Polynomial.name(f"{symbol.id}")
        definition = self.numbers.definitions.get(symbol)
        if definition is None:
            return self._unknown()
        initial = definition.variable.initial
        if initial is not None and definition.variable.initial_style == "=":
            value = self.number(initial, side)
            if not any(name.startswith(_UNKNOWN) for name in value.names):
                return value
        apart = set(definition.place.loops) - {*self.equal} or self.numbers.waits
        return Polynomial.name(f"{symbol.id}{side if apart else ''}")

    def _is_given(self, symbol: Symbol) -> bool:
        """Is it a parameter that stays what it is?"""
        return symbol.storage is Storage.PARAMETER and not self.numbers.changing(symbol)

    def _counter(self, symbol: Symbol, loop: int, side: str) -> Polynomial:
        head = self.numbers.heads[loop]
        if self.numbers.waits and (loop in self.equal or loop == self.later):
            starts = [self.number(part, one) for part in (head.first, head.step) for one in _SIDES]
            if starts[0] != starts[1] or starts[2] != starts[3]:
                return self._unknown()  # threads begin with other numbers
        side = _READ if loop in self.equal else side
        if loop == self.later and side == _WRITE:
            own = self._counter(symbol, loop, _READ)
            ahead = Polynomial.name(_LATER)
            if _LATER not in self.signs.bounds:
                (name,) = own.names
                known = self.signs.bounds[name]
                falling = [own - low for low in known.lows]
                most = falling if head.falls else [high - own for high in known.highs]
                self.signs.bounds[_LATER] = Bounds((loop, True), (ONE,), tuple(most))
            return own - ahead if head.falls else own + ahead
        value = Polynomial.name(f"{symbol.id}{side}")
        (name,) = value.names
        if name not in self.signs.bounds:
            self.signs.bounds[name] = Bounds((loop, False), *self._ends(head, side))
        return value

    def _ends(
        self, head: Counted | Stepped, side: str
    ) -> tuple[tuple[Polynomial, ...], tuple[Polynomial, ...]]:
        """The least and the greatest number that a loop counts, where they are known."""
        relation, limit = _limit(head)
        first = (self.number(head.first, side),)
        last: tuple[Polynomial, ...] = ()
        if limit is not None:
            bound = self.number(limit, side)
            match relation, head.falls:
                case "<", False:
                    last = (bound - ONE,)
                case ">", True:
                    last = (bound + ONE,)
                case ("<=", False) | (">=", True):
                    last = (bound,)
                case _:
                    pass
        return (last, first) if head.falls else (first, last)

    def _unknown(self) -> Polynomial:
        return Polynomial.name(f"{_UNKNOWN}{next(self.unknown)}")

    # -- places ---------------------------------------------------------------------------------

    def _pointers(self, expr: Expr, side: str) -> list[_Element] | None:
        """The elements that a place may be, or a pointer lead to; None where nobody knows."""
        inner = strip_parens(expr)
        match inner:
            case VarRef(symbol=symbol):
                return self._led(symbol, side)
            case Index(base=base, index=index):
                own = self.number(index, side)
                found = self._pointers(base, side)
                extent = strip_parens(base).type.extent
                return found and [self._at(one, own, extent) for one in found]
            case Binary(op="+" | "-" as op, left=left, right=right) if left.type.is_indirect:
                own = self.number(right, side)
                found = self._pointers(left, side)
                return found and [_moved(one, -own if op == "-" else own) for one in found]
            case Unary(op="&", operand=place) if isinstance(strip_parens(place), Index):
                found = self._pointers(place, side)
                if found is None or any(len(one.subscripts) > 1 for one in found):
                    return None  # behind the end of a row comes the next one
                return [_Element(one.array, (), one.subscripts[0]) for one in found]
            case Conditional(if_true=one, if_false=other):
                first, second = self._pointers(one, side), self._pointers(other, side)
                return None if first is None or second is None else [*first, *second]
            case Cast(operand=operand, type=ctype) if _leads_to(ctype) == _leads_to(operand.type):
                return self._pointers(operand, side)
            case _:
                return None

    def _at(self, row: _Element, index: Polynomial, extent: int | None) -> _Element:
        """An element of a row: of the same one all the time, its number may go beyond its end."""
        place = row.offset + index
        fixed = bool(row.subscripts) and row.subscripts[-1].value is not None
        inside = extent is not None and self.signs.is_above(-place.plus(1 - extent), 0)
        walks = row.walks or (fixed and place.value is None and not inside)
        return _Element(row.array, (*row.subscripts, place), walks=walks)

    def _led(self, symbol: Symbol, side: str) -> list[_Element] | None:
        if symbol.type.kind is TypeKind.ARRAY:
            return [_Element(symbol)]
        if symbol.type.kind is not TypeKind.POINTER or self.numbers.changing(symbol):
            return None
        if symbol.storage is Storage.PARAMETER:
            return [_Element(symbol)]
        definition = self.numbers.definitions.get(symbol)
        initial = definition.variable.initial if definition is not None else None
        if initial is None:
            return None
        if is_allocation(initial):
            return [_Element(symbol)]
        return self._pointers(initial, side)


def _limit(head: Counted | Stepped) -> tuple[str, Expr | None]:
    """What the counter is compared with in front of each iteration, and how."""
    if isinstance(head, Counted):
        return head.relation, head.bound
    match strip_parens(head.condition):
        case Binary(op=op, left=left, right=right) if is_variable(left, head.index):
            return op, right
        case Binary(op=op, left=left, right=right) if is_variable(right, head.index):
            return MIRRORED.get(op, ""), left
        case _:
            return "", None


def _moved(element: _Element, by: Polynomial) -> _Element:
    return replace(element, offset=element.offset + by)


def _is_wide(ctype: CType) -> bool:
    """Has it as many digits as counters? Sums that wrap around differ all the same."""
    return ctype.kind is TypeKind.INTEGER and ctype.bits >= 32


def _leads_to(ctype: CType) -> str | None:
    return None if ctype.element is None else unqualified(ctype.element)
