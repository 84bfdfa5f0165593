"""The structure that the error estimates of a kernel go into, with what they are estimates of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

from g2o.ir.kernel import Function
from g2o.ir.symbols import numbered

_TAKEN: Final = frozenset({"report"})


@final
@dataclass(frozen=True, slots=True)
class ErrorField:
    """A member of the structure: what is rounded in one line of the source. `what` is an
    enumerator of `g2o::Rounded`."""

    wish: str
    variable: str
    place: str
    type: str
    what: str
    reads: tuple[str, ...] = ()


def field_names(fields: Sequence[ErrorField]) -> tuple[str, ...]:
    """What the members are called, each in its own way."""
    names: dict[str, None] = {}
    for one in fields:
        name, others = one.wish, numbered(one.wish)
        while name in names or name in _TAKEN:
            name = next(others)
        names[name] = None
    return tuple(names)


def errors_template(kernel: str, head: str) -> str:
    """The declaration of the template `kernel_errors`, of which every instance has a definition.
    `head` is what stands in front of the kernel's name, `template <class T> __global__ void`."""
    return (
        f"// What rounding does to the results of {kernel}, for the instances that are launched.\n"
        f"{_template(head)}\nstruct {kernel}_errors;"
    )


def _template(head: str) -> str:
    """`template <class T>`, of what stands in front of the name of a function."""
    begin = head.index("template")
    end = head.index(">", begin)
    while head.count("<", begin, end) > head.count(">", begin, end + 1):
        end = head.index(">", end + 1)
    return head[begin : end + 1]


def errors_text(
    primal: Function, fields: Sequence[ErrorField], left_out: Sequence[str], head: str
) -> str:
    """The definition of `kernel_errors`, a template where the kernel is one; `left_out` is what
    the estimates know nothing of. `head` is what stands in front of the kernel's name."""
    kernel, chosen = primal.name, primal.chosen
    names = field_names(fields)
    members = "".join(
        f"    g2o::Rounding {name}; // {_said(one)}\n"
        for name, one in zip(names, fields, strict=True)
    )
    rows = ",\n".join(
        f"            {{{_quoted(one.variable)}, {_quoted(one.place)}, {_quoted(one.type)}, "
        f"g2o::Rounded::{one.what}, {{{', '.join(map(_quoted, one.reads))}}}, {name}}}"
        for name, one in zip(names, fields, strict=True)
    )
    front = "template <> " if chosen else ""
    if primal.template_parameters:
        front = f"{_template(head)}\n"
    left = f", {{{', '.join(map(_quoted, left_out))}}}" if left_out else ""
    return (
        f"// What rounding in {kernel}{chosen} does to its results: {kernel}_error adds it up.\n"
        f"{front}struct {kernel}_errors{chosen} {{\n{members}\n"
        "    g2o::ErrorReport report() const\n    {\n"
        f"        return g2o::ErrorReport({_quoted(kernel + chosen)}, {{\n{rows}}}{left});\n"
        "    }\n};"
    )


def c_errors_text(primal: Function, fields: Sequence[ErrorField], left_out: Sequence[str]) -> str:
    """The structure `function_errors` in C, and `function_report`, which says what it tells."""
    name = primal.name
    members = "".join(
        f"    g2o_rounding {member}; // {_said(one, in_c=True)}\n"
        for member, one in zip(field_names(fields), fields, strict=True)
    )
    rows = ",\n".join(
        f"        {{{_quoted(one.variable)}, {_quoted(one.place)}, {_quoted(one.type)}, "
        f"g2o_{one.what}, {_quoted(' '.join(one.reads))}}}"
        for one in fields
    )
    left = ""
    told = "0, NULL"
    if left_out:
        listed = ",\n".join(f"        {_quoted(one)}" for one in left_out)
        left = f"    static const char *const left_out[] = {{\n{listed}}};\n"
        told = f"{len(left_out)}, left_out"
    return (
        f"// What rounding in {name} does to its results: {name}_error adds it up.\n"
        f"typedef struct {{\n{members}}} {name}_errors;\n\n"
        f"__attribute__((unused)) static g2o_error_report {name}_report("
        f"const {name}_errors *errors)\n{{\n"
        f"    static const g2o_rounded rounded[] = {{\n{rows}}};\n{left}"
        f"    const g2o_error_report report = {{{_quoted(name)}, {len(fields)}, rounded, "
        f"(const g2o_rounding *)errors, {told}}};\n"
        "    return report;\n}"
    )


def _said(one: ErrorField, *, in_c: bool = False) -> str:
    match one.what:
        case "given" if in_c:
            return "g2o_add_roundings, behind the call"
        case "given":
            return "add(numbers, shadows, count), behind the call"
        case "inside":
            return f"{one.place}, inside of what is computed"
        case _:
            return one.place


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
