"""Waves along the anti-diagonals of an array go through it row by row.

    for (int m = 0; m < N; m++)                    for (int y = 1; y < N + 1; ++y) {
        for (int t = 0; t < m + 1; ++t) {              for (int x = 1; x < N + 1; ++x)
            int x = t + 1;                      ->         c[y][x] = f(c[y - 1][x], c[y][x - 1]);
            int y = m - t + 1;                     }
            c[y][x] = f(c[y - 1][x], c[y][x - 1]);
        }
    for (int m = N - 2; m >= 0; m--) ...

A wave is what threads need that wait for each other; one goes along rows, where memory is in order.
Legal where the waves come to every point of a rectangle once, and where of two turns that name the
same element, one of them to change it, the first stays the first: isl is asked whether there are
any that do not. (Wolfe, "Loops skewing: the wavefront method revisited", IJPP 1986, the other way
round; `wave_points.py` has the points of one wave.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final, final

from g2o.analysis.effects import EffectsOf, declared_in
from g2o.analysis.own_memory import changed_beyond
from g2o.analysis.second_names import with_second_names
from g2o.ir.expressions import (
    Assign,
    Binary,
    Expr,
    Form,
    Index,
    Literal,
    Member,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    Empty,
    ExprStatement,
    For,
    If,
    Node,
    Stmt,
    Trivia,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT, TypeKind
from g2o.lowering.context import substitute
from g2o.lowering.wave_points import FIRST, SECOND, Names, Wave, wave_of
from g2o.polyhedral.formula import (
    Formula,
    at_least,
    conjunction,
    disjunction,
    equal,
    less,
    negation,
    substituted,
)
from g2o.polyhedral.polynomial import Polynomial
from g2o.polyhedral.solver import Solver

_MOST_WAVES: Final = 3
_TOLD: Final = "// Row by row in place of waves: what a point needs is there as well."
_UNDERSTOOD: Final = (Block, CountedLoop, Declare, Empty, ExprStatement, For, If)
_LATER: Final = {FIRST: "later first", SECOND: "later second"}

Bounds = tuple[Polynomial, Polynomial]
_Extents = Mapping[Symbol, tuple[Expr, ...]]


def rows_for_waves(statements: tuple[Stmt, ...], effects: EffectsOf) -> tuple[Stmt, ...]:
    """The statements with loops over rows in place of waves."""
    extents = {
        variable.symbol: variable.extents
        for statement in statements
        for node in walk(statement)
        if isinstance(node, Declare)
        for variable in node.variables
    }
    held: set[Symbol] | None = None

    def replacement(node: Node) -> Node | None:
        nonlocal held
        if not isinstance(node, Block) or not any(map(_may_be_wave, node.statements)):
            return None
        if held is None:
            held = with_second_names(statements, effects)
        changed = _with_rows(node.statements, held, effects, extents)
        return None if changed is None else replace(node, statements=changed, form=Form.BUILT)

    return rewrite(Block(statements), replacement).statements


def _may_be_wave(statement: Stmt) -> bool:
    return isinstance(statement, (For, CountedLoop)) and any(
        isinstance(node, CountedLoop) for node in walk(statement.body)
    )


def _with_rows(
    statements: tuple[Stmt, ...], held: set[Symbol], effects: EffectsOf, extents: _Extents
) -> tuple[Stmt, ...] | None:
    for start in range(len(statements)):
        names = Names()
        waves = _waves_from(statements[start : start + _MOST_WAVES], names, effects)
        for count in range(len(waves), 0, -1):
            rows = _Rows(waves[:count], names, effects).loops(held, extents)
            if rows is not None:
                behind = statements[start + count :]
                rest = _with_rows(behind, held, effects, extents) or behind
                return (*statements[:start], rows, *rest)
    return None


def _waves_from(statements: Sequence[Stmt], names: Names, effects: EffectsOf) -> list[Wave]:
    """The waves that the statements start with and that do the same at their points."""
    waves: list[Wave] = []
    for statement in statements:
        wave = wave_of(statement, names, effects)
        if wave is None or (waves and not _is_alike(wave, waves[0])):
            break
        waves.append(wave)
    return waves


def _is_alike(wave: Wave, first: Wave) -> bool:
    ours, theirs = ((*one.coordinates, *_declared(one)) for one in (wave, first))
    if [symbol.name for symbol in ours] != [symbol.name for symbol in theirs]:
        return False
    values: dict[Symbol, Expr] = {
        one: VarRef(other) for one, other in zip(ours, theirs, strict=True)
    }
    written = _with_symbols(Block(wave.body), dict(zip(ours, theirs, strict=True)))
    return substitute(written, values) == Block(first.body)


def _declared(wave: Wave) -> list[Symbol]:
    return [
        variable.symbol
        for statement in wave.body
        for node in walk(statement)
        if isinstance(node, Declare)
        for variable in node.variables
    ]


def _with_symbols(body: Block, symbols: Mapping[Symbol, Symbol]) -> Block:
    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Declare):
            return None
        variables = tuple(
            replace(one, symbol=symbols.get(one.symbol, one.symbol)) for one in node.variables
        )
        return replace(node, variables=variables)

    return rewrite(body, replacement)


@final
@dataclass(frozen=True, slots=True)
class _Access:
    """An element of an array, named at a point."""

    array: Symbol
    subscripts: tuple[Polynomial, ...]
    changes: bool


@final
class _Rows:
    """Loops over the rectangle of points that some waves come to."""

    def __init__(self, waves: Sequence[Wave], names: Names, effects: EffectsOf) -> None:
        self.waves = waves
        self.names = names
        self.effects = effects
        self.solver = Solver()
        self.body = Block(waves[0].body)
        self.coordinates = dict(zip(waves[0].coordinates, (FIRST, SECOND), strict=True))

    def loops(self, held: set[Symbol], extents: _Extents) -> Stmt | None:
        """None where that is not known to be the same. `held` have second names."""
        accesses = self._accesses(held)
        row = None if accesses is None else self._row(accesses)
        if accesses is None or row is None:
            return None
        bounds = self._rectangle()
        if bounds is None or not self._keeps_order(accesses, row):
            return None
        known = [extent for one in accesses if one.changes for extent in extents.get(one.array, ())]
        return self._nest(row, bounds, known)

    # -- what is done at a point -----------------------------------------------------------------

    def _accesses(self, held: set[Symbol]) -> list[_Access] | None:
        """Where changed arrays are named; None where other things change, or nobody knows."""
        if not all(isinstance(node, (*_UNDERSTOOD, Expr)) for node in walk(self.body)):
            return None
        effects, own = self.effects.of(self.body), declared_in(self.body)
        changed = changed_beyond((self.body,), effects, own)
        if effects.side_effects or not changed or changed & held:
            return None
        if not all(one is not None and _is_plain_array(one) for one in changed):
            return None
        targets = {id(place) for place in _targets(self.body)}
        bases = {id(strip_parens(one.base)) for one in _elements(self.body)}
        known = {symbol: Polynomial.name(name) for symbol, name in self.coordinates.items()}
        found: list[_Access] = []
        for node in _elements(self.body):
            if id(node) in bases:
                continue
            array, places = _subscripts(node)
            if array is None or array not in changed:
                continue
            values = [self.names.polynomial(place, known, own) for place in places]
            if None in values:
                return None
            subscripts = tuple(value for value in values if value is not None)
            found.append(_Access(array, subscripts, id(node) in targets))
        return (
            found
            if all(place in {id(n) for n in _elements(self.body)} for place in targets)
            else None
        )

    def _row(self, accesses: Sequence[_Access]) -> str | None:
        """The coordinate that stays the same along the rows of memory."""
        last = {one.subscripts[-1].names & {FIRST, SECOND} for one in accesses if one.changes}
        if last == {frozenset({FIRST})}:
            return SECOND
        return FIRST if last == {frozenset({SECOND})} else None

    # -- where it is done ------------------------------------------------------------------------

    def _rectangle(self) -> dict[str, Bounds] | None:
        """The least and the largest of both coordinates, where the waves come to all the points
        between them once."""
        if not all(
            self.solver.excludes(conjunction((one.points, other.points)))
            for number, one in enumerate(self.waves)
            for other in self.waves[:number]
        ):
            return None
        corners = [
            sorted({one for wave in self.waves for one in wave.corners[axis]}, key=str)
            for axis in range(2)
        ]
        for first in _pairs(corners[0]):
            if not self._holds_all(_between(FIRST, first)):
                continue
            for second in _pairs(corners[1]):
                if self._holds_all(_between(SECOND, second)) and self._is_full(first, second):
                    return {FIRST: first, SECOND: second}
        return None

    def _holds_all(self, between: Formula) -> bool:
        outside = negation(between)
        return all(self.solver.excludes(conjunction((w.points, outside))) for w in self.waves)

    def _is_full(self, first: Bounds, second: Bounds) -> bool:
        inside = (_between(FIRST, first), _between(SECOND, second))
        elsewhere = (negation(wave.points) for wave in self.waves)
        return self.solver.excludes(conjunction((*inside, *elsewhere)))

    # -- when it is done -------------------------------------------------------------------------

    def _keeps_order(self, accesses: Sequence[_Access], row: str) -> bool:
        """Is the first of two turns that name an element, of which one changes it, still first?"""
        return all(
            self.solver.excludes(conjunction((met, overtakes)))
            for met in self._meetings(accesses)
            for overtakes in self._overtaking(row)
        )

    def _meetings(self, accesses: Sequence[_Access]) -> Iterator[Formula]:
        for one, other in product(accesses, repeat=2):
            if one.array == other.array and (one.changes or other.changes):
                yield conjunction(
                    equal(mine, its.renamed(_LATER))
                    for mine, its in zip(one.subscripts, other.subscripts, strict=True)
                )

    def _overtaking(self, row: str) -> Iterator[Formula]:
        """Pairs of turns, the second of which comes first when rows are gone along."""
        column = FIRST if row == SECOND else SECOND
        turned = _is_before(
            [Polynomial.name(_LATER[row]), Polynomial.name(_LATER[column])],
            [Polynomial.name(row), Polynomial.name(column)],
        )
        values = {old: Polynomial.name(new) for old, new in _LATER.items()}
        for number, one in enumerate(self.waves):
            for other in self.waves[number:]:
                later = [turn.substituted(values) for turn in other.turn]
                follows = () if other is not one else (_is_before(one.turn, later),)
                yield conjunction((one.points, substituted(other.points, values), *follows, turned))

    # -- the loops -------------------------------------------------------------------------------

    def _nest(self, row: str, bounds: Mapping[str, Bounds], known: Sequence[Expr]) -> Stmt | None:
        known = (*known, *(bound for wave in self.waves for bound in wave.bounds))
        statements = self.waves[0].body
        nest: Stmt = self.body if len(statements) != 1 else statements[0]
        comments = tuple(text for wave in self.waves for text in wave.trivia.before)
        for symbol in sorted(self.coordinates, key=lambda one: self.coordinates[one] == row):
            low, high = bounds[self.coordinates[symbol]]
            lower, upper = (self._written(one, known) for one in (low, high.plus(1)))
            if lower is None or upper is None:
                return None
            index = replace(symbol, type=INT, storage=Storage.INDEX)
            inner = Block((nest,)) if isinstance(nest, CountedLoop) else nest
            body = substitute(inner, {symbol: VarRef(index)})
            nest = CountedLoop(index, lower, upper, body)
        trivia = Trivia((*comments, _TOLD), blank_line=self.waves[0].trivia.blank_line)
        return replace(nest, trivia=trivia)

    def _written(self, value: Polynomial, known: Sequence[Expr]) -> Expr | None:
        """The value as an expression, as the author writes it where that is known."""
        numbers = {self.names.polynomial(one, {}, set()): one for one in reversed(known)}
        for more in (0, 1, -1):
            found = numbers.get(value.plus(-more))
            if found is not None and not (isinstance(found, Literal) and found.text.isdigit()):
                one = Literal("1", 1, INT)
                return Binary("+" if more > 0 else "-", found, one, INT) if more else found
        return None if value.value is None else Literal(str(value.value), value.value, INT)


def _is_plain_array(symbol: Symbol) -> bool:
    return symbol.type.kind is TypeKind.ARRAY and not symbol.type.innermost.is_volatile


def _elements(body: Block) -> list[Index]:
    return [node for node in walk(body) if isinstance(node, Index)]


def _targets(body: Block) -> Iterator[Expr]:
    """The elements and variables that are assigned to."""
    for node in walk(body):
        match node:
            case Assign(target=target) | Unary(op="++" | "--", operand=target):
                place = strip_parens(target)
                while isinstance(place, Member) and not place.arrow:
                    place = strip_parens(place.base)
                yield place
            case _:
                pass


def _subscripts(element: Index) -> tuple[Symbol | None, list[Expr]]:
    places: list[Expr] = []
    base: Expr = element
    while isinstance(base, Index):
        places.insert(0, base.index)
        base = strip_parens(base.base)
    return (base.symbol if isinstance(base, VarRef) else None), places


def _pairs(corners: Sequence[Polynomial]) -> list[Bounds]:
    return [(low, high) for low in corners for high in corners]


def _between(name: str, bounds: Bounds) -> Formula:
    value = Polynomial.name(name)
    return conjunction((at_least(value, bounds[0]), at_least(bounds[1], value)))


def _is_before(one: Sequence[Polynomial], other: Sequence[Polynomial]) -> Formula:
    """Is a turn earlier than another one, the outer loop counting first?"""
    (outer, inner), (others_outer, others_inner) = one, other
    same = conjunction((equal(outer, others_outer), less(inner, others_inner)))
    return disjunction((less(outer, others_outer), same))
