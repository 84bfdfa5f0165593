"""What is the same for every thread, and costs something, is done once.

    #pragma omp parallel for                       if (count <= 0)
    for (int i = 0; i < count; ++i)                    return;
        out[i] = in[i] / magnitude(in, n);   ->    const double in_magnitude = magnitude(in, n);
                                                   #pragma omp parallel for
                                                   for (int i = 0; i < count; ++i)
                                                       out[i] = in[i] / in_magnitude;

and the same out of a loop over the threads of a block. (The "parallel LICM" of Moses et al., PPoPP
2023.) Costly are calls that run a loop or compute an exponential or its like, and loops of the
kernel itself that give all threads the same (`uniform_slices`). Legal when what moves

- has no effect but its value, and neither that nor what is called depends on the loop;
- reads only memory that nothing in the loop writes: pointers are taken to alias unless one of the
  two is `__restrict__` or one is shared memory, which no parameter points to;
- is done by every thread, so that doing it once reads nothing that the source would not have read:
  it stands in the body of the loop under no condition and behind no jump;
- is done at all: in front of a parallel loop stands a guard that some thread runs; a block that
  runs has threads.

Functions of mathematics of numbers that the loop does not change may be computed in any case: they
leave parallel loops, and loops of a thread, from under conditions, too. Arithmetic stays where it
is: a compiler moves it itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.ir.expressions import (
    Call,
    VarRef,
)
from g2o.ir.kernel import LoweredKernel
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    DoWhile,
    For,
    LocalFunction,
    Node,
    Stmt,
    While,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children, rename_symbols, rewrite, walk
from g2o.transforms.always_made import always_made
from g2o.transforms.costly import Costly, is_number
from g2o.transforms.invariants import Invariant, made_in
from g2o.transforms.new_names import NewNames, declaration_of
from g2o.transforms.plain_work import is_plain_work
from g2o.transforms.thread_nests import leave_without_threads, nest_of, runs
from g2o.transforms.uniform_slices import reached, uniform_slice

_SAME: Final = "// the same for every thread"
_LOOPS: Final = (For, While, DoWhile)


def hoist_uniform(
    lowered: LoweredKernel, functions: FunctionTable, may_vectorise: Callable[[Node], bool]
) -> LoweredKernel:
    """Move calls and loops out of the loops over threads and blocks. Unchanged kernels stay as they
    are.

    `may_vectorise` tells whether what remains of the body of a loop is fit for `omp simd`.
    """
    whole = Block(lowered.body)
    costly = Costly(functions)
    if not any(isinstance(node, _LOOPS) or costly.is_costly(node) for node in walk(whole)):
        return lowered
    hoister = _Hoister(functions.for_node(whole), costly, NewNames(lowered), may_vectorise)
    body = hoister.top(lowered.body)
    return lowered if body is lowered.body else replace(lowered, body=body)


@final
@dataclass(slots=True)
class _Hoister:
    effects: EffectsOf
    costly: Costly
    names: NewNames
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
                last = position == len(body) - 1 and inner.directive.is_parallel
                guard = leave_without_threads(nest_of(inner)) if last else []
                hoisted: list[Stmt] = []
                if last or runs(inner):
                    hoisted, inner = self._out_of(inner)
                if hoisted:
                    result.extend(hoisted if self._is_safe(hoisted, guard) else (*guard, *hoisted))
                    changed = True
                if inner.directive.is_parallel:
                    numbers, inner = self._numbers(inner, (inner.body,))
                    result.extend(numbers)
                    changed = changed or bool(numbers)
            result.append(inner)
        return tuple(result) if changed else body

    def _is_safe(self, hoisted: list[Stmt], guard: list[Stmt]) -> bool:
        """May it be computed even where no thread runs, and is it not worth a guard? Grids without
        blocks are no launches; where there may be nothing to do, no loop runs for nothing."""
        if self._are_numbers(hoisted):
            return True
        named = {symbol.name for one in guard for symbol in symbols_in(one)}
        if not named <= {"grid"}:
            return False
        return is_plain_work(hoisted, self.names.initialised, self.costly.is_mathematics)

    def _are_numbers(self, hoisted: list[Stmt]) -> bool:
        fixed = Invariant(self.effects, [], self.costly.is_mathematics)
        known = set(self.names.initialised)
        for statement in hoisted:
            match statement:
                case Declare(variables=(variable,)) if variable.initial is not None:
                    if not fixed.is_safe_number(variable.initial, known):
                        return False
                    known.add(variable.symbol)
                case _:
                    return False
        return True

    def _inside(self, statement: Stmt) -> Stmt:
        """Hoist out of the loops over threads inside `statement`."""

        def replacement(node: Node) -> Node | None:
            if not isinstance(node, Block):
                return None
            new: list[Stmt] = []
            for old in node.statements:
                inner = rewrite(old, replacement)
                if isinstance(inner, CountedLoop) and not inner.directive.is_parallel:
                    if runs(inner):
                        hoisted, inner = self._out_of(inner)
                        new.extend(hoisted)
                    numbers, inner = self._numbers(inner, _loops_in(inner))
                    new.extend(numbers)
                new.append(inner)
            same = len(new) == len(node.statements) and all(
                one is old for one, old in zip(new, node.statements, strict=True)
            )
            return node if same else Block(tuple(new), trivia=node.trivia, span=node.span)

        return rewrite(statement, replacement)

    def _out_of(self, loop: CountedLoop) -> tuple[list[Stmt], CountedLoop]:
        """Statements to put in front of the nest of loops that begins here, and the rest."""
        nest = nest_of(loop)
        body = nest[-1].body
        fixed = Invariant(self.effects, nest, self.costly.is_mathematics)
        statements = statements_of(body)
        moved = uniform_slice(body, fixed, self.costly.is_costly)
        hoisted = [statements[position] for position in moved]
        renamed: dict[Symbol, Symbol] = {}
        for statement in hoisted:
            if isinstance(statement, Declare):
                for variable in statement.variables:
                    renamed[variable.symbol] = self.names.outside(variable.symbol)
                    fixed.declare(renamed[variable.symbol])
        renamed = {old: new for old, new in renamed.items() if old is not new}
        gone = {id(statement) for statement in hoisted}
        hoisted = [rename_symbols(statement, renamed) for statement in hoisted]
        hoisted = [_told(statement) for statement in hoisted[:1]] + hoisted[1:]
        results: dict[Call, Symbol] = {}
        for statement in statements[: reached(statements)]:
            if id(statement) in gone:
                continue
            for call in always_made(rename_symbols(statement, renamed)):
                inside = any(node is call for one in results for node in walk(one))
                if call not in results and not inside and self._may_move(call, fixed):
                    results[call] = self.names.fresh(call, self.costly.is_mathematics(call))
                    hoisted.append(declaration_of(results[call], call, _SAME))
        if not hoisted:
            return [], loop

        def without(node: Node) -> Node | None:
            if isinstance(node, Block) and any(id(s) in gone for s in node.statements):
                kept = tuple(s for s in node.statements if id(s) not in gone)
                return Block(kept, span=node.span)
            return None

        rest = rename_symbols(rewrite(loop, without), renamed)
        return hoisted, self._vectorised(rewrite(rest, _results(results)))

    def _numbers(
        self, loop: CountedLoop, parts: tuple[Node, ...]
    ) -> tuple[list[Stmt], CountedLoop]:
        """The same for functions of mathematics in parts of the loop, be they called or not."""
        known = self.names.initialised - made_in(loop)
        fixed = Invariant(self.effects, nest_of(loop), self.costly.is_mathematics)
        results: dict[Call, Symbol] = {}
        wanted = self.costly.is_mathematics
        for call in (node for part in parts for node in _outermost(part, wanted)):
            if isinstance(call, Call) and call not in results and is_number(call):
                if fixed.is_safe_number(call, known):
                    results[call] = self.names.fresh(call, is_mathematics=True)
        if not results:
            return [], loop
        hoisted: list[Stmt] = [
            declaration_of(symbol, call, _SAME) for call, symbol in results.items()
        ]
        return hoisted, self._vectorised(rewrite(loop, _results(results)))

    def _vectorised(self, loop: CountedLoop) -> CountedLoop:
        """With `simd` on the innermost loop, where what remains allows it."""
        *outer, innermost = nest_of(loop)
        if innermost.directive.is_simd or not self.may_vectorise(innermost.body):
            return loop
        result = replace(innermost, directive=innermost.directive.with_simd())
        for one in reversed(outer):
            result = replace(one, body=Block((result,)))
        return result

    def _may_move(self, call: Call, fixed: Invariant) -> bool:
        return is_number(call) and self.costly.is_costly(call) and fixed.holds(call)


def _results(results: dict[Call, Symbol]) -> Callable[[Node], Node | None]:
    """Puts variables in the place of calls."""
    return lambda node: (
        VarRef(results[node]) if isinstance(node, Call) and node in results else None
    )


def _told(statement: Stmt) -> Stmt:
    trivia = replace(statement.trivia, blank_line=False)
    return replace(statement, trivia=replace(trivia, after=trivia.after or _SAME))


def _loops_in(loop: CountedLoop) -> tuple[Node, ...]:
    """The outermost loops of a thread."""
    return tuple(_outermost(nest_of(loop)[-1].body, lambda node: isinstance(node, _LOOPS)))


def _outermost(node: Node, wanted: Callable[[Node], bool]) -> Iterator[Node]:
    """The nodes that are wanted, and not inside of others."""
    if wanted(node):
        yield node
        return
    for child in children(node):
        yield from _outermost(child, wanted)
