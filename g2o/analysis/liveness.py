"""Which local variables may still be read: backward liveness over structured statements.

    x = 1;        after: {x}
    y[i] = x;     after: {}
    x = 2;        ...

Only plain assignments to a whole variable end its life, so that anything else a statement does with
the variable counts as reading it. `goto` is not followed: callers look for labels first.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field
from typing import final

from g2o.analysis.effects import symbols_in
from g2o.ir.expressions import Assign, Expr, VarRef
from g2o.ir.statements import (
    Block,
    Declare,
    DoWhile,
    ExprStatement,
    For,
    If,
    Jump,
    JumpKind,
    Labelled,
    Node,
    Return,
    Stmt,
    Switch,
    While,
)
from g2o.ir.symbols import Symbol

_NOTHING: frozenset[Symbol] = frozenset()


@final
@dataclass(frozen=True, slots=True)
class Targets:
    """What is live where `break` and `continue` lead."""

    at_break: frozenset[Symbol] = _NOTHING
    at_continue: frozenset[Symbol] = _NOTHING


@final
@dataclass(slots=True)
class Liveness:
    """What is live behind each statement; behind a `break` or `continue`, where it leads."""

    _after: dict[int, frozenset[Symbol]] = field(default_factory=dict[int, frozenset[Symbol]])
    _before: dict[int, frozenset[Symbol]] = field(default_factory=dict[int, frozenset[Symbol]])
    _cases: list[set[Symbol]] = field(default_factory=list[set[Symbol]])

    def at(self, statement: Stmt) -> Set[Symbol]:
        """Variables that may be read where control comes to `statement`, of the body analysed."""
        return self._before.get(id(statement), _NOTHING)

    def after(self, statement: Stmt) -> Set[Symbol]:
        """Variables that may be read once control has left `statement`, of the body analysed."""
        return self._after.get(id(statement), _NOTHING)

    def before(self, node: Stmt, out: frozenset[Symbol], targets: Targets) -> frozenset[Symbol]:
        found = self._reached(node, out, targets)
        self._before[id(node)] = self._before.get(id(node), _NOTHING) | found
        return found

    def _reached(self, node: Stmt, out: frozenset[Symbol], targets: Targets) -> frozenset[Symbol]:
        out = self._after.get(id(node), _NOTHING) | out
        self._after[id(node)] = out
        match node:
            case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=value)):
                return (out - {symbol}) | symbols_in(value)
            case Declare(variables=variables):
                for variable in reversed(variables):
                    out = (out - {variable.symbol}) | _named(variable.initial, *variable.extents)
                return out
            case Block(statements=statements):
                for statement in reversed(statements):
                    out = self.before(statement, out, targets)
                return out
            case If(condition=condition, then=then, otherwise=otherwise):
                other = out if otherwise is None else self.before(otherwise, out, targets)
                return self.before(then, out, targets) | other | symbols_in(condition)
            case For() | While() | DoWhile():
                return self._loop(node, out)
            case Switch(condition=condition, body=body):
                self._cases.append(set())
                inner = Targets(out, targets.at_continue)
                reached = self.before(body, out, inner)
                return out | reached | self._cases.pop() | symbols_in(condition)
            case Labelled(value=value, body=body):
                reached = self.before(body, out, targets) | _named(value)
                if self._cases:
                    self._cases[-1] |= reached
                return reached
            case Jump(kind=kind):
                out = targets.at_break if kind is JumpKind.BREAK else targets.at_continue
                self._after[id(node)] = out
                return out
            case Return(value=value):
                self._after[id(node)] = _NOTHING
                return _named(value)
            case _:
                return out | symbols_in(node)

    def _loop(self, loop: For | While | DoWhile, out: frozenset[Symbol]) -> frozenset[Symbol]:
        condition = _named(loop.condition)
        head = out | condition  # live where the condition is evaluated
        while True:
            again = head | _named(loop.increment) if isinstance(loop, For) else head
            body = self.before(loop.body, again, Targets(out, again))
            larger = head | body
            if larger == head:
                break
            head = larger
        if isinstance(loop, DoWhile):
            return body
        if isinstance(loop, For) and loop.initial is not None:
            return self.before(loop.initial, head, Targets())
        return head


def _named(*nodes: Node | None) -> frozenset[Symbol]:
    found: set[Symbol] = set()
    for node in nodes:
        if node is not None:
            found |= symbols_in(node)
    return frozenset(found)


def liveness(body: Stmt) -> Liveness:
    """Liveness in `body`, behind which nothing is live."""
    result = Liveness()
    result.before(body, _NOTHING, Targets())
    return result


def reads(expr: Expr, symbol: Symbol) -> bool:
    """Does the expression name the variable?"""
    return symbol in symbols_in(expr)
