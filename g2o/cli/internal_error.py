"""What is said where g2o met a bug of its own."""

from __future__ import annotations


def described(fault: Exception) -> str:
    """The bug in a line."""
    what = f"{type(fault).__name__}: {fault}".strip().rstrip(":").splitlines()[0]
    return f"internal error: {what}"
