"""Numbers that change inside of expressions, as statements of their own.

    y = v > 0 ? (w += v, w * v) : w;          if (v > 0) {
                                                  w += v;
                                                  y = w * v;
                                       ->     } else {
                                                  y = w;
                                              }

    while ((v *= x) > 1)                      while (true) {
        ++count;                                  v *= x;
                                       ->         if (!(v > 1))
                                                      break;
                                                  ++count;
                                              }

Legal because what such an expression reads elsewhere of a number that it changes would be undefined
(C++ [intro.execution]) but where one part comes before the other: behind `?`, `&&`, `||` and `,`,
which are kept in order. Calls that change something themselves stay where they are, and with them
the whole expression.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

from g2o.ad.reals import carries
from g2o.analysis.effects import EffectsOf, statements_of
from g2o.analysis.value_types import is_known, value_type
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Code,
    Conditional,
    Expr,
    Form,
    Index,
    Member,
    Paren,
    Remote,
    Unary,
    VarRef,
    Verbatim,
    negated,
    strip_parens,
)
from g2o.ir.flags import TRUE
from g2o.ir.statements import (
    NO_TRIVIA,
    Block,
    Declare,
    DoWhile,
    ExprStatement,
    For,
    If,
    Jump,
    JumpKind,
    Node,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, SymbolTable
from g2o.ir.traverse import children, walk, with_children
from g2o.ir.types import BOOL, CType, TypeKind, unqualified

_PLAIN = (TypeKind.FLOATING, TypeKind.INTEGER, TypeKind.BOOL)


class _Hard(Exception):
    """The expression stays what it is."""


def with_changes_apart(body: Block, symbols: SymbolTable, effects: EffectsOf) -> Block:
    """`body` in which real numbers change by statements only, where that can be said."""
    if not any(isinstance(node, Stmt) and _has_hidden(node) for node in walk(body)):
        return body
    statements = _Changes(symbols, effects).sequence(body.statements)
    return replace(body, statements=statements, form=Form.BUILT)


def _has_hidden(statement: Stmt) -> bool:
    """Does a real number change in the statement itself, but not as all that it does?"""
    match statement:
        case ExprStatement(expr=expr):
            return any(map(_hides, _below(expr)))
        case Declare(variables=variables):
            return any(one.initial is not None and _hides(one.initial) for one in variables)
        case If(condition=condition) | While(condition=condition) | DoWhile(condition=condition):
            return _hides(condition)
        case For(condition=condition):
            return condition is not None and _hides(condition)
        case _:
            return False


def _below(expr: Expr) -> tuple[Expr, ...]:
    """The parts of what a statement evaluates whose changes are not the statement's own."""
    match strip_parens(expr):
        case Assign(target=target, value=value):
            return target, value
        case Unary(op="++" | "--", operand=operand):
            return (operand,)
        case Binary(op=",", left=left, right=right):
            return *_below(left), *_below(right)
        case other:
            return (other,)


def _hides(expr: Expr) -> bool:
    return any(_changed(node) is not None for node in walk(expr))


def _changed(node: Node) -> Expr | None:
    """The place that a node changes: of real numbers, or a whole number in an object, which may
    hold real ones: `v->values[v->count++] = x`."""
    match node:
        case Assign(target=place) | Unary(op="++" | "--", operand=place):
            ctype = value_type(place)
            if ctype.kind is TypeKind.INTEGER and _is_of_object(strip_parens(place)):
                return place
            return place if carries(ctype) and not ctype.is_indirect else None
        case _:
            return None


def _is_of_object(place: Expr) -> bool:
    """Is it a member, or what a pointer leads to, which stands for members of what is given?"""
    return isinstance(place, Member) or (isinstance(place, Unary) and place.op == "*")


@final
@dataclass(frozen=True, slots=True)
class _Changes:
    symbols: SymbolTable
    effects: EffectsOf

    # -- statements -----------------------------------------------------------------------------

    def sequence(self, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return tuple(one for statement in statements for one in self._statement(statement))

    def _statement(self, statement: Stmt) -> list[Stmt]:
        statement = self._with_bodies(statement)
        if not _has_hidden(statement):
            return [statement]
        try:
            made = self._apart(statement)
        except _Hard:
            return [statement]
        return [replace(made[0], trivia=statement.trivia), *made[1:]]

    def _with_bodies(self, statement: Stmt) -> Stmt:
        """The statement with the statements in it taken apart."""
        if isinstance(statement, Block):
            new = self.sequence(statement.statements)
            same = len(new) == len(statement.statements)
            if same and all(map(_is, new, statement.statements)):
                return statement
            return replace(statement, statements=new, form=Form.BUILT)
        old = children(statement)
        first = statement.initial if isinstance(statement, For) else None
        made = tuple(
            self._body(one) if isinstance(one, Stmt) and one is not first else one for one in old
        )
        return statement if all(map(_is, made, old)) else with_children(statement, made)

    def _body(self, body: Stmt) -> Stmt:
        new = self._statement(body)
        return new[0] if len(new) == 1 else Block(tuple(new))

    def _apart(self, statement: Stmt) -> list[Stmt]:
        before: list[Stmt] = []
        match statement:
            case ExprStatement(expr=expr):
                return self._done(expr)
            case Declare(variables=variables):
                return [one for variable in variables for one in self._declared(variable)]
            case If(condition=condition):
                left = self._value(condition, before)
                return [
                    *before,
                    replace(statement, condition=left, trivia=NO_TRIVIA, form=Form.BUILT),
                ]
            case While(condition=condition, body=body):
                leaving = self._leaving(condition)
                inner = Block((*leaving, *statements_of(body)))
                return [replace(statement, condition=TRUE, body=inner, form=Form.BUILT)]
            case For(condition=condition, body=body) if condition is not None:
                inner = Block((*self._leaving(condition), *statements_of(body)))
                return [replace(statement, condition=TRUE, body=inner, form=Form.BUILT)]
            case DoWhile(condition=condition, body=body) if not _goes_on(body):
                left = self._value(condition, before)
                if any(isinstance(one, Declare) for one in before):
                    raise _Hard
                inner = Block((*statements_of(body), *before))
                return [replace(statement, condition=left, body=inner, form=Form.BUILT)]
            case _:
                raise _Hard

    def _leaving(self, condition: Expr) -> list[Stmt]:
        before: list[Stmt] = []
        left = self._value(condition, before)
        return [*before, If(negated(left), Block((Jump(JumpKind.BREAK),)))]

    def _done(self, expr: Expr) -> list[Stmt]:
        """Statements that do what the expression does, whose value nobody asks for."""
        made: list[Stmt] = []
        match strip_parens(expr):
            case Binary(op=",", left=left, right=right):
                return [*self._done(left), *self._done(right)]
            case Conditional(condition=condition, if_true=one, if_false=other):
                decided = self._value(condition, made)
                branches = Block(tuple(self._done(one))), Block(tuple(self._done(other)))
                return [*made, If(decided, *branches)]
            case Assign(target=target, value=value) as assign:
                target = self._place(target, made)
                assign = replace(assign, target=target, form=Form.BUILT)
                choice = strip_parens(value)
                if isinstance(choice, Conditional) and any(
                    map(_hides, (choice.if_true, choice.if_false))
                ):
                    decided = self._value(choice.condition, made)
                    first, second = (
                        Block(tuple(self._done(_assigned(assign, _as(branch, choice)))))
                        for branch in (choice.if_true, choice.if_false)
                    )
                    return [*made, If(decided, first, second)]
                found = self._value(value, made)
                return [*made, ExprStatement(_assigned(assign, found))]
            case other:
                rest = self._value(other, made)
                return made if self._is_still(rest) else [*made, ExprStatement(rest)]

    def _declared(self, variable: Variable) -> list[Stmt]:
        initial = variable.initial
        if initial is None or not _hides(initial):
            return [Declare((variable,))]
        choice, ctype = strip_parens(initial), variable.symbol.type
        plain = ctype.kind in _PLAIN and not ctype.is_const and variable.declared != "auto"
        if isinstance(choice, Conditional) and plain:
            bare = replace(variable, initial=None, initial_style="")
            assign = Assign("=", VarRef(variable.symbol), choice, ctype)
            return [Declare((bare,)), *self._done(assign)]
        before: list[Stmt] = []
        found = self._value(initial, before)
        return [*before, Declare((replace(variable, initial=found),))]

    # -- expressions ----------------------------------------------------------------------------

    def _place(self, place: Expr, before: list[Stmt]) -> Expr:
        """The place where the statements `before` have made the changes that finding it makes."""
        if self._is_still(place):
            return place
        match place:
            case Paren(inner=inner):
                return replace(place, inner=self._place(inner, before), form=Form.BUILT)
            case Index(base=base, index=index):
                base = self._place(base, before)
                return replace(place, base=base, index=self._value(index, before), form=Form.BUILT)
            case Member(base=base):
                return replace(place, base=self._place(base, before), form=Form.BUILT)
            case _:
                raise _Hard

    def _value(self, expr: Expr, before: list[Stmt]) -> Expr:
        """What the expression gives where the statements `before` have made its changes."""
        if self.effects.is_pure(expr):
            return expr
        match expr:
            case Paren(inner=inner):
                found = self._value(inner, before)
                if isinstance(found, (VarRef, Index, Member)):
                    return found
                return replace(expr, inner=found, form=Form.BUILT)
            case Assign(target=target, value=value):
                target = self._place(target, before)
                found = self._value(value, before)
                assign = replace(expr, target=target, value=found, form=Form.BUILT)
                before.append(ExprStatement(assign))
                return target
            case Unary(op="++" | "--", operand=operand, postfix=postfix):
                operand = self._place(operand, before)
                expr = replace(expr, operand=operand, form=Form.BUILT)
                if not postfix:
                    before.append(ExprStatement(expr))
                    return operand
                kept = self._named(operand, "value", before)
                before.append(ExprStatement(replace(expr, postfix=False, form=Form.BUILT)))
                return kept
            case Binary(op=",", left=left, right=right):
                before.extend(self._done(left))
                return self._value(right, before)
            case Binary(op="&&" | "||" as op, left=left, right=right) if not self._is_still(right):
                holds = self._named(self._value(left, before), "holds", before, BOOL)
                then: list[Stmt] = []
                then_holds = self._value(right, then)
                then.append(ExprStatement(Assign("=", holds, then_holds, BOOL)))
                decided = holds if op == "&&" else negated(holds)
                before.append(If(decided, Block(tuple(then))))
                return holds
            case Conditional(if_true=one, if_false=other) if not (
                self._is_still(one) and self._is_still(other)
            ):
                choice, variable = self._variable("choice", value_type(expr))
                before.append(Declare((variable,)))
                before.extend(self._done(Assign("=", choice, expr, choice.type)))
                return choice
            case Call() | Verbatim() | Code() | Remote() if not self._is_still_itself(expr):
                raise _Hard
            case Binary(op="<<" | ">>"):
                raise _Hard  # the left side comes first
            case _:
                old = children(expr)
                new = tuple(
                    self._value(one, before) if isinstance(one, Expr) else one for one in old
                )
                return with_children(expr, new)

    def _is_still(self, expr: Expr) -> bool:
        return self.effects.is_pure(expr)

    def _is_still_itself(self, expr: Expr) -> bool:
        """Does a call change nothing but what its arguments do?"""
        if not isinstance(expr, Call):
            return False
        plain = replace(expr, arguments=tuple(_settled(one) for one in expr.arguments))
        return self.effects.is_pure(plain)

    def _named(
        self, value: Expr, wish: str, before: list[Stmt], ctype: CType | None = None
    ) -> VarRef:
        name, variable = self._variable(wish, ctype or value_type(value))
        before.append(Declare((replace(variable, initial=value, initial_style="="),)))
        return name

    def _variable(self, wish: str, ctype: CType) -> tuple[VarRef, Variable]:
        if not is_known(ctype) or ctype.kind not in _PLAIN:
            raise _Hard
        plain = replace(ctype, spelling=unqualified(ctype), is_const=False)
        symbol = self.symbols.fresh(wish, plain, Storage.LOCAL)
        return VarRef(symbol), Variable(symbol, plain.spelling)


def _settled(expr: Expr) -> Expr:
    """The expression without the changes in it: what they leave is what the place holds."""
    match expr:
        case Assign(target=place) | Unary(op="++" | "--", operand=place):
            return place
        case Binary(op=",", right=right):
            return _settled(right)
        case Call() | Verbatim() | Code() | Remote():
            return expr
        case _:
            old = children(expr)
            new = tuple(_settled(one) if isinstance(one, Expr) else one for one in old)
            return expr if all(map(_is, new, old)) else with_children(expr, new)


def _assigned(assign: Assign, value: Expr) -> Assign:
    return replace(assign, value=value, form=Form.BUILT)


def _as(branch: Expr, choice: Conditional) -> Expr:
    """The branch in the type that both branches are given."""
    given, common = value_type(branch), value_type(choice)
    if (given.kind, given.bits) == (common.kind, common.bits):
        return branch
    if common.kind not in _PLAIN:
        raise _Hard
    return Cast(branch, replace(common, spelling=unqualified(common), is_const=False))


def _goes_on(body: Stmt) -> bool:
    return any(isinstance(node, Jump) and node.kind is JumpKind.CONTINUE for node in walk(body))


def _is(one: object, other: object) -> bool:
    return one is other
