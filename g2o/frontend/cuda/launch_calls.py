"""A kernel that code of the device launches is called: `child(grid, block, [bytes,] x, n)`.

A grid that a thread launches may begin at once, and what the thread does next must not rely on
whether it has: running it at the launch is one of the orders that CUDA allows. Grids of one stream
run one after another so, and nothing of the launching grid ends before them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from g2o.diagnostics.diagnostic import Note, refuse
from g2o.diagnostics.source import SourceSpan
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.kernel_facts import takes_shared_bytes
from g2o.frontend.cuda.launch_syntax import Launch
from g2o.frontend.cuda.unit import SourceUnit
from g2o.ir.expressions import LAUNCH, Call, Expr, Form, Literal
from g2o.ir.traverse import walk
from g2o.ir.types import CType, TypeKind

_VOID: Final = CType("void", TypeKind.VOID)


def launch_call(
    launch: Launch, cursor: Cursor, unit: SourceUnit, build: Callable[[Cursor], Expr]
) -> Call:
    """The call for a launch, which clang has read as an expression with commas."""
    file, tokens = unit.file_of(cursor), launch.tokens
    callee = SourceSpan(file, tokens[launch.callee].begin, tokens[launch.opening - 1].end)
    span = SourceSpan(file, callee.begin, tokens[launch.end].end)
    if launch.name_index is None or len(launch.configuration) < 2:
        message = "a launch in a kernel that does not name a kernel and two sizes"
        raise refuse("G2O0204", message, span, Note("write out what is launched, and its sizes"))
    name = tokens[launch.name_index].text
    configured, given = (_inside(child) for child in _inside(cursor).children[:2])
    sizes = _inside(configured.children[1]).children[0].children[0]  # in two parentheses
    configuration = [build(one) for one in _between_commas(sizes, len(launch.configuration))]
    arguments: list[Expr] = []
    if launch.arguments:
        listed = _inside(given.children[0])
        arguments = [build(one) for one in _between_commas(listed, len(launch.arguments))]
    if len(configuration) == 4:
        _check_stream(configuration.pop(), span)
    if not _takes_shared(name, unit, span):
        del configuration[2:]
    elif len(configuration) == 2:
        configuration.append(Literal("0", 0))
    what = Literal(callee.text, span=callee, form=Form.PRISTINE)
    return Call(name, what, (*configuration, *arguments), LAUNCH, type=_VOID, span=span)


def _inside(cursor: Cursor) -> Cursor:
    """What clang shows of a conversion that the source does not spell."""
    while cursor.kind == "UNEXPOSED_EXPR" and len(cursor.children) == 1:
        cursor = cursor.children[0]
    return cursor


def _between_commas(cursor: Cursor, count: int) -> list[Cursor]:
    found: list[Cursor] = []
    for _ in range(count - 1):
        left, right = _inside(cursor).children[:2]
        found.append(right)
        cursor = left
    return [cursor, *reversed(found)]


def _check_stream(stream: Expr, span: SourceSpan) -> None:
    """The stream goes: nothing may be done to get it."""
    if any(isinstance(node, Call) for node in walk(stream)):
        note = Note("give the stream to a variable first")
        raise refuse("G2O0204", "a launch whose stream is worked out by a call", span, note)


def _takes_shared(name: str, unit: SourceUnit, span: SourceSpan) -> bool:
    """Has the kernel a parameter for the bytes of its dynamic shared memory?"""
    known = [c for c in unit.functions_named(name) if c.definition is not None or c.is_definition]
    answers = {takes_shared_bytes(unit, c if c.is_definition else c.definition or c) for c in known}
    if len(answers) != 1:
        note = Note(f"define '{name}' once, in this file or in what it includes")
        raise refuse("G2O0204", f"what is launched is not known: '{name}'", span, note)
    return answers.pop()
