"""Signed numbers that cannot be negative.

    const int i = blockIdx.x * blockDim.x + threadIdx.x;     positions and extents are not
    for (int s = blockDim.x / 2; s > 0; s >>= 1)             nor what starts so and only shrinks
    for (int k = threadIdx.x; k < n; k += blockDim.x)        or grows

Signed overflow is undefined in C++, so it does not happen. A variable counts as natural where every
value that is stored to it is, given that it was natural before: then it always is, by induction
over the stores. Unsigned variables count where their numbers are those of signed ones as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

from g2o.analysis.effects import EffectsOf, root_symbol
from g2o.ir.expressions import (
    Assign,
    Binary,
    Builtin,
    Call,
    Cast,
    Code,
    Conditional,
    Expr,
    LaunchRef,
    Literal,
    Paren,
    Unary,
    VarRef,
    Verbatim,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import CountedLoop, Declare, Exchange, LocalFunction, Node, Text
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, walk
from g2o.ir.types import CType, TypeKind

_SMALL_FACTOR = 4
_LOGICAL = frozenset({"<", ">", "<=", ">=", "==", "!=", "&&", "||"})
_COUNTS = frozenset({"__popc", "__popcll", "__clz", "__clzll", "__ffs", "__ffsll", "abs", "labs"})
_LARGEST = 2**31


@final
@dataclass(frozen=True, slots=True)
class NaturalValues:
    """The integer variables of a kernel that are never negative, nor too large for a signed one."""

    variables: frozenset[Symbol]

    @classmethod
    def of(cls, body: Node, effects: EffectsOf) -> NaturalValues:
        """Those that `body` declares. A parameter may be any number."""
        stores: dict[Symbol, list[Expr]] = {}
        unknown: set[Symbol] = set()
        for node in walk(body):
            known = list(stores_of(node))
            for symbol, value in known:
                stores.setdefault(symbol, []).append(value)
            unknown |= written_otherwise(node, effects) - {symbol for symbol, _ in known}
        own = (symbol for symbol in stores if symbol.storage is Storage.LOCAL)
        found = frozenset(symbol for symbol in own if _is_integer(symbol.type)) - unknown
        while True:
            natural = cls(found)
            kept = frozenset(
                symbol
                for symbol in found
                if all(natural.is_kept_by(symbol, value) for value in stores.get(symbol, ()))
            )
            if kept == found:
                return natural
            found = kept

    def is_kept_by(self, symbol: Symbol, value: Expr) -> bool:
        """Is `symbol` natural after a store of `value`?"""
        return self.covers(value) and not _multiplies(symbol, value)

    def covers(self, expr: Expr) -> bool:
        """Is the value of `expr`, as mathematics has it, a natural number that an int can hold?"""
        constant = integer_value(expr)
        if constant is not None:
            return 0 <= constant < _LARGEST
        match expr:
            case Paren(inner=inner):
                return self.covers(inner)
            case LaunchRef(builtin=builtin, axis=axis):
                return axis is not None or builtin is Builtin.WARP_SIZE
            case Literal():
                return True  # an argument of a template
            case VarRef(symbol=symbol):
                return (
                    symbol in self.variables
                    or symbol.storage is Storage.INDEX
                    or _is_narrow(symbol.type)
                )
            case Binary(op=op, left=left, right=right):
                return self._covers_binary(op, left, right)
            case Unary(op="!"):
                return True
            case Unary(op="+" | "++", operand=operand):
                return self.covers(operand)
            case Unary(op="--", postfix=True, operand=operand):
                return self.covers(operand)
            case Conditional(if_true=if_true, if_false=if_false):
                return self.covers(if_true) and self.covers(if_false)
            case Assign(op="=", value=value):
                return self.covers(value)
            case Cast(operand=operand, type=ctype):
                return _is_integer(ctype) and (_is_narrow(ctype) or self.covers(operand))
            case Call(name=name, arguments=arguments, is_cuda=True):
                return self._covers_call(name, arguments)
            case Code(type=ctype, parts=("g2o::warp_size",)):
                return _is_integer(ctype)
            case _:
                return _is_narrow(expr.type)

    def _covers_binary(self, op: str, left: Expr, right: Expr) -> bool:
        match op:
            case "+" if any(map(is_argument, (left, right))):
                return False
            case "+" | "*" | "/" | "|" | "^":
                return self.covers(left) and self.covers(right)
            case "%":
                return self.covers(left) and self.covers(right)
            case ">>" | "<<":
                return self.covers(left)  # nothing is shifted by less than 0
            case "&":
                return self.covers(left) or self.covers(right)
            case "-":
                less = integer_value(right)
                return (_is_extent(left) and less in (0, 1)) or (
                    is_argument(left) and less is not None and less >= 0
                )
            case _:
                return op in _LOGICAL

    def _covers_call(self, name: str, arguments: tuple[Expr, ...]) -> bool:
        match name:
            case "min":
                return all(map(self.covers, arguments))
            case "max":
                return any(map(self.covers, arguments))
            case _:
                return name in _COUNTS


def stores_of(node: Node) -> Iterator[tuple[Symbol, Expr]]:
    """Variables that the node itself gives a value, and that value."""
    match node:
        case Declare(variables=variables):
            for variable in variables:
                if variable.initial is not None:
                    yield variable.symbol, variable.initial
                else:
                    yield variable.symbol, Literal("0", 0)
        case Assign(op="=", target=VarRef(symbol=symbol), value=value):
            yield symbol, value
        case Assign(op=op, target=VarRef(symbol=symbol) as target, value=value):
            yield symbol, Binary(op[:-1], target, value, target.type)
        case Unary(op="++" | "--" as op, operand=VarRef(symbol=symbol) as operand):
            yield symbol, Binary(op[0], operand, Literal("1", 1, operand.type), operand.type)
        case CountedLoop(index=index, lower=lower):
            yield index, lower
        case _:
            pass


def written_otherwise(node: Node, effects: EffectsOf) -> set[Symbol]:
    """Variables that the node itself changes, or may change later, in ways not looked into."""
    match node:
        case Unary(op="&", operand=operand):
            root = root_symbol(operand)
            return {root} if root is not None else set()
        case Assign() | Unary(op="++" | "--") | Call() | Code() | Verbatim() | Exchange() | Text():
            return effects.of(node).writes - effects.of_all(children(node)).writes
        case Declare(variables=variables):
            bound = [v.initial for v in variables if v.symbol.type.kind is TypeKind.REFERENCE]
            return {root for e in bound if e is not None and (root := root_symbol(e)) is not None}
        case LocalFunction():
            return effects.of(node).writes
        case _:
            return set()


def _multiplies(symbol: Symbol, value: Expr) -> bool:
    """Does `symbol = value` take the variable times much? Numbers that grow so wrap round, as those
    of hashes and random numbers do, whatever C++ says of it."""
    for node in walk(value):
        match node:
            case Binary(op="*" | "<<" as op, left=left, right=right):
                factor = right if op == "<<" or _names(left, symbol) else left
                number = integer_value(factor)
                small = number is not None and number <= (2 if op == "<<" else _SMALL_FACTOR)
                if _names(node, symbol) and not small:
                    return True
            case _:
                pass
    return False


def _names(expr: Expr, symbol: Symbol) -> bool:
    return any(isinstance(node, VarRef) and node.symbol == symbol for node in walk(expr))


def _is_integer(ctype: CType) -> bool:
    return ctype.kind is TypeKind.INTEGER and ctype.bits >= 32


def _is_narrow(ctype: CType) -> bool:
    """Is every number of the type natural, and one of `int`?"""
    if ctype.kind is TypeKind.BOOL:
        return True
    return ctype.kind is TypeKind.INTEGER and 0 < ctype.bits < 32 and not ctype.is_signed


def is_argument(expr: Expr) -> bool:
    """Is it an argument of a template? What is compared with one, or one less, or divided by it
    takes it for a size; what is added may be an offset, of either sign."""
    expr = strip_parens(expr)
    return isinstance(expr, Literal) and expr.value is None


def _is_extent(expr: Expr) -> bool:
    extents = (Builtin.BLOCK_DIM, Builtin.GRID_DIM)
    expr = strip_parens(expr)
    return isinstance(expr, LaunchRef) and expr.builtin in extents and expr.axis is not None
