"""`return v;` becomes an assignment at the end of every path.

if (a) return x;            if (a) {
y += 1;                         result = x;
return y;             ->    } else {
                                y += 1;
                                result = y;
                            }

A return from a loop leaves it with `break`; a flag tells the code behind the loop.

for (...)                   bool returned = false;
    if (a[i] == v)          for (...)
        return i;               if (a[i] == v) {
return -1;            ->            result = i;
                                    returned = true;
                                    break;
                                }
                            if (!returned)
                                result = -1;
"""

from __future__ import annotations

from dataclasses import replace
from typing import final

from g2o.analysis.effects import statements_of
from g2o.ir.expressions import Assign, Call, Code, Expr, Form, Unary, VarRef, Verbatim, strip_parens
from g2o.ir.flags import asks_for, declare_flag, set_flag, without_sets
from g2o.ir.statements import (
    Block,
    DoWhile,
    ExprStatement,
    For,
    If,
    Jump,
    JumpKind,
    Labelled,
    Return,
    Stmt,
    Switch,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import walk
from g2o.ir.types import BOOL

_BREAK = Jump(JumpKind.BREAK)


def assign_returns(
    statements: tuple[Stmt, ...], result: Symbol | None, symbols: SymbolTable
) -> tuple[Stmt, ...]:
    """`statements` without `return`; values go to `result`, or are only evaluated without one.

    Where `result` is a pointer to what the function returns a reference to, it gets the address.
    """
    return _Returns(result, symbols, by_address=False).without(statements)


def assign_addresses(
    statements: tuple[Stmt, ...], result: Symbol, symbols: SymbolTable
) -> tuple[Stmt, ...]:
    """`statements` of a function that returns a reference: `result` points to what it refers to."""
    return _Returns(result, symbols, by_address=True).without(statements)


@final
class _Returns:
    """`returned` is the flag; whether anything asks for it is known at the end."""

    def __init__(self, result: Symbol | None, symbols: SymbolTable, by_address: bool) -> None:
        self.result = result
        self.symbols = symbols
        self.by_address = by_address
        self.returned: Symbol | None = None

    def without(self, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        """The statements of the whole function."""
        new = self._last(statements)
        flag = self.returned
        if flag is None:
            return new
        if not asks_for(new, flag):
            return without_sets(new, flag)
        return (declare_flag(flag), *new)

    # -- where nothing of the function follows --------------------------------------------------

    def _last(self, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        new: list[Stmt] = []
        for position, statement in enumerate(statements):
            rest = statements[position + 1 :]
            if not _returns(statement):
                new.append(statement)
                continue
            match statement:
                case Return():
                    return (*new, *self._assigned(statement))
                case Block(statements=inner):
                    return (*new, Block(self._last((*inner, *rest)), trivia=statement.trivia))
                case If():
                    return (*new, *self._branches(statement, rest))
                case _:
                    new.extend(self._left(statement, in_loop=False))
                    if rest:
                        new.append(self._unless_returned(self._last(rest)))
                    return tuple(new)
        return tuple(new)

    def _branches(self, statement: If, rest: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        """A conditional that returns: what follows goes into the branch that does not."""
        then = statements_of(statement.then)
        other = () if statement.otherwise is None else statements_of(statement.otherwise)
        if not rest or _always_returns(then):
            ended, follows = self._last(then), self._last((*other, *rest))
        elif other and _always_returns(other):
            ended, follows = self._last((*then, *rest)), self._last(other)
        else:
            left = self._left(statement, in_loop=False)
            return (*left, self._unless_returned(self._last(rest)))
        condition, trivia, fixed = statement.condition, statement.trivia, statement.is_constexpr
        if not ended and follows:
            condition = Unary("!", condition, type=BOOL)
            ended, follows = follows, ()
        otherwise = Block(follows) if follows else None
        return (If(condition, Block(ended), otherwise, is_constexpr=fixed, trivia=trivia),)

    # -- where something follows, or comes again ------------------------------------------------

    def _left(self, statement: Stmt, *, in_loop: bool) -> list[Stmt]:
        """`statement` with returns that set the flag, and leave the loop around them."""
        match statement:
            case Return():
                leave = (_BREAK,) if in_loop else ()
                return [*self._assigned(statement), self._note(), *leave]
            case Block(statements=inner):
                return [Block(self._sequence(inner, in_loop), trivia=statement.trivia)]
            case If(then=then, otherwise=otherwise):
                ended = Block(self._sequence(statements_of(then), in_loop))
                other = None
                if otherwise is not None:
                    other = Block(self._sequence(statements_of(otherwise), in_loop))
                return [replace(statement, then=ended, otherwise=other, form=Form.BUILT)]
            case For(body=body) | While(body=body) | DoWhile(body=body) | Switch(body=body):
                inside = Block(self._sequence(statements_of(body), in_loop=True))
                left: list[Stmt] = [replace(statement, body=inside, form=statement.form.BUILT)]
                if in_loop:
                    left.append(If(VarRef(self._flag()), _BREAK))
                return left
            case Labelled(body=body):
                first, *others = self._left(body, in_loop=in_loop)
                labelled = replace(statement, body=first, form=statement.form.BUILT)
                return [labelled, *others]
            case _:
                return [statement]

    def _sequence(self, statements: tuple[Stmt, ...], in_loop: bool) -> tuple[Stmt, ...]:
        new: list[Stmt] = []
        for position, statement in enumerate(statements):
            rest = statements[position + 1 :]
            if not _returns(statement):
                new.append(statement)
                continue
            if isinstance(statement, If) and not in_loop and rest:
                return (*new, *self._branches_inside(statement, rest))
            new.extend(self._left(statement, in_loop=in_loop))
            if not in_loop and isinstance(statement, Return):
                return tuple(new)
            if not in_loop and rest:
                return (*new, self._unless_returned(self._sequence(rest, in_loop)))
        return tuple(new)

    def _branches_inside(self, statement: If, rest: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        then = statements_of(statement.then)
        if statement.otherwise is None and _always_returns(then):
            ended, follows = self._sequence(then, False), self._sequence(rest, False)
            branches = replace(
                statement, then=Block(ended), otherwise=Block(follows), form=Form.BUILT
            )
            return (branches,)
        left = self._left(statement, in_loop=False)
        return (*left, self._unless_returned(self._sequence(rest, False)))

    # -- pieces ---------------------------------------------------------------------------------

    def _assigned(self, statement: Return) -> tuple[Stmt, ...]:
        value = statement.value
        if value is None:
            return ()
        if self.result is None:
            if _does_nothing(value):
                return ()
            return (ExprStatement(value, trivia=statement.trivia),)
        if self.by_address:
            value = Unary("&", value, type=self.result.type)
        elif strip_parens(value) == VarRef(self.result):
            return ()  # `v = larger(v, w);`
        assigned = Assign("=", VarRef(self.result), value, value.type)
        return (ExprStatement(assigned, trivia=statement.trivia),)

    def _flag(self) -> Symbol:
        if self.returned is None:
            self.returned = self.symbols.fresh("returned", BOOL, Storage.LOCAL)
        return self.returned

    def _note(self) -> Stmt:
        return set_flag(self._flag())

    def _unless_returned(self, statements: tuple[Stmt, ...]) -> Stmt:
        return If(Unary("!", VarRef(self._flag()), type=BOOL), Block(statements))


def _returns(statement: Stmt) -> bool:
    return any(isinstance(node, Return) for node in walk(statement))


def _always_returns(statements: tuple[Stmt, ...]) -> bool:
    """Does every path through the statements end the function?"""
    match statements[-1:]:
        case (Return(),):
            return True
        case (Block(statements=inner),):
            return _always_returns(inner)
        case (If(then=then, otherwise=otherwise),) if otherwise is not None:
            both = (statements_of(then), statements_of(otherwise))
            return all(map(_always_returns, both))
        case _:
            return False


def _does_nothing(value: Expr) -> bool:
    """Is a value that nobody wants computed without any effect?"""
    return not any(
        isinstance(node, (Assign, Call, Verbatim, Code))
        or (isinstance(node, Unary) and node.op in ("++", "--"))
        for node in walk(value)
    )
