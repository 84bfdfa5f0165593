"""The points that a loop over waves of threads comes to (`waves.py`), as an integer set.

    for (int m = 0; m < N; m++)                0 <= m < N, 0 <= t < m + 1
        for (int t = 0; t < m + 1; ++t) {      with  m = x + y - 2,  t = x - 1
            int x = t + 1;
            int y = m - t + 1;

The two coordinates say what the turn is and the other way round: their matrix is unimodular.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, final

from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.ir.expressions import (
    Assign,
    Binary,
    Cast,
    Code,
    Expr,
    Literal,
    Paren,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import CountedLoop, Declare, Empty, For, If, Stmt, Trivia, Variable
from g2o.ir.symbols import Symbol
from g2o.ir.types import INT, CType, TypeKind
from g2o.polyhedral.formula import Formula, at_least, conjunction, less, substituted
from g2o.polyhedral.polynomial import ZERO, Polynomial

FIRST: Final = "first"
SECOND: Final = "second"
_WAVE: Final = "wave"
_THREAD: Final = "thread"


@final
@dataclass(slots=True)
class Names:
    """Integers that are the same at all points have a name each."""

    values: dict[Expr, str] = field(default_factory=dict[Expr, str])

    def polynomial(
        self, expr: Expr, known: Mapping[Symbol, Polynomial], changing: set[Symbol]
    ) -> Polynomial | None:
        """The value of an `int`; None where it is not a sum of products of names, or changes."""
        if not _is_int(expr.type) and not isinstance(expr, (Paren, Code)):
            return None
        match expr:
            case Literal() if (value := integer_value(expr)) is not None:
                return Polynomial.constant(value)
            case Paren(inner=inner):
                return self.polynomial(inner, known, changing)
            case Code(parts=(only,)) if not isinstance(only, str):
                return self.polynomial(only, known, changing)
            case Cast(operand=operand):
                return self.polynomial(operand, known, changing)
            case VarRef(symbol=symbol) if symbol in known:
                return known[symbol]
            case Literal() | VarRef() if not symbols_in(expr) & changing:
                return Polynomial.name(self.values.setdefault(expr, f"value{len(self.values)}"))
            case Unary(op="-", operand=operand):
                value = self.polynomial(operand, known, changing)
                return None if value is None else -value
            case Binary(op="+" | "-" | "*" as op, left=left, right=right):
                one = self.polynomial(left, known, changing)
                other = self.polynomial(right, known, changing)
                if one is None or other is None:
                    return None
                found = one * other if op == "*" else one + other if op == "+" else one - other
                return None if found.is_large else found
            case _:
                return None


@final
@dataclass(frozen=True, slots=True)
class Wave:
    """A loop of loops over threads. `turn` are its wave and thread as polynomials in the two
    coordinates, `FIRST` and `SECOND`; `corners` are values of each coordinate at the ends of the
    loops, of which the least and the largest are among them."""

    coordinates: tuple[Symbol, Symbol]
    points: Formula
    turn: tuple[Polynomial, Polynomial]
    corners: tuple[frozenset[Polynomial], frozenset[Polynomial]]
    bounds: tuple[Expr, ...]
    body: tuple[Stmt, ...]
    trivia: Trivia


def wave_of(statement: Stmt, names: Names, effects: EffectsOf) -> Wave | None:
    """The statement as waves; None where it is something else."""
    outer = _counted(statement)
    if outer is None:
        return None
    inside = [one for one in statements_of(outer.body) if not isinstance(one, Empty)]
    inner = _counted(inside[0]) if len(inside) == 1 else None
    if inner is None:
        return None
    changing = {outer.index, inner.index} | declared_in(statement) | effects.of(statement).writes
    guards, guarded = _guards(inner.body)
    coordinates, body = _coordinates(guarded)
    if len(coordinates) != 2 or {outer.index, inner.index} & symbols_in_all(body):
        return None
    known = {outer.index: Polynomial.name(_WAVE), inner.index: Polynomial.name(_THREAD)}

    def values(exprs: Iterable[Expr]) -> list[Polynomial] | None:
        found = [names.polynomial(one, known, changing) for one in exprs]
        return [one for one in found if one is not None] if None not in found else None

    limits = [values(each) for each in (outer.lower, outer.upper, inner.lower, inner.upper)]
    differences = values(guards)
    places = values(one.initial for one in coordinates if one.initial is not None)
    inverse = None if places is None or len(places) != 2 else _inverse(*places)
    if inverse is None or places is None:
        return None
    wave_from, wave_to, thread_from, thread_to = (one or [] for one in limits)
    if differences is None or not (wave_from and wave_to and thread_from and thread_to):
        return None
    wave, thread = Polynomial.name(_WAVE), Polynomial.name(_THREAD)
    turns = conjunction(
        (
            *(at_least(wave, one) for one in wave_from),
            *(less(wave, one) for one in wave_to),
            *(at_least(thread, one) for one in thread_from),
            *(less(thread, one) for one in thread_to),
            *(at_least(one, ZERO) for one in differences),
        )
    )
    ends = [thread - one.scaled(slope) for one in differences if abs(slope := _slopes(one)[1]) == 1]
    waves = [*wave_from, *(one.plus(-1) for one in wave_to)]
    threads = [*thread_from, *(one.plus(-1) for one in thread_to), *ends]
    first, second = (
        frozenset(
            place.substituted({_THREAD: thread}).substituted({_WAVE: wave})
            for wave in waves
            for thread in threads
        )
        for place in places
    )
    in_points = {_WAVE: inverse[0], _THREAD: inverse[1]}
    return Wave(
        (coordinates[0].symbol, coordinates[1].symbol),
        substituted(turns, in_points),
        (inverse[0].scaled(outer.direction), inverse[1].scaled(inner.direction)),
        (first, second),
        (*outer.written, *inner.written),
        body,
        statement.trivia,
    )


def symbols_in_all(statements: Iterable[Stmt]) -> set[Symbol]:
    return {symbol for one in statements for symbol in symbols_in(one)}


# -- counting loops ------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True)
class _Counted:
    """A loop whose index goes up or down (`direction`) by one. It is at least each of `lower` and
    below each of `upper`; `written` are bounds as they stand in the text."""

    index: Symbol
    lower: tuple[Expr, ...]
    upper: tuple[Expr, ...]
    direction: int
    written: tuple[Expr, ...]
    body: Stmt


def _counted(statement: Stmt) -> _Counted | None:
    match statement:
        case CountedLoop(index=index, lower=low, upper=high, pragma=pragma, step=None, body=body):
            if not _is_int(index.type) or pragma not in ("", "omp simd"):
                return None
            lower, upper = _parts(low, "std::max"), _parts(high, "std::min")
            return _Counted(index, lower, upper, 1, (*lower, *upper), body)
        case For(
            initial=Declare(variables=(variable,)),
            condition=Binary(left=VarRef(symbol=asked), right=end) as condition,
            increment=increment,
            body=body,
        ) if asked == variable.symbol and variable.initial is not None and _is_int(asked.type):
            start, step = variable.initial, _step(increment, asked)
            behind = Binary("+", start, Literal("1", 1, INT), INT)
            match step, condition.op:
                case 1, "<":
                    return _Counted(asked, (start,), (end,), 1, (start, end), body)
                case 1, "<=":
                    above = Binary("+", end, Literal("1", 1, INT), INT)
                    return _Counted(asked, (start,), (above,), 1, (start, end), body)
                case -1, ">=":
                    return _Counted(asked, (end,), (behind,), -1, (start, end), body)
                case -1, ">":
                    above = Binary("+", end, Literal("1", 1, INT), INT)
                    return _Counted(asked, (above,), (behind,), -1, (start, end), body)
                case _:
                    return None
        case _:
            return None


def _parts(bound: Expr, of: str) -> tuple[Expr, ...]:
    """The operands of a minimum or maximum, which nested ones are part of."""
    match strip_parens(bound):
        case Code(parts=(str(start), one, ", ", other, ")")) if (
            start in (f"{of}(", f"{of}<int>(")
            and not isinstance(one, str)
            and not isinstance(other, str)
        ):
            return (*_parts(one, of), *_parts(other, of))
        case _:
            return (bound,)


def _step(increment: Expr | None, counter: Symbol) -> int | None:
    match increment:
        case Unary(op="++" | "--" as op, operand=VarRef(symbol=symbol)) if symbol == counter:
            return 1 if op == "++" else -1
        case Assign(op="+=" | "-=" as op, target=VarRef(symbol=symbol), value=Literal() as value):
            by_one = symbol == counter and integer_value(value) == 1
            return (1 if op == "+=" else -1) if by_one else None
        case _:
            return None


# -- guards --------------------------------------------------------------------------------------


def _guards(body: Stmt) -> tuple[list[Expr], Stmt]:
    """Differences that are not negative where something is done, and what is done there."""
    inside = [one for one in statements_of(body) if not isinstance(one, Empty)]
    match inside:
        case [If(condition=condition, then=then, otherwise=None)]:
            pass
        case _:
            return [], body
    found: list[Expr] = []
    open_conditions = [condition]
    while open_conditions:
        match strip_parens(open_conditions.pop()):
            case Binary(op="&&", left=left, right=right):
                open_conditions += [left, right]
            case Binary(op="<" | "<=" | ">" | ">=" as op, left=left, right=right):
                high, low = (right, left) if op in ("<", "<=") else (left, right)
                difference = Binary("-", high, low, INT)
                one = Literal("1", 1, INT)
                found.append(difference if "=" in op else Binary("-", difference, one, INT))
            case _:
                return [], body
    return found, then


# -- coordinates ---------------------------------------------------------------------------------


def _coordinates(body: Stmt) -> tuple[list[Variable], tuple[Stmt, ...]]:
    """The two variables that are declared first, and what stands behind them."""
    found: list[Variable] = []
    statements = statements_of(body)
    for place, statement in enumerate(statements):
        if not isinstance(statement, Declare) or len(found) + len(statement.variables) > 2:
            return found, statements[place:]
        for variable in statement.variables:
            if not _is_int(variable.symbol.type) or variable.initial is None:
                return [], statements
            found.append(variable)
    return found, ()


def _inverse(first: Polynomial, second: Polynomial) -> tuple[Polynomial, Polynomial] | None:
    """The wave and the thread at a point, where its coordinates say them."""
    (a, b), (c, d) = (_slopes(one) for one in (first, second))
    determinant = a * d - b * c
    if abs(determinant) != 1:
        return None
    origin = {_WAVE: Polynomial.constant(0), _THREAD: Polynomial.constant(0)}
    from_first = Polynomial.name(FIRST) - first.substituted(origin)
    from_second = Polynomial.name(SECOND) - second.substituted(origin)
    wave = from_first.scaled(d) - from_second.scaled(b)
    thread = from_second.scaled(a) - from_first.scaled(c)
    inverse = wave.scaled(determinant), thread.scaled(determinant)
    back = {_WAVE: inverse[0], _THREAD: inverse[1]}
    is_inverse = first.substituted(back) == Polynomial.name(FIRST) and (
        second.substituted(back) == Polynomial.name(SECOND)
    )
    return inverse if is_inverse else None


def _slopes(value: Polynomial) -> tuple[int, int]:
    terms = dict(value.terms)
    return terms.get((_WAVE,), 0), terms.get((_THREAD,), 0)


def _is_int(ctype: CType) -> bool:
    return ctype.kind is TypeKind.INTEGER and ctype.is_signed and ctype.bits == INT.bits
