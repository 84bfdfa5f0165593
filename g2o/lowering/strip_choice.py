"""Which loops of threads change places with the loop over the threads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.analysis.jumps import leaves_beyond
from g2o.analysis.lvalues import root_symbol
from g2o.analysis.strides import Strides, accesses_in, counter_of, size_of
from g2o.analysis.uniformity import Uniformity, solve_uniformity
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Conditional,
    Expr,
    Literal,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import (
    CountedLoop,
    Declare,
    DoWhile,
    Empty,
    For,
    If,
    JumpKind,
    Node,
    Scope,
    Stmt,
    While,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import INT, TypeKind
from g2o.lowering.indices import block_of
from g2o.lowering.simd import may_be_vectors
from g2o.lowering.split_index_sets import within_a_run
from g2o.lowering.strips import MOST_ALIKE, few_turns, makes_vectors

_IN_ANY_ORDER: Final = frozenset({"+=", "-=", "*=", "^=", "|=", "&="})

_JUMPING: Final = frozenset({"%", "/", "&", ">>"})
_NEARLY_A_LINE: Final = 0.7  # what neighbours save that walk through elements of 16 bytes
_LINE: Final = 64  # bytes of memory that caches hold together
_MOST_STEP: Final = 16  # bytes from one iteration to the next
_MOST_APART: Final = 4  # members of a structure, which compilers still make vectors of


@final
@dataclass(slots=True)
class Choice:
    """Which loops in a loop over threads change places with it."""

    effects: EffectsOf
    threads: CountedLoop
    positions: tuple[Declare, ...] = ()
    strides: Strides = field(init=False)
    _uniformity: Uniformity | None = None

    def __post_init__(self) -> None:
        self.strides = Strides.of(self.threads)

    @property
    def uniformity(self) -> Uniformity:
        """What the threads have alike."""
        if self._uniformity is None:
            body = block_of(statements_of(self.threads.body))
            varying = {self.threads.index, *(one.variables[0].symbol for one in self.positions)}
            effects = self.effects.within(body)
            self._uniformity = solve_uniformity(body, Scope.ROW, effects, varying)
        return self._uniformity

    def varies(self, symbol: Symbol) -> bool:
        """May the variable differ between threads?"""
        return symbol in self.uniformity.varying

    def is_unrolled(self) -> bool:
        """Do neighbours go through all loops alike, with what is beside each other, in few enough
        iterations to be unrolled in a loop of vectors? What a thread keeps is in registers there;
        a loop around that of neighbours loads and stores it in each iteration."""
        body = self.threads.body
        loops = (one for one in walk(body) if isinstance(one, For))
        asked = (one.condition for loop in loops for one in walk(loop) if isinstance(one, If))
        return (
            makes_vectors(self.threads, self.effects, MOST_ALIKE)
            and all(map(self.uniformity.is_uniform, asked))
            and self.is_beside(body)
        )

    def paying(self) -> frozenset[int]:
        """Ids of the loops that had better be outside."""
        if self.is_unrolled():
            return frozenset()
        return frozenset(
            id(node)
            for node in walk(self.threads.body)
            if isinstance(node, For) and not _is_short(node) and self._pays(node)
        )

    def waiting(self) -> frozenset[int]:
        """Ids of the loops that a vector of neighbours may go through, where iterations of one wait
        for a value of the one before, which no compiler changes: neighbours wait once for all."""
        if self.is_unrolled():
            return frozenset()
        fit = [
            node
            for node in walk(self.threads.body)
            if isinstance(node, For) and not _unrolls(node) and self._is_fit(node)
        ]
        waits = any(self._carries(loop, _without_inner_loops(loop.body)) for loop in fit)
        return frozenset(map(id, fit)) if waits else frozenset()

    def summing(self) -> frozenset[int]:
        """Ids of innermost loops that wait for sums of the thread while they walk through memory
        that is its own, one element after the other, or the same for all."""
        return frozenset(
            id(node)
            for node in walk(self.threads.body)
            if isinstance(node, For) and few_turns(node) is None and self._sums(node)
        )

    def _sums(self, loop: For) -> bool:
        if counter_of(loop) is None or loop.condition is None:
            return False
        body = loop.body
        if any(isinstance(one, For | While | DoWhile | If | Conditional) for one in walk(body)):
            return False
        if not may_be_vectors(body, self.effects.functions) or self.effects.of(body).memory_writes:
            return False
        sums = [one for one in walk(body) if isinstance(one, Assign)]
        real = all(one.op in ("+=", "-=") and _is_real_variable(one.target) for one in sums)
        if not sums or not real or not self._carries(loop, body):
            return False
        across = [self.strides.address(one, self.threads) for one in accesses_in(body)]
        inside = [self.strides.address(one, loop) for one in accesses_in(body)]
        walks = all(
            one == 0 or (other is not None and 0 <= other <= _MOST_STEP)
            for one, other in zip(across, inside, strict=True)
        )
        return walks and any(one is not None and abs(one) >= _LINE for one in across)

    def _is_fit(self, loop: For) -> bool:
        """Is an iteration arithmetic, with what is the same for neighbours or beside them?"""
        if counter_of(loop) is None or loop.condition is None:
            return False
        own = self._within_a_run(_without_inner_loops(loop.body))
        return self.is_beside(own) and may_be_vectors(own, self.effects.functions)

    def is_beside(self, own: Stmt) -> bool:
        """Is all that is accessed the same for neighbours, or beside what they access?"""
        if self.effects.of(own).side_effects:
            return False
        places = list(accesses_in(own))
        if any(self._chooses(node) for one in self._indices(own, places) for node in walk(one)):
            return False  # an element at any distance
        return all(map(self._is_near, places))

    def _indices(self, own: Stmt, places: Sequence[Expr]) -> Iterator[Expr]:
        """What decides which elements are accessed: the accesses, and the values of the variables
        that they name, of theirs, and so on."""
        values: dict[Symbol, list[Expr]] = {}
        for node in walk(own):
            match node:
                case Declare(variables=variables):
                    for one in variables:
                        if one.initial is not None:
                            values.setdefault(one.symbol, []).append(one.initial)
                case Assign(target=VarRef(symbol=symbol), value=value):
                    values.setdefault(symbol, []).append(value)
                case _:
                    pass
        pending = list(places)
        while pending:
            one = pending.pop()
            yield one
            for symbol in symbols_in(one):
                pending += values.pop(symbol, [])

    def _chooses(self, node: Node) -> bool:
        """Is it one of several numbers, another one for each neighbour?"""
        if not isinstance(node, Call | Conditional) or node.type.kind is not TypeKind.INTEGER:
            return False
        return not self.uniformity.is_uniform(node)

    def _within_a_run(self, own: Stmt) -> Stmt:
        """What an iteration does for neighbours that no edge is between."""
        outer = (one for one in statements_of(self.threads.body) if isinstance(one, Declare))
        known = tuple(one for one in outer if one.variables[0].initial is not None)
        made = within_a_run(self.threads, (*known, *statements_of(own)), self.effects)
        return block_of(made.statements[len(known) :])

    def _is_near(self, access: Expr) -> bool:
        """Is it the same for a neighbour or beside it, perhaps a member of a small structure?"""
        distance = self.strides.address(access, self.threads)
        if distance is None or not 0 <= distance <= _MOST_APART * size_of(access.type):
            return False
        return not any(
            isinstance(node, Binary)
            and node.op in _JUMPING
            and self.strides.moves(node, self.threads) != 0
            for node in walk(access)
        )

    def _carries(self, loop: For, own: Stmt) -> bool:
        """Does an iteration read what the one before has assigned? Not sums of integers and what
        else compilers put together in any order, nor what all threads have alike."""
        inside = declared_in(loop.body)
        for node in walk(own):
            if not isinstance(node, Assign):
                continue
            place = strip_parens(node.target)
            root = root_symbol(place)
            if root is not None and not root.type.is_indirect:
                kept = root not in inside
            else:
                kept = self.strides.address(place, loop) == 0
            in_any_order = place.type.kind is TypeKind.INTEGER and node.op in _IN_ANY_ORDER
            differs = kept and not in_any_order and not self.uniformity.is_uniform(place)
            if differs and _is_read(place, own):
                return True
        return False

    def loops(self, wanted: frozenset[int] | None = None) -> frozenset[int]:
        """Ids of the loops that get a barrier at the end of each iteration: of those `wanted`, or
        of those that pay."""
        found = self.paying() if wanted is None else wanted
        if not found:
            return found
        return frozenset(self._possible(block_of(statements_of(self.threads.body)), found))

    def _possible(self, node: Node, wanted: frozenset[int]) -> Iterator[int]:
        """Those that all threads go through alike, with all loops around them."""
        if isinstance(node, For | While | DoWhile):
            alike = node.condition is not None and self.uniformity.is_uniform(node.condition)
            if not alike or self.uniformity.leaves_varying(node):
                return
            if id(node) in wanted:
                yield id(node)
        for child in children(node):
            yield from self._possible(child, wanted)

    def _pays(self, loop: For) -> bool:
        if counter_of(loop) is None or loop.condition is None:
            return False
        own = _without_inner_loops(loop.body)
        found = self.effects.of(own)
        if found.side_effects or not any(True for _ in accesses_in(own)):
            return False
        return self.strides.is_better_outside(loop, self.threads, own)

    def saves_lines(self, chosen: frozenset[int] | None = None, far: bool = False) -> bool:
        """Does an iteration of the innermost loops, of those chosen or of those that pay, wait for
        a line of memory (of `far` memory, if that is said) less, or nearly so?"""
        chosen = self.loops() if chosen is None else chosen
        loops = [n for n in walk(self.threads.body) if isinstance(n, For) and id(n) in chosen]
        innermost = [one for one in loops if not any(id(n) in chosen for n in walk(one.body))]
        return all(
            self.strides.is_better_outside(
                one, self.threads, _without_inner_loops(one.body), gain=_NEARLY_A_LINE, far=far
            )
            for one in innermost
        )

    def pays_by_chunks(self, loop: For) -> bool:
        """Do neighbours move less than a thread does, if functions access what they are told of?"""
        told = [
            argument
            for node in walk(loop.body)
            if isinstance(node, Call) and self._may_access(node)
            for argument in node.arguments
            if argument.type.kind is TypeKind.INTEGER
        ]
        return self.strides.is_better_outside(loop, self.threads, loop.body, told)

    def _may_access(self, call: Call) -> bool:
        """Does the function do more than arithmetic with what it is told?"""
        nothing = (Literal("0", 0, INT),) * len(call.arguments)
        found = self.effects.of(replace(call, arguments=nothing))
        return not found.is_pure or bool(found.memory_reads)


def _unrolls(loop: For) -> bool:
    """Do compilers make straight-line code of the loop, which they vectorise?"""
    guarded = any(isinstance(node, If) for node in walk(loop.body))
    return few_turns(loop) is not None and not guarded


def _is_real_variable(place: Expr) -> bool:
    bare = strip_parens(place)
    return isinstance(bare, VarRef) and bare.type.kind is TypeKind.FLOATING


def _is_short(loop: For) -> bool:
    """Does it have few iterations, all of them? No compiler makes straight-line code of those that
    data end."""
    return few_turns(loop) is not None and not leaves_beyond(loop.body, {JumpKind.CONTINUE})


def _is_read(place: Expr, body: Stmt) -> bool:
    """Is it used for more than to be assigned?"""
    named = sum(node == place for node in walk(body))
    return named > sum(
        isinstance(node, Assign) and node.op == "=" and strip_parens(node.target) == place
        for node in walk(body)
    )


def _without_inner_loops(body: Stmt) -> Stmt:
    """What an iteration does itself."""

    def replacement(node: Node) -> Node | None:
        inner = isinstance(node, While | DoWhile) or (isinstance(node, For) and not _is_short(node))
        return Empty() if inner else None

    return rewrite(body, replacement)
