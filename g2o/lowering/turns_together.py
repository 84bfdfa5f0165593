"""Threads that leave a loop one after another go through it together, as long as the first does.

    for (int i = threadIdx.x; i < n; i += 32) {       for (int base = 0; base < n; base += 32) {
        s[threadIdx.x] = x[i];                            int i = base + threadIdx.x;
        __syncthreads();                                  if (i < n)
        y[i] = s[threadIdx.x ^ 1];               ->           s[threadIdx.x] = x[i];
        __syncthreads();                                  __syncthreads();
    }                                                     if (i < n)
                                                              y[i] = s[threadIdx.x ^ 1];
                                                          __syncthreads();
                                                      }

All threads step by the same amount, up to the same end, and none begins below the first: when that
leaves, all have left. What a turn does between barriers is done by those that have not; what is the
same for all of these may as well be worked out by the others, where nobody asks for it behind the
loop. Legal where the step is above zero (or the loop would not end: the first thread, which has not
returned before, comes to it), where neither it nor the end changes in the loop, and where nothing
is compared without a sign that may be below zero, which would be the largest number then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import final

from g2o.analysis.definitions import constants_of, without_value
from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.analysis.loop_heads import start_of, step_of
from g2o.analysis.uniformity import Uniformity, solve_uniformity
from g2o.analysis.value_types import value_type
from g2o.ir.expressions import (
    Assign,
    Binary,
    Builtin,
    Cast,
    Expr,
    Form,
    LaunchRef,
    Literal,
    Unary,
    VarRef,
    all_of,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    Empty,
    ExprStatement,
    For,
    If,
    Node,
    Return,
    Scope,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT, UNSIGNED, TypeKind
from g2o.lowering.counting_loops import counting_loops
from g2o.lowering.guards import is_never_negative
from g2o.lowering.indices import block_of
from g2o.lowering.intervals import waits
from g2o.lowering.leaving import leaves

_SETTABLE = (TypeKind.BOOL, TypeKind.INTEGER, TypeKind.FLOATING, TypeKind.POINTER)


def with_turns_together(body: Block, effects: EffectsOf, symbols: SymbolTable) -> Block:
    """The body of a kernel with such loops in which threads wait as loops of the block."""
    loops = (node for node in walk(body) if isinstance(node, For | While))
    if not any(waits(one, Scope.BLOCK) for one in loops):
        return body
    uniformity = solve_uniformity(body, Scope.BLOCK, effects, set())
    return _Together(body, effects, symbols, uniformity).whole()


@final
@dataclass(frozen=True, slots=True)
class _Turns:
    """`for (symbol = first + own; condition; symbol += step)`, `first` of the block."""

    symbol: Symbol
    first: Expr
    own: Expr
    condition: Binary
    step: Expr


@final
@dataclass(slots=True)
class _Together:
    body: Block
    effects: EffectsOf
    symbols: SymbolTable
    uniformity: Uniformity
    constants: Mapping[Symbol, Expr] = field(init=False)
    never_returns: bool = field(init=False)
    named: Counter[Symbol] = field(init=False)
    valued: set[Symbol] = field(init=False)  # where they are declared

    def __post_init__(self) -> None:
        self.constants = constants_of(self.body, self.effects)
        self.never_returns = not any(isinstance(node, Return) for node in walk(self.body))
        self.named = _named(self.body)
        declared = (
            one for node in walk(self.body) if isinstance(node, Declare) for one in node.variables
        )
        self.valued = {one.symbol for one in declared if one.initial is not None}

    def whole(self) -> Block:
        return self._block(self.body, False)

    def _block(self, body: Block, nested: bool) -> Block:
        statements = counting_loops(list(body.statements), self.effects)
        new = [self._statement(one, nested) for one in statements]
        same = len(new) == len(body.statements) and all(
            one is old for one, old in zip(new, body.statements, strict=True)
        )
        is_made = any(one is not old for one, old in zip(new, statements, strict=True))
        return body if same or not is_made else replace(block_of(tuple(new)), trivia=body.trivia)

    def _statement(self, statement: Stmt, nested: bool) -> Stmt:
        if not waits(statement, Scope.BLOCK):
            return statement
        match statement:
            case Block():
                return self._block(statement, nested)
            case For(condition=condition) | While(condition=condition) if (
                condition is not None and self.uniformity.is_uniform(condition)
            ):
                inner = block_of(statements_of(statement.body))
                made = self._block(inner, True)
                return statement if made is inner else _with_body(statement, made)
            case For():
                return self.loop(statement, nested, None, set()) or statement
            case _:
                return statement

    def loop(
        self, loop: For, nested: bool, outer: Expr | None, guarded: set[Symbol]
    ) -> Stmt | None:
        """The loop as one of the block; `outer` is what those that come to it have passed, what is
        `guarded` others do not know. Is it `nested` in another one?"""
        turns = self._turns(loop)
        if turns is None or leaves(loop.body) or any(map(_returns, walk(loop.body))):
            return None
        changed = self.effects.of(loop.body).writes
        asked = (turns.first, turns.condition.right, turns.step)
        if any(not self._is_fixed(one, changed | guarded | {turns.symbol}) for one in asked):
            return None
        symbol = turns.symbol
        base = VarRef(self.symbols.fresh("base", symbol.type, Storage.LOCAL))
        of_block = replace(turns.condition, left=base, form=Form.BUILT)
        place = Declare((_variable(symbol, Binary("+", base, turns.own, symbol.type)),))
        guard = turns.condition if outer is None else all_of((outer, turns.condition))
        inner = _without_own(loop.body, symbol, turns.own, base)
        free = self._free(loop, nested)
        known = set(self.uniformity.varying) - free
        values = solve_uniformity(
            Block((place, *statements_of(inner))), Scope.BLOCK, self.effects, known, control=False
        )
        section = _Section(self, guard, values, guarded | {symbol}, free)
        made = section.under(statements_of(inner))
        if made is None:
            return None
        return For(
            Declare((_variable(base.symbol, turns.first),)),
            of_block,
            Assign("+=", base, turns.step, symbol.type),
            Block((place, *made)),
            trivia=loop.trivia,
            span=loop.span,
        )

    def _free(self, loop: For, nested: bool) -> set[Symbol]:
        """The numbers that have no value in front of the loop, and are not asked for behind it."""
        inner = declared_in(loop.body)
        if nested:
            return inner
        inside = _named(loop)
        alone = {one for one, count in inside.items() if count == self.named[one]}
        return inner | (alone - self.valued)

    def _is_fixed(self, expr: Expr, changed: set[Symbol]) -> bool:
        found = self.effects.of(expr)
        plain = found.is_pure and not found.memory_reads and self.uniformity.is_uniform(expr)
        return plain and not found.reads & changed

    def _turns(self, loop: For) -> _Turns | None:
        start = start_of(loop.initial)
        if start is None or not isinstance(loop.initial, Declare) or loop.increment is None:
            return None
        symbol, first = start
        step = step_of(loop.increment, symbol)
        if step is None or step[1] or symbol.type.bits < INT.bits:
            return None
        if symbol in self.effects.of(loop.body).writes:
            return None
        if not self.never_returns and not _is_positive(step[0]):
            return None
        match loop.condition:
            case Binary(op="<" | "<=", left=VarRef(symbol=asked)) as condition if asked == symbol:
                pass
            case _:
                return None
        of_block: list[Expr] = []
        own: list[Expr] = []
        for term in _terms(first):
            if self._is_own(term):
                own.append(term)
            elif self.uniformity.is_uniform(term):
                of_block.append(term)
            else:
                return None
        if not own:
            return None
        zero: Expr = Literal("0", 0, INT)
        begin = _sum(of_block) or zero
        if not _is_compared_with_sign(condition) and not is_never_negative(begin, ()):
            return None
        return _Turns(symbol, begin, _sum(own) or zero, condition, step[0])

    def _is_own(self, term: Expr) -> bool:
        """Is it zero for the first thread of a block, and never below it?"""
        match strip_parens(term):
            case Binary(op="+", left=left, right=right):
                return self._is_own(left) and self._is_own(right)
            case Binary(op="*", left=left, right=right):
                sides = (left, right)
                return any(map(self._is_own, sides)) and all(
                    self._is_own(one) or _is_positive(one) for one in sides
                )
            case Cast(operand=operand, type=ctype) if ctype.kind is TypeKind.INTEGER:
                return ctype.bits >= INT.bits and self._is_own(operand)
            case LaunchRef(builtin=builtin, axis=int()):
                return builtin is Builtin.THREAD_INDEX
            case VarRef(symbol=symbol) if symbol.type.bits >= INT.bits:
                value = self.constants.get(symbol)
                return value is not None and self._is_own(value)
            case _:
                return False


@final
@dataclass(slots=True)
class _Section:
    """What a turn does, between its barriers under a `guard`. The `values` tell what differs among
    threads; what is `guarded` those do not know that do not pass, what is `free` they may
    change."""

    loops: _Together
    guard: Expr
    values: Uniformity
    guarded: set[Symbol]
    free: set[Symbol]

    def under(self, statements: Sequence[Stmt]) -> list[Stmt] | None:
        """None where a thread would need what it does not know."""
        made: list[Stmt | None] = []  # what all threads do; None: what those do that pass
        for statement in statements:
            if waits(statement, Scope.BLOCK):
                together = self._waiting(statement)
                if together is None:
                    return None
                made.append(together)
            elif self._is_for_all(statement):
                made.append(statement)
            else:
                self.guarded |= self.loops.effects.of(statement).writes | declared_in(statement)
                made.append(None)
        result: list[Stmt] = []
        run: list[Stmt] = []
        for position, (statement, for_all) in enumerate(zip(statements, made, strict=True)):
            if for_all is None:
                behind = (k for k in range(position, len(made)) if made[k] is not None)
                left = self._left(statement, statements[next(behind, len(made)) :], result)
                if left is None:
                    return None
                run += left
                continue
            if run:
                result.append(If(self.guard, Block(tuple(run))))
                run = []
            result.append(for_all)
        return [*result, If(self.guard, Block(tuple(run)))] if run else result

    def _left(
        self, statement: Stmt, behind: Sequence[Stmt], result: list[Stmt]
    ) -> list[Stmt] | None:
        """What is done under the guard of a statement: what it declares for the code `behind` that
        stands in front."""
        if not isinstance(statement, Declare):
            return [statement]
        named = set[Symbol]().union(*map(symbols_in, behind))
        if named.isdisjoint(one.symbol for one in statement.variables):
            return [statement]
        left: list[Stmt] = []
        for variable in statement.variables:
            ctype = variable.symbol.type
            is_open = "auto" in variable.declared.split() and not ctype.is_arithmetic
            if ctype.kind not in _SETTABLE or is_open:
                return None
            if variable.initial is not None:
                value = Assign("=", VarRef(variable.symbol), variable.initial, ctype)
                left.append(ExprStatement(value))
            result.append(Declare((without_value(variable),)))
        if left:
            left[0] = replace(left[0], trivia=statement.trivia)
        return left

    def _waiting(self, statement: Stmt) -> Stmt | None:
        match statement:
            case Barrier():
                return statement
            case Block(statements=inner):
                made = self.under(inner)
                return None if made is None else replace(statement, statements=tuple(made))
            case If(condition=condition, then=then, otherwise=otherwise) if self._knows(condition):
                first = self.under(statements_of(then))
                second = self.under(statements_of(otherwise)) if otherwise is not None else []
                if first is None or second is None:
                    return None
                rest = Block(tuple(second)) if second else None
                return replace(statement, then=Block(tuple(first)), otherwise=rest, form=Form.BUILT)
            case For(initial=initial, condition=condition, increment=increment, body=body) if (
                condition is not None
                and self._is_for_all(initial or Empty())
                and self._knows(condition)
                and (increment is None or self._is_for_all(ExprStatement(increment)))
            ):
                made = self.under(statements_of(body))
                return None if made is None else _with_body(statement, Block(tuple(made)))
            case For():
                return self.loops.loop(statement, True, self.guard, self.guarded)
            case _:
                return None

    def _knows(self, expr: Expr) -> bool:
        """Do all threads have the same for it, also those that do not pass?"""
        found = self.loops.effects.of(expr)
        plain = found.is_pure and not found.memory_reads and not found.reads & self.guarded
        return plain and self.values.is_uniform(expr) and not any(map(_divides, walk(expr)))

    def _is_for_all(self, statement: Stmt) -> bool:
        """May threads do it, too, that do not pass?"""
        match statement:
            case Empty():
                return True
            case Declare(variables=variables):
                return all(
                    one.symbol.type.is_arithmetic
                    and one.initial is not None
                    and self._knows(one.initial)
                    for one in variables
                )
            case ExprStatement(expr=Assign(target=VarRef(symbol=symbol) as target, value=value)):
                plain = statement.expr
                assert isinstance(plain, Assign)
                kept = plain.op == "=" or self._knows(target)
                return kept and self._is_free(symbol) and self._knows(value)
            case ExprStatement(expr=Unary(op="++" | "--", operand=VarRef(symbol=symbol) as target)):
                return self._is_free(symbol) and self._knows(target)
            case If(condition=condition, then=then, otherwise=otherwise):
                inner = [*statements_of(then), *statements_of(otherwise or Empty())]
                return self._knows(condition) and all(map(self._is_for_all, inner))
            case _:
                return False

    def _is_free(self, symbol: Symbol) -> bool:
        """Is it a number of the thread that nobody asks for outside of the loop?"""
        is_number = symbol.storage is Storage.LOCAL and symbol.type.is_arithmetic
        return is_number and symbol in self.free


def _named(node: Node) -> Counter[Symbol]:
    """How often variables are named, but for where they are declared without a value."""
    return Counter(one.symbol for one in walk(node) if isinstance(one, VarRef))


def _without_own(body: Stmt, symbol: Symbol, own: Expr, base: Expr) -> Stmt:
    """`i - threadIdx.x` is the base."""
    plain = _plain(own)

    def replacement(node: Node) -> Node | None:
        match node:
            case Binary(op="-", left=left, right=right, type=ctype) if (
                _plain(left) == VarRef(symbol) and _plain(right) == plain
            ):
                alike = ctype.is_signed == symbol.type.is_signed and ctype.bits == symbol.type.bits
                return base if alike else Cast(base, UNSIGNED if ctype.bits == INT.bits else ctype)
            case _:
                return None

    made = rewrite(body, replacement)
    assert isinstance(made, Stmt)
    return made


def _plain(expr: Expr) -> Expr:
    bare = strip_parens(expr)
    while isinstance(bare, Cast) and bare.type.kind is TypeKind.INTEGER:
        bare = strip_parens(bare.operand)
    return bare


def _terms(number: Expr) -> Iterator[Expr]:
    match strip_parens(number):
        case Binary(op="+", left=left, right=right):
            yield from _terms(left)
            yield from _terms(right)
        case Cast(operand=operand, type=ctype) if (
            ctype.kind is TypeKind.INTEGER and ctype.bits >= INT.bits
        ):
            yield from _terms(operand)
        case bare:
            yield bare


def _sum(terms: Sequence[Expr]) -> Expr | None:
    whole: Expr | None = None
    for term in terms:
        whole = term if whole is None else Binary("+", whole, term, term.type)
    return whole


def _is_positive(expr: Expr) -> bool:
    """Is it surely above zero?"""
    match strip_parens(expr):
        case LaunchRef(builtin=builtin):
            return builtin in (Builtin.BLOCK_DIM, Builtin.GRID_DIM, Builtin.WARP_SIZE)
        case Binary(op="*", left=left, right=right):
            return _is_positive(left) and _is_positive(right)
        case Cast(operand=operand, type=ctype) if ctype.kind is TypeKind.INTEGER:
            return ctype.bits >= INT.bits and _is_positive(operand)
        case bare:
            value = integer_value(bare)
            return value is not None and value > 0


def _is_compared_with_sign(condition: Binary) -> bool:
    """Is it a comparison of signed numbers, in the type of the first?"""
    counter, end = condition.left.type, value_type(condition.right)
    return counter.is_signed and end.is_signed and INT.bits <= counter.bits


def _divides(node: Node) -> bool:
    return isinstance(node, Binary) and node.op in ("/", "%")


def _returns(node: Node) -> bool:
    return isinstance(node, Return)


def _variable(symbol: Symbol, value: Expr) -> Variable:
    return Variable(symbol, symbol.type.spelling.replace("const ", ""), "", value, "=")


def _with_body(loop: For | While, body: Block) -> For | While:
    return replace(loop, body=body, form=Form.BUILT)
