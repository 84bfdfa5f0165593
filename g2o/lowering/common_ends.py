"""Where numbers end that all threads step by the same amounts.

    const float *end = p + k;                      std::ptrdiff_t offset = 0;
    do {                                           do {
        s[t] = *p;                        ->           s[t] = p[offset];
        p += 16;                                       offset += 16;
    } while (p < end);                             } while (offset < k);

Each thread compares numbers of its own, and all with the same result, as each began where its end
was counted from, or both are sums with the same terms of the thread: `b * n + t` and `(b + 1) * n +
t` are `n` apart for all. What is alike may be added to either: `t < end - 2 * n`. Legal because
pointers into one array, and numbers with a sign, do not wrap around; what is made of several terms
is worked out in a wider type.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, final

from g2o.analysis.effects import EffectsOf, declared_in, symbols_in
from g2o.analysis.uniformity import Uniformity
from g2o.ir.expressions import Binary, Cast, Expr, Literal, Unary, VarRef, strip_parens
from g2o.ir.statements import Declare, Node, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.types import INT, CType, TypeKind

WIDE: Final = CType("std::ptrdiff_t", TypeKind.INTEGER, 64)
_COMPARISONS: Final = frozenset({"<", "<=", ">", ">=", "==", "!="})
_MIRRORED: Final = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
_OPPOSITE: Final = {"+": "-", "-": "+"}
_ZERO: Final = Literal("0", 0, INT)

Terms = list[tuple[str, Expr]]
"""What a sum is made of, each with `+` or `-`."""


@final
@dataclass(frozen=True, slots=True)
class Compared:
    """`number + added op end`: how far a number has come, in a comparison with its end."""

    number: Symbol
    added: Sequence[tuple[str, Expr]]
    op: str
    end: Expr

    def with_offset(self, offset: Expr) -> Binary:
        """The comparison for a number that has come as far as the offset."""
        fits = self.end.type.is_signed or self.end.type.bits < WIDE.bits
        come = offset
        for op, value in self.added:
            come = Binary(op, come, value, WIDE)
        return Binary(self.op, come, self.end if fits else Cast(self.end, WIDE), INT)


@final
@dataclass(frozen=True, slots=True)
class Ends:
    """The ends by their variables: the number that each is counted from, and how far it is; and
    what numbers `begin` with, and others that stay as they are (`fixed`) are. Variables that are
    `unsteady` have other values later."""

    known: dict[Symbol, tuple[Symbol, Expr]]
    begin: dict[Symbol, Expr]
    fixed: dict[Symbol, Expr]
    unsteady: set[Symbol]
    uniformity: Uniformity
    effects: EffectsOf

    @staticmethod
    def of(
        body: tuple[Stmt, ...],
        starts: Collection[Symbol],
        stepped: Collection[Symbol],
        changing: Collection[Symbol],
        uniformity: Uniformity,
        effects: EffectsOf,
    ) -> Ends:
        """What is declared as one of the `starts`, or with the same terms of a thread, and a number
        that all threads have alike, before that is `stepped`. Nothing else is `changing` but in its
        steps."""
        ends = Ends({}, {}, {}, {*changing, *stepped}, uniformity, effects)
        moved: set[Symbol] = set()
        for statement in body:
            match statement:
                case Declare(variables=(variable,)) if variable.initial is not None:
                    symbol, initial = variable.symbol, variable.initial
                    if symbol in starts:
                        ends.begin[symbol] = initial
                    elif symbol not in ends.unsteady:
                        if _is_held(symbol, initial):
                            ends.fixed[symbol] = initial
                        found = _counted_from(initial)
                        if (
                            found is not None
                            and found[0] in starts
                            and found[0] not in moved
                            and ends._is_alike(found[1])
                            and _holds_signs(found[0], found[1].type, symbol)
                        ):
                            ends.known[symbol] = found
                case _:
                    pass
            moved |= effects.of(statement).writes - declared_in(statement)
        return ends

    def _is_alike(self, value: Expr) -> bool:
        """Do all threads have it alike, whenever it is worked out?"""
        return self._is_steady(value) and self.uniformity.is_uniform(value)

    def _is_steady(self, value: Expr) -> bool:
        pure = self.effects.is_pure(value) and not self.effects.of(value).memory_reads
        return pure and not symbols_in(value) & self.unsteady

    def _from(self, start: Symbol, end_value: Expr) -> Expr | None:
        """How far an end is from where the number starts, where that is the same for all."""
        begin, end = _terms(self.begin[start]), _terms(end_value)
        if begin is None or end is None or not _is_held(start, self.begin[start]):
            return None
        left = self._cancelled([*end, *((_OPPOSITE[op], value) for op, value in begin)])
        if not all(self._is_alike(value) for _, value in left):
            return None
        left.sort(key=lambda one: one[0] == "-")
        return _sum(left)

    def _cancelled(self, terms: Terms) -> Terms:
        """The terms without those that are taken away again; of numbers of a thread, where that
        helps, what they are made of."""
        left: Terms = []
        for op, value in terms:
            if (_OPPOSITE[op], value) in left and self._is_steady(value):
                left.remove((_OPPOSITE[op], value))
            else:
                left.append((op, value))
        for term in left:
            op, value = term
            initial = self.fixed.get(value.symbol) if isinstance(value, VarRef) else None
            parts = None if initial is None else _terms(initial)
            if parts is not None and not self.uniformity.is_uniform(value):
                own = [one if op == "+" else (_OPPOSITE[one[0]], one[1]) for one in parts]
                return self._cancelled([*(one for one in left if one is not term), *own])
        return left

    def compared(self, condition: Expr) -> Compared | None:
        """How far a number has come, in a comparison with its end."""
        match strip_parens(condition):
            case Binary(op=op, left=left, right=right) if op in _COMPARISONS:
                one, other = self._number(left), self._number(right)
            case _:
                return None
        if (one is None or one[0] not in self.begin) and other is not None:
            one, other, left, right, op = other, one, right, left, _MIRRORED[op]
        if one is None or one[0] not in self.begin:
            return None
        number, added = one
        start, far = self.known.get(other[0], (None, _ZERO)) if other is not None else (None, _ZERO)
        if other is not None and start is number:
            against = [(_OPPOSITE[op], value) for op, value in other[1]]
            return Compared(number, [*added, *against], op, far)
        whole = self._from(number, right)
        held = whole is not None and _holds_signs(number, whole.type, number)
        return Compared(number, added, op, whole) if whole is not None and held else None

    def _number(self, side: Expr) -> tuple[Symbol, Terms] | None:
        """A number of the thread, and what is alike for all that is added to it."""
        bare = strip_parens(side)
        if isinstance(bare, VarRef):
            return bare.symbol, []
        terms = _terms(bare) or []
        own = [value for _, value in terms if not self.uniformity.is_uniform(value)]
        if len(own) != 1 or not isinstance(own[0], VarRef) or ("+", own[0]) not in terms:
            return None
        terms.remove(("+", own[0]))
        pure = all(self.effects.is_pure(value) for _, value in terms)
        return (own[0].symbol, terms) if pure else None

    def assumed(self, node: Node) -> Expr | None:
        """Something that all threads have alike, for such a comparison."""
        is_known = isinstance(node, Binary) and self.compared(node) is not None
        return _ZERO if is_known else None


def _is_held(symbol: Symbol, initial: Expr) -> bool:
    """Does the variable have the value that it is given, all of it?"""
    both = symbol.type.kind is initial.type.kind
    return both and initial.type.bits <= symbol.type.bits


def _counted_from(initial: Expr) -> tuple[Symbol, Expr] | None:
    match strip_parens(initial):
        case VarRef(symbol=symbol):
            return symbol, _ZERO
        case Binary(op="+", left=VarRef(symbol=symbol), right=right):
            return symbol, right
        case _:
            return None


def _terms(number: Expr) -> Terms | None:
    """What a sum of numbers with a sign is made of."""
    if number.type.kind is not TypeKind.INTEGER or not number.type.is_signed:
        return None
    found = list(_added(number, "+"))
    return found if all(value.type.is_signed for _, value in found) else None


def _added(number: Expr, sign: str) -> Iterator[tuple[str, Expr]]:
    match strip_parens(number):
        case Binary(op="+" | "-" as op, left=left, right=right, type=ctype) if ctype.is_signed:
            yield from _added(left, sign)
            yield from _added(right, sign if op == "+" else _OPPOSITE[sign])
        case Unary(op="-", operand=operand):
            yield from _added(operand, _OPPOSITE[sign])
        case bare:
            yield sign, bare


def _sum(terms: Terms) -> Expr:
    """The sum; in a wider type than that of its terms if there are several."""
    if not terms:
        return _ZERO
    (sign, whole), *rest = terms
    if rest:
        whole = Cast(whole, WIDE)
    if sign == "-":
        whole = Unary("-", whole, type=whole.type)
    for op, value in rest:
        whole = Binary(op, whole, value, WIDE)
    return whole


def _holds_signs(start: Symbol, far: CType, end: Symbol) -> bool:
    """Are both pointers of one type, or numbers with a sign that hold the same?"""
    if far.kind is not TypeKind.INTEGER:
        return False
    if start.type.kind is TypeKind.POINTER:
        return end.type.kind is TypeKind.POINTER
    plain = start.type.kind is end.type.kind is TypeKind.INTEGER and far.is_signed
    return (
        plain and start.type.is_signed and end.type.is_signed and start.type.bits == end.type.bits
    )
