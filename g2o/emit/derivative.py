"""Adjoints and tangents as text: ordinary functions behind the kernel that they belong to."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from itertools import chain
from typing import Final

from g2o.emit.kernel import (
    launch_parameters,
    own_parameters,
    parameter_list,
    with_body_text,
    without_warnings,
)
from g2o.emit.printer import Printer
from g2o.emit.warned_operands import with_warned_operands
from g2o.frontend.edits import EditedText
from g2o.ir.kernel import Function, LoweredKernel
from g2o.ir.statements import Stmt
from g2o.ir.symbols import Symbol, numbered
from g2o.ir.types import declarator

_WORD: Final = re.compile(r"[A-Za-z_]\w*")
_SPECIALISATION: Final = re.compile(r"^(?:template\s*<\s*>\s*)?")
_INCLUDE: Final = re.compile(r"^#include[^\n]*\n\s*", re.MULTILINE)  # edits in front of the kernel
_TOKEN: Final = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|\s+|.", re.DOTALL
)
_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_LAST_COMMENT: Final = re.compile(r"\s*//[^\n]*\Z")
_KINDS: Final = {
    "grad": "Adjoint",
    "jvp": "Tangent",
    "hvp": "Tangent of the adjoint",
    "error": "Adjoint with error estimates",
}
_COMMENTS: Final = {
    "error": "Adjoint of {name} that adds up, in errors, what its roundings do to the results.",
    "grad": "Adjoint of {name}: runs it, adds to the shadows of what it reads, consumes those\n"
    "// of what it overwrites. Active arrays do not overlap.",
    "jvp": "Tangent of {name}: runs it, and sets the shadows of what it writes.",
    "hvp": "Tangent of the adjoint of {name}: does what {name}_grad does, and carries the\n"
    "// tangents t_x of values and t_d_x of shadows along. Active arrays do not overlap.",
}


def function_adjoint_text(
    function: Function,
    statements: tuple[Stmt, ...],
    further: tuple[Symbol, ...],
    printer: Printer,
    source: EditedText,
) -> str:
    """The definition of `name_grad` for a device function: it adds to the shadows behind its
    pointers what a seed of its result gives them."""
    body = printer.sequence(with_warned_operands(statements))
    open_paren = parameter_list(source.text, function)
    listed = _listed(own_parameters(function, source, open_paren))
    added = ", ".join(_parameter(one, body) for one in further)
    name = f"{function.name}_grad"
    comment = f"// Adjoint of {function.name}: adds to the shadows of what it reads."
    return f"{comment}\nstatic void {name}({_joined('', listed, added)})\n{{\n{body}}}"


def _listed(rest: str) -> str:
    """The parameters as written, from behind their parenthesis on, without default arguments: what
    follows them has none."""
    kept: list[str] = []
    depth = 0
    is_default = False
    for found in _TOKEN.finditer(rest):
        token = found[0]
        if token in "([{":
            depth += 1
        elif token in ")]}":
            depth -= 1
            if depth < 0:
                break
        elif token == "," and depth == 0:
            is_default = False
        elif token == "=" and depth == 0:
            is_default = True
        if not is_default or token.startswith(("//", "/*")):
            kept.append(token)
    while kept and kept[-1].isspace():
        kept.pop()
    return "".join(kept)


def _joined(launch: str, listed: str, added: str) -> str:
    """A list of parameters out of three parts of it, any of which may be empty."""
    comment = _LAST_COMMENT.search(listed)
    if comment is not None and added:
        return f"{launch}, {listed[: comment.start()]}, {comment[0].lstrip()}\n{added}".lstrip(", ")
    text = ", ".join(part for part in (launch, listed, added) if part.strip())
    return f"{text}\n" if comment is not None else text


def _parameter(shadow: Symbol, body: str) -> str:
    """The declaration of a shadow; its name is a comment where nothing uses it."""
    used = re.search(rf"\b{shadow.name}\b", body)
    return declarator(shadow.type.spelling, shadow.name if used else f"/*{shadow.name}*/")


def derivative_text(
    primal: Function,
    suffix: str,
    lowered: LoweredKernel,
    shadows: tuple[Symbol, ...],
    printer: Printer,
    source: EditedText,
    macros: frozenset[str],
) -> str:
    """The definition of `name_suffix`: the primal's signature with the shadows behind it."""
    lowered, body = with_body_text(lowered, printer, source, macros)
    name_end = primal.name_offset + len(primal.name)
    open_paren = parameter_list(source.text, primal)
    head = _INCLUDE.sub("", source.slice(primal.span.begin, primal.name_offset))
    if primal.is_internal and not primal.template_parameters:
        # Compilers see that nobody calls it yet.
        head = _SPECIALISATION.sub(r"\g<0>[[maybe_unused]] ", head.lstrip(), count=1)
    between = source.slice(name_end, open_paren + 1)
    own = without_warnings(lowered, own_parameters(primal, source, open_paren), body, macros)
    listed = _listed(own)
    added = ", ".join(_parameter(one, body) for one in shadows)
    launch = launch_parameters(lowered, body)
    parameters = _joined(launch, listed, added)
    comment = _COMMENTS[suffix].format(name=f"{primal.name}{primal.chosen}")
    return f"// {comment}\n{head}{primal.name}_{suffix}{between}{parameters})\n{{\n{body}}}"


def c_function_text(
    primal: Function,
    suffix: str,
    shadows: tuple[Symbol, ...],
    used: Collection[Symbol],
    body: str,
) -> str:
    """The definition of `name_suffix` in C, whose body names the parameters `used` only."""
    text = EditedText(primal.span.file.text, [])
    open_paren = parameter_list(text.text, primal)
    head = text.slice(primal.span.begin, primal.name_offset)
    if primal.is_internal:
        head = f"__attribute__((unused)) {head.lstrip()}"
    given = own_parameters(primal, text, open_paren)
    is_old = ";" in _COMMENT.sub("", given)  # parameters are declared behind the parentheses
    listed = _declared(primal.parameters) if is_old else _listed(given)
    added = _declared(shadows)
    quiet = (one for one in (*primal.parameters, *shadows) if one not in used and one.name)
    unused = "".join(f"(void){one.name};\n" for one in quiet)
    spelled = _WORD.match(text.text, primal.name_offset)
    name_end = primal.name_offset + len(primal.name) if spelled is None else spelled.end()
    between = text.slice(name_end, open_paren + 1)
    comment = _COMMENTS[suffix].format(name=primal.name)
    parameters = _joined("", listed, added)
    return f"// {comment}\n{head}{primal.name}_{suffix}{between}{parameters})\n{{\n{unused}{body}}}"


def derivative_template(
    primal: Function, suffix: str, shadows: tuple[Symbol, ...], shared: bool, source: EditedText
) -> str:
    """The declaration of the template whose instances are defined one by one behind it."""
    name_end = primal.name_offset + len(primal.name)
    open_paren = parameter_list(source.text, primal)
    head = _INCLUDE.sub("", source.slice(primal.span.begin, primal.name_offset))
    between = source.slice(name_end, open_paren + 1)
    listed = _listed(own_parameters(primal, source, open_paren))
    comment = f"// {_KINDS[suffix]} of {primal.name}, for the instances that are launched."
    launch = _launch(shared, (*primal.parameters, *shadows))
    parameters = _joined(launch, listed, _declared(shadows))
    return f"{comment}\n{head}{primal.name}_{suffix}{between}{parameters});"


def primary_template(
    head: str,
    name: str,
    suffix: str,
    own: tuple[Symbol, ...],
    further: tuple[Symbol, ...],
    shared: bool,
) -> str:
    """The declaration of the derivative of a template that is only declared, and of which a
    specialisation is defined. `head` is what stands in front of its name."""
    head = _INCLUDE.sub("", head)
    comment = f"// {_KINDS[suffix]} of {name}, for its specialisations."
    launch = _launch(shared, (*own, *further))
    parameters = _joined(launch, _declared(own), _declared(further))
    return f"{comment}\n{head}{name}_{suffix}({parameters});"


def _launch(shared: bool, others: Iterable[Symbol]) -> str:
    """The parameters of the launch, called otherwise than the others."""
    taken = {one.name for one in others}
    sizes = [("dim3", "grid"), ("dim3", "block")]
    sizes += [("std::size_t", "shared_bytes")] if shared else []
    names = (chain((name,), numbered(name)) for _, name in sizes)
    free = (next(one for one in wishes if one not in taken) for wishes in names)
    return ", ".join(f"{kind} {name}" for (kind, _), name in zip(sizes, free, strict=True))


def _declared(parameters: tuple[Symbol, ...]) -> str:
    return ", ".join(declarator(one.type.spelling, one.name).rstrip() for one in parameters)
