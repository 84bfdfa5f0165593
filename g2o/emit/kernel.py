"""A lowered kernel as the text of an ordinary function."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import final

from g2o.emit.printer import Printer
from g2o.frontend.edits import EditedText
from g2o.ir.kernel import LoweredKernel

# What the text edits put into every kernel signature, definitions among them.
_LAUNCH_PARAMETERS = re.compile(r"^dim3 grid, dim3 block(, std::size_t shared_bytes)?(, )?")


@final
@dataclass(frozen=True, slots=True)
class Replacement:
    """New text for a range of the source file."""

    begin: int
    end: int
    text: str


def kernel_text(lowered: LoweredKernel, printer: Printer, source: EditedText) -> Replacement:
    """The definition that stands in the place of the kernel's.

    The author's signature is kept; the launch configuration comes in front of the parameters.
    """
    function = lowered.function
    begin, body_begin = function.span.begin, function.body.span.begin if function.body.span else 0
    body = printer.sequence(lowered.body)
    open_paren = parameter_list(source.text, function.name_offset, function.name)
    head = source.slice(begin, open_paren + 1)
    rest = _LAUNCH_PARAMETERS.sub("", source.slice(open_paren + 1, body_begin))
    launch = launch_parameters(lowered, body)
    separator = ", " if function.parameters else ""
    if not function.parameters:
        rest = re.sub(r"^\s*void\s*\)", ")", rest)
    text = f"{head}{launch}{separator}{rest.lstrip()}{{\n{body}}}"
    return Replacement(begin, function.span.end, text)


def launch_parameters(lowered: LoweredKernel, body: str) -> str:
    """`dim3 grid, dim3 block[, std::size_t shared_bytes]`; a name that is not used is a comment."""
    shown: list[str] = []
    for symbol in (lowered.grid, lowered.block, lowered.shared_bytes):
        if symbol is None:
            continue
        used = re.search(rf"\b{symbol.name}\b", body)
        name = symbol.name if used else f"/*{symbol.name}*/"
        shown.append(f"{symbol.type.spelling} {name}")
    return ", ".join(shown)


def parameter_list(text: str, name_offset: int, name: str) -> int:
    """Offset of the parenthesis that opens the parameters of the function named at an offset."""
    return text.index("(", name_offset + len(name))
