"""Conditions that change something, as statements: the reverse sweep asks them again.

if (++count > 7)           const bool holds = ++count > 7;
    ...             ->     if (holds)
                               ...
"""

from __future__ import annotations

from dataclasses import replace

from g2o.ir.expressions import Assign, Call, Expr, Form, Unary, VarRef, Verbatim
from g2o.ir.statements import Block, Declare, If, Node, Variable
from g2o.ir.symbols import Storage, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import BOOL


def with_named_conditions(body: Block, symbols: SymbolTable) -> Block:
    """`body` in which what decides between branches only reads."""

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, If) or not _changes(node.condition):
            return None
        holds = symbols.fresh("holds", BOOL, Storage.LOCAL)
        declared = Declare((Variable(holds, "const bool", "", node.condition, "="),))
        then = rewrite(node.then, replacement)
        other = None if node.otherwise is None else rewrite(node.otherwise, replacement)
        chosen = replace(node, condition=VarRef(holds), then=then, otherwise=other, form=Form.BUILT)
        return Block((replace(declared, trivia=node.trivia), chosen))

    return rewrite(body, replacement)


def _changes(condition: Expr) -> bool:
    for node in walk(condition):
        match node:
            case Assign() | Unary(op="++" | "--") | Verbatim(pure=False):
                return True
            case Call(name=name) if name.startswith("atomic"):
                return True
            case _:
                pass
    return False
