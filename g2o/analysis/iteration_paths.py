"""Whether an iteration of a loop can end with everything as it was, for what memory has said.

    while (!done) {                          flag != 0: done is set, the loop ends
      if (flag[b] != 0) done = true;         flag == 0: nothing has changed: the loop waits
    }

All paths through the body are followed, with the values of variables that are set to constants, and
with conditions that stay what they were found to be. What no memory decides is taken to be as good
for the loop as it can be: it waits for others only where they have a say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, final

from g2o.analysis.effects import symbols_in
from g2o.ir.expressions import (
    Assign,
    Binary,
    Cast,
    Expr,
    Literal,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
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
    Return,
    Stmt,
    Switch,
    While,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children, walk

Loop = For | While | DoWhile

_MOST_PATHS: Final = 200


class _Way(Enum):
    ON = "on"
    CONTINUE = "continue"
    BREAK = "break"
    LEFT = "left"


@final
@dataclass(frozen=True, slots=True)
class _Path:
    """Where a path has come to: `values` that variables were set to, where known, conditions that
    were `decided`, whether something was `changed` that the end depends on, and whether memory was
    asked for the way."""

    values: Mapping[Symbol, int | None]
    decided: tuple[tuple[Expr, bool], ...] = ()
    changed: bool = False
    told: bool = False
    way: _Way = _Way.ON

    def state(self) -> object:
        return tuple(self.values.items()), self.decided, self.changed, self.told, self.way


@final
@dataclass(frozen=True, slots=True)
class IterationPaths:
    """`steps` are the nodes, by id, that change what the end of the loop depends on; `is_told`
    says of a condition whether memory decides it that others may write."""

    loop: Loop
    steps: frozenset[int]
    is_told: Callable[[Expr], bool]

    def may_stay(self) -> bool:
        """Is there a path on which memory says to go on, and nothing changes?"""
        loop = self.loop
        paths = [_Path({})]
        if not isinstance(loop, DoWhile) and loop.condition is not None:
            paths = self._taken(loop.condition, True, paths)
        paths = self._statement(loop.body, paths)
        on = [replace(path, way=_Way.ON) for path in paths if path.way in (_Way.ON, _Way.CONTINUE)]
        if isinstance(loop, For) and loop.increment is not None:
            on = [self._expression(loop.increment, path) for path in on]
        if loop.condition is not None:
            on = self._taken(loop.condition, True, on)
        return len(on) > _MOST_PATHS or any(path.told and not path.changed for path in on)

    def _statement(self, node: Stmt, paths: list[_Path]) -> list[_Path]:
        off = [path for path in paths if path.way is not _Way.ON]
        on = [path for path in paths if path.way is _Way.ON]
        if not on or len(paths) > _MOST_PATHS:
            return paths
        match node:
            case Block(statements=statements):
                for statement in statements:
                    on = self._statement(statement, on)
            case If(condition=condition, then=then, otherwise=otherwise):
                taken = self._statement(then, self._taken(condition, True, on))
                passed = self._taken(condition, False, on)
                passed = passed if otherwise is None else self._statement(otherwise, passed)
                on = [*taken, *passed]
                if taken and passed and not self.is_told(condition):
                    on = _at_best(on)
            case For() | While() | DoWhile():
                on = self._inner_loop(node, on)
            case Switch(condition=condition, body=body):
                on = [self._expression(condition, path) for path in on]
                inside = [replace(path, told=path.told or self.is_told(condition)) for path in on]
                on = [*on, *_caught(self._statement(body, inside), _Way.BREAK)]
            case Labelled(body=body):
                on = self._statement(body, on)
            case Jump(kind=JumpKind.BREAK):
                on = [replace(path, way=_Way.BREAK) for path in on]
            case Jump(kind=JumpKind.CONTINUE):
                on = [replace(path, way=_Way.CONTINUE) for path in on]
            case Jump() | Return():
                on = [replace(path, way=_Way.LEFT) for path in on]
            case Declare(variables=variables):
                for one in variables:
                    if one.initial is not None:
                        on = [self._set(one.symbol, one.initial, path) for path in on]
            case ExprStatement(expr=expr):
                on = [self._expression(expr, path) for path in on]
            case _:
                for child in children(node):
                    if not isinstance(child, Stmt):
                        on = [self._expression(child, path) for path in on]
                if id(node) in self.steps:
                    on = [replace(path, changed=True) for path in on]
        return _distinct([*off, *on])

    def _inner_loop(self, loop: Loop, paths: list[_Path]) -> list[_Path]:
        """None or one of its iterations."""
        if isinstance(loop, For) and loop.initial is not None:
            paths = self._statement(loop.initial, paths)
        condition = loop.condition
        passed: list[_Path] = []
        entered = paths
        if condition is not None and not isinstance(loop, DoWhile):
            entered = self._taken(condition, True, paths)
            passed = self._taken(condition, False, paths)
        ran = _caught(self._statement(loop.body, entered), _Way.BREAK, _Way.CONTINUE)
        if isinstance(loop, For) and loop.increment is not None:
            increment = loop.increment
            ran = [self._expression(increment, path) for path in ran]
        untold = condition is not None and not self.is_told(condition)
        return _at_best([*ran, *passed]) if passed and untold else [*ran, *passed]

    def _taken(self, condition: Expr, holds: bool, paths: Iterable[_Path]) -> list[_Path]:
        """The paths on which the condition comes out so."""
        told = self.is_told(condition)
        found: list[_Path] = []
        for before in paths:
            path = self._expression(condition, before) if before.way is _Way.ON else before
            value = _value(condition, path)
            if value is None:
                decided = (*path.decided, *_implied(condition, holds))
                path = replace(path, decided=decided, told=path.told or told)
            elif bool(value) != holds:
                continue
            found.append(path)
        return found

    def _expression(self, expr: Expr, path: _Path) -> _Path:
        if path.way is not _Way.ON:
            return path
        for node in walk(expr):
            if id(node) in self.steps:
                path = replace(path, changed=True)
            match node:
                case Assign(op="=", target=VarRef(symbol=symbol), value=value):
                    path = self._set(symbol, value, path)
                case Assign(target=VarRef(symbol=symbol)):
                    path = _with(symbol, None, path)
                case Unary(op="++" | "--" | "&", operand=VarRef(symbol=symbol)):
                    path = _with(symbol, None, path)
                case _:
                    pass
        return path

    def _set(self, symbol: Symbol, value: Expr, path: _Path) -> _Path:
        if path.way is not _Way.ON:
            return path
        path = self._expression(value, path)
        known = _value(value, path)
        told = path.told or (known is None and self.is_told(value))
        return replace(_with(symbol, known, path), told=told)


def _with(symbol: Symbol, value: int | None, path: _Path) -> _Path:
    decided = tuple(one for one in path.decided if symbol not in symbols_in(one[0]))
    return replace(path, values={**path.values, symbol: value}, decided=decided)


def _at_best(paths: list[_Path]) -> list[_Path]:
    """What one of the paths has changed, or set, is so on all of them."""
    changed = any(path.changed for path in paths)
    known: dict[Symbol, int | None] = {}
    for path in paths:
        known = {**path.values, **known}
    return [
        replace(path, changed=path.changed or changed, values={**known, **path.values})
        for path in paths
    ]


def _caught(paths: list[_Path], *ways: _Way) -> list[_Path]:
    return [replace(path, way=_Way.ON) if path.way in ways else path for path in paths]


def _distinct(paths: list[_Path]) -> list[_Path]:
    return list({path.state(): path for path in paths}.values())


def _implied(condition: Expr, holds: bool) -> list[tuple[Expr, bool]]:
    """What is known once a condition has come out so."""
    match strip_parens(condition):
        case Unary(op="!", operand=operand):
            return _implied(operand, not holds)
        case Binary(op="&&", left=left, right=right) if holds:
            return [*_implied(left, True), *_implied(right, True)]
        case Binary(op="||", left=left, right=right) if not holds:
            return [*_implied(left, False), *_implied(right, False)]
        case other:
            return [(other, holds)]


def _value(expr: Expr, path: _Path) -> int | None:
    """What is known of a value, or of a condition."""
    known = integer_value(expr)
    if known is not None:
        return known
    match strip_parens(expr):
        case VarRef(symbol=symbol) if path.values.get(symbol) is not None:
            return path.values[symbol]
        case Literal(text="true" | "false" as text):
            return int(text == "true")
        case Cast(operand=operand):
            return _value(operand, path)
        case Unary(op="!", operand=operand):
            value = _value(operand, path)
            return None if value is None else int(not value)
        case Binary(op="&&" | "||" as op, left=left, right=right):
            return _joined(op, _value(left, path), _value(right, path))
        case Binary(op="==" | "!=" as op, left=left, right=right):
            one, other = _value(left, path), _value(right, path)
            if one is not None and other is not None:
                return int((one == other) == (op == "=="))
        case _:
            pass
    return _decided(strip_parens(expr), path)


def _joined(op: str, left: int | None, right: int | None) -> int | None:
    if op == "||":
        inverse = _joined("&&", _inverse(left), _inverse(right))
        return _inverse(inverse)
    if left == 0 or right == 0:
        return 0
    return None if left is None or right is None else 1


def _inverse(value: int | None) -> int | None:
    return None if value is None else int(not value)


def _decided(expr: Expr, path: _Path) -> int | None:
    for condition, holds in path.decided:
        if condition == expr:
            return int(holds)
    return None
