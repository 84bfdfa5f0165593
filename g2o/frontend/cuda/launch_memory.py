"""Parameters of kernels that no launch gives the memory of another one: `__restrict__` for them.

    cudaMalloc(&now, bytes);   cudaMalloc(&next, bytes);
    step<<<grid, block>>>(now, next, n);           every launch, in sight, with memory apart

    void step(..., const float *__restrict__ now, float *__restrict__ next, int n)

Legal where each launch of the kernel in all inputs is in sight, gives each pair of pointers of
which one is written memory of its own (`host_memory.py`), and the kernel has no pointers but its
parameters. What it calls other code may launch is told by the signature, which promises it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from g2o.frontend.cuda.clang_api import ClangType, Cursor
from g2o.frontend.cuda.host_code import HostCode
from g2o.frontend.cuda.host_memory import HostMemory
from g2o.frontend.cuda.include_graph import real_path
from g2o.frontend.cuda.launches import LaunchSite
from g2o.frontend.cuda.lexer import word_set
from g2o.frontend.cuda.unit import SourceUnit
from g2o.frontend.edits import TextEdit

RESTRICT: Final = "__restrict__ "
_DEVICE: Final = frozenset(("CUDADEVICE_ATTR", "CUDACONSTANT_ATTR", "UNEXPOSED_ATTR"))
_CASTS: Final = frozenset(("CSTYLE_CAST_EXPR", "CXX_REINTERPRET_CAST_EXPR", "CXX_STATIC_CAST_EXPR"))
_MANAGED: Final = re.compile(r"\b__managed__\b")
_DEEPEST: Final = 6


def parameters_apart(
    unit: SourceUnit,
    kernels: Sequence[Cursor],
    device_functions: Sequence[Cursor],
    sites: Mapping[str, Sequence[tuple[Path, LaunchSite]]],
) -> dict[str, frozenset[int]]:
    """The positions of such parameters, by the keys of kernels.

    `sites` are all launches by the names of kernels; none for those launched out of sight.
    """
    candidates = [
        one
        for one in kernels
        if sites.get(one.spelling)
        and _pointers(one)
        and not _is_known_elsewhere(one, unit)
        and _names_its_parameters(one, unit)
    ]
    if not candidates or _has_pointers_of_its_own(unit):
        return {}
    if any(map(_makes_pointers, device_functions)):
        return {}
    code = HostCode(unit)
    memory = HostMemory(code)
    names = {real_path(Path(name)): name for name in unit.user_files()}
    found: dict[str, frozenset[int]] = {}
    for kernel in candidates:
        positions = _pointers(kernel)
        if positions is None or _makes_pointers(kernel):
            continue
        launches = _launches(kernel, sites[kernel.spelling], code, names)
        if not launches:
            continue
        apart = frozenset(
            one
            for one in positions
            if not _parameters(kernel)[one].type.is_restrict
            and all(
                _is_apart(kernel, one, other, launches, memory)
                for other in positions
                if other != one
            )
        )
        if apart:
            found[kernel.usr] = apart
    return found


def restrict_edits(
    kernels: Iterable[Cursor], apart: Mapping[str, frozenset[int]]
) -> tuple[TextEdit, ...]:
    """`__restrict__` in front of the names of the parameters."""
    return tuple(
        TextEdit(at, at, RESTRICT)
        for kernel in kernels
        for position, parameter in enumerate(_parameters(kernel))
        if position in apart.get(kernel.usr, frozenset[int]())
        for at in (parameter.name_offset,)
    )


def names_apart(kernel: Cursor, apart: Mapping[str, frozenset[int]]) -> tuple[str, ...]:
    """What the parameters are called."""
    parameters = _parameters(kernel)
    return tuple(parameters[one].spelling for one in sorted(apart.get(kernel.usr, ())))


def _is_known_elsewhere(kernel: Cursor, unit: SourceUnit) -> bool:
    """Does a header declare the kernel, or may one launch it?"""
    if kernel.first_declaration.file != unit.main_path:
        return True
    launch = re.compile(rf"\b{re.escape(kernel.spelling)}\b[^;{{}}]*<\s*<\s*<")
    others = (file for file in unit.own_files() if file is not unit.main)
    return any(launch.search(file.text) for file in others)


def _names_its_parameters(kernel: Cursor, unit: SourceUnit) -> bool:
    """Does the file name them where they are declared, and no macro?"""
    text = unit.file_of(kernel).text
    return all(text.startswith(one.spelling, one.name_offset) for one in _parameters(kernel))


def _parameters(kernel: Cursor) -> tuple[Cursor, ...]:
    return tuple(one for one in kernel.children if one.kind == "PARM_DECL")


def _pointers(kernel: Cursor) -> tuple[int, ...] | None:
    """The positions of the pointers among the parameters, two at least; None where others may hold
    pointers, or a pointer leads to pointers."""
    positions: list[int] = []
    for position, parameter in enumerate(_parameters(kernel)):
        canonical = parameter.type.canonical
        if canonical.kind == "POINTER" and parameter.type.kind == "POINTER":
            if _holds_pointers(canonical.pointee) or not parameter.spelling:
                return None
            positions.append(position)
        elif _holds_pointers(canonical):
            return None
    return tuple(positions) if len(positions) > 1 else None


def _leads_to_pointers(made: ClangType) -> bool:
    """May what a parameter holds, or points to, hold the address of something?"""
    canonical = made.canonical
    return _holds_pointers(canonical.pointee if canonical.kind == "POINTER" else canonical)


def _holds_pointers(made: ClangType, depth: int = 0) -> bool:
    """May an object of a type hold the address of something?"""
    canonical = made.canonical
    if depth > _DEEPEST:
        return True
    match canonical.kind:
        case "CONSTANTARRAY":
            return _holds_pointers(canonical.element, depth + 1)
        case "RECORD":
            inside = (*(one for _, one in canonical.fields), *canonical.bases)
            is_known = canonical.declaration.definition is not None
            return not is_known or any(_holds_pointers(one, depth + 1) for one in inside)
        case "ENUM" | "BOOL" | "VOID":
            return False
        case kind if kind in _NUMBERS:
            return False
        case "UNEXPOSED":  # a parameter of a template
            return not re.fullmatch(r"(const )?type-parameter-\d+-\d+", canonical.spelling)
        case _:
            return True


_NUMBERS: Final = word_set(
    "CHAR_U UCHAR CHAR16 CHAR32 USHORT UINT ULONG ULONGLONG UINT128 CHAR_S SCHAR WCHAR SHORT INT"
    " LONG LONGLONG INT128 FLOAT DOUBLE LONGDOUBLE HALF FLOAT128"
)


def _has_pointers_of_its_own(unit: SourceUnit) -> bool:
    """Are there variables of the device that may hold pointers, or that the host names as well?"""
    if any(_MANAGED.search(file.text) for file in unit.own_files()):
        return True
    return any(
        one.kind == "VAR_DECL"
        and any(child.kind in _DEVICE for child in one.children)
        and _holds_pointers(one.type)
        for one in unit.declared()
    )


def _makes_pointers(function: Cursor) -> bool:
    """Does a function make pointers of numbers, or read some from what it is given?"""
    for node in function.walk():
        if node.kind not in _CASTS or node.type.canonical.kind != "POINTER":
            continue
        pointee = node.type.canonical.pointee.canonical
        inner = node.children[-1].type.canonical if node.children else None
        if pointee.kind == "POINTER" or inner is None or inner.kind in _NUMBERS:
            return True
    return False


def _launches(
    kernel: Cursor,
    sites: Sequence[tuple[Path, LaunchSite]],
    code: HostCode,
    names: Mapping[Path, str],
) -> list[tuple[Cursor, Cursor]] | None:
    """All launches, each with the function that it stands in; None where one is not understood."""
    found: list[tuple[Cursor, Cursor]] = []
    for path, site in sites:
        name = names.get(path)
        function = None if name is None else code.function_around(name, site.span.begin)
        call = None if function is None else code.launch_at(function, site.span.begin)
        target = None if call is None else call.referenced
        if function is None or call is None or target is None:
            return None
        if target.pattern.usr == kernel.usr:
            if any(map(_leads_to_pointers, target.type.canonical.argument_types)):
                return None  # what the template is launched with
            found.append((call, function))
    return found


def _is_apart(
    kernel: Cursor,
    one: int,
    other: int,
    launches: Sequence[tuple[Cursor, Cursor]],
    memory: HostMemory,
) -> bool:
    parameters = _parameters(kernel)
    pair = (parameters[one], parameters[other])
    if all(each.type.canonical.pointee.is_const for each in pair):
        return True  # nobody writes
    if any(each.type.is_restrict for each in pair):
        return True  # says the source
    for call, function in launches:
        arguments = call.arguments
        if len(arguments) <= max(one, other):
            return False
        if not memory.are_apart(arguments[one], arguments[other], function):
            return False
    return True
