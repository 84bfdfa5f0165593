"""Loops in which the threads of a block share out a range become one loop over the range.

    for (int t = 0; t < int(block.x); ++t)                 for (int b = 0; b < N; ++b)
        for (int b = t; b < N; b += block.x)        ->         s[b] = 0;
            s[b] = 0;

    for (int t = 0; t < int(block.x); ++t)                 for (int r = bx; r < R; r += gx)
        for (int r = bx; r < R; r += gx)            ->         for (int c = 0; c < C; ++c)
            for (int c = t; c < C; c += block.x)                   x[r * C + c] = 0;
                x[r * C + c] = 0;

    for (int ty = 0; ty < TILE; ++ty)                      for (int y = 0; y < H; ++y)
        for (int tx = 0; tx < TILE; ++tx)                      for (int x = 0; x < W; ++x)
            for (int y = ty; y < H; y += TILE)      ->             tile[y][x] = in[y * W + x];
                for (int x = tx; x < W; x += TILE)
                    tile[y][x] = in[y * W + x];

Legal because
- both forms run the body once for every b in [0, N): thread t takes exactly those that are t modulo
  the number of threads;
- a thread still goes through its own b in ascending order, so it meets its own effects in order;
- threads of one barrier interval see nothing of each other in a program without races, so that how
  their turns interleave makes no difference (atomics promise no order between threads either);
- the body names no thread index and no variable that is private to a thread but its own: nothing is
  carried from one turn of a thread to its next but through memory. A sum in a variable declared in
  front of the loop is such a value, and stays in the loop over threads.

A body of a loop over threads that is a sequence of statements is cut for this: legal where no
variable declared in it crosses the cut and no `continue` skips the rest, because the statements on
both sides belong to the same interval.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import final

from g2o.analysis.definitions import constants_of, written_after_declaration
from g2o.analysis.effects import EffectsOf, declared_in, root_symbol, statements_of, symbols_in
from g2o.analysis.independence import dependence_between_iterations
from g2o.analysis.positions import Positions
from g2o.ir.comments import comments_of
from g2o.ir.directives import NO_DIRECTIVE, simd_where
from g2o.ir.expressions import (
    Assign,
    Binary,
    Expr,
    Form,
    Index,
    Literal,
    Paren,
    VarRef,
)
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    DoWhile,
    Empty,
    ExprStatement,
    For,
    Jump,
    JumpKind,
    Labelled,
    LocalFunction,
    Node,
    Return,
    Stmt,
    Switch,
    Text,
    Trivia,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rewrite_statements, walk
from g2o.ir.types import TypeKind
from g2o.lowering.alike_loops import alike_loop, common_values
from g2o.lowering.ends_of_loops import is_never_zero
from g2o.lowering.index_arithmetic import may_trap
from g2o.lowering.indices import block_of
from g2o.lowering.shared_ranges import SharedRange, SharedRanges, is_from_zero
from g2o.lowering.simd import may_vectorise
from g2o.lowering.stride_forms import FROM_ZERO, bare_number, only_sums

_WARP = 32
_SHARED = (Storage.SHARED, Storage.DYNAMIC_SHARED)


def merge_stride_loops(
    statements: tuple[Stmt, ...], effects: EffectsOf, symbols: SymbolTable
) -> tuple[Stmt, ...]:
    """Replace loops over the threads of a block around loops with their number as the stride."""
    whole = block_of(statements)
    constants = constants_of(whole, effects)
    changing = written_after_declaration(whole, effects)
    values = {
        one: value
        for one, value in constants.items()
        if not symbols_in(value) & changing and not effects.of(value).memory_reads
    }
    ranges = SharedRanges(effects, constants, Positions(values), symbols)
    merger = _Merger(collapsed_loops(statements), ranges)
    return tuple(new for statement in statements for new in merger.statement(statement))


def with_loops_replaced(statement: Stmt, replaced: Callable[[Stmt], tuple[Stmt, ...]]) -> Stmt:
    """`statement` with others in place of its loops, in the blocks where these stand."""

    def replacement(node: Node) -> Node | None:
        if isinstance(node, Block):
            new = tuple(one for inner in node.statements for one in replaced(inner))
            same = len(new) == len(node.statements) and all(
                one is old for one, old in zip(new, node.statements, strict=True)
            )
            return node if same else Block(new, trivia=node.trivia, span=node.span)
        if isinstance(node, CountedLoop) and node is not statement:
            new = replaced(node)
            if len(new) == 1:
                return new[0]
            return Block(new, span=node.span)
        return None

    return rewrite_statements(statement, replacement)


@final
class _Merger:
    def __init__(self, collapsed: set[int], ranges: SharedRanges) -> None:
        self.effects = ranges.effects
        self.collapsed = collapsed
        self.ranges = ranges

    def statement(self, statement: Stmt) -> tuple[Stmt, ...]:
        if isinstance(statement, CountedLoop) and is_over_threads(statement, self.collapsed):
            merged = self._nest(statement)
            if merged is not None:
                return merged
            joint = self._one_index(statement)
            if joint is not None:
                return (joint,)
        return (with_loops_replaced(statement, self.statement),)

    def _nest(self, outer: CountedLoop) -> tuple[Stmt, ...] | None:
        """The loops in place of a nest of loops over threads, or None where it stays."""
        loops = perfect_nest(outer)
        if any(isinstance(node, (Text, LocalFunction)) for node in walk(outer)):
            return None
        values, body = (), statements_of(loops[-1].body)
        if _have_threads(loops) and outer.directive == NO_DIRECTIVE:
            values, body = common_values(loops[-1].body, set(_indices(loops)), self.effects)
            if values and not only_sums(self.effects.of_all(body)):
                values, body = (), statements_of(loops[-1].body)
            loops[-1] = replace(loops[-1], body=block_of(body)) if values else loops[-1]
        found = [self._shared_out(statement, loops) for statement in body]
        inside = [
            None if levels else self._inside(statement, loops)
            for statement, levels in zip(body, found, strict=True)
        ]
        apart = [bool(one) or two is not None for one, two in zip(found, inside, strict=True)]
        if not any(apart):
            return None
        if not all(apart) and (_skips_the_rest(body) or _crossing(_left(body, found), apart)):
            return None
        result: list[Stmt] = [*values]
        pending: list[Stmt] = []

        def flush() -> None:
            if all(isinstance(one, Empty) or self._is_idle(one) for one in pending):
                told = [one for one in pending if isinstance(one, Empty) or comments_of(one)]
                result.extend(Empty(trivia=one.trivia) for one in told)  # no loop for comments
            else:
                result.append(_rebuilt(loops, block_of(tuple(pending)), may_vectorise))
            pending.clear()

        for statement, levels, alike in zip(body, found, inside, strict=True):
            if levels or alike is not None:
                flush()
                result.append(alike or self._merged(levels, loops, statement))
            else:
                pending.append(statement)
        flush()
        first = replace(result[0], trivia=_joined(outer, result[0]))
        return (first, *result[1:])

    def _one_index(self, outer: CountedLoop) -> CountedLoop | None:
        """One loop in place of loops over axes of threads that the body tells apart by one number
        only: `tid`, which is `ty * 16 + tx`."""
        loops = perfect_nest(outer)
        own = [one for one in loops if one.index.storage is Storage.INDEX and is_from_zero(one)]
        body = loops[-1].body
        if len(own) < 2 or own != loops:
            return None
        if any(isinstance(node, (Text, LocalFunction)) for node in walk(body)):
            return None
        joint = self.ranges.of_threads(own, body)
        if joint is None:
            return None
        counted = {one.index for one in joint.digits}
        rest = [one for one in loops if one.index not in counted]
        index = replace(joint.index, storage=Storage.INDEX)
        one = CountedLoop(index, FROM_ZERO, joint.upper, joint.body)
        made = _rebuilt([*rest, one], joint.body, may_vectorise)
        return replace(made, trivia=outer.trivia) if isinstance(made, CountedLoop) else None

    def _is_idle(self, statement: Stmt) -> bool:
        """Does it declare nothing but what heads of loops have been found by, and nobody names?"""
        if not isinstance(statement, Declare):
            return False
        found = self.effects.of(statement)
        known = all(one.symbol in self.ranges.positions.values for one in statement.variables)
        idle = not (found.side_effects or found.memory_reads or found.memory_writes)
        return known and idle and found.writes <= declared_in(statement)

    def _inside(self, statement: Stmt, loops: list[CountedLoop]) -> Stmt | None:
        """A loop that all threads go through alike, around what they share out in it."""
        if not _have_threads(loops):
            return None  # what nobody would compute may fail
        alike = alike_loop(statement, set(_indices(loops)), loops[-1].body, self.effects)
        if alike is None or not alike.rest:
            return None
        threads = _rebuilt(loops, block_of(alike.rest), may_vectorise)
        assert isinstance(threads, CountedLoop)
        merged = self._nest(threads)
        if merged is None:
            return None
        return replace(alike.loop, body=block_of((*alike.values, *merged)), form=Form.BUILT)

    def _shared_out(self, statement: Stmt, loops: list[CountedLoop]) -> list[SharedRange]:
        """The loops at the head of `statement` that share out ranges; [] where it has to stay."""
        levels: list[SharedRange] = []
        inner: Stmt = statement
        while isinstance(inner, For):
            level = self.ranges.of(inner, loops, declared_in(loops[-1].body))
            if level is None or any(level.threads & other.threads for other in levels):
                break
            levels.append(level)
            body = statements_of(level.body)
            if len(body) != 1:
                break
            inner = body[0]
        while levels and not self._is_independent(levels, statement, loops):
            levels.pop()
        return levels

    def _is_independent(
        self, levels: list[SharedRange], statement: Stmt, loops: list[CountedLoop]
    ) -> bool:
        """Does nothing but memory connect the turns of these loops?"""
        body = levels[-1].body
        threads = {one for level in levels for one in level.threads}
        own, inner = {level.index for level in levels}, self.effects.of(body)
        around = loops[-1].body
        private = declared_in(around) - declared_in(statement) - declared_in(body)
        named = symbols_in(body)
        read: set[Symbol] = set()
        for level in levels:
            bounds = symbols_in(level.lower) | symbols_in(level.upper)
            found = self.effects.of_all((level.lower, level.upper))
            if not found.is_pure or bounds & (own | set(_indices(loops))):
                return False
            for place in found.memory_reads:
                if not all(place and one and are_apart(place, one) for one in inner.memory_writes):
                    return False
            if may_trap(level.upper) and not _have_threads(loops):
                return False
            read |= bounds
        named |= read
        if named & (threads | private):
            return False
        written = inner.writes
        if written & (own | read) or written - declared_in(body):
            return False
        return not jumps_out(body, continues=True)

    def _merged(self, levels: list[SharedRange], loops: list[CountedLoop], statement: Stmt) -> Stmt:
        threads = {one for level in levels for one in level.threads}
        body = levels[-1].body
        rest = [loop for loop in loops if loop.index not in threads]
        simd = not rest and self._carries_nothing(body, levels[-1].index)
        nest = _rebuilt(rest, body, may_vectorise) if rest else body
        for position, level in enumerate(reversed(levels)):
            directive = simd_where(simd and position == 0)
            trivia, index = level.trivia, level.index
            number: Literal | None = None
            if len(levels) == 1 and not rest and self._are_apart_in(body, index):
                index = replace(index, storage=Storage.INDEX)
            elif not rest and position == 0:
                number = level.apart
            nest = CountedLoop(
                index, level.lower, level.upper, nest, directive, threads=number, trivia=trivia
            )
        return replace(nest, trivia=statement.trivia)

    def _are_apart_in(self, body: Stmt, index: Symbol) -> bool:
        """May turns run in any order, as those of different threads do? Those of one thread may
        otherwise depend on each other."""
        return dependence_between_iterations(body, index, self.effects, set()) is None

    def _carries_nothing(self, body: Stmt, index: Symbol) -> bool:
        """Is the body one store to an element of its own, from memory that it does not write?

        Turns of one thread may depend on each other, so that `omp simd` needs more than a program
        without races.
        """
        statements = statements_of(body)
        if len(statements) != 1 or not may_vectorise(body):
            return False
        match statements[0]:
            case ExprStatement(expr=Assign(op="=", target=Index() as target, value=value)):
                written = root_symbol(target)
            case _:
                return False
        if written is None or not _is_own_element(target.index, index):
            return False
        for read in self.effects.of(value).memory_reads:
            if read is None or not are_apart(read, written):
                return False
        return True


def are_apart(one: Symbol, other: Symbol) -> bool:
    """Do the two certainly lead to different memory: two shared arrays, or one and a parameter, or
    two parameters that say so?"""
    if one == other:
        return False
    kinds = {one.storage, other.storage}
    if kinds == {Storage.PARAMETER}:
        return one.type.is_restrict or other.type.is_restrict
    if kinds == {Storage.SHARED}:
        return not any(symbol.type.kind is TypeKind.POINTER for symbol in (one, other))
    return len(kinds) == 2 and Storage.PARAMETER in kinds and bool(kinds & set(_SHARED))


def is_over_threads(loop: CountedLoop, collapsed: set[int]) -> bool:
    """Does one CPU thread run the loop, for threads of the kernel?"""
    parallel = loop.directive.is_parallel or id(loop) in collapsed
    return loop.index.storage is Storage.INDEX and not parallel


def collapsed_loops(statements: tuple[Stmt, ...]) -> set[int]:
    """Ids of the loops that belong to the parallel loop around them."""
    found: set[int] = set()
    for statement in statements:
        for node in walk(statement):
            if isinstance(node, CountedLoop) and node.directive.collapse > 1:
                joined = perfect_nest(node)[1 : node.directive.collapse]
                found.update(id(loop) for loop in joined)
    return found


def perfect_nest(outer: CountedLoop) -> list[CountedLoop]:
    loops = [outer]
    while True:
        body = statements_of(loops[-1].body)
        if len(body) != 1 or not isinstance(body[0], CountedLoop):
            return loops
        loops.append(body[0])


def _indices(loops: list[CountedLoop]) -> list[Symbol]:
    return [loop.index for loop in loops]


def _have_threads(loops: list[CountedLoop]) -> bool:
    return all(is_from_zero(loop) and is_never_zero(loop.upper) for loop in loops)


def _rebuilt(loops: list[CountedLoop], body: Stmt, vectorises: Callable[[Node], bool]) -> Stmt:
    nest = body
    simd = vectorises(body)
    for position, loop in enumerate(reversed(loops)):
        directive = simd_where(simd and position == 0)
        trivia = replace(loop.trivia, before=(), after="", blank_line=False)
        nest = replace(loop, body=nest, directive=directive, trivia=trivia)
    return nest


def _joined(outer: CountedLoop, first: Stmt) -> Trivia:
    own, inner = outer.trivia, first.trivia
    return replace(inner, before=(*own.before, *inner.before), blank_line=own.blank_line)


def _is_own_element(expr: Expr, index: Symbol) -> bool:
    """Is it the index, or that and something that is the same in every turn?"""
    bare = bare_number(expr)
    if isinstance(bare, VarRef):
        return bare.symbol == index
    if not isinstance(bare, Binary) or bare.op != "+":
        return False
    for one, other in ((bare.left, bare.right), (bare.right, bare.left)):
        alone = bare_number(one)
        if isinstance(alone, VarRef) and alone.symbol == index:
            return all(isinstance(node, (VarRef, Literal, Paren)) for node in walk(other)) and (
                index not in symbols_in(other)
            )
    return False


def _left(body: tuple[Stmt, ...], found: list[list[SharedRange]]) -> tuple[Stmt, ...]:
    """What is left of the statements of which some are loops of ranges that are shared out."""
    return tuple(
        block_of(
            (
                *(ExprStatement(end) for one in levels for end in (one.lower, one.upper)),
                levels[-1].body,
            )
        )
        if levels
        else statement
        for statement, levels in zip(body, found, strict=True)
    )


def _crossing(body: tuple[Stmt, ...], apart: list[bool]) -> bool:
    """Does a variable declared in one statement occur in a statement of another loop?"""
    group: list[int] = []
    number = 0
    for alone in apart:
        number += alone
        group.append(number)
        number += alone
    home = {
        variable.symbol: group[position]
        for position, statement in enumerate(body)
        if isinstance(statement, Declare)
        for variable in statement.variables
    }
    return any(
        home.get(symbol, group[position]) != group[position]
        for position, statement in enumerate(body)
        for symbol in symbols_in(statement) - _own(statement)
    )


def _own(statement: Stmt) -> set[Symbol]:
    return set() if isinstance(statement, Declare) else declared_in(statement)


def _skips_the_rest(body: tuple[Stmt, ...]) -> bool:
    """Does a statement leave the turn of its thread early?"""
    return any(jumps_out(statement) for statement in body)


def jumps_out(statement: Stmt, continues: bool = False) -> bool:
    """Does a jump lead out of `statement`? Where it `continues`, it is the body of a loop, and to
    go on with the next turn is no such jump."""

    def visit(node: Node, in_loop: bool, in_switch: bool) -> bool:
        match node:
            case Return() | Labelled(value=None):
                return not (isinstance(node, Labelled) and node.label == "default")
            case Jump(kind=JumpKind.GOTO):
                return True
            case Jump(kind=JumpKind.BREAK):
                return not in_loop and not in_switch
            case Jump(kind=JumpKind.CONTINUE):
                return not in_loop and not continues
            case For() | While() | DoWhile() | CountedLoop():
                return any(visit(child, True, in_switch) for child in children(node))
            case Switch():
                return any(visit(child, in_loop, True) for child in children(node))
            case _:
                return any(visit(child, in_loop, in_switch) for child in children(node))

    return visit(statement, False, False)
