"""Which calls a statement makes whenever it runs."""

from __future__ import annotations

from collections.abc import Iterator

from g2o.analysis.jumps import leaves_beyond
from g2o.ir.expressions import Binary, Call, Conditional, Verbatim
from g2o.ir.statements import Block, Declare, ExprStatement, If, Node, Stmt
from g2o.ir.traverse import children


def always_made(statement: Stmt) -> Iterator[Call]:
    """Calls that running `statement` makes in any case, those of arguments among them."""
    match statement:
        case ExprStatement(expr=expr):
            yield from _unconditional(expr)
        case Declare(variables=variables):
            for variable in variables:
                if variable.initial is not None:
                    yield from _unconditional(variable.initial)
        case If(condition=condition):
            yield from _unconditional(condition)
        case Block(statements=inner):
            for each in inner:
                yield from always_made(each)
                if leaves_beyond(each, frozenset()):
                    return
        case _:
            return


def _unconditional(node: Node) -> Iterator[Call]:
    match node:
        case Binary(op="&&" | "||", left=left):
            yield from _unconditional(left)
        case Conditional(condition=condition):
            yield from _unconditional(condition)
        case Verbatim():
            return
        case _:
            if isinstance(node, Call):
                yield node
            for child in children(node):
                yield from _unconditional(child)
