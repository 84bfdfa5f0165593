"""Threads of a parallel loop have their own copies of what its stores might change.

    #pragma omp parallel for                     #pragma omp parallel for firstprivate(x, n, w)
    for (int r = 0; r < n; ++r)                  for (int r = 0; r < n; ++r)
        for (int c = 0; c < w; ++c)       ->         for (int c = 0; c < w; ++c)
            x[r * w + c] += 1;                           x[r * w + c] += 1;

What threads share lies in memory, and for all that compilers know `x` leads there: a store of an
integer may change any integer, and they read it again in every turn. Where it is the end of a loop,
they do not know how many turns there are and make no vectors (clang 19.1; 2 to 11 times slower, g++
where a condition decides whether something is stored). Threads keep the end of their share in
memory, too; a shared pointer might lead to that, and clang warns of each loop it is asked to make
vectors of. A parameter leads to no local variable. Real numbers are told apart by their type.

Legal where nothing in the loop writes the variables: their copies are the same all the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from g2o.analysis.effects import (
    EffectsOf,
    declared_in,
    goes_through_pointer,
    root_symbol,
    symbols_in,
)
from g2o.analysis.functions import FunctionTable
from g2o.analysis.straight_line import obstacle
from g2o.ir.directives import Directive
from g2o.ir.expressions import Assign, Expr, Index, Unary
from g2o.ir.kernel import LoweredKernel
from g2o.ir.statements import Block, CountedLoop, Declare, DoWhile, For, Node, Stmt, While
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import UNSIGNED, CType, TypeKind, may_share_memory, unqualified
from g2o.transforms.invariants import made_in

_REALS: Final = frozenset({"float", "double"})
_LOOPS: Final = (CountedLoop, For, While, DoWhile)
_STORED: Final = (TypeKind.INTEGER, TypeKind.BOOL, TypeKind.DEPENDENT)
_BYTE: Final = 8


def own_copies(
    kernel: LoweredKernel, functions: FunctionTable, arguments: Mapping[str, str]
) -> LoweredKernel:
    """`arguments` are what all launches give for the parameters of the kernel's template."""
    return _with_copies(kernel, functions.for_node(Block(kernel.body)), arguments)


def own_stored_pointers(kernel: LoweredKernel) -> LoweredKernel:
    """The same for the pointers of vector loops alone, without which there would be warnings."""
    return _with_copies(kernel, None, {})


def _with_copies(
    kernel: LoweredKernel, effects: EffectsOf | None, arguments: Mapping[str, str]
) -> LoweredKernel:
    reals = frozenset(name for name, given in arguments.items() if given in _REALS)
    outside = _declared_outside(kernel)

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, CountedLoop) or not node.directive.is_worksharing:
            return None
        if node.directive.is_simd:
            node = replace(node, directive=_directive(node, reals))
        if effects is None:
            return node
        return _with(node, outside & {*_changeable(node, effects, reals)})

    body: tuple[Stmt, ...] = tuple(rewrite(statement, replacement) for statement in kernel.body)
    if all(after is before for after, before in zip(body, kernel.body, strict=True)):
        return kernel
    return replace(kernel, body=body)


def _declared_outside(kernel: LoweredKernel) -> set[Symbol]:
    """The parameters, and the numbers and pointers that the emitted function declares."""
    parameters = (one for one in kernel.function.parameters if "..." not in one.type.spelling)
    found = {*parameters, kernel.grid, kernel.block}
    for statement in kernel.body:
        for one in statement.variables if isinstance(statement, Declare) else ():
            told = one.declared.removeprefix("const ")
            is_shared = one.symbol.storage in (Storage.SHARED, Storage.DYNAMIC_SHARED)
            if not one.suffix and not is_shared and told in ("auto", unqualified(one.symbol.type)):
                found.add(one.symbol)
    return found


def _with(loop: CountedLoop, own: Iterable[Symbol]) -> CountedLoop:
    """The loop, whose threads have these for themselves, by their numbers: parameters in the order
    of the kernel."""
    directive = loop.directive
    told = directive.symbols | made_in(loop)
    more = {one for one in own if one not in told and one.storage is not Storage.GLOBAL}
    if not more:
        return loop
    copies = sorted({*directive.firstprivate, *more}, key=lambda symbol: symbol.id)
    return replace(loop, directive=replace(directive, firstprivate=tuple(copies)))


def _changeable(loop: CountedLoop, effects: EffectsOf, reals: frozenset[str]) -> Iterator[Symbol]:
    """What the innermost loops are told and their stores might change, for all compilers know, and
    the pointers that they store through. Only of loops that could be vectors without that."""
    made, written = made_in(loop), _written(loop, effects)
    for inner in _innermost(loop):
        if obstacle(inner.body, functions=effects.functions) is not None:
            continue
        stored = {
            root: target.type
            for target in _stores(inner.body)
            if (root := root_symbol(target)) is not None
            and (root not in made or root.type.kind is TypeKind.POINTER)
            and target.type.kind in _STORED
            and target.type.spelling not in reals
            and not _is_scattered(target)
        }
        seen = symbols_in(inner.body if _counts_first(inner) else inner)
        for one in seen if stored else ():
            leads = one in stored and one.type.kind is TypeKind.POINTER
            if leads or any(_may_hide(ctype, one.type) for ctype in stored.values()):
                if one not in written:
                    yield one


def _written(loop: CountedLoop, effects: EffectsOf) -> set[Symbol]:
    """The variables that the loop may write themselves, not only what they lead to."""
    done = effects.of(loop.body)
    found = done.writes | {one for one in done.memory_writes if one and one.type.is_arithmetic}
    for node in walk(loop.body):
        match node:
            case Unary(op="&", operand=place) if not goes_through_pointer(place):
                found |= {root_symbol(place) or loop.index}
            case _:
                pass
    return found


def _counts_first(inner: CountedLoop | For) -> bool:
    """Is it known how many turns there are before the first one, as OpenMP has it?"""
    return isinstance(inner, CountedLoop) and bool(inner.directive)


def _is_scattered(target: Expr) -> bool:
    """Does it lie where another element says?"""
    indices = (one.index for one in walk(target) if isinstance(one, Index))
    return any(isinstance(node, Index) for index in indices for node in walk(index))


def _may_hide(stored: CType, ctype: CType) -> bool:
    """May a store of the one type change a variable of the other?"""
    if ctype.is_volatile:
        return False
    if ctype.spelling == "dim3":
        return may_share_memory(stored, UNSIGNED)
    if ctype.kind is TypeKind.POINTER:
        return stored.bits == _BYTE
    if ctype.kind is TypeKind.RECORD:
        return _is_copied(ctype) and any(_may_hide(stored, member) for _, member in ctype.fields)
    return ctype.is_arithmetic and may_share_memory(stored, ctype)


def _innermost(loop: CountedLoop) -> Iterator[CountedLoop | For]:
    """The loops that have none inside."""
    for one in walk(loop):
        if isinstance(one, CountedLoop | For):
            if sum(isinstance(node, _LOOPS) for node in walk(one)) == 1:
                yield one


def _directive(loop: CountedLoop, reals: frozenset[str]) -> Directive:
    inside = declared_in(loop.body)
    stored = {
        root_symbol(target)
        for target in _stores(loop.body)
        if _may_hide_the_end(target.type, loop.index.type, reals)
    }
    if not stored:
        return loop.directive
    if stored & inside:  # pointers into what others lead to
        stored = {one for one in symbols_in(loop.body) - inside if _leads_to_stores(one)}
    if not all(one and (one.storage is Storage.GLOBAL or _is_copied(one.type)) for one in stored):
        return loop.directive.without("simd")  # a class of any kind
    return _with(loop, [one for one in stored if one is not None]).directive


def _stores(body: Node) -> list[Expr]:
    """What lies behind pointers and is stored to."""
    found: list[Expr] = []
    for node in walk(body):
        match node:
            case Assign(target=target) | Unary(op="++" | "--", operand=target):
                if goes_through_pointer(target):
                    found.append(target)
            case _:
                pass
    return found


def _may_hide_the_end(stored: CType, index: CType, reals: frozenset[str]) -> bool:
    return stored.spelling not in reals and may_share_memory(stored, index)


def _is_copied(ctype: CType) -> bool:
    """Is a copy nothing but the same bytes: a pointer, or a structure of such and numbers?"""
    if ctype.kind is not TypeKind.RECORD:
        return ctype.kind is TypeKind.POINTER
    members = [member for _, member in ctype.fields]
    plain = all(one.is_arithmetic or one.kind is TypeKind.POINTER for one in members)
    return bool(members) and plain and not ctype.constructs


def _leads_to_stores(symbol: Symbol) -> bool:
    element = symbol.type.element
    pointer = symbol.type.kind is TypeKind.POINTER
    return pointer and element is not None and not element.is_const
