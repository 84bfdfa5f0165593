"""The values that a variable has one after the other, as variables of their own.

    float w = v + 1.0f;               float w = v + 1.0f;
    w = sqrtf(w);               ->    const float w2 = sqrtf(w);
    if (w > 2.0f)                     const float w3 = w2 > 2.0f ? 2.0f : w2;
        w = 2.0f;
    y[i] = w * w;                     y[i] = w3 * w3;

What nothing overwrites need not be kept for the reverse sweep: it is still there, or is computed
again from what is. The value at the end of a block goes to the variable where it is read behind it;
in a loop, the one that an iteration starts from has a variable of its own, too, and so has one that
came about in a condition or an inner loop. (Not in loops with barriers: what lives across one is an
array of all threads.)

Legal where control goes from one statement of a block to the next, and where the variable is
reached by its name alone.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import TypeVar, final

from g2o.ad.elements_apart import with_elements_apart
from g2o.ad.places import addressed
from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.analysis.liveness import Liveness, liveness
from g2o.analysis.value_types import value_type
from g2o.ir.bodies import with_bodies
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Conditional,
    Expr,
    Form,
    Literal,
    Remote,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import (
    NO_TRIVIA,
    Barrier,
    Block,
    Declare,
    DoWhile,
    Exchange,
    ExprStatement,
    For,
    If,
    Jump,
    Labelled,
    Node,
    Stmt,
    Switch,
    Trivia,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, walk
from g2o.ir.types import CType, TypeKind, unqualified

N = TypeVar("N", bound=Node)
_COMPOUND = (Block, If, For, While, DoWhile)
_WHOLE = (TypeKind.INTEGER, TypeKind.BOOL)
_NUMBERS = (TypeKind.INTEGER, TypeKind.FLOATING, TypeKind.DEPENDENT)


@final
@dataclass(frozen=True, slots=True)
class Versions:
    """Statements, and the variables with values that are apart now."""

    statements: tuple[Stmt, ...]
    apart: frozenset[Symbol] = frozenset()


def with_versions(
    statements: tuple[Stmt, ...],
    wanted: Collection[Symbol],
    symbols: SymbolTable,
    effects: EffectsOf,
) -> Versions:
    """`statements`, in which the values of the variables `wanted` have variables of their own."""
    statements, elements = with_elements_apart(statements, wanted, symbols)
    unchanged = Versions(statements, frozenset(elements))
    if any(isinstance(node, (Jump, Labelled, Switch)) for node in _nodes(statements)):
        return unchanged
    hidden = addressed(statements)
    wanted = {*wanted, *(one for some in elements.values() for one in some)}
    chosen = frozenset(one for one in wanted if _is_number(one) and one not in hidden)
    if not chosen:
        return unchanged
    live = liveness(Block(statements))
    started = frozenset(_started(statements))
    apart: set[Symbol] = set(elements)
    made = _Versions(chosen, started, live, symbols, effects, apart).sequence(statements)
    return Versions(_without_unused(made, apart), frozenset(apart))


def _nodes(statements: Iterable[Stmt]) -> Iterable[Node]:
    return (node for statement in statements for node in walk(statement))


def _is_number(symbol: Symbol) -> bool:
    ctype = symbol.type
    if symbol.storage is not Storage.LOCAL or ctype.is_volatile or "auto" in ctype.spelling:
        return False
    return ctype.kind in _NUMBERS


def _started(statements: Iterable[Stmt]) -> Iterable[Symbol]:
    """Variables that have a value from their declaration on."""
    for node in _nodes(statements):
        if isinstance(node, Declare):
            yield from (one.symbol for one in node.variables if one.initial is not None)


def _without_unused(statements: tuple[Stmt, ...], symbols: Iterable[Symbol]) -> tuple[Stmt, ...]:
    """`statements` without declarations of those variables that nothing names any more."""
    named: set[Symbol] = set()
    for node in _nodes(statements):
        match node:
            case VarRef(symbol=symbol) | Remote(symbol=symbol) | Exchange(result=symbol):
                named.add(symbol)
            case _:
                pass
    unused = {one for one in symbols if one not in named}

    def kept(sequence: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        result: list[Stmt] = []
        for statement in sequence:
            if isinstance(statement, _COMPOUND):
                statement = with_bodies(statement, kept)
            elif isinstance(statement, Declare) and (unused & set(declared_in(statement))):
                left = tuple(
                    one
                    for one in statement.variables
                    if one.symbol not in unused or one.initial is not None
                )
                if not left:
                    continue
                if len(left) < len(statement.variables):
                    statement = replace(statement, variables=left, form=Form.BUILT)
            result.append(statement)
        return tuple(result)

    return kept(statements) if unused else statements


@final
class _Sequence:
    """The statements of a block by their positions in the source, with what is put in front of the
    first and behind each, and where each variable is named: of each of many variables is asked."""

    def __init__(self, statements: Iterable[Stmt]) -> None:
        self.first: list[Stmt] = []
        self.at = list(statements)
        self.behind: list[list[Stmt]] = [[] for _ in self.at]
        self.named: dict[Symbol, list[int]] = {}
        for position, statement in enumerate(self.at):
            for symbol in symbols_in(statement):
                self.named.setdefault(symbol, []).append(position)

    def result(self) -> tuple[Stmt, ...]:
        return (
            *reversed(self.first),
            *(one for at, more in zip(self.at, self.behind, strict=True) for one in (at, *more)),
        )


@final
@dataclass(slots=True)
class _Line:
    """What the statements of a block do to a variable, by their positions: `values` are what they
    set it to, `changes` those that may change it otherwise, and behind `joins`, in a loop, the
    value has a variable of its own whichever way it came about. All in order."""

    values: dict[int, Expr]
    changes: list[int]
    named: list[int]  # statements that name it
    joins: set[int] = field(default_factory=set[int])
    sets: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.sets = list(self.values)

    def is_changed_behind(self, position: int) -> bool:
        following = bisect_right(self.changes, position)
        end = self._end(position)
        return following < len(self.changes) and (end is None or self.changes[following] < end)

    def is_named_behind(self, position: int, symbol: Symbol) -> bool:
        """Is the value read before the next one is set, or to set it?"""
        following = bisect_right(self.named, position)
        if following == len(self.named):
            return False
        end = self._end(position)
        if end is None or end != self.named[following]:
            return True
        return symbol in symbols_in(self.values[end])

    def _end(self, position: int) -> int | None:
        """Where the next value is set."""
        following = bisect_right(self.sets, position)
        return self.sets[following] if following < len(self.sets) else None


@final
@dataclass(frozen=True, slots=True)
class _Versions:
    chosen: frozenset[Symbol]
    started: frozenset[Symbol]
    live: Liveness
    symbols: SymbolTable
    effects: EffectsOf
    done: set[Symbol]
    repeated: bool = False  # do the statements stand in a loop that threads go through alone?

    def sequence(self, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        """A block: first those inside of it, whose last values may be read here."""
        if not statements:
            return statements
        made = _Sequence(map(self._inside, statements))
        behind = self.live.after(statements[-1])
        for symbol in sorted(self.chosen & made.named.keys(), key=lambda one: one.id):
            self._apart(made, symbol, symbol in behind)
        return made.result()

    def _inside(self, statement: Stmt) -> Stmt:
        if isinstance(statement, (For, While, DoWhile)):
            waits = any(isinstance(node, (Barrier, Exchange)) for node in walk(statement))
            return with_bodies(statement, replace(self, repeated=not waits).sequence)
        return (
            with_bodies(statement, self.sequence) if isinstance(statement, _COMPOUND) else statement
        )

    def _apart(self, made: _Sequence, symbol: Symbol, live: bool) -> None:
        """`live` says whether the last value is read behind these statements."""
        line = self._line(made, symbol)
        if len(line.values) + len(line.joins) <= (live and bool(line.values)):
            return
        self.done.add(symbol)
        last = max(line.values, default=-1)
        current = home = symbol  # what is read, and what statements that change it change
        if self.repeated and self._is_carried(made, line, symbol):
            first = self._declared(symbol, VarRef(symbol), fixed=True)
            current = first.variables[0].symbol
            made.first.append(first)
        for position in line.named:
            statement, behind = made.at[position], made.behind[position]
            value = line.values.get(position)
            if value is not None:
                value = _renamed(value, symbol, current)
                changed = line.is_changed_behind(position)
                named = line.is_named_behind(position, symbol)
                if live and position == last and (changed or not named):
                    made.at[position] = _assigned(symbol, value, _comments(statement))
                    current = home = symbol
                    continue
                declared = self._declared(symbol, value, fixed=not changed)
                current = home = declared.variables[0].symbol
                made.at[position] = replace(declared, trivia=_comments(statement))
                if live and position == last:
                    behind.insert(0, _assigned(symbol, VarRef(current)))
                continue
            if position in line.changes:
                current = home
            made.at[position] = _renamed(statement, symbol, current)
            if position in line.joins:
                copy = self._declared(symbol, VarRef(current), fixed=True)
                current = copy.variables[0].symbol
                behind.insert(0, copy)

    def _line(self, made: _Sequence, symbol: Symbol) -> _Line:
        values: dict[int, Expr] = {}
        changes: list[int] = []
        started, named = symbol in self.started, made.named[symbol]
        for position in named:
            statement = made.at[position]
            value = self._value(statement, symbol, started)
            if value is not None:
                values[position] = value
                started = True
            elif symbol in self.effects.of(statement).writes and not _declares(statement, symbol):
                changes.append(position)
        line = _Line(values, changes, named)
        if self.repeated:
            line.joins = {one for one in changes if line.is_named_behind(one, symbol)}
        return line

    def _is_carried(self, made: _Sequence, line: _Line, symbol: Symbol) -> bool:
        """Does the block read what the variable was in front of it, before it sets it anew?"""
        first = min(line.values, default=-1)
        if first < 0 or min(line.changes, default=first) < first:
            return False
        before = [made.at[one] for one in line.named if one < first]
        if any(symbol in declared_in(one) for one in before):
            return False
        return bool(before) or symbol in symbols_in(line.values[first])

    def _declared(self, symbol: Symbol, value: Expr, *, fixed: bool) -> Declare:
        """Another variable for a value that the variable has."""
        ctype = replace(symbol.type, spelling=unqualified(symbol.type), is_const=False)
        own = self.symbols.fresh(symbol.wish or symbol.name, ctype, Storage.LOCAL)
        spelled = f"const {ctype.spelling}" if fixed else ctype.spelling
        return Declare((Variable(own, spelled, "", value, "="),))

    def _value(self, statement: Stmt, symbol: Symbol, started: bool) -> Expr | None:
        """What the variable is behind the statement, if that does nothing but give it a value."""
        match statement:
            case ExprStatement(expr=expr):
                assign = strip_parens(expr)
                if not isinstance(assign, Assign) or strip_parens(assign.target) != VarRef(symbol):
                    return None
                value = assign.value
                if assign.op != "=":
                    value = Binary(assign.op[:-1], VarRef(symbol), value)
                    value = replace(value, type=value_type(value))
                return value if self._is_value(value) else None
            case If(condition=condition, then=then, otherwise=otherwise):
                if statement.is_constexpr or (otherwise is None and not started):
                    return None
                first = self._only(then, symbol)
                second = VarRef(symbol) if otherwise is None else self._only(otherwise, symbol)
                if first is None or second is None or not self._is_value(condition):
                    return None
                chosen = Conditional(condition, first, second, symbol.type)
                return chosen if _fits(first, second, symbol.type) else None
            case _:
                return None

    def _only(self, body: Stmt, symbol: Symbol) -> Expr | None:
        """The value that the variable gets, if that is all that is done."""
        statements = statements_of(body)
        if len(statements) != 1:
            return None
        value = self._value(statements[0], symbol, True)
        if value is None:
            return None
        return None if any(isinstance(node, self.costly) for node in walk(value)) else value

    @property
    def costly(self) -> tuple[type[Node], ...]:
        """What is not part of a choice. Where a block is done once, the value of a function has
        a name that the reverse sweep can use; in a loop it would have to go onto a tape."""
        return (Conditional,) if self.repeated else (Conditional, Call)

    def _is_value(self, value: Expr) -> bool:
        if any(isinstance(node, Remote) for node in walk(value)):
            return False  # what other threads have is looked for by the name of the variable
        return self.effects.of(value).is_pure


def _assigned(symbol: Symbol, value: Expr, trivia: Trivia = NO_TRIVIA) -> Stmt:
    return ExprStatement(Assign("=", VarRef(symbol), value, symbol.type), trivia=trivia)


def _declares(statement: Stmt, symbol: Symbol) -> bool:
    return isinstance(statement, Declare) and symbol in declared_in(statement)


def _comments(statement: Stmt) -> Trivia:
    """What stands around the statement, and around those in the branches of a choice."""
    trivia = statement.trivia
    if isinstance(statement, If):
        branches = (statement.then, statement.otherwise)
        inner = [two for one in branches if one is not None for two in statements_of(one)]
        ends = ((*one.trivia.before, one.trivia.after) for one in inner)
        more = tuple(text for one in ends for text in one if text)
        trivia = replace(trivia, before=(*trivia.before, *more))
    return trivia


def _renamed(node: N, symbol: Symbol, current: Symbol) -> N:
    return node if current is symbol else rename_symbols(node, {symbol: current})


def _fits(first: Expr, second: Expr, target: CType) -> bool:
    """Is `c ? first : second` as good as the two values, for a variable of this type?"""
    values = (strip_parens(first), strip_parens(second))
    types = [value_type(one) for one in values]
    match target.kind:
        case TypeKind.DEPENDENT:
            return all(unqualified(one) == unqualified(target) for one in types)
        case TypeKind.FLOATING:
            floating = [one.kind is TypeKind.FLOATING for one in types]
            return all(f or _is_exact(v) for f, v in zip(floating, values, strict=True))
        case _:
            return all(one.kind in _WHOLE for one in types) and _keeps_signs(types, target)


def _is_exact(value: Expr) -> bool:
    """Is it a whole number that any floating type has?"""
    return isinstance(value, Literal) and value.value is not None and abs(value.value) <= 1 << 24


def _keeps_signs(types: list[CType], target: CType) -> bool:
    """`long long v = c ? 1u : -1` is not -1: what has a sign loses it beside what has none."""
    bits = max(32, *(one.bits for one in types))
    signed = {one.is_signed or one.bits < bits for one in types}
    return target.bits <= bits or len(signed) == 1
