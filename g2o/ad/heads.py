"""Heads of loops that change numbers or pointers, as statements.

for (float v = x[i]; v > 1; v *= 0.5f)       float v = x[i];
    s += v;                            ->    while (v > 1) {
                                                 s += v;
                                                 v *= 0.5f;
                                             }

for (int k = 0; k < n; ++k, c += plane)      for (int k = 0; k < n; ++k) {
    s += x[c];                         ->        s += x[c];
                                                 c += plane;
                                             }

Legal as nothing goes on in the head from elsewhere than the end of the body, and the steps of such
heads have nothing to do with each other.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.analysis.effects import root_symbol, statements_of, symbols_in
from g2o.ir.expressions import Assign, Binary, Call, Expr, Form, Unary, strip_parens
from g2o.ir.flags import TRUE
from g2o.ir.statements import (
    Block,
    Declare,
    DoWhile,
    ExprStatement,
    For,
    If,
    Jump,
    JumpKind,
    Stmt,
    Switch,
    Variable,
    While,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import TypeKind

_COUNTERS = (TypeKind.INTEGER, TypeKind.BOOL)


def has_working_head(loop: For) -> bool:
    """Does the head change more than counters?"""
    if isinstance(loop.initial, Declare):
        kinds = [variable.symbol.type.kind for variable in loop.initial.variables]
        if any(kind not in _COUNTERS for kind in kinds):
            return True
    elif isinstance(loop.initial, ExprStatement) and _works(loop.initial.expr):
        return True
    return loop.increment is not None and _works(loop.increment)


def _works(expr: Expr) -> bool:
    if any(isinstance(node, Call) for node in walk(expr)):
        return True
    return any(one is None or one.type.kind not in _COUNTERS for one in written_in(expr))


def written_in(expr: Expr) -> set[Symbol | None]:
    """The variables that assignments in an expression change, or that lead to what they change."""
    found: set[Symbol | None] = set()
    for node in walk(expr):
        match node:
            case Assign(target=target):
                found.add(root_symbol(target))
            case Unary(op="++" | "--", operand=operand):
                found.add(root_symbol(operand))
            case _:
                pass
    return found


def skips_to_working_head(statements: tuple[Stmt, ...]) -> bool:
    """Is there a `continue` that goes on in such a head?"""
    loops = [n for s in statements for n in walk(s) if isinstance(n, For) and has_working_head(n)]
    return any(
        isinstance(node, Jump) and node.kind is JumpKind.CONTINUE
        for loop in loops
        for node in walk(loop.body)
    )


def with_plain_heads(statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """Statements in which the heads of loops change counters only. There is no `continue` that
    goes on in another head."""
    return tuple(one for statement in statements for one in _plain(statement))


def _plain(statement: Stmt) -> list[Stmt]:
    match statement:
        case Block(statements=inner):
            return [_with(statement, inner, with_plain_heads(inner))]
        case If(then=then, otherwise=otherwise):
            first = _body(then)
            second = None if otherwise is None else _body(otherwise)
            if first is then and second is otherwise:
                return [statement]
            return [replace(statement, then=first, otherwise=second, form=Form.BUILT)]
        case For() if has_working_head(statement):
            return _opened(statement)
        case For() if (single := _with_one_step(statement)) is not None:
            return _plain(single)
        case For() | While() | DoWhile() | Switch():
            body = _body(statement.body)
            if body is statement.body:
                return [statement]
            return [replace(statement, body=body, form=Form.BUILT)]
        case _:
            return [statement]


def _body(statement: Stmt) -> Stmt:
    old = statements_of(statement)
    new = with_plain_heads(old)
    if len(new) == len(old) and all(one is two for one, two in zip(new, old, strict=True)):
        return statement
    return Block(new, trivia=statement.trivia) if isinstance(statement, Block) else Block(new)


def _with(block: Block, old: tuple[Stmt, ...], new: tuple[Stmt, ...]) -> Stmt:
    if len(new) == len(old) and all(one is two for one, two in zip(new, old, strict=True)):
        return block
    return replace(block, statements=new, form=Form.BUILT)


def _opened(loop: For) -> list[Stmt]:
    first: tuple[Stmt, ...] = ()
    if isinstance(loop.initial, ExprStatement):
        first = tuple(map(ExprStatement, steps_of(loop.initial.expr)))
    elif isinstance(loop.initial, Declare):
        first = tuple(Declare((one,)) for one in loop.initial.variables)
    steps = () if loop.increment is None else map(ExprStatement, steps_of(loop.increment))
    body = Block((*with_plain_heads(statements_of(loop.body)), *steps))
    again = While(loop.condition or TRUE, body, trivia=loop.trivia, span=loop.span)
    if any(isinstance(one, Declare) for one in first):
        return [Block((*first, again))]
    return [*first, again]


def _with_one_step(loop: For) -> For | None:
    """The loop with all steps but that of its own counter at the end of the body; None where it has
    one step, or is not such a loop."""
    match loop.initial:
        case Declare(variables=(Variable(symbol=counter),)) if loop.increment is not None:
            steps = steps_of(loop.increment)
        case _:
            return None
    own = [one for one in steps if written_in(one) == {counter}]
    others = [one for one in steps if written_in(one) != {counter}]
    if len(own) != 1 or not others or any(isinstance(n, Call) for n in walk(loop.increment)):
        return None
    for one in steps:
        changed = {symbol for symbol in written_in(one) if symbol is not None}
        if not changed or any(changed & symbols_in(each) for each in steps if each is not one):
            return None
    if any(isinstance(n, Jump) and n.kind is JumpKind.CONTINUE for n in walk(loop.body)):
        return None
    body = Block((*statements_of(loop.body), *map(ExprStatement, others)))
    return replace(loop, increment=own[0], body=body, form=Form.BUILT)


def steps_of(expr: Expr) -> list[Expr]:
    """What commas separate."""
    inner = strip_parens(expr)
    if isinstance(inner, Binary) and inner.op == ",":
        return [*steps_of(inner.left), *steps_of(inner.right)]
    return [inner]
