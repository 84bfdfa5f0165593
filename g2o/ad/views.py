"""Pointers of another type into memory of real numbers.

    (float *)((char *)image + y * pitch)      rows that start every `pitch` bytes
    reinterpret_cast<const float4 *>(x)       four numbers at once
    reinterpret_cast<double *>(bytes)         memory that has no type of its own

A shadow has the layout of what it belongs to, so that the same pointer into the shadow leads to the
derivatives of what the pointer leads to: as long as both ends see the same kind of numbers there,
or memory of bytes is given a kind. What sees integers in place of real numbers has no derivative.

    float *b = (float *)(a + n);              behind the doubles of the shared memory of a block

Shared memory may have numbers of several kinds in it. What is read as one kind has been stored as
such by the kernel (C++ [basic.lval]: reading it as another is undefined), and going back the store
leaves zeros, which are zeros of any kind. Integers there have no derivatives: `extern __shared__
int memory[]` is for whatever it is read as.
"""

from __future__ import annotations

from typing import Final

from g2o.ad.origins import Origins
from g2o.ad.reals import fields_of
from g2o.analysis.effects import root_symbol
from g2o.ir.expressions import Cast
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.types import CType, TypeKind, number_name, unqualified

_BYTES: Final = frozenset({"char", "unsigned char", "signed char", "std::byte", "void", "uint8_t"})


def shows_same_numbers(cast: Cast, origins: Origins) -> bool:
    """Does the pointer that a conversion gives lead to the numbers that its origin holds?"""
    root = root_symbol(cast.operand)
    if root is None:
        return False
    origin, target = _numbers_in(root.type), _numbers_in(cast.type)
    if not origin or not target:
        return True
    is_known = None not in target and (None not in origin or _is_integer(root.type))
    if is_known and all(map(_is_of_block, origins.resolve(root))):
        return True
    return origin == target and len(origin) == 1 and None not in origin


def _is_integer(ctype: CType) -> bool:
    while ctype.element is not None:
        ctype = ctype.element
    return ctype.kind is TypeKind.INTEGER


def _is_of_block(origin: Symbol | None) -> bool:
    return origin is not None and origin.storage in (Storage.SHARED, Storage.DYNAMIC_SHARED)


def _numbers_in(ctype: CType) -> frozenset[str | None]:
    """The kinds of numbers in memory of this type: none for bytes, None where not all are real."""
    while ctype.element is not None:
        ctype = ctype.element
    if unqualified(ctype) in _BYTES:
        return frozenset()
    if ctype.kind in (TypeKind.FLOATING, TypeKind.DEPENDENT):
        return frozenset({number_name(ctype)})
    members = fields_of(ctype)
    if not members or any(member.is_indirect and not _is_array(member) for _, member in members):
        return frozenset({None})
    return frozenset(kind for _, member in members for kind in _numbers_in(member))


def _is_array(ctype: CType) -> bool:
    return ctype.kind is TypeKind.ARRAY
