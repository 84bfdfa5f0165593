"""Variables of a block are declared where they get their first value.

    float sum;                        float sum = 0.0f;
    ...                       ->      for (int i = 0; i < n; ++i)
    sum = 0.0f;                           sum += x[i];
    for (int i = 0; i < n; ++i)
        sum += x[i];

Shared memory has no values where CUDA declares it. In a loop of which every turn begins with a
value, that is in the loop.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from g2o.analysis.effects import statements_of, symbols_in
from g2o.ir.expressions import Assign, Code, Unary, VarRef, Verbatim, strip_parens
from g2o.ir.kernel import LoweredKernel
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    ExprStatement,
    For,
    LocalFunction,
    Node,
    Stmt,
    Text,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import TypeKind

_SCALARS: Final = (TypeKind.INTEGER, TypeKind.FLOATING, TypeKind.BOOL)


def declare_late(lowered: LoweredKernel) -> LoweredKernel:
    """The kernel with such declarations; itself where there are none."""
    whole = Block(lowered.body)
    opaque: set[Symbol] = set()
    for node in walk(whole):
        match node:
            case Text() | Verbatim() | LocalFunction() | Code(pure=False) | Unary(op="&"):
                opaque |= symbols_in(node)
            case _:
                pass

    def in_block(node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        statements = tuple(rewrite(one, in_block) for one in node.statements)
        for variable in _unset(statements, opaque):
            statements = _moved(statements, variable)
        same = len(statements) == len(node.statements) and all(
            new is old for new, old in zip(statements, node.statements, strict=True)
        )
        return node if same else replace(node, statements=statements)

    made = rewrite(whole, in_block)
    return lowered if made is whole else replace(lowered, body=made.statements)


def _unset(statements: tuple[Stmt, ...], opaque: set[Symbol]) -> list[Variable]:
    found: list[Variable] = []
    for statement in statements:
        match statement:
            case Declare(variables=(Variable(initial=None, suffix="") as variable,)):
                symbol = variable.symbol
                plain = symbol.type.kind in _SCALARS and not symbol.type.is_volatile
                if symbol.storage is Storage.SHARED and plain and symbol not in opaque:
                    found.append(variable)
            case _:
                pass
    return found


def _moved(statements: tuple[Stmt, ...], variable: Variable) -> tuple[Stmt, ...]:
    """The statements with the declaration where the first value is; themselves where it stays."""
    symbol = variable.symbol
    own = next(
        i
        for i, one in enumerate(statements)
        if isinstance(one, Declare) and any(v.symbol is symbol for v in one.variables)
    )
    naming = [i for i, one in enumerate(statements) if i != own and symbol in symbols_in(one)]
    if not naming or naming[0] < own:
        return statements
    first = statements[naming[0]]
    new = _with_value(first, variable)
    if new is None and len(naming) == 1:
        new = _inside(first, variable)
    if new is None:
        return statements
    trivia = statements[own].trivia
    if trivia.before or trivia.after:
        return statements
    kept = [new if i == naming[0] else one for i, one in enumerate(statements) if i != own]
    return tuple(kept)


def _with_value(statement: Stmt, variable: Variable) -> Stmt | None:
    match statement:
        case ExprStatement(expr=expr):
            assigned = strip_parens(expr)
        case _:
            return None
    match assigned:
        case Assign(op="=", target=VarRef(symbol=symbol), value=value):
            if symbol is not variable.symbol or symbol in symbols_in(value):
                return None
            declared = replace(variable, initial=value, initial_style="=")
            return Declare((declared,), trivia=statement.trivia)
        case _:
            return None


def _inside(statement: Stmt, variable: Variable) -> Stmt | None:
    """The only statement that names the variable, with the declaration in it."""
    match statement:
        case Block(statements=inner):
            new = _moved((Declare((variable,)), *inner), variable)
            return None if len(new) > len(inner) else replace(statement, statements=new)
        case CountedLoop(body=body, lower=lower, upper=upper):
            if variable.symbol in symbols_in(lower) | symbols_in(upper):
                return None
        case For(body=body, initial=initial, condition=condition, increment=increment):
            heads = (initial, condition, increment)
            if any(one is not None and variable.symbol in symbols_in(one) for one in heads):
                return None
        case _:
            return None
    block = Block(statements_of(body))
    new_body = _inside(block, variable)
    return None if new_body is None else replace(statement, body=new_body)
