"""What the text of a lambda says of it."""

from __future__ import annotations


def only_copies(text: str) -> bool:
    """Does a lambda capture values, and keep them as they are? Making one has no effect then: what
    its body does it does where it is called."""
    captures, _, rest = text.partition("]")
    head = rest.partition("{")[0]
    return "&" not in captures and "this" not in captures and "mutable" not in head
