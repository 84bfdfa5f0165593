"""Atomic objects of libcu++, `cuda::atomic` and `cuda::atomic_ref`, whose methods stay calls.

while (flag.load() == 0);          refused: who sets it may run later
while (!sum.compare_exchange_weak(old, old + x));     stays: each turn is another attempt
do old = 1; while (!flag.compare_exchange_weak(old, 2));     refused, but for a lock
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from g2o.analysis.effects import root_symbol
from g2o.diagnostics.diagnostic import Note, refuse
from g2o.ir.expressions import Assign, Call, Expr, Member, VarRef, integer_value, strip_parens
from g2o.ir.statements import Block, Declare, DoWhile, For, Node, While
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import statements_behind, walk

_KEY: Final = re.compile(r"@N@cuda@.*\batomic")
_TYPE: Final = re.compile(r"\bcuda::(?:std::)?atomic\b|\bcuda::(?:std::)?atomic_ref\b")
_SEEN: Final = Note("use atomicCAS or atomicAdd, by which g2o sees who waits for whom")
_WAITING: Final = frozenset({"load", "exchange"})
_STORING: Final = frozenset({"store", "exchange"})
_TRYING: Final = "compare_exchange_"


def refuse_waits_on_objects(kernel: Block, called: tuple[Block, ...]) -> None:
    """Raises Refusal for loops that may wait for what another thread stores in an object. A lock
    that a function of those that are `called` takes is given back elsewhere."""
    for loop in walk(kernel):
        for call, method in _calls_that_may_end(loop):
            if method.startswith(_TRYING) and _waits_for_a_value(kernel, loop, call):
                message = f"'{method}' of an atomic object in a loop, which may wait"
                raise refuse("G2O0220", message, call.span or loop.span, _SEEN)
    for body in (kernel, *called):
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


def _waits_for_a_value(kernel: Block, loop: Node, call: Call) -> bool:
    """Does the loop set again what it expects, with nobody to store that but another thread? A lock
    is given back behind the loop by the thread that takes it."""
    assert isinstance(call.callee, Member)
    expected, root = strip_parens(call.arguments[0]), root_symbol(call.callee.base)
    if not isinstance(expected, VarRef):
        return True
    given_back = [
        other.arguments[0]
        for node in (loop, *(statements_behind(kernel, loop) or ()))
        for other, method in _calls(node)
        if method in _STORING and other.arguments and isinstance(other.callee, Member)
        if root_symbol(other.callee.base) == root
    ]
    wanted = _values_of(loop, expected.symbol)
    return any(not any(are_equal(one, value) for one in given_back) for value in wanted)


def _values_of(loop: Node, symbol: Symbol) -> Iterator[Expr]:
    """What a loop sets a variable to."""
    for node in walk(loop):
        match node:
            case Assign(target=VarRef(symbol=target), value=value) if target == symbol:
                yield value
            case Declare(variables=variables):
                for one in variables:
                    if one.symbol == symbol and one.initial is not None:
                        yield one.initial
            case _:
                pass


def are_equal(one: Expr, other: Expr) -> bool:
    """Do two expressions say the same number, or the same?"""
    value = integer_value(one)
    if value is not None:
        return value == integer_value(other)
    return strip_parens(one) == strip_parens(other)


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
