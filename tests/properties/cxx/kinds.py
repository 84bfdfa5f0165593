"""What may come next in a random program, as often as it should."""

from __future__ import annotations

from collections.abc import Callable

from tests.properties.cxx import control, unusual
from tests.properties.cxx.tree import Statement
from tests.properties.cxx.writer import Writer


def kinds(w: Writer) -> list[Callable[[Writer], list[Statement]]]:
    more = unusual.kinds(w) if w.e.unusual else []
    return [*control.kinds(w), *more]
