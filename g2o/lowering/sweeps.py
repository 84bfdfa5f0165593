"""What sweeps over a small array of numbers leave there, found by going through them once.

The array has as many elements as the kernel says, and the loops have as many turns: they are gone
through with sums of the first values of the elements in place of numbers. Whatever a loop asks
for has to be a number; what does not is not understood.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, final

from g2o.analysis.effects import root_symbol, statements_of
from g2o.ir.expressions import (
    Assign,
    Binary,
    Cast,
    Code,
    Conditional,
    Expr,
    Index,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import Block, CountedLoop, Declare, Empty, ExprStatement, For, If, Stmt
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import INT, CType, TypeKind

_DIGIT: Final = 16  # bits for how often an element counts in a sum
_MOST: Final = 1 << (_DIGIT - 1)
_MOST_STEPS: Final = 300_000
_OPERATIONS: Final[dict[str, Callable[[int, int], int]]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
}


class NotUnderstoodError(Exception):
    """A statement is not one of those that can be gone through."""


@final
@dataclass(frozen=True, slots=True)
class Sum:
    """A sum of first values: the digits of `counts` say how often each is in it, at most `most`."""

    counts: int
    most: int

    @classmethod
    def of(cls, elements: Iterable[int]) -> Sum:
        return cls(sum(1 << (_DIGIT * element) for element in elements), 1)

    def __add__(self, other: Sum) -> Sum:
        if self.most + other.most >= _MOST:
            raise NotUnderstoodError
        return Sum(self.counts + other.counts, self.most + other.most)

    def is_of(self, elements: Iterable[int]) -> bool:
        return self.counts == Sum.of(elements).counts


Value = int | Sum


@final
@dataclass(slots=True)
class Sweeps:
    """Goes through statements on `array`, which has `extent` elements of type `element`.

    `numbers` are the variables whose values are known. `stored` collects what is stored elsewhere,
    `formed` every sum on the way.
    """

    array: Symbol
    element: CType
    extent: int
    numbers: dict[Symbol, Value]
    elements: list[Sum] = field(default_factory=list[Sum])
    stored: list[tuple[Assign, Sum]] = field(default_factory=list["tuple[Assign, Sum]"])
    formed: set[int] = field(default_factory=set[int])
    changed: set[Symbol] = field(default_factory=set[Symbol])
    steps: int = 0

    def run(self, statements: Iterable[Stmt]) -> None:
        """Go through the statements; raises NotUnderstoodError."""
        self.elements = [Sum.of((place,)) for place in range(self.extent)]
        for statement in statements:
            self._statement(statement, outermost=True)

    def _statement(self, statement: Stmt, outermost: bool = False) -> None:
        self._step()
        match statement:
            case Empty():
                pass
            case Block(statements=inner):
                for one in inner:
                    self._statement(one)
            case Declare(variables=variables):
                for variable in variables:
                    if variable.initial is None:
                        raise NotUnderstoodError
                    self._set(variable.symbol, self._value(variable.initial))
            case ExprStatement(expr=expr):
                self._effect(expr, outermost)
            case If(condition=condition, then=then, otherwise=otherwise):
                if self._number(condition):
                    self._statement(then)
                elif otherwise is not None:
                    self._statement(otherwise)
            case For(initial=initial, condition=condition, increment=increment) if (
                condition is not None and increment is not None
            ):
                if initial is not None:
                    self._statement(initial)
                while self._number(condition):
                    for one in statements_of(statement.body):
                        self._statement(one)
                    self._effect(increment, outermost=False)
            case CountedLoop(index=index, step=None):
                turn = self._number(statement.lower)
                while True:
                    self.numbers[index] = turn
                    if turn >= self._number(statement.upper):
                        break
                    for one in statements_of(statement.body):
                        self._statement(one)
                    turn += 1
            case _:
                raise NotUnderstoodError

    def _effect(self, expr: Expr, outermost: bool) -> None:
        match strip_parens(expr):
            case Unary(op="++" | "--" as op, operand=operand):
                change = Literal("1", 1, operand.type)
                self._effect(Assign(f"{op[0]}=", operand, change, operand.type), outermost)
            case Assign(op="=", target=target, value=value) as assign:
                self._assign(assign, target, self._value(value), outermost)
            case Assign(op=op, target=target, value=value) as assign:
                whole = Binary(op[:-1], target, value, target.type)
                self._assign(assign, target, self._value(whole), outermost)
            case _:
                raise NotUnderstoodError

    def _assign(self, assign: Assign, target: Expr, value: Value, outermost: bool) -> None:
        match strip_parens(target):
            case VarRef(symbol=symbol):
                self._set(symbol, value)
            case Index(base=VarRef(symbol=symbol), index=index) if symbol == self.array:
                new = Sum(0, 0) if value == 0 else value
                if not isinstance(new, Sum):
                    raise NotUnderstoodError
                self.formed.add(new.counts)
                self.elements[self._place(index)] = new
            case Index() as element if outermost and assign.op == "=" and isinstance(value, Sum):
                if not _is_of_parameters(element):
                    raise NotUnderstoodError
                self.stored.append((assign, value))
            case _:
                raise NotUnderstoodError

    def _set(self, symbol: Symbol, value: Value) -> None:
        ctype = symbol.type
        sums = isinstance(value, Sum)
        fits = _same(ctype, self.element) if sums else is_number(value, ctype)
        if not fits or ctype.is_volatile or symbol.storage is Storage.GLOBAL:
            raise NotUnderstoodError
        self.changed.add(symbol)
        self.numbers[symbol] = value

    def _place(self, index: Expr) -> int:
        place = self._number(index)
        if not 0 <= place < self.extent:
            raise NotUnderstoodError
        return place

    def _number(self, expr: Expr) -> int:
        value = self._value(expr)
        if isinstance(value, Sum):
            raise NotUnderstoodError
        return value

    def _value(self, expr: Expr) -> Value:
        self._step()
        match expr:
            case Paren(inner=inner):
                return self._value(inner)
            case Code(parts=(only,)) if not isinstance(only, str):
                return self._value(only)
            case Code(parts=("std::min(" | "std::min<int>(", left, ", ", right, ")")) if (
                not isinstance(left, str) and not isinstance(right, str)
            ):
                return min(self._number(left), self._number(right))
            case Literal():
                known = integer_value(expr)
                if known is None:
                    raise NotUnderstoodError
                return known
            case VarRef(symbol=symbol) if symbol in self.numbers:
                return self.numbers[symbol]
            case Index(base=VarRef(symbol=symbol), index=index) if symbol == self.array:
                return self.elements[self._place(index)]
            case Cast(operand=operand) if expr.type.kind is TypeKind.INTEGER:
                return _fitting(self._number(operand), expr.type)
            case Unary(op="!", operand=operand):
                return int(not self._number(operand))
            case Unary(op="-", operand=operand):
                return _fitting(-self._number(operand), expr.type)
            case Conditional(condition=condition, if_true=if_true, if_false=if_false):
                return self._value(if_true if self._number(condition) else if_false)
            case Binary():
                return self._operation(expr)
            case _:
                raise NotUnderstoodError

    def _operation(self, expr: Binary) -> Value:
        if expr.op in ("&&", "||"):
            left = bool(self._number(expr.left))
            if left is (expr.op == "||"):
                return int(left)
            return int(bool(self._number(expr.right)))
        left, right = self._value(expr.left), self._value(expr.right)
        if isinstance(left, Sum) and isinstance(right, Sum) and expr.op == "+":
            total = left + right
            self.formed.add(total.counts)
            return total
        if isinstance(left, Sum) or isinstance(right, Sum) or expr.op not in _OPERATIONS:
            raise NotUnderstoodError
        if (left < 0 or right < 0) and not (expr.left.type.is_signed and expr.right.type.is_signed):
            raise NotUnderstoodError
        if expr.op in ("/", "%", "<<", ">>") and (left < 0 or right < 0):
            raise NotUnderstoodError
        if (expr.op in ("/", "%") and right == 0) or (expr.op in ("<<", ">>") and right > 31):
            raise NotUnderstoodError
        return _fitting(_OPERATIONS[expr.op](left, right), expr.type)

    def _step(self) -> None:
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise NotUnderstoodError


def _is_of_parameters(element: Index) -> bool:
    """Is it an element of a parameter's memory, of which the place is told by numbers and by
    parameters alone?"""
    for node in walk(element):
        match node:
            case Index() | Member():
                root = root_symbol(node)
                if root is None or root.storage is not Storage.PARAMETER:
                    return False
            case VarRef(symbol=symbol):
                if symbol.storage is not Storage.PARAMETER and not symbol.type.is_arithmetic:
                    return False
            case Binary() | Cast() | Literal() | Paren():
                pass
            case _:
                return False
    return True


def is_number(value: int, ctype: CType) -> bool:
    """Does a variable of the type hold the value as it is in every type of 32 bits and more?"""
    if ctype.kind is not TypeKind.INTEGER or ctype.bits < INT.bits:
        return False
    return 0 <= value < 1 << 31 or (ctype.is_signed and -(1 << 31) <= value < 0)


def _same(left: CType, right: CType) -> bool:
    return left.kind is right.kind and (left.bits, left.is_signed) == (right.bits, right.is_signed)


def _fitting(value: int, ctype: CType) -> int:
    """The value, where it is the same in every type of 32 bits and more that holds it."""
    if 0 < ctype.bits < INT.bits and ctype.kind is not TypeKind.BOOL:
        raise NotUnderstoodError
    if not 0 <= value < 1 << 31 and not (ctype.is_signed and -(1 << 31) <= value < 0):
        raise NotUnderstoodError
    return value
