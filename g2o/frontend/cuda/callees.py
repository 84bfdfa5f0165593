"""Which function a call means, and with which template arguments."""

from __future__ import annotations

from collections.abc import Sequence

from g2o.diagnostics.diagnostic import Note, refuse
from g2o.diagnostics.source import SourceSpan
from g2o.frontend.cuda.api import BARRIERS, WARP_BARRIERS, WARP_SHUFFLES
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.class_templates import (
    OpenCall,
    find_methods,
    owner_pattern,
    split_template_arguments,
)
from g2o.frontend.cuda.read_types import emitted_argument
from g2o.frontend.cuda.unit import SourceUnit
from g2o.ir.expressions import OPEN

_SAME_VALUE = frozenset({"UNEXPOSED_EXPR", "MEMBER_REF_EXPR", "TYPE_REF", "NAMESPACE_REF"})
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
    return (*spelled, *map(emitted_argument, deduced[len(spelled) :]))


def callee_of(
    unit: SourceUnit,
    cursor: Cursor,
    target: Cursor | None,
    found: OpenCall | None,
    in_const: bool | None = None,
) -> tuple[str, str, bool]:
    """Name and key of what is called, and whether it is a declaration of CUDA's. `in_const`: is the
    call in a method that does not change its object; None outside of methods."""
    if target is not None and target.kind in CALLABLE:
        unit.note_function(target)
        return target.spelling, function_key(target), unit.is_declaration(target)
    for node in cursor.children[0].walk():
        if node.kind == "OVERLOADED_DECL_REF":
            return _overloaded(unit, node, in_const if _is_of_this(unit, cursor) else None)
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


def _is_of_this(unit: SourceUnit, call: Cursor) -> bool:
    """Does the call name no object, or `this`?"""
    text = unit.file_of(call).text[call.children[0].begin : call.children[0].end]
    return text.removeprefix("this->").isidentifier()


def _of_constness(candidates: tuple[Cursor, ...], in_const: bool | None) -> tuple[Cursor, ...]:
    """Those of overloaded methods without arguments, `D &self()` and `const D &self() const`, that
    the constness of their object leaves."""
    alike = all(
        one.kind == "CXX_METHOD" and not any(part.kind == "PARM_DECL" for part in one.children)
        for one in candidates
    )
    if in_const is None or len(candidates) != 2 or not alike:
        return candidates
    return tuple(one for one in candidates if one.is_const_method == in_const) or candidates


def _overloaded(
    unit: SourceUnit, node: Cursor, in_const: bool | None = None
) -> tuple[str, str, bool]:
    """A call in a template that overload resolution has not seen yet."""
    candidates = _of_constness(node.overloads, in_const)
    own = [c for c in candidates if not unit.is_declaration(c)]
    in_program = [c for c in own if not unit.is_system(c)]
    for candidate in in_program:
        unit.note_function(candidate)
    if any(unit.is_declaration(one) for one in candidates) and any(
        one.kind == "FUNCTION_DECL" and not _takes_memory(one) for one in in_program
    ):
        passes = node.spelling in WARP_SHUFFLES and all(_passes_on(unit, one) for one in in_program)
        return node.spelling, "" if passes else OPEN, passes
    if len(in_program) == 1:
        return node.spelling, function_key(in_program[0]), False
    if len(in_program) > 1:
        return node.spelling, "|".join(sorted(function_key(c) for c in in_program)), False
    if candidates and not own:
        unit.note_reference(node, candidates[0])
    return node.spelling, "", bool(candidates) and not own


def _takes_memory(function: Cursor) -> bool:
    """Has it a parameter that other types are not converted to?"""
    parameters = (one.type.canonical for one in function.children if one.kind == "PARM_DECL")
    return any(one.kind in ("POINTER", "LVALUEREFERENCE") for one in parameters)


def _passes_on(unit: SourceUnit, function: Cursor) -> bool:
    """Does a function do what CUDA's of its name does with the same bits?

    half_t __shfl_up_sync(unsigned mask, half_t v, unsigned by)
    {
        return __shfl_up_sync(mask, v.operator __half(), by);
    }
    """
    definition = function.pattern.definition
    if definition is None:
        return False
    bodies = [one for one in definition.children if one.kind == "COMPOUND_STMT"]
    statements = [one for body in bodies for one in body.children]
    if [one.kind for one in statements] != ["RETURN_STMT"]:
        return False
    parameters = [one for one in definition.children if one.kind == "PARM_DECL"]
    value = statements[0].children[0]
    calls = [one for one in value.walk() if _calls_namesake(one, function)]
    given = calls[0].children[1:] if len(calls) == 1 else ()
    if len(given) < len(parameters) or calls[0].type.size != value.type.size:
        return False
    return all(map(_is_default, given[len(parameters) :])) and all(
        _is_bits_of(unit, argument, parameter)
        for argument, parameter in zip(given, parameters, strict=False)
    )


def _calls_namesake(node: Cursor, function: Cursor) -> bool:
    return node.kind == "CALL_EXPR" and node.spelling == function.spelling


def _is_default(argument: Cursor) -> bool:
    return argument.kind == "UNEXPOSED_EXPR" and not argument.children


def _is_bits_of(unit: SourceUnit, argument: Cursor, parameter: Cursor) -> bool:
    """The parameter, as it is or as a library's class of its size has it."""
    for node in argument.walk():
        target = node.referenced
        if node.kind == "DECL_REF_EXPR":
            if target is None or target.usr != parameter.usr:
                return False
        elif node.kind == "CALL_EXPR":
            if target is None or target.kind not in ("CONVERSION_FUNCTION", "CONSTRUCTOR"):
                return False
            if not unit.is_system(target):
                return False
        elif node.kind not in _SAME_VALUE:
            return False
    return argument.type.size == parameter.type.size


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
