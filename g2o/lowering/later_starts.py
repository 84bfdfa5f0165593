"""Loops that each thread begins, or ends, a step behind its neighbour have one head for all.

    for (int j = t + 1; j < n; j++) {          for (int j = first + 1; j < n; j++) {
        y[t * n + j] = 0.0f;                       if (j >= t + 1)
        for (int i = 0; i < m; i++)      ->            y[t * n + j] = 0.0f;
            y[t * n + j] += x[i * n + j];          for (int i = 0; i < m; i++)
    }                                                  if (j >= t + 1)
                                                           y[t * n + j] += x[i * n + j];
                                               }

`first` is the first of the threads that go through it together. The condition becomes a bound of
the loop over these (`bounded_loops.py`): a triangle of threads and iterations is gone through with
neighbours innermost.

Legal because each thread does what it did, in its order: the loop counts one by one, so that it
comes to all of the thread's iterations, and in the others the thread does nothing. What heads of
inner loops and declarations ask then reads no memory, and traps nowhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.analysis.jumps import leaves_beyond
from g2o.analysis.strides import counter_of
from g2o.analysis.uniformity import Uniformity
from g2o.ir.expressions import (
    Assign,
    Binary,
    Expr,
    Form,
    Literal,
    Unary,
    VarRef,
    integer_value,
)
from g2o.ir.statements import (
    Declare,
    DoWhile,
    For,
    If,
    JumpKind,
    Node,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import BOOL, INT
from g2o.lowering.index_arithmetic import is_int, may_trap
from g2o.lowering.indices import block_of
from g2o.lowering.stride_forms import FROM_ZERO, start_of

Statements = tuple[Stmt, ...]

_ONE: Final = Literal("1", 1, INT)


@final
@dataclass(slots=True)
class CommonHeads:
    """Makes such heads for the threads `index`, from `first` to below `end`, which get names where
    they are needed; `positions` are other indices of a thread, by means of its own."""

    index: Symbol
    symbols: SymbolTable
    positions: dict[Symbol, Expr]
    uniformity: Uniformity
    effects: EffectsOf
    made: list[For] = field(default_factory=list[For])
    _first: Symbol | None = None
    _end: Symbol | None = None

    @property
    def first(self) -> Symbol:
        if self._first is None:
            self._first = self.symbols.fresh("first", self.index.type, Storage.INDEX)
        return self._first

    @property
    def end(self) -> Symbol:
        if self._end is None:
            self._end = self.symbols.fresh("end", self.index.type, Storage.GLOBAL)
        return self._end

    def of(self, body: Statements) -> Statements:
        """The body of a thread with them; `made` are the loops that have got one."""
        if not is_int(self.index):
            return body
        return tuple(rewrite(one, self._replaced) for one in body)

    def _replaced(self, node: Node) -> Node | None:
        if isinstance(node, While | DoWhile):
            return node
        if not isinstance(node, For):
            return None
        new = self._later_start(node) or self._later_end(node)
        if new is not None:
            self.made.append(new)
        return new

    def _later_start(self, loop: For) -> For | None:
        match loop:
            case For(
                initial=Declare(variables=(variable,)) as initial,
                condition=Binary(op="<" | "<=", left=VarRef(symbol=counter), right=limit),
            ) if counter == variable.symbol and variable.initial is not None:
                start = variable.initial
            case _:
                return None
        # The counter is below the limit from its start on: compared with signs, it never is again
        # where it once was not.
        if not self._counts(loop, counter) or not _is_plain_int(limit):
            return None
        offset = self._offset(start)
        if offset is None or not self._stays(loop, start, limit):
            return None
        if not self._is_harmless(limit) or not self.uniformity.is_uniform(limit):
            return None
        guard = Binary(">=", VarRef(counter), start, BOOL)
        body = self._under(guard, statements_of(loop.body))
        if body is None:
            return None
        begun = replace(variable, initial=_plus(self.first, offset))
        initial = Declare((begun,), trivia=initial.trivia)
        return replace(loop, initial=initial, body=block_of(body), form=Form.BUILT)

    def _later_end(self, loop: For) -> For | None:
        match loop:
            case For(
                initial=Declare(variables=(variable,)),
                condition=Binary(op="<" | "<=" as op, left=VarRef(symbol=counter), right=limit),
            ) if counter == variable.symbol and variable.initial is not None:
                start = variable.initial
            case _:
                return None
        if not self._counts(loop, counter) or not self.uniformity.is_uniform(start):
            return None
        offset = self._offset(limit)
        if offset is None or not self._stays(loop, limit):
            return None
        body = self._under(Binary(op, VarRef(counter), limit, BOOL), statements_of(loop.body))
        if body is None:
            return None
        last = _plus(self.end, offset)  # one behind that of the last thread
        if op == "<":
            last = Binary("-", last, _ONE, last.type)
        condition = Binary("<", VarRef(counter), last, BOOL)
        return replace(loop, condition=condition, body=block_of(body), form=Form.BUILT)

    def _stays(self, loop: For, *numbers: Expr) -> bool:
        """Does the loop leave what they are made of as it is?"""
        named = {symbol for one in numbers for symbol in symbols_in(one)}
        return not named & self.effects.of(loop.body).writes

    def _offset(self, place: Expr) -> Expr | None:
        """How far it is from the thread's index: the same for all threads."""
        found = self.effects.of(place)
        if not found.is_pure or found.memory_reads or not _is_plain_int(place):
            return None
        offset = start_of(place, self.index, self.positions)
        if offset is None or symbols_in(offset) & {self.index, *self.uniformity.varying}:
            return None
        return offset if _is_plain_int(offset) else None

    def _counts(self, loop: For, counter: Symbol) -> bool:
        """Does it count one by one, and nothing else change its counter or leave it?"""
        if not is_int(counter) or counter in self.effects.of(loop.body).writes:
            return False
        if leaves_beyond(loop.body, frozenset()):
            return False
        match loop.increment:
            case Unary(op="++", operand=VarRef(symbol=symbol)):
                return symbol == counter
            case Assign(op="+=", target=VarRef(symbol=symbol), value=value):
                return symbol == counter and integer_value(value) == 1
            case _:
                return False

    # -- the body ---------------------------------------------------------------------------------

    def _under(self, guard: Expr, body: Statements) -> Statements | None:
        """The statements under the guard, and inside of the loops among them; None where it would
        not keep from all that could go wrong."""
        if not any(isinstance(node, For) for one in body for node in walk(one)):
            return (If(guard, block_of(body)),)
        result: list[Stmt] = []
        pending: list[Stmt] = []
        for one in body:
            match one:
                case For():
                    if not self._may_be_asked(one):
                        return None
                    inner = self._under(guard, statements_of(one.body))
                    if inner is None:
                        return None
                    new = replace(one, body=block_of(inner), form=Form.BUILT)
                case Declare(variables=variables):
                    if not all(map(self._is_plain, variables)):
                        return None
                    new = one
                case _:
                    if any(isinstance(node, For | While | DoWhile) for node in walk(one)):
                        return None
                    pending.append(one)
                    continue
            if pending:
                result.append(If(guard, block_of(pending)))
                pending = []
            result.append(new)
        if pending:
            result.append(If(guard, block_of(pending)))
        return tuple(result)

    def _may_be_asked(self, loop: For) -> bool:
        """Does the loop end for threads that do nothing in it, and ask for nothing?"""
        counter = counter_of(loop)
        if counter is None or loop.condition is None or loop.increment is None:
            return False
        if counter in self.effects.of(loop.body).writes or leaves_beyond(
            loop.body, {JumpKind.CONTINUE}
        ):
            return False
        if not isinstance(loop.initial, Declare) or not all(
            map(self._is_plain, loop.initial.variables)
        ):
            return False
        compares = isinstance(loop.condition, Binary) and loop.condition.op in ("<", "<=")
        return compares and self._counts(loop, counter) and self._is_harmless(loop.condition)

    def _is_plain(self, variable: Variable) -> bool:
        value = variable.initial
        number = variable.symbol.type.is_arithmetic
        return number and (value is None or self._is_harmless(value))

    def _is_harmless(self, value: Expr) -> bool:
        found = self.effects.of(value)
        return found.is_pure and not found.memory_reads and not may_trap(value)


def _plus(symbol: Symbol, offset: Expr) -> Expr:
    return (
        VarRef(symbol) if offset == FROM_ZERO else Binary("+", VarRef(symbol), offset, symbol.type)
    )


def _is_plain_int(expr: Expr) -> bool:
    ctype = expr.type
    return ctype.is_arithmetic and ctype.is_signed and ctype.bits == 32
