"""Threads that wait for each other at different barriers get one barrier.

    if (t < 32) {                     const bool first = t < 32;
        A1; __syncthreads(); A2;      if (first) A1; else B1;
    } else {                      ->  __syncthreads();
        B1; __syncthreads(); B2;      if (first) A2; else B2;
    }

`bar.sync` counts the threads that arrive, wherever they do (PTX ISA, "barrier"): warps that take
different ways meet at the first barrier of each, at the second of each, and so on. Threads that
have returned are not waited for, so that at the end of a kernel, or where one way returns, the
other may have more barriers, and where only some warps come to one the others may as well return.
In a block of one warp all barriers are the warp's, whose votes decide for all threads. Legal where
every barrier stands in the ways themselves, in no condition or loop inside of them, and where what
one part declares for the next can be declared without its value. The CUDA C++ Programming Guide
leaves this undefined: a warning says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from operator import is_
from typing import Final, final

from g2o.analysis.decided import truth
from g2o.analysis.definitions import constants_of, with_variables, without_value
from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.analysis.launch_names import known_extent
from g2o.analysis.uniformity import Uniformity, solve_uniformity
from g2o.diagnostics.diagnostic import Diagnostic, Note, warning
from g2o.ir.expressions import (
    Assign,
    Binary,
    Builtin,
    Call,
    Cast,
    Expr,
    Form,
    LaunchRef,
    Unary,
    VarRef,
    all_of,
    integer_value,
    negated,
    strip_parens,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    DeclareTypes,
    DoWhile,
    Empty,
    Exchange,
    ExprStatement,
    For,
    If,
    LocalFunction,
    Node,
    Return,
    Scope,
    Stmt,
    Switch,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import BOOL, TypeKind

_CHOICES: Final = (If, Switch, For, While, DoWhile)
_WARP: Final = 32
_TOO_MANY: Final = 33  # threads, for one warp
_FIRST_AXIS: Final = (Builtin.THREAD_INDEX, 0)
_WIDE: Final = (Scope.BLOCK, Scope.GRID)
_SETTABLE: Final = (TypeKind.BOOL, TypeKind.INTEGER, TypeKind.FLOATING, TypeKind.POINTER)


def align_barriers(kernel: Kernel, functions: FunctionTable, remarks: list[Diagnostic]) -> Kernel:
    """Split conditions on which threads disagree at the barriers in both of their branches."""
    if not any(isinstance(node, _CHOICES) and _waits(node) for node in walk(kernel.body)):
        return kernel
    effects = functions.for_node(kernel.body)
    uniformity = solve_uniformity(kernel.body, Scope.BLOCK, effects, set())
    if _is_decided_by_warps(kernel.body, uniformity) and _has_one_warp(kernel):
        relied = kernel.relied | {(Builtin.BLOCK_DIM, axis) for axis in range(3)}
        body = rewrite(kernel.body, _for_warps)
        return replace(kernel, function=replace(kernel.function, body=body), relied=relied)
    symbols = SymbolTable(continued=kernel.function.symbols)
    constants = constants_of(kernel.body, effects)
    aligning = _Aligning(uniformity, effects, constants, symbols, remarks)
    body = aligning.block(kernel.body, at_end=True)
    if body is kernel.body:
        return kernel
    return replace(kernel, function=replace(kernel.function, body=body, symbols=symbols))


def _is_decided_by_warps(body: Block, uniformity: Uniformity) -> bool:
    """Do barriers depend on conditions in which threads of a block may differ, beside operations of
    the lanes of a warp?"""
    nodes = list(walk(body))
    return any(isinstance(node, Exchange) and node.scope is Scope.WARP for node in nodes) and any(
        isinstance(node, _CHOICES)
        and node.condition is not None
        and not uniformity.is_uniform(node.condition)
        and _waits(node)
        for node in nodes
    )


def _has_one_warp(kernel: Kernel) -> bool:
    extents = [known_extent(kernel, spelled or "") for spelled in kernel.shape.block]
    return prod(_TOO_MANY if one is None else one for one in extents) < _TOO_MANY


def _for_warps(node: Node) -> Node | None:
    is_wide = isinstance(node, Barrier) and node.scope is Scope.BLOCK
    return replace(node, scope=Scope.WARP) if is_wide else None


@final
@dataclass(slots=True)
class _Aligning:
    uniformity: Uniformity
    effects: EffectsOf
    constants: Mapping[Symbol, Expr]
    symbols: SymbolTable
    remarks: list[Diagnostic]

    def block(self, body: Block, at_end: bool) -> Block:
        """`at_end`: nothing is done behind it."""
        result: list[Stmt] = []
        for position, statement in enumerate(body.statements):
            rest = body.statements[position + 1 :]
            aligned = self._with_rest(statement, rest) if at_end else None
            if aligned is not None:
                result.extend(aligned)
                break
            result.extend(self._statement(statement, at_end and not rest))
        same = len(result) == len(body.statements) and all(map(is_, result, body.statements))
        return body if same else replace(body, statements=tuple(result), form=Form.BUILT)

    def _statement(self, statement: Stmt, at_end: bool) -> list[Stmt]:
        if not _waits(statement):
            return [statement]
        match statement:
            case Block():
                return [self.block(statement, at_end)]
            case If() if not self.uniformity.is_uniform(statement.condition):
                made = self._aligned(statement, at_end)
                return made or (self._left(statement) if at_end else None) or [statement]
            case _:
                return [rewrite(statement, self._nested)]

    def _with_rest(self, statement: Stmt, rest: tuple[Stmt, ...]) -> list[Stmt] | None:
        """`if (c) { ...; return; } rest` is `if (c) { ... } else { rest }`."""
        match statement:
            case If(condition=condition, then=then, otherwise=None) if (
                rest and _waits(then) and _returns(then)
            ) and not self.uniformity.is_uniform(condition):
                first, second = Block(statements_of(then)[:-1]), Block(rest)
                return self._aligned(replace(statement, then=first, otherwise=second), True)
            case _:
                return None

    def _nested(self, node: Node) -> Node | None:
        return self.block(node, at_end=False) if isinstance(node, Block) else None

    def _aligned(self, statement: If, at_end: bool) -> list[Stmt] | None:
        ways = [_parts(statement.then), _parts(statement.otherwise or Empty())]
        if any(way is None or len(way.parts) < 2 for way in ways):
            return None
        first, second = (self._opened(way) for way in ways if way is not None)
        if first is None or second is None:
            return None
        if len(first.parts) != len(second.parts) and not at_end:
            return None
        chosen = self.symbols.fresh("first", BOOL, Storage.LOCAL)
        condition = Declare((Variable(chosen, "const bool", "", statement.condition, "="),))
        result: list[Stmt] = [*first.before, *second.before, replace(condition)]
        barriers = max(first.barriers, second.barriers, key=len)
        for position, barrier in enumerate((None, *barriers)):
            if barrier is not None:
                result.append(barrier)
            result.extend(_choice(VarRef(chosen), first.part(position), second.part(position)))
        self.remarks.append(_told(first, second))
        return _with_trivia(result, statement)

    def _left(self, statement: If) -> list[Stmt] | None:
        """What is done last as what the threads do that do not leave, where only these wait."""
        waiting, others = statement.then, statement.otherwise or Empty()
        stays = statement.condition
        waits = _ever_waits(statement)
        if waits and not self._is_decided_by_warps(stays):
            return None
        if _waits(others):
            waiting, others, stays = others, waiting, negated(stays)
        if _waits(others):
            return None
        if waits:
            barrier = next(one for one in walk(waiting) if isinstance(one, (Barrier, Exchange)))
            self.remarks.append(_left_behind(barrier, statement))
        before: list[Stmt] = []
        if not _is_empty(others) and self._is_same_again(stays, statements_of(others)):
            before.append(If(negated(stays), others))
            others = Empty()
        parts = self._under(stays, statements_of(waiting)) if _is_empty(others) else None
        if parts is None:
            leaving = If(negated(stays), Block((*statements_of(others), Return())))
            parts = [leaving, *self.block(Block(statements_of(waiting)), at_end=True).statements]
        return _with_trivia([*before, *parts], statement)

    def _is_decided_by_warps(self, condition: Expr) -> bool:
        """Do the threads of a warp go the same way, as in `threadIdx.x < 64`?"""
        bare = strip_parens(condition)
        if not isinstance(bare, Binary) or bare.op not in ("<", ">=", "<=", ">"):
            return False
        place, limit = strip_parens(bare.left), integer_value(bare.right)
        while isinstance(place, VarRef | Cast):
            known = self.constants.get(place.symbol) if isinstance(place, VarRef) else place.operand
            if known is None:
                return False
            place = strip_parens(known)
        is_first = isinstance(place, LaunchRef) and (place.builtin, place.axis) == _FIRST_AXIS
        return is_first and limit is not None and (limit + (bare.op in ("<=", ">"))) % _WARP == 0

    def _under(self, condition: Expr, statements: tuple[Stmt, ...]) -> list[Stmt] | None:
        """What threads do under a condition as the last of all, with the barriers outside of it, to
        which the others may as well come; None where what is declared is needed behind one."""
        if not self._is_same_again(condition, statements):
            return None
        result: list[Stmt] = []
        part: list[Stmt] = []
        for position, statement in enumerate(statements):
            if not _waits(statement):
                part.append(statement)
                continue
            rest = statements[position + 1 :]
            inner = self._waiting_under(condition, statement, all(map(_is_empty, rest)))
            if inner is None or _needs(rest, part):
                return None
            result += [*_conditional(condition, part), *inner]
            part = []
        return [*result, *_conditional(condition, part)]

    def _waiting_under(self, condition: Expr, statement: Stmt, last: bool) -> list[Stmt] | None:
        match statement:
            case Barrier():
                return [statement]
            case Block(statements=inner) if last:
                return self._under(condition, inner)
            case If(condition=asked, otherwise=None) if truth(asked) is False:
                return []
            case If(condition=asked, otherwise=None) if self.uniformity.is_uniform(asked):
                then = self._under(condition, statements_of(statement.then))
                pure = self._is_same_again(asked, ())
                return [replace(statement, then=Block(tuple(then)))] if then and pure else None
            case If(condition=asked, then=then, otherwise=None) if last:
                both = asked if _follows(condition, asked) else all_of((condition, asked))
                return self._under(both, statements_of(then))
            case _:
                return None

    def _is_same_again(self, condition: Expr, statements: tuple[Stmt, ...]) -> bool:
        """May it be asked again, wherever `statements` are?"""
        found = self.effects.of(condition)
        changed = self.effects.of_all(statements).writes
        calls = any(isinstance(node, Call) for node in walk(condition))
        return found.is_pure and not (calls or found.memory_reads or found.reads & changed)

    def _opened(self, way: _Way) -> _Way | None:
        """The way with what one part declares for another in front of all; None where that is not
        possible."""
        changed = self.effects.of(Block(way.statements)).writes
        before: list[Stmt] = []
        parts: list[tuple[Stmt, ...]] = []
        for position, part in enumerate(way.parts):
            later = {
                s for one in way.parts[position + 1 :] for each in one for s in symbols_in(each)
            }
            left: list[Stmt] = []
            for statement in part:
                if not isinstance(statement, Declare) or later.isdisjoint(_declared(statement)):
                    left.append(statement)
                    continue
                for variable in statement.variables:
                    if self._is_same_earlier(variable, changed):
                        before.append(with_variables(statement, (variable,)))
                        continue
                    if variable.symbol.type.kind not in _SETTABLE or variable.initial is None:
                        return None
                    changed.add(variable.symbol)
                    before.append(with_variables(statement, (without_value(variable),)))
                    value = Assign("=", VarRef(variable.symbol), variable.initial)
                    left.append(ExprStatement(value))
            parts.append(tuple(left))
        return replace(way, before=tuple(before), parts=tuple(parts))

    def _is_same_earlier(self, variable: Variable, changed: set[Symbol]) -> bool:
        """May any thread declare it in front of the condition?"""
        if variable.initial is None:
            return variable.initial_style == ""
        found = self.effects.of(variable.initial)
        divides = any(isinstance(n, Binary) and n.op in "/%" for n in walk(variable.initial))
        return found.is_pure and not (
            divides or found.memory_reads or symbols_in(variable.initial) & changed
        )


@final
@dataclass(frozen=True, slots=True)
class _Way:
    """A branch between its barriers; `before` is what it declares in front of the condition."""

    parts: tuple[tuple[Stmt, ...], ...]
    barriers: tuple[Barrier, ...]
    before: tuple[Stmt, ...] = ()

    @property
    def statements(self) -> tuple[Stmt, ...]:
        return tuple(statement for part in self.parts for statement in part)

    def part(self, position: int) -> tuple[Stmt, ...]:
        return self.parts[position] if position < len(self.parts) else ()


def _parts(branch: Stmt) -> _Way | None:
    """The branch cut at its barriers; None where some stand deeper."""
    parts: list[list[Stmt]] = [[]]
    barriers: list[Barrier] = []
    for statement in statements_of(branch):
        if isinstance(statement, Barrier) and statement.scope is Scope.BLOCK:
            barriers.append(statement)
            parts.append([])
        elif _waits(statement):
            return None
        else:
            parts[-1].append(statement)
    return _Way(tuple(map(tuple, parts)), tuple(barriers))


def _returns(branch: Stmt) -> bool:
    last = statements_of(branch)[-1:]
    return bool(last) and isinstance(last[0], Return) and last[0].value is None


def _choice(first: VarRef, then: tuple[Stmt, ...], otherwise: tuple[Stmt, ...]) -> list[Stmt]:
    if not then and not otherwise:
        return []
    if not then:
        return [If(Unary("!", first, type=BOOL), Block(otherwise))]
    return [If(first, Block(then), Block(otherwise) if otherwise else None)]


def _declared(statement: Declare) -> set[Symbol]:
    return {variable.symbol for variable in statement.variables}


def _waits(node: Node) -> bool:
    """Do threads of a block, or of the grid, wait for each other in it?"""
    return any(
        isinstance(inner, (Barrier, Exchange)) and inner.scope in _WIDE for inner in walk(node)
    )


def _ever_waits(node: Node) -> bool:
    """The same but for barriers that instances of a template never come to: `if (16 > 16)`."""
    match node:
        case Barrier(scope=scope) | Exchange(scope=scope) if scope in _WIDE:
            return True
        case If(condition=condition, otherwise=None) if truth(condition) is False:
            return False
        case _:
            return any(map(_ever_waits, children(node)))


def _with_trivia(statements: list[Stmt], old: If) -> list[Stmt]:
    first, *rest = statements
    return [replace(first, trivia=old.trivia), *rest]


def _conditional(condition: Expr, statements: list[Stmt]) -> list[Stmt]:
    if all(map(_is_empty, statements)):
        return [*statements]
    return [If(condition, Block(tuple(statements)))]


def _is_empty(statement: Stmt) -> bool:
    return isinstance(statement, Empty) or statement == Block(())


def _needs(rest: tuple[Stmt, ...], part: list[Stmt]) -> bool:
    """Is something that is declared in `part` named in the `rest`?"""
    declared = {symbol for one in part if isinstance(one, Declare) for symbol in _declared(one)}
    types = any(isinstance(one, (DeclareTypes, LocalFunction)) for one in part)
    return types or any(not declared.isdisjoint(symbols_in(one)) for one in rest)


def _follows(condition: Expr, asked: Expr) -> bool:
    """Does `t < 128` hold where `t < 64` does?"""
    match strip_parens(condition), strip_parens(asked):
        case (
            Binary(op="<", left=left, right=right),
            Binary(op="<", left=other, right=smaller),
        ) if left == other:
            most, less = integer_value(right), integer_value(smaller)
            return most is not None and less is not None and 0 <= less <= most
        case one, other:
            return one == other


def _left_behind(barrier: Barrier | Exchange, statement: If) -> Diagnostic:
    message = "not all threads come to this barrier, which CUDA leaves undefined"
    other = Note("those that do not have nothing left to do", statement.span)
    return warning("G2O0318", message, barrier.span, other)


def _told(first: _Way, second: _Way) -> Diagnostic:
    message = "threads wait for each other at different barriers, which CUDA leaves undefined"
    other = Note("the first barrier of the others", second.barriers[0].span)
    return warning("G2O0318", message, first.barriers[0].span, other)
