"""The registry of diagnostic codes: stable keys, titles and long texts.

A code never changes its meaning and is never used again after it was given up.

| range    | about                                   |
|----------|-----------------------------------------|
| G2O00xx  | the command line and files              |
| G2O01xx  | errors in the CUDA source, from clang   |
| G2O02xx  | CUDA constructs that are not translated |
| G2O03xx  | remarks of passes                       |
| G2O04xx  | gradients                               |
| G2O05xx  | targets                                 |
| G2O06xx  | verification                            |
| G2O07xx  | what is written                         |
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from g2o.diagnostics.catalogue.clang import CLANG_CODES
from g2o.diagnostics.catalogue.command import COMMAND_CODES
from g2o.diagnostics.catalogue.entry import Code
from g2o.diagnostics.catalogue.kernels import KERNEL_CODES
from g2o.diagnostics.catalogue.passes import (
    GRADIENT_CODES,
    REMARK_CODES,
    TARGET_CODES,
    VERIFY_CODES,
)
from g2o.diagnostics.catalogue.written import WRITTEN_CODES

SECTIONS: Final[tuple[tuple[str, tuple[Code, ...]], ...]] = (
    ("Command line and files", COMMAND_CODES),
    ("Errors in the CUDA source", CLANG_CODES),
    ("CUDA constructs", KERNEL_CODES),
    ("Remarks of passes", REMARK_CODES),
    ("Gradients", GRADIENT_CODES),
    ("Targets", TARGET_CODES),
    ("Verification", VERIFY_CODES),
    ("What is written", WRITTEN_CODES),
)

CODES: Final[Mapping[str, Code]] = MappingProxyType(
    {code.key: code for _, codes in SECTIONS for code in codes}
)


def find_code(text: str) -> Code | None:
    """The code that `text` names: `G2O0203`, `g2o0203`, `0203` and `203` are the same."""
    digits = text.strip().upper().removeprefix("G2O")
    return CODES.get(f"G2O{digits:0>4}") if digits.isdecimal() else None


def explain(code: Code) -> str:
    """The long text of `code` for a terminal, ending in a newline."""
    parts = [f"{code.key}: {code.title}", code.meaning]
    if code.example:
        indented = "\n".join(f"    {line}".rstrip() for line in code.example.splitlines())
        parts.append(f"Example:\n\n{indented}")
    parts.append(f"What to do: {code.remedy}")
    return "\n\n".join(parts) + "\n"


def render_markdown() -> str:
    """The whole registry as `docs/diagnostics.md`."""
    parts = [
        "# Diagnostics of g2o\n",
        "<!-- Generated from g2o/diagnostics/catalogue by `make docs`; a test checks it. -->\n",
        "Codes are stable. `g2o explain G2O0203` prints the same text.\n",
    ]
    for title, codes in SECTIONS:
        parts.append(f"## {title}\n")
        parts.extend(_markdown_of(code) for code in codes)
    return "\n".join(parts)


def _markdown_of(code: Code) -> str:
    lines = [f"### {code.key}: {code.title}", "", code.meaning, ""]
    if code.example:
        language = "sh" if code.example.startswith("g2o ") else "cuda"
        lines += [f"```{language}", code.example, "```", ""]
    lines += [f"**What to do.** {code.remedy}", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    print(render_markdown(), end="")
