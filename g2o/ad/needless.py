"""What was kept, or computed again, for nothing.

    kept_up.push(up);             a condition needs `up` and what is gone: it is kept as a whole,
    ...                    ->     and `up` by itself is asked for by nobody
    const bool up = kept_up.pop();

A value is looked for piece by piece, and some pieces are there when another one turns out not to
be. Every tape has one place where it is pushed to, and one where it is popped from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from g2o.analysis.effects import EffectsOf, is_tape_call, root_symbol
from g2o.ir.comments import change_statements
from g2o.ir.expressions import Call, Expr, VarRef
from g2o.ir.statements import Block, Declare, Exchange, ExprStatement, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import TypeKind


def without_needless_values(
    statements: tuple[Stmt, ...], made: Collection[Symbol], effects: EffectsOf
) -> tuple[Stmt, ...]:
    """`statements` without those of the variables `made` by differentiation that nobody reads, and
    without the tapes that only these are popped from."""
    body = Block(statements)
    while True:
        unread = _unread(body, made, effects)
        tapes = {tape for initial in unread.values() if (tape := _tape_of(initial)) is not None}
        if not unread:
            return body.statements

        def kept(statement: Stmt, gone: Collection[Symbol] = (*unread, *tapes)) -> Stmt | None:
            match statement:
                case Declare(variables=(variable,)) if variable.symbol in gone:
                    return None
                case ExprStatement(expr=Call() as call) if is_tape_call(call):
                    return None if root_symbol(call.callee) in gone else statement
                case _:
                    return statement

        body = change_statements(body, kept)


def _unread(body: Block, made: Collection[Symbol], effects: EffectsOf) -> dict[Symbol, Expr]:
    """Variables with one value, which nothing asks for, and that value."""
    named: Counter[Symbol] = Counter()
    given: dict[Symbol, Expr] = {}
    for node in walk(body):
        match node:
            case VarRef(symbol=symbol) | Exchange(result=symbol):
                named[symbol] += 1
            case Declare(variables=(variable,)) if variable.initial is not None:
                ctype = variable.symbol.type
                simple = ctype.is_arithmetic or ctype.kind is TypeKind.POINTER
                plain = ctype.kind is TypeKind.RECORD and not ctype.constructs
                if (simple or plain) and variable.symbol in made:
                    given[variable.symbol] = variable.initial
            case _:
                pass
    return {
        symbol: initial
        for symbol, initial in given.items()
        if not named[symbol] and (_tape_of(initial) is not None or effects.is_pure(initial))
    }


def _tape_of(initial: Expr) -> Symbol | None:
    """The tape that a value comes from."""
    if isinstance(initial, Call) and is_tape_call(initial):
        return root_symbol(initial.callee)
    return None
