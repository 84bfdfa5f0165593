"""A switch with barriers in its cases becomes a chain of ifs, which barriers can be taken out of.

    switch (mode) {                       if (mode == 0 || mode == 1) {
    case 0:                                   s[t] = x;
    case 1:                                   barrier
        s[t] = x;                             y = s[n - t];
        barrier                     ->    } else {
        y = s[n - t];                         y = 0;
        break;                            }
    default:
        y = 0;
    }

Only for cases that end: a jump into the middle of others has no such form.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import final

from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import Binary, Expr, Form, LaunchRef, Literal, Member, VarRef, strip_parens
from g2o.ir.kernel import Kernel
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    DoWhile,
    Exchange,
    For,
    If,
    Jump,
    JumpKind,
    Labelled,
    Node,
    Return,
    Stmt,
    Switch,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, SymbolTable
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import BOOL


@final
@dataclass(slots=True)
class _Case:
    """`case a: case b: statements`, without the `break` at their end."""

    values: list[Expr] = field(default_factory=list[Expr])
    is_default: bool = False
    statements: list[Stmt] = field(default_factory=list[Stmt])
    ends: bool = False


def replace_switches_with_barriers(kernel: Kernel) -> Kernel:
    """Turn the switches of the kernel that contain barriers into ifs.

    Raises Refusal for a case that falls through, or leaves from the middle.
    """
    if not any(isinstance(node, Switch) and _waits(node) for node in walk(kernel.body)):
        return kernel
    symbols = SymbolTable(continued=kernel.function.symbols)

    def replaced(node: Node) -> Node | None:
        if not isinstance(node, Switch) or not _waits(node):
            return None
        inner = rewrite(node.body, replaced)
        return _chain(replace(node, body=inner), symbols)

    body = rewrite(kernel.body, replaced)
    return replace(kernel, function=replace(kernel.function, body=body, symbols=symbols))


def _waits(node: Node) -> bool:
    return any(isinstance(inner, (Barrier, Exchange)) for inner in walk(node))


def _chain(switch: Switch, symbols: SymbolTable) -> Stmt:
    condition = strip_parens(switch.condition)
    before: list[Stmt] = []
    if not _is_name(condition):
        choice = symbols.fresh("choice", condition.type, Storage.LOCAL)
        spelled = condition.type.spelling
        before.append(Declare((Variable(choice, spelled, "", condition, "="),)))
        condition = VarRef(choice)
    cases = list(_cases(switch))
    last = next((case for case in cases if case.is_default), None)
    chain: Stmt | None = None if last is None else _block(last)
    for case in reversed(cases):
        if not case.is_default:
            chain = If(_any_of(condition, case.values), _block(case), chain)
    if chain is None:
        return Block((), trivia=switch.trivia, span=switch.span)
    if not before:
        return replace(chain, trivia=switch.trivia, span=switch.span)
    return Block((*before, chain), trivia=switch.trivia, span=switch.span)


def _is_name(expr: Expr) -> bool:
    if isinstance(expr, Member):
        return _is_name(expr.base)
    return isinstance(expr, (VarRef, LaunchRef, Literal))


def _any_of(condition: Expr, values: list[Expr]) -> Expr:
    tests = [Binary("==", condition, value, BOOL) for value in values]
    result: Expr = tests[0]
    for test in tests[1:]:
        result = Binary("||", result, test, BOOL)
    return result


def _block(case: _Case) -> Block:
    return Block(tuple(case.statements))


def _cases(switch: Switch) -> Iterator[_Case]:
    """The cases in order; every one but the last has to end by itself."""
    body = switch.body
    current: _Case | None = None
    for statement in body.statements if isinstance(body, Block) else (body,):
        if isinstance(statement, Labelled):
            if current is not None:
                yield _checked(current, statement, is_last=False)
            current = _Case()
            while isinstance(statement, Labelled):
                if statement.value is None:
                    current.is_default = True
                else:
                    current.values.append(statement.value)
                statement = statement.body
        if current is not None and not current.ends:
            _append(current, statement)
    if current is not None:
        yield _checked(current, switch, is_last=True)


def _append(case: _Case, statement: Stmt) -> None:
    """Add a statement; the `break` that ends the case goes, also at the end of a block."""
    match statement:
        case Jump(kind=JumpKind.BREAK):
            case.ends = True
        case Block(statements=(*inner, Jump(kind=JumpKind.BREAK))):
            case.statements.append(replace(statement, statements=tuple(inner), form=Form.BUILT))
            case.ends = True
        case _:
            case.statements.append(statement)
            case.ends = isinstance(statement, Return)


def _checked(case: _Case, after: Node, *, is_last: bool) -> _Case:
    if not case.ends and not is_last:
        message = "a case with a barrier in its switch falls through to the next"
        raise refuse("G2O0207", message, after.span)
    for statement in case.statements:
        leaving = next(_breaks(statement), None)
        if leaving is not None:
            message = "a break from the middle of a case, in a switch with a barrier"
            raise refuse("G2O0207", message, leaving.span)
    return case


def _breaks(node: Node) -> Iterator[Jump]:
    """The `break`s in `node` that leave the statement around it."""
    if isinstance(node, Jump) and node.kind is JumpKind.BREAK:
        yield node
    elif not isinstance(node, (For, While, DoWhile, Switch)):
        for child in children(node):
            yield from _breaks(child)
