"""Steps through a kernel for the first threads of a block at once.

Branches that cannot be decided are all taken, loops only a few times.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

from g2o.analysis.effects import declared_in
from g2o.analysis.shared_accesses import is_fence
from g2o.analysis.thread_machine import Exhausted, ThreadMachine
from g2o.analysis.thread_values import Value
from g2o.ir.expressions import Binary, Expr, strip_parens
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
    Labelled,
    Return,
    Scope,
    Stmt,
    Switch,
    While,
)
from g2o.ir.symbols import Symbol
from g2o.ir.types import TypeKind

_TURNS_KNOWN = 10  # of a loop whose condition can be decided
_TURNS_UNKNOWN = 2


@final
@dataclass(slots=True)
class Stepper(ThreadMachine):
    """Control flow of the threads. Which of them have left loops is kept from the outermost in."""

    leaving: list[list[bool]] = field(default_factory=list["list[bool]"])  # innermost loop last
    skipping: list[list[bool]] = field(default_factory=list["list[bool]"])

    def run(self, body: Block) -> bool:
        """Was the kernel small enough to be stepped through to its end?"""
        self.active = [True] * self.width
        try:
            self.statement(body)
        except Exhausted:
            return False
        return True

    # -- statements -----------------------------------------------------------------------------

    def statement(self, node: Stmt) -> None:
        self.spend(1)
        if not any(self.active):
            return
        match node:
            case Block(statements=statements):
                for inner in statements:
                    self.statement(inner)
            case Declare(variables=variables):
                for variable in variables:
                    if variable.initial is not None:
                        self._declare(variable.symbol, variable.initial)
            case ExprStatement(expr=expr):
                if is_fence(node):
                    self.fences += 1
                else:
                    self.evaluate(expr)
            case Barrier(scope=scope):
                self._wait(scope)
            case Exchange(result=result, operands=operands):
                for operand in operands:
                    self.evaluate(operand)
                self._wait(node.scope)
                self.values[result] = self.differing()
            case If():
                self._if(node)
            case For() | While() | DoWhile():
                self._loop(node)
            case Switch(condition=condition, body=body):
                self.evaluate(condition)
                self._switch(body)
            case Labelled(body=body):
                self.statement(body)
            case Return():
                self._leave(everywhere=True)
            case Jump(kind=JumpKind.BREAK) if self.leaving:
                self._leave()
            case Jump(kind=JumpKind.CONTINUE) if self.skipping:
                self._move(self.skipping[-1])
            case _:
                self.forget(self.effects.of(node).writes)

    def _wait(self, scope: Scope) -> None:
        self.warp_phase += 1
        if scope in (Scope.BLOCK, Scope.GRID):
            self.meetings.forget()

    def _leave(self, everywhere: bool = False) -> None:
        """The active threads do nothing more: in the loop, or at all."""
        if self.guesses:
            return  # perhaps not taken
        if everywhere:
            self.active = [False] * self.width
        else:
            self._move(self.leaving[-1])

    def _move(self, where: list[bool]) -> None:
        if self.guesses:
            return
        for thread, active in enumerate(self.active):
            where[thread] = where[thread] or active
        self.active = [False] * self.width

    def _declare(self, symbol: Symbol, initial: Expr) -> None:
        if symbol.type.kind is TypeKind.REFERENCE:
            self.values[symbol] = self.address(initial)
            return
        value = self.evaluate(initial)
        if symbol.type.kind in (TypeKind.ARRAY, TypeKind.RECORD):
            value = None
        self.assign(symbol, self.converted(value, symbol.type), fresh=True)

    # -- control flow ---------------------------------------------------------------------------

    def _decide(self, condition: Expr) -> tuple[list[bool], list[bool], bool, bool]:
        """Threads that may go on, and that may not; is that a guess, and one for each thread?"""
        value = self.evaluate(condition)
        column = value if isinstance(value, list) else [value] * self.width
        yes = [a and not (isinstance(v, int) and v == 0) for a, v in self.with_active(column)]
        no = [a and not (isinstance(v, int) and v != 0) for a, v in self.with_active(column)]
        guess = any(a and not isinstance(v, int) for a, v in self.with_active(column))
        return yes, no, guess, guess and isinstance(value, list)

    def _if(self, node: If) -> None:
        yes, no, guess, own = self._decide(node.condition)
        self.names += 1
        number = self.names
        before, outer = self.values.copy(), self.branches
        self.guesses += guess
        own = own and not _is_order(node.condition)
        self.scattered += own
        self.active = yes
        self.branches = (*outer, (number, 0))
        self.statement(node.then)
        yes_after = self.active
        after = self.values
        if guess:
            self.values = before.copy()
        self.active = no
        no_after = no
        if node.otherwise is not None:
            self.branches = (*outer, (number, 1))
            self.statement(node.otherwise)
            no_after = self.active
        self.guesses -= guess
        self.scattered -= own
        self.branches = outer
        if guess:
            self._merge(after)
        self.active = [a or b for a, b in zip(yes_after, no_after, strict=True)]

    def _merge(self, other: dict[Symbol, Value]) -> None:
        """Values after branches of which one was taken."""
        for symbol in self.values.keys() | other.keys():
            one, two = self.values.get(symbol), other.get(symbol)
            if one == two:
                continue
            same = not isinstance(one, list) and not isinstance(two, list)
            self.values[symbol] = self.unknown() if same else self.differing()

    def _switch(self, body: Stmt) -> None:
        """Every case by itself: which one is taken is not looked at."""
        self.names += 1
        number = self.names
        outer, before, active = self.branches, self.values.copy(), self.active
        self.guesses += 1
        self.scattered += 1
        self.leaving.append([False] * self.width)
        branch = 0
        for inner in body.statements if isinstance(body, Block) else (body,):
            if isinstance(inner, Labelled):
                branch += 1
                self.branches = (*outer, (number, branch))
                self._merge(before)
                self.active = active
            self.statement(inner)
        self.leaving.pop()
        self.guesses -= 1
        self.scattered -= 1
        self.branches, self.active = outer, active
        self._merge(before)

    def _loop(self, node: For | While | DoWhile) -> None:
        if isinstance(node, For) and node.initial is not None:
            self.statement(node.initial)
        outer, scattered = self.active, self.scattered
        gone = [False] * self.width
        self.leaving.append(gone)
        guessed = node.condition is None
        turn = 0
        while True:
            if node.condition is not None and (turn or not isinstance(node, DoWhile)):
                yes, no, guess, own = self._decide(node.condition)
                guessed = guessed or guess
                self.scattered = max(self.scattered, scattered + own)
                gone[:] = [g or n for g, n in zip(gone, no, strict=True)]
                self.active = yes
            if turn >= (_TURNS_UNKNOWN if guessed else _TURNS_KNOWN) or not any(self.active):
                break
            self._turn(node)
            turn += 1
        self.leaving.pop()
        self.scattered = scattered
        if any(self.active):  # it may go on for longer
            self.forget(self.effects.of(node).writes - declared_in(node))
        ended = [a or g for a, g in zip(self.active, gone, strict=True)]
        self.active = [o and e for o, e in zip(outer, ended, strict=True)]

    def _turn(self, node: For | While | DoWhile) -> None:
        self.skipping.append([False] * self.width)
        self.statement(node.body)
        skipped = self.skipping.pop()
        self.active = [a or s for a, s in zip(self.active, skipped, strict=True)]
        if isinstance(node, For) and node.increment is not None and any(self.active):
            self.evaluate(node.increment)


def _is_order(condition: Expr) -> bool:
    """Can it hold for neighbours, as `t < n` does and `t == n` does not?"""
    match strip_parens(condition):
        case Binary(op="&&", left=left, right=right):
            return _is_order(left) and _is_order(right)
        case Binary(op=op):
            return op in ("<", "<=", ">", ">=")
        case _:
            return False
