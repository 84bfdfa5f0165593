"""Sources and spans for tests of rendering."""

from __future__ import annotations

from g2o.diagnostics.source import SourceFile, SourceSpan

BARRIER = "\n" * 40 + "    if (tid < s) __syncthreads();\n"


def source(text: str, path: str = "reduce.cu") -> SourceFile:
    """A file whose bytes are `text` in UTF-8."""
    return SourceFile(path, text.encode("utf-8").decode("latin-1"))


def span(file: SourceFile, text: str) -> SourceSpan:
    """The first place where `text` stands in `file`."""
    needle = text.encode("utf-8").decode("latin-1")
    begin = file.text.index(needle)
    return SourceSpan(file, begin, begin + len(needle))
