"""Threads go through their loops together, a strip of neighbours at a time.

    #pragma omp parallel for                      constexpr int strip = 128;
    for (int i = 0; i < n; ++i) {                 #pragma omp parallel for
        float least = FLT_MAX;                    for (int first = 0; first < n; first += strip) {
        for (int c = 0; c < m; ++c)                   const int end = std::min(first + strip, n);
            least = min(least, x[c * n + i]);         float least[strip];
        y[i] = least;                       ->        for (int i = first; i < end; ++i)
    }                                                     least[i - first] = FLT_MAX;
                                                      for (int c = 0; c < m; ++c)
                                                          for (int i = first; i < end; ++i)
                                                              least[i - first] = min(...);
                                                      for (int i = first; i < end; ++i)
                                                          y[i] = least[i - first];
                                                  }

The loop over threads is strip-mined and changes places with loops inside (Allen and Kennedy,
"Optimizing Compilers for Modern Architectures", 2001, 5.7 and 9.3); scalars are expanded.

Legal because threads of one barrier interval run in any order, also so that those of a strip wait
for each other after every iteration of a loop that all go through alike. The loops over a strip are
split as at barriers. It pays where the accesses of that loop move less from thread to thread than
from one of its iterations to the next (`strides.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeGuard, final

from g2o.analysis.definitions import constants_of, written_after_declaration
from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.analysis.straight_line import is_open_number, is_small_record
from g2o.analysis.strides import FAR, size_of
from g2o.diagnostics.diagnostic import Refusal
from g2o.ir.comments import around_both
from g2o.ir.directives import NO_DIRECTIVE, PARALLEL_FOR
from g2o.ir.expressions import (
    Binary,
    Cast,
    Code,
    Expr,
    Form,
    Literal,
    Paren,
    VarRef,
    integer_value,
)
from g2o.ir.jumps import returning
from g2o.ir.single_declarations import split_declarations
from g2o.ir.statements import (
    NO_TRIVIA,
    Barrier,
    Block,
    CountedLoop,
    Declare,
    DeclareTypes,
    DoWhile,
    For,
    If,
    Labelled,
    LocalFunction,
    Node,
    Return,
    Scope,
    Stmt,
    Switch,
    Text,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import BOOL, INT, TypeKind
from g2o.lowering.bounded_loops import bound_loops
from g2o.lowering.chunks import ChunkLoop, by_chunks
from g2o.lowering.common_steps import steps_in_body, with_common_steps
from g2o.lowering.context import LoweringContext, substitute
from g2o.lowering.counting_loops import counting_loops
from g2o.lowering.elements_in_loops import keep_elements
from g2o.lowering.empty_turns import has_a_turn
from g2o.lowering.fission import Fission
from g2o.lowering.guards import is_never_negative, without_continues
from g2o.lowering.indices import block_of
from g2o.lowering.later_starts import CommonHeads
from g2o.lowering.narrow_scopes import narrow_scopes
from g2o.lowering.register_arrays import is_own_array
from g2o.lowering.register_tiles import tiled_arrays
from g2o.lowering.simd import may_be_vectors
from g2o.lowering.split_index_sets import within_a_run
from g2o.lowering.stride_loops import collapsed_loops
from g2o.lowering.strip_choice import Choice
from g2o.lowering.strips import StripGroup, by_element
from g2o.lowering.thread_group import LANES, WARP_SIZE
from g2o.lowering.uniform_choices import with_choices_apart
from g2o.lowering.varying_headers import without_varying_header
from g2o.lowering.vector_loops import becomes_vectors
from g2o.lowering.zero_arrays import with_zeros_apart

Statements = tuple[Stmt, ...]

_STRIP: Final = 128
_LONGEST: Final = 1024
_NEAR: Final = 8192  # bytes
_COMMENT: Final = "// Neighbours go through the loops together."
_FEW_COMMENT: Final = "// A few neighbours at a time: their sums do not wait for each other."
_TOGETHER: Final = Literal("8", 8, INT)
_MOST_KEPT: Final = 1024  # bytes of the arrays of a thread
_FEW_KEPT: Final = 64
"""Of these that loads and stores cost less of than a line of memory an iteration."""
_LEAST_NEIGHBOURS: Final = 8
"""Threads that make a loop worth to be the innermost."""


def strip_mine(context: LoweringContext, statements: Statements) -> Statements:
    """Interchange loops over threads with those inside of them where that pays."""
    constants = constants_of(block_of(statements), context.effects)
    return _StripMining(context, collapsed_loops(statements), constants).whole(statements)


@final
@dataclass(slots=True)
class _StripMining:
    context: LoweringContext
    collapsed: set[int]
    constants: dict[Symbol, Expr]
    size: Symbol | None = None
    length: int = _STRIP
    _named: Symbol | None = None  # what is called so where a strip comes about
    heads: CommonHeads | None = None  # of the loops in the one that is being mined

    def whole(self, statements: Statements) -> Statements:
        """The constant stands in front of the first loop that needs it."""
        result: list[Stmt] = []
        for statement in statements:
            known = self.size
            new = self._sequence((statement,))
            if known is None and self.size is not None:
                size = _number(self.length)
                result.append(Declare((Variable(self.size, "constexpr int", "", size, "="),)))
            result.extend(new)
        return tuple(result)

    def _sequence(self, statements: Statements) -> Statements:
        new = [self._statement(statement) for statement in statements]
        if new and new[-1] != statements[-1:]:
            new[-1] = _opened(new[-1])
        return tuple(one for some in new for one in some)

    def _statement(self, statement: Stmt) -> Statements:
        if isinstance(statement, CountedLoop) and self._is_innermost(statement):
            return self._mined(statement) or (statement,)
        return (rewrite(statement, self._inside),)

    def _inside(self, node: Node) -> Node | None:
        match node:
            case Block(statements=inner):
                new = self._sequence(inner)
                same = all(one is other for one, other in zip(new, inner, strict=False))
                if same and len(new) == len(inner):
                    return node
                return replace(node, statements=new, form=Form.BUILT)
            case CountedLoop() if self._is_innermost(node):
                new = self._mined(node)
                return node if new is None else block_of(_opened(new))
            case _:
                return None

    def _is_innermost(self, loop: CountedLoop) -> bool:
        """Is it the innermost of those over threads, and may another stand around it?"""
        alone = loop.directive in (NO_DIRECTIVE, PARALLEL_FOR) and id(loop) not in self.collapsed
        over_threads = loop.index.storage is Storage.INDEX or loop.threads is not None
        return (
            alone
            and loop.step is None
            and over_threads
            and not any(isinstance(one, CountedLoop) for one in walk(loop.body))
        )

    def _mined(self, loop: CountedLoop) -> Statements | None:
        context = self.context
        single = split_declarations(block_of(statements_of(loop.body)))
        loops = (For, While, DoWhile)
        if not any(isinstance(n, loops) for n in walk(single)):
            return None
        if loop.threads is not None:
            return self._in_rounds(loop, loop.threads)
        filled = with_zeros_apart(single.statements, context.symbols)
        single = single if filled is single.statements else block_of(filled)
        walking = _walking(single.statements, written_after_declaration(single, context.effects))
        if walking is None:
            return None
        narrow = narrow_scopes(single, _in_heads(single), context.effects, context.symbols, {})
        counting = counting_loops(list(narrow.statements), context.effects)
        whole = tuple(returning(one) for one in counting)
        choice = self._choice(loop, whole)
        if tiled_arrays(context, loop) and not (
            _bytes_of_arrays(whole) <= _FEW_KEPT and choice.loops() and choice.saves_lines(far=True)
        ):
            return None
        effects, symbols = context.effects, context.symbols
        if not walking and (triangle := self._in_a_triangle(loop, whole, choice)):
            return triangle
        chosen = tuple(with_choices_apart(one, choice.uniformity) for one in whole)
        in_bodies = partial(steps_in_body, lambda one: not choice.varies(one))
        stepped = tuple(rewrite(one, in_bodies) for one in chosen)
        apart = with_common_steps(stepped, choice.uniformity, effects, symbols)
        if apart is not None and walking:
            named = written_after_declaration(block_of(apart), effects)
            apart = None if _walking(apart, named) else apart
        made = None if apart is None else self._changing_places(loop, apart)
        if made or walking:
            return made
        return self._changing_places(loop, chosen) or self._side_by_side(loop, whole)

    def _in_rounds(self, loop: CountedLoop, threads: Literal) -> Statements | None:
        """A range that threads share out, as many iterations at a time as there are threads."""
        symbols, ctype = self.context.symbols, loop.index.type
        base = symbols.fresh("base", ctype, Storage.LOCAL)
        thread = symbols.fresh("t", INT, Storage.INDEX)
        within: Expr = VarRef(thread)
        if INT.bits > ctype.bits:
            within = Cast(within, ctype)
        own = Binary("+", VarRef(base), within, ctype)
        declared = Declare((Variable(loop.index, ctype.spelling, "", own, "="),))
        done = Block((declared, *statements_of(loop.body)))
        turn = If(Binary("<", own, loop.upper, BOOL), done)
        (inner,) = ChunkLoop(thread, threads)(turn, [], [], set()) or (loop,)
        made = self._mined(inner) if isinstance(inner, CountedLoop) and inner != loop else None
        if made is None:
            return None
        rounds = block_of(_opened(made))
        return (
            CountedLoop(base, loop.lower, loop.upper, rounds, step=threads, trivia=loop.trivia),
        )

    def _in_a_triangle(
        self, loop: CountedLoop, body: Statements, choice: Choice
    ) -> Statements | None:
        """With loops that threads begin or end one after another going through all threads'
        iterations, and what neighbours add to far from each other kept beside each other."""
        context, strides, threads = self.context, choice.strides, choice.threads
        effects, symbols = context.effects, context.symbols

        def is_far(place: Expr) -> bool:
            moved = strides.address(place, threads)
            return moved is None or abs(moved) > size_of(place.type)

        heads = CommonHeads(loop.index, symbols, self._positions(body), choice.uniformity, effects)
        made = heads.of(body)
        if not heads.made:
            return None
        heads.made.clear()
        made = heads.of(keep_elements(body, effects, symbols, is_far))
        self.heads = heads
        alike = self._choice(loop, made)
        chosen = alike.loops()
        found = [one for head in heads.made for one in walk(head) if id(one) in chosen]
        strips = self._with_outside(loop, made, alike, chosen, waits=False) if found else None
        self.heads = None
        return None if strips is None else bound_loops(strips, context)

    def _side_by_side(self, loop: CountedLoop, body: Statements) -> Statements | None:
        """With a few threads at a time in loops that wait for a sum, where these walk through
        memory of their own (unroll and jam: Allen and Kennedy, 8.4): the sums do not wait for each
        other. What is left of the threads goes one by one."""
        context, symbols = self.context, self.context.symbols
        if context.associative:
            return None  # sums in any order are vectors of their own
        few = _at_most(self._named_by(loop.upper), _STRIP)
        if integer_value(loop.lower) != 0 or few is not None:
            return None
        if context.effects.of_all(body).side_effects:
            return None  # sums of all threads are better made of those of each
        made = keep_elements(
            body, context.effects, symbols, lambda _: True, partial(self._has_turns, loop)
        )
        choice = self._choice(loop, made)
        chosen = choice.loops(choice.summing())
        if not chosen:
            return None
        rest = (one for one in made if one not in choice.positions)
        marked = tuple(rewrite(one, partial(_with_barrier, chosen, choice)) for one in rest)
        spelled = loop.index.type.spelling
        before, upper = self._counted(loop, spelled)
        first = symbols.fresh("first", loop.index.type, Storage.INDEX)
        end = Binary("+", VarRef(first), _TOGETHER, loop.index.type)
        given = (loop.index, VarRef(first), end, _TOGETHER, context.effects, choice.positions)
        try:
            split = self._split(StripGroup(*given, vectors=False), marked)
        except Refusal:
            return None
        if split is None:
            return None
        told = replace(loop.trivia, before=(*loop.trivia.before, _FEW_COMMENT))
        few = CountedLoop(
            first, loop.lower, upper, block_of(split), loop.directive, _TOGETHER, trivia=told
        )
        threads = integer_value(upper)
        if threads is not None and threads % (_TOGETHER.value or 1) == 0:
            return (*before, few)
        whole = symbols.fresh("whole", loop.index.type, Storage.GLOBAL)
        left = Binary("%", upper, _TOGETHER, loop.index.type)
        number = Binary("-", upper, left, loop.index.type)
        declared = Declare((Variable(whole, f"const {spelled}", "", number, "="),))
        few = replace(few, upper=VarRef(whole))
        others = replace(loop, lower=VarRef(whole), directive=NO_DIRECTIVE, trivia=NO_TRIVIA)
        return (*before, declared, few, others)

    def _has_turns(self, threads: CountedLoop, loop: For) -> bool:
        return has_a_turn(loop, threads, self._named_by(threads.upper), self.context.effects)

    def _positions(self, body: Statements) -> dict[Symbol, Expr]:
        """Numbers of a thread that stay what they are, and are made of others."""
        effects = self.context.effects
        constants = constants_of(block_of(body), effects)
        return {one: v for one, v in constants.items() if not effects.of(v).memory_reads}

    def _choice(self, loop: CountedLoop, body: Statements) -> Choice:
        positions = tuple(one for one in body if _is_position(one))
        return Choice(self.context.effects, replace(loop, body=block_of(body)), positions)

    def _changing_places(self, loop: CountedLoop, whole: Statements) -> Statements | None:
        """With the loops outside that pay there, and those in which neighbours wait together, where
        that makes vectors."""
        body = self._by_chunks(loop, whole)
        plain = tuple(rewrite(one, _without_continues) for one in body)
        alike = self._choice(loop, plain)
        waiting = alike.waiting()
        if not waiting <= alike.paying():
            made = self._with_outside(loop, plain, alike, alike.paying() | waiting, waits=True)
            if made is not None:
                return made
        choice = self._choice(loop, body)
        if body is not whole or choice.loops():
            return self._with_outside(loop, body, choice, choice.paying(), waits=False)
        return None

    def _with_outside(
        self,
        loop: CountedLoop,
        body: Statements,
        choice: Choice,
        wanted: frozenset[int],
        waits: bool,
    ) -> Statements | None:
        """The nest with the loops that are `wanted`, and may be, outside; None where none of them
        may, or what is left is not fit."""
        context = self.context
        positions = choice.positions
        chosen = choice.loops(wanted)
        if waits and not chosen:
            return None
        rest = (one for one in body if one not in positions)
        marked = tuple(rewrite(one, partial(_with_barrier, chosen, choice)) for one in rest)
        remarks = len(context.remarks)
        size = self.size
        try:
            made = self._strips(loop, positions, marked)
        except Refusal:
            made = None
        if made is not None and not waits and any(map(_holds_several, body)):
            fit = partial(_are_vectors_inside, index=loop.index, effects=context.effects)
            saved = _kept(body) <= _FEW_KEPT and choice.saves_lines(chosen)
            made = made if saved or all(map(fit, made)) else None
        if made is not None and waits:
            made = bound_loops(made, context)
            effects = context.effects
            made = made if all(_are_vectors(one, loop.index, effects) for one in made) else None
        if made is None:
            del context.remarks[remarks:]
            self.size = size
        return made

    def _by_chunks(self, loop: CountedLoop, body: Statements) -> Statements:
        """`body` with loops whose iterations the threads take in turns by chunks of neighbours.

        What threads do to memory stays in the order of each thread, so that nothing has to be known
        of it. No thread has left in front, and the first one takes part: what counts chunks is its
        index, and wraps around where that would have done so.
        """
        context, x = self.context, loop.index
        if integer_value(loop.lower) != 0:
            return body
        choice = Choice(context.effects, replace(loop, body=block_of(body)))
        varying = declared_in(block_of(body)) | context.effects.of_all(body).writes | {x}
        positions = self._positions(body)
        new: list[Stmt] = []
        for one in body:
            if any(isinstance(node, Return) for node in walk(one)):
                break
            new.append(rewrite(one, partial(self._chunks, choice, varying, positions)))
        new += body[len(new) :]
        return body if all(one is old for one, old in zip(new, body, strict=True)) else tuple(new)

    def _chunks(
        self, choice: Choice, varying: set[Symbol], positions: dict[Symbol, Expr], node: Node
    ) -> Node | None:
        """Such a loop by chunks, if all threads come to it together."""
        if isinstance(node, If | While | DoWhile):
            return node
        if not isinstance(node, For):
            return None
        context, x = self.context, choice.threads.index
        if choice.pays_by_chunks(node):
            told = (x, varying, context.effects, context.symbols)
            known = self._is_never_negative
            made = by_chunks(node, *told, whole=True, positions=positions, known=known)
            if made is not None:
                return made
        alike = node.condition is not None and choice.uniformity.is_uniform(node.condition)
        return None if alike else node

    def _named_by(self, end: Expr) -> Expr:
        """What a constant stands for."""
        value = self.constants.get(end.symbol) if isinstance(end, VarRef) else None
        return end if value is None else value

    def _is_never_negative(self, number: Expr) -> bool:
        """Is it the name of what is made of dimensions and indices?"""
        value = self.constants.get(number.symbol) if isinstance(number, VarRef) else None
        extents = self.context.kernel.shape.extents
        return value is not None and is_never_negative(value, extents, self._is_never_negative)

    def _strips(
        self, loop: CountedLoop, positions: tuple[Declare, ...], body: Statements
    ) -> Statements | None:
        """Raises Refusal where the loops cannot be split."""
        context, symbols, index = self.context, self.context.symbols, loop.index
        few = _at_most(self._named_by(loop.upper), _LONGEST)
        if few is not None and (few.value or 0) < _LEAST_NEIGHBOURS:
            return None
        spelled = index.type.spelling
        before, upper = self._counted(loop, spelled)
        heads = self.heads
        if few is not None and integer_value(loop.lower) == 0:
            if heads is not None:
                ends: dict[Symbol, Expr] = {heads.first: loop.lower, heads.end: upper}
                body = tuple(substitute(one, ends) for one in body)
            group = StripGroup(index, loop.lower, upper, few, context.effects, positions)
            made = self._split(group, body)
            if made is None:
                return None
            alone = _STRIP if loop.directive.is_parallel else max(_STRIP, _length(made))
            if (few.value or 0) <= alone:
                made = (*before, *made)
                if any(isinstance(one, Declare) for one in made):
                    return (Block(made, trivia=loop.trivia),)
                first_one = replace(made[0], trivia=around_both(loop.trivia, made[0].trivia))
                return (first_one, *made[1:])
        if self._named is None:
            self._named = symbols.fresh("strip", INT, Storage.GLOBAL)
        first_one, self.size = self.size is None, self._named
        first = heads.first if heads else symbols.fresh("first", index.type, Storage.INDEX)
        end = heads.end if heads else symbols.fresh("end", index.type, Storage.GLOBAL)
        size = VarRef(self.size)
        group = StripGroup(index, VarRef(first), VarRef(end), size, context.effects, positions)
        split = self._split(group, body)
        if split is None:
            return None
        if first_one:
            self.length = _STRIP if loop.directive.is_parallel else _length(split)
        explicit = "" if spelled == upper.type.spelling == "int" else f"<{spelled}>"
        last = Code(
            (f"std::min{explicit}(", VarRef(first), f" + {self.size.name}, ", upper, ")"),
            type=index.type,
        )
        inner = (
            Declare((Variable(end, f"const {spelled}", "", last, "="),)),
            *split,
        )
        told = replace(loop.trivia, before=(*loop.trivia.before, _COMMENT))
        nest = block_of(inner)
        made = CountedLoop(first, loop.lower, upper, nest, loop.directive, size, trivia=told)
        return (*before, made)

    def _counted(self, loop: CountedLoop, spelled: str) -> tuple[Statements, Expr]:
        """The end of a loop under a name, where it is more than a word or two."""
        if not any(isinstance(node, Code) for node in walk(loop.upper)):
            return (), loop.upper
        count = self.context.symbols.fresh("count", loop.index.type, Storage.GLOBAL)
        named = Declare((Variable(count, f"const {spelled}", "", loop.upper, "="),))
        return (named,), VarRef(count)

    def _split(self, group: StripGroup, body: Statements) -> Statements | None:
        shorten = ChunkLoop(group.index, group.high, group.positions, group.low)
        result = Fission(self.context, group, set(), shorten=shorten).run(body)
        if result.leaves_early:
            return None
        allocations, statements = by_element(result.allocations, result.statements, group)
        return (*allocations, *statements)


def _length(split: Statements) -> int:
    """Of strips that one CPU thread goes through one after the other: neighbours go through memory
    in longer pieces, as long as what they keep stays in the nearest cache."""
    kept = sum(
        size_of(variable.symbol.type)
        for one in split
        if isinstance(one, Declare)
        for variable in one.variables
        if variable.symbol.storage is Storage.BLOCK
    )
    length = _STRIP
    while length < _LONGEST and 2 * length * kept <= _NEAR:
        length *= 2
    return length


def _in_heads(body: Stmt) -> set[Symbol]:
    """What loops count and compare."""
    return {
        symbol
        for node in walk(body)
        if isinstance(node, For)
        for part in (node.initial, node.condition, node.increment)
        if part is not None
        for symbol in symbols_in(part)
    }


def _with_barrier(chosen: frozenset[int], choice: Choice, node: Node) -> Node | None:
    """What stands around the loops over a strip: the loops that were chosen, and what all threads
    decide alike in them, as no compiler makes vectors of long branches."""
    if not isinstance(node, For):
        return None
    own = id(node) in chosen
    if own:
        found = without_varying_header(node, choice.varies)
        node = found[1] if found is not None and not found[0] else node
    inside = _around_branches if own else _with_barrier
    inner = rewrite(node.body, partial(inside, chosen, choice))
    if own:
        inner = Block((*statements_of(inner), Barrier(Scope.ROW)))
    return node if inner is node.body else replace(node, body=inner, form=node.form.BUILT)


def _around_branches(chosen: frozenset[int], choice: Choice, node: Node) -> Node | None:
    match node:
        case For():
            return _with_barrier(chosen, choice, node)
        case If(condition=condition) if choice.uniformity.is_uniform(condition):
            inside = partial(_around_branches, chosen, choice)
            then = _ended(rewrite(node.then, inside))
            other = None if node.otherwise is None else _ended(rewrite(node.otherwise, inside))
            return replace(node, then=then, otherwise=other, form=node.form.BUILT)
        case _:
            return None


def _ended(branch: Stmt) -> Stmt:
    if isinstance(branch, If):
        return branch
    return Block((*statements_of(branch), Barrier(Scope.ROW)))


def _opened(statements: Statements) -> Statements:
    """Without a scope of its own, where nothing follows that could be hidden from it."""
    match statements:
        case (Block(statements=(first, *rest), trivia=trivia),):
            return (replace(first, trivia=around_both(trivia, first.trivia)), *rest)
        case _:
            return statements


def _without_continues(node: Node) -> Node | None:
    if not isinstance(node, For) or not isinstance(node.body, Block):
        return None
    body = without_continues(node.body)
    inner = rewrite(body, _without_continues)
    return node if inner is node.body else replace(node, body=inner, form=Form.BUILT)


def _are_vectors(node: Node, index: Symbol, effects: EffectsOf, inside: bool = False) -> bool:
    """Does nothing keep the loops over threads in other loops from being vectorised, and is no loop
    left in any of them?"""
    if isinstance(node, CountedLoop) and node.index == index:
        has_loops = any(isinstance(one, For) for one in walk(node.body))
        if not inside:
            return not has_loops
        body = within_a_run(node, statements_of(node.body), effects)
        return node.directive.is_simd or may_be_vectors(body, effects.functions)
    inside = inside or isinstance(node, For)
    return all(_are_vectors(child, index, effects, inside) for child in children(node))


def _holds_several(statement: Stmt) -> bool:
    """Does it declare an array, or a structure, of a thread?"""
    return isinstance(statement, Declare) and any(
        is_own_array(one) or is_small_record(one.symbol.type) for one in statement.variables
    )


def _are_vectors_inside(
    node: Node, index: Symbol, effects: EffectsOf, inside: bool = False
) -> bool:
    """Are the loops over threads in other loops vectors? Else arrays and structures of a thread had
    better stay in its registers."""
    if isinstance(node, CountedLoop) and node.index == index:
        return not inside or node.directive.is_simd or becomes_vectors(node, effects)
    inside = inside or isinstance(node, For)
    return all(_are_vectors_inside(child, index, effects, inside) for child in children(node))


def _bytes_of_arrays(body: Statements) -> int:
    """Of those that a thread declares anywhere."""
    declared = {symbol for one in body for symbol in declared_in(one)}
    return sum(size_of(one.type) for one in declared if one.type.kind is TypeKind.ARRAY)


def _kept(body: Statements) -> int:
    """Bytes of the arrays and structures of a thread."""
    types = [
        variable.symbol.type
        for statement in body
        if isinstance(statement, Declare)
        for variable in statement.variables
        if is_own_array(variable) or is_small_record(variable.symbol.type)
    ]
    known = all(one.kind is TypeKind.ARRAY or one.bits for one in types)
    return sum(map(size_of, types)) if known else FAR


def _number(value: int) -> Literal:
    return Literal(str(value), value, INT)


def _at_most(upper: Expr, room: int) -> Literal | None:
    """The constant that a limit never exceeds, if there is room for so many."""
    if upper == LANES:
        return Literal("g2o::warp_size", WARP_SIZE, INT)
    limits: tuple[Expr | str, ...] = (upper,)
    if isinstance(upper, Cast | Paren):
        return _at_most(upper.operand if isinstance(upper, Cast) else upper.inner, room)
    if isinstance(upper, Code) and str(upper.parts[0]).startswith("std::min"):
        limits = upper.parts
    if LANES in limits:
        return _at_most(LANES, room)
    known = [one for one in limits if not isinstance(one, str) and integer_value(one)]
    least = min(known, key=lambda one: integer_value(one) or 0, default=None)
    value = None if least is None else integer_value(least)
    if value is None or value > room:
        return None
    return least if isinstance(least, Literal) else _number(value)


def _is_position(statement: Stmt) -> TypeGuard[Declare]:
    """Does it declare another index of the thread?"""
    match statement:
        case Declare(variables=(variable,)):
            return variable.symbol.storage is Storage.INDEX and variable.initial is not None
        case _:
            return False


def _walking(body: Statements, written: set[Symbol]) -> frozenset[Symbol] | None:
    """Pointers that go on from where they start: those have to stay there for a body to be split.
    None where it may not be in any case: only plain values are kept between loops, few enough for a
    stack that holds those of a strip, and pointers."""
    kept = 0
    walking: set[Symbol] = set()
    for statement in body:
        for variable in statement.variables if isinstance(statement, Declare) else ():
            ctype = variable.symbol.type
            is_lead = ctype.kind is TypeKind.POINTER and variable.initial is not None
            kept += size_of(ctype) if is_own_array(variable) else 0
            number = ctype.is_arithmetic or is_open_number(ctype)
            known = number or is_own_array(variable) or is_small_record(ctype)
            if not known and not is_lead:
                return None
            if is_lead and variable.symbol in written:
                walking.add(variable.symbol)
        others = Switch | Labelled | LocalFunction | Text | DeclareTypes
        if any(isinstance(node, others) for node in walk(statement)):
            return None
    return frozenset(walking) if kept <= _MOST_KEPT else None
