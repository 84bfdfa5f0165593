"""Values of variables where they are needed: in the expression that names them, if that is the only
one, or behind the guard of all that does.

    float v = x[i];                 if (i > 0) {
    if (i > 0) {                        float v = x[i];
        y[i] = v * v;         ->        y[i] = v * v;
        z[i] = v;                       z[i] = v;
    }                               }

Legal where the value is the same there: nothing in between changes what it is made of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.effects import EffectsOf, declared_in, symbols_in
from g2o.ir.bodies import with_bodies
from g2o.ir.expressions import Conditional, Expr, Form, Paren, VarRef, is_primary, strip_parens
from g2o.ir.statements import Block, Declare, ExprStatement, If, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk


def with_sunk_choices(body: Block, effects: EffectsOf) -> Block:
    """Choices that one branch alone needs are made in it. Nothing but declarations may stand
    between."""

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        old = tuple(rewrite(one, replacement) for one in node.statements)
        new = _sunk(old, effects)
        same = len(new) == len(node.statements)
        if same and all(one is two for one, two in zip(new, node.statements, strict=True)):
            return node
        return replace(node, statements=new, form=Form.BUILT)

    made = replacement(body)
    return made if isinstance(made, Block) else body


def _sunk(statements: tuple[Stmt, ...], effects: EffectsOf) -> tuple[Stmt, ...]:
    for position, statement in enumerate(statements):
        match statement:
            case Declare(variables=(Variable(initial=value) as variable,)) if (
                value is not None and isinstance(strip_parens(value), Conditional)
            ):
                behind = statements[position + 1 :]
                if _is_needed_in_branch(variable.symbol, value, behind, effects):
                    own = SunkValue(variable, value)
                    return _sunk((*statements[:position], *own.put_into(behind)), effects)
            case _:
                pass
    return statements


def _is_needed_in_branch(
    symbol: Symbol, value: Expr, behind: Sequence[Stmt], effects: EffectsOf
) -> bool:
    if symbol.storage is not Storage.LOCAL or not effects.is_pure(value):
        return False
    named = [one for one in behind if symbol in symbols_in(one)]
    if len(named) != 1 or not isinstance(branch := named[0], If) or branch.otherwise is not None:
        return False
    between = behind[: behind.index(branch)]
    return (
        all(_only_declares(one, effects) for one in between)
        and effects.is_pure(branch.condition)
        and symbol not in symbols_in(branch.condition)
        and symbol not in effects.of(branch).writes
    )


def _only_declares(statement: Stmt, effects: EffectsOf) -> bool:
    done = effects.of(statement)
    own = isinstance(statement, Declare) and done.writes <= declared_in(statement)
    return own and not done.memory_writes and not done.side_effects


@final
@dataclass(frozen=True, slots=True)
class SunkValue:
    """A variable that nothing but statements to come names, and that keeps the value that it is
    given there."""

    variable: Variable
    value: Expr

    def put_into(self, statements: Sequence[Stmt]) -> list[Stmt]:
        """The statements with the value where the register is named once, or with its declaration
        in front of what names it."""
        register = self.variable.symbol
        named = [n for n, one in enumerate(statements) if register in symbols_in(one)]
        result = list(statements)
        if not named:
            return result
        first, only = named[0], len(named) == 1
        match statements[first]:
            case ExprStatement() | Declare() as one if only and _times_named(register, one) == 1:
                result[first] = rewrite(one, self._value_for)
            case If(condition=condition, otherwise=None) as one if (
                only and register not in symbols_in(condition)
            ):
                result[first] = with_bodies(one, lambda inner: tuple(self.put_into(inner)))
            case Block() as one if only:
                result[first] = with_bodies(one, lambda inner: tuple(self.put_into(inner)))
            case _:
                made = replace(self.variable, initial=self.value, initial_style="=")
                result.insert(first, Declare((made,)))
        return result

    def _value_for(self, node: Node) -> Node | None:
        if isinstance(node, VarRef) and node.symbol == self.variable.symbol:
            return self.value if is_primary(self.value) else Paren(self.value, self.value.type)
        return None


def _times_named(register: Symbol, statement: Stmt) -> int:
    return sum(isinstance(one, VarRef) and one.symbol == register for one in walk(statement))
