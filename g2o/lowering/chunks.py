"""Threads of a row that each take every n-th element take one chunk of n after the other together.

    for tx
        for (int i = first + tx; i < end; i += n)
            sum += x[i];
becomes
    for (int base = first; base < end; base += n)
        #pragma omp simd
        for (int tx = 0; tx < std::min(n, end - base); ++tx) {
            int i = base + tx;
            sum[tx] += x[i];
        }

What a GPU reads at once, for neighbouring threads of one chunk, is then read one after the other,
and the inner loop can be vectorised. The head of the loop becomes the same for all threads, which
lets the loop change places with the one over the row (`interchange.py`); private values go into
arrays as at barriers. A thread takes part in a chunk when its own index is below the end, as
before, and goes through its chunks in order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import final

from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.analysis.grid_stride_form import step_of
from g2o.ir.directives import simd_where
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Code,
    Expr,
    Literal,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import (
    Barrier,
    Block,
    CountedLoop,
    Declare,
    DoWhile,
    For,
    If,
    Jump,
    Node,
    Return,
    Scope,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import BOOL, INT, CType, TypeKind
from g2o.lowering.guards import is_never_negative, without_continues
from g2o.lowering.indices import block_of
from g2o.lowering.intervals import Item
from g2o.lowering.simd import may_vectorise
from g2o.lowering.stride_forms import are_all, only_sums, start_of
from g2o.lowering.strips import few_turns
from g2o.lowering.thread_group import ZERO, needed_positions


def by_chunks(
    loop: For,
    x: Symbol,
    varying: set[Symbol],
    effects: EffectsOf,
    symbols: SymbolTable,
    extent: Expr | None = None,
    whole: bool = False,
    positions: Mapping[Symbol, Expr] | None = None,
    known: Callable[[Expr], bool] = lambda _: False,
    by_all: Callable[[Expr, Expr], bool] = lambda _, __: False,
) -> For | None:
    """The loop over chunks, with a barrier of the row after each, or None where it stays.

    `x` is the index of a thread in its row of `extent` threads, `varying` what may differ between
    the threads of a row. A loop over the range itself is better where nothing is private, unless
    it is known (`whole`) that there can be none. `positions` are other indices of the thread, by
    means of `x`; of some numbers it is `known` that they are never negative. `by_all`: with such a
    start and step all threads of a block go through one range.
    """
    match loop:
        case For(
            initial=Declare(variables=(variable,)),
            condition=Binary(op="<", left=left, right=end),
            increment=Assign() as increment,
        ) if variable.initial is not None and _bare(left, variable) == VarRef(variable.symbol):
            pass
        case _:
            return None
    index = variable.symbol
    first = start_of(variable.initial, x, positions)
    step = step_of(increment, index)
    if first is None or step is None or not _counts_up(variable, first, end, extent, known):
        return None
    named = symbols_in(first) | symbols_in(end) | symbols_in(step)
    head = effects.of_all((first, end, step))
    body = effects.of(loop.body)
    written = body.writes
    if not head.is_pure or named & (varying | {index} | written):
        return None
    # What the heads of threads read stays the same while the loop writes private values only.
    if head.memory_reads and (body.side_effects or not _is_private(body.memory_writes)):
        return None
    declared = replace(variable, initial_style="=")
    if index in written:
        declared = replace(declared, declared=f"const {variable.declared}")
        if index in effects.of(rewrite(loop.body, partial(_without_handed, index))).writes:
            return None
    work = without_continues(Block(statements_of(loop.body)))
    if any(isinstance(n, (Jump, Return)) or _is_long(n) for n in walk(work)):
        return None
    is_private = bool(symbols_in(loop.body) & (varying - declared_in(loop)))
    signed = index.type.is_signed and end.type.is_signed and x not in symbols_in(loop.body)
    sums = signed and extent is not None and are_all(step, extent) and only_sums(body)
    if (
        not is_private
        and not whole
        and (integer_value(first) == 0 or sums or by_all(variable.initial, step))
    ):
        return None
    ctype = replace(index.type, spelling=_plain(index.type), is_const=False)
    base = symbols.fresh("base", ctype, Storage.LOCAL)
    within: Expr = VarRef(x)
    if x.type.bits > ctype.bits:  # else the sum may wrap around when it is made narrow
        within = Cast(within, ctype)
    own: Expr = Binary("+", VarRef(base), within, ctype)
    own_index = Declare((replace(declared, initial=own),))
    begins: Expr = VarRef(base)
    compared = _compared_as(left, index, end)
    if compared is not None:
        if not is_never_negative(step, (), wide=compared.bits > INT.bits):
            return None
        own, begins = Cast(own, compared), Cast(begins, compared)
    chunk = If(Binary("<", own, end, BOOL), Block((own_index, *work.statements)))
    return For(
        Declare((Variable(base, ctype.spelling, "", first, "="),)),
        Binary("<", begins, end, BOOL),
        Assign("+=", VarRef(base), step, ctype),
        Block((chunk, Barrier(Scope.ROW))),
        trivia=loop.trivia,
        span=loop.span,
    )


def _bare(left: Expr, variable: Variable) -> Expr:
    """What is compared with the end of a loop, without a conversion that keeps its value: that of a
    signed counter that is never negative does."""
    left = strip_parens(left)
    index = variable.symbol.type
    if isinstance(left, Cast) and left.type.kind is TypeKind.INTEGER:
        if left.type.bits >= max(index.bits, INT.bits):
            return strip_parens(left.operand)
    return left


def _compared_as(left: Expr, index: Symbol, end: Expr) -> CType | None:
    """The type in which the counter is compared with the end, if that is another one."""
    left = strip_parens(left)
    own = left.type if isinstance(left, Cast) else index.type
    if end.type.bits > own.bits or (end.type.bits == own.bits and not end.type.is_signed):
        own = end.type
    same = own.bits == index.type.bits and own.is_signed == index.type.is_signed
    return None if same else replace(own, spelling=_plain(own), is_const=False)


def _is_long(node: Node) -> bool:
    """Is it a loop that compilers do not unroll?"""
    return isinstance(node, (While, DoWhile)) or (isinstance(node, For) and few_turns(node) is None)


def _without_handed(index: Symbol, node: Node) -> Node | None:
    """What is not known may be handed the index as a constant, which clang holds it to."""
    if not isinstance(node, Call) or node.key or VarRef(index) not in node.arguments:
        return None
    arguments = tuple(ZERO if one == VarRef(index) else one for one in node.arguments)
    return replace(node, arguments=arguments)


def _is_private(memory: set[Symbol | None]) -> bool:
    """Is it nothing but the arrays of private values that lowering has made?"""
    return all(symbol is not None and symbol.storage is Storage.BLOCK for symbol in memory)


@final
@dataclass(frozen=True, slots=True)
class ChunkLoop:
    """`if (base + x < end)` around what a row does is a bound of its loop, which begins at `low`.
    `positions` declares, inside the loop, other indices of the thread."""

    x: Symbol
    extent: Expr
    positions: tuple[Stmt, ...] = ()
    low: Expr = ZERO

    def __call__(
        self, statement: Stmt, repeated: list[Stmt], items: list[Item], once: set[Symbol]
    ) -> list[Stmt] | None:
        match statement:
            case If(
                condition=Binary(op="<", left=compared, right=end),
                then=Block(statements=body),
                otherwise=None,
            ):
                pass
            case _:
                return None
        match compared.operand if isinstance(compared, Cast) else compared:
            case Binary(op="+", left=VarRef() as base, right=own) if (
                own.operand if isinstance(own, Cast) else own
            ) == VarRef(self.x):
                pass
            case _:
                return None
        ctype = base.symbol.type
        if isinstance(compared, Cast):
            ctype = compared.type
        left = Binary("-", end, base, ctype)  # positive: the loop around compares base with end
        own_type = self.x.type
        wider = ctype.bits - ctype.is_signed > own_type.bits - own_type.is_signed
        least = ctype if wider else own_type
        plain = isinstance(self.extent, Literal) and self.extent.text.isdigit()
        same = ctype.spelling == least.spelling == _plain(end.type) == "int"
        explicit = "" if plain and same else f"<{least.spelling}>"
        bound: Expr = Code((f"std::min{explicit}(", self.extent, ", ", left, ")"), type=least)
        if least is not own_type:
            bound = Cast(bound, own_type)
        done = (*repeated, *body)
        nest = block_of((*needed_positions(self.positions, done), *done))
        directive = simd_where(may_vectorise(nest))
        return [CountedLoop(self.x, self.low, bound, nest, directive, trivia=statement.trivia)]


def _plain(ctype: CType) -> str:
    return ctype.spelling.replace("const ", "")


def _counts_up(
    variable: Variable,
    lower: Expr,
    limit: Expr,
    extent: Expr | None,
    known: Callable[[Expr], bool],
) -> bool:
    """Does comparing the first index of a step with the limit tell whether any thread takes part,
    without anything that wraps around? `extent` is known not to be negative."""
    index = variable.symbol.type
    if index.kind is not TypeKind.INTEGER or index.bits < INT.bits:
        return False
    if limit.type.kind is not TypeKind.INTEGER:
        return False
    if index.is_signed and limit.type.is_signed and limit.type.bits <= index.bits:
        return True
    named = (extent.text,) if isinstance(extent, Literal) else ()
    wide = index.bits > INT.bits
    return is_never_negative(lower, named, lambda e: e == extent or known(e), wide=wide)
