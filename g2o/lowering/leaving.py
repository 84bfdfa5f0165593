"""Jumps out of loops in which threads work together become flags.

    while (i < n) {                     bool going = true;
        if (x[i] == v)                  while (going && i < n) {
            break;                          if (x[i] == v) {
        s[t] = i;                 ->            going = false;
        barrier                             } else {
        i += s[n - t];                          s[t] = i;
    }                                           barrier
                                                i += s[n - t];
                                            }
                                        }

What is left are conditions, on which threads may disagree.
"""

from __future__ import annotations

from dataclasses import replace
from typing import final

from g2o.analysis.effects import statements_of
from g2o.analysis.jumps import goes_out
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import Assign, Binary, Form, Unary, VarRef, integer_value
from g2o.ir.flags import FALSE, TRUE, asks_for, declare_flag, set_flag, without_sets
from g2o.ir.statements import (
    Block,
    Declare,
    DoWhile,
    ExprStatement,
    For,
    If,
    Jump,
    JumpKind,
    Labelled,
    Node,
    Return,
    Stmt,
    Switch,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import BOOL

_BREAK = Jump(JumpKind.BREAK)


@final
class JumpFreeLoop:
    """A loop without jumps out of it: `statements` stand for it, the loop itself among them.

    `flags` are the variables made for it. With `by_flags`, whether a thread has left the loop is
    always asked of a flag, not of the condition for it. Raises Refusal for `goto`.
    """

    def __init__(
        self, loop: For | While | DoWhile, symbols: SymbolTable, by_flags: bool = False
    ) -> None:
        self.symbols = symbols
        self.by_flags = by_flags
        self.going: Symbol | None = None  # false: this thread has left the loop
        self.left: Symbol | None = None  # true: it has left this iteration
        self.returned: Symbol | None = None
        self.statements = self._opened(loop)

    @property
    def flags(self) -> set[Symbol]:
        return {flag for flag in (self.going, self.left, self.returned) if flag is not None}

    def _opened(self, loop: For | While | DoWhile) -> tuple[Stmt, ...]:
        inside = self._sequence(statements_of(loop.body))
        if self.left is not None and asks_for(inside, self.left):
            inside = (declare_flag(self.left), *inside)
        elif self.left is not None:
            inside = without_sets(inside, self.left)
        condition = loop.condition
        before: list[Stmt] = []
        match loop:
            case For(initial=initial, increment=increment):
                before = [] if initial is None else [initial]
                step = () if increment is None else (ExprStatement(increment),)
                inside = (*inside, *self._if_going(step))
            case DoWhile():
                going = VarRef(self._flag("going"))
                again = ExprStatement(Assign("=", going, loop.condition, BOOL))
                inside = (*inside, *self._if_going((again,)))
                condition = None
            case While():
                pass
        if self.going is not None:
            before.append(declare_flag(self.going, TRUE))
            going = VarRef(self.going)
            if condition is None or integer_value(condition) == 1:
                condition = going
            else:
                condition = Binary("&&", going, condition, BOOL)
        if self.returned is not None:
            before.append(declare_flag(self.returned))
        whole: list[Stmt] = [*before, While(condition or TRUE, Block(inside), trivia=loop.trivia)]
        if self.returned is not None:
            whole.append(If(VarRef(self.returned), Return()))
        return tuple(whole)

    def _if_going(self, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        if self.going is None or not statements:
            return statements
        return (If(VarRef(self.going), Block(statements)),)

    # -- the body -------------------------------------------------------------------------------

    def _sequence(self, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        """Statements that nothing of the iteration follows."""
        new: list[Stmt] = []
        for position, statement in enumerate(statements):
            rest = statements[position + 1 :]
            if not leaves(statement):
                new.append(statement)
                continue
            match statement:
                case Jump() | Return():
                    return (*new, *self._noted(statement))
                case Block(statements=inner) if not rest:
                    return (*new, Block(self._sequence(inner), trivia=statement.trivia))
                case If():
                    return (*new, *self._branches(statement, rest))
                case _:
                    new.append(self._followed(statement))
                    return (*new, *self._guarded(rest))
        return tuple(new)

    def _branches(self, statement: If, rest: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        then = statements_of(statement.then)
        if self.by_flags and rest and statement.otherwise is None and _ends_loop(then):
            going = If(VarRef(self._flag("going")), Block(self._sequence(rest)))
            ended = Block(self._sequence(then))
            return (replace(statement, then=ended, form=Form.BUILT), going)
        other = () if statement.otherwise is None else statements_of(statement.otherwise)
        if not rest or _always_leaves(then):
            ended, follows = self._sequence(then), self._sequence(_joined(other, rest))
        elif other and _always_leaves(other):
            ended, follows = self._sequence(_joined(then, rest)), self._sequence(other)
        else:
            return (self._followed(statement), *self._guarded(rest))
        condition, trivia, fixed = statement.condition, statement.trivia, statement.is_constexpr
        if not ended and follows:
            condition = Unary("!", condition, type=BOOL)
            ended, follows = follows, ()
        otherwise = Block(follows) if follows else None
        return (If(condition, Block(ended), otherwise, is_constexpr=fixed, trivia=trivia),)

    def _guarded(self, rest: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        if not rest:
            return ()
        left = Unary("!", VarRef(self._flag("left")), type=BOOL)
        return (If(left, Block(self._sequence(rest))),)

    def _followed(self, statement: Stmt, breakable: bool = False) -> Stmt:
        """`statement` with jumps that set flags; within another loop or a switch they leave it."""
        match statement:
            case Jump(kind=JumpKind.BREAK) if breakable:
                return statement
            case Jump() | Return():
                own = (_BREAK,) if breakable else ()
                return Block((*self._noted(statement), *own))
            case Block(statements=inner):
                return replace(statement, statements=self._inner(inner, breakable), form=Form.BUILT)
            case If(then=then, otherwise=otherwise):
                ended = Block(self._inner(statements_of(then), breakable))
                other = None
                if otherwise is not None:
                    other = Block(self._inner(statements_of(otherwise), breakable))
                return replace(statement, then=ended, otherwise=other, form=Form.BUILT)
            case Switch(body=body):
                inside = Block(self._inner(statements_of(body), True))
                return replace(statement, body=inside, form=Form.BUILT)
            case For(body=body) | While(body=body) | DoWhile(body=body):
                jump = goes_out(statement)
                if jump is not None:
                    self._noted(jump)
                inside = Block(self._in_loop(statements_of(body)))
                return replace(statement, body=inside, form=Form.BUILT)
            case Labelled(body=body):
                return replace(statement, body=self._followed(body, breakable), form=Form.BUILT)
            case _:
                return statement

    def _inner(self, statements: tuple[Stmt, ...], breakable: bool) -> tuple[Stmt, ...]:
        """Statements that others of the iteration may follow."""
        new: list[Stmt] = []
        for position, statement in enumerate(statements):
            rest = statements[position + 1 :]
            if not leaves(statement) and not (breakable and _breaks(statement)):
                new.append(statement)
                continue
            new.append(self._followed(statement, breakable))
            if breakable or not rest:
                continue
            if isinstance(statement, (Jump, Return)):
                return tuple(new)
            left = Unary("!", VarRef(self._flag("left")), type=BOOL)
            return (*new, If(left, Block(self._inner(rest, breakable))))
        return tuple(new)

    def _in_loop(self, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        """The body of a loop inside this one: only `return` concerns this one."""

        def replacement(node: Node) -> Node | None:
            match node:
                case Return():
                    return Block((*self._noted(node), _BREAK))
                case For(body=body) | While(body=body) | DoWhile(body=body) | Switch(body=body):
                    if not _returns(node):
                        return node
                    inside = Block(self._in_loop(statements_of(body)))
                    inner = replace(node, body=inside, form=Form.BUILT)
                    return Block((inner, If(VarRef(self._flag("left")), _BREAK)))
                case _:
                    return None

        return tuple(rewrite(statement, replacement) for statement in statements)

    # -- flags ----------------------------------------------------------------------------------

    def _noted(self, jump: Jump | Return) -> tuple[Stmt, ...]:
        left = set_flag(self._flag("left"))
        match jump:
            case Return():
                going, returned = self._flag("going"), self._flag("returned")
                return (set_flag(returned), set_flag(going, FALSE), left)
            case Jump(kind=JumpKind.BREAK):
                return (set_flag(self._flag("going"), FALSE), left)
            case Jump(kind=JumpKind.CONTINUE):
                return (left,)
            case _:
                message = "goto out of a loop in which threads work together"
                raise refuse("G2O0207", message, jump.span)

    def _flag(self, name: str) -> Symbol:
        known = {"going": self.going, "left": self.left, "returned": self.returned}[name]
        if known is not None:
            return known
        flag = self.symbols.fresh(name, BOOL, Storage.LOCAL)
        match name:
            case "going":
                self.going = flag
            case "left":
                self.left = flag
            case _:
                self.returned = flag
        return flag


def leaves(statement: Node) -> bool:
    """Does a jump in `statement` leave the iteration of the loop around it, or go elsewhere?"""
    return goes_out(statement) is not None or _leaves(statement)


def _leaves(statement: Node, in_loop: bool = False, in_switch: bool = False) -> bool:
    match statement:
        case Return():
            return True
        case Jump(kind=JumpKind.BREAK):
            return not in_loop and not in_switch
        case Jump(kind=JumpKind.CONTINUE):
            return not in_loop
        case For(body=body) | While(body=body) | DoWhile(body=body):
            return _leaves(body, True, in_switch)
        case Switch(body=body):
            return _leaves(body, in_loop, True)
        case Block(statements=inner):
            return any(_leaves(one, in_loop, in_switch) for one in inner)
        case If(then=then, otherwise=otherwise):
            parts = (then,) if otherwise is None else (then, otherwise)
            return any(_leaves(part, in_loop, in_switch) for part in parts)
        case Labelled(body=body):
            return _leaves(body, in_loop, in_switch)
        case _:
            return False


def _breaks(statement: Stmt) -> bool:
    return any(isinstance(node, Jump) for node in walk(statement))


def _returns(node: Node) -> bool:
    return any(isinstance(inner, Return) for inner in walk(node))


def _always_leaves(statements: tuple[Stmt, ...]) -> bool:
    match statements[-1:]:
        case (Return() | Jump(),):
            return True
        case (Block(statements=inner),):
            return _always_leaves(inner)
        case (If(then=then, otherwise=otherwise),) if otherwise is not None:
            return all(map(_always_leaves, (statements_of(then), statements_of(otherwise))))
        case _:
            return False


def _ends_loop(statements: tuple[Stmt, ...]) -> bool:
    """Does every path leave the whole loop?"""
    continues = any(
        isinstance(node, Jump) and node.kind is not JumpKind.BREAK
        for statement in statements
        for node in walk(statement)
    )
    return _always_leaves(statements) and not continues


def _joined(first: tuple[Stmt, ...], rest: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """`rest` behind `first`, whose variables it does not see."""
    if rest and any(isinstance(one, Declare) for one in first):
        return (Block(first), *rest)
    return (*first, *rest)
