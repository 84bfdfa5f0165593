"""Counters that differ between threads leave the header of a loop that all go through together.

    for (int i = 0, j = t; i < n; ++i, j += 32) {        int j = t;
        s[t] = x[j];                                     for (int i = 0; i < n; ++i) {
        barrier                                    ->        s[t] = x[j];
        ...                                                  barrier
    }                                                        ...
                                                             j += 32;
                                                         }

The header is done once for all threads: what stands there has to be the same for them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from g2o.analysis.effects import declared_in, root_symbol, statements_of, symbols_in
from g2o.ir.expressions import Assign, Binary, Expr, Form, Unary
from g2o.ir.statements import (
    Block,
    Declare,
    DoWhile,
    ExprStatement,
    For,
    Jump,
    JumpKind,
    Node,
    Stmt,
    While,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite, walk


def without_varying_header(
    loop: For, varies: Callable[[Symbol], bool]
) -> tuple[tuple[Stmt, ...], For] | None:
    """What comes in front of the loop, and the loop; None where its header is the same for all
    threads."""
    before, initial = split_initial(loop.initial, varies)
    behind, increment = _split_increment(loop.increment, varies)
    if not before and not behind:
        return None
    body = loop.body
    if behind:
        inner = _continuing(body, behind)
        hidden = {symbol.name for symbol in declared_in(inner)}
        named = {symbol.name for part in behind for symbol in symbols_in(part)}
        body = Block((*((inner,) if hidden & named else statements_of(inner)), *behind))
    return before, replace(loop, initial=initial, increment=increment, body=body, form=Form.BUILT)


def split_initial(
    initial: Stmt | None, varies: Callable[[Symbol], bool]
) -> tuple[tuple[Stmt, ...], Stmt | None]:
    """What of the start of a loop goes in front of it, and what stays."""
    match initial:
        case Declare(variables=variables):
            moved = tuple(v for v in variables if varies(v.symbol))
            kept = tuple(v for v in variables if not varies(v.symbol))
            if not moved:
                return (), initial
            names = {one.symbol for one in kept}
            if any(one.initial is not None and symbols_in(one.initial) & names for one in moved):
                moved, kept = variables, ()
            return tuple(Declare((one,)) for one in moved), Declare(kept) if kept else None
        case ExprStatement(expr=expr):
            found, rest = _split(expr, varies)
            return found, None if rest is None else replace(initial, expr=rest)
        case _:
            return (), initial


def _split_increment(
    increment: Expr | None, varies: Callable[[Symbol], bool]
) -> tuple[tuple[Stmt, ...], Expr | None]:
    return ((), None) if increment is None else _split(increment, varies)


def _split(expr: Expr, varies: Callable[[Symbol], bool]) -> tuple[tuple[Stmt, ...], Expr | None]:
    """The parts of `a, b, c` that change what differs between threads, and the others."""
    parts = _parts(expr)
    moved = [part for part in parts if _changes(part, varies)]
    if not moved:
        return (), expr
    if _depends(parts, moved):
        moved = parts
    rest: Expr | None = None
    for part in parts:
        if part not in moved:
            rest = part if rest is None else Binary(",", rest, part, part.type)
    return tuple(ExprStatement(part) for part in moved), rest


def _depends(parts: list[Expr], moved: list[Expr]) -> bool:
    """Does one that moves to the front name what one in front of it changes?"""
    changed: set[Symbol] = set()
    for part in parts:
        if part in moved and symbols_in(part) & changed:
            return True
        if part not in moved:
            changed |= {root for target in _targets(part) if (root := root_symbol(target))}
    return False


def _targets(part: Expr) -> list[Expr]:
    """What an expression changes."""
    found: list[Expr] = []
    for node in walk(part):
        if isinstance(node, Assign):
            found.append(node.target)
        elif isinstance(node, Unary) and node.op in ("++", "--"):
            found.append(node.operand)
    return found


def _parts(expr: Expr) -> list[Expr]:
    if isinstance(expr, Binary) and expr.op == ",":
        return [*_parts(expr.left), *_parts(expr.right)]
    return [expr]


def _changes(part: Expr, varies: Callable[[Symbol], bool]) -> bool:
    roots = (root_symbol(target) for target in _targets(part))
    return any(symbol is not None and varies(symbol) for symbol in roots)


def _continuing(body: Stmt, behind: tuple[Stmt, ...]) -> Stmt:
    """`body` with what comes at its end in front of each `continue`."""

    def replacement(node: Node) -> Node | None:
        if isinstance(node, (For, While, DoWhile)):
            return node
        if isinstance(node, Jump) and node.kind is JumpKind.CONTINUE:
            return Block((*behind, node))
        return None

    return rewrite(body, replacement)
