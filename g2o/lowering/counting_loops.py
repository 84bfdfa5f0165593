"""Loops that count have one spelling, where a pass looks for them.

    int i = a;
    while (i < n) {                               for (int i = a; i < n; i += s) {
        WORK                                ->        WORK
        i += s;                                   }
    }
    int i = a;
    for (; n - 1 >= i; i = i + s) WORK      ->    for (int i = a; i < n; i += s) WORK

    while ((i -= s) >= 0) WORK              ->    for (i -= s; i >= 0; i -= s) WORK

Legal where nothing outside of the loop names the variable and no `continue` skips the step, where
what stands between the two leaves the start as it is, and the step is known outside of the loop.
"""

from __future__ import annotations

import operator
from dataclasses import replace

from g2o.analysis.effects import EffectsOf, declared_in, symbols_in
from g2o.analysis.loop_heads import MIRRORED, start_of, step_of
from g2o.ir.expressions import (
    Assign,
    Binary,
    Expr,
    Form,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import (
    Block,
    Declare,
    ExprStatement,
    For,
    Jump,
    JumpKind,
    Stmt,
    Trivia,
    While,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import CType, TypeKind


def counting_loops(statements: list[Stmt], effects: EffectsOf) -> list[Stmt]:
    """The statements with such loops in place of each that counts; the same list without."""
    made = [_stepped_in_head(one) for one in statements]
    if all(map(operator.is_, made, statements)):
        made = statements
    position = 0
    while position < len(made):
        statement = made[position]
        if isinstance(statement, For) and statement.initial is not None:
            plain = _plain(statement)
            if plain is not statement:
                made = [*made[:position], plain, *made[position + 1 :]]
        elif isinstance(statement, For | While):
            found = _as_for(made[:position], statement, made[position + 1 :], effects)
            if found is not None:
                made = found
                continue  # the declaration went into the loop, which stands one place further up
        position += 1
    return made


def _stepped_in_head(loop: Stmt) -> Stmt:
    """A loop that steps where it compares, as one that does both behind each other."""
    match loop:
        case While(condition=Binary(op=op, left=left) as condition) if op in MIRRORED:
            pass
        case _:
            return loop
    match strip_parens(left):
        case Assign(op="+=" | "-=", target=VarRef() as counter, value=by) as step if not (
            symbols_in(by) & {counter.symbol}
        ):
            pass
        case Unary(op="++" | "--", postfix=False, operand=VarRef() as counter) as step:
            pass
        case _:
            return loop
    if counter.symbol in symbols_in(condition.right):
        return loop
    compared = replace(condition, left=counter, form=Form.BUILT)
    first = ExprStatement(step)
    return For(first, compared, step, loop.body, trivia=loop.trivia, span=loop.span)


def _plain(loop: For) -> For:
    """The loop with its counter first in `<`, and the step by `+=`."""
    found = start_of(loop.initial)
    if found is None or loop.condition is None or loop.increment is None:
        return loop
    index, _ = found
    condition, increment = strip_parens(loop.condition), strip_parens(loop.increment)
    plain = condition
    if isinstance(plain, Binary) and plain.op in MIRRORED and plain.right == VarRef(index):
        plain = Binary(MIRRORED[plain.op], plain.right, plain.left, plain.type)
    match plain:
        case Binary(op="<=", left=left, right=Binary(op="-", left=end, right=one)) if (
            integer_value(one) == 1 and _is_signed(end.type) and _is_signed(index.type)
        ):
            plain = Binary("<", left, end, plain.type)
        case _:
            pass
    step = step_of(increment, index)
    if isinstance(increment, Assign) and increment.op == "=" and step is not None and not step[1]:
        increment = Assign("+=", VarRef(index), step[0], index.type)
    if plain is condition and increment is strip_parens(loop.increment):
        return loop
    return replace(loop, condition=plain, increment=increment, form=Form.BUILT)


def _is_signed(ctype: CType) -> bool:
    return ctype.kind is TypeKind.INTEGER and ctype.is_signed


def _as_for(
    before: list[Stmt], loop: For | While, after: list[Stmt], effects: EffectsOf
) -> list[Stmt] | None:
    match loop:
        case (
            While(body=Block(statements=(*work, ExprStatement(expr=increment))))
            | For(
                initial=None,
                increment=None,
                body=Block(statements=(*work, ExprStatement(expr=increment))),
            )
        ):
            if any(map(_continues, work)):
                return None
        case For(body=body, increment=increment) if increment is not None:
            work = [body]
        case _:
            return None
    symbol = _counter(loop.condition, increment)
    if symbol is None:
        return None
    declared = [one for one in before if isinstance(one, Declare) and _declares(one, symbol)]
    others = [one for one in before if one not in declared]
    named_elsewhere = any(symbol in symbols_in(one) for one in (*others, *after))
    if len(declared) != 1 or named_elsewhere:
        return None
    head = declared[0]
    initial = head.variables[0].initial
    between = before[before.index(head) + 1 :]
    if initial is None or not _may_wait(initial, between, effects):
        return None
    if symbols_in(increment) & declared_in(Block(tuple(work))):
        return None
    comments = (*head.trivia.before, *loop.trivia.before)
    trivia = Trivia(comments, loop.trivia.after, loop.trivia.blank_line)
    bare = Declare(head.variables)
    body = work[0] if len(work) == 1 and isinstance(work[0], Block) else Block(tuple(work))
    counted = For(bare, loop.condition, increment, body, trivia=trivia)
    return [*others, _plain(counted), *after]


def _counter(condition: Expr | None, increment: Expr) -> Symbol | None:
    """What a loop compares with its end, and steps."""
    compared = None if condition is None else strip_parens(condition)
    if not isinstance(compared, Binary) or compared.op not in MIRRORED:
        return None
    for side in (strip_parens(compared.left), strip_parens(compared.right)):
        if isinstance(side, VarRef) and step_of(increment, side.symbol) is not None:
            return side.symbol
    return None


def _may_wait(initial: Expr, between: list[Stmt], effects: EffectsOf) -> bool:
    """Is the value the same behind these statements?"""
    own, others = effects.of(initial), effects.of_all(between)
    if not own.is_pure or own.reads & others.writes:
        return False
    return not own.memory_reads or not (others.memory_writes or others.side_effects)


def _declares(declare: Declare, symbol: Symbol) -> bool:
    return [variable.symbol for variable in declare.variables] == [symbol]


def _continues(statement: Stmt) -> bool:
    """Might the statement go on with the next turn of the loop? Those of inner loops count too."""
    return any(
        isinstance(node, Jump) and node.kind is not JumpKind.BREAK for node in walk(statement)
    )
