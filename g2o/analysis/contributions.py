"""Whose values a value is made of, for all threads of a block at once.

    for (int d = 16; d > 0; d /= 2)          What a variable of each lane held in front of the loop
        v += __shfl_xor_sync(m, v, d);       is part of what each has then: v_0 + ... + v_31.

Code that combines a variable of each thread by one associative and commutative operator, whatever
it does that with (shuffles, shared arrays, barriers, in any order), is run for a block of known
shape. Integers are numbers; a combined value says how often the variable of each thread is part of
it. What cannot be followed ends the run: memory of the grid, conditions on combined values, what
threads of several warps do to an element without a barrier between. Lanes of a warp go in step,
statement by statement, as the code that relies on that expects.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from typing import Final, final

from g2o.analysis.contribution_places import (
    SHARED,
    SHUFFLES,
    Arguments,
    Outgoing,
    Place,
    Visits,
    bits_from,
    goes_out,
    is_plain,
    only_goes_out,
    shuffled_from,
)
from g2o.analysis.contribution_values import (
    Combined,
    Item,
    Start,
    by_halves,
    combination,
    element_type,
    extreme_of,
    fitted,
    integer,
    is_infinity,
    is_same,
    negated,
    of_comparison,
    of_literal,
)
from g2o.analysis.effects import symbols_in
from g2o.analysis.thread_values import combine, wrapped
from g2o.ir.expressions import (
    Assign,
    Binary,
    Builtin,
    Call,
    Cast,
    Conditional,
    Expr,
    Index,
    LaunchRef,
    Literal,
    Member,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.kernel import Function
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    DoWhile,
    Empty,
    Exchange,
    ExprStatement,
    For,
    If,
    Return,
    Scope,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import BOOL, CType, TypeKind

WARP: Final = 32
_EFFORT: Final = 400_000
_MOST_ELEMENTS: Final = 1 << 16
_NUMBERS: Final = (TypeKind.INTEGER, TypeKind.FLOATING)
_INTEGERS: Final = (TypeKind.INTEGER, TypeKind.BOOL)


class _NotFollowed(Exception):
    """The code does something else than to combine values."""


@final
class Contributions:
    """The state of a block of these extents; statements are run one after the other."""

    def __init__(
        self,
        extents: tuple[int, int, int],
        group: int,
        named_elsewhere: Set[Symbol | None],
        arguments: Arguments,
        function_of: Callable[[str], Function | None],
        *,
        is_open: bool = False,
    ) -> None:
        """`group` threads combine their values: those of a block, or of a warp. What pointers lead
        to is not followed. `function_of` gives functions of the program by key. Where the block
        `is_open`, it may have any number of these threads, and nothing says how many."""
        self.is_open = is_open
        self.arguments = arguments
        self.function_of = function_of
        self.extents = extents
        self.group = group
        self.named_elsewhere = named_elsewhere
        self.count = extents[0] * extents[1] * extents[2]
        self.values: dict[Symbol, list[Item]] = {}
        self.memory: dict[Symbol, dict[tuple[int, ...], Item]] = {}
        self.declared: set[Symbol] = set()
        self.bases: set[Symbol] = set()
        self.changed: set[Symbol] = set()
        self.outgoing: list[Outgoing] = []
        self.meets = False  # has a thread seen what another one had?
        self._visits: dict[Place, Visits] = {}
        self._active: list[bool] = [True] * self.count
        self._conditions: list[Expr] = []
        self._loops = 0
        self._effort = 0

    def follows(self, statement: Stmt) -> bool:
        """Run a statement; False, and no state worth looking at, where that cannot be done."""
        try:
            self._run(statement)
        except _NotFollowed:
            return False
        return True

    def knows(self, variable: Variable) -> None:
        """Take note of an integer that every thread has from its position, and from others that
        are known."""
        if variable.initial is None or variable.symbol.type.kind not in _INTEGERS:
            return
        if symbols_in(variable.initial) - self.values.keys():
            return
        try:
            items = self._of(variable.initial)
        except _NotFollowed:
            return
        if all(isinstance(item, int) for item in items):
            self.values[variable.symbol] = [fitted(item, variable.symbol.type) for item in items]

    def numbers(self, expr: Expr) -> list[int] | None:
        """The integer that each thread works out; None where that is not known."""
        try:
            items = self._of(expr)
        except _NotFollowed:
            return None
        found = [one for one in items if isinstance(one, int)]
        return found if len(found) == len(items) else None

    def threads_where(self, condition: Expr) -> list[bool] | None:
        """In which threads a condition on integers holds."""
        try:
            return self._truths(condition)
        except _NotFollowed:
            return None

    def have_own(self, place: Expr) -> bool:
        """Is it another element of a shared array for every thread of the block?"""
        try:
            places = self._places(place)
        except _NotFollowed:
            return False
        return len(set(places)) == self.count

    def whole(self, items: Sequence[Item]) -> Combined | None:
        """What all of the items are, if that of each thread is made of the values of all threads of
        its group; what those of the first group are."""
        wholes = [self.whole_at(thread, item) for thread, item in enumerate(items)]
        first = wholes[0]
        if first is None or any(one is None or one.means != first.means for one in wholes):
            return None
        return first

    def whole_at(self, thread: int, item: Item) -> Combined | None:
        """The item, if it is made of the values of all threads of the thread's group, once each."""
        if not isinstance(item, Combined) or not item.operator:
            return None
        if item.base.storage in SHARED:
            return None
        first = thread - thread % self.group
        return item if item.parts == bits_from(first, self.group) else None

    def are_by_halves(self, items: Sequence[Item]) -> bool:
        """Are all items that are made of the values of all threads of a group joined in the order
        of `by_halves`?"""
        for thread, item in enumerate(items):
            whole = self.whole_at(thread, item)
            first = thread - thread % self.group
            if whole is not None and whole.order != by_halves(first, self.group):
                return False
        return True

    def whole_of_block(self, item: Item) -> Combined | None:
        """The same of what all threads of the block have in common."""
        return self.whole_at(0, item) if self.group == self.count else None

    @property
    def touched(self) -> set[Symbol]:
        """Variables that the code has declared, or changed."""
        return self.declared | self.changed

    # -- statements -----------------------------------------------------------------------------

    def _run(self, statement: Stmt) -> None:
        match statement:
            case Block(statements=inner):
                for one in inner:
                    self._run(one)
            case Empty():
                pass
            case Declare():
                self._declare(statement)
            case ExprStatement(expr=expr):
                self._effect(expr)
            case If(condition=condition, then=then, otherwise=otherwise):
                self._choice(condition, then, otherwise)
            case For(initial=initial, condition=condition, increment=step, body=body):
                if initial is not None:
                    self._run(initial)
                self._loop(condition, body, step)
            case While(condition=condition, body=body):
                self._loop(condition, body, None)
            case DoWhile(condition=condition, body=body):
                self._run(body)
                self._loop(condition, body, None)
            case Barrier(scope=Scope.BLOCK):
                if not all(self._active) or self.group != self.count:
                    raise _NotFollowed  # warps wait for others, which is not theirs to drop
                self._visits.clear()
            case Barrier(scope=Scope.WARP):
                pass
            case Exchange():
                self._exchange(statement)
            case _:
                raise _NotFollowed

    def _declare(self, statement: Declare) -> None:
        for one in statement.variables:
            symbol = one.symbol
            self.declared.add(symbol)
            if symbol.storage is Storage.SHARED:
                self.memory[symbol] = {}
            elif symbol.type.kind in _INTEGERS or symbol.type.kind in _NUMBERS:
                unset: list[Item] = [None] * self.count
                self.values[symbol] = unset
                if one.initial is not None:
                    self._set(symbol, self._of(one.initial))
            else:
                raise _NotFollowed

    def _choice(self, condition: Expr, then: Stmt, otherwise: Stmt | None) -> None:
        """Where a condition cannot be known, values may still go out under it."""
        try:
            holds = self._truths(condition)
        except _NotFollowed:
            if otherwise is not None or not only_goes_out(then):
                raise
            holds = [True] * self.count
        self._under(holds, condition, then)
        if otherwise is not None:
            against = Unary("!", condition, type=BOOL)
            self._under([not one for one in holds], against, otherwise)

    def _under(self, holds: list[bool], condition: Expr, body: Stmt) -> None:
        around = self._active
        self._active = [one and other for one, other in zip(around, holds, strict=True)]
        self._conditions.append(condition)
        if any(self._active):
            self._run(body)
        self._conditions.pop()
        self._active = around

    def _loop(self, condition: Expr | None, body: Stmt, step: Expr | None) -> None:
        if condition is None:
            raise _NotFollowed
        around = self._active
        self._loops += 1
        while True:
            holds = self._truths(condition)
            self._active = [one and other for one, other in zip(self._active, holds, strict=True)]
            if not any(self._active):
                break
            self._run(body)
            if step is not None:
                self._effect(step)
        self._loops -= 1
        self._active = around

    def _effect(self, expr: Expr) -> None:
        match strip_parens(expr):
            case Assign(op=op, target=target, value=value):
                new = self._of(value)
                if op == "=" and goes_out(target):
                    self._gives_out(target, new)
                    return
                if op != "=":
                    old = self._of(target)
                    new = self._joined(op[:-1], old, new, target)
                self._store(target, new)
            case Unary(op="++" | "--" as op, operand=operand):
                ones: list[Item] = [1] * self.count
                self._store(operand, self._joined(op[0], self._of(operand), ones, operand))
            case _:
                raise _NotFollowed

    def _gives_out(self, target: Expr, new: list[Item]) -> None:
        asked = symbols_in(target).union(*map(symbols_in, self._conditions))
        if self._loops or any(symbol in self.changed for symbol in asked):
            raise _NotFollowed
        if not all(map(is_plain, self._conditions)) or any(new[t] is None for t in self._threads()):
            raise _NotFollowed
        self.outgoing.append(Outgoing(target, tuple(self._conditions), tuple(new)))

    def _store(self, target: Expr, new: list[Item]) -> None:
        bare = strip_parens(target)
        if isinstance(bare, VarRef) and bare.symbol.storage not in SHARED:
            if bare.symbol.type.kind not in (*_NUMBERS, *_INTEGERS) or bare.symbol.type.is_volatile:
                raise _NotFollowed
            self._set(bare.symbol, new)
            return
        places = self._places(bare)
        stored: dict[Place, Item] = {}
        for thread, place in enumerate(places):
            if place is None:
                continue
            item = fitted(new[thread], element_type(place[0]))
            if place in stored and not is_same(stored[place], item):
                raise _NotFollowed
            stored[place] = item
            visits = self._visits.setdefault(place, Visits())
            if (visits.read | visits.written) - {thread // WARP}:
                raise _NotFollowed
            visits.written.add(thread // WARP)
        for (symbol, index), item in stored.items():
            self.memory.setdefault(symbol, {})[index] = item

    def _set(self, symbol: Symbol, new: list[Item]) -> None:
        if any(symbol in symbols_in(one.target) for one in self.outgoing):
            raise _NotFollowed
        if any(symbol in symbols_in(c) for one in self.outgoing for c in one.conditions):
            raise _NotFollowed
        self.changed.add(symbol)
        old = self._held(symbol)
        new = [fitted(one, symbol.type) for one in new]
        self.values[symbol] = [
            one if is_active else other
            for one, other, is_active in zip(new, old, self._active, strict=True)
        ]

    def _exchange(self, exchange: Exchange) -> None:
        operation, operands = exchange.operation, exchange.operands
        if exchange.scope not in (Scope.WARP, Scope.BLOCK) or not operands:
            raise _NotFollowed
        if operation.startswith("shfl") and operation not in SHUFFLES:
            raise _NotFollowed
        values = self._of(operands[0])
        width = self._uniform(exchange.width) if exchange.width is not None else WARP
        if exchange.scope is Scope.BLOCK:
            if not all(self._active) or not operation.startswith("reduce_"):
                raise _NotFollowed
            width = self.count
        elif width <= 0 or width > WARP or WARP % width:
            raise _NotFollowed
        new: list[Item] = [None] * self.count
        if operation.startswith("shfl") and len(operands) == 2:
            by = self._integers(self._of(operands[1]))
            for thread in self._threads():
                source = shuffled_from(operation, thread, by[thread] or 0, width)
                if source is not None:
                    source = source if source < self.count else thread
                    new[thread] = values[source] if self._active[source] else None
        elif operation in ("reduce_add", "reduce_max", "reduce_min") and len(operands) == 1:
            kind = operation.removeprefix("reduce_")
            for thread in self._threads():
                first = thread - thread % width
                lanes = [t for t in range(first, min(first + width, self.count)) if self._active[t]]
                found: Item = values[lanes[0]]
                for lane in lanes[1:]:
                    found = combination(kind, found, values[lane])
                new[thread] = found
        else:
            raise _NotFollowed
        self.meets = True
        self._set(exchange.result, new)

    # -- values ---------------------------------------------------------------------------------

    def _threads(self) -> list[int]:
        self._effort += self.count
        if self._effort > _EFFORT:
            raise _NotFollowed
        return [thread for thread in range(self.count) if self._active[thread]]

    def _each(self, value: Callable[[int], Item]) -> list[Item]:
        found: list[Item] = [None] * self.count
        for thread in self._threads():
            found[thread] = value(thread)
        return found

    def _held(self, symbol: Symbol) -> list[Item]:
        """What a variable holds; before anything is stored to it, each thread's own."""
        if symbol in self.named_elsewhere:
            raise _NotFollowed
        known = self.values.get(symbol)
        if known is None:
            if symbol.type.kind not in _NUMBERS or symbol.storage is not Storage.LOCAL:
                raise _NotFollowed
            self.bases.add(symbol)
            threads = range(self.count)
            known = [Combined(symbol, "", 1 << thread, order=thread) for thread in threads]
            self.values[symbol] = list(known)
        return self.values[symbol]

    def _of(self, expr: Expr) -> list[Item]:
        match strip_parens(expr):
            case Literal() as literal:
                item = self.arguments.value(literal.text)
                item = of_literal(literal) if item is None else item
                return self._each(lambda _: item)
            case Call() as call if is_infinity(call):
                return self._each(lambda _: Start("min"))
            case Unary(op="-" | "+" | "!" | "~" as op, operand=operand):
                inner = self._of(operand)
                return self._each(lambda t: negated(op, inner[t]))
            case Cast(operand=operand, type=ctype):
                inner = self._of(operand)
                return self._each(lambda t: fitted(inner[t], ctype))
            case VarRef(symbol=symbol) if symbol.storage not in SHARED:
                held = self._held(symbol)
                return self._each(lambda t: held[t])
            case VarRef() | Index() as place:
                return self._loaded(place)
            case LaunchRef(builtin=builtin, axis=axis):
                return self._launch(builtin, axis)
            case Binary(op=op, left=left, right=right) as binary:
                return self._joined(op, self._of(left), self._of(right), binary)
            case Conditional() as chosen:
                return self._chosen(chosen)
            case Call(arguments=(left, right)) as call if (kind := extreme_of(call)) is not None:
                first, second = self._of(left), self._of(right)
                return self._each(lambda t: combination(kind, first[t], second[t]))
            case Call(key=key) as call if key:
                return self._returned(call)
            case Assign(target=target) as assigned:  # `a = b = c`
                self._effect(assigned)
                return self._of(target)
            case _:
                raise _NotFollowed

    def _returned(self, call: Call) -> list[Item]:
        """What a function gives that only works out a value."""
        function = self.function_of(call.key)
        match None if function is None else function.body.statements:
            case (Return(value=value),) if value is not None:
                pass
            case _:
                raise _NotFollowed
        assert function is not None
        parameters = function.parameters
        types = [_of_value(one.type) for one in parameters]
        arguments = call.arguments
        if len(arguments) == len(parameters) + 1 and _needs_no_object(function, value):
            called, *rest = arguments
            arguments = tuple(rest) if isinstance(strip_parens(called), VarRef) else arguments
        if len(parameters) != len(arguments) or any(one.is_indirect for one in types):
            raise _NotFollowed
        items = [
            [fitted(one, ctype) for one in self._of(argument)]
            for ctype, argument in zip(types, arguments, strict=True)
        ]
        around = {one: self.values.get(one) for one in parameters}
        if any(known is not None for known in around.values()):
            raise _NotFollowed  # it calls itself
        self.values.update(zip(parameters, items, strict=True))
        try:
            found = self._of(value)
        finally:
            for one in parameters:
                self.values.pop(one, None)
        return [fitted(one, function.result) for one in found]

    def _joined(self, op: str, left: list[Item], right: list[Item], whole: Expr) -> list[Item]:
        def join(thread: int) -> Item:
            first, second = left[thread], right[thread]
            if isinstance(first, int) and isinstance(second, int):
                return integer(wrapped(combine(op, first, second), whole.type))
            return combination("add", first, second) if op == "+" else None

        return self._each(join)

    def _chosen(self, chosen: Conditional) -> list[Item]:
        kind = of_comparison(chosen.condition, chosen.if_true, chosen.if_false)
        if kind is not None:
            first, second = self._of(chosen.if_true), self._of(chosen.if_false)
            if not all(isinstance(one, (int, type(None))) for one in (*first, *second)):
                return self._each(lambda t: combination(kind, first[t], second[t]))
        holds = self._truths(chosen.condition)
        around = self._active
        parts: list[list[Item]] = []
        for part, wanted in ((chosen.if_true, True), (chosen.if_false, False)):
            self._active = [a and h is wanted for a, h in zip(around, holds, strict=True)]
            unset: list[Item] = [None] * self.count
            parts.append(self._of(part) if any(self._active) else unset)
        self._active = around
        return self._each(lambda t: parts[0][t] if holds[t] else parts[1][t])

    def _launch(self, builtin: Builtin, axis: int | None) -> list[Item]:
        if builtin is Builtin.WARP_SIZE:
            return self._each(lambda _: WARP)
        if axis is None or builtin not in (Builtin.THREAD_INDEX, Builtin.BLOCK_DIM):
            raise _NotFollowed
        if self.is_open and (builtin is Builtin.BLOCK_DIM or axis):
            raise _NotFollowed
        extent = self.extents[axis]
        if builtin is Builtin.BLOCK_DIM:
            return self._each(lambda _: extent)
        before = (1, self.extents[0], self.extents[0] * self.extents[1])[axis]
        return self._each(lambda thread: thread // before % extent)

    def _truths(self, condition: Expr) -> list[bool]:
        match strip_parens(condition):
            case Binary(op="&&" | "||" as op, left=left, right=right):
                first, second = self._truths(left), self._truths(right)
                both = zip(first, second, strict=True)
                return [a and b if op == "&&" else a or b for a, b in both]
            case Unary(op="!", operand=operand):
                inner = self._truths(operand)
                return [not one for one in inner]
            case bare:
                return [bool(one) for one in self._integers(self._of(bare))]

    def _integers(self, items: list[Item]) -> list[int | None]:
        found: list[int | None] = [None] * self.count
        for thread in self._threads():
            item = items[thread]
            if not isinstance(item, int):
                raise _NotFollowed
            found[thread] = item
        return found

    def _uniform(self, expr: Expr) -> int:
        values = {one for one in self._integers(self._of(expr)) if one is not None}
        if len(values) != 1:
            raise _NotFollowed
        return values.pop()

    # -- shared memory --------------------------------------------------------------------------

    def _places(self, expr: Expr) -> list[Place | None]:
        """The element of a shared array that each active thread names."""
        indices: list[list[int | None]] = []
        bare = strip_parens(expr)
        while isinstance(bare, Index):
            indices.insert(0, self._integers(self._of(bare.index)))
            bare = strip_parens(bare.base)
        if not isinstance(bare, VarRef) or bare.symbol.storage not in SHARED:
            raise _NotFollowed
        symbol = bare.symbol
        if symbol in self.named_elsewhere:
            raise _NotFollowed
        found: list[Place | None] = [None] * self.count
        for thread in self._threads():
            found[thread] = (symbol, tuple(axis[thread] or 0 for axis in indices))
        return found

    def _loaded(self, expr: Expr) -> list[Item]:
        found: list[Item] = [None] * self.count
        for thread, place in enumerate(self._places(expr)):
            if place is None:
                continue
            visits = self._visits.setdefault(place, Visits())
            if visits.written - {thread // WARP}:
                raise _NotFollowed
            visits.read.add(thread // WARP)
            symbol, index = place
            elements = self.memory.get(symbol, {})
            found[thread] = elements[index] if index in elements else self._element(symbol, index)
        self.meets = True
        return found

    def _element(self, array: Symbol, index: tuple[int, ...]) -> Item:
        """What an element holds that nothing of this code has stored to."""
        ctype = element_type(array)
        known = array in self.declared or ctype.kind not in _NUMBERS or ctype.is_volatile
        if known or len(index) != 1 or not 0 <= index[0] < _MOST_ELEMENTS:
            raise _NotFollowed
        return Combined(array, "", 1 << index[0])


def _of_value(ctype: CType) -> CType:
    """Of the value that a parameter stands for: what is read by a constant reference is what a copy
    would be, in a function that only works out a value."""
    element = ctype.element if ctype.kind is TypeKind.REFERENCE else None
    return element if element is not None and element.is_const else ctype


def _needs_no_object(function: Function, value: Expr) -> bool:
    """Does `operator()` work out the value from its parameters alone?"""
    own = set(function.parameters)
    calls = any(isinstance(node, Call) and node.key for node in walk(value))
    members = any(isinstance(node, Member) for node in walk(value))
    return "operator()" in function.key and symbols_in(value) <= own and not calls and not members
