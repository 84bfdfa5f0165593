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

Cases that fall through to the next are entered with the values of either:

    switch (n) {                          if (n == 64 || n == 32) {
    case 64:                                  if (n == 64) {
        add(s, 32);                               add(s, 32);
        barrier                      ->           barrier
    case 32:                                  }
        add(s, 16);                           add(s, 16);
    }                                     }
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
    Empty,
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
    """Turn the switches of the kernel that contain barriers into ifs, and those that leave an
    iteration of a loop that does.

    Raises Refusal for a case that leaves from the middle.
    """
    chosen = {id(node) for node in _switches(kernel.body, in_loop=False)}
    if not chosen:
        return kernel
    symbols = SymbolTable(continued=kernel.function.symbols)

    def replaced(node: Node) -> Node | None:
        if not isinstance(node, Switch) or id(node) not in chosen:
            return None
        inner = rewrite(node.body, replaced)
        return _chain(replace(node, body=inner), symbols)

    body = rewrite(kernel.body, replaced)
    return replace(kernel, function=replace(kernel.function, body=body, symbols=symbols))


def _switches(node: Node, in_loop: bool) -> Iterator[Switch]:
    """Those that become ifs, inside of `node`; `in_loop`: a loop with barriers is around."""
    if isinstance(node, Switch) and (_waits(node) or (in_loop and _leaves(node))):
        yield node
    around = in_loop or (isinstance(node, (For, While, DoWhile)) and _waits(node))
    for child in children(node):
        yield from _switches(child, around)


def _leaves(node: Node) -> bool:
    """Does a jump go further than behind the switch?"""
    match node:
        case Return() | Jump(kind=JumpKind.CONTINUE):
            return True
        case For() | While() | DoWhile():
            return any(isinstance(inner, Return) for inner in walk(node))
        case _:
            return any(map(_leaves, children(node)))


def _waits(node: Node) -> bool:
    return any(isinstance(inner, (Barrier, Exchange)) for inner in walk(node))


def _chain(switch: Switch, symbols: SymbolTable) -> Stmt:
    condition = strip_parens(switch.condition)
    groups = list(_groups(switch))
    before: list[Stmt] = list(_used_elsewhere([case for group in groups for case in group]))
    if not _is_name(condition) or (
        any(group[1:] for group in groups) and _is_in(condition, switch)
    ):
        choice = symbols.fresh("choice", condition.type, Storage.LOCAL)
        spelled = condition.type.spelling
        before.append(Declare((Variable(choice, spelled, "", condition, "="),)))
        condition = VarRef(choice)
    last = next((group for group in groups if any(case.is_default for case in group)), None)
    chain: Stmt | None = None if last is None else _block(condition, last)
    for group in reversed(groups):
        if group is not last:
            values = [value for case in group for value in case.values]
            chain = If(_any_of(condition, values), _block(condition, group), chain)
    if chain is None:
        return Block((), trivia=switch.trivia, span=switch.span)
    if not before:
        return replace(chain, trivia=switch.trivia, span=switch.span)
    return Block((*before, chain), trivia=switch.trivia, span=switch.span)


def _is_in(condition: Expr, switch: Switch) -> bool:
    """May the cases change what the switch chose by?"""
    named = {node.symbol for node in walk(condition) if isinstance(node, VarRef)}
    return any(isinstance(node, VarRef) and node.symbol in named for node in walk(switch.body))


def _used_elsewhere(cases: list[_Case]) -> Iterator[Stmt]:
    """Takes the declarations that later cases use out of their cases; they initialise nothing, or
    C++ would not let the switch jump over them."""
    for index, case in enumerate(cases):
        later = {
            node.symbol
            for other in cases[index + 1 :]
            for statement in other.statements
            for node in walk(statement)
            if isinstance(node, VarRef)
        }
        for statement in list(case.statements):
            if isinstance(statement, Declare) and any(
                variable.symbol in later for variable in statement.variables
            ):
                case.statements.remove(statement)
                yield statement


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


def _none_of(condition: Expr, values: list[Expr]) -> Expr:
    tests = [Binary("!=", condition, value, BOOL) for value in values]
    result: Expr = tests[0]
    for test in tests[1:]:
        result = Binary("&&", result, test, BOOL)
    return result


def _block(condition: Expr, group: list[_Case]) -> Block:
    """What the group does: each case but the last only where it or one before it is chosen."""
    statements: list[Stmt] = []
    for index, case in enumerate(group[:-1], 1):
        entered, later = group[:index], group[index:]
        if any(one.is_default for one in entered):
            chosen = _none_of(condition, [value for one in later for value in one.values])
        else:
            chosen = _any_of(condition, [value for one in entered for value in one.values])
        statements.append(If(chosen, Block(tuple(case.statements)), None))
    return Block((*statements, *group[-1].statements))


def _groups(switch: Switch) -> Iterator[list[_Case]]:
    """The cases in order, those that fall through with what they fall through to."""
    group: list[_Case] = []
    for case in _cases(switch):
        group.append(case)
        if case.ends:
            yield group
            group = []
    if group:
        yield group


def _cases(switch: Switch) -> Iterator[_Case]:
    body = switch.body
    current: _Case | None = None
    for statement in body.statements if isinstance(body, Block) else (body,):
        if isinstance(statement, Labelled):
            if current is not None:
                yield _checked(current)
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
        yield _checked(current)


def _append(case: _Case, statement: Stmt) -> None:
    """Add a statement; the `break` that ends the case goes, also at the end of a block."""
    match statement:
        case Empty() | Block(statements=(*_, Empty())):
            case.statements.extend(_without_fallthrough(statement))
        case Jump(kind=JumpKind.BREAK):
            case.ends = True
        case Block(statements=(*inner, Jump(kind=JumpKind.BREAK))):
            case.statements.append(replace(statement, statements=tuple(inner), form=Form.BUILT))
            case.ends = True
        case _:
            case.statements.append(statement)
            case.ends = isinstance(statement, Return)


def _without_fallthrough(statement: Empty | Block) -> Iterator[Stmt]:
    """`statement` without `[[fallthrough]];`, which is only allowed in front of a label; comments
    stay."""
    match statement:
        case Empty(trivia=trivia):
            if trivia.before or trivia.after:
                yield Empty(trivia=trivia, span=statement.span)
        case Block(statements=statements):
            kept = tuple(
                other
                for inner in statements
                for other in (_without_fallthrough(inner) if isinstance(inner, Empty) else (inner,))
            )
            yield replace(statement, statements=kept, form=Form.BUILT)


def _checked(case: _Case) -> _Case:
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
