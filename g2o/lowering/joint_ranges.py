"""Ranges that the threads of a block and a loop of theirs go through together.

    for (int ty = 0; ty < 16; ++ty)                        for (int e = 0; e < 4 * 256; ++e)
        for (int tx = 0; tx < 16; ++tx) {                      s[e] = x[first + e];
            int tid = ty * 16 + tx;
            for (int l = 0; l < 4; ++l) {          ->
                int e = tid + l * 256;
                s[e] = x[first + e];
            }
        }

A number that is not negative has one digit for each of some extents (a mixed radix; Knuth, "The Art
of Computer Programming", 4.1): where the loops count such digits, with the weight of each what the
digits below it can be together, each number in front of the product of all extents is met once.
It does not matter where the digit of the thread's own loop stands: `4 * tid + l` are neighbours.

The body names the digits in nothing but sums that are multiples of the number, plus something else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import reduce
from math import prod
from typing import Final, final

from g2o.analysis.effects import statements_of, symbols_in
from g2o.analysis.positions import Positions, name_of, only_part
from g2o.ir.expressions import (
    Binary,
    Cast,
    Code,
    Expr,
    Form,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import Block, Declare, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT, UNSIGNED, CType, TypeKind, unqualified
from g2o.lowering.context import substitute
from g2o.lowering.indices import block_of
from g2o.polyhedral.polynomial import ONE, ZERO, Polynomial

_MOST_THREADS: Final = 1024  # of a block


@final
@dataclass(frozen=True, slots=True)
class Counter:
    """A loop that counts a digit: `for (index = 0; index < extent * step; index += step)`."""

    index: Symbol
    extent: Expr
    step: int = 1


@final
@dataclass(frozen=True, slots=True)
class Joint:
    """`for (index = 0; index < upper; ++index) body` for all of the `digits`, the lowest first."""

    index: Symbol
    upper: Expr
    body: Stmt
    digits: tuple[Counter, ...]


# -- shares of a range ----------------------------------------------------------------------------


def share_of(
    start: Expr, step: Expr, threads: Sequence[Counter], positions: Positions
) -> list[Counter] | None:
    """The threads' indices whose digits are in `start`, where `step` is how many numbers these make
    together: the threads take one number after the other in turns."""
    begun, by = positions.of(start), positions.of(step)
    weights = None if begun is None else _weights(begun, threads)
    if weights is None or by is None:
        return None
    span, found = ONE, list[Counter]()
    rest = [one for one in threads if one.index in weights]
    while rest:
        lowest = next((one for one in rest if weights[one.index] == span), None)
        extent = None if lowest is None else positions.of(lowest.extent)
        if lowest is None or extent is None:
            return None
        span, found = span * extent, [*found, lowest]
        rest.remove(lowest)
    return found if found and span == by else None


def without_threads(start: Expr, threads: Set[Symbol], positions: Positions) -> Expr:
    """Where the whole range starts that threads start at `start` in: what it is for the first."""
    zero = Literal("0", 0, INT)
    first = _plain(
        substitute(_spelled_out(start, threads, positions), dict.fromkeys(threads, zero))
    )
    return zero if integer_value(first) == 0 else first


# -- digits in sums -------------------------------------------------------------------------------


def joint_range(
    own: Counter,
    body: Stmt,
    threads: Sequence[Counter],
    positions: Positions,
    symbols: SymbolTable,
    stays: Set[Symbol],
) -> Joint | None:
    """The range that a thread's loop `own` around `body` goes through with other threads.
    Variables that the body declares are not in `positions`; those in `stays` keep their value."""
    counters = [own, *threads]
    for chain in _chains(own, counters, body, positions):
        joint = _Digits(chain, positions, symbols, stays).joint(body)
        if joint is not None:
            return joint
    return None


def _chains(
    own: Counter, counters: list[Counter], body: Stmt, positions: Positions
) -> list[list[Counter]]:
    """Digits that may make one number with that of `own`, those of the longest chain first: in the
    first sum that has it, each has the weight of the one below times the extent of that."""
    extents = {one.index: positions.of(one.extent) for one in counters}
    weights: dict[Symbol, Polynomial] | None = None
    for node in walk(body):
        if isinstance(node, Expr) and node.type.kind is TypeKind.INTEGER:
            found = positions.of(node)
            weights = None if found is None else _weights(found, counters)
            if weights and own.index in weights:
                break
            weights = None
    if not weights:
        return []

    def above(one: Counter, other: Counter) -> bool:
        extent = extents[other.index]
        known = extent is not None and {one.index, other.index} <= weights.keys()
        return known and weights[one.index] == weights[other.index] * (extent or ZERO)

    chain = [own]
    while True:
        rest = [one for one in counters if one not in chain]
        upper = next((one for one in rest if above(one, chain[-1])), None)
        lower = next((one for one in rest if above(chain[0], one)), None)
        if upper is None and lower is None:
            break
        chain = [
            *([lower] if lower else []),
            *chain,
            *([upper] if upper and upper != lower else []),
        ]
    at = chain.index(own)
    parts = [chain[i:j] for i in range(at + 1) for j in range(at + 1, len(chain) + 1)]
    return sorted((one for one in parts if len(one) > 1), key=len, reverse=True)


def _weights(number: Polynomial, counters: Sequence[Counter]) -> dict[Symbol, Polynomial] | None:
    """What the turns of each loop add to a number; None where it is no sum of such parts."""
    names = {name_of(one.index): one for one in counters}
    parts = number.by_monomial_in(names)
    if any(len(product) > 1 for product in parts):
        return None
    return {
        names[one[0]].index: part.scaled(names[one[0]].step) for one, part in parts.items() if one
    }


@final
class _Digits:
    """Numbers in a body by one index in place of the digits of a `chain`."""

    def __init__(
        self, chain: list[Counter], positions: Positions, symbols: SymbolTable, stays: Set[Symbol]
    ) -> None:
        self.chain = chain
        self.positions = positions
        self.stays = stays
        self.own = {one.index for one in chain}
        self.fits = True
        known = [integer_value(one.extent) for one in chain]
        self.are_few = None not in known
        most = prod(one for one in known if one is not None)
        if most * (1 if self.are_few else _MOST_THREADS) >= 1 << (INT.bits - 1):
            self.fits = False  # the index is an `int`, whatever places are
        self.index = symbols.fresh(chain[0].index.name, INT, Storage.LOCAL)
        self.again: dict[Symbol, Expr] = {}
        """Variables of the thread that are made of digits, and their values by the index."""

    def joint(self, body: Stmt) -> Joint | None:
        if not self.fits:
            return None
        new = rewrite(body, self._replaced)
        if not self.fits or symbols_in(new) & self.own:
            return None
        values = (
            Declare((Variable(one, one.type.spelling, "", value, "="),))
            for one, value in self.again.items()
        )
        index, new = self._named(block_of((*values, *statements_of(new))))
        upper = reduce(_times, (one.extent for one in reversed(self.chain)))
        return Joint(index, upper, new, tuple(self.chain))

    def _replaced(self, node: Node) -> Node | None:
        if not isinstance(node, Expr) or node.type.kind is not TypeKind.INTEGER or not self.fits:
            return None
        if isinstance(node, Literal) or not self._is_of_digits(node):
            return None
        if isinstance(node, Paren):
            return self._replaced(node.inner)
        number = self.positions.of(node)
        if number is None:
            return None
        holds = self.positions.is_exact(node) and _widest(node).bits <= INT.bits
        if not self._is_multiple(number) or not (self.are_few or holds):
            self.fits = False
            return None
        new = self._by_index(node)
        return Paren(new, new.type) if isinstance(new, Binary) else new

    def _by_index(self, expr: Expr) -> Expr:
        """A sum with the index in place of the lowest digit, and without the others."""
        lowest, widest = self.chain[0], _widest(expr)
        first: Expr = VarRef(self.index)
        if widest != INT:
            first = Cast(first, widest)  # as its sums are computed
        if lowest.step != 1:
            first = Binary("*", first, Literal(str(lowest.step), lowest.step, INT), widest)

        def replaced(node: Node) -> Node | None:
            if not isinstance(node, VarRef):
                return None
            if node.symbol in self.own:
                return first if node.symbol == lowest.index else Literal("0", 0, INT)
            value = self.positions.values.get(node.symbol)
            if value is None or not self._is_of_digits(value):
                return node
            made = self.again.get(node.symbol) or self._by_index(value)
            if integer_value(made) == 0:
                return Literal("0", 0, INT)
            self.again[node.symbol] = made
            return node

        new = rewrite(expr, replaced)
        assert isinstance(new, Expr)
        return _plain(new)

    def _is_of_digits(self, expr: Expr) -> bool:
        number = self.positions.of(expr)
        return number is not None and bool(number.names & {name_of(one) for one in self.own})

    def _is_multiple(self, number: Polynomial) -> bool:
        """Is it a multiple of the number with these digits, plus something else?"""
        weights = _weights(number, self.chain)
        if weights is None:
            return False
        factor, span = weights.get(self.chain[0].index, ZERO), ONE
        for one in self.chain:
            extent = self.positions.of(one.extent)
            if extent is None or weights.get(one.index, ZERO) != factor * span:
                return False
            span = span * extent
        return factor != ZERO

    def _named(self, body: Block) -> tuple[Symbol, Stmt]:
        """The index of the loop: a variable that is declared to be it, or one of its own."""
        index, found = self.index, True
        while found:
            found = False
            for at, one in enumerate(body.statements):
                match one:
                    case Declare(variables=(Variable(symbol=symbol, initial=initial),)) if (
                        initial is not None and strip_parens(initial) == VarRef(index)
                    ):
                        found = symbol in self.stays or symbol in self.again
                        found = found and symbol.type.bits == INT.bits and symbol.type.is_signed
                    case _:
                        continue
                if found:
                    kept = (*body.statements[:at], *body.statements[at + 1 :])
                    ctype = replace(symbol.type, spelling=unqualified(symbol.type), is_const=False)
                    named = VarRef(replace(symbol, type=ctype))
                    body = substitute(block_of(kept), {index: named, symbol: named})
                    index = named.symbol
                    break
        return index, body


def _spelled_out(expr: Expr, named: Set[Symbol], positions: Positions) -> Expr:
    """`expr` with what the variables in it are, where that names one of `named`."""

    def replaced(node: Node) -> Node | None:
        if not isinstance(node, VarRef) or node.symbol not in positions.values:
            return None
        value = _spelled_out(positions.values[node.symbol], named, positions)
        if not symbols_in(value) & named:
            return None
        own = replace(node.type, spelling=unqualified(node.type), is_const=False)
        is_int = own.is_signed and own.bits == INT.bits
        return Paren(value, INT) if is_int else Cast(Paren(value, own), own)

    new = rewrite(expr, replaced)
    assert isinstance(new, Expr)
    return new


def _widest(expr: Expr) -> CType:
    """The type of 32 bits or more that parts of a sum are computed in, the widest, and without a
    sign where one has none. The types of sums are those of the source, where indices had no sign:
    those of what is added tell."""
    found = INT
    for one in _leaves(expr):
        ctype = one.type
        unsigned = ctype.bits == found.bits and found.is_signed and not ctype.is_signed
        if ctype.kind is TypeKind.INTEGER and (ctype.bits > found.bits or unsigned):
            found = ctype
    return (
        INT
        if found.is_signed and found.bits == INT.bits
        else replace(found, spelling=unqualified(found), is_const=False)
    )


def _leaves(expr: Expr) -> Iterator[Expr]:
    match expr:
        case Paren(inner=inner) | Unary(operand=inner):
            yield from _leaves(inner)
        case Binary(op="<<", left=left):
            yield from _leaves(left)
        case Binary(left=left, right=right):
            yield from _leaves(left)
            yield from _leaves(right)
        case Cast(operand=operand):
            yield expr
            yield from _leaves(operand)
        case Code(parts=parts) if (inner := only_part(parts)) is not None:
            opened = parts[0]
            if opened == "unsigned(":
                yield Cast(inner, UNSIGNED)
            yield from _leaves(inner)
        case _:
            yield expr


def _plain(expr: Expr) -> Expr:
    """Without what adds nothing, from the inside out."""
    match expr:
        case Paren(inner=inner):
            new = _plain(inner)
            plain = isinstance(new, VarRef | Literal | Paren | Member)
            return new if plain else Paren(new, new.type)
        case Code(parts=(only,)) if not isinstance(only, str):
            return _plain(only)
        case Cast(operand=operand, type=ctype):
            new = strip_parens(_plain(operand))
            if isinstance(new, Cast) and new.type == ctype:
                return new
            plain = isinstance(new, VarRef | Literal)
            return replace(expr, operand=new if plain else Paren(new, new.type), form=Form.BUILT)
        case Binary(op="+" | "-" | "*" | "<<" as op, left=left, right=right):
            left, right = _plain(left), _plain(right)
            first, second = integer_value(left), integer_value(right)
            if op in ("*", "<<") and first == 0:
                return Literal("0", 0, expr.type)
            if op == "*" and second == 0:
                return Literal("0", 0, expr.type)
            if second == 0 or (op == "*" and second == 1):
                return left
            if (op == "+" and first == 0) or (op == "*" and first == 1):
                return right
            if op == "-" and first == 0 and isinstance(right, Literal):
                return Unary("-", right, type=right.type)
            kinds = [one.type for one in (left, right)]
            words = all((one.kind, one.bits) == (TypeKind.INTEGER, INT.bits) for one in kinds)
            signed = INT if all(one.is_signed for one in kinds) else UNSIGNED
            ctype = signed if words else expr.type
            return replace(expr, left=left, right=right, type=ctype, form=Form.BUILT)
        case _:
            return expr


def _times(left: Expr, right: Expr) -> Expr:
    values = integer_value(left), integer_value(right)
    if values[0] == 1:
        return right
    if values[1] == 1:
        return left
    if all(isinstance(one, Literal) and one.text.isdigit() for one in (left, right)):
        value = (values[0] or 0) * (values[1] or 0)
        return Literal(str(value), value, INT)
    left, right = (
        Paren(one, INT) if isinstance(one, Binary) and one.op != "*" else one
        for one in (left, right)
    )
    return Binary("*", left, right, INT)
