"""The header beside a translation: declarations of what it defines for others."""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2o.emit.format import format_ranges
from g2o.frontend.cuda.exports import Export, Exports

_NOT_A_WORD = re.compile(r"\W+", re.ASCII)


def header_text(exported: Exports, name: str, preamble: str, runtime_header: str) -> str:
    """The text of the header called `name`, which begins with `preamble`."""
    guard = _NOT_A_WORD.sub("_", name).upper()
    runtime = f'#include "{runtime_header}"'
    includes = dict.fromkeys((runtime, *exported.includes))
    parts = [
        f"{preamble}#ifndef {guard}\n#define {guard}\n",
        "".join(f"{line}\n" for line in includes),
        *_declarations(exported.types),
        *_declarations(exported.kernels),
        "#endif\n",
    ]
    text = "\n".join(parts)
    return format_ranges(text, [(len(preamble), len(text))], "")


def _declarations(declared: Sequence[Export]) -> list[str]:
    """The declarations in order, neighbours in one namespace together."""
    found: list[str] = []
    around: tuple[str, ...] = ()
    for each in declared:
        opening = "".join(f"namespace {name} {{\n" for name in each.namespaces)
        closing = "".join(f"}} // namespace {name}\n" for name in reversed(each.namespaces))
        if found and each.namespaces and each.namespaces == around:
            found[-1] = f"{found[-1].removesuffix(closing)}\n{each.text};\n{closing}"
        else:
            found.append(f"{opening}{each.text};\n{closing}")
        around = each.namespaces
    return found
