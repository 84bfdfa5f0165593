"""Quotients of thread numbers by extents of a launch are what the number was made of.

    int row = (blockIdx.x * blockDim.x + threadIdx.x) / blockDim.x;    ->  int row = blockIdx.x;
    int lane = (threadIdx.y * blockDim.x + threadIdx.x) % blockDim.x;  ->  int lane = threadIdx.x;

A number that is made of digits of a mixed radix (Knuth, "The Art of Computer Programming", 4.1) is
taken apart again: what has all factors of the divisor is the quotient, what is left is less than
the divisor and the remainder. Legal for what a launch has: it is never negative, a thread's index
is below the extent of its block, and a block's below that of the grid. Only numbers of threads or
blocks are taken apart, of which a launch has fewer than 2^31, as everywhere: others, as hashes are,
wrap around.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import Final, final

from g2o.analysis.definitions import constants_of
from g2o.analysis.functions import FunctionTable
from g2o.ir.expressions import (
    Binary,
    Builtin,
    Cast,
    Expr,
    LaunchRef,
    Literal,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Node
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT, UNSIGNED, CType, TypeKind

_EXTENTS: Final = {
    Builtin.THREAD_INDEX: Builtin.BLOCK_DIM,
    Builtin.BLOCK_INDEX: Builtin.GRID_DIM,
}
Factor = tuple[Builtin, int]
_ALL_EXTENTS: Final = tuple((extent, axis) for extent in _EXTENTS.values() for axis in range(3))
Product = tuple[int, tuple[Factor, ...]]
"""A coefficient above zero, and what a launch has, sorted."""


def without_launch_quotients(kernel: Kernel, functions: FunctionTable) -> Kernel:
    """The kernel with such quotients and remainders as the digits they are."""
    if not any(map(_divides, walk(kernel.body))):
        return kernel
    constants = constants_of(kernel.body, functions.for_node(kernel.body))
    digits = _Digits({one: value for one, value in constants.items() if _is_wide(one.type)})

    def taken_apart(node: Node) -> Node | None:
        return digits.of(node) if isinstance(node, Binary) and _divides(node) else None

    body = rewrite(kernel.body, taken_apart)
    if body is kernel.body:
        return kernel
    return replace(kernel, function=replace(kernel.function, body=body))


def _divides(node: Node) -> bool:
    return isinstance(node, Binary) and node.op in ("/", "%") and _is_wide(node.type)


def _is_wide(ctype: CType) -> bool:
    return ctype.kind is TypeKind.INTEGER and ctype.bits >= INT.bits


@final
@dataclass(frozen=True, slots=True)
class _Digits:
    constants: Mapping[Symbol, Expr]

    def of(self, quotient: Binary) -> Expr | None:
        by = self._products(quotient.right)
        number = self._products(quotient.left)
        if by is None or number is None or len(by) != 1:
            return None
        ((times, factors),) = by
        if times != 1 or not factors or not _is_below(number, _ALL_EXTENTS):
            return None
        over = [(one, _without(one, factors)) for one in number]
        rest = [one for one, left in over if left is None]
        if not rest or len(rest) == len(over) or not _is_below(rest, factors):
            return None
        whole = [left for _, left in over if left is not None]
        terms = whole if quotient.op == "/" else rest
        return _sum(terms, quotient.type)

    def _products(self, number: Expr) -> list[Product] | None:
        """The products that it is the sum of; None where something else is in it."""
        match strip_parens(number):
            case Binary(op="+", left=left, right=right):
                first, second = self._products(left), self._products(right)
                return None if first is None or second is None else [*first, *second]
            case Binary(op="*", left=left, right=right):
                first, second = self._products(left), self._products(right)
                if first is None or second is None:
                    return None
                return [_product(one, other) for one in first for other in second]
            case Cast(operand=operand, type=ctype) if _is_wide(ctype):
                return self._products(operand)
            case LaunchRef(builtin=builtin, axis=int() as axis):
                return [(1, ((builtin, axis),))]
            case VarRef(symbol=symbol) if symbol in self.constants:
                return self._products(self.constants[symbol])
            case bare:
                value = integer_value(bare)
                return None if value is None or value < 1 else [(value, ())]


def _product(one: Product, other: Product) -> Product:
    return one[0] * other[0], tuple(sorted((*one[1], *other[1]), key=_place))


def _place(factor: Factor) -> tuple[bool, str, int]:
    """Indices stand in front of extents."""
    return factor[0] not in _EXTENTS, factor[0].value, factor[1]


def _without(product: Product, factors: tuple[Factor, ...]) -> Product | None:
    """The product without these factors; None where it has not all of them."""
    left = Counter(product[1])
    left.subtract(factors)
    if any(count < 0 for count in left.values()):
        return None
    return product[0], tuple(left.elements())


def _is_below(number: list[Product], factors: tuple[Factor, ...]) -> bool:
    """Is the sum below this product, whatever the extents are?"""
    if not number:
        return True
    return any(
        _is_below(number[:place] + number[place + 1 :], below)
        for place, one in enumerate(number)
        for below in _below(one, factors)
    )


def _below(product: Product, factors: tuple[Factor, ...]) -> Iterator[tuple[Factor, ...]]:
    """What has to be above the rest, where `product` is the highest digit."""
    for index in product[1]:
        extent = _EXTENTS.get(index[0])
        others = _without(product, (index,))
        if extent is None or others is None or others[0] != 1:
            continue
        # index <= extent - 1, so that index * others + rest < extent * others while rest < others
        if _without((1, factors), ((extent, index[1]), *others[1])) is not None:
            yield others[1]


def _sum(terms: list[Product], ctype: CType) -> Expr:
    number = reduce(lambda left, right: Binary("+", left, right, UNSIGNED), map(_spelled, terms))
    is_alike = (ctype.bits, ctype.is_signed) == (UNSIGNED.bits, UNSIGNED.is_signed)
    return number if is_alike else Cast(number, ctype)


def _spelled(product: Product) -> Expr:
    times, factors = product
    parts: list[Expr] = [LaunchRef(builtin, axis, UNSIGNED) for builtin, axis in factors]
    if times != 1 or not parts:
        parts.insert(0, Literal(str(times), times, UNSIGNED))
    return reduce(lambda left, right: Binary("*", left, right, UNSIGNED), parts)
