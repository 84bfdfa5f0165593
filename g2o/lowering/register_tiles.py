"""Tiles of sums that a thread goes over again and again stay in its registers.

    for (int t = 0; t < 64; ++t)                 for (int t = 0; t < 64; ++t) {
        for (int k = 0; k < 8; ++k) {                float my_sum[8][8];
            ... a[8], b[8] ...                       std::memcpy(my_sum, sum[t], sizeof(my_sum));
            for (int i = 0; i < 8; ++i)              for (int k = 0; k < 8; ++k) {
                for (int j = 0; j < 8; ++j)  ->          ... a[8], b[8] ...
                    sum[t][i][j] += a[i] * b[j];         for (int i = 0; i < 8; ++i)
        }                                            #pragma omp simd
                                                             for (int j = 0; j < 8; ++j)
                                                                 my_sum[i][j] += a[i] * b[j];
                                                     }
                                                     std::memcpy(sum[t], my_sum, sizeof(my_sum));
                                                 }

Neighbours that go through such loops together would load and store every sum in every turn; a
thread's own array, that nothing leads to, compilers hold in registers. They make vectors of its
rows (Callahan, Carr and Kennedy, "Improving Register Allocation for Subscripted Variables", PLDI
1990).

Legal because what a thread keeps is its own: nobody else looks at it in the loop, which names it by
elements only and is left by its end. The turns of the vector loop store to different elements, and
read no other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, final

from g2o.analysis.constant_turns import constant_turns
from g2o.analysis.effects import statements_of, symbols_in
from g2o.analysis.jumps import leaves_beyond
from g2o.analysis.loop_heads import start_of, step_of
from g2o.analysis.lvalues import root_symbol, viewed_elements
from g2o.analysis.strides import FAR, Loop, Strides, counter_of, size_of
from g2o.ir.directives import NO_DIRECTIVE, SIMD
from g2o.ir.expressions import (
    Assign,
    Binary,
    Expr,
    Form,
    Index,
    Literal,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import (
    CountedLoop,
    Declare,
    DoWhile,
    ExprStatement,
    For,
    Node,
    Stmt,
    Text,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import INT, CType, TypeKind
from g2o.lowering.context import LoweringContext
from g2o.lowering.indices import block_of
from g2o.lowering.simd import may_vectorise

Statements = tuple[Stmt, ...]

_VECTOR: Final = 32
"""Bytes of a vector: fewer elements beside each other had better be those of neighbours."""
_MOST_BYTES: Final = 1024


@final
@dataclass(frozen=True, slots=True)
class _Tile:
    """The elements of a thread, as an expression, the array they lie in, and the loop that goes
    over a row of them: as a vector, if that is all it does."""

    elements: Expr
    array: Symbol
    loop: For
    is_vector: bool


def tiled_arrays(context: LoweringContext, threads: CountedLoop) -> frozenset[Symbol]:
    """The arrays that hold tiles of the threads of a loop."""
    return frozenset(one.array for one in _tiles(context, threads))


def with_register_tiles(context: LoweringContext, statements: Statements) -> Statements:
    """Threads with copies of the tiles that are kept for them, for as long as a loop goes over
    them."""

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, CountedLoop) or not _is_over_threads(node):
            return None
        tiles = list(_tiles(context, node))
        if not tiles:
            return node
        vectors = {id(t.loop) for t in tiles if t.is_vector and may_vectorise(t.loop.body)}
        changes = partial(_in_tile, vectors)
        kept = {one.elements: one.array for one in tiles if one.array.storage is Storage.BLOCK}
        new: list[Stmt] = []
        for statement in statements_of(node.body):
            own = {row: array for row, array in kept.items() if _is_own(statement, row, array)}
            made = rewrite(statement, changes)
            new += _with_copies(context, made, own)
        return replace(node, body=block_of(tuple(new)), form=Form.BUILT)

    return tuple(rewrite(one, replacement) for one in statements)


def _is_over_threads(loop: CountedLoop) -> bool:
    """Is it the innermost of those over threads?"""
    if loop.index.storage is not Storage.INDEX or loop.directive.is_simd:
        return False
    return not any(isinstance(one, CountedLoop) for one in walk(loop.body))


def _tiles(context: LoweringContext, threads: CountedLoop) -> Iterator[_Tile]:
    if _is_over_threads(threads):
        yield from _updated(context, threads.body, Strides.of(threads), ())


def _updated(
    context: LoweringContext, node: Node, strides: Strides, around: tuple[Loop, ...]
) -> Iterator[_Tile]:
    """The tiles of which all turns of one of the loops `around` update the same elements."""
    if isinstance(node, For):
        targets = _targets(node, _turns(context, node))
        moved = [strides.address(target, node) for target in targets]
        fit = all(one in (0, size_of(two.type)) for one, two in zip(moved, targets, strict=True))
        for target, distance in zip(targets, moved, strict=True):
            found = _row(target) if fit and distance else None
            if found and any(strides.address(target, one) == 0 for one in around):
                apart = all(_is_beside(one, node) for one in targets)
                yield _Tile(*found, node, apart)
    inner = (*around, node) if isinstance(node, For | While | DoWhile) else around
    for child in children(node):
        yield from _updated(context, child, strides, inner)


def _is_beside(target: Index, loop: For) -> bool:
    """Has each turn an element of its own, the next one? (Strides are a measure of cost only.)"""
    counter = counter_of(loop)
    if counter is None or counter in symbols_in(target.base):
        return False
    return _counts_up(target.index, counter)


def _targets(loop: For, turns: int) -> list[Index]:
    """The elements that a loop of a few turns updates in each, if that is all it does."""
    found: list[Index] = []
    if loop.directive != NO_DIRECTIVE:
        return []
    for statement in statements_of(loop.body):
        match statement:
            case ExprStatement(expr=Assign(op=op, target=target, value=value)):
                place, array = strip_parens(target), root_symbol(target)
            case _:
                return []
        if not isinstance(place, Index) or array is None:
            return []
        if turns * size_of(array.type.innermost) < _VECTOR:
            return []
        read = sum(node == place for node in walk(value))
        others = sum(node == VarRef(array) for node in walk(loop.body)) - read - 1
        if others or (op == "=" and not read):
            return []
        found.append(place)
    return found


def _turns(context: LoweringContext, loop: For) -> int:
    """How many there are, as the text or the launches say; many where a template has some number.
    0 where it is none that compilers know."""
    turns = constant_turns(loop)
    if turns is not None:
        return len(turns.values)
    match loop.condition:
        case Binary(op="<", right=limit) if isinstance(limit := strip_parens(limit), Literal):
            launched = context.launched(limit.text)
            return _VECTOR if launched is None else launched
        case _:
            return 0


def _row(target: Index) -> tuple[Expr, Symbol] | None:
    """What a thread has of the array that an element is of, and the array."""
    array = root_symbol(target)
    if array is None or array.type.kind is not TypeKind.ARRAY or not _is_small(array.type):
        return None
    place: Expr = target
    for _ in range(_rank(array.type)):
        if not isinstance(place, Index):
            return None
        place = strip_parens(place.base)
    match array.storage:
        case Storage.LOCAL if isinstance(place, VarRef):
            return place, array
        case Storage.BLOCK if isinstance(place, Index) and _is_of_thread(place):
            return place, array
        case _:
            return None


def _is_small(ctype: CType) -> bool:
    """Is it an array for registers? So are those that have as many elements as a template says."""
    known = size_of(ctype)
    return known <= _MOST_BYTES or known >= FAR


def _is_of_thread(elements: Expr) -> bool:
    """Are threads, by their indices alone, all that tells such elements apart?"""
    while isinstance(elements, Index):
        if any(one.storage is not Storage.INDEX for one in symbols_in(elements.index)):
            return False
        elements = strip_parens(elements.base)
    return isinstance(elements, VarRef)


def _rank(ctype: CType) -> int:
    return 1 + _rank(ctype.element) if ctype.kind is TypeKind.ARRAY and ctype.element else 0


def _in_tile(vectors: set[int], node: Node) -> Node | None:
    match node:
        case For() if id(node) in vectors:
            return replace(node, directive=SIMD, form=Form.BUILT)
        case For():
            return _by_elements(node)
        case _:
            return None


def _by_elements(loop: For) -> For | None:
    """`for (i = 0; i < 8; i += 4) *(float4 *)&a[i] = *(float4 *)&s[k + i];`, `a` of a thread's own,
    one element at a time: what is stored as a vector is in no registers of single elements.

    Legal as the loop goes over all of the array, and each vector is elements of it.
    """
    started = start_of(loop.initial)
    stepped = started and loop.increment and step_of(loop.increment, started[0])
    match statements_of(loop.body):
        case (ExprStatement(expr=Assign(op="=", target=target, value=value)),):
            views = viewed_elements(strip_parens(target)), viewed_elements(strip_parens(value))
        case _:
            return None
    if not started or not stepped or stepped[1] or integer_value(started[1]) != 0:
        return None
    counter, count = started[0], integer_value(stepped[0])
    elements: list[Index] = []
    for view in views:
        if view is None or view[2] != count or view[1] not in (None, Literal("0", 0, INT)):
            return None
        if not isinstance(view[0], Index) or counter in symbols_in(view[0].base):
            return None
        if not _counts_up(view[0].index, counter):
            return None
        elements.append(view[0])
    to, what = elements
    if not _is_gone_over(to, loop.condition, counter):
        return None
    one = ExprStatement(Assign("=", to, what, to.type))
    step = Unary("++", VarRef(counter), type=INT)
    return replace(loop, increment=step, body=one, form=Form.BUILT)


def _is_gone_over(element: Index, condition: Expr | None, counter: Symbol) -> bool:
    """Does a counter go on to the end of the array, which is a thread's own?"""
    match element, condition:
        case (
            Index(base=VarRef(symbol=array), index=index),
            Binary(op="<", left=left, right=Literal(text=text, value=value)),
        ) if strip_parens(index) == left == VarRef(counter):
            extent = array.type.extent
            whole = value == extent if extent else array.type.spelling.endswith(f"[{text}]")
            return array.storage is Storage.LOCAL and _rank(array.type) == 1 and whole
        case _:
            return False


def _counts_up(index: Expr, counter: Symbol) -> bool:
    """Is it the counter, or the sum of that and of what does not depend on it?"""
    match strip_parens(index):
        case VarRef(symbol=symbol):
            return symbol == counter
        case Binary(op="+", left=left, right=right):
            inside = [one for one in (left, right) if counter in symbols_in(one)]
            return len(inside) == 1 and _counts_up(inside[0], counter)
        case _:
            return False


def _is_own(statement: Stmt, elements: Expr, array: Symbol) -> bool:
    """Does a loop name the array by these elements only, one at a time?"""
    if not isinstance(statement, For | While | DoWhile) or leaves_beyond(statement, set()):
        return False
    named = led_to = 0
    for node in walk(statement):
        named += node == VarRef(array)
        if isinstance(node, Unary) and node.op == "&" and array in symbols_in(node.operand):
            return False
        if isinstance(node, Index) and (found := _row(node)) is not None:
            led_to += found == (elements, array)
    return 0 < named == led_to


def _with_copies(
    context: LoweringContext, statement: Stmt, own: Mapping[Expr, Symbol]
) -> Iterator[Stmt]:
    """The statement between copies of these elements of the thread."""
    behind: list[Stmt] = []
    for elements, array in own.items():
        copy = context.symbols.fresh(f"my_{array.name}", array.type, Storage.LOCAL)
        copy = replace(copy, wish=f"my_{array.wish or array.name}")
        statement = rewrite(statement, partial(_named, elements, VarRef(copy)))
        suffix = _own_extents(context, array)
        yield Declare((Variable(copy, array.type.innermost.spelling, suffix),))
        yield _copied(VarRef(copy), elements, copy)
        behind.append(_copied(elements, VarRef(copy), copy))
    yield statement
    yield from behind


def _named(elements: Expr, copy: VarRef, node: Node) -> Node | None:
    return copy if node == elements else None


def _copied(to: Expr, what: Expr, copy: Symbol) -> Text:
    return Text(("std::memcpy(", to, ", ", what, f", sizeof({copy.name}));"))


def _own_extents(context: LoweringContext, array: Symbol) -> str:
    """The extents of what a thread has of an array, as the source spells them."""
    for node in walk(context.kernel.body):
        for one in node.variables if isinstance(node, Declare) else ():
            if one.symbol.name == array.name and one.symbol.type == array.type and one.suffix:
                return one.suffix
    return _suffix(array.type)


def _suffix(ctype: CType) -> str:
    own = f"[{ctype.extent}]" if ctype.kind is TypeKind.ARRAY else ""
    return own + (_suffix(ctype.element) if own and ctype.element else "")
