"""Atomic objects of libcu++, `cuda::atomic` and `cuda::atomic_ref`, whose methods stay calls.

while (flag.load() == 0);          refused: who sets it may run later
while (!sum.compare_exchange_weak(old, old + x));     stays: each turn is another attempt
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from g2o.diagnostics.diagnostic import Note, refuse
from g2o.ir.expressions import Call, Member
from g2o.ir.statements import Block, DoWhile, For, Node, While
from g2o.ir.traverse import walk

_KEY: Final = re.compile(r"@N@cuda@.*\batomic")
_TYPE: Final = re.compile(r"\bcuda::(?:std::)?atomic\b|\bcuda::(?:std::)?atomic_ref\b")
_SEEN: Final = Note("use atomicCAS or atomicAdd, by which g2o sees who waits for whom")
_WAITING: Final = frozenset({"load", "exchange"})


def refuse_waits_on_objects(bodies: Iterable[Block]) -> None:
    """Raises Refusal for loops that may wait for what another thread stores in an object."""
    for body in bodies:
        for loop in walk(body):
            for call, method in _calls_that_may_end(loop):
                if method in _WAITING:
                    message = f"'{method}' of an atomic object in a loop, which may wait"
                    raise refuse("G2O0220", message, call.span or loop.span, _SEEN)


def refuse_atomic_objects(body: Block) -> None:
    """Raises Refusal where a kernel that is differentiated has any."""
    for call, method in _calls(body):
        message = f"'{method}' of an atomic object of libcu++"
        raise refuse("G2O0403", message, call.span, Note("use atomicAdd and its like"))


def _calls_that_may_end(loop: Node) -> Iterator[tuple[Call, str]]:
    """The calls in a loop, but for those in the body of one that counts."""
    if isinstance(loop, (While, DoWhile)):
        yield from _calls(loop)
    elif isinstance(loop, For):
        counts = loop.condition is not None and loop.increment is not None
        yield from _calls(loop.condition if counts and loop.condition is not None else loop)


def _calls(node: Node) -> Iterator[tuple[Call, str]]:
    for inner in walk(node):
        if not isinstance(inner, Call) or not isinstance(inner.callee, Member):
            continue
        made = inner.callee.base.type.spelling
        if _KEY.search(inner.key) or _TYPE.search(made):
            yield inner, inner.callee.name
