"""Statements that may be run even where the source runs none of them.

    int total = 0;
    for (int k = 0; k < n; ++k)
        total += k;

Counting loops over numbers: they end, read no memory, divide no integers, and leave nothing behind
but variables of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from g2o.analysis.effects import declared_in, symbols_in
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    LaunchRef,
    Literal,
    Paren,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import Block, Declare, ExprStatement, For, If, Node, Stmt
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import TypeKind

_ARITHMETIC: Final = frozenset(("+", "-", "*", "<", "<=", ">", ">=", "==", "!=", "&&", "||"))
_UPWARDS: Final = ("<", "<=")
_DOWNWARDS: Final = (">", ">=")


def is_plain_work(
    statements: Iterable[Stmt], known: set[Symbol], is_mathematics: Callable[[Node], bool]
) -> bool:
    """`known` are variables that have a value; functions are those of mathematics."""
    own: set[Symbol] = set()
    for statement in statements:
        own |= declared_in(statement)
        for node in walk(statement):
            if not _is_plain(node, known | own, own, is_mathematics):
                return False
    return True


def _is_plain(
    node: Node, known: set[Symbol], own: set[Symbol], is_mathematics: Callable[[Node], bool]
) -> bool:
    match node:
        case Block() | If() | ExprStatement() | Literal() | Paren() | Conditional() | LaunchRef():
            return True
        case Declare(variables=variables):
            return all(one.initial is not None and not one.suffix for one in variables)
        case For():
            return _ends(node)
        case Assign(op=op, target=VarRef(symbol=symbol)):
            whole = op in ("/=", "%=", "<<=", ">>=") and node.type.kind is not TypeKind.FLOATING
            return symbol in own and not whole
        case VarRef(symbol=symbol):
            local = symbol.storage not in (Storage.GLOBAL, Storage.SHARED, Storage.DYNAMIC_SHARED)
            number = symbol.type.is_arithmetic and not symbol.type.is_volatile
            return local and number and symbol in known
        case Unary(op=op, operand=operand):
            changed = op not in ("++", "--") or not symbols_in(operand) - own
            return op in ("+", "-", "!", "++", "--") and changed
        case Cast(type=ctype):
            return ctype.is_arithmetic
        case Binary(op=op, type=ctype):
            return op in _ARITHMETIC or (op == "/" and ctype.kind is TypeKind.FLOATING)
        case Call():
            return is_mathematics(node)
        case _:
            return False


def _ends(loop: For) -> bool:
    """Does the loop count a variable of its own towards a bound that it does not change?"""
    match loop.initial, loop.condition:
        case Declare(variables=(variable,)), Binary(op=op, left=left, right=bound) if (
            op in (*_UPWARDS, *_DOWNWARDS)
            and isinstance(counter := strip_parens(left), VarRef)
            and counter.symbol == variable.symbol
        ):
            changed = _changed_in(loop.body)
            fixed = changed.isdisjoint({variable.symbol, *symbols_in(bound)})
            whole = variable.symbol.type.kind is TypeKind.INTEGER
            steps = _UPWARDS if _step(loop.increment, variable.symbol) > 0 else _DOWNWARDS
            moves = _step(loop.increment, variable.symbol) != 0
            return fixed and whole and moves and op in steps
        case _:
            return False


def _step(increment: Expr | None, counter: Symbol) -> int:
    """By how much the counter moves; 0 where that is not plain."""
    match increment:
        case Unary(op="++" | "--" as op, operand=VarRef(symbol=symbol)) if symbol == counter:
            return 1 if op == "++" else -1
        case Assign(op="+=" | "-=" as op, target=VarRef(symbol=symbol), value=value) if (
            symbol == counter
        ):
            size = integer_value(value) or 0
            return size if op == "+=" else -size
        case _:
            return 0


def _changed_in(body: Stmt) -> set[Symbol]:
    changed: set[Symbol] = set()
    for node in walk(body):
        match node:
            case Assign(target=target) | Unary(op="++" | "--", operand=target):
                changed |= symbols_in(target)
            case _:
                pass
    return changed
