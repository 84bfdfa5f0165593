"""Minima and maxima of real numbers that are taken of their bits, as integers.

    atomicMax((int *)&x, __float_as_int(v));                         g2o::atomic_max_as<int>(&x, v);

    v >= 0 ? __int_as_float(atomicMax((int *)&x, __float_as_int(v)))                  ->
           : __uint_as_float(atomicMin((unsigned *)&x, __float_as_uint(v)));
                                                                     g2o::atomic_max(&x, v);

Bits of numbers that are not negative have the order of the numbers, as signed and as unsigned
integers; those of negative numbers have the opposite order as unsigned integers, in which they lie
above all others, and lie below all others as signed ones. So the second form gives the larger
number whatever the signs are; of the first nothing is taken for granted.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.ad.bits import FROM_BITS, TO_BITS
from g2o.analysis.effects import EffectsOf, statements_of
from g2o.analysis.functions import FunctionTable
from g2o.analysis.value_types import value_type
from g2o.ir.comments import change_statements
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Literal,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Block, Declare, ExprStatement, If, Stmt
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import CType, TypeKind

_KINDS: Final = ("Min", "Max")
_OPPOSITE: Final = {"Min": "Max", "Max": "Min"}


@final
@dataclass(frozen=True, slots=True)
class _Ordered:
    """atomicMin or atomicMax of the bits of `value` and of what is at `address`."""

    kind: str
    address: Expr
    value: Expr
    is_signed: bool
    type: CType
    bits: str


def recognise_ordered_bits(kernel: Kernel, functions: FunctionTable) -> Kernel:
    """The kernel with operations on numbers for those on their bits whose result nobody reads."""
    if not any(_ordered(node) for node in walk(kernel.body) if isinstance(node, Call)):
        return kernel
    effects = functions.for_node(kernel.body)
    read = _read(kernel.body)

    def changed(statement: Stmt) -> Stmt | None:
        found = _of_statement(statement, read, effects)
        return statement if found is None else replace(found, trivia=statement.trivia)

    body = change_statements(kernel.body, changed)
    if body is kernel.body:
        return kernel
    return replace(kernel, function=replace(kernel.function, body=body))


def _read(body: Block) -> set[Symbol]:
    stored = {id(node.target) for node in walk(body) if isinstance(node, Assign) and node.op == "="}
    return {n.symbol for n in walk(body) if isinstance(n, VarRef) and id(n) not in stored}


def _of_statement(
    statement: Stmt, read: Collection[Symbol], effects: EffectsOf
) -> ExprStatement | None:
    match statement:
        case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=value)):
            unread = symbol not in read and symbol.storage is Storage.LOCAL
            return _of_value(value, effects) if unread else None
        case ExprStatement(expr=expr):
            return _of_value(expr, effects)
        case Declare(variables=(one,)) if one.initial is not None and one.symbol not in read:
            plain = one.symbol.type.is_arithmetic
            return _of_value(one.initial, effects) if plain else None
        case If(condition=condition, then=then, otherwise=otherwise) if otherwise is not None:
            first, second = statements_of(then), statements_of(otherwise)
            if len(first) != 1 or len(second) != 1:
                return None
            values = [_value_of(one, read) for one in (first[0], second[0])]
            if values[0] is None or values[1] is None:
                return None
            return _by_sign(condition, values[0], values[1], effects)
        case _:
            return None


def _value_of(statement: Stmt, read: Collection[Symbol]) -> Expr | None:
    match statement:
        case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=value)):
            return value if symbol not in read and symbol.storage is Storage.LOCAL else None
        case ExprStatement(expr=expr):
            return expr
        case _:
            return None


def _of_value(expr: Expr, effects: EffectsOf) -> ExprStatement | None:
    match strip_parens(expr):
        case Conditional(condition=condition, if_true=one, if_false=other):
            return _by_sign(condition, one, other, effects)
        case inner:
            one = _ordered(inner)
            if one is None:
                return None
            name = f"atomicBits{one.kind}"
            callee = Literal(f"g2o::atomic_{one.kind.lower()}_as<{one.bits}>")
            call = Call(name, callee, (one.address, one.value), is_cuda=True, type=one.type)
            return ExprStatement(replace(call, span=expr.span))


def _by_sign(
    condition: Expr, if_true: Expr, if_false: Expr, effects: EffectsOf
) -> ExprStatement | None:
    """One operation on numbers for the operations on bits of numbers of either sign."""
    one, other = _ordered(strip_parens(if_true)), _ordered(strip_parens(if_false))
    if one is None or other is None:
        return None
    positive = _says_positive(strip_parens(condition), one.value)
    if positive is None or (one.address, one.value) != (other.address, other.value):
        return None
    if not positive:
        one, other = other, one
    if not one.is_signed or other.is_signed or other.kind != _OPPOSITE[one.kind]:
        return None
    if not effects.is_pure(one.value) or not effects.is_pure(one.address):
        return None
    callee = Literal(f"g2o::atomic_{one.kind.lower()}")
    name = f"atomic{one.kind}"
    call = Call(name, callee, (one.address, one.value), is_cuda=True, type=one.type)
    return ExprStatement(replace(call, span=if_true.span))


def _says_positive(condition: Expr, value: Expr) -> bool | None:
    """Does the condition say that the value is not negative (or, False, that it is)?"""
    match condition:
        case Binary(op=">=" | "<" as op, left=left, right=right):
            zero = strip_parens(right)
            if strip_parens(left) == strip_parens(value) and _is_zero(zero):
                return op == ">="
            return None
        case Unary(op="!", operand=Call(name="signbit" | "__signbitf" | "__signbitd") as call):
            return True if _is_of(call, value) else None
        case Call(name="signbit" | "__signbitf" | "__signbitd"):
            return False if _is_of(condition, value) else None
        case _:
            return None


def _is_of(call: Call, value: Expr) -> bool:
    return len(call.arguments) == 1 and strip_parens(call.arguments[0]) == strip_parens(value)


def _is_zero(expr: Expr) -> bool:
    return isinstance(expr, Literal) and expr.text.rstrip("fF").rstrip("0") in ("", ".", "0.")


def _ordered(expr: Expr) -> _Ordered | None:
    """The operation on bits that is all of an expression, but for a conversion of its result."""
    match expr:
        case Call(name=name, arguments=(only,)) if name in FROM_BITS:
            return _ordered(strip_parens(only))
        case Call(name=name, arguments=(pointer, bits), is_cuda=True) if name.startswith("atomic"):
            kind = name.removeprefix("atomic").removesuffix("_block").removesuffix("_system")
            address, value = strip_parens(pointer), strip_parens(bits)
            while isinstance(value, Cast) and value.type.kind is TypeKind.INTEGER:
                value = strip_parens(value.operand)
            if kind not in _KINDS or not isinstance(address, Cast):
                return None
            if not isinstance(value, Call) or value.name not in TO_BITS or value.name == "bit_cast":
                return None
            return _with_number(kind, address, value.arguments[0])
        case _:
            return None


def _with_number(kind: str, pointer: Cast, value: Expr) -> _Ordered | None:
    bits, number = pointer.type.element, pointer.operand.type.element
    if bits is None or number is None or number.kind is not TypeKind.FLOATING:
        return None
    known = value_type(value)
    same = bits.kind is TypeKind.INTEGER and bits.bits == number.bits
    if not same or (known.kind, known.bits) != (number.kind, number.bits) or number.is_volatile:
        return None
    plain = replace(number, spelling=number.spelling.strip(), is_const=False)
    spelled = bits.spelling.strip()
    return _Ordered(kind, pointer.operand, value, bits.is_signed, plain, spelled)
