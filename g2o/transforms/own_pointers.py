"""Threads of a parallel vector loop have their own copies of pointers to integers it stores.

    #pragma omp parallel for simd                #pragma omp parallel for simd firstprivate(x)
    for (int i = 0; i < count; ++i)       ->     for (int i = 0; i < count; ++i)
        x[i] += 1;                                   x[i] += 1;

Threads keep the end of their share in memory. A shared `x` is read from memory, too, so that for
all clang knows (19.1) it leads to that end, and `x[i] = ...` changes how many turns there are: it
vectorises no such loop, and warns of each. A parameter leads to no local variable. Real numbers
are told apart from the end by their type.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from g2o.analysis.effects import declared_in, goes_through_pointer, root_symbol, symbols_in
from g2o.ir.directives import Directive
from g2o.ir.expressions import Assign, Expr, Unary
from g2o.ir.kernel import LoweredKernel
from g2o.ir.statements import CountedLoop, Node, Stmt
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import CType, TypeKind, may_share_memory

_REALS: Final = frozenset({"float", "double"})


def own_stored_pointers(kernel: LoweredKernel, arguments: Mapping[str, str]) -> LoweredKernel:
    """`arguments` are what all launches give for the parameters of the kernel's template."""
    reals = frozenset(name for name, given in arguments.items() if given in _REALS)

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, CountedLoop) or not _is_vector(node.directive):
            return None
        return replace(node, directive=_directive(node, reals))

    body: tuple[Stmt, ...] = tuple(rewrite(statement, replacement) for statement in kernel.body)
    if all(after is before for after, before in zip(body, kernel.body, strict=True)):
        return kernel
    return replace(kernel, body=body)


def _is_vector(directive: Directive) -> bool:
    """Do threads share out vectors of iterations?"""
    return directive.is_worksharing and directive.is_simd


def _directive(loop: CountedLoop, reals: frozenset[str]) -> Directive:
    inside = declared_in(loop.body)
    stored = {
        root_symbol(target)
        for target in _stores(loop)
        if _may_hide_the_end(target.type, loop.index.type, reals)
    }
    if not stored:
        return loop.directive
    if stored & inside:  # pointers into what others lead to
        stored = {one for one in symbols_in(loop.body) - inside if _leads_to_stores(one)}
    if not all(one and (one.storage is Storage.GLOBAL or _is_copied(one.type)) for one in stored):
        return loop.directive.without("simd")  # a class of any kind
    own = [one for one in _in_order(loop) if one in stored and one.storage is not Storage.GLOBAL]
    return replace(loop.directive, firstprivate=(*loop.directive.firstprivate, *own))


def _stores(loop: CountedLoop) -> list[Expr]:
    """What lies behind pointers and is stored to."""
    found: list[Expr] = []
    for node in walk(loop.body):
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


def _in_order(loop: CountedLoop) -> list[Symbol]:
    """The variables of the body, by their numbers: parameters in the order of the kernel."""
    return sorted(symbols_in(loop.body), key=lambda symbol: symbol.id)
