"""Statements that do the same for several elements of one thread become one loop over elements.

    for (int t = 0; t < THREADS; ++t) {                 for (int k = 0; k < 2 * THREADS; ++k)
        tree[2 * t] = in[base + 2 * t];           ->        tree[k] = in[base + k];
        tree[2 * t + 1] = in[base + 2 * t + 1];
    }

    for (int t = 0; t < THREADS; ++t) {                 for (int t = 0; t < 2 * THREADS; ++t)
        a[t] = 0;                                 ->        a[t] = 0;
        a[t + THREADS] = 0;
    }

Legal because
- the statement of element k is, but for numbers that are polynomials in k, the first one: those of
  statement j are the first one's with `m * t + j` for `m * t`, or with `t + j * THREADS` for `t`;
- a thread meets its own elements in the same order;
- threads of one barrier interval see nothing of each other in a program without races
  (`stride_loops.py`), and no statement leaves a value but in memory.

Turns are vectors where nothing that is written is read or written at another place, by another name
either: by that, turns of one thread do not depend on each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf, declared_in, root_symbol, statements_of, symbols_in
from g2o.ir.comments import comments_of
from g2o.ir.expressions import (
    Binary,
    Expr,
    Index,
    Literal,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import (
    NO_TRIVIA,
    Block,
    CountedLoop,
    Declare,
    LocalFunction,
    Node,
    Stmt,
    Text,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rewrite, walk, with_children
from g2o.ir.types import INT, TypeKind
from g2o.lowering.indices import block_of
from g2o.lowering.stride_loops import (
    collapsed_loops,
    is_over_threads,
    perfect_nest,
    with_loops_replaced,
)
from g2o.lowering.thread_nests import Piece, crosses, needed_declarations, nests_of, split_body
from g2o.lowering.thread_sums import THREAD, ThreadSums, is_integer
from g2o.polyhedral.polynomial import ZERO, Polynomial

_MOST_STATEMENTS: Final = 16
_MOST_LANES: Final = 64  # of a vector


def merge_alike_turns(
    statements: tuple[Stmt, ...], effects: EffectsOf, symbols: SymbolTable
) -> tuple[Stmt, ...]:
    """Replace loops over threads whose statements are alike."""
    extents = {
        variable.symbol: variable.extents
        for statement in statements
        for node in walk(statement)
        if isinstance(node, Declare)
        for variable in node.variables
    }
    merger = _Merger(effects, symbols, collapsed_loops(statements), extents)
    return tuple(new for statement in statements for new in merger.statement(statement))


@final
@dataclass(frozen=True, slots=True)
class _Merger:
    effects: EffectsOf
    symbols: SymbolTable
    collapsed: set[int]
    extents: dict[Symbol, tuple[Expr, ...]]  # of the kernel's arrays

    def statement(self, statement: Stmt) -> tuple[Stmt, ...]:
        """The loops in place of `statement`, or itself."""
        if isinstance(statement, CountedLoop) and is_over_threads(statement, self.collapsed):
            return self._nest(statement) or (statement,)
        return (with_loops_replaced(statement, self.statement),)

    def _nest(self, outer: CountedLoop) -> tuple[Stmt, ...] | None:
        loops = perfect_nest(outer)
        body = statements_of(loops[-1].body)
        if any(isinstance(node, (Text, LocalFunction)) for node in walk(outer)):
            return None
        declarations, rest = split_body(body, self.effects)
        loaded = self._take_alike(declarations, rest, [loop.index for loop in loops])
        if len(rest) < 2 or crosses(rest):
            return None
        for position, loop in enumerate(loops):
            if loop.step is not None or integer_value(loop.lower) != 0:
                continue
            # A loop of each thread inside goes through all elements together.
            if not all(is_over_threads(one, self.collapsed) for one in loops[position:]):
                continue
            pieces = self._pieces(rest, loop, declarations)
            if any(piece.end is not None for piece in pieces):
                nests = nests_of(loops, position, declarations, pieces)
                return (Block((*loaded, *nests)),) if loaded else nests
        return None

    def _take_alike(
        self, declarations: dict[Symbol, Declare], rest: list[Stmt], indices: list[Symbol]
    ) -> list[Declare]:
        """Declarations of values that all threads load alike: one load is enough. Were one stored
        by a thread of the same interval, the others would race with it."""
        written = written_after_declaration(block_of(rest), self.effects)
        loaded: list[Declare] = []
        while rest and isinstance(rest[0], Declare) and len(rest[0].variables) == 1:
            (variable,) = rest[0].variables
            named = symbols_in(rest[0]) & {*indices, *declarations}
            if variable.initial is None or named or variable.symbol in written:
                break
            if not self.effects.of(variable.initial).is_pure:
                break
            loaded.append(rest[0])
            del rest[0]
        return loaded

    def _pieces(
        self, rest: list[Stmt], loop: CountedLoop, declarations: dict[Symbol, Declare]
    ) -> list[Piece]:
        pieces: list[Piece] = []
        place = 0
        while place < len(rest):
            most = min(len(rest) - place, _MOST_STATEMENTS)
            for count in range(most, 1, -1):
                run = rest[place : place + count]
                piece = self._piece(run, loop, declarations)
                if piece is not None:
                    pieces.append(piece)
                    place += count
                    break
            else:
                pieces.append(Piece((rest[place],)))
                place += 1
        return pieces

    def _piece(
        self, run: list[Stmt], loop: CountedLoop, declarations: dict[Symbol, Declare]
    ) -> Piece | None:
        if any(self.effects.of(one).writes - declared_in(one) for one in run):
            return None
        first, *others = run
        sums = ThreadSums(loop.index, None, declarations, set())
        if not sums.follows(first):
            return None
        apart = _Alike(sums, len(run), apart=True, step=ZERO)
        if all(apart.are(first, one, j) for j, one in enumerate(others, 1)):
            return self._interleaved(run, loop, declarations)
        threads = sums.polynomial(loop.upper)
        if threads is None:
            return None
        chunks = _Alike(sums, len(run), apart=False, step=threads)
        if not all(chunks.are(first, one, j) for j, one in enumerate(others, 1)):
            return None
        bare = replace(first, trivia=NO_TRIVIA)
        told = _with_comments_of(first, run[1:])
        far = (integer_value(loop.upper) or 0) >= _MOST_LANES or self._is_apart(first)
        simd = far and self._are_own([first], loop.index, declarations)
        return Piece((bare,), self._end(run, loop), first=told, simd=simd)

    def _interleaved(
        self, run: list[Stmt], loop: CountedLoop, declarations: dict[Symbol, Declare]
    ) -> Piece | None:
        """The statements of the first element with the element for `m * t`."""
        first = run[0]
        statements = (*needed_declarations([first], declarations), first)
        index = self.symbols.fresh("k", INT, Storage.INDEX)
        renamed = [_by_element(one, loop.index, len(run), index) for one in statements]
        if any(loop.index in symbols_in(one) for one in renamed):
            return None
        named, renamed = _named_by_source(renamed, index)
        bare = replace(renamed[-1], trivia=NO_TRIVIA)
        told = _with_comments_of(renamed[-1], run[1:])
        simd = self._are_own(renamed, named, {})
        return Piece((*renamed[:-1], bare), self._end(run, loop), named, first=told, simd=simd)

    def _end(self, run: list[Stmt], loop: CountedLoop) -> Expr:
        """So many times the threads; by its name where it is an extent of an array in `run`."""
        extent, value = loop.upper, integer_value(loop.upper)
        if value is not None:
            for symbol in sorted(symbols_in(run[0]), key=lambda one: one.id):
                for known in self.extents.get(symbol, ()):
                    if integer_value(known) == len(run) * value:
                        return known
            if isinstance(extent, Literal) and extent.text.isdigit():
                return Literal(str(len(run) * value), len(run) * value, INT)
        return Binary("*", Literal(str(len(run)), len(run), INT), extent, INT)

    def _is_apart(self, statement: Stmt) -> bool:
        """Does nothing that is written overlap with anything else that is read? A thread may meet
        in its next element what it stored for this one, as many threads on."""
        found = self.effects.of(statement)
        pairs = ((one, other) for one in found.memory_writes for other in found.memory_reads)
        return all(
            one == other or any(each is not None and _has_own_memory(each) for each in (one, other))
            for one, other in pairs
        )

    def _are_own(
        self, statements: Sequence[Stmt], index: Symbol, declarations: dict[Symbol, Declare]
    ) -> bool:
        """Is everything that is written met at one place only, another one in every turn?"""
        given = {
            symbol: one
            for one in statements[:-1]
            if isinstance(one, Declare)
            for symbol in [one.variables[0].symbol]
        }
        sums = ThreadSums(index, None, {**declarations, **given}, set())
        last = statements[-1]
        for written in self.effects.of(last).memory_writes:
            met = [
                node
                for node in walk(last)
                if isinstance(node, Index) and root_symbol(node) == written
            ]
            named = sum(isinstance(node, VarRef) and node.symbol == written for node in walk(last))
            if len(met) != named or not met:
                return False
            places = {sums.polynomial(one.index) for one in met}
            if len(places) != 1 or not _moves(places.pop()):
                return False
        return True


@final
@dataclass(frozen=True, slots=True)
class _Alike:
    """Compares statement j of a thread with its first one. Where elements are `apart`, the thread
    counts `count` of them, and the next one is one on; else it is `step` threads on."""

    sums: ThreadSums
    count: int
    apart: bool
    step: Polynomial

    def are(self, first: Node, other: Node, j: int) -> bool:
        """Is `other` what `first` is, j elements on?"""
        if isinstance(first, Expr) and isinstance(other, Expr) and is_integer(first.type):
            one, two = self.sums.polynomial(first), self.sums.polynomial(other)
            if one is not None and two is not None:
                same = first.type.spelling == other.type.spelling
                return same and self._is_shifted(one, two, j)
        if not self.sums.follows(first):
            return first == other
        parts, others = children(first), children(other)
        if not parts or len(parts) != len(others) or type(first) is not type(other):
            return False
        if with_children(other, parts) != first:
            return False
        return all(self.are(one, two, j) for one, two in zip(parts, others, strict=True))

    def _is_shifted(self, one: Polynomial, two: Polynomial, j: int) -> bool:
        parts = one.by_monomial_in((THREAD,))
        if set(parts) - {(), (THREAD,)}:
            return False
        factor = parts.get((THREAD,), ZERO)
        if not self.apart:
            return two == one + factor * self.step.scaled(j)
        return (two - one).scaled(self.count) == factor.scaled(j)


def _has_own_memory(symbol: Symbol) -> bool:
    """Is it an array of the block, or a pointer that promises it?"""
    return symbol.type.kind is TypeKind.ARRAY or symbol.type.is_restrict


def _moves(place: Polynomial | None) -> bool:
    if place is None:
        return False
    parts = place.by_monomial_in((THREAD,))
    if set(parts) - {(), (THREAD,)}:
        return False
    return parts.get((THREAD,), ZERO).value not in (None, 0)


def _by_element(statement: Stmt, thread: Symbol, count: int, index: Symbol) -> Stmt:
    """`m * t` as the number of the element."""

    def replacement(node: Node) -> Node | None:
        match node:
            case Binary(op="*", left=left, right=right, type=ctype) if ctype.bits == INT.bits:
                sides = (strip_parens(left), strip_parens(right))
                factors = [integer_value(side) for side in sides]
                return VarRef(index) if VarRef(thread) in sides and count in factors else None
            case _:
                return None

    return rewrite(statement, replacement)


def _named_by_source(statements: list[Stmt], index: Symbol) -> tuple[Symbol, list[Stmt]]:
    """`int i = k` names the element."""
    for place, statement in enumerate(statements[:-1]):
        match statement:
            case Declare(variables=(variable,)) if variable.initial == VarRef(index):
                own = variable.symbol
            case _:
                continue
        if own.type.kind is not INT.kind or own.type.bits != INT.bits or not own.type.is_signed:
            continue
        plain = replace(own.type, spelling=own.type.spelling.replace("const ", ""))
        named = replace(own, type=plain, storage=Storage.INDEX)

        def renamed(
            node: Node, old: tuple[Symbol, ...] = (own, index), new: Symbol = named
        ) -> Node | None:
            return VarRef(new) if isinstance(node, VarRef) and node.symbol in old else None

        rest = [one for at, one in enumerate(statements) if at != place]
        return named, [rewrite(one, renamed) for one in rest]
    return index, statements


def _with_comments_of(first: Stmt, others: Iterable[Stmt]) -> Stmt:
    """The first statement with the comments of all."""
    lines = [line for one in others for line in comments_of(one)]
    before = tuple(dict.fromkeys((*first.trivia.before, *lines)))
    return replace(first, trivia=replace(first.trivia, before=before))
