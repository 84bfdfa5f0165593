"""A costly call that gives every thread the same is made once.

    #pragma omp parallel for                       if (count <= 0)
    for (int i = 0; i < count; ++i)                    return;
        out[i] = in[i] / magnitude(in, n);   ->    const double in_magnitude = magnitude(in, n);
                                                   #pragma omp parallel for
                                                   for (int i = 0; i < count; ++i)
                                                       out[i] = in[i] / in_magnitude;

and the same out of a loop over the threads of a block. (The "parallel LICM" of Moses et al., PPoPP
2023.) Legal when the call

- has no effect but its value, and neither its arguments nor what it calls depend on the loop;
- reads only memory that nothing in the loop writes: pointers are taken to alias unless one of the
  two is `__restrict__` or one is shared memory, which no parameter points to;
- is made by every thread, so that making it once reads nothing that the source would not have read:
  it stands in the body of the loop under no condition and behind no jump;
- is made at all: in front of a parallel loop stands a guard that some thread runs; a block that
  runs has threads.

Calls of functions without a loop stay where they are: a compiler inlines and hoists those itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.ir.expressions import (
    Binary,
    Call,
    Conditional,
    Expr,
    Literal,
    VarRef,
    integer_value,
)
from g2o.ir.kernel import LoweredKernel
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    DoWhile,
    ExprStatement,
    For,
    If,
    Jump,
    LocalFunction,
    Node,
    Return,
    Stmt,
    Text,
    Trivia,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import BOOL, INT, TypeKind

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_SAME = "// the same for every thread"
_DEPTH_LIMIT = 32


def hoist_uniform_calls(
    lowered: LoweredKernel, functions: FunctionTable, may_vectorise: Callable[[Node], bool]
) -> LoweredKernel:
    """Move calls out of the loops over threads and blocks. Unchanged kernels stay as they are.

    `may_vectorise` tells whether what remains of the body of a loop is fit for `omp simd`.
    """
    whole = Block(lowered.body)
    costly = _Costly(functions)
    if not any(costly.is_costly(node) for node in walk(whole)):
        return lowered
    hoister = _Hoister(functions.for_node(whole), costly, _Names(lowered), may_vectorise)
    body = hoister.top(lowered.body)
    return lowered if body is lowered.body else replace(lowered, body=body)


@final
class _Costly:
    """Which calls are worth it: those of functions of the program that contain a loop."""

    def __init__(self, functions: FunctionTable) -> None:
        self.functions = functions
        self._loops: dict[str, bool] = {}

    def is_costly(self, node: Node, depth: int = 0) -> bool:
        if not isinstance(node, Call) or not node.key or "|" in node.key or depth > _DEPTH_LIMIT:
            return False
        if node.key not in self._loops:
            self._loops[node.key] = False  # what calls itself only counts for what else it does
            body = self.functions.body(node.key)
            self._loops[node.key] = body is not None and any(
                isinstance(inner, (For, While, DoWhile)) or self.is_costly(inner, depth + 1)
                for inner in walk(body.body)
            )
        return self._loops[node.key]


@final
class _Names:
    """New variables of a lowered kernel."""

    def __init__(self, lowered: LoweredKernel) -> None:
        self.taken = set(_IDENTIFIER.findall(lowered.function.span.text))
        self.last = lowered.function.symbols.last_id
        for statement in lowered.body:
            for node in walk(statement):
                for symbol in symbols_in(node) if isinstance(node, (VarRef, Declare)) else ():
                    self._take(symbol)
                if isinstance(node, CountedLoop):
                    self._take(node.index)

    def _take(self, symbol: Symbol) -> None:
        self.taken.add(symbol.name)
        self.last = max(self.last, symbol.id)

    def fresh(self, call: Call) -> Symbol:
        """A name for the result: `in_magnitude` for `magnitude(in, n)`, else `magnitude_value`."""
        pointers = [
            argument.symbol.name
            for argument in call.arguments
            if isinstance(argument, VarRef) and argument.symbol.type.is_indirect
        ]
        wish = name = f"{pointers[0]}_{call.name}" if pointers else f"{call.name}_value"
        count = 2
        while name in self.taken:
            name = f"{wish}{count}"
            count += 1
        self.last += 1
        symbol = Symbol(self.last, name, call.type, Storage.BLOCK)
        self._take(symbol)
        return symbol


@final
@dataclass(slots=True)
class _Hoister:
    effects: EffectsOf
    costly: _Costly
    names: _Names
    may_vectorise: Callable[[Node], bool]

    def top(self, body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        """The body of the emitted function."""
        if any(isinstance(node, LocalFunction) for s in body for node in walk(s)):
            return body
        result: list[Stmt] = []
        changed = False
        for position, statement in enumerate(body):
            inner = self._inside(statement)
            changed = changed or inner is not statement
            if isinstance(inner, CountedLoop):
                last = position == len(body) - 1 and inner.pragma.startswith("omp parallel")
                guard = _some_thread(inner) if last else []
                hoisted: list[Stmt] = []
                if last or _runs(inner):
                    hoisted, inner = self._out_of(inner)
                if hoisted:
                    result.extend((*guard, *hoisted))
                    changed = True
            result.append(inner)
        return tuple(result) if changed else body

    def _inside(self, statement: Stmt) -> Stmt:
        """Hoist out of the loops over threads inside `statement`."""

        def replacement(node: Node) -> Node | None:
            if not isinstance(node, Block):
                return None
            new: list[Stmt] = []
            for old in node.statements:
                inner = rewrite(old, replacement)
                if isinstance(inner, CountedLoop) and _runs(inner):
                    hoisted, inner = self._out_of(inner)
                    new.extend(hoisted)
                new.append(inner)
            same = len(new) == len(node.statements) and all(
                one is old for one, old in zip(new, node.statements, strict=True)
            )
            return node if same else Block(tuple(new), trivia=node.trivia, span=node.span)

        return rewrite(statement, replacement)

    def _out_of(self, loop: CountedLoop) -> tuple[list[Stmt], CountedLoop]:
        """Declarations to put in front of the nest of loops that begins here, and the rest."""
        nest = _nest(loop)
        body = nest[-1].body
        fixed = _Invariant(self.effects, nest)
        hoisted: list[Stmt] = []
        results: dict[Call, Symbol] = {}
        gone: set[int] = set()
        for statement in _reached(body):
            match statement:
                case Declare(variables=(variable,)) if self._is_constant(variable, body):
                    initial = variable.initial
                    if isinstance(initial, Call) and self._may_move(initial, fixed):
                        hoisted.append(replace(statement, trivia=Trivia((), _SAME)))
                        gone.add(id(statement))
                        fixed.declare(variable.symbol)
                        continue
                case _:
                    pass
            for call in _always_made(statement):
                inside = any(node is call for moved in results for node in walk(moved))
                if call not in results and not inside and self._may_move(call, fixed):
                    results[call] = self.names.fresh(call)
                    hoisted.append(_declaration(results[call], call))
        if not hoisted:
            return [], loop

        def replacement(node: Node) -> Node | None:
            if isinstance(node, Call) and node in results:
                return VarRef(results[node])
            if isinstance(node, Block) and any(id(s) in gone for s in node.statements):
                kept = tuple(s for s in node.statements if id(s) not in gone)
                return Block(tuple(rewrite(s, replacement) for s in kept), span=node.span)
            return None

        return hoisted, self._vectorised(rewrite(loop, replacement))

    def _vectorised(self, loop: CountedLoop) -> CountedLoop:
        """With `simd` on the innermost loop, where what remains allows it."""
        *outer, innermost = _nest(loop)
        if "simd" in innermost.pragma or not self.may_vectorise(innermost.body):
            return loop
        result = replace(innermost, pragma=f"{innermost.pragma or 'omp'} simd")
        for one in reversed(outer):
            result = replace(one, body=Block((result,)))
        return result

    def _is_constant(self, variable: Variable, body: Stmt) -> bool:
        kinds = (TypeKind.INTEGER, TypeKind.FLOATING, TypeKind.BOOL, TypeKind.DEPENDENT)
        if variable.symbol.type.kind not in kinds or variable.suffix:
            return False
        others = [s for s in statements_of(body) if variable.symbol not in declared_in(s)]
        return not any(variable.symbol in self.effects.of(s).writes for s in others)

    def _may_move(self, call: Call, fixed: _Invariant) -> bool:
        known = (TypeKind.INTEGER, TypeKind.FLOATING, TypeKind.BOOL)
        typed = call.type.kind in known and call.type.spelling not in ("", "auto")
        return typed and self.costly.is_costly(call) and fixed.holds(call)


@final
class _Invariant:
    """What has the same value in all turns of a nest of loops."""

    def __init__(self, effects: EffectsOf, nest: list[CountedLoop]) -> None:
        self.effects = effects
        found = effects.of(nest[-1].body)
        own = declared_in(nest[-1].body) | {loop.index for loop in nest}
        self.changing = own | found.writes
        self.written = found.memory_writes

    def declare(self, symbol: Symbol) -> None:
        self.changing.discard(symbol)

    def holds(self, expr: Expr) -> bool:
        found = self.effects.of(expr)
        if not found.is_pure or symbols_in(expr) & self.changing:
            return False
        return all(
            not _may_be_same(read, write) for read in found.memory_reads for write in self.written
        )


def _may_be_same(read: Symbol | None, write: Symbol | None) -> bool:
    """May memory that is reached through `read` be what is written through `write`?"""
    if read is None or write is None or read == write:
        return True
    kinds = {read.storage, write.storage}
    arrays = _is_block_array(read), _is_block_array(write)
    if kinds == {Storage.SHARED} and all(arrays):
        return False
    if Storage.PARAMETER in kinds and any(arrays):
        return False
    if kinds != {Storage.PARAMETER}:
        return True
    return not (read.type.is_restrict or write.type.is_restrict)


def _is_block_array(symbol: Symbol) -> bool:
    """Is it shared memory itself, not a pointer that lives there?"""
    shared = (Storage.SHARED, Storage.DYNAMIC_SHARED)
    return symbol.storage in shared and symbol.type.kind is not TypeKind.POINTER


def _nest(loop: CountedLoop) -> list[CountedLoop]:
    """Loops each of which is all that the one around it does, with bounds that hold for all."""
    found = [loop]
    while True:
        inner = statements_of(found[-1].body)
        if len(inner) != 1 or not isinstance(inner[0], CountedLoop) or inner[0].pragma:
            break
        bounds = symbols_in(inner[0].lower) | symbols_in(inner[0].upper)
        if any(one.index in bounds for one in found):
            break
        found.append(inner[0])
    return found


def _runs(loop: CountedLoop) -> bool:
    """Does a nest over the threads of a block run at least once wherever it stands?"""
    if loop.pragma.startswith("omp parallel"):
        return False
    for one in _nest(loop):
        extent = one.upper
        constant = isinstance(extent, Literal) and (extent.value is None or extent.value > 0)
        named = {symbol.name for symbol in symbols_in(extent)}
        whole = named == {"block"} and not isinstance(extent, Call)
        if one.index.storage is not Storage.INDEX or integer_value(one.lower) != 0:
            return False
        if not constant and not whole:
            return False
    return True


def _some_thread(loop: CountedLoop) -> list[Stmt]:
    """`if (count <= 0) return;` for a parallel nest."""
    condition: Expr | None = None
    for one in _nest(loop):
        if isinstance(one.upper, Literal) and integer_value(one.lower) == 0:
            continue
        empty = Binary("<=", one.upper, one.lower, BOOL)
        if integer_value(one.lower) == 0 and not one.upper.type.is_signed:
            empty = Binary("==", one.upper, Literal("0", 0, INT), BOOL)
        condition = empty if condition is None else Binary("||", condition, empty, BOOL)
    return [] if condition is None else [If(condition, Return())]


def _reached(body: Stmt) -> Iterator[Stmt]:
    """The statements that every turn of the loop runs."""
    for statement in statements_of(body):
        if isinstance(statement, (Text, LocalFunction)):
            return
        yield statement
        if any(isinstance(node, (Jump, Return)) for node in walk(statement)):
            return


def _always_made(statement: Stmt) -> Iterator[Call]:
    """Calls that running `statement` makes in any case, those of arguments among them."""
    match statement:
        case ExprStatement(expr=expr):
            yield from _unconditional(expr)
        case Declare(variables=variables):
            for variable in variables:
                if variable.initial is not None:
                    yield from _unconditional(variable.initial)
        case If(condition=condition):
            yield from _unconditional(condition)
        case Block(statements=inner):
            for each in inner:
                yield from _always_made(each)
                if any(isinstance(node, (Jump, Return)) for node in walk(each)):
                    return
        case _:
            return


def _unconditional(node: Node) -> Iterator[Call]:
    match node:
        case Binary(op="&&" | "||", left=left):
            yield from _unconditional(left)
        case Conditional(condition=condition):
            yield from _unconditional(condition)
        case _:
            if isinstance(node, Call):
                yield node
            for child in children(node):
                yield from _unconditional(child)


def _declaration(symbol: Symbol, call: Call) -> Declare:
    spelled = symbol.type.spelling.replace("const ", "")
    variable = Variable(symbol, f"const {spelled}", "", call, "=")
    return Declare((variable,), trivia=Trivia((), _SAME))
