"""Values in braces that the variable cannot hold as they are get casts.

    int n[] = {0.0, x};              int n[] = {int(0.0), int(x)};
    char c[2] = {300, 'a'};    ->    char c[2] = {char(300), 'a'};
    T v[2] = {i, 0};                 T v[2] = {T(i), 0};

C++ does not allow such a narrowing ([dcl.init.list]); nvcc warns of it in device code. Constants
that fit stay, and so do unsigned numbers that become signed unless they come from memory or from
outside: what is unsigned in CUDA because of `threadIdx` is not in the translation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from g2o.analysis.braces import initialised
from g2o.analysis.value_types import value_type
from g2o.ir.expressions import (
    Cast,
    Expr,
    Form,
    Index,
    InitList,
    Literal,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Node
from g2o.ir.symbols import Storage
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import CType, TypeKind


def with_explicit_narrowing(kernel: Kernel) -> Kernel:
    """The kernel with casts where braces narrow."""
    targets = {id(value): ctype for value, ctype in narrowed(kernel.body)}
    if not targets:
        return kernel

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Expr) or id(node) not in targets:
            return None
        return Cast(strip_parens(node), targets[id(node)], span=node.span, form=Form.BUILT)

    body = rewrite(kernel.body, replacement)
    return replace(kernel, function=replace(kernel.function, body=body))


def narrowed(body: Node) -> Iterator[tuple[Expr, CType]]:
    """The values in braces that need a cast, with the types of what they initialise."""
    for node in walk(body):
        if isinstance(node, InitList) and node.said is None:
            for value, ctype in initialised(node):
                if not isinstance(value, InitList) and _narrows(value, ctype):
                    yield value, replace(ctype, spelling=ctype.spelling.removeprefix("const "))


def _narrows(value: Expr, to: CType) -> bool:
    of = value_type(value)
    if to.kind is TypeKind.DEPENDENT:  # some instance may be narrower
        return of.is_arithmetic and to.converts_by_name and not _is_constant(value)
    if not of.is_arithmetic or not to.is_arithmetic or to.kind is TypeKind.BOOL:
        return False
    if of.kind is TypeKind.FLOATING:
        if to.kind is not TypeKind.FLOATING:
            return True
        return of.bits > to.bits and not _is_constant(value)
    constant = integer_value(value)
    if to.kind is TypeKind.FLOATING:
        return constant is None
    if constant is not None:
        least = -(1 << (to.bits - 1)) if to.is_signed else 0
        return not least <= constant < least + (1 << to.bits)
    if of.bits > to.bits or (of.is_signed and not to.is_signed):
        return True
    plain = strip_parens(value)
    outside = isinstance(plain, VarRef) and plain.symbol.storage is Storage.PARAMETER
    of_memory = isinstance(plain, Index) or outside
    return of_memory and of.bits == to.bits and of.is_signed != to.is_signed


def _is_constant(value: Expr) -> bool:
    return integer_value(value) is not None or all(
        isinstance(node, Literal) for node in walk(value) if not _has_parts(node)
    )


def _has_parts(node: Node) -> bool:
    return sum(1 for _ in walk(node)) > 1
