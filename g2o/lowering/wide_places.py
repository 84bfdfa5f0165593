"""Places that a condition decides on, counted in numbers that are as wide as addresses.

                                              const std::ptrdiff_t start = std::ptrdiff_t(row) * n;
    for (int col = 0; col < n; ++col)         for (int col = 0; col < n; ++col)
        if (x < d[row * n + col])        ->       if (x < d[start + col])
            d[row * n + col] = x;                     d[start + col] = x;

An `int` that is computed in every turn may not overflow, so that compilers know neighbours to lie
beside each other. Of one that is computed under a condition they do not know it where they make
vectors, which compute it in any case: g++ gathers and scatters. Arrays that a block keeps are left
as they are: their loops are short.

Legal because what the source computes does not overflow, and the wider number is the same; where
the source does not compute it, nobody looks at it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import declared_in, root_symbol, symbols_in
from g2o.ir.expressions import (
    Binary,
    Cast,
    Conditional,
    Expr,
    Index,
    Literal,
    Paren,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import CountedLoop, Declare, For, If, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import CType, TypeKind
from g2o.lowering.context import LoweringContext, substitute
from g2o.lowering.in_place import with_loops_replaced
from g2o.lowering.index_arithmetic import is_int, is_signed, trapping, without_index
from g2o.lowering.simd import may_be_vectors

_PLACE: Final = CType("std::ptrdiff_t", TypeKind.INTEGER, 64)
_SHARED: Final = (Storage.SHARED, Storage.DYNAMIC_SHARED)


def with_wide_places(context: LoweringContext, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """The statements with such places in the innermost loops over threads."""
    kept = {id(one) for statement in statements for one in _collapsed(statement)}

    def replaced(loop: CountedLoop) -> tuple[Stmt, ...]:
        plain = loop.step is None and loop.index.storage is Storage.INDEX and is_int(loop.index)
        if not plain or id(loop) in kept or not any(isinstance(n, If) for n in walk(loop.body)):
            return (loop,)
        if any(isinstance(node, CountedLoop | For) for node in walk(loop.body)):
            return (loop,)
        if not loop.directive.is_simd and not may_be_vectors(loop.body, context.effects.functions):
            return (loop,)
        return _Places(context, loop).solve()

    return with_loops_replaced(statements, replaced)


def _collapsed(statement: Stmt) -> Iterator[CountedLoop]:
    """The loops that are collapsed with those around them."""
    for node in walk(statement):
        if isinstance(node, CountedLoop) and node.directive.collapse > 1:
            yield from (one for one in walk(node.body) if isinstance(one, CountedLoop))


@final
@dataclass(slots=True)
class _Places:
    """`values` are numbers that the loop declares for places only, `varying` what is not the same
    in all turns, `starts` the variables in front of the loop by what they hold."""

    context: LoweringContext
    loop: CountedLoop
    values: dict[Symbol, Expr] = field(default_factory=dict[Symbol, Expr])
    varying: set[Symbol] = field(default_factory=set[Symbol])
    starts: dict[Expr, Symbol] = field(default_factory=dict[Expr, Symbol])

    def solve(self) -> tuple[Stmt, ...]:
        """The loop, behind what its places count from."""
        body, effects = self.loop.body, self.context.effects
        self.varying = declared_in(body) | effects.of(body).writes | {self.loop.index}
        self.values = self._values()
        always = {self._whole(place.index) for place in _places(body, False)}
        wanted = {
            place.index for place in _places(body, True) if self._whole(place.index) not in always
        }
        bases = {base for one in wanted if (base := self._base(one)) is not None}
        if not bases:
            return (self.loop,)
        wide = {
            symbol: self.context.symbols.declare(symbol.name, _PLACE, symbol.storage)
            for symbol, value in self.values.items()
            if self._start(value) in bases
        }
        made = rewrite(body, lambda node: self._rewritten(node, wide, bases))
        before: list[Stmt] = []
        for base, symbol in self.starts.items():
            first = base if isinstance(base, VarRef) else widened(base)
            start = Variable(symbol, f"const {_PLACE.spelling}", "", first, "=")
            before.append(Declare((start,)))
        before[0] = replace(before[0], trivia=self.loop.trivia)
        trivia = replace(self.loop.trivia, before=())
        return (*before, replace(self.loop, body=made, trivia=trivia))

    def _values(self) -> dict[Symbol, Expr]:
        """Numbers that are the index and something that all turns share, used for places alone."""
        found: dict[Symbol, Expr] = {}
        written = written_after_declaration(self.loop.body, self.context.effects)
        for node in walk(self.loop.body):
            match node:
                case Declare(variables=(Variable(symbol=symbol, initial=initial) as one,)) if (
                    initial is not None
                    and one.declared in ("int", "const int")
                    and not one.suffix
                    and symbol not in written
                    and self._start(initial) is not None
                ):
                    found[symbol] = initial
                case _:
                    pass
        used = [one for place in _indices(self.loop.body) for one in _summands(place.index)]
        for symbol in tuple(found):
            named = sum(node == VarRef(symbol) for node in walk(self.loop.body))
            if named != used.count(VarRef(symbol)):
                del found[symbol]
        return found

    def _whole(self, index: Expr) -> Expr:
        made = substitute(index, self.values)
        assert isinstance(made, Expr)
        return made

    def _start(self, index: Expr) -> Expr | None:
        """What all turns add to the index, in front of a constant."""
        if not is_signed(index):
            return None
        added = without_index(index, self.loop.index)
        if added is None or symbols_in(added) & self.varying or trapping(added):
            return None
        known = self.context.effects.of(added)
        base = _without_constant(added)[0]
        pure = known.is_pure and not known.memory_reads
        return base if pure and integer_value(base) is None else None

    def _base(self, index: Expr) -> Expr | None:
        """The same of a place, also of one that is named by a number which the loop declares."""
        named = symbols_in(index) & set(self.values)
        if not named:
            return self._start(index)
        return self._start(self.values[min(named, key=lambda one: one.id)])

    def _rewritten(self, node: Node, wide: dict[Symbol, Symbol], bases: set[Expr]) -> Node | None:
        match node:
            case Declare(variables=(Variable(symbol=symbol) as one,)) if symbol in wide:
                place = self._place(self.values[symbol])
                told = f"const {_PLACE.spelling}"
                made = replace(one, symbol=wide[symbol], declared=told, initial=place)
                return Declare((made,), trivia=node.trivia, span=node.span)
            case Index(base=base, index=index) if _is_far(node):
                again = rewrite(base, lambda inner: self._rewritten(inner, wide, bases))
                if symbols_in(index) & set(wide):
                    return Index(again, _renamed(index, wide), node.type)
                if self._start(index) in bases:
                    return Index(again, self._place(index), node.type)
                return None
            case _:
                return None

    def _place(self, index: Expr) -> Expr:
        added = without_index(index, self.loop.index)
        assert added is not None
        base, op, constant = _without_constant(added)
        if base not in self.starts:
            self.starts[base] = self.context.symbols.fresh("start", _PLACE, Storage.BLOCK)
        place = Binary("+", VarRef(self.starts[base]), VarRef(self.loop.index), _PLACE)
        return place if constant is None else Binary(op, place, constant, _PLACE)


def _places(node: Node, conditional: bool) -> Iterator[Index]:
    """The elements that are looked at whenever, or only if something holds."""
    match node:
        case If(condition=first, then=then, otherwise=otherwise):
            rest: tuple[Node | None, ...] = (then, otherwise)
        case Conditional(condition=first, if_true=then, if_false=otherwise):
            rest = (then, otherwise)
        case Binary(op="&&" | "||", left=first, right=right):
            rest = (right,)
        case _:
            if isinstance(node, Index) and not conditional and _is_far(node):
                yield node
            for child in children(node):
                yield from _places(child, conditional)
            return
    yield from _places(first, conditional)
    for one in rest if conditional else ():
        yield from _indices(one) if one is not None else ()


def _indices(node: Node) -> Iterator[Index]:
    for one in walk(node):
        if isinstance(one, Index) and _is_far(one):
            yield one


def _is_far(place: Index) -> bool:
    """Is it an element of an array that may be of any length, and not one that a block keeps?"""
    root = root_symbol(place)
    kept = root is None or root.storage in _SHARED
    return place.base.type.kind is TypeKind.POINTER and not kept


def _summands(index: Expr) -> Iterator[Expr]:
    match strip_parens(index):
        case Binary(op="+" | "-", left=left, right=right):
            yield from _summands(left)
            yield from _summands(right)
        case bare:
            yield bare


def _without_constant(added: Expr) -> tuple[Expr, str, Expr | None]:
    """A sum without the constant at its end, and how that is added."""
    match strip_parens(added):
        case Binary(op="+" | "-" as op, left=left, right=Literal() as constant):
            return strip_parens(left), op, constant
        case bare:
            return bare, "+", None


def _renamed(index: Expr, wide: dict[Symbol, Symbol]) -> Expr:
    """The index with the wide numbers in it."""
    match index:
        case VarRef(symbol=symbol):
            return VarRef(wide[symbol]) if symbol in wide else index
        case Paren(inner=inner):
            return Paren(_renamed(inner, wide), _PLACE)
        case Binary(op="+" | "-" as op, left=left, right=right) if symbols_in(index) & set(wide):
            return Binary(op, _renamed(left, wide), _renamed(right, wide), _PLACE)
        case _:
            return index


def widened(number: Expr) -> Expr:
    """A sum of products of `int`, computed in numbers as wide as addresses."""
    match number:
        case Paren(inner=inner):
            return Paren(widened(inner), _PLACE)
        case Binary(op="+" | "-" | "*" as op, left=left, right=right):
            other = strip_parens(right)
            rest = widened(right) if isinstance(other, Binary) else right
            return Binary(op, widened(left), rest, _PLACE)
        case Literal():
            return number
        case _:
            return Cast(number, _PLACE)
