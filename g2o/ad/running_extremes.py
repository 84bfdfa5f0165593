"""Extremes that loops look for become choices, of which only the last has a derivative.

    for (int c = 0; c < n; ++c)             for (int c = 0; c < n; ++c)
        m = fmaxf(m, x[c]);          ->         if (x[c] > m)
                                                    m = x[c];

Then `choosing_loops` takes back one iteration in place of all, and no tape says who has won. Of
equal numbers the first argument is taken, of a NaN and a number the number, as by fmax and fmin. A
loop is only written so where it chooses then, and does nothing else that has a derivative.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, final

from g2o.ad.activity import Activity
from g2o.ad.choosing_loops import choice_of
from g2o.analysis.effects import EffectsOf, symbols_in
from g2o.ir.bodies import with_bodies
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Conditional,
    Expr,
    Form,
    Index,
    Literal,
    Paren,
    Unary,
    VarRef,
    Verbatim,
    strip_parens,
)
from g2o.ir.statements import (
    Block,
    Declare,
    DoWhile,
    Exchange,
    ExprStatement,
    For,
    If,
    Node,
    Stmt,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import BOOL, TypeKind

_AFTER: Final = {"fmax": ">", "fmaxf": ">", "max": ">", "fmin": "<", "fminf": "<", "min": "<"}


def with_running_extremes(
    statements: tuple[Stmt, ...], activity: Activity, effects: EffectsOf
) -> tuple[Stmt, ...]:
    """The statements with choices where that makes loops choose."""
    extremes = _Extremes(Block(statements), activity)

    def changed(statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return tuple(map(one, statements))

    def one(statement: Stmt) -> Stmt:
        match statement:
            case For() | While() | DoWhile():
                chosen = rewrite(statement, extremes.replacement)
                if chosen is not statement and choice_of(chosen, activity, effects) is not None:
                    return chosen
                return with_bodies(statement, changed)
            case Block() | If():
                return with_bodies(statement, changed)
            case _:
                return statement

    return changed(statements)


@final
class _Extremes:
    def __init__(self, body: Block, activity: Activity) -> None:
        self.activity = activity
        self.numbers = _never_nan(body, self._parts)

    def replacement(self, node: Node) -> Node | None:
        """A choice in place of what takes the extreme of a variable and a value."""
        if not isinstance(node, ExprStatement) or not isinstance(node.expr, Assign):
            return None
        parts = self._parts(node.expr)
        if parts is None:
            return None
        symbol, value, condition = parts
        if not self.activity.is_active(VarRef(symbol)):
            return None
        if isinstance(node.expr.value, Call) and symbol not in self.numbers:
            unset = Binary("!=", VarRef(symbol), VarRef(symbol), BOOL)
            condition = Binary("||", condition, unset, BOOL)
        stored = replace(
            node, expr=Assign("=", VarRef(symbol), value, symbol.type), form=Form.BUILT
        )
        return If(condition, Block((stored,)), trivia=node.trivia)

    def _parts(self, assign: Assign) -> tuple[Symbol, Expr, Expr] | None:
        """The variable, the value, and when the variable gets it."""
        target, value = strip_parens(assign.target), strip_parens(assign.value)
        if assign.op != "=" or not isinstance(target, VarRef):
            return None
        symbol = target.symbol
        if symbol.storage is not Storage.LOCAL or symbol.type.kind is not TypeKind.FLOATING:
            return None
        match value:
            case Call(name=name, callee=Literal(text=text), arguments=(first, second)) if (
                name in _AFTER and text == name and _is_known(value)
            ):
                other, condition = self._extreme(_AFTER[name], symbol, first, second)
            case Conditional(condition=asked, if_true=first, if_false=second):
                if strip_parens(second) == VarRef(symbol):
                    other, condition = first, asked
                elif strip_parens(first) == VarRef(symbol):
                    other, condition = second, Unary("!", Paren(asked, BOOL), False, BOOL)
                else:
                    return None
            case _:
                return None
        if other is None or symbol in symbols_in(ExprStatement(other)) or not _is_plain(other):
            return None
        return symbol, strip_parens(other), condition

    def _extreme(
        self, op: str, symbol: Symbol, first: Expr, second: Expr
    ) -> tuple[Expr | None, Expr]:
        if strip_parens(first) == VarRef(symbol):
            return second, Binary(op, _operand(second), VarRef(symbol), BOOL)
        if strip_parens(second) == VarRef(symbol):
            return first, Binary(f"{op}=", _operand(first), VarRef(symbol), BOOL)
        return None, first


def _operand(value: Expr) -> Expr:
    inner = strip_parens(value)
    return inner if isinstance(inner, VarRef | Index | Literal | Call) else Paren(inner, inner.type)


def _is_known(call: Call) -> bool:
    """Is it CUDA's function or the C library's, and none of the program's with that name?"""
    of_library = call.name.startswith("f") and call.key == f"c:@F@{call.name}"
    return call.is_cuda or of_library


def _is_plain(value: Expr) -> bool:
    """Is it a variable or an element, which is as well asked for twice?"""
    match strip_parens(value):
        case VarRef():
            return True
        case Index(base=base, index=index):
            return all(
                not isinstance(node, Assign | Call | Verbatim)
                and not (isinstance(node, Unary) and node.is_update)
                for part in (base, index)
                for node in walk(part)
            )
        case _:
            return False


def _never_nan(
    body: Block, parts: Callable[[Assign], tuple[Symbol, Expr, Expr] | None]
) -> frozenset[Symbol]:
    """Variables that start with a number and then only take extremes of themselves."""
    found: set[Symbol] = set()
    others: set[Symbol] = set()
    for node in walk(body):
        match node:
            case Declare(variables=variables):
                found |= {
                    one.symbol
                    for one in variables
                    if one.initial is not None and _is_number(one.initial)
                }
            case Assign(target=VarRef(symbol=symbol), value=value):
                taken = parts(node)
                if taken is None or not isinstance(strip_parens(value), Call):
                    others.add(symbol)
            case Unary(op="&" | "++" | "--", operand=VarRef(symbol=symbol)):
                others.add(symbol)
            case Exchange(result=symbol):
                others.add(symbol)
            case Call(name=name, arguments=arguments) if (
                name not in _AFTER
            ):  # by reference, perhaps
                others |= {one.symbol for one in arguments if isinstance(one, VarRef)}
            case _:
                pass
    return frozenset(found - others)


def _is_number(initial: Expr) -> bool:
    """Is it a number that is spelled out, or an infinity?"""
    match strip_parens(initial):
        case Literal(text=text):
            return "nan" not in text.lower()
        case Unary(op="-" | "+", operand=operand):
            return _is_number(operand)
        case Call(name=name):
            return name.startswith(("__builtin_inf", "__builtin_huge_val"))
        case _:
            return False
