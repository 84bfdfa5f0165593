"""`switch` as a chain of conditions.

switch (kind) {                      if (kind == 0)
case 0: y = x; break;        ->          y = x;
default: y = x * x;                  else
}                                        y = x * x;
"""

from __future__ import annotations

from g2o.analysis.effects import statements_of
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import Binary, Expr, VarRef, strip_parens
from g2o.ir.statements import (
    Block,
    Declare,
    If,
    Jump,
    JumpKind,
    Labelled,
    Return,
    Stmt,
    Switch,
    Variable,
)
from g2o.ir.symbols import Storage, SymbolTable
from g2o.ir.traverse import walk
from g2o.ir.types import BOOL

Case = tuple[list[Expr | None], list[Stmt]]  # values (None: default) and what they do


def choices_of(switch: Switch, symbols: SymbolTable) -> tuple[list[Stmt], Stmt]:
    """Statements that come first, and the chain. Raises Refusal where a case falls through."""
    cases = _cases(switch)
    before: list[Stmt] = []
    chosen: Expr = strip_parens(switch.condition)
    if not isinstance(chosen, VarRef):
        symbol = symbols.fresh("chosen", switch.condition.type, Storage.LOCAL)
        declared = f"const {switch.condition.type.spelling}"
        before.append(Declare((Variable(symbol, declared, "", switch.condition, "="),)))
        chosen = VarRef(symbol)
    chain: Stmt | None = None
    for values, statements in cases:
        if None in values:
            chain = Block(tuple(statements))
    for values, statements in reversed(cases):
        if None in values:
            continue
        condition: Expr | None = None
        for value in values:
            assert value is not None
            equal = Binary("==", chosen, value, BOOL)
            condition = equal if condition is None else Binary("||", condition, equal, BOOL)
        assert condition is not None
        chain = If(condition, Block(tuple(statements)), chain)
    return before, chain if chain is not None else Block(())


def _cases(switch: Switch) -> list[Case]:
    cases: list[Case] = []
    open_case: Case | None = None
    for statement in statements_of(switch.body):
        if isinstance(statement, Labelled):
            if open_case is not None and open_case[1]:
                raise refuse("G2O0403", "case that falls through", statement.span)
            values = open_case[0] if open_case is not None else []
            inner: Stmt = statement
            while isinstance(inner, Labelled):
                values.append(inner.value)
                inner = inner.body
            open_case = (values, [])
            cases = [one for one in cases if one[0] is not values]
            cases.append(open_case)
            statement = inner
        if open_case is None:
            continue
        if isinstance(statement, Block) and statements_of(statement):
            *front, last = statement.statements
            if isinstance(last, (Jump, Return)):
                open_case[1].append(Block(tuple(front)))
                statement = last
        match statement:
            case Jump(kind=JumpKind.BREAK):
                open_case = None
            case Return():
                open_case[1].append(statement)
                open_case = None
            case _:
                _refuse_breaks(statement)
                open_case[1].append(statement)
    return cases


def _refuse_breaks(statement: Stmt) -> None:
    """A `break` further inside would mean the switch."""
    pending = [statement]
    for current in pending:
        match current:
            case Jump(kind=JumpKind.BREAK):
                raise refuse("G2O0403", "break inside a case of a switch", current.span)
            case Block(statements=statements):
                pending.extend(statements)
            case If(then=then, otherwise=otherwise):
                pending.extend(one for one in (then, otherwise) if one is not None)
            case _:
                if any(isinstance(node, Switch) for node in walk(current)):
                    continue
