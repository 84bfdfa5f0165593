"""Device functions that need the launch, named where there is none, or where they become values.

    __device__ void own(float *p) { p[threadIdx.x] = 1.0f; }
    template <void (*f)(float *)> __global__ void k(float *p) { f(p); }
    k<own><<<1, 32>>>(p);
    __device__ void (*pointer)(float *) = own;

They are inlined into kernels and leave the file: nothing is left that the name could mean.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from g2o.diagnostics.diagnostic import Diagnostic, Note, error
from g2o.diagnostics.source import SourceSpan
from g2o.frontend.cuda.callees import CALLABLE, function_key
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.lexer import lex
from g2o.frontend.cuda.unit import SourceUnit

_DEVICE: Final = frozenset({"CUDADEVICE_ATTR", "CUDAGLOBAL_ATTR"})
_TRANSPARENT: Final = frozenset({"UNEXPOSED_EXPR", "PAREN_EXPR", "UNARY_OPERATOR"})
_KEEPS_VALUE: Final = frozenset(
    {"VAR_DECL", "BINARY_OPERATOR", "CONDITIONAL_OPERATOR", "INIT_LIST_EXPR", "RETURN_STMT"}
)
_HOST: Final = "host"
_ARGUMENT: Final = "argument"


def uses_as_values(
    unit: SourceUnit, functions: Sequence[Cursor], needs_launch: Callable[[str], bool]
) -> Iterator[Diagnostic]:
    """A refusal of each such name in the main file.

    `functions` are the device functions that the file sees; `needs_launch` answers by key.
    """
    names = {one.spelling for one in functions if needs_launch(function_key(one))}
    offsets = [token.begin for token in lex(unit.main.text).code if token.text in names]
    for cursor in unit.translation_unit.top_level if offsets else ():
        if cursor.file == unit.main_path:
            for use in _uses(cursor, offsets, _HOST):
                if use.referenced is not None and needs_launch(function_key(use.referenced)):
                    span = SourceSpan(unit.main, use.begin, use.end)
                    message = f"'{use.spelling}' as a value: it needs the launch"
                    note = Note("pass a functor in its place, or give it the index of the thread")
                    yield error("G2O0210", message, span, note)


def _uses(cursor: Cursor, offsets: Sequence[int], around: str) -> Iterator[Cursor]:
    """Names of functions that stay values, where one of the `offsets` is.

    `around` is what the cursor is part of: `_HOST`, where no function has a launch, `_ARGUMENT` or
    a kind.
    """
    index = bisect_left(offsets, cursor.begin)
    if index == len(offsets) or offsets[index] >= cursor.end:
        return
    children = cursor.children
    if around in (_HOST, _ARGUMENT, *_KEEPS_VALUE) and _is_function(cursor):
        yield cursor
    is_function = any(child.kind in _DEVICE for child in children) and cursor.kind != "VAR_DECL"
    if is_function or (around != _HOST and cursor.kind not in _TRANSPARENT):
        is_other = cursor.kind == "VAR_DECL" and "(" not in cursor.type.canonical.spelling
        around = "" if is_other else cursor.kind
    for number, child in enumerate(children):
        is_argument = cursor.kind == "CALL_EXPR" and number > 0 and around != _HOST
        yield from _uses(child, offsets, _ARGUMENT if is_argument else around)


def _is_function(cursor: Cursor) -> bool:
    """Is this the name of one? What an operator calls stands among its operands."""
    named = cursor.referenced if cursor.kind == "DECL_REF_EXPR" else None
    operator = cursor.spelling.startswith("operator")
    return named is not None and named.kind in CALLABLE and not operator
