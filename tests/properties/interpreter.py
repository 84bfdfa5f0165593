"""Runs a kernel on its IR: one block after another, thread by thread in a random order.

Threads take turns at every access to memory that others see. Accesses are noted with the number of
barriers before them, so that a race is found in whatever order the threads happen to run.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from random import Random
from typing import Final, final

from g2o.ir.expressions import (
    Assign,
    Binary,
    Builtin,
    Call,
    Cast,
    Code,
    Conditional,
    Expr,
    Index,
    LaunchRef,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    Empty,
    ExprStatement,
    For,
    If,
    Jump,
    JumpKind,
    Return,
    Stmt,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.types import TypeKind


def _wrapped(value: int) -> int:
    """As an `int` of 32 bits."""
    return (value + 2**31) % 2**32 - 2**31


def _quotient(a: int, b: int) -> int:
    if b == 0:
        raise Meaningless("division by zero")
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


_OPERATIONS: Final[dict[str, Callable[[int, int], int]]] = {
    "+": lambda a, b: _wrapped(a + b),
    "-": lambda a, b: _wrapped(a - b),
    "*": lambda a, b: _wrapped(a * b),
    "/": _quotient,
    "%": lambda a, b: a - _quotient(a, b) * b,
    "<<": lambda a, b: _wrapped(a << b),
    ">>": lambda a, b: a >> b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "&&": lambda a, b: int(bool(a) and bool(b)),
    "||": lambda a, b: int(bool(a) or bool(b)),
}


@final
@dataclass(frozen=True, slots=True)
class Pointer:
    """An element of an array."""

    name: str
    place: int


Value = int | Pointer
Steps = Generator[str, None, Value]


class Meaningless(Exception):
    """The kernel leaves its arrays, or reads shared memory before it is written."""


@final
@dataclass(frozen=True, slots=True)
class Run:
    """What is in the given arrays at the end, and where threads met without a barrier between."""

    memory: dict[str, tuple[int, ...]]
    races: frozenset[tuple[str, int]]


_Key = tuple[int, str, int, int]  # block (-1 for all), array, element, barriers before


@final
@dataclass(slots=True)
class Interpreter:
    """`sizes` are the elements of every array by name; those in `given` are not shared memory.
    `parameters` are the scalar arguments."""

    kernel: Kernel
    threads: tuple[int, int]
    sizes: dict[str, int]
    given: tuple[str, ...]
    parameters: dict[str, int]
    seed: int
    blocks: int = 1
    block: int = 0
    written: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])
    epoch: dict[int, int] = field(default_factory=dict[int, int])
    memory: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    touched: dict[_Key, set[tuple[int, bool]]] = field(
        default_factory=dict[_Key, set[tuple[int, bool]]]
    )

    def run(self) -> Run:
        """Run until all threads have returned. Raises Meaningless."""
        random = Random(self.seed)
        values = Random(17)
        for name, size in self.sizes.items():
            self.memory[name] = [values.randrange(-50, 50) for _ in range(size)]
        for number in range(self.blocks):
            self.block = number
            self.written.clear()
            self._run_block(random)
        races = frozenset(
            (name, place)
            for (_, name, place, _), seen in self.touched.items()
            if len({number for number, _ in seen}) > 1 and any(writes for _, writes in seen)
        )
        return Run({name: tuple(self.memory[name]) for name in self.given}, races)

    def _run_block(self, random: Random) -> None:
        width, height = self.threads
        waiting: set[int] = set()
        running: dict[int, Steps] = {}
        for number in range(width * height):
            self.epoch[number] = 0
            running[number] = _Thread(self, number, number % width, number // width).steps()
        while running:
            ready = [number for number in running if number not in waiting]
            if not ready:
                waiting.clear()
                continue
            number = random.choice(ready)
            try:
                if next(running[number]) == "barrier":
                    self.epoch[number] += 1
                    waiting.add(number)
            except StopIteration:
                del running[number]

    def note(self, name: str, place: int, number: int, writes: bool) -> None:
        if not 0 <= place < self.sizes[name]:
            raise Meaningless(f"{name}[{place}]")
        if writes:
            self.written.add((name, place))
        elif name not in self.given and (name, place) not in self.written:
            raise Meaningless(f"{name}[{place}] is read before it is written")
        key = (self.block, name, place, self.epoch[number])
        self.touched.setdefault(key, set()).add((number, writes))
        if name in self.given and self.blocks > 1:
            self.touched.setdefault((-1, name, place, 0), set()).add((self.block, writes))


class _Returned(Exception):
    pass


class _Left(Exception):
    """`break`, or `continue`."""

    def __init__(self, kind: JumpKind) -> None:
        self.kind = kind


@final
@dataclass(slots=True)
class _Thread:
    block: Interpreter
    number: int
    x: int
    y: int
    variables: dict[Symbol, Value] = field(default_factory=dict[Symbol, Value])

    def steps(self) -> Steps:
        with contextlib.suppress(_Returned):
            yield from self._statement(self.block.kernel.body)
        return 0

    def _statement(self, node: Stmt) -> Steps:
        match node:
            case Block(statements=statements):
                for statement in statements:
                    yield from self._statement(statement)
            case Declare(variables=variables):
                for variable in variables:
                    if variable.initial is not None:
                        self.variables[variable.symbol] = yield from self._value(variable.initial)
            case ExprStatement(expr=expr):
                yield from self._value(expr)
            case If(condition=condition, then=then, otherwise=otherwise):
                if (yield from self._value(condition)):
                    yield from self._statement(then)
                elif otherwise is not None:
                    yield from self._statement(otherwise)
            case For(initial=initial, condition=condition, increment=increment, body=body):
                assert initial is not None
                assert condition is not None
                assert increment is not None
                yield from self._statement(initial)
                while (yield from self._value(condition)) and (yield from self._turn(body)):
                    yield from self._value(increment)
            case While(condition=condition, body=body):
                while (yield from self._value(condition)) and (yield from self._turn(body)):
                    pass
            case Jump(kind=kind):
                raise _Left(kind)
            case Barrier():
                yield "barrier"
            case Return():
                raise _Returned
            case Empty():
                pass
            case _:
                raise AssertionError(f"not interpreted: {node}")
        return 0

    def _turn(self, body: Stmt) -> Generator[str, None, bool]:
        """Run the body of a loop once. Does the loop go on?"""
        try:
            yield from self._statement(body)
        except _Left as left:
            return left.kind is JumpKind.CONTINUE
        return True

    def _number(self, expr: Expr) -> Generator[str, None, int]:
        value = yield from self._value(expr)
        assert isinstance(value, int), expr
        return value

    def _value(self, expr: Expr) -> Steps:
        match expr:
            case Literal(value=int(value)):
                return value
            case Paren(inner=inner):
                return (yield from self._value(inner))
            case Code(parts=(part,)) if not isinstance(part, str):
                return (yield from self._value(part))
            case LaunchRef(builtin=builtin, axis=axis):
                return self._launch(builtin, axis)
            case VarRef(symbol=symbol) if (
                symbol.type.is_indirect and symbol.storage is not Storage.LOCAL
            ):
                return Pointer(symbol.name, 0)
            case VarRef(symbol=symbol) if symbol.storage in (Storage.LOCAL, Storage.PARAMETER):
                if symbol in self.variables:
                    return self.variables[symbol]
                if symbol.storage is Storage.LOCAL:
                    raise Meaningless(f"{symbol.name} is read before it is written")
                return self.block.parameters[symbol.name]
            case Unary(op="-", operand=operand):
                return _wrapped(-(yield from self._number(operand)))
            case Unary(op="&", operand=operand):
                return Pointer(*(yield from self._place(operand)))
            case Cast(operand=operand):
                return (yield from self._value(operand))
            case Call(name="min" | "max" as name, arguments=(one, other)):
                first = yield from self._number(one)
                second = yield from self._number(other)
                return min(first, second) if name == "min" else max(first, second)
            case Unary(op="~", operand=operand):
                return ~(yield from self._number(operand))
            case Unary(op="!", operand=operand):
                return int(not (yield from self._value(operand)))
            case Unary(op="++" | "--" as op, operand=VarRef(symbol=symbol)):
                if symbol not in self.variables:
                    raise Meaningless(f"{symbol.name} is read before it is written")
                old = self.variables[symbol]
                assert isinstance(old, int)
                self.variables[symbol] = _wrapped(old + (1 if op == "++" else -1))
                return old if expr.postfix else self.variables[symbol]
            case Conditional(condition=condition, if_true=one, if_false=other):
                chosen = one if (yield from self._value(condition)) else other
                return (yield from self._value(chosen))
            case Binary(op="&&" | "||" as op, left=left, right=right):
                first = yield from self._value(left)
                if bool(first) == (op == "||"):
                    return int(bool(first))
                return int(bool((yield from self._value(right))))
            case Binary(op=op, left=left, right=right):
                value = yield from self._value(left)
                second = yield from self._number(right)
                if isinstance(value, Pointer):
                    assert op in "+-", op
                    return Pointer(value.name, value.place + (second if op == "+" else -second))
                return _OPERATIONS[op](value, second)
            case Assign(op=op, target=target, value=value):
                return (yield from self._assign(op, target, value))
            case Index() | Member() | VarRef() | Unary(op="*"):
                name, place = yield from self._place(expr)
                yield "access"
                self.block.note(name, place, self.number, writes=False)
                return self.block.memory[name][place]
            case _:
                raise AssertionError(f"not interpreted: {expr}")

    def _assign(self, op: str, target: Expr, value: Expr) -> Steps:
        new = yield from self._value(value)
        if isinstance(target, VarRef) and not self._is_element(target):
            if op != "=":
                if target.symbol not in self.variables:
                    raise Meaningless(f"{target.symbol.name} is read before it is written")
                old = self.variables[target.symbol]
                assert isinstance(old, int)
                assert isinstance(new, int)
                new = _OPERATIONS[op[:-1]](old, new)
            self.variables[target.symbol] = new
            return new
        name, place = yield from self._place(target)
        assert isinstance(new, int)
        if op != "=":
            yield "access"
            self.block.note(name, place, self.number, writes=False)
            new = _OPERATIONS[op[:-1]](self.block.memory[name][place], new)
        yield "access"
        self.block.note(name, place, self.number, writes=True)
        self.block.memory[name][place] = new
        return new

    def _is_element(self, expr: Expr) -> bool:
        """Is it a scalar that all threads of the block share?"""
        match expr:
            case VarRef(symbol=symbol):
                return symbol.storage is Storage.SHARED and not symbol.type.is_indirect
            case _:
                return False

    def _place(self, expr: Expr) -> Generator[str, None, tuple[str, int]]:
        """The array and the flat index."""
        member = ""
        if isinstance(expr, Member):
            member = f".{expr.name}"
            expr = expr.base
        indices: list[tuple[int, int]] = []
        while isinstance(expr, Index):
            element = expr.base.type.element
            inner = 1
            while element is not None and element.kind is TypeKind.ARRAY:
                inner *= element.extent or 0
                element = element.element
            indices.append(((yield from self._number(expr.index)), inner))
            expr = expr.base
        flat = sum(index * size for index, size in indices)
        if isinstance(expr, VarRef) and self._is_element(expr):
            return expr.symbol.name, flat
        base = yield from self._value(expr)
        assert isinstance(base, Pointer)
        return base.name + member, base.place + flat

    def _launch(self, builtin: Builtin, axis: int | None) -> int:
        width, height = self.block.threads
        match builtin:
            case Builtin.THREAD_INDEX:
                return (self.x, self.y, 0)[axis or 0]
            case Builtin.BLOCK_DIM:
                return (width, height, 1)[axis or 0]
            case Builtin.GRID_DIM:
                return self.block.blocks if axis == 0 else 1
            case Builtin.BLOCK_INDEX:
                return self.block.block if axis == 0 else 0
            case _:
                return 0
