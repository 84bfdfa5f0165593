"""Code without jumps: what the reverse sweep can turn around.

    for (...) {                         bool more = true;
        if (a) continue;                for (...; more && ...; ...) {
        if (b) break;           ->          if (!a) {
        y += x[i];                              if (b) more = false;
    }                                           else y += x[i];
                                            }
                                        }

`return` in front of the rest of a kernel becomes a condition around that rest, unless nothing in
front of it carries derivatives: then the reverse sweep, too, begins behind it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import final

from g2o.ad.choices import choices_of
from g2o.ad.heads import steps_of, written_in
from g2o.analysis.effects import statements_of
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import (
    Binary,
    Expr,
    Form,
    Literal,
    Paren,
    VarRef,
    negated,
    strip_parens,
)
from g2o.ir.flags import FALSE, TRUE, declare_flag, set_flag
from g2o.ir.statements import (
    Block,
    Declare,
    DoWhile,
    Empty,
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

_LOOPS = (For, While, DoWhile)


def structured(
    body: Block, symbols: SymbolTable, is_active: Callable[[Stmt], bool]
) -> tuple[Stmt, ...]:
    """The statements of `body` with every branch a block and no jump but leading guards.

    Raises Refusal for `goto`.
    """
    structurer = _Structurer(symbols, is_active)
    statements = structurer.outermost(body.statements)
    if structurer.done is None:
        return statements
    return (declare_flag(structurer.done), *statements)


@final
class _Structurer:
    def __init__(self, symbols: SymbolTable, is_active: Callable[[Stmt], bool]) -> None:
        self.symbols = symbols
        self.is_active = is_active
        self.done: Symbol | None = None

    # -- the kernel -----------------------------------------------------------------------------

    def outermost(self, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        """The statements of the kernel, from which it may return."""
        result: list[Stmt] = []
        carried = False
        for position, statement in enumerate(statements):
            rest = statements[position + 1 :]
            if isinstance(statement, Return):
                break
            if not _returns(statement):
                carried = carried or self.is_active(statement)
                result.extend(self._statement(statement))
                continue
            if not carried and _is_guard(statement):
                result.append(statement)
                continue
            result.extend(self._leaving(statement, rest))
            break
        return tuple(result)

    def _leaving(self, statement: Stmt, rest: tuple[Stmt, ...]) -> list[Stmt]:
        """A statement that may return, and what is done if it does not."""
        if isinstance(statement, If) and not any(map(_has_loop_return, _branches(statement))):
            then, otherwise = (statements_of(branch) for branch in _branches(statement))
            if _ends(then):
                return [_if(statement, self.outermost(then), self.outermost((*otherwise, *rest)))]
            if _ends(otherwise):
                return [_if(statement, self.outermost((*then, *rest)), self.outermost(otherwise))]
        if isinstance(statement, Block):
            return list(self.outermost((*statement.statements, *rest)))
        statement = rewrite(statement, self._without_returning_switch)
        if not isinstance(statement, (If, *_LOOPS)):
            return list(self.outermost((statement, *rest)))
        if self.done is None:
            self.done = self.symbols.fresh("done", BOOL, Storage.LOCAL)
        done = self.done
        first = self._statement(_with_flag(statement, done, in_loop=False))
        following = self.outermost(rest)
        if not following:
            return first
        return [*first, If(negated(VarRef(done)), Block(following))]

    def _without_returning_switch(self, node: Node) -> Node | None:
        """A switch that returns as a chain of conditions, in which `return` is like anywhere."""
        if not isinstance(node, Switch) or not _returns(node):
            return None
        before, chain = _choices(node, self.symbols)
        return rewrite(Block((*before, chain)), self._without_returning_switch)

    # -- statements -----------------------------------------------------------------------------

    def block(self, statement: Stmt) -> Block:
        statements = statements_of(statement)
        new = [one for inner in statements for one in self._statement(inner)]
        if isinstance(statement, Block):
            same = len(new) == len(statements) and all(
                one is other for one, other in zip(new, statements, strict=True)
            )
            if same:
                return statement
            return Block(tuple(new), trivia=statement.trivia, span=statement.span)
        return Block(tuple(new))

    def _statement(self, statement: Stmt) -> list[Stmt]:
        match statement:
            case Block():
                return [self.block(statement)]
            case If(then=then, otherwise=otherwise):
                other = None if otherwise is None else self.block(otherwise)
                return [_with_parts(statement, self.block(then), other)]
            case For() | While() | DoWhile():
                return self._loop(statement)
            case Switch():
                before, chain = _choices(statement, self.symbols)
                return [*before, *self._statement(chain)]
            case Labelled():
                raise refuse("G2O0403", "label in code that is differentiated", statement.span)
            case Jump(kind=JumpKind.GOTO):
                raise refuse("G2O0403", "goto in code that is differentiated", statement.span)
            case Declare(variables=variables) if len(variables) > 1:
                trivia = statement.trivia
                split = [Declare((one,), span=None) for one in variables]
                return [replace(split[0], trivia=trivia), *split[1:]]
            case Empty() if not statement.trivia.before:
                return []
            case _:
                return [statement]

    # -- loops ----------------------------------------------------------------------------------

    def _loop(self, loop: For | While | DoWhile) -> list[Stmt]:
        body = statements_of(loop.body)
        if not any(_jumps(one) for one in body):
            new = self.block(loop.body)
            if new is loop.body:
                return [loop]
            return [replace(loop, body=new, form=Form.BUILT)]
        more: Symbol | None = None
        if any(_jumps(one, JumpKind.BREAK) for one in body):
            more = self.symbols.fresh("more", BOOL, Storage.LOCAL)
        jumpless = _Jumpless(self.symbols, more)
        new = self.block(Block(tuple(jumpless.sequence(body))))
        if more is None:
            return [replace(loop, body=new, form=Form.BUILT)]
        condition = loop.condition
        going: Expr = VarRef(more)
        if condition is not None and not _is_true(condition):
            going = Binary("&&", going, Paren(condition, BOOL), BOOL)
        flag = declare_flag(more, TRUE)
        if isinstance(loop, For) and _counts_outside(loop):
            increment = () if loop.increment is None else (_stepped(loop.increment, more),)
            inner = Block((*new.statements, *increment))
            again = While(going, inner, trivia=loop.trivia)
            if isinstance(loop.initial, Declare):
                return [Block((flag, loop.initial, again))]
            return [flag, again] if loop.initial is None else [flag, loop.initial, again]
        return [flag, replace(loop, condition=going, body=new, form=Form.BUILT)]


@final
class _Jumpless:
    """The body of a loop with flags in place of its own jumps."""

    def __init__(
        self, symbols: SymbolTable, more: Symbol | None, kind: JumpKind | None = None
    ) -> None:
        """`kind` says which jumps these are: all that belong to a loop, or the `break`s of a
        switch."""
        self.symbols = symbols
        self.more = more
        self.kind = kind

    def sequence(self, statements: tuple[Stmt, ...], flag: Symbol | None = None) -> list[Stmt]:
        """`statements`; `flag` is set to false where they jump."""
        result: list[Stmt] = []
        for position, statement in enumerate(statements):
            rest = statements[position + 1 :]
            if isinstance(statement, Jump) and _jumps(statement, self.kind):
                if statement.kind is JumpKind.BREAK and self.more is not None:
                    result.append(set_flag(self.more, FALSE))
                if flag is not None:
                    result.append(set_flag(flag, FALSE))
                return result
            if not _jumps(statement, self.kind):
                result.append(statement)
                continue
            return [*result, *self._around(statement, rest, flag)]
        return result

    def _around(self, statement: Stmt, rest: tuple[Stmt, ...], flag: Symbol | None) -> list[Stmt]:
        if isinstance(statement, Block):
            return self.sequence((*statement.statements, *rest), flag)
        if isinstance(statement, Switch):
            before, chain = _choices(statement, self.symbols)
            return self.sequence((*before, chain, *rest), flag)
        if not isinstance(statement, If):
            raise refuse("G2O0403", "jump in code that is differentiated", statement.span)
        then, otherwise = (statements_of(branch) for branch in _branches(statement))
        if _surely_jumps(then, self.kind):
            return [
                _if(statement, self.sequence(then, flag), self.sequence((*otherwise, *rest), flag))
            ]
        if _surely_jumps(otherwise, self.kind):
            return [
                _if(statement, self.sequence((*then, *rest), flag), self.sequence(otherwise, flag))
            ]
        going = flag or self.symbols.fresh("going", BOOL, Storage.LOCAL)
        declared = [] if flag is not None else [declare_flag(going, TRUE)]
        first = _if(statement, self.sequence(then, going), self.sequence(otherwise, going))
        following = self.sequence(rest, flag)
        guarded = [If(VarRef(going), Block(tuple(following)))] if following else []
        return [*declared, first, *guarded]


def _choices(switch: Switch, symbols: SymbolTable) -> tuple[list[Stmt], Stmt]:
    """The switch as a chain of conditions, with conditions for the `break`s inside of its cases."""
    breaks = _Jumpless(symbols, None, JumpKind.BREAK)
    return choices_of(switch, symbols, lambda case: breaks.sequence(tuple(case)))


def _stepped(increment: Expr, more: Symbol) -> Stmt:
    return If(VarRef(more), Block(tuple(map(ExprStatement, steps_of(increment)))))


def _branches(statement: If) -> tuple[Stmt, Stmt]:
    return statement.then, statement.otherwise or Block(())


def _if(old: If, then: list[Stmt] | tuple[Stmt, ...], other: list[Stmt] | tuple[Stmt, ...]) -> Stmt:
    """`old` with other branches; turned around where nothing is left of the first."""
    trivia = old.trivia
    condition, fixed = old.condition, old.is_constexpr
    if not then and other:
        condition, then, other = negated(condition), other, ()
    otherwise = Block(tuple(other)) if other else None
    whole = If(condition, Block(tuple(then)), otherwise, is_constexpr=fixed)
    return replace(whole, trivia=trivia, span=old.span)


def _with_parts(old: If, then: Block, otherwise: Block | None) -> If:
    if then is old.then and otherwise is old.otherwise:
        return old
    return replace(old, then=then, otherwise=otherwise, form=Form.BUILT)


def _is_true(condition: Expr) -> bool:
    inner = strip_parens(condition)
    return isinstance(inner, Literal) and inner.value not in (None, 0)


def _counts_outside(loop: For) -> bool:
    """Does the head change variables that are still there behind the loop?"""
    own = (
        {one.symbol for one in loop.initial.variables} if isinstance(loop.initial, Declare) else ()
    )
    if isinstance(loop.initial, ExprStatement):
        return True
    return loop.increment is not None and not written_in(loop.increment) <= set(own)


# -- jumps and returns --------------------------------------------------------------------------


def _returns(statement: Stmt) -> bool:
    return any(isinstance(node, Return) for node in walk(statement))


def _has_loop_return(statement: Stmt) -> bool:
    return any(isinstance(node, _LOOPS) and _returns(node) for node in walk(statement))


def _ends(statements: tuple[Stmt, ...]) -> bool:
    return bool(statements) and isinstance(statements[-1], Return)


def _is_guard(statement: Stmt) -> bool:
    """Is it `if (condition) return;`?"""
    if not isinstance(statement, If) or statement.otherwise is not None:
        return False
    then = statements_of(statement.then)
    return len(then) == 1 and isinstance(then[0], Return)


def _jumps(statement: Stmt, kind: JumpKind | None = None) -> bool:
    """May the statement leave an iteration of the loop around it?"""
    match statement:
        case Jump(kind=own):
            return own is not JumpKind.GOTO and kind in (None, own)
        case Block(statements=statements):
            return any(_jumps(one, kind) for one in statements)
        case If(then=then, otherwise=otherwise):
            return _jumps(then, kind) or (otherwise is not None and _jumps(otherwise, kind))
        case Switch(body=body):
            return kind is not JumpKind.BREAK and _jumps(body, JumpKind.CONTINUE)
        case Labelled(body=body):
            return _jumps(body, kind)
        case _:
            return False


def _surely_jumps(statements: tuple[Stmt, ...], kind: JumpKind | None) -> bool:
    return bool(statements) and isinstance(statements[-1], Jump) and _jumps(statements[-1], kind)


def _with_flag(statement: Stmt, done: Symbol, *, in_loop: bool) -> Stmt:
    """`statement` with `done = true` (and a jump out of the loop around it) for `return`."""
    match statement:
        case Return():
            leave = (Jump(JumpKind.BREAK),) if in_loop else ()
            return Block((set_flag(done), *leave))
        case Block(statements=statements):
            return _with_flag_in(statements, done, in_loop=in_loop)
        case If(then=then, otherwise=otherwise):
            other = None if otherwise is None else _with_flag(otherwise, done, in_loop=in_loop)
            new = _with_flag(then, done, in_loop=in_loop)
            return replace(statement, then=new, otherwise=other, form=Form.BUILT)
        case For() | While() | DoWhile():
            if not _returns(statement):
                return statement
            body = _with_flag(statement.body, done, in_loop=True)
            return replace(statement, body=body, form=Form.BUILT)
        case _:
            if _returns(statement):
                raise refuse("G2O0403", "return in code that is differentiated", statement.span)
            return statement


def _with_flag_in(statements: tuple[Stmt, ...], done: Symbol, *, in_loop: bool) -> Block:
    result: list[Stmt] = []
    for position, statement in enumerate(statements):
        result.append(_with_flag(statement, done, in_loop=in_loop))
        rest = statements[position + 1 :]
        if not _returns(statement) or not rest:
            continue
        if in_loop and isinstance(statement, _LOOPS):
            result.append(If(VarRef(done), Block((Jump(JumpKind.BREAK),))))
        elif not in_loop:
            following = _with_flag_in(rest, done, in_loop=False)
            result.append(If(negated(VarRef(done)), following))
            break
    return Block(tuple(result))
