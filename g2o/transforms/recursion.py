"""Functions that call themselves as often as a constant argument says, or one of a template.

    power(x, 3)     ->    x * power(x, 2)     ->    x * (x * power(x, 1))     ...
    power<3>(x)     ->    x * power<2>(x)     ->    x * (x * power<1>(x))     ...

Inlined call by call, with the constant in place of the parameter, what decides about going on is
known each time.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from typing import Final

from g2o.analysis.decided import truth
from g2o.analysis.functions import FunctionTable
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import (
    Call,
    Conditional,
    Literal,
    Paren,
    VarRef,
    integer_value,
)
from g2o.ir.statements import Block, If, Node, Return, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import TypeKind

_NUMBERS: Final = re.compile(r"[\d\s+\-*/%()]+")


def calls_itself(key: str, functions: FunctionTable) -> bool:
    """May a call of the function lead back to it?"""
    pending, seen = [key], {key}
    for current in pending:
        function = functions.body(current)
        for node in walk(function.body) if function is not None else ():
            if isinstance(node, Call) and node.key == key:
                return True
            if isinstance(node, Call) and node.key and node.key not in seen:
                seen.add(node.key)
                pending.append(node.key)
    return False


def unrolled(
    body: Block, parameters: tuple[Symbol, ...], call: Call, changed: set[Symbol]
) -> Block:
    """The body of a function that calls itself, for the constants that `call` hands it; those for a
    template are there already. `changed` are parameters that it gives other values.

    Raises Refusal where no argument is a constant.
    """
    values = {
        parameter: Literal(str(value), value, parameter.type)
        for parameter, argument in zip(parameters, call.arguments, strict=False)
        if parameter.type.kind is TypeKind.INTEGER and parameter not in changed
        if (value := integer_value(argument)) is not None
    }
    if not values and not any(folded(text).isdigit() for text in call.template_arguments):
        message = f"recursion of '{call.name}', whose depth no constant bounds"
        raise refuse("G2O0208", message, call.span)

    def constant(node: Node) -> Node | None:
        return values.get(node.symbol) if isinstance(node, VarRef) else None

    return decided(rewrite(body, constant))


def folded(text: str) -> str:
    """The number that a template argument of numbers alone is, `6` for `7 - 1`; else the text."""
    if _NUMBERS.fullmatch(text) is None or text.strip().isdigit():
        return text.strip()
    try:
        value = _value(ast.parse(text.strip(), mode="eval").body)
    except SyntaxError:
        return text
    return text if value is None else str(value)


def _value(node: ast.expr) -> int | None:
    match node:
        case ast.Constant(value=int() as value):
            return value
        case ast.BinOp(left=left, op=op, right=right):
            one, other = _value(left), _value(right)
            if one is None or other is None or min(one, other) < 0:
                return None
            match op:
                case ast.Add():
                    return one + other
                case ast.Sub():
                    return one - other
                case ast.Mult():
                    return one * other
                case ast.Div() if other:
                    return one // other
                case ast.Mod() if other:
                    return one % other
                case _:
                    return None
        case _:
            return None


def decided(node: Block) -> Block:
    """`node` without branches that constants rule out, and without what follows a `return`."""

    def replacement(inner: Node) -> Node | None:
        match inner:
            case Block(statements=statements):
                new: list[Stmt] = []
                for statement in statements:
                    new.extend(_taken(statement))
                    if new and isinstance(new[-1], Return):
                        break
                return replace(inner, statements=tuple(rewrite(one, replacement) for one in new))
            case Conditional(condition=condition, if_true=if_true, if_false=if_false):
                holds = truth(condition)
                if holds is None:
                    return None
                chosen = if_true if holds else if_false
                return Paren(rewrite(chosen, replacement), inner.type)
            case _:
                return None

    return rewrite(node, replacement)


def _taken(statement: Stmt) -> list[Stmt]:
    """The branch of a condition that is known, opened up."""
    if not isinstance(statement, If):
        return [statement]
    holds = truth(statement.condition)
    if holds is None:
        return [statement]
    branch = statement.then if holds else statement.otherwise
    if branch is None:
        return []
    if isinstance(branch, Block):
        return [one for inner in branch.statements for one in _taken(inner)]
    return _taken(branch)
