"""One documented diagnostic code."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent
from typing import final


@final
@dataclass(frozen=True, slots=True)
class Code:
    """A stable code and what `g2o explain` says about it.

    `title` is a short noun phrase, `meaning` says what g2o found and why it matters, `example` is
    CUDA or a command line that causes it, `remedy` says what to do. Texts are Markdown.
    """

    key: str
    title: str
    meaning: str
    remedy: str
    example: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "meaning", _flush_left(self.meaning))
        object.__setattr__(self, "remedy", _flush_left(self.remedy))
        object.__setattr__(self, "example", _flush_left(self.example))


def _flush_left(text: str) -> str:
    return dedent(text).strip("\n").rstrip()
