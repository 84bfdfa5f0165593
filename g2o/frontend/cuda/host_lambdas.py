"""Lambdas of host code that need the launch.

    run<<<1, 32>>>([=] __device__() { y[threadIdx.x] = 1; });

The kernel that such a lambda is given to is a template, and calls what it does not know: there is
nothing that could give the lambda the place of the thread, or make the threads wait for each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from g2o.diagnostics.diagnostic import Diagnostic, Note, error
from g2o.diagnostics.source import SourceSpan
from g2o.frontend.cuda.api import LOWERED_NAMES
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.lexer import lex
from g2o.frontend.cuda.unit import SourceUnit

_SHARED: Final = "__shared__"
_DEVICE: Final = frozenset({"CUDADEVICE_ATTR", "CUDAGLOBAL_ATTR"})


def lambdas_that_need_the_launch(unit: SourceUnit) -> Iterator[Diagnostic]:
    """A refusal for each in the main file, at the first name that says so."""
    tokens = lex(unit.main.text).code
    named = [one.begin for one in tokens if one.text in LOWERED_NAMES or one.text == _SHARED]
    for cursor in unit.translation_unit.top_level if named else ():
        if cursor.file == unit.main_path:
            yield from _faults(unit, cursor, named)


def _faults(unit: SourceUnit, cursor: Cursor, named: Sequence[int]) -> Iterator[Diagnostic]:
    if not any(cursor.begin <= offset < cursor.end for offset in named):
        return
    if cursor.kind == "LAMBDA_EXPR":
        use = next((node for node in cursor.walk() if _needs_launch(unit, node)), None)
        if use is not None:
            begin = use.name_offset if use.kind == "VAR_DECL" else use.begin
            name = use.spelling or use.overloads[0].spelling
            message = f"'{name}' in a lambda of the host: it needs the launch"
            note = Note("give the lambda the index of the thread as an argument, or write a kernel")
            span = SourceSpan(unit.main, begin, begin + len(name))
            yield error("G2O0210", message, span, note)
        return
    if cursor.kind != "VAR_DECL" and any(child.kind in _DEVICE for child in cursor.children):
        return
    for child in cursor.children:
        yield from _faults(unit, child, named)


def _needs_launch(unit: SourceUnit, node: Cursor) -> bool:
    """Is it shared memory, or a name of CUDA that only has a meaning in a kernel?"""
    match node.kind:
        case "VAR_DECL":
            return any(child.kind == "CUDASHARED_ATTR" for child in node.children)
        case "DECL_REF_EXPR":
            candidates = (node.referenced,)
        case "OVERLOADED_DECL_REF":
            candidates = node.overloads
        case _:
            return False
    return any(
        one is not None and one.spelling in LOWERED_NAMES and unit.is_declaration(one)
        for one in candidates
    )
