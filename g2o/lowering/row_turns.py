"""Neighbouring rows that add to the same elements take turns.

    #pragma omp parallel for                     for (int turn = 0; turn < 2 * strip; turn += strip)
    for (int j = 0; j < rows; ++j)               #pragma omp parallel for
        for (int i = 0; i < n; ++i) {                for (int first = turn; first < rows;
            g2o::atomic_add(&d_u[up * n + i],             first += 2 * strip)
                            v);                          for (int j = first; j < ...; ++j)
            ...                              ->              ... d_u[up * n + i] += v; ...

The rows are coloured (as meshes are: Mudalige et al., "OP2", InPar 2012): every other strip of rows
is of one colour, and no two of a colour are neighbours, so that nothing need be atomic. Sums are
the same for any number of threads.

Legal where every access to an array is to a row that is a constant number of rows away from the
loop's own, for all rows that no edge is between (`index_sets`), and where a strip has no fewer rows
than that: those of one strip are done by one thread, and those at edges are done alone. Rows are
told apart by extents (`in_rows`). Shadows do not overlap, by the contract of adjoints.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.analysis.lvalues import root_symbol
from g2o.analysis.positions import minimum_of
from g2o.analysis.strides import counter_of
from g2o.ir.directives import NO_DIRECTIVE
from g2o.ir.expressions import (
    Binary,
    Call,
    Expr,
    Index,
    Literal,
    VarRef,
    Verbatim,
    integer_value,
    strip_parens,
)
from g2o.ir.increments import is_increment, is_reason, place_of, plain
from g2o.ir.kernel import LoweredKernel
from g2o.ir.names import names_in, symbols_behind
from g2o.ir.statements import (
    NO_TRIVIA,
    Block,
    CountedLoop,
    Declare,
    ExprStatement,
    For,
    If,
    Jump,
    JumpKind,
    LocalFunction,
    Node,
    Stmt,
    Text,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import INT, TypeKind
from g2o.lowering.context import minimum
from g2o.lowering.in_place import with_loops_replaced
from g2o.lowering.in_rows import Facts, Row, constant_of, row_of
from g2o.lowering.index_arithmetic import is_int, is_signed, without_index
from g2o.lowering.index_sets import Beside, Edges, IndexSets
from g2o.lowering.indices import block_of
from g2o.lowering.runs import over_runs, spelled_out
from g2o.lowering.strips import few_turns

_ROWS: Final = 4  # of a strip, or more where these reach farther
_ELEMENTS: Final = 256
_MOST_FAR: Final = 16  # times as many
_MOST_ALONE: Final = 16  # rows at an edge, one after the other
_COMMENT: Final = "// Strips of neighbours take turns: they add to the same elements."


def take_turns(lowered: LoweredKernel, functions: FunctionTable) -> LoweredKernel:
    """Plain additions in place of the atomic ones of such loops."""
    if not any(is_increment(node) for statement in lowered.body for node in walk(statement)):
        return lowered
    symbols = symbols_behind(lowered, names_in(lowered.body))
    effects = functions.for_node(Block(lowered.body))
    limits = _limits(lowered.body)

    def replaced(loop: CountedLoop) -> tuple[Stmt, ...]:
        made = None
        if _is_shared_out(loop):
            made = _Rows.of(loop, effects, limits).turned(symbols)
        return (loop,) if made is None else tuple(made)

    made = with_loops_replaced(lowered.body, replaced)
    return lowered if made is lowered.body else replace(lowered, body=made)


def _is_shared_out(statement: CountedLoop) -> bool:
    """Is it a loop whose turns threads share, each of which is done by one of them?"""
    directive = statement.directive
    return (
        directive.is_worksharing
        and "nowait" not in directive.clauses
        and statement.step is None
        and is_int(statement.index)
    )


def _is_row(node: Node) -> bool:
    """Is it a loop of more than a few turns?"""
    return isinstance(node, CountedLoop) or (isinstance(node, For) and few_turns(node) is None)


def _limits(statements: tuple[Stmt, ...]) -> dict[Symbol, tuple[Expr, ...]]:
    """`const int rows = std::min(n, m);`: what a variable is at most."""
    return {
        variable.symbol: tuple(map(strip_parens, minimum_of(strip_parens(variable.initial))))
        for statement in statements
        if isinstance(statement, Declare)
        for variable in statement.variables
        if variable.initial is not None and variable.declared.startswith("const ")
    }


@final
@dataclass(slots=True)
class _Rows:
    """The arrays that are added to in a loop over rows, with the rows of all their accesses, None
    for one that is not known."""

    loop: CountedLoop
    sets: IndexSets
    effects: EffectsOf
    limits: dict[Symbol, tuple[Expr, ...]]
    values: dict[Symbol, Expr]
    found: dict[Symbol, list[tuple[Row, Beside] | None]]

    @staticmethod
    def of(loop: CountedLoop, outer: EffectsOf, limits: dict[Symbol, tuple[Expr, ...]]) -> _Rows:
        effects = outer.within(loop.body)
        changing = declared_in(loop.body) | effects.of(loop.body).writes | {loop.index}
        inner = (node for node in walk(loop.body) if isinstance(node, CountedLoop))
        changing |= {node.index for node in inner}

        def is_uniform(expr: Expr) -> bool:
            found = effects.of(expr)
            return found.is_pure and not found.memory_reads and not symbols_in(expr) & changing

        values = _values(loop.body, effects)
        found: dict[Symbol, list[tuple[Row, Beside] | None]] = {one: [] for one in _added_to(loop)}
        made = _Rows(
            loop, IndexSets(loop.index, is_uniform, wraps=False), effects, limits, values, found
        )
        made._look(loop.body, Facts({}, {}).inside(loop, limits))
        return made

    def _look(self, node: Node, facts: Facts) -> None:
        match node:
            case Index(base=VarRef(symbol=array)) if array in self.found:
                self._note(array, node.index, facts)
            case If(condition=condition, then=then, otherwise=otherwise):
                whole = spelled_out(condition, self.values)
                self._look(condition, facts)
                self._look(then, facts.and_also(whole, False))
                if otherwise is not None:
                    self._look(otherwise, facts.and_also(whole, True))
                return
            case Block(statements=statements):
                for statement in statements:
                    self._look(statement, facts)
                    if isinstance(statement, If) and _goes_on(statement):
                        whole = spelled_out(statement.condition, self.values)
                        facts = facts.and_also(whole, True)
                return
            case CountedLoop():
                facts = facts.inside(node, self.limits)
            case For() if counter_of(node) not in self.effects.of(node.body).writes:
                facts = facts.inside(node, self.limits)
            case _:
                pass
        for child in children(node):
            self._look(child, facts)

    def _note(self, array: Symbol, index: Expr, facts: Facts) -> None:
        row = None
        if is_signed(index):
            row = row_of(spelled_out(index, self.values), self.sets.is_uniform, facts)
        there = None if row is None else self._away(row, facts)
        self.found[array].append(None if row is None or there is None else (row, there))

    def _away(self, row: Row, facts: Facts) -> Beside | None:
        """How many rows away that is, in the turns between edges."""
        there = self.sets.beside(row.number)
        if there is None:
            rest = without_index(row.number, self.loop.index)
            values = None if rest is None else facts.range_of(rest)
            ends = values or ()
            there = Beside(tuple(map(_number, ends))) if ends else None
        return there

    def turned(self, symbols: SymbolTable) -> list[Stmt] | None:
        """The loop with plain additions, in turns where these need it; None where none can be."""
        arrays = [one for one in self.found if self._is_apart(one)]
        spreads = [self._spread(one) for one in arrays]
        taken = {a: s for a, s in zip(arrays, spreads, strict=True) if s is not None}
        size = _ROWS if any(map(_is_row, walk(self.loop.body))) else _ELEMENTS
        if not taken or max(taken.values()) > _MOST_FAR * size:
            return None
        size = max(size, *taken.values())
        edges = Edges()
        for one in taken:
            for _, there in self._rows(one):
                edges |= there.edges
        body = rewrite(self.loop.body, _Plain(frozenset(taken)).inside)
        loop = replace(self.loop, body=body)
        edges = self._rim(edges)
        if edges is None:
            return None
        if not edges and not max(taken.values()):
            return [loop]
        told = replace(loop.trivia, before=(*loop.trivia.before, _COMMENT))
        alone = replace(loop.directive, collapse=1)
        loop = replace(loop, trivia=NO_TRIVIA, directive=alone)
        parts = _Parts(loop, symbols, VarRef(symbols.fresh("strip", INT, Storage.LOCAL)))
        if not max(taken.values()):
            parts = _Parts(loop, symbols, None)
        made = parts.between(loop.lower, loop.upper)
        if edges:
            first = symbols.fresh("from", loop.index.type, Storage.LOCAL)
            made = over_runs(
                loop, first, edges, symbols, lambda to: (parts.between(VarRef(first), to),)
            )
        if parts.size is None:
            return [replace(made, trivia=told)]
        declared = Declare((Variable(parts.size.symbol, "constexpr int", "", _number(size), "="),))
        return [replace(declared, trivia=told), made]

    def _rim(self, edges: Edges) -> Edges | None:
        """The edges, without those that are no turns of the loop; None where more than a few turns
        would have to be done alone."""
        facts = Facts({}, {}).inside(self.loop, self.limits)
        lower = facts.lowers.get(self.loop.index)
        above: list[tuple[Expr, Expr]] = []
        for end, offset in edges.above:
            last, amount = constant_of(end), constant_of(offset)
            if last is None or amount is None or lower is None:
                return None
            if last - amount >= lower + _MOST_ALONE:
                return None
            above += [(end, offset)] if last - amount >= lower else []
        for end, offset in edges.below:
            rest, amount = facts.below(self.loop.index, end), constant_of(offset)
            if rest is None or amount is None or rest + amount > _MOST_ALONE:
                return None
        return replace(edges, above=tuple(above))

    def _rows(self, array: Symbol) -> list[tuple[Row, Beside]]:
        return [one for one in self.found[array] if one is not None]

    def _is_apart(self, array: Symbol) -> bool:
        """Is the array used by its elements only, and by rows of one kind?"""
        rows = self._rows(array)
        if len(rows) < len(self.found[array]) or len({row.strides for row, _ in rows}) > 1:
            return False
        named = sum(isinstance(n, VarRef) and n.symbol == array for n in walk(self.loop.body))
        return named == sum(
            isinstance(n, Index) and n.base == VarRef(array) for n in walk(self.loop.body)
        )

    def _spread(self, array: Symbol) -> int | None:
        """How far apart the rows are that one turn adds to, which may begin at any place as long as
        all do."""
        rows = self._rows(array)
        firsts = [row.within[0] for row, _ in rows if row.within is not None]
        start = min(firsts) if len(firsts) == len(rows) else 0
        amounts: list[int] = []
        for row, there in rows:
            for offset in there.offsets:
                known = constant_of(offset)
                if known is None:
                    return None
                amounts += [known + by for by in row.reach(start)]
        return max(amounts) - min(amounts)


@final
@dataclass(frozen=True, slots=True)
class _Parts:
    """The additions to some arrays as plain ones, without the comments on why they are not."""

    loop: CountedLoop
    symbols: SymbolTable
    size: VarRef | None

    def between(self, lower: Expr, upper: Expr) -> CountedLoop:
        loop, size = self.loop, self.size
        if size is None:
            return replace(loop, lower=lower, upper=upper)
        turn, first = (
            VarRef(self.symbols.fresh(name, INT, Storage.INDEX)) for name in ("turn", "first")
        )
        end = minimum(Binary("+", first, size, INT), upper)
        rows = replace(loop, lower=first, upper=end, directive=NO_DIRECTIVE)
        both = Binary("*", _number(2), size, INT)
        shared = loop.directive.without("simd")
        strips = CountedLoop(first.symbol, turn, upper, block_of((rows,)), shared, both)
        some = both if integer_value(lower) == 0 else Binary("+", lower, both, INT)
        last = minimum(some, upper)
        return CountedLoop(turn.symbol, lower, last, block_of((strips,)), step=size)


@final
@dataclass(frozen=True, slots=True)
class _Plain:
    """The additions to some arrays, as plain ones, whose comments need not say why they are not."""

    arrays: frozenset[Symbol]

    def inside(self, node: Node) -> Node | None:
        match node:
            case ExprStatement(expr=Call() as call) if is_increment(call):
                if _array_of(call) not in self.arrays:
                    return None
                before = tuple(one for one in node.trivia.before if not is_reason(one))
                return replace(plain(call), trivia=replace(node.trivia, before=before))
            case _:
                return None


def _goes_on(choice: If) -> bool:
    """Is what follows only for turns that the condition does not hold for?"""
    last = statements_of(choice.then)[-1:]
    leaves = any(isinstance(one, Jump) and one.kind is JumpKind.CONTINUE for one in last)
    return leaves and choice.otherwise is None


def _number(value: int) -> Literal:
    return Literal(str(value), value, INT)


def _array_of(addition: Call) -> Symbol | None:
    """The parameter whose element is added to."""
    match strip_parens(place_of(addition)):
        case Index(base=VarRef(symbol=symbol)) if symbol.storage is Storage.PARAMETER:
            return symbol
        case _:
            return None


def _added_to(loop: CountedLoop) -> tuple[Symbol, ...]:
    """The arrays that are added to atomically; none where one of them is not known, or where text
    is that nobody looks into."""
    if any(isinstance(node, Text | LocalFunction | Verbatim) for node in walk(loop.body)):
        return ()
    own = declared_in(loop.body)  # of one thread alone
    calls = [n for n in walk(loop.body) if isinstance(n, Call) and is_increment(n)]
    added = [_array_of(one) for one in calls if root_symbol(place_of(one)) not in own]
    known = [one for one in added if one is not None]
    return tuple(dict.fromkeys(known)) if len(known) == len(added) else ()


def _values(body: Stmt, effects: EffectsOf) -> dict[Symbol, Expr]:
    """What the integers stand for that keep the value they are declared with."""
    written = written_after_declaration(body, effects)
    values: dict[Symbol, Expr] = {}
    for node in walk(body):
        for variable in node.variables if isinstance(node, Declare) else ():
            symbol, initial = variable.symbol, variable.initial
            plain_type = is_int(symbol) or symbol.type.kind is TypeKind.BOOL
            if initial is None or not plain_type or symbol in written:
                continue
            found = effects.of(initial)
            if found.is_pure and not found.memory_reads:
                values[symbol] = spelled_out(initial, values)
    return values
