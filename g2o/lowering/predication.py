"""Control flow on which threads disagree, around operations that threads do together.

Lanes of a warp run in lockstep, so every statement is done by the lanes that are active:

    if (i < n)                            bool active = i < n;
        v += __shfl_down_sync(m, v, 1);   if (active) value = v;
                                     ->   other = shfl_down(value, 1);
                                          if (active) v += other;

A loop goes on while any thread wants to. For barriers of a block only loops are treated so (CUDA
demands that all threads agree on them); a barrier under a thread-dependent `if` is refused.
"""

from __future__ import annotations

from dataclasses import replace
from typing import final

from g2o.analysis.effects import statements_of, symbols_in
from g2o.analysis.uniformity import Uniformity
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import Assign, Binary, Expr, Literal, Unary, VarRef
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    DoWhile,
    Exchange,
    ExprStatement,
    For,
    If,
    Jump,
    JumpKind,
    Return,
    Scope,
    Stmt,
    Switch,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import walk
from g2o.ir.types import BOOL, INT
from g2o.lowering.intervals import waits

_VOTES = frozenset({"ballot", "any", "all", "count"})
_TRUE = Literal("true", 1, BOOL)


@final
class Predication:
    """Rewrites the statements of one kernel at one scope."""

    def __init__(self, uniformity: Uniformity, symbols: SymbolTable, scope: Scope) -> None:
        self.uniformity = uniformity
        self.symbols = symbols
        self.scope = scope
        self.changed = False

    def sequence(self, statements: tuple[Stmt, ...], active: Symbol | None) -> list[Stmt]:
        result: list[Stmt] = []
        run: list[Stmt] = []
        votes = _vote_operands(statements)

        def flush() -> None:
            if run and active is not None:
                result.append(If(VarRef(active), Block(tuple(run))))
            elif run:
                result.extend(run)
            run.clear()

        for statement in statements:
            if isinstance(statement, Declare) and active is not None:
                flush()
                result.extend(self._declare(statement, active, votes))
            elif waits(statement, self.scope):
                flush()
                result.extend(self._waiting(statement, active))
            else:
                run.append(statement)
        flush()
        return result

    def _declare(self, statement: Declare, active: Symbol, votes: set[Symbol]) -> list[Stmt]:
        """A declaration stays visible; only its initialiser is done by active threads."""
        result: list[Stmt] = []
        for variable in statement.variables:
            symbol, initial = variable.symbol, variable.initial
            if initial is None:
                result.append(Declare((variable,), trivia=statement.trivia))
            elif symbol in votes:
                both = Binary("&&", VarRef(active), initial, BOOL)
                result.append(Declare((replace(variable, initial=both),), trivia=statement.trivia))
            elif symbol.type.is_arithmetic or symbol.type.kind.value == "pointer":
                plain = (
                    variable.declared.replace("const ", "")
                    if "*" not in variable.declared
                    else (variable.declared)
                )
                bare = replace(variable, initial=None, initial_style="", declared=plain)
                assigned = ExprStatement(Assign("=", VarRef(symbol), initial))
                result.append(Declare((bare,), trivia=statement.trivia))
                result.append(If(VarRef(active), assigned))
            else:
                result.append(Declare((variable,), trivia=statement.trivia))
        return result

    def _waiting(self, statement: Stmt, active: Symbol | None) -> list[Stmt]:
        match statement:
            case Barrier():
                return [statement]
            case Exchange(operation=operation):
                if active is not None and operation.startswith(("reduce", "match", "activemask")):
                    if operation != "activemask":
                        message = f"'{operation}' under control flow on which lanes disagree"
                        raise refuse("G2O0205", message, statement.span)
                    return [replace(statement, operation="ballot", operands=(VarRef(active),))]
                return [statement]
            case Block(statements=inner):
                return [replace(statement, statements=tuple(self.sequence(inner, active)))]
            case If():
                return self._if(statement, active)
            case For() | While() | DoWhile():
                return self._loop(statement, active)
            case Switch(condition=condition):
                if active is None and self.uniformity.is_uniform(condition):
                    return [statement]
                message = "switch on which threads disagree around an operation between them"
                raise refuse("G2O0205", message, statement.span)
            case _:
                return [statement]

    def _body(self, body: Stmt, active: Symbol | None) -> Stmt:
        return Block(tuple(self.sequence(statements_of(body), active)))

    def _if(self, statement: If, active: Symbol | None) -> list[Stmt]:
        condition, otherwise = statement.condition, statement.otherwise
        if self.uniformity.is_uniform(condition):
            other = None if otherwise is None else self._body(otherwise, active)
            return [replace(statement, then=self._body(statement.then, active), otherwise=other)]
        if self.scope is not Scope.WARP:
            return [statement]  # refused where intervals are made, with the reason
        self.changed = True
        result: list[Stmt] = []
        inner = self._active("active", condition, active, result)
        result.extend(self.sequence(statements_of(statement.then), inner))
        if otherwise is not None:
            # The condition may read what the first branch changes: it was kept.
            negated = self._active("inactive", Unary("!", VarRef(inner)), active, result)
            result.extend(self.sequence(statements_of(otherwise), negated))
        return [Block(tuple(result), trivia=statement.trivia, span=statement.span)]

    def _active(
        self, wish: str, condition: Expr, parent: Symbol | None, result: list[Stmt]
    ) -> Symbol:
        symbol = self.symbols.fresh(wish, BOOL, Storage.LOCAL)
        value = condition
        if parent is not None:
            value = Binary("&&", VarRef(parent), condition, BOOL)
        result.append(Declare((Variable(symbol, "bool", "", value, "="),)))
        self.uniformity.varying.add(symbol)
        return symbol

    def _loop(self, statement: For | While | DoWhile, active: Symbol | None) -> list[Stmt]:
        condition = statement.condition
        uniform = condition is None or self.uniformity.is_uniform(condition)
        if uniform and not self._leaves_varying(statement):
            inner = self._body(statement.body, active)
            return [replace(statement, body=inner)]
        if any(isinstance(node, Return) for node in walk(statement)):
            raise refuse(
                "G2O0205", "return out of a loop on which threads disagree", statement.span
            )
        if self._leaves_varying(statement) or condition is None or isinstance(statement, DoWhile):
            message = "thread-dependent jump out of a loop in which threads work together"
            raise refuse("G2O0203", message, statement.span)
        self.changed = True
        result: list[Stmt] = []
        body: list[Stmt] = []
        if isinstance(statement, For) and statement.initial is not None:
            result.extend(self.sequence((statement.initial,), active))
        running = self._active("running", condition, active, body)
        any_running = self.symbols.fresh("any_running", INT, Storage.LOCAL)
        body.append(Declare((Variable(any_running, "int"),)))
        body.append(Exchange("any", any_running, (VarRef(running),), self.scope))
        stop = If(Unary("!", VarRef(any_running)), Jump(JumpKind.BREAK))
        inner = self.sequence(statements_of(statement.body), running)
        body.append(stop)
        body.extend(inner)
        if isinstance(statement, For) and statement.increment is not None:
            body.append(If(VarRef(running), ExprStatement(statement.increment)))
        result.append(While(_TRUE, Block(tuple(body)), trivia=statement.trivia))
        return [Block(tuple(result), span=statement.span)]

    def _leaves_varying(self, loop: Stmt) -> bool:
        return self.uniformity.leaves_varying(loop)


def _vote_operands(statements: tuple[Stmt, ...]) -> set[Symbol]:
    found: set[Symbol] = set()
    for statement in statements:
        for node in walk(statement):
            if isinstance(node, Exchange) and node.operation in _VOTES:
                for operand in node.operands[:1]:
                    found |= symbols_in(operand)
    return found
