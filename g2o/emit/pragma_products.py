"""Clauses in which clang-format takes `*` for a pointer's and `:` for that of a range.

thread_limit(TILE *TILE) map(to : box)    ->    thread_limit(TILE * TILE) map(to: box)
"""

from __future__ import annotations

import re

_LIMIT = re.compile(r"\bthread_limit\([^()\n]*\)")
_MAP = re.compile(r"(\bmap\(\w+) : ")
_POINTER = re.compile(r"(?<=\w) \*(?=\w)")


def spaced_products(text: str) -> str:
    """`text` with a space on both sides of each `*` and none in front of `:`."""
    spaced = _LIMIT.sub(lambda clause: _POINTER.sub(" * ", clause.group()), text)
    return _MAP.sub(r"\1: ", spaced)
