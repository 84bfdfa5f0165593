"""Variables that may be read before they have a value (definite assignment: Gosling et al., "The
Java Language Specification", chapter 16).

    double d_v;                     `d_v` has one: whichever arm is taken, it is set in front.
    if (t < n)                      An array has one when a loop has given it to all elements, turn
        d_v = a;                    by turn, or when it has been set by a call that is handed it.
    else
        d_v = b;
    d_x[i] += d_v;
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, final

from g2o.analysis.constant_turns import constant_turns
from g2o.analysis.effects import root_symbol, statements_of, symbols_in
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
from g2o.ir.types import TypeKind

_POINTERS: Final = (TypeKind.POINTER, TypeKind.REFERENCE)

_Set = frozenset[Symbol] | None
"""The variables that surely have a value; None where control does not come to."""


def read_unset(body: Block, watched: Collection[Symbol]) -> frozenset[Symbol]:
    """Those of the `watched` variables that may be read before they have a value."""
    reader = _Reader(frozenset(watched))
    reader.statement(body, frozenset())
    return frozenset(reader.found)


@final
class _Reader:
    def __init__(self, watched: frozenset[Symbol]) -> None:
        self.watched = watched
        self.found: set[Symbol] = set()
        self.leaving: list[list[_Set]] = []  # what is set where the loops around are left
        self.again: list[list[_Set]] = []

    # -- statements -----------------------------------------------------------------------------

    def statement(self, node: Stmt, state: _Set) -> _Set:
        if state is None:
            state = frozenset(self.watched)  # never comes here: nothing to find
            self._within(node, state)
            return None
        return self._within(node, state)

    def _within(self, node: Stmt, state: frozenset[Symbol]) -> _Set:
        match node:
            case Block(statements=statements):
                current: _Set = state
                for one in statements:
                    current = self.statement(one, current)
                return current
            case Declare(variables=variables):
                for one in variables:
                    for part in (*one.extents, one.initial):
                        if part is not None:
                            state = self.value(part, state)
                    if one.initial is not None:
                        state |= {one.symbol}
                    elif one.symbol in self.watched:
                        state -= {one.symbol}
                return state
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
                return state | {result}
            case _:
                for child in children(node):
                    if isinstance(child, Stmt):
                        self.statement(child, state)
                    else:
                        state = self.value(child, state)
                return state

    def _cases(self, body: Stmt, state: frozenset[Symbol]) -> _Set:
        """Each case may come from the head of the switch."""
        current: _Set = state
        for one in statements_of(body):
            start = _both(current, state) if isinstance(one, Labelled) else current
            current = self.statement(one, start)
        return current

    def _turn(self, body: Stmt, state: frozenset[Symbol]) -> tuple[_Set, list[_Set]]:
        """What is set behind a turn of a loop, and where the loop is left."""
        self.leaving.append([])
        self.again.append([])
        end = self.statement(body, state)
        return _all([end, *self.again.pop()]), self.leaving.pop()

    def _for(self, node: For, state: frozenset[Symbol]) -> _Set:
        if node.initial is not None:
            started = self.statement(node.initial, state)
            state = state if started is None else started
        if node.condition is not None:
            state = self.value(node.condition, state)
        filled = self._filled(node)
        end, left = self._turn(node.body, state | filled)
        if node.increment is not None and end is not None:
            end = self.value(node.increment, end)
        turns = constant_turns(node)
        if turns is not None and turns.values:
            return _all([end, *left])
        if node.condition is None:
            return _all(list(left))
        return _all([state, *left])

    def _filled(self, loop: For) -> frozenset[Symbol]:
        """Arrays of which every turn sets an element of its own, before anything else is done with
        it, and of which all elements are set so."""
        turns = constant_turns(loop)
        if turns is None or any(isinstance(node, (Jump, Return)) for node in walk(loop.body)):
            return frozenset()
        found: set[Symbol] = set()
        for array in self.watched & symbols_in(loop.body):
            if array.type.kind is not TypeKind.ARRAY:
                continue
            if set(turns.values) != set(range(array.type.extent or 0)):
                continue
            first = next(one for one in statements_of(loop.body) if array in symbols_in(one))
            elements = [node for node in walk(loop.body) if _is_own(node, array, turns.counter)]
            named = sum(node == VarRef(array) for node in walk(loop.body))
            if len(elements) == named and _sets_element(first, array):
                found.add(array)
        return frozenset(found)

    # -- expressions ----------------------------------------------------------------------------

    def value(self, expr: Expr, state: frozenset[Symbol]) -> frozenset[Symbol]:
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
                    return state | {place.symbol}
                return self._place(place, state, reads=op != "=")
            case Unary(op="&", operand=operand):
                root = root_symbol(operand)
                whole = isinstance(strip_parens(operand), VarRef)
                if whole and root is not None:
                    return state | {root}  # who is handed the address may set it
                return self.value(operand, state)
            case Binary(op="&&" | "||", left=left, right=right):
                state = self.value(left, state)
                self.value(right, state)
                return state
            case Conditional(condition=condition, if_true=if_true, if_false=if_false):
                state = self.value(condition, state)
                first, second = self.value(if_true, state), self.value(if_false, state)
                return first & second
            case Call(callee=callee, arguments=arguments):
                state = self.value(callee, state)
                for one in arguments:
                    inner = strip_parens(one)
                    if isinstance(inner, VarRef) and inner.symbol.type.kind is TypeKind.ARRAY:
                        state |= {inner.symbol}
                    else:
                        state = self.value(one, state)
                return state
            case _:
                for child in children(expr):
                    if isinstance(child, Expr):
                        state = self.value(child, state)
                return state

    def _place(self, place: Expr, state: frozenset[Symbol], *, reads: bool) -> frozenset[Symbol]:
        """What is set behind finding an element or member, which may be read, too."""
        match place:
            case Index(base=base, index=index):
                return self._place(strip_parens(base), self.value(index, state), reads=reads)
            case Member(base=base, arrow=False):
                return self._place(strip_parens(base), state, reads=reads)
            case VarRef(symbol=symbol) if not reads and symbol.type.kind not in _POINTERS:
                return state
            case _:
                return self.value(place, state)

    def _read(self, symbol: Symbol, state: frozenset[Symbol]) -> None:
        if symbol in self.watched and symbol not in state:
            self.found.add(symbol)


def _both(one: _Set, other: _Set) -> _Set:
    if one is None or other is None:
        return other if one is None else one
    return one & other


def _all(states: list[_Set]) -> _Set:
    result: _Set = None
    for one in states:
        result = _both(result, one)
    return result


def _is_own(node: Node, array: Symbol, counter: Symbol) -> bool:
    match node:
        case Index(base=VarRef(symbol=base), index=VarRef(symbol=index)):
            return base == array and index == counter
        case _:
            return False


def _sets_element(statement: Stmt, array: Symbol) -> bool:
    match statement:
        case ExprStatement(expr=Assign(op="=", target=Index() as target, value=value)):
            return root_symbol(target) == array and array not in symbols_in(value)
        case _:
            return False
