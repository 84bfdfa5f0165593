"""A number that a condition replaces right behind its declaration is declared as one of two.

    int left = i - 1;                    int left = i - 1 < 0 ? n - 1 : i - 1;
    if (left < 0)                ->
        left = n - 1;

Legal where nothing between the two looks at the variable or changes anything: the number is the
same, and what it is chosen from has no effects.
"""

from __future__ import annotations

from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.ir.comments import around_both
from g2o.ir.expressions import Assign, Binary, Conditional, Expr, Paren, VarRef
from g2o.ir.statements import Declare, ExprStatement, If, Stmt, Variable
from g2o.ir.symbols import Symbol
from g2o.ir.types import TypeKind
from g2o.lowering.context import substitute


def with_choices_merged(body: tuple[Stmt, ...], effects: EffectsOf) -> tuple[Stmt, ...]:
    """The statements of a loop body with such declarations."""
    made: list[Stmt] = []
    for statement in body:
        if not isinstance(statement, If):
            made.append(statement)
            continue
        position = _declared(made, statement, effects)
        merged = None if position is None else _merged(made[position], statement, effects)
        if merged is None or position is None:
            made.append(statement)
        else:
            del made[position]
            made.append(merged)
    return tuple(made)


def _declared(made: list[Stmt], statement: If, effects: EffectsOf) -> int | None:
    """Where the number is declared that `statement` replaces, if only declarations of others that
    change nothing are between."""
    for position in range(len(made) - 1, -1, -1):
        match made[position]:
            case Declare(variables=(variable,)) if _assigned(statement, variable.symbol):
                later = made[position + 1 :]
                return None if any(variable.symbol in symbols_in(s) for s in later) else position
            case Declare() as between if not _acts(between, effects):
                pass
            case _:
                return None
    return None


def _acts(declare: Declare, effects: EffectsOf) -> bool:
    """Does it do more than to declare, or name another variable anew?"""
    found = effects.of(declare)
    own = {variable.symbol for variable in declare.variables}
    indirect = any(variable.symbol.type.is_indirect for variable in declare.variables)
    return bool(found.side_effects or found.memory_writes or found.writes - own or indirect)


def _assigned(statement: If, symbol: Symbol) -> bool:
    return _value(statement.then, symbol) is not None


def _value(branch: Stmt, symbol: Symbol) -> Expr | None:
    """What the branch, which does nothing else, makes of the number."""
    match statements_of(branch):
        case (ExprStatement(expr=Assign(op="=", target=VarRef(symbol=target), value=value)),):
            return value if target == symbol else None
        case (
            ExprStatement(
                expr=Assign(op="+=" | "-=" as op, target=VarRef(symbol=target) as old, value=value)
            ),
        ):
            added = Binary(op[0], old, value, symbol.type)
            return added if target == symbol and value.type == symbol.type else None
        case _:
            return None


def _merged(declare: Stmt, choice: If, effects: EffectsOf) -> Declare | None:
    assert isinstance(declare, Declare)
    (variable,) = declare.variables
    symbol, initial = variable.symbol, variable.initial
    value = _value(choice.then, symbol)
    other = initial if choice.otherwise is None else _value(choice.otherwise, symbol)
    plain = symbol.type.kind is TypeKind.INTEGER and variable.declared not in ("", "auto")
    if value is None or other is None or not plain or variable.suffix:
        return None
    chosen: Expr = Conditional(choice.condition, value, other, symbol.type)
    if initial is not None:
        pure = effects.of(initial)
        if not pure.is_pure or pure.memory_reads:
            return None
        known = Paren(initial, initial.type)
        chosen = Conditional(
            substitute(choice.condition, {symbol: known}),
            substitute(value, {symbol: known}),
            initial if choice.otherwise is None else substitute(other, {symbol: known}),
            symbol.type,
        )
    found = effects.of(chosen)
    if not found.is_pure or found.memory_reads or symbol in symbols_in(chosen):
        return None
    trivia = around_both(declare.trivia, choice.trivia)
    return Declare((Variable(symbol, variable.declared, "", chosen, "="),), trivia=trivia)
