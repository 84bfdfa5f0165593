"""Statements that the same lanes do one after the other stand under one condition.

    if (active[lane])                             if (active[lane]) {
        a[lane] = q[i];                               a[lane] = q[i];
    float d;                             ->           float d = a[lane] * 2.0f;
    if (active[lane])                                 ...
        d = a[lane] * 2.0f;                       }
    ...

Predication asks for each statement anew. Legal because none of the statements changes whether the
lane is active; only conditions that are a flag are looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.ir.expressions import Assign, Expr, Form, Index, VarRef
from g2o.ir.statements import (
    NO_TRIVIA,
    Block,
    Declare,
    ExprStatement,
    If,
    Jump,
    Labelled,
    Node,
    Return,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import TypeKind

_NOT_PLAIN = (TypeKind.REFERENCE, TypeKind.ARRAY)


def join_guards(statements: tuple[Stmt, ...], effects: EffectsOf) -> tuple[Stmt, ...]:
    """Put neighbours under the same flag under one condition."""

    def in_block(node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        inner = join_guards(node.statements, effects)
        return (
            node if inner is node.statements else replace(node, statements=inner, form=Form.BUILT)
        )

    new = tuple(rewrite(one, in_block) for one in statements)
    joined = _sequence(new, effects)
    same = len(joined) == len(statements) and all(
        after is before for after, before in zip(joined, statements, strict=True)
    )
    return statements if same else tuple(joined)


def _sequence(statements: tuple[Stmt, ...], effects: EffectsOf) -> list[Stmt]:
    result: list[Stmt] = []
    position = 0
    while position < len(statements):
        first = statements[position]
        flag = _flag(first)
        end = position + 1 if flag is None else _end(statements, position, flag, effects)
        members = statements[position:end]
        if len(members) == 1:
            result.append(first)
        else:
            assert isinstance(first, If)
            early = _trailing_declarations(result)
            del result[len(result) - len(early) :]
            outside, inside = _joined((*early, *members), statements[end:])
            result += [*outside, replace(first, then=Block(inside), form=Form.BUILT)]
        position = end
    return result


def _flag(statement: Stmt) -> Expr | None:
    """The flag under which a statement stands that nobody has written."""
    match statement:
        case If(condition=VarRef(symbol=symbol) as flag, otherwise=None, span=None):
            return flag if symbol.storage is not Storage.GLOBAL else None
        case If(
            condition=Index(base=VarRef(symbol=symbol), index=VarRef()) as flag,
            otherwise=None,
            span=None,
        ):
            # An array of the lanes' flags, which no pointer of the program leads to.
            return flag if symbol.storage is Storage.BLOCK else None
        case _:
            return None


def _end(statements: Sequence[Stmt], start: int, flag: Expr, effects: EffectsOf) -> int:
    """Behind the last neighbour that stands under the same flag."""
    named, end = symbols_in(flag), start + 1
    for position in range(start, len(statements)):
        statement = statements[position]
        if position > start and _is_plain(statement):
            continue
        if _flag(statement) != flag or (position > start and statement.trivia != NO_TRIVIA):
            break
        end = position + 1
        done = effects.of(statement)
        leaves = any(isinstance(node, (Jump, Return, Labelled)) for node in walk(statement))
        if leaves or (done.writes | done.memory_writes) & named:
            break
    return end


def _is_plain(statement: Stmt) -> bool:
    """Does it declare a variable without a value?"""
    match statement:
        case Declare(variables=(Variable(initial=None, suffix="") as variable,)):
            return variable.symbol.type.kind not in _NOT_PLAIN and statement.trivia == NO_TRIVIA
        case _:
            return False


def _trailing_declarations(statements: list[Stmt]) -> list[Stmt]:
    begin = len(statements)
    while begin and _is_plain(statements[begin - 1]):
        begin -= 1
    return statements[begin:]


def _joined(members: Sequence[Stmt], behind: Sequence[Stmt]) -> tuple[list[Stmt], tuple[Stmt, ...]]:
    """What stands in front of the condition and what under it."""
    later = {symbol for statement in behind for symbol in symbols_in(statement)}
    outside: list[Stmt] = []
    inside: list[Stmt] = []
    own: list[Variable] = []
    for member in members:
        if isinstance(member, If):
            inside += statements_of(member.then)
        elif isinstance(member, Declare) and member.variables[0].symbol not in later:
            own.append(member.variables[0])
        else:
            outside.append(member)
    for variable in reversed(own):
        inside = _with_declaration(inside, variable)
    return outside, tuple(inside)


def _with_declaration(statements: list[Stmt], variable: Variable) -> list[Stmt]:
    """The declaration stands where the variable gets its first value."""
    symbol = variable.symbol
    for position, statement in enumerate(statements):
        if symbol not in symbols_in(statement):
            continue
        match statement:
            case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=target), value=value)):
                is_first = target == symbol and symbol not in symbols_in(value)
            case _:
                is_first, value = False, None
        before, after = statements[:position], statements[position + 1 :]
        if is_first:
            first = Declare((replace(variable, initial=value, initial_style="="),))
            return [*before, first, *after]
        return [*before, Declare((variable,)), *statements[position:]]
    return statements
