"""The statements of a block with an index of the variables that they name.

    0  double d_v = 0.0;         d_v: named by 1 and 2, written by 1, declared by 0
    1  d_v += w * d_y[i];
    2  d_x[i] += 2.0 * d_v;

What is asked about one of many variables looks at its own statements alone, so that to tidy a block
takes time in proportion to its length. Statements keep their numbers; those that go leave a gap.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import final

from g2o.ad.chosen_shadows import names_in
from g2o.ir.expressions import Assign, Unary
from g2o.ir.statements import Declare, Exchange, ExprStatement, Node, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk


@final
@dataclass(frozen=True, slots=True)
class _Facts:
    """Of one statement: how often it names each variable, and which it may write."""

    times: dict[Symbol, int]
    written: frozenset[Symbol]


@final
class Line:
    """Statements by number; in order, but for gaps."""

    __slots__ = ("_facts", "_named", "_next", "_previous", "_statements", "_walls", "_written")

    def __init__(self, statements: Iterable[Stmt]) -> None:
        self._statements: list[Stmt | None] = list(statements)
        count = len(self._statements)
        self._facts: list[_Facts | None] = [None] * count
        self._named: dict[Symbol, set[int]] = {}
        self._written: dict[Symbol, set[int]] = {}
        self._walls: list[int] = []
        self._next = list(range(1, count + 1))
        self._previous = list(range(-1, count - 1))
        for number, statement in enumerate(self._statements):
            assert statement is not None
            self._enter(number, statement)

    def __iter__(self) -> Iterator[Stmt]:
        return (one for one in self._statements if one is not None)

    def __getitem__(self, number: int) -> Stmt:
        statement = self._statements[number]
        assert statement is not None
        return statement

    def numbered(self) -> list[tuple[int, Stmt]]:
        return [(number, one) for number, one in enumerate(self._statements) if one is not None]

    # -- questions ------------------------------------------------------------------------------

    def following(self, number: int) -> int | None:
        """The statement behind this one."""
        following = self._next[number]
        return following if following < len(self._statements) else None

    def naming(self, symbol: Symbol, behind: int = -1) -> list[int]:
        """The statements that name the variable; to declare it is not to name it."""
        return sorted(one for one in self._named.get(symbol, ()) if one > behind)

    def times_named(self, number: int, symbol: Symbol) -> int:
        facts = self._facts[number]
        return 0 if facts is None else facts.times.get(symbol, 0)

    def first_writing(self, symbol: Symbol, behind: int) -> int | None:
        """The first statement behind that may write the variable or take its address."""
        return min((one for one in self._written.get(symbol, ()) if one > behind), default=None)

    def first_wall(self, behind: int) -> int | None:
        """The first statement behind that is more than an expression or a declaration."""
        place = bisect_right(self._walls, behind)
        return self._walls[place] if place < len(self._walls) else None

    # -- changes --------------------------------------------------------------------------------

    def put(self, number: int, statement: Stmt) -> None:
        """Another statement for one."""
        if statement is not self._statements[number]:
            self._leave(number)
            self._enter(number, statement)

    def remove(self, number: int) -> None:
        self._leave(number)
        self._statements[number] = self._facts[number] = None
        before, behind = self._previous[number], self._next[number]
        if before >= 0:
            self._next[before] = behind
        if behind < len(self._statements):
            self._previous[behind] = before

    def bring_forward(self, number: int, to: int) -> None:
        """The statement goes to the place of an earlier one, and all from there on behind it."""
        moved = self[number]
        while number != to:
            before = self._previous[number]
            self.put(number, self[before])
            number = before
        self.put(to, moved)

    def _enter(self, number: int, statement: Stmt) -> None:
        facts = _Facts(names_in(statement), frozenset(_written_in(statement)))
        self._statements[number], self._facts[number] = statement, facts
        for symbol in facts.times:
            self._named.setdefault(symbol, set()).add(number)
        for symbol in facts.written:
            self._written.setdefault(symbol, set()).add(number)
        if not isinstance(statement, (ExprStatement, Declare)):
            insort(self._walls, number)

    def _leave(self, number: int) -> None:
        facts = self._facts[number]
        assert facts is not None
        for symbol in facts.times:
            self._named[symbol].discard(number)
        for symbol in facts.written:
            self._written[symbol].discard(number)
        if not isinstance(self._statements[number], (ExprStatement, Declare)):
            self._walls.remove(number)


def _written_in(statement: Node) -> Iterator[Symbol]:
    """Variables that the statement may write, or whose address it takes."""
    for node in walk(statement):
        match node:
            case Assign(target=target):
                yield from names_in(target)
            case Exchange(result=result):
                yield result
            case Unary(op="&" | "++" | "--", operand=operand):
                yield from names_in(operand)
            case _:
                pass
