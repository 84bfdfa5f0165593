"""Variables that may be read before they have a value (definite assignment: Gosling et al., "The
Java Language Specification", chapter 16), and elements of arrays likewise, by their numbers.

    double d_v;                     `d_v` has one: whichever arm is taken, it is set in front.
    if (t < n)                      Loops that the text says all turns of are followed turn by turn:
        d_v = a;                    `for (i = 0; i < 8; ++i) r[i] = s[i];` sets r[0] to r[7].
    else
        d_v = b;
    d_x[i] += d_v;
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import prod
from typing import Final, final

from g2o.analysis.constant_turns import Turns, constant_turns
from g2o.analysis.effects import EffectsOf, root_symbol, statements_of, symbols_in
from g2o.analysis.loop_heads import start_of, step_of
from g2o.analysis.lvalues import viewed_elements
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Conditional,
    Expr,
    Index,
    Member,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import (
    Block,
    Declare,
    DoWhile,
    Exchange,
    ExprStatement,
    For,
    If,
    Jump,
    JumpKind,
    Labelled,
    Node,
    Return,
    Stmt,
    Switch,
    While,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children, walk
from g2o.ir.types import CType, TypeKind

_POINTERS: Final = (TypeKind.POINTER, TypeKind.REFERENCE)
_MOST_ELEMENTS: Final = 4096
_MOST_TURNS: Final = 20_000
"""That are followed one by one, in all; of further loops the counter has any value."""

_Set = Mapping[Symbol, int] | None
"""What surely has a value: a bit for each element of a variable that has; None where control does
not come to."""


def read_unset(
    body: Block,
    watched: Collection[Symbol],
    effects: EffectsOf | None = None,
    extents: Mapping[Symbol, Sequence[Expr]] | None = None,
) -> frozenset[Symbol]:
    """Those of the `watched` variables that may be read before they have a value.

    A call that is handed the address of one has set it; with `effects`, for proofs, it has read it,
    and so has all else that is no plain use of an element. `extents` are those of arrays in
    templates: a loop that counts up to one goes over all elements.
    """
    reader = _Reader({one: all_elements(one.type) for one in watched}, effects, extents or {})
    reader.statement(body, {})
    return frozenset(reader.found)


def all_elements(ctype: CType) -> int:
    """A bit for each element of a small array, and one for what has no elements."""
    extents = _extents(ctype)
    if extents is None or not 0 < prod(extents) <= _MOST_ELEMENTS:
        return 1
    return (1 << prod(extents)) - 1


def _extents(ctype: CType) -> list[int] | None:
    found: list[int] = []
    while ctype.kind is TypeKind.ARRAY:
        if ctype.extent is None or ctype.element is None:
            return None
        found.append(ctype.extent)
        ctype = ctype.element
    return found


@final
class _Reader:
    def __init__(
        self,
        watched: Mapping[Symbol, int],
        effects: EffectsOf | None,
        extents: Mapping[Symbol, Sequence[Expr]],
    ) -> None:
        self.watched = watched
        self.effects = effects
        self.strict = effects is not None
        self.extents = extents
        self.found: set[Symbol] = set()
        self.leaving: list[list[_Set]] = []  # what is set where the loops around are left
        self.again: list[list[_Set]] = []
        self.known: dict[Symbol, int] = {}  # the values that constants and counters have
        self.turns_left = _MOST_TURNS

    # -- statements -----------------------------------------------------------------------------

    def statement(self, node: Stmt, state: _Set) -> _Set:
        if state is None:
            self._within(node, self.watched)  # never comes here: nothing to find
            return None
        return self._within(node, state)

    def _within(self, node: Stmt, state: Mapping[Symbol, int]) -> _Set:
        match node:
            case Block(statements=statements):
                current: _Set = state
                for one in statements:
                    current = self.statement(one, current)
                return current
            case Declare():
                return self._declare(node, state)
            case ExprStatement(expr=expr):
                return self.value(expr, state)
            case If(condition=condition, then=then, otherwise=otherwise):
                state = self.value(condition, state)
                first = self.statement(then, state)
                second = state if otherwise is None else self.statement(otherwise, state)
                return _both(first, second)
            case For():
                return self._for(node, state)
            case While(condition=condition, body=body):
                state = self.value(condition, state)
                left = self._turn(body, state)[1]
                return _all([state, *left])
            case DoWhile(body=body, condition=condition):
                end, left = self._turn(body, state)
                return _all([None if end is None else self.value(condition, end), *left])
            case Switch(condition=condition, body=body):
                state = self.value(condition, state)
                self.leaving.append([])
                end = self._cases(body, state)
                return _all([state, end, *self.leaving.pop()])
            case Labelled(body=body):
                return self.statement(body, state)
            case Jump(kind=JumpKind.BREAK) if self.leaving:
                self.leaving[-1].append(state)
                return None
            case Jump(kind=JumpKind.CONTINUE) if self.again:
                self.again[-1].append(state)
                return None
            case Return(value=value):
                if value is not None:
                    self.value(value, state)
                return None
            case Exchange(result=result, operands=operands):
                for one in operands:
                    state = self.value(one, state)
                return self._with(state, result)
            case _:
                return self._parts(node, state)

    def _declare(self, node: Declare, state: Mapping[Symbol, int]) -> Mapping[Symbol, int]:
        for one in node.variables:
            for part in (*one.extents, one.initial):
                if part is not None:
                    state = self.value(part, state)
            if one.initial is not None:
                state = self._with(state, one.symbol)
                number = integer_value(one.initial, self.known)
                self.known.pop(one.symbol, None)
                if number is not None and one.symbol.type.is_const:
                    self.known[one.symbol] = number
            elif one.symbol in self.watched:
                state = _without(state, one.symbol)
        return state

    def _parts(self, node: Node, state: Mapping[Symbol, int]) -> Mapping[Symbol, int]:
        named = symbols_in(node) if self.strict else frozenset[Symbol]()
        seen: set[Symbol] = set()
        for child in children(node):
            if isinstance(child, Stmt):
                self.statement(child, state)
            else:
                state = self.value(child, state)
            if self.strict:
                seen |= symbols_in(child)
        for symbol in named - seen:  # text that names it
            self._read(symbol, state)
        return state

    def _cases(self, body: Stmt, state: Mapping[Symbol, int]) -> _Set:
        """Each case may come from the head of the switch."""
        current: _Set = state
        for one in statements_of(body):
            start = _both(current, state) if isinstance(one, Labelled) else current
            current = self.statement(one, start)
        return current

    def _turn(self, body: Stmt, state: Mapping[Symbol, int]) -> tuple[_Set, list[_Set]]:
        """What is set behind a turn of a loop, and where the loop is left."""
        self.leaving.append([])
        self.again.append([])
        end = self.statement(body, state)
        return _all([end, *self.again.pop()]), self.leaving.pop()

    def _for(self, node: For, state: Mapping[Symbol, int]) -> _Set:
        if node.initial is not None:
            started = self.statement(node.initial, state)
            state = state if started is None else started
        if node.condition is not None:
            state = self.value(node.condition, state)
        turns = constant_turns(node)
        if turns is not None and turns.values and self._has_elements(node, turns.counter):
            known = self.effects is None or turns.counter not in self.effects.of(node.body).writes
            if known and len(turns.values) <= self.turns_left:
                return self._followed(node, turns, state)
        for array in self._filled(node) if self.extents else ():
            state = self._with(state, array)
        end, left = self._turn(node.body, state)
        if node.increment is not None and end is not None:
            end = self.value(node.increment, end)
        if turns is not None and turns.values:
            return _all([end, *left])
        if node.condition is None:
            return _all(list(left))
        return _all([state, *left])

    def _followed(self, node: For, turns: Turns, state: Mapping[Symbol, int]) -> _Set:
        """What is set behind a loop, turn by turn."""
        before = self.known.get(turns.counter)
        every: list[_Set] = []
        current: _Set = state
        for value in turns.values:
            if current is None:
                break
            self.turns_left -= 1
            self.known[turns.counter] = value
            current, left = self._turn(node.body, current)
            every += left
        del self.known[turns.counter]
        if before is not None:
            self.known[turns.counter] = before
        return _all([current, *every])

    def _has_elements(self, loop: For, counter: Symbol) -> bool:
        """Does the loop count through elements?"""
        return any(
            isinstance(node, Index)
            and root_symbol(node) in self.watched
            and counter in symbols_in(node)
            for node in walk(loop.body)
        )

    def _filled(self, loop: For) -> Iterator[Symbol]:
        """Arrays with open extents of which every turn sets elements of its own, before anything
        else is done with them, and of which all elements are set so."""
        started = start_of(loop.initial)
        stepped = started and loop.increment and step_of(loop.increment, started[0])
        if not started or not stepped or integer_value(started[1]) != 0 or stepped[1]:
            return
        counter, step = started[0], integer_value(stepped[0])
        if self.effects is None or counter in self.effects.of(loop.body).writes or not step:
            return
        if any(isinstance(node, (Jump, Return)) for node in walk(loop.body)):
            return
        for array, extents in self.extents.items():
            match loop.condition, extents:
                case Binary(op="<", left=VarRef(symbol=counted), right=limit), (extent,):
                    filled = counted == counter and limit == extent
                case _:
                    filled = False
            if not filled or array not in symbols_in(loop.body):
                continue
            element = (VarRef(array), VarRef(counter))
            first = next(one for one in statements_of(loop.body) if array in symbols_in(one))
            named = sum(node == VarRef(array) for node in walk(loop.body))
            own = [
                n for n in walk(loop.body) if isinstance(n, Index) and (n.base, n.index) == element
            ]
            if len(own) == named and 0 < step <= _elements_set(first, array):
                yield array

    # -- expressions ----------------------------------------------------------------------------

    def value(self, expr: Expr, state: Mapping[Symbol, int]) -> Mapping[Symbol, int]:
        """What is set behind the expression."""
        match expr:
            case VarRef(symbol=symbol):
                self._read(symbol, state)
                return state
            case Assign(op=op, target=target, value=value):
                state = self.value(value, state)
                place = strip_parens(target)
                if isinstance(place, VarRef):
                    if op != "=":
                        self._read(place.symbol, state)
                    return self._with(state, place.symbol)
                return self._place(place, state, reads=op != "=", sets=True)
            case Index() | Unary(op="*") if self._elements(expr) is not None:
                return self._place(expr, state, reads=True, sets=False)
            case Unary(op="&", operand=operand) if not self.strict:
                root = root_symbol(operand)
                whole = isinstance(strip_parens(operand), VarRef)
                if whole and root is not None:
                    return self._with(state, root)  # who is handed the address may set it
                return self.value(operand, state)
            case Unary(op="&", operand=operand):
                for symbol in symbols_in(operand):
                    self._read(symbol, state)
                return state
            case Binary(op="&&" | "||", left=left, right=right):
                state = self.value(left, state)
                self.value(right, state)
                return state
            case Conditional(condition=condition, if_true=if_true, if_false=if_false):
                state = self.value(condition, state)
                first, second = self.value(if_true, state), self.value(if_false, state)
                return _both(first, second) or {}
            case Call(callee=callee, arguments=arguments) if not self.strict:
                state = self.value(callee, state)
                for one in arguments:
                    inner = strip_parens(one)
                    if isinstance(inner, VarRef) and inner.symbol.type.kind is TypeKind.ARRAY:
                        state = self._with(state, inner.symbol)
                    else:
                        state = self.value(one, state)
                return state
            case _:
                return self._parts(expr, state)

    def _place(
        self, place: Expr, state: Mapping[Symbol, int], *, reads: bool, sets: bool = False
    ) -> Mapping[Symbol, int]:
        """What is set behind finding an element or member, which may be read, too."""
        found = self._elements(place)
        if found is not None:
            array, bits, indices = found
            for one in indices:
                state = self.value(one, state)
            if reads:
                self._read(array, state, self.watched[array] if bits is None else bits)
            return self._with(state, array, bits) if sets and bits is not None else state
        match place:
            case Index(base=base, index=index):
                return self._place(strip_parens(base), self.value(index, state), reads=reads)
            case Member(base=base, arrow=False):
                return self._place(strip_parens(base), state, reads=reads)
            case VarRef(symbol=symbol) if not reads and symbol.type.kind not in _POINTERS:
                return state
            case _:
                return self.value(place, state)

    def _elements(self, place: Expr) -> tuple[Symbol, int | None, list[Expr]] | None:
        """The array of a place that is elements of a watched one, their bits where their numbers
        are known, and what the indices are. With `*(float4 *)&r[i]` it is several of them."""
        count, position, indices = 1, 0, list[Expr]()
        known = True
        inner = strip_parens(place)
        punned = viewed_elements(inner)
        if punned is not None:
            inner, index, own = punned
            count = own
            number = 0 if index is None else integer_value(index, self.known)
            indices += [] if index is None else [index]
            known, position = number is not None, own * (number or 0)
        own_indices: list[Expr] = []
        while isinstance(inner, Index):
            own_indices.append(inner.index)
            inner = strip_parens(inner.base)
        if not isinstance(inner, VarRef) or inner.symbol not in self.watched:
            return None
        extents = _extents(inner.symbol.type)
        if not extents or len(extents) != len(own_indices):
            return None
        stride = 1
        for index, extent in zip(own_indices, reversed(extents), strict=True):
            number = integer_value(index, self.known)
            known = known and number is not None
            position += stride * (number or 0)
            stride *= extent
        bits = ((1 << count) - 1) << position if known and position >= 0 else None
        if bits is not None and bits & ~self.watched[inner.symbol]:
            bits = None
        return inner.symbol, bits, [*indices, *own_indices]

    def _read(self, symbol: Symbol, state: Mapping[Symbol, int], bits: int | None = None) -> None:
        wanted = self.watched.get(symbol, 0) if bits is None else bits
        if wanted & ~state.get(symbol, 0):
            self.found.add(symbol)

    def _with(
        self, state: Mapping[Symbol, int], symbol: Symbol, bits: int | None = None
    ) -> Mapping[Symbol, int]:
        """`state` where the variable, or elements of it, have values."""
        if symbol not in self.watched:
            return state
        new = state.get(symbol, 0) | (self.watched[symbol] if bits is None else bits)
        return {**state, symbol: new}


def _elements_set(statement: Stmt, array: Symbol) -> int:
    """How many elements of the array, from the one that it names on, a statement stores to."""
    match statement:
        case ExprStatement(expr=Assign(op="=", target=target, value=value)):
            place = strip_parens(target)
        case _:
            return 0
    if array in symbols_in(value):
        return 0
    punned = viewed_elements(place)
    if punned is not None and (punned[1] is None or integer_value(punned[1]) == 0):
        place, _, count = punned
    else:
        count = 1
    return count if isinstance(place, Index) and place.base == VarRef(array) else 0


def _without(state: Mapping[Symbol, int], symbol: Symbol) -> Mapping[Symbol, int]:
    return {one: bits for one, bits in state.items() if one != symbol}


def _both(one: _Set, other: _Set) -> _Set:
    if one is None or other is None:
        return other if one is None else one
    return {symbol: bits & other[symbol] for symbol, bits in one.items() if symbol in other}


def _all(states: list[_Set]) -> _Set:
    result: _Set = None
    for one in states:
        result = _both(result, one)
    return result
