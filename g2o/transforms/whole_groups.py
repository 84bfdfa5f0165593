"""What a quotient says of a thread's place in its block, of numbers of threads of the whole grid.

(blockIdx.x * 256 + threadIdx.x) / 32      is 8 * blockIdx.x, and threadIdx.x / 32
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.contribution_places import Arguments
from g2o.analysis.contributions import WARP
from g2o.ir.expressions import (
    Binary,
    Builtin,
    Cast,
    Expr,
    Form,
    LaunchRef,
    Literal,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import Variable
from g2o.ir.symbols import Storage
from g2o.ir.traverse import walk
from g2o.ir.types import INT, TypeKind


@final
@dataclass(frozen=True, slots=True)
class WholeGroups:
    """In blocks of these `extents`, where the template is given these `arguments`; the variables
    that are `known` never change."""

    extents: tuple[int, int, int]
    arguments: Arguments
    known: Sequence[Variable]

    def left_in(self, quotient: Binary) -> Expr | None:
        """`threadIdx.x / 32` of `(blockIdx.x * 256 + threadIdx.x) / 32`: what is added to that
        is the same for all threads. None where it may be no multiple of the divisor."""
        value = self._value(quotient.right)
        if value is None or value < 0:
            return None
        divisor = value if quotient.op == "/" else 1 << min(value, 32)
        if divisor & (divisor - 1) or divisor < 2:
            return None  # numbers without a sign wrap around at a power of two
        own: Expr | None = None
        for term in self._terms(quotient.left):
            if self._is_of_position(term):
                own = term if own is None else Binary("+", own, term, quotient.type)
            elif not self._is_of_launch(term, divisor):
                return None
        return None if own is None else replace(quotient, left=own, form=Form.BUILT)

    def _terms(self, number: Expr) -> Iterator[Expr]:
        """What a number is the sum of, that of variables that never change put in."""
        match strip_parens(number):
            case Binary(op="+", left=left, right=right):
                yield from self._terms(left)
                yield from self._terms(right)
            case Cast(operand=operand, type=ctype) if ctype.kind is TypeKind.INTEGER and (
                ctype.bits >= INT.bits
            ):
                yield from self._terms(operand)
            case VarRef(symbol=symbol) as bare:
                given = [one.initial for one in self.known if one.symbol == symbol]
                if len(given) == 1 and given[0] is not None and symbol.type.bits >= INT.bits:
                    yield from self._terms(given[0])
                else:
                    yield bare
            case bare:
                yield bare

    def _is_of_position(self, term: Expr) -> bool:
        """Does it depend on the position of a thread in its block?"""
        return any(
            (isinstance(node, LaunchRef) and node.builtin is Builtin.THREAD_INDEX)
            or (isinstance(node, VarRef) and node.symbol.storage is Storage.LOCAL)
            for node in walk(term)
        )

    def _is_of_launch(self, term: Expr, divisor: int) -> bool:
        """Is it a multiple of the divisor that is made of what a launch has? That is never below
        zero, where quotients are rounded up."""
        values = [(one, self._value(one)) for one in _factors(term)]
        whole = any(value and value > 0 and value % divisor == 0 for _, value in values)
        return whole and all(
            isinstance(one, LaunchRef) or (value is not None and value >= 0)
            for one, value in values
        )

    def _value(self, number: Expr) -> int | None:
        match strip_parens(number):
            case LaunchRef(builtin=Builtin.BLOCK_DIM, axis=int() as axis):
                return self.extents[axis]
            case LaunchRef(builtin=Builtin.WARP_SIZE):
                return WARP
            case Literal(text=text) as bare:
                known = integer_value(bare)
                return self.arguments.value(text) if known is None else known
            case bare:
                return integer_value(bare)


def _factors(term: Expr) -> Iterator[Expr]:
    match strip_parens(term):
        case Binary(op="*", left=left, right=right):
            yield from _factors(left)
            yield from _factors(right)
        case Cast(operand=operand, type=ctype) if ctype.kind is TypeKind.INTEGER:
            yield from _factors(operand)
        case bare:
            yield bare
