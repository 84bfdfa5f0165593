"""Shared memory that no function declares.

    __shared__ float tile[16][17];
    __device__ void load(const float *x) { tile[threadIdx.y][threadIdx.x] = ...; }
    __global__ void transpose(const float *x, float *y) { load(x); __syncthreads(); ... }

Every block of every kernel that gets to it has one, as if the kernel declared it; the functions
that the kernel calls mean the same one.
"""

from __future__ import annotations

import re
from typing import Final

from g2o.diagnostics.diagnostic import Note, refuse
from g2o.diagnostics.source import SourceSpan
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.unit import SourceUnit

_FUNCTIONS: Final = frozenset({"FUNCTION_DECL", "FUNCTION_TEMPLATE", "CXX_METHOD"})
_NAMELESS: Final = re.compile(r"\((?:unnamed|anonymous)\b")
_TEMPLATE_ARGUMENTS: Final = re.compile(r"<[^<>]*>")


def check_file_shared(declaration: Cursor, span: SourceSpan) -> None:
    """Raises Refusal where a kernel cannot declare the variable, or its name may mean several."""
    owner = declaration.semantic_parent
    is_named_scope = owner is not None and owner.kind != "TRANSLATION_UNIT" and bool(owner.spelling)
    if is_named_scope or _NAMELESS.search(declaration.type.spelling):
        message = "shared memory of a class or a namespace, or of a type without a name"
        raise refuse("G2O0201", message, span, Note("declare it in the kernel"))


def is_of_function(declaration: Cursor) -> bool:
    """Does a function declare the variable?"""
    owner = declaration.semantic_parent
    return owner is not None and owner.kind in _FUNCTIONS


def is_only_declarator(unit: SourceUnit, declaration: Cursor) -> bool:
    """Does the declaration declare this variable alone?"""
    text = unit.file_of(declaration).text
    before = _TEMPLATE_ARGUMENTS.sub("", text[declaration.begin : declaration.name_offset])
    return "," not in before and text[declaration.end :].lstrip().startswith(";")
