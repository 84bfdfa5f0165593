"""Deep recursion, its end, and what it raises."""

from __future__ import annotations

import sys

import pytest

from g2o.cli.deep_stack import with_deep_stack


def depth(levels: int) -> int:
    return 0 if levels == 0 else 1 + depth(levels - 1)


def test_recursion_beyond_the_usual_limit() -> None:
    levels = sys.getrecursionlimit() * 5
    with pytest.raises(RecursionError):
        depth(levels)
    assert with_deep_stack(lambda: depth(levels)) == levels


def test_endless_recursion_still_ends() -> None:
    with pytest.raises(RecursionError):
        with_deep_stack(lambda: depth(10**9))


def test_exceptions_reach_the_caller_and_limits_are_restored() -> None:
    before = sys.getrecursionlimit()

    def fail() -> None:
        raise LookupError("no such thing")

    with pytest.raises(LookupError, match="no such thing"):
        with_deep_stack(fail)
    assert sys.getrecursionlimit() == before
