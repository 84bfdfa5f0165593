"""Which function a call means, and with which template arguments."""

from __future__ import annotations

from collections.abc import Sequence

from g2o.diagnostics.diagnostic import Note, refuse
from g2o.diagnostics.source import SourceSpan
from g2o.frontend.cuda.api import BARRIERS, WARP_BARRIERS
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.class_templates import (
    OpenCall,
    find_methods,
    owner_pattern,
    split_template_arguments,
)
from g2o.frontend.cuda.unit import SourceUnit

CALLABLE = frozenset({"FUNCTION_DECL", "CXX_METHOD", "FUNCTION_TEMPLATE", "CONVERSION_FUNCTION"})


def function_key(declaration: Cursor) -> str:
    """Identifies a function of the program; a specialisation has the key of its template, unless
    it is written out."""
    return declaration.pattern.usr


def template_arguments(unit: SourceUnit, callee: Cursor, target: Cursor | None) -> tuple[str, ...]:
    """Spelled arguments, completed by those that clang deduced."""
    text = unit.file_of(callee).text[callee.begin : callee.end]
    spelled = split_template_arguments(text)
    deduced = target.template_arguments if target is not None else ()
    return (*spelled, *deduced[len(spelled) :])


def callee_of(
    unit: SourceUnit, cursor: Cursor, target: Cursor | None, found: OpenCall | None
) -> tuple[str, str, bool]:
    """Name and key of what is called, and whether it is a declaration of CUDA's."""
    if target is not None and target.kind in CALLABLE:
        unit.note_function(target)
        return target.spelling, function_key(target), unit.is_declaration(target)
    for node in cursor.children[0].walk():
        if node.kind == "OVERLOADED_DECL_REF":
            return _overloaded(unit, node)
    if found is not None and found.methods:
        for method in found.methods:
            unit.note_function(method)
        key = "|".join(sorted(function_key(method) for method in found.methods))
        return found.methods[0].spelling, key, False
    return (target.spelling if target else "", "", False)


def methods_of_template(unit: SourceUnit, callee: Cursor) -> OpenCall | None:
    """The methods that an open call may mean, if they are of the program."""
    text = unit.file_of(callee).text[callee.begin : callee.end]
    found = find_methods(callee, text)
    if found is None or any(map(unit.is_system, found.methods)):
        return None
    return found


def own_class(callee: Cursor) -> tuple[str, ...]:
    """The template arguments of the class of an overloaded method that is called by name."""
    for node in callee.walk():
        if node.kind == "OVERLOADED_DECL_REF" and node.overloads:
            return owner_pattern(node.overloads[0])
    return ()


def _overloaded(unit: SourceUnit, node: Cursor) -> tuple[str, str, bool]:
    """A call in a template that overload resolution has not seen yet."""
    candidates = node.overloads
    own = [c for c in candidates if not unit.is_declaration(c)]
    in_program = [c for c in own if not unit.is_system(c)]
    for candidate in in_program:
        unit.note_function(candidate)
    if len(in_program) == 1:
        return node.spelling, function_key(in_program[0]), False
    if len(in_program) > 1:
        return node.spelling, "|".join(sorted(function_key(c) for c in in_program)), False
    if candidates and not own:
        unit.note_reference(node, candidates[0])
    return node.spelling, "", bool(candidates) and not own


def check_launch(cursor: Cursor, span: SourceSpan) -> None:
    """Refuse a launch inside of a kernel."""
    for child in cursor.children[1:2]:
        if child.kind == "CALL_EXPR" and child.spelling in (
            "__cudaPushCallConfiguration",
            "cudaConfigureCall",
        ):
            raise refuse(
                "G2O0204",
                "kernel launch inside a kernel (dynamic parallelism)",
                span,
                Note("launch from the host, or turn the inner kernel into a device function"),
            )


def chosen_barrier(parts: Sequence[Cursor]) -> Cursor | None:
    """Of `TILE > 32 ? __syncthreads() : __syncwarp()`, as a statement or as an expression, the one
    that a known condition leaves: the other one may stand where not all threads come."""
    if len(parts) != 3 or not all(map(_waits, parts[1:])):
        return None
    value = parts[0].evaluate_integer()
    return None if value is None else parts[1 if value else 2]


def _waits(code: Cursor) -> bool:
    return any(
        node.kind == "CALL_EXPR" and node.spelling in BARRIERS | WARP_BARRIERS
        for node in code.walk()
    )
