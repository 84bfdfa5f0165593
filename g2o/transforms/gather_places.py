"""Where the increments of a nest of loops go, and how the thread that owns an element says it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Final, final

from g2o.analysis.positions import polynomial_of
from g2o.ir.expressions import Binary, Expr, Form, Index, Paren, VarRef, strip_parens
from g2o.ir.statements import CountedLoop, Node, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children, walk, with_children
from g2o.ir.types import TypeKind
from g2o.polyhedral.polynomial import ZERO, Polynomial
from g2o.polyhedral.signs import Bounds, Signs
from g2o.transforms.neighbours import expression_of, steps_between

_ROW: Final = "#"  # no name of a variable


@final
@dataclass(frozen=True, slots=True)
class Places:
    """Positions in the arrays of a nest: `loops` from the outside in around `statements`, `limits`
    of names in the kernel, and the `known` values of integers that the code declares."""

    loops: tuple[CountedLoop, ...]
    statements: tuple[Stmt, ...]
    limits: Mapping[str, list[Polynomial]]
    known: dict[Symbol, Polynomial] = field(default_factory=dict[Symbol, Polynomial])

    def position(self, place: Index) -> Polynomial | None:
        """Where the element of an array lies; every subscript but the last counts rows of a length
        that has a name of its own."""
        found = polynomial_of(place.index, self.known)
        row = strip_parens(place.base)
        for dimension in count(1):
            if found is None or isinstance(row, VarRef):
                return found
            if not isinstance(row, Index) or row.type.kind is not TypeKind.ARRAY:
                return None
            rows = polynomial_of(row.index, self.known)
            found = None if rows is None else found + rows * Polynomial.name(_row(dimension))
            row = strip_parens(row.base)
        return None

    def element(self, like: Index, position: Polynomial) -> Index | None:
        """The element that lies there, of the array of another one."""
        places = [like, *_rows_around(like)]
        parts = position.by_monomial_in([_row(at) for at in range(1, len(places))])
        base = places[-1].base
        for dimension in reversed(range(len(places))):
            part = parts.get((_row(dimension),) if dimension else (), ZERO)
            index = self.expressed(part)
            if index is None:
                return None
            place = places[dimension]
            base = replace(place, base=base, index=index, form=Form.BUILT, span=None)
        assert isinstance(base, Index)
        return base

    def are_subscripts(self, strides: list[Polynomial]) -> bool:
        """Does each loop count along a dimension of its own?"""
        rows = [stride.names for stride in strides]
        of_rows = all(name.startswith(_ROW) for names in rows for name in names)
        return of_rows and any(rows) and len(set(rows)) == len(rows)

    def are_apart(self, one: Polynomial, other: Polynomial) -> bool:
        """Do no two iterations of the nest find one element at these positions?"""
        signs = Signs()
        second: dict[str, str] = {}
        for name, highs in self.limits.items():
            signs.bounds[name] = Bounds((-1, False), (), tuple(highs))
        for depth, loop in enumerate(self.loops):
            lower, upper = (polynomial_of(end, {}) for end in (loop.lower, loop.upper))
            if lower is None or upper is None:
                return False
            for behind in self.at_most(upper):
                signs.note_iterations(lower, behind)
            second[loop.index.name] = f"{loop.index.name}'"
            for name in (loop.index.name, second[loop.index.name]):
                signs.bounds[name] = Bounds((depth, False), (lower,), (upper.plus(-1),))
        other = other.renamed(second)
        rows = sorted(name for name in one.names | other.names if name.startswith(_ROW))
        parts, others = one.by_monomial_in(rows), other.by_monomial_in(rows)
        if any(parts.get((row,), ZERO).value is not None for row in rows):
            return False  # what stays in one row may count beyond its end
        if any(others.get((row,), ZERO).value is not None for row in rows):
            return False
        places = [(), *((row,) for row in rows)]
        return any(signs.differ(parts.get(at, ZERO) - others.get(at, ZERO)) for at in places)

    def strides(self, position: Polynomial) -> list[Polynomial] | None:
        """How far apart elements lie along each loop."""
        names = [loop.index.name for loop in self.loops]
        parts = position.by_monomial_in(names)
        strides = [parts.get((name,), ZERO) for name in names]
        if any(stride == ZERO for stride in strides) or set(parts) - {(), *((n,) for n in names)}:
            return None
        return strides

    def centre(self, first: Polynomial, strides: list[Polynomial]) -> Polynomial:
        """The element that a thread owns: the one it has a name for, if that is a neighbour."""
        named = [self._own(strides), *reversed(self.known.values())]
        named += [Polynomial.name(loop.index.name) for loop in reversed(self.loops)]
        shift = dict(first.terms).get((), 0)
        named.append(first.plus(-shift))  # in the same row
        for position in named:
            if steps_between(first, position, strides) is not None:
                return position
        return first

    def _own(self, strides: list[Polynomial]) -> Polynomial:
        """The element whose subscripts are the indices of the loops."""
        own = ZERO
        for loop, stride in zip(self.loops, strides, strict=True):
            own = own + Polynomial.name(loop.index.name) * stride
        return own

    def at_most(self, value: Polynomial) -> list[Polynomial]:
        """What the value is at most, with names replaced by their limits."""
        results = [value]
        for name in sorted(value.names):
            for limit in self.limits.get(name, ()):
                parts = value.by_monomial_in((name,))
                factor = parts.get((name,), ZERO).value
                if factor is not None and factor > 0:
                    results.append(value.substituted({name: limit}))
        return results

    def shifted(self, expr: Expr, steps: tuple[int, ...]) -> Expr | None:
        """`expr` of the thread that lies `steps` further back along the loops."""
        moved = {
            loop.index.name: Polynomial.name(loop.index.name).plus(-step)
            for loop, step in zip(self.loops, steps, strict=True)
        }
        failed = False

        def put(node: Node) -> Node | None:
            nonlocal failed
            if not isinstance(node, (VarRef, Paren, Binary, Index)):
                return None
            if isinstance(node, Index):
                position = polynomial_of(node.index, self.known)
                if position is None:
                    return None
                new = self.expressed(position.substituted(moved))
                failed = failed or new is None
                base = replaced(node.base, put)
                return replace(node, base=base, index=new or node.index, form=Form.BUILT, span=None)
            if isinstance(node, (Paren, Binary)):
                new = self._moved(node, moved)
                return new if new is None or isinstance(new, VarRef) else Paren(new)
            symbol = node.symbol
            if symbol not in self.known and symbol.name not in moved:
                return None
            position = self.known.get(symbol, Polynomial.name(symbol.name))
            new = self.expressed(position.substituted(moved))
            failed = failed or new is None
            return new

        result = replaced(expr, put)
        return None if failed else result

    def _moved(self, node: Paren | Binary, moved: Mapping[str, Polynomial]) -> Expr | None:
        """The index of a loop, so many steps further, where the loop has moved."""
        inner = strip_parens(node)
        if not isinstance(inner, Binary) or inner.op not in ("+", "-"):
            return None
        position = polynomial_of(inner, self.known)
        if position is None or len(position.names) != 1 or not position.names <= moved.keys():
            return None
        return self.expressed(position.substituted(moved))

    def expressed(self, position: Polynomial) -> Expr | None:
        """A position as an expression, beside an index that the code has a name for."""
        indices = {loop.index.name: VarRef(loop.index) for loop in self.loops}
        candidates = [(VarRef(symbol), known) for symbol, known in reversed(self.known.items())]
        candidates += [(ref, Polynomial.name(name)) for name, ref in indices.items()]
        for ref, known in candidates:
            rest = position - known
            if not rest.names & set(indices):
                return expression_of(rest, ref, self._by_name())
        return expression_of(position, None, self._by_name())

    def _by_name(self) -> dict[str, Symbol]:
        found = {loop.index.name: loop.index for loop in self.loops}
        for statement in (*self.statements, self.loops[0]):
            for node in walk(statement):
                if isinstance(node, VarRef):
                    found.setdefault(node.symbol.name, node.symbol)
        return found


def _row(dimension: int) -> str:
    return f"{_ROW}{dimension}"


def _rows_around(place: Index) -> Iterator[Index]:
    """The rows that an element lies in, from the inside out."""
    row = strip_parens(place.base)
    while isinstance(row, Index):
        yield row
        row = strip_parens(row.base)


def replaced(expr: Expr, put: Callable[[Node], Node | None]) -> Expr:
    """`expr` rebuilt from its structure with some of its parts replaced."""
    new = put(expr)
    if new is not None:
        assert isinstance(new, Expr)
        return new
    parts = children(expr)
    changed = tuple(replaced(part, put) for part in parts if isinstance(part, Expr))
    if not parts or all(one is old for one, old in zip(changed, parts, strict=True)):
        return expr
    built = with_children(expr, changed)
    return replace(built, form=Form.BUILT, span=None)
