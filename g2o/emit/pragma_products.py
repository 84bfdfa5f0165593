"""Products in clauses, which clang-format takes for declarations of pointers.

thread_limit(TILE *TILE)    ->    thread_limit(TILE * TILE)
"""

from __future__ import annotations

import re

_LIMIT = re.compile(r"\bthread_limit\([^()\n]*\)")
_POINTER = re.compile(r"(?<=\w) \*(?=\w)")


def spaced_products(text: str) -> str:
    """`text` with a space on both sides of each `*`."""
    return _LIMIT.sub(lambda clause: _POINTER.sub(" * ", clause.group()), text)
