"""Where a variable starts is said in one place.

    const float *my_x = x;                      int row = ty + 1;
    int row = ty, end = 0;               ->     const float *my_x = x + (row * n + tx);
    row += 1;                                   int end = row + 16;
    my_x += row * n + tx;
    end = row + 16;

What has no value until then is declared there, too.

What stands at the beginning of a kernel, in no loop and under no condition, is done once: where
nothing names the variable in between, its declaration moves to what is added to it. A variable that
nothing changes from there on is not kept for each thread, but computed again.

Legal where the value that it was declared with is the same number there: it is made of constants
and of variables that nothing has changed, has the type of the variable, and does nothing else.
"""

from __future__ import annotations

from dataclasses import replace

from g2o.analysis.effects import EffectsOf, symbols_in
from g2o.ir.expressions import Assign, Binary, Expr, Unary, VarRef, integer_value
from g2o.ir.single_declarations import split_declarations
from g2o.ir.statements import Block, Declare, ExprStatement, Labelled, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import CType, TypeKind
from g2o.lowering.indices import block_of


def with_starts(body: Block, effects: EffectsOf) -> Block:
    """The body of a kernel with the steps that follow declarations put into these."""
    if not any(_step(one) is not None for one in body.statements):
        return body
    if any(isinstance(node, Labelled) for node in walk(body)):
        return body  # it is perhaps come to again
    new: list[Stmt] = []
    last_named: dict[Symbol, Stmt] = {}  # the last statement that has named a variable
    changed = False
    for statement in split_declarations(body).statements:
        made = _with_step(new, statement, last_named, effects)
        changed |= made is not statement
        new.append(made)
        last_named.update(dict.fromkeys(symbols_in(made), made))
    return block_of(tuple(new)) if changed else body


def _with_step(
    new: list[Stmt], statement: Stmt, last_named: dict[Symbol, Stmt], effects: EffectsOf
) -> Stmt:
    """The statement; where it is a step, the declaration with it, which is taken out of `new`."""
    step = _step(statement)
    declare = None if step is None else last_named.get(step[0])
    match step, declare:
        case (symbol, _, _), Declare(variables=(variable,)) if variable.symbol == symbol:
            place = next(k for k in range(len(new) - 1, -1, -1) if new[k] is declare)
            whole = _added(variable, step, new[place + 1 :], effects)
            if whole is None:
                return statement
            del new[place]
            before = (*declare.trivia.before, *statement.trivia.before)
            trivia = replace(statement.trivia, before=before)
            return Declare((replace(variable, initial=whole, initial_style="="),), trivia=trivia)
        case _:
            return statement


def _step(statement: Stmt) -> tuple[Symbol, str, Expr] | None:
    match statement:
        case ExprStatement(
            expr=Assign(op="+=" | "-=" | "=" as op, target=VarRef(symbol=symbol), value=value)
        ) if symbol.storage is Storage.LOCAL and symbol not in symbols_in(value):
            return symbol, op, value
        case _:
            return None


def _added(
    variable: Variable, step: tuple[Symbol, str, Expr], between: list[Stmt], effects: EffectsOf
) -> Expr | None:
    """The value with what the step adds; None where that is not the same."""
    start, ctype = variable.initial, variable.symbol.type
    _, op, amount = step
    if variable.suffix or "auto" in variable.declared.split():
        return None
    if start is None:
        return amount if op == "=" and not variable.initial_style and _is_plain(ctype) else None
    if op == "=":
        return amount if effects.is_pure(start) and _is_plain(ctype) else None
    op = op[0]
    if not effects.is_pure(start) or effects.of(start).memory_reads:
        return None
    changed = {symbol for one in between for symbol in effects.of(one).writes}
    hidden = {symbol for one in between for symbol in _referred(one)}
    if symbols_in(start) & (changed | hidden | effects.of(amount).writes):
        return None
    if ctype.kind is TypeKind.INTEGER:
        number = start.type
        if amount.type.kind is not TypeKind.INTEGER:
            return None
        if integer_value(start) == 0 and op == "+":
            return amount
        same = number.kind is TypeKind.INTEGER and number.bits == ctype.bits
        if not same or number.is_signed != ctype.is_signed:
            return None
    elif ctype.kind is not TypeKind.POINTER or start.type.kind is not TypeKind.POINTER:
        return None
    return Binary(op, start, amount, ctype)


def _is_plain(ctype: CType) -> bool:
    return ctype.is_arithmetic or ctype.kind is TypeKind.POINTER


def _referred(statement: Stmt) -> set[Symbol]:
    """The variables whose address is taken."""
    return {
        symbol
        for node in walk(statement)
        if isinstance(node, Unary) and node.op == "&"
        for symbol in symbols_in(node)
    }
