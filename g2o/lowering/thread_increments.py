"""What threads add to arrays of all inside of their own loops, and what they do besides.

A nest of loops over threads is taken apart into what comes in front of the additions, these, with
what they depend on said in numbers of iterations, and what comes behind them: the seeds that are
consumed. Legal as threads do not wait for each other, additions have no order, and nothing of the
first part needs what the last one changes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import (
    EffectsOf,
    declared_in,
    root_symbol,
    statements_of,
    symbols_in,
)
from g2o.analysis.positions import polynomial_of
from g2o.analysis.same_memory import SameMemory
from g2o.analysis.value_types import value_type
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Expr,
    Form,
    Index,
    Literal,
    Paren,
    Unary,
    VarRef,
    integer_value,
    moved_by,
    negated,
    strip_parens,
)
from g2o.ir.increments import is_increment, place_of
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    Empty,
    ExprStatement,
    For,
    If,
    Jump,
    Labelled,
    LocalFunction,
    Node,
    Return,
    Stmt,
    Text,
    Variable,
)
from g2o.ir.symbols import Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT, TypeKind, unqualified
from g2o.lowering.indices import block_of
from g2o.polyhedral.polynomial import Polynomial

Statements = tuple[Stmt, ...]


@final
@dataclass(frozen=True, slots=True)
class Counter:
    """A loop over threads, or one inside, over `[lower, last]`, as numbers and as polynomials."""

    symbol: Symbol
    lower: Expr
    upper: Expr  # behind the last one
    node: CountedLoop | For
    low: Polynomial | None
    high: Polynomial | None  # behind the last one

    @property
    def last(self) -> Expr:
        return moved_by(self.upper, -1, INT)


@final
@dataclass(frozen=True, slots=True)
class Increment:
    """An addition inside of `loops`, from the outside in, where the `guards` hold. `handed`: what
    a thread has found in front of the loops, and the element through which it hands it on."""

    statement: Stmt
    place: Index
    value: Expr
    loops: tuple[Counter, ...]
    guards: tuple[Expr, ...]
    handed: tuple[Symbol, Index] | None = None


def name_of(symbol: Symbol) -> str:
    return f"{symbol.name}.{symbol.id}"


@final
class ThreadNest:
    """Loops over threads, directly in each other, around `body`."""

    def __init__(
        self,
        loop: CountedLoop,
        threads: tuple[Counter, ...],
        body: Statements,
        effects: EffectsOf,
        symbols: SymbolTable,
        limits: dict[str, list[Polynomial]],
        memory: SameMemory,
        is_c: bool,
    ) -> None:
        self.effects = effects
        self.symbols = symbols
        self.is_c = is_c
        self.loop = loop
        self.threads = threads
        self.body = body
        self.limits = limits
        self.memory = memory
        self.written = written_after_declaration(block_of(body), effects)
        self.values: dict[Symbol, Expr] = {}
        self.inside = {one.symbol for one in threads}
        self.own = declared_in(block_of(body))

    @staticmethod
    def of(
        loop: CountedLoop,
        effects: EffectsOf,
        symbols: SymbolTable,
        limits: dict[str, list[Polynomial]],
        memory: SameMemory,
        is_c: bool,
    ) -> ThreadNest | None:
        threads: list[Counter] = []
        body: Stmt = loop
        while isinstance(body, CountedLoop):
            low, high = _polynomial(body.lower), _polynomial(body.upper)
            named = symbols_in(body.lower) | symbols_in(body.upper)
            if body.step is not None:
                return None
            if named & {one.symbol for one in threads}:
                return None
            threads.append(Counter(body.index, body.lower, body.upper, body, low, high))
            body = body.body
            while isinstance(body, Block) and len(body.statements) == 1:
                body = body.statements[0]
        if not all(is_int(VarRef(one.symbol)) for one in threads):
            return None
        ways_out = (Return, Labelled, LocalFunction, Text)
        if any(isinstance(node, ways_out) for node in walk(body)):
            return None
        if any(isinstance(node, Jump) for node in walk(body)):
            return None
        body = block_of(statements_of(body))
        return ThreadNest(
            loop, tuple(threads), body.statements, effects, symbols, limits, memory, is_c
        )

    def increments(
        self, statements: Statements, loops: tuple[Counter, ...], guards: tuple[Expr, ...]
    ) -> Iterator[Increment | None]:
        """The additions; None stands for one that is not understood."""
        for statement in statements:
            match statement:
                case Declare(variables=(variable,)) if variable.initial is not None:
                    if _keeps(variable) and self.effects.is_pure(variable.initial):
                        self.values[variable.symbol] = variable.initial
                case ExprStatement(expr=Call() as call) if is_increment(call):
                    place = strip_parens(place_of(call))
                    if isinstance(place, Index):
                        yield Increment(statement, place, call.arguments[1], loops, guards)
                    else:
                        yield None
                case _ if not any(map(is_increment, walk(statement))):
                    pass
                case Block(statements=inner):
                    yield from self.increments(inner, loops, guards)
                case If(condition=condition, then=then, otherwise=None):
                    yield from self.increments(
                        statements_of(then), loops, (*guards, *_conjuncts(condition))
                    )
                case For(body=body) if (counter := self._counter(statement)) is not None:
                    self.inside.add(counter.symbol)
                    yield from self.increments(statements_of(body), (*loops, counter), guards)
                case _:
                    yield None

    def _counter(self, loop: For) -> Counter | None:
        """A loop whose bounds are the same for all threads."""
        match loop:
            case For(
                initial=Declare(variables=(Variable(symbol=symbol, initial=lower),)),
                condition=Binary(op="<" | "<=" as op, left=VarRef(symbol=compared), right=upper),
                increment=Unary(op="++", operand=VarRef(symbol=counted)),
                shared=None,
            ) if symbol == compared == counted and lower is not None:
                pass
            case _:
                return None
        if not is_int(VarRef(symbol)) or symbol in self.effects.of(loop.body).writes:
            return None
        upper = upper if op == "<" else moved_by(upper, 1, INT)
        if not self.is_alike(lower) or not self.is_alike(upper):
            return None
        return Counter(symbol, lower, upper, loop, _polynomial(lower), _polynomial(upper))

    def is_alike(self, expr: Expr) -> bool:
        """Is it the same wherever the nest asks for it, and does an `int` hold it?"""
        if not is_int(expr):
            return False
        found = self.effects.of(expr)
        changing = self.own | self.written | self.inside | self.effects.of_all(self.body).writes
        return found.is_pure and not found.memory_reads and not symbols_in(expr) & changing

    def inlined(self, expr: Expr) -> Expr:
        """The expression with what the code declares put in."""

        def put(node: Node) -> Node | None:
            if isinstance(node, VarRef) and node.symbol in self.values:
                if node.symbol in self.written:
                    return None
                inner = strip_parens(self.inlined(self.values[node.symbol]))
                return inner if isinstance(inner, VarRef | Literal | Index) else Paren(inner)
            return None

        return rewrite(expr, put)

    def is_of_iterations(self, expr: Expr) -> bool:
        """Does an inlined expression depend on numbers of iterations and on memory alone?"""
        found = self.effects.of(expr)
        named = symbols_in(expr) - self.inside
        return (
            found.is_pure
            and None not in found.memory_reads
            and not named & (self.written | self.own)
        )

    def handed_on(self, one: Increment) -> Increment:
        """The addition, with what a thread has found in front of its loops read from the seed that
        the thread consumes, where it is put for that long."""
        names = {node.symbol for node in walk(one.value) if isinstance(node, VarRef)}
        local = [
            symbol for symbol in names if not self.is_of_iterations(self.inlined(VarRef(symbol)))
        ]
        match local:
            case [symbol] if symbol.type.kind is TypeKind.FLOATING:
                place = self._consumed(symbol, one)
            case _:
                return one
        if place is None:
            return one

        def with_it(there: Expr) -> Expr:
            return rewrite(
                one.value,
                lambda node: there if isinstance(node, VarRef) and node.symbol == symbol else None,
            )

        rest = (with_it(Literal("0.0", 0, symbol.type)), *one.guards)
        if root_symbol(place) in self.effects.of_all(map(self.inlined, rest)).memory_reads:
            return one
        return replace(one, value=with_it(place), handed=(symbol, place))

    def _stores(self, found: list[Increment]) -> list[Stmt] | None:
        """What threads hand on; None where they need an element for something else as well."""
        handed = {one.handed for one in found if one.handed is not None}
        arrays = [root_symbol(place) for _, place in handed]
        if len(set(arrays)) < len(arrays):
            return None
        for one in found:
            reads = {
                root
                for each in (one.value, *one.guards)
                for root in self.effects.of(self.inlined(each)).memory_reads
            }
            own = None if one.handed is None else root_symbol(one.handed[1])
            if reads & (set(arrays) - {own}):
                return None
        return [
            ExprStatement(Assign("=", place, VarRef(symbol), place.type))
            for symbol, place in sorted(handed, key=lambda each: each[0].id)
        ]

    def _consumed(self, symbol: Symbol, one: Increment) -> Index | None:
        """The element of the thread's own that it sets to 0, and that nothing asks for any more
        where the variable has its last value; None where there is no such element."""
        behind = False
        for statement in self.body:
            behind = behind or any(node is one.statement for node in walk(statement))
            if behind and symbol in self.effects.of(statement).writes:
                return None
        if not any(symbol in declared_in(s) for s in self.body if isinstance(s, Declare)):
            return None
        for number, statement in enumerate(self.body):
            match statement:
                case ExprStatement(expr=Assign(target=target)) if _is_zeroing(statement):
                    place, array = strip_parens(target), root_symbol(target)
                case _:
                    continue
            if not isinstance(place, Index) or array is None or array in self.own:
                continue
            index = self.inlined(place.index)
            counters = {thread.symbol for thread in self.threads}
            if symbols_in(index) & (self.inside - counters) or not self.is_of_iterations(index):
                continue
            later = self.effects.of_all(self.body[number + 1 :])
            if array in later.memory_reads | later.memory_writes:
                continue
            if unqualified(place.type) == unqualified(symbol.type):
                return replace(place, index=index, form=Form.BUILT)
        return None

    def distributed(self, found: list[Increment]) -> tuple[Statements, Statements] | None:
        """What comes in front of the gathering, and what behind it; None where that is not the
        same."""
        arrays = {root for one in found if (root := root_symbol(one.place)) is not None}
        whole = block_of(self.body)
        for array in arrays:
            named = sum(isinstance(n, VarRef) and n.symbol == array for n in walk(whole))
            if named != sum(root_symbol(one.place) == array for one in found):
                return None
            if array.type.kind is not TypeKind.POINTER or self.memory.names_beside(array, whole):
                return None
        seeds: set[Symbol | None] = set()
        for one in found:
            for each in (self.inlined(one.value), *map(self.inlined, one.guards)):
                if not self.is_of_iterations(each):
                    return None
                seeds |= self.effects.of(each).memory_reads
        if None in seeds or seeds & arrays:
            return None
        taken = {id(one.statement) for one in found}
        first: list[Stmt] = []
        last: list[Stmt] = []
        moved: set[Symbol | None] = set()
        for statement in self.body:
            left = _without(statement, taken)
            if left is None:
                continue
            if isinstance(left, Declare):
                if self.effects.of(left).memory_reads & moved:
                    return None  # it has read what is consumed by then
                first.append(left)
                last.append(left)
                continue
            effects = self.effects.of(left)
            if effects.memory_writes & seeds or None in effects.memory_writes:
                if not _is_zeroing(left):
                    return None
                moved |= effects.memory_writes
                last.append(left)
            elif effects.memory_reads & moved:
                return None
            else:
                first.append(left)
        for seed in moved:
            if seed is None or self.memory.names_beside(seed, whole):
                return None
        stores = self._stores(found)
        if stores is None:
            return None
        first += stores
        kept = tuple(_without_unused(last))
        again = self.effects.of_all(one for one in kept if isinstance(one, Declare))
        if again.memory_reads & self.effects.of_all(first).memory_writes:
            return None
        if any(symbols_in(one) & self.written for one in kept):
            return None
        return tuple(_without_unused(first)), kept

    # -- turning around -------------------------------------------------------------------------

    def position(self, expr: Expr, moves: dict[str, Polynomial]) -> Polynomial | None:
        """An inlined integer as a polynomial in the variables, told apart by their numbers."""
        known = {
            symbol: Polynomial.name(name_of(symbol))
            for symbol in symbols_in(expr)
            if symbol.type.kind is TypeKind.INTEGER and symbol.type.is_signed
        }
        found = polynomial_of(expr, known)
        return None if found is None else found.substituted(moves)

    def around(self, statements: Statements) -> CountedLoop:
        """The nest around other statements."""
        body: Stmt = block_of(statements)
        for counter in reversed(self.threads):
            node = counter.node
            assert isinstance(node, CountedLoop)
            body = replace(node, body=block_of(statements_of(body)))
        assert isinstance(body, CountedLoop)
        return body


def is_int(expr: Expr) -> bool:
    """Is it an integer with a sign of at most 32 bits?"""
    ctype = value_type(expr)
    return ctype.kind is TypeKind.INTEGER and ctype.is_signed and ctype.bits <= INT.bits


def _polynomial(expr: Expr) -> Polynomial | None:
    value = integer_value(expr)
    return polynomial_of(expr, {}) if value is None else Polynomial.constant(value)


def _conjuncts(condition: Expr) -> tuple[Expr, ...]:
    match strip_parens(condition):
        case Binary(op="&&", left=left, right=right):
            return (*_conjuncts(left), *_conjuncts(right))
        case Unary(op="!", operand=operand) if _is_or(operand):
            return _conjuncts(negated(operand))
        case other:
            return (other,)


def _is_or(condition: Expr) -> bool:
    bare = strip_parens(condition)
    return isinstance(bare, Binary) and bare.op == "||"


def _keeps(variable: Variable) -> bool:
    """Does the variable stand for what it begins with, and for nothing less?"""
    initial, own = variable.initial, variable.symbol.type
    if initial is None or own.is_indirect or own.kind is not initial.type.kind or variable.suffix:
        return False
    if own.kind is TypeKind.INTEGER:
        return own.is_signed == initial.type.is_signed and own.bits >= initial.type.bits
    return own.kind is TypeKind.FLOATING and own.bits >= initial.type.bits


def _without(statement: Stmt, taken: Collection[int]) -> Stmt | None:
    """The statement without these; None where nothing is left that does anything."""
    if not any(id(node) in taken for node in walk(statement)):
        return statement
    match statement:
        case Block(statements=inner):
            left = [new for one in inner if (new := _without(one, taken)) is not None]
            left = list(_without_unused(left))
            return block_of(left) if acts(left) else None
        case If(then=then):
            body = _without(then, taken)
            return None if body is None else replace(statement, then=body, form=Form.BUILT)
        case For(body=inner):
            body = _without(inner, taken)
            return None if body is None else replace(statement, body=body, form=Form.BUILT)
        case _:
            return None


def _without_unused(statements: Collection[Stmt]) -> list[Stmt]:
    """Declarations that nothing names go."""
    kept: list[Stmt] = []
    wanted: set[Symbol] = set()
    for statement in reversed(list(statements)):
        match statement:
            case Declare(variables=(variable,)) if variable.symbol not in wanted:
                continue
            case _:
                wanted |= symbols_in(statement)
                kept.insert(0, statement)
    return kept


def acts(statements: Collection[Stmt]) -> bool:
    return any(not isinstance(one, Declare | Empty) for one in statements)


def _is_zeroing(statement: Stmt) -> bool:
    match statement:
        case ExprStatement(expr=Assign(op="=", value=Literal(text="0.0" | "0.0f" | "0"))):
            return True
        case _:
            return False
