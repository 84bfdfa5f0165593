"""PyTorch's accessors as what they are: arrays of several dimensions that somebody else holds.

const torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> x
    as   const scalar_t (*__restrict__ x)[]     with the spelling of the accessor

Copies of an accessor share its elements. No two indices lead to one element that is written: that
is what PyTorch asks of tensors that are written to.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from g2o.frontend.cuda.clang_api import ClangType
from g2o.frontend.cuda.class_templates import split_template_arguments
from g2o.ir.types import CType, TypeKind

_ACCESSOR: Final = re.compile(
    r"(?:const )?(?:\w+::)*(?:Generic)?(?:Packed)?TensorAccessor(?:32|64)?<.*>"
)
_SPACES: Final = ("at", "headeronly", "detail")
_OPEN: Final = "type-parameter-"


def accessor_type(
    raw: ClangType, canonical: ClangType, spelling: str, read: Callable[[ClangType], CType]
) -> CType | None:
    """The type of an accessor that is spelled so; None for other types."""
    if "TensorAccessor" not in canonical.spelling or canonical.kind not in ("RECORD", "UNEXPOSED"):
        return None
    space = canonical.declaration.semantic_parent
    if space is None or space.kind != "NAMESPACE" or space.spelling not in _SPACES:
        return None  # a class of the program's own
    for known in (raw, canonical):
        said = known.spelling
        arguments = split_template_arguments(said) if _ACCESSOR.fullmatch(said) else ()
        place = next((at for at, one in enumerate(arguments) if one.isdigit()), 0)
        if place == 0:
            continue
        is_const = raw.is_const or canonical.is_const
        element = read(_named(known.template_argument(place - 1), raw))
        if is_const:
            element = replace(element, is_const=True)
        for _ in range(int(arguments[place]) - 1):
            spelled = f"{element.spelling}[]"
            element = CType(spelled, TypeKind.ARRAY, element=element, is_view=True)
        restrict = "RestrictPtrTraits" in said
        made = CType(spelling, TypeKind.POINTER, 64, False, is_const, is_restrict=restrict)
        return replace(made, element=element, is_view=True)
    return None


def tells_size(ctype: CType, member: str, arrow: bool) -> bool:
    """Does a member of an accessor only say what PyTorch has put into it?"""
    return ctype.is_view and not arrow and member in ("size", "stride")


def _named(element: ClangType, raw: ClangType) -> ClangType:
    """A parameter of a template as an alias of the program's has it for an argument."""
    if not element.spelling.startswith(_OPEN):
        return element
    given = (
        raw.template_argument(at) for at, _ in enumerate(split_template_arguments(raw.spelling))
    )
    return next((one for one in given if one.canonical.spelling == element.spelling), element)
