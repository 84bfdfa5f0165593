"""A kernel body as a tree of barrier intervals.

    Item = Interval | Once | Structured

Statements without barriers gather in intervals, which become thread loops. What is uniform and only
feeds uniform control flow is done once for the whole group of threads. Control flow with a barrier
inside must be uniform and stays outside the thread loops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import final

from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.analysis.jumps import goes_out
from g2o.analysis.uniformity import Uniformity
from g2o.diagnostics.diagnostic import Note, Refusals, refuse
from g2o.diagnostics.source import SourceSpan
from g2o.ir.comments import comments_of
from g2o.ir.expressions import Assign, Expr, VarRef
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    DoWhile,
    Empty,
    Exchange,
    ExprStatement,
    For,
    If,
    Jump,
    JumpKind,
    Labelled,
    Node,
    Return,
    Scope,
    Stmt,
    Switch,
    Trivia,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, walk
from g2o.ir.types import TypeKind, constant
from g2o.lowering.exchange_values import asks_all_lanes, exchange_value, gives_one_result
from g2o.lowering.guards import returning_guard
from g2o.lowering.thread_group import ThreadGroup

_ORDER = {Scope.ROW: 0, Scope.WARP: 1, Scope.BLOCK: 2, Scope.GRID: 3}


@final
@dataclass(slots=True)
class Interval:
    """Statements that every thread runs through without waiting. `loops` tells in how many
    structured loops the interval stands."""

    number: int
    statements: list[Stmt]


@final
@dataclass(slots=True)
class Once:
    """A statement done once for all threads."""

    statement: Stmt


@final
@dataclass(slots=True)
class Structured:
    """Control flow with a barrier inside; `parts` are the items of its bodies in order."""

    statement: Stmt
    parts: list[list[Item]] = field(default_factory=list["list[Item]"])
    first_interval: int = 0


Item = Interval | Once | Structured


def waits(node: Node, scope: Scope) -> bool:
    """Does `node` contain an operation that threads of `scope` (or more of them) do together?"""
    return any(
        isinstance(inner, (Barrier, Exchange)) and _ORDER[inner.scope] >= _ORDER[scope]
        for inner in walk(node)
    )


def waits_below(node: Node, scope: Scope) -> bool:
    """Does `node` contain an operation of a smaller group of threads?"""
    return any(
        isinstance(inner, (Barrier, Exchange)) and _ORDER[inner.scope] < _ORDER[scope]
        for inner in walk(node)
    )


@final
class IntervalBuilder:
    """Builds the tree of one kernel at one scope."""

    def __init__(
        self,
        uniformity: Uniformity,
        effects: EffectsOf,
        group: ThreadGroup,
    ) -> None:
        self.group = group
        self.described = group.described
        self.uniformity = uniformity
        self.effects = effects
        self.scope = group.scope
        self.once_symbols: set[Symbol] = set()
        self.count = 0
        self.refusals = Refusals()

    def build(self, statements: tuple[Stmt, ...]) -> list[Item]:
        self.once_symbols = self._done_once(statements)
        items = self._items(statements, in_loop=False)
        self.refusals.raise_all()
        return items

    # -- what is done once ----------------------------------------------------------------------

    def _done_once(self, statements: tuple[Stmt, ...]) -> set[Symbol]:
        """Uniform variables all of whose definitions do nothing else than define such."""
        sequence = list(self._sequence(statements, in_loop=False))
        candidates: set[Symbol] = set()
        results = {
            node.result
            for statement in statements
            for node in walk(statement)
            if isinstance(node, Exchange) and gives_one_result(node)
        }
        for statement in sequence:
            if isinstance(statement, Declare):
                candidates.update(
                    v.symbol for v in statement.variables if self._may_be_once(v.symbol)
                )
        candidates -= {
            symbol
            for statement in statements
            for node in walk(statement)
            if isinstance(node, Exchange) and asks_all_lanes(node)
            for symbol in symbols_in(node.operands[0])
        }
        needed = self._controlling(statements)
        self._add_operands(needed, sequence)
        private = {v.symbol for s in sequence if isinstance(s, Declare) for v in s.variables}
        private -= results
        guarded = False
        for statement in sequence:
            guard = returning_guard(statement)
            if guard is not None and not self.uniformity.is_uniform(guard):
                guarded = True
            if guarded:  # what no thread would load may not be there
                found = self.effects.of(statement)
                if found.memory_reads:
                    candidates -= ({*found.writes} | declared_in(statement)) - needed
        size = -1
        while size != len(candidates):
            size = len(candidates)
            for statement in sequence:
                own = (
                    declared_in(statement) if not isinstance(statement, Declare) else set[Symbol]()
                )
                found = self.effects.of(statement)
                written = found.writes - own
                if isinstance(statement, Declare):
                    written |= {v.symbol for v in statement.variables}
                if not written & candidates or written <= results:
                    continue
                pure = not found.side_effects and not found.memory_writes
                pure = pure and not (found.reads - own) & (private - candidates)
                if not pure or not written <= candidates or self._leaves(statement):
                    candidates -= written
        return candidates

    def _add_operands(self, needed: set[Symbol], sequence: list[Stmt]) -> None:
        """Add to `needed` what the initialisers of its variables read."""
        for statement in reversed(sequence):
            for variable in statement.variables if isinstance(statement, Declare) else ():
                if variable.symbol in needed and variable.initial is not None:
                    needed |= symbols_in(variable.initial)

    def _may_be_once(self, symbol: Symbol) -> bool:
        kinds = (TypeKind.INTEGER, TypeKind.FLOATING, TypeKind.BOOL, TypeKind.POINTER,
                 TypeKind.DEPENDENT, TypeKind.RECORD, TypeKind.ARRAY)  # fmt: skip
        return (
            symbol.storage is Storage.LOCAL
            and symbol.type.kind in kinds
            and symbol not in self.uniformity.varying
        )

    def _controlling(self, statements: tuple[Stmt, ...]) -> set[Symbol]:
        found: set[Symbol] = set()
        for statement in statements:
            for node in walk(statement):
                if isinstance(node, (If, For, While, DoWhile, Switch)) and waits(node, self.scope):
                    for child in children(node):
                        if not isinstance(child, Stmt) or isinstance(child, Declare):
                            found |= symbols_in(child)
        return found

    def _leaves(self, statement: Stmt) -> bool:
        return any(isinstance(node, (Jump, Return)) for node in walk(statement))

    def _sequence(self, statements: tuple[Stmt, ...], in_loop: bool) -> Iterator[Stmt]:
        """The statements that become parts of intervals, with those inside structured ones."""
        for statement in statements:
            if not self._is_structured(statement, in_loop):
                yield statement
                continue
            match statement:
                case Block(statements=inner):
                    yield from self._sequence(inner, in_loop)
                case If(then=then, otherwise=otherwise):
                    yield from self._sequence(statements_of(then), in_loop)
                    if otherwise is not None:
                        yield from self._sequence(statements_of(otherwise), in_loop)
                case For(initial=initial, body=body):
                    if initial is not None:
                        yield initial
                    yield from self._sequence(statements_of(body), True)
                case While(body=body) | DoWhile(body=body):
                    yield from self._sequence(statements_of(body), True)
                case Switch(body=body):
                    yield from self._sequence(statements_of(body), True)
                case Labelled(body=body):
                    yield from self._sequence(statements_of(body), in_loop)
                case _:
                    pass

    # -- the tree -------------------------------------------------------------------------------

    def _items(self, statements: tuple[Stmt, ...], in_loop: bool) -> list[Item]:
        items: list[Item] = []
        current: list[Stmt] = []

        def flush() -> None:
            if current:
                with self.refusals.noted():
                    self._require_labels(current)
                self.count += 1
                items.append(Interval(self.count, list(current)))
                current.clear()

        together = {
            statement
            for statement in statements
            if isinstance(statement, Exchange) and _ORDER[statement.scope] >= _ORDER[self.scope]
        }
        results = self._declared_with_value(statements, together)
        for position, statement in enumerate(statements):
            if isinstance(statement, Declare) and statement.variables[0].symbol in results:
                continue  # declared where the result is first known
            if isinstance(statement, Barrier) and _ORDER[statement.scope] >= _ORDER[self.scope]:
                flush()
                comments = comments_of(statement)
                if comments:
                    current.append(Empty(trivia=Trivia(comments)))
            elif isinstance(statement, Exchange) and statement in together:
                flush()
                known = statement.result in results
                self._exchange(statement, statements[position + 1 :], current, items, flush, known)
            elif self._is_structured(statement, in_loop):
                flush()
                with self.refusals.noted():
                    items.append(self._structured(statement, in_loop))
            elif self._is_once(statement):
                if current and not self._may_go_before(statement, current):
                    flush()
                items.append(Once(statement))
            else:
                current.append(statement)
        flush()
        return items

    def _declared_with_value(
        self, statements: tuple[Stmt, ...], exchanges: set[Exchange]
    ) -> set[Symbol]:
        """Results that `statements` declare and that nothing but one exchange gives a value."""
        declared = {
            variable.symbol
            for statement in statements
            if isinstance(statement, Declare)
            for variable in statement.variables
            if variable.initial is None
        }
        writes = [
            self.effects.of(statement).writes
            for statement in statements
            if not isinstance(statement, Declare)
        ]
        return {
            exchange.result
            for exchange in exchanges
            if exchange.result in declared
            and (
                not gives_one_result(exchange)
                or sum(exchange.result in written for written in writes) == 1
            )
        }

    def _exchange(
        self,
        exchange: Exchange,
        following: tuple[Stmt, ...],
        current: list[Stmt],
        items: list[Item],
        flush: Callable[[], None],
        declares: bool,
    ) -> None:
        """Reading from other threads stands alone where the same interval changes what is read.

        `declares`: the variable is declared with the result as its value.
        """
        value = exchange_value(exchange, self.group)
        result = exchange.result
        declared = result.type.spelling
        if not declares:
            stored = ExprStatement(Assign("=", VarRef(result), value), trivia=exchange.trivia)
            if result in self.once_symbols:
                items.append(Once(stored))
                return
            current.append(stored)
            self._separate(exchange, following, flush)
            return
        if gives_one_result(exchange):
            variable = Variable(result, constant(declared), "", value, "=")
            items.append(Once(Declare((variable,), trivia=exchange.trivia)))
            return
        assigned: Stmt = Declare(
            (Variable(result, declared, "", value, "="),), trivia=exchange.trivia
        )
        current.append(assigned)
        self._separate(exchange, following, flush)

    def _separate(
        self, exchange: Exchange, following: tuple[Stmt, ...], flush: Callable[[], None]
    ) -> None:
        read = symbols_in(exchange.operands[0]) if exchange.operands else set[Symbol]()
        for statement in following:
            if isinstance(statement, (Barrier, Exchange)) or waits(statement, self.scope):
                break
            if self.effects.of(statement).writes & read:
                flush()
                break

    def _is_once(self, statement: Stmt) -> bool:
        if isinstance(statement, Declare):
            return all(v.symbol in self.once_symbols for v in statement.variables)
        written = self.effects.of(statement).writes - declared_in(statement)
        return bool(written) and written <= self.once_symbols

    def _may_go_before(self, statement: Stmt, earlier: list[Stmt]) -> bool:
        """Does moving a statement in front of the interval that it ends change nothing?"""
        own = self.effects.of(statement)
        before = self.effects.of_all(earlier)
        if own.memory_reads and (before.memory_writes or before.side_effects):
            return False
        if any(isinstance(node, Return) for one in earlier for node in walk(one)):
            return not own.memory_reads
        named: set[Symbol] = set()
        for one in earlier:
            named |= symbols_in(one)
        return not own.writes & named and not own.reads & before.writes

    def _is_structured(self, statement: Stmt, in_loop: bool) -> bool:
        if isinstance(statement, Barrier):
            return False
        if waits(statement, self.scope):
            return True
        if in_loop and (_jumps_out(statement) or _returns(statement)):
            return True  # all of them leave there, or the loop has flags for those that do
        guard = returning_guard(statement)
        return guard is not None and self.uniformity.is_uniform(guard)

    def _structured(self, statement: Stmt, in_loop: bool) -> Structured:
        first = self.count + 1
        result = Structured(statement, first_interval=first)

        def part(body: Stmt, loop: bool) -> None:
            result.parts.append(self._items(statements_of(body), loop))

        match statement:
            case Block():
                part(statement, in_loop)
            case If(condition=condition, then=then, otherwise=otherwise):
                self._require_uniform(condition, statement)
                if returning_guard(statement) is not None:
                    return result  # all of them leave there
                part(then, in_loop)
                if otherwise is not None:
                    part(otherwise, in_loop)
            case For(condition=condition, body=body):
                if condition is not None:
                    self._require_uniform(condition, statement)
                part(body, True)
            case While(condition=condition, body=body) | DoWhile(condition=condition, body=body):
                self._require_uniform(condition, statement)
                part(body, True)
            case Switch(condition=condition, body=body):
                self._require_uniform(condition, statement)
                part(body, True)
            case Labelled(body=body, value=value, label=label):
                if value is None and label != "default":
                    raise refuse(
                        "G2O0207", f"label '{label}' in front of a barrier", statement.span
                    )
                part(body, in_loop)
            case Jump(kind=kind):
                if kind is JumpKind.GOTO:
                    raise refuse("G2O0207", "goto out of a region with barriers", statement.span)
            case Return():
                pass
            case _:
                raise refuse("G2O0203", "barrier inside an expression", statement.span)
        return result

    def _require_labels(self, statements: list[Stmt]) -> None:
        """Threads jump only inside the loop over them that is made of the statements."""
        jump = goes_out(Block(tuple(statements)))
        if jump is not None:
            message = f"'goto {jump.label}' over operations that threads do together"
            raise refuse("G2O0207", message, jump.span)

    def _require_uniform(self, condition: Expr, statement: Stmt) -> None:
        if self.uniformity.is_uniform(condition):
            return
        barrier = next(
            (
                node
                for node in walk(statement)
                if isinstance(node, (Barrier, Exchange))
                and _ORDER[node.scope] >= _ORDER[self.scope]
            ),
            None,
        )
        where: SourceSpan | None = condition.span
        if barrier is not None and barrier.span is not None:
            where = barrier.span
        note = Note(f"condition depends on {self.reason(condition)}", condition.span)
        if barrier is None:
            message = "thread-dependent jump out of a loop with a barrier"
            raise refuse("G2O0203", message, statement.span, note)
        raise refuse("G2O0203", "barrier under thread-dependent control flow", where, note)

    def reason(self, condition: Expr) -> str:
        """What makes a condition differ between threads, in the words of the source."""
        for node in walk(condition):
            if isinstance(node, VarRef) and node.symbol in self.described:
                return self.described[node.symbol]
        for node in walk(condition):
            if isinstance(node, VarRef) and not self.uniformity.is_uniform(node):
                return f"'{node.symbol.name}', which differs between threads"
        return "a value that may differ between threads"


def _returns(statement: Stmt) -> bool:
    return any(isinstance(node, Return) for node in walk(statement))


def _jumps_out(statement: Stmt) -> bool:
    """Does a break or continue inside `statement` leave a loop around it?"""

    def visit(node: Node, loop: bool, switch: bool) -> bool:
        match node:
            case Jump(kind=JumpKind.BREAK):
                return not loop and not switch
            case Jump(kind=JumpKind.CONTINUE):
                return not loop
            case For() | While() | DoWhile():
                return any(visit(child, True, switch) for child in children(node))
            case Switch():
                return any(visit(child, loop, True) for child in children(node))
            case _:
                return any(visit(child, loop, switch) for child in children(node))

    return visit(statement, False, False)


def intervals_in(items: list[Item]) -> Iterator[Interval]:
    for item in items:
        if isinstance(item, Interval):
            yield item
        elif isinstance(item, Structured):
            for part in item.parts:
                yield from intervals_in(part)


def structured_in(items: list[Item]) -> Iterator[Structured]:
    for item in items:
        if isinstance(item, Structured):
            yield item
            for part in item.parts:
                yield from structured_in(part)


def statements_in(items: list[Item]) -> Iterator[Stmt]:
    """The statements that the items are made of, those of structured ones as a whole."""
    for item in items:
        if isinstance(item, Interval):
            yield from item.statements
        else:
            yield item.statement
