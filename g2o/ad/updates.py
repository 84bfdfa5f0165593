"""Counters that move inside of expressions, as statements of their own; so are the parts of `a, b`.

    v += x[at++];    ->    v += x[at];
                           at++;

What is differentiated is written down more than once: a counter must not go on each time.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.ir.expressions import Binary, Conditional, Expr, Form, Unary, VarRef, strip_parens
from g2o.ir.statements import NO_TRIVIA, Block, Declare, ExprStatement, For, Node, Stmt
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import TypeKind


def with_updates_apart(body: Block) -> Block:
    """`body` with the updates of counters that stand inside of assignments and initial values in
    front of these, or behind them."""
    return rewrite(body, _replacement)


def _replacement(node: Node) -> Node | None:
    match node:
        case Block(statements=statements):
            new = [one for statement in statements for one in _apart(statement)]
            same = len(new) == len(statements) and all(
                one is two for one, two in zip(new, statements, strict=True)
            )
            return node if same else replace(node, statements=tuple(new))
        case For(body=body):
            inner = rewrite(body, _replacement)
            return node if inner is body else replace(node, body=inner)
        case ExprStatement():
            new = _apart(node)
            return node if len(new) == 1 else Block(tuple(new))
        case _:
            return None


def _apart(statement: Stmt) -> list[Stmt]:
    if not isinstance(statement, (ExprStatement, Declare)):
        return [rewrite(statement, _replacement)]
    if isinstance(statement, Declare) and len(statement.variables) > 1:
        if not any(_is_update(node) for node in walk(statement)):
            return [statement]
        first, *rest = (Declare((one,)) for one in statement.variables)
        parts = [replace(first, trivia=statement.trivia), *rest]
        return [one for part in parts for one in _apart(part)]
    inner = strip_parens(statement.expr) if isinstance(statement, ExprStatement) else None
    if isinstance(inner, Binary) and inner.op == ",":
        one, other = ExprStatement(inner.left, trivia=statement.trivia), ExprStatement(inner.right)
        return [*_apart(one), *_apart(other)]
    before: list[Stmt] = []
    behind: list[Stmt] = []
    current: ExprStatement | Declare = statement
    for update in _updates(statement):
        assert isinstance(update.operand, VarRef)
        symbol, counter = update.operand.symbol, VarRef(update.operand.symbol)
        if _times(statement, symbol) != 1:
            continue

        def put(node: Node, found: Unary = update, counter: Expr = counter) -> Node | None:
            return counter if node is found else None

        current = rewrite(current, put)
        alone = ExprStatement(replace(update, operand=counter, postfix=False, form=Form.BUILT))
        (behind if update.postfix else before).append(alone)
    if current is statement:
        return [statement]
    if before:
        before[0] = replace(before[0], trivia=statement.trivia)
        current = replace(current, trivia=NO_TRIVIA)
    return [*before, current, *behind]


def _updates(statement: ExprStatement | Declare) -> list[Unary]:
    """Updates that are made whenever the statement runs, and are no statement by themselves."""
    found: list[Unary] = []
    own = strip_parens(statement.expr) if isinstance(statement, ExprStatement) else None
    pending: list[Node] = [statement]
    while pending:
        node = pending.pop(0)
        if isinstance(node, Unary) and node is not own and _is_update(node):
            found.append(node)
            continue
        parts = children(node)
        if isinstance(node, Conditional) or (
            isinstance(node, Binary) and node.op in ("&&", "||", ",")
        ):
            parts = parts[:1]
        pending.extend(parts)
    return found


def _is_update(node: Node) -> bool:
    match node:
        case Unary(op="++" | "--", operand=VarRef(symbol=symbol)):
            private = symbol.storage in (Storage.LOCAL, Storage.PARAMETER)
            return private and symbol.type.kind is TypeKind.INTEGER
        case _:
            return False


def _times(statement: Stmt, symbol: Symbol) -> int:
    return sum(isinstance(node, VarRef) and node.symbol == symbol for node in walk(statement))
