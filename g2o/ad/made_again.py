"""Variables that several statements of an iteration make: the reverse sweep makes them again.

    for (int d = 0; d < n; ++d) {                 for (int d = n - 1; d >= 0; --d) {
        float left[4];                                float left[4];
        for (int i = 0; i < 4; ++i)                   for (int i = 0; i < 4; ++i)
            left[i] = a[d][4 * t + i];                    left[i] = a[d][4 * t + i];
        ... left[i] * right[j] ...        ->          ... left[i] in the derivative ...
    }                                             }

Without it every value that is asked for goes onto a tape. What is made again is what was there
where nothing writes the variables any more. Legal where all that the statements name can be had
again, and they do nothing but make these variables. Worth it where they take few steps.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Final, final

from g2o.ad.loops import counted
from g2o.ad.scopes import Braces
from g2o.analysis.effects import declared_in, statements_of
from g2o.ir.expressions import Assign, Call, Expr, Form, Unary, VarRef, integer_value, strip_parens
from g2o.ir.statements import Block, Declare, Empty, ExprStatement, For, If, Stmt
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk

if TYPE_CHECKING:
    from g2o.ad.places import Place
    from g2o.ad.values import Values

_MOST_STEPS: Final = 64
_STEPS_OF_A_CALL: Final = 7


def made_again(symbol: Symbol, place: Place, home: Braces, values: Values) -> bool:
    """Makes, where `home` begins in the reverse sweep, what `symbol` holds at a place, if that is
    legal and worth it. `home` has its declaration."""
    if home.keeps_nothing or symbol in home.refused or not _is_final(symbol, place, values):
        return False
    found = _statements(symbol, home, values)
    if found is None:
        home.refused.add(symbol)
        return False
    own, statements = found
    if not all(_is_final(one, place, values) for one in own):
        return False
    maker = _Maker(values, Braces(home, joint=False, keeps_nothing=True))
    new = maker.sequence(statements)
    if new is None:
        home.refused |= own
        return False
    home.again += [*maker.inner.again, *new]
    for one in own:
        home.renewed[one] = maker.inner.renewed[one]
        values.braces_of[one] = home
    home.final |= own
    return True


def _is_final(symbol: Symbol, place: Place, values: Values) -> bool:
    """Has the variable the last of its values at a place?"""
    return values.places.keeps_variable(symbol, place)


def _statements(
    symbol: Symbol, home: Braces, values: Values
) -> tuple[set[Symbol], list[Stmt]] | None:
    """The statements of `home` that make a variable, and all variables that these make."""
    made = {id(one): _made(one, values) for one in home.statements}
    own, found = {symbol}, list[Stmt]()
    while True:
        more = [one for one in home.statements if not own.isdisjoint(made[id(one)])]
        if len(more) == len(found):
            break
        found = more
        own = own.union(*(made[id(one)] for one in found))
    declared = {root for one in found if isinstance(one, Declare) for root in declared_in(one)}
    if own != declared or not all(map(_is_plain, own)):
        return None
    for one in found:
        effects = values.effects.of(one)
        if effects.side_effects or None in effects.memory_writes:
            return None
    steps = sum(_steps(one, values) for one in found)
    return (own, found) if steps <= _MOST_STEPS else None


def _made(statement: Stmt, values: Values) -> set[Symbol]:
    """The variables that the statement gives values to, and is not around; a declaration is not."""
    effects = values.effects.of(statement)
    inside = set[Symbol]() if isinstance(statement, Declare) else declared_in(statement)
    found = effects.writes | (declared_in(statement) - inside)
    for one in effects.memory_writes:
        roots = {None} if one is None else values.places.origins.resolve(one)
        found |= {place for root in roots if (place := root or one) is not None}
    return found - inside


def _is_plain(symbol: Symbol) -> bool:
    """Is it a number of a thread, or an array of numbers?"""
    return symbol.storage is Storage.LOCAL and symbol.type.innermost.is_arithmetic


def _steps(statement: Stmt, values: Values) -> int:
    """How many assignments the statement does; more than are worth it where that is not known."""
    match statement:
        case For(body=body):
            head = counted(statement, values.effects)
            numbers = (
                [integer_value(one) for one in (head.first, head.bound, head.step)] if head else []
            )
            match numbers:
                case [int() as first, int() as bound, int() as step] if step > 0:
                    times = abs(bound - first) // step + 1
                case _:
                    return _MOST_STEPS + 1
            return times * sum(_steps(one, values) for one in statements_of(body))
        case If(then=then, otherwise=otherwise):
            both = (*statements_of(then), *(statements_of(otherwise) if otherwise else ()))
            return sum(_steps(one, values) for one in both)
        case Block(statements=statements):
            return sum(_steps(one, values) for one in statements)
        case _:
            if any(map(values.is_expensive, walk(statement))):
                return _MOST_STEPS + 1
            return 1 + _STEPS_OF_A_CALL * sum(isinstance(one, Call) for one in walk(statement))


@final
class _Maker:
    """Statements as the reverse sweep does them again, with variables of their own."""

    def __init__(self, values: Values, inner: Braces) -> None:
        self.values = values
        self.inner = inner

    def sequence(self, statements: Iterable[Stmt]) -> list[Stmt] | None:
        result: list[Stmt] = []
        for statement in statements:
            made = self._again(statement)
            if made is None:
                return None
            result.append(made)
        return result

    def _again(self, statement: Stmt) -> Stmt | None:
        place = self.values.places.place(statement)
        match statement:
            case Declare(variables=(variable,)):
                initial = variable.initial
                if initial is not None:
                    initial = self._value(initial, place)
                    if initial is None:
                        return None
                new = self._renewed(variable.symbol)
                return Declare((replace(variable, symbol=new, initial=initial),), form=Form.BUILT)
            case ExprStatement(expr=expr):
                changed = self._changed(strip_parens(expr), place)
                return None if changed is None else ExprStatement(changed)
            case If(condition=condition, then=then, otherwise=otherwise):
                asked = self._value(condition, place)
                first = self.sequence(statements_of(then))
                second = self.sequence(statements_of(otherwise)) if otherwise else []
                if asked is None or first is None or second is None:
                    return None
                other = Block(tuple(second)) if second else None
                return If(asked, Block(tuple(first)), other, is_constexpr=statement.is_constexpr)
            case For():
                return self._loop(statement, place)
            case Block(statements=statements):
                inner = self.sequence(statements)
                return None if inner is None else Block(tuple(inner))
            case Empty():
                return Empty()
            case _:
                return None

    def _changed(self, expr: Expr, place: Place) -> Expr | None:
        match expr:
            case Assign(target=target, value=value):
                to, given = self.values.lvalue(target, place, self.inner), self._value(value, place)
                return (
                    None if to is None or given is None else Assign(expr.op, to, given, expr.type)
                )
            case Unary(op="++" | "--", operand=operand):
                to = self.values.lvalue(operand, place, self.inner)
                return None if to is None else Unary(expr.op, to, type=expr.type)
            case _:
                return None

    def _loop(self, loop: For, place: Place) -> Stmt | None:
        head = counted(loop, self.values.effects)
        if head is None:
            return None
        ends = [self._value(one, place) for one in (head.first, head.bound, head.step)]
        first, bound, step = ends
        if first is None or bound is None or step is None:
            return None
        index = self._renewed(head.index)
        body = self.sequence(statements_of(loop.body))
        if body is None:
            return None
        return replace(head, first=first, bound=bound, step=step).same_order(index, body)

    def _value(self, expr: Expr, place: Place) -> Expr | None:
        return self.values.attempt(expr, place, self.inner)

    def _renewed(self, symbol: Symbol) -> Symbol:
        new = self.values.renamed(symbol)
        self.values.made_again.add(new)
        self.values.braces_of[symbol] = self.inner
        self.inner.renewed[symbol] = VarRef(new)
        return new
