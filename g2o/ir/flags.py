"""Variables that tell code further down what happened further up: `bool done = false; ...`."""

from __future__ import annotations

from dataclasses import replace

from g2o.ir.expressions import Assign, Form, Literal, VarRef
from g2o.ir.statements import Block, Declare, Empty, ExprStatement, Node, Stmt, Variable
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import BOOL

TRUE = Literal("true", 1, BOOL)
FALSE = Literal("false", 0, BOOL)


def declare_flag(flag: Symbol, value: Literal = FALSE) -> Stmt:
    return Declare((Variable(flag, "bool", "", value, "="),))


def set_flag(flag: Symbol, value: Literal = TRUE) -> Stmt:
    return ExprStatement(Assign("=", VarRef(flag), value, BOOL))


def asks_for(statements: tuple[Stmt, ...], flag: Symbol) -> bool:
    """Does anything read the flag?"""
    nodes = [node for statement in statements for node in walk(statement)]
    sets = sum(_sets(node, flag) for node in nodes)
    return sum(isinstance(node, VarRef) and node.symbol == flag for node in nodes) > sets


def without_sets(statements: tuple[Stmt, ...], flag: Symbol) -> tuple[Stmt, ...]:
    """`statements` without the assignments to a flag."""

    def replacement(node: Node) -> Node | None:
        match node:
            case Block(statements=inner) if any(_sets(one, flag) for one in inner):
                return replace(node, statements=without_sets(inner, flag), form=Form.BUILT)
            case ExprStatement() if _sets(node, flag):
                return Empty()
            case _:
                return None

    return tuple(rewrite(one, replacement) for one in statements if not _sets(one, flag))


def _sets(node: Node, flag: Symbol) -> bool:
    match node:
        case ExprStatement(expr=Assign(target=VarRef(symbol=symbol))):
            return symbol == flag
        case _:
            return False
