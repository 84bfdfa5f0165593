"""Threads that never wait go through their loops in chunks of neighbours.

    #pragma omp parallel for                      constexpr int chunk = 128;
    for (int i = 0; i < n; ++i) {                 #pragma omp parallel for
        float least = FLT_MAX;                    for (int first = 0; first < n; first += chunk) {
        for (int c = 0; c < m; ++c)                   const int end = std::min(first + chunk, n);
            least = min(least, x[c * n + i]);         float least[chunk];
        y[i] = least;                       ->        for (int i = first; i < end; ++i)
    }                                                     least[i - first] = FLT_MAX;
                                                      for (int c = 0; c < m; ++c)
                                                          for (int i = first; i < end; ++i)
                                                              least[i - first] = min(...);
                                                      for (int i = first; i < end; ++i)
                                                          y[i] = least[i - first];
                                                  }

Legal because threads without barriers run in any order: a chunk of them may as well wait for each
other after every turn of a loop that all go through alike. The loops over a chunk are split as at
barriers. It pays where neighbours read neighbouring elements in that loop, which are far from those
of its next turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.constant_turns import constant_turns
from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.ir.expressions import Binary, Call, Code, Expr, Form, Index, Literal, VarRef, integer_value
from g2o.ir.statements import (
    Barrier,
    Block,
    CountedLoop,
    Declare,
    DeclareTypes,
    DoWhile,
    For,
    Jump,
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
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT, TypeKind
from g2o.lowering.context import LoweringContext
from g2o.lowering.counting_loops import counting_loops
from g2o.lowering.fission import Fission
from g2o.lowering.indices import block_of
from g2o.lowering.interchange import is_offset, loop_variable
from g2o.lowering.simd import may_vectorise
from g2o.lowering.single_declarations import split_declarations

_CHUNK = 128
_COMMENT = "// Neighbours go through the loops together."
_MOST_TURNS = 16  # of a loop that compilers unroll


def chunk_points(context: LoweringContext, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """Put the threads of parallel loops into chunks where that pays."""

    result: list[Stmt] = []
    for statement in statements:
        new = None
        if isinstance(statement, CountedLoop) and statement.pragma == "omp parallel for":
            new = _chunked(context, statement)
        result.extend((statement,) if new is None else new)
    return tuple(result)


@final
@dataclass(frozen=True, slots=True)
class ChunkGroup:
    """The threads `first` to `end`, each called `index`."""

    index: Symbol
    first_index: Symbol
    end: Symbol
    chunk: Symbol
    effects: EffectsOf
    scope: Scope = Scope.ROW

    @property
    def described(self) -> dict[Symbol, str]:
        return {self.index: "the thread"}

    @property
    def lacks_threads(self) -> bool:
        return False

    def loop(self, body: tuple[Stmt, ...]) -> Stmt:
        nest = block_of(body)
        found = self.effects.of(nest)
        own = all(s is not None and s.storage is Storage.BLOCK for s in found.memory_writes)
        selects = own and not found.side_effects and is_arithmetic(nest)
        pragma = "omp simd" if selects or may_vectorise(nest) else ""
        inside = unrolled(nest) if pragma else nest
        return CountedLoop(self.index, VarRef(self.first_index), VarRef(self.end), inside, pragma)

    def element(self, symbol: Symbol) -> Expr:
        return Index(VarRef(symbol), self.current(), symbol.type)

    def first(self, symbol: Symbol) -> Expr:
        return Index(VarRef(symbol), Literal("0", 0, INT), symbol.type)

    def remote(self, symbol: Symbol, thread: Expr | None) -> Expr:
        raise AssertionError("threads that never wait do not read each other's values")

    def allocate(self, variable: Variable, element: str, array: Symbol) -> Stmt:
        suffix = f"[{self.chunk.name}]{variable.suffix}"
        return Declare((Variable(array, element, suffix, extents=variable.extents),))

    def outside(self) -> dict[Symbol, Expr]:
        return {self.index: VarRef(self.first_index)}

    def size(self) -> Expr:
        return VarRef(self.chunk)

    def current(self) -> Expr:
        return Binary("-", VarRef(self.index), VarRef(self.first_index), INT)

    def source_thread(self, operation: str, operand: Expr, width: Expr | None) -> Expr:
        raise AssertionError(f"{operation} between threads that never wait")


def unrolled(nest: Stmt) -> Stmt:
    """The body of a vector loop with its loops of few turns unrolled: clang++ vectorises no loop
    with a loop inside, and unrolls only from -O2 on by itself."""
    unroll = Text((f"#pragma GCC unroll {_MOST_TURNS}",))

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Block) or not any(isinstance(s, For) for s in node.statements):
            return None
        new: list[Stmt] = []
        for statement in node.statements:
            inner = rewrite(statement, replacement)
            new += [unroll, inner] if isinstance(inner, For) else [inner]
        return replace(node, statements=tuple(new), form=Form.BUILT)

    return rewrite(Block((nest,)) if isinstance(nest, For) else nest, replacement)


def _chunked(context: LoweringContext, loop: CountedLoop) -> tuple[Stmt, ...] | None:
    ctype = loop.index.type
    if loop.step is not None or integer_value(loop.lower) != 0 or ctype.spelling != "int":
        return None
    single = split_declarations(block_of(statements_of(loop.body)))
    body = tuple(counting_loops(list(single.statements), context.effects))
    if not may_split(body):
        return None
    marked = [_marked(statement, body, loop.index, context.effects) for statement in body]
    if all(new is old for new, old in zip(marked, body, strict=True)):
        return None
    symbols = context.symbols
    chunk = symbols.fresh("chunk", INT, Storage.GLOBAL)
    first = symbols.fresh("first", INT, Storage.INDEX)
    end = symbols.fresh("end", INT, Storage.GLOBAL)
    group = ChunkGroup(loop.index, first, end, chunk, context.effects)
    result = Fission(context, group, set()).run(tuple(marked))
    if result.leaves_early:
        return None
    last = Code(("std::min(", VarRef(first), " + ", VarRef(chunk), ", ", loop.upper, ")"), type=INT)
    inner = (
        Declare((Variable(end, "const int", "", last, "="),)),
        *result.allocations,
        *result.statements,
    )
    outer = CountedLoop(first, loop.lower, loop.upper, block_of(inner), loop.pragma, VarRef(chunk))
    size = Literal(str(_CHUNK), _CHUNK, INT)
    told = replace(loop.trivia, before=(*loop.trivia.before, _COMMENT))
    declare = Declare((Variable(chunk, "constexpr int", "", size, "="),), trivia=told)
    return declare, outer


def may_split(body: tuple[Stmt, ...], arrays: bool = False) -> bool:
    """Only plain values, or `arrays` of some, are kept between loops; no thread leaves early."""
    for statement in body:
        if isinstance(statement, Declare) and any(
            not (variable.symbol.type.innermost if arrays else variable.symbol.type).is_arithmetic
            for variable in statement.variables
        ):
            return False
        for node in walk(statement):
            match node:
                case Return() | Switch() | Labelled() | LocalFunction() | Text() | DeclareTypes():
                    return False
                case _:
                    pass
        if not isinstance(statement, (For, While, DoWhile)) and any(
            isinstance(node, Jump) for node in walk(statement)
        ):
            return False
    return True


def _marked(statement: Stmt, body: tuple[Stmt, ...], index: Symbol, effects: EffectsOf) -> Stmt:
    """A loop that is worth it, with a barrier at the end of each turn."""
    if not isinstance(statement, For) or not _is_worth_it(statement, body, index, effects):
        return statement
    turn = (*statements_of(statement.body), Barrier(Scope.ROW))
    return replace(statement, body=Block(turn), form=statement.form.BUILT)


def _is_worth_it(loop: For, body: tuple[Stmt, ...], index: Symbol, effects: EffectsOf) -> bool:
    counter = loop_variable(loop)
    head = [part for part in (loop.initial, loop.condition, loop.increment) if part is not None]
    if counter is None or len(head) < 3:
        return False
    written = effects.of(loop.body).writes
    own = set[Symbol]().union(*(declared_in(statement) for statement in body))
    named = {symbol for part in head for symbol in symbols_in(part)} - {counter}
    if named & (own | written | {index}) or counter in written:
        return False
    if any(effects.of(part).memory_reads or effects.of(part).side_effects for part in head):
        return False
    found = effects.of(loop.body)
    if found.memory_writes or found.side_effects or not is_arithmetic(loop.body):
        return False
    reads = list(_reads(loop.body, index))
    moving = {counter} | declared_in(loop.body)
    walks = any(symbols_in(read.index) & moving for read in reads)
    return walks and all(is_offset(read.index, index) for read in reads)


def _reads(body: Node, index: Symbol) -> Iterator[Index]:
    """The accesses that differ from thread to thread."""
    for node in walk(body):
        if isinstance(node, Index) and index in symbols_in(node):
            yield node


def is_arithmetic(body: Node) -> bool:
    """Conditions and loops of few turns around what can be vectorised."""
    for node in walk(body):
        match node:
            case For():
                if few_turns(node) is None:
                    return False
            case While() | DoWhile() | Jump():
                return False
            case Call():
                if not may_vectorise(node):
                    return False
            case Declare(variables=variables):
                if not all(variable.symbol.type.is_arithmetic for variable in variables):
                    return False
            case _:
                pass
    return True


def few_turns(loop: For, most: int = _MOST_TURNS) -> range | None:
    """The numbers among which the counter of a loop is in its turns, where those are constant and
    at most so many."""
    found = constant_turns(loop)
    if found is not None:
        values = found.values
        few = len(values) <= most
        return range(min(values, default=0), max(values, default=-1) + 1) if few else None
    match loop:
        case For(
            initial=Declare(variables=(variable,)),
            condition=Binary(op="<" | "<=" as op, right=limit),
        ) if variable.initial is not None and variable.symbol.type.kind is TypeKind.INTEGER:
            low, high = integer_value(variable.initial), integer_value(limit)
            if low is None or high is None or high - low > most:
                return None
            return range(low, high + (op == "<="))
        case _:
            return None
