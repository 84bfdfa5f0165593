"""Loops that stand directly in each other, and functions that belong inside of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from g2o.analysis.effects import statements_of, symbols_in
from g2o.ir.directives import Directive
from g2o.ir.statements import Block, CountedLoop, LocalFunction, Node, Stmt, Text
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children
from g2o.lowering.indices import block_of
from g2o.lowering.offload.directives import for_cpu_alone


def nest_of(loop: CountedLoop) -> list[CountedLoop]:
    """The loops, outermost first, that may be collapsed with `loop`: nothing stands between them,
    and the bounds of one do not depend on the index of another."""
    nest = [loop]
    indices: set[Symbol] = {loop.index}
    while True:
        inner = statements_of(nest[-1].body)
        if len(inner) != 1 or not isinstance(inner[0], CountedLoop) or inner[0].trivia.before:
            return nest
        (candidate,) = inner
        assert isinstance(candidate, CountedLoop)
        if (symbols_in(candidate.lower) | symbols_in(candidate.upper)) & indices:
            return nest
        nest.append(candidate)
        indices.add(candidate.index)


def outermost_loops(node: Node) -> Iterator[CountedLoop]:
    """The loops over threads that stand in no other."""
    if isinstance(node, CountedLoop):
        yield node
        return
    for child in children(node):
        yield from outermost_loops(child)


def rebuilt(
    nest: Sequence[CountedLoop], body: Stmt, directive: Directive, portable: bool
) -> CountedLoop:
    """The loops of `nest` around `body`, `directive` on the outermost."""
    result: Stmt = body
    for loop in reversed(nest):
        shown = directive if loop is nest[0] else for_cpu_alone(loop.directive, portable)
        result = replace(loop, body=result, directive=shown, form=loop.form.BUILT)
    assert isinstance(result, CountedLoop)
    return result


def with_functions_inside(statements: Sequence[Stmt]) -> list[Stmt]:
    """Functions that only exist to be called by the loop behind them move into its body.

        const auto thread = [&](int i) {...};         for (int i = 0; i < n; ++i) {
        for (int i = 0; i < n; ++i)            ->         const auto thread = [&]() {...};
            thread(i);                                    thread();
                                                      }

    A device has no way to call a function object that lives on the host.
    """
    result: list[Stmt] = []
    for statement in statements:
        function = result[-1] if result else None
        if isinstance(statement, CountedLoop) and isinstance(function, LocalFunction):
            moved = _moved_into(statement, function)
            if moved is not None:
                result[-1] = moved
                continue
        result.append(statement)
    return result


def _moved_into(loop: CountedLoop, function: LocalFunction) -> CountedLoop | None:
    inner = statements_of(loop.body)
    match inner:
        case (CountedLoop() as nested,):
            moved = _moved_into(nested, function)
            return None if moved is None else replace(loop, body=block_of((moved,)))
        case (*before, Text(parts=(str() as call, *_))) if call.startswith(f"{function.name}("):
            own = replace(function, parameters=())
            body = Block((*before, own, Text((f"{function.name}();",))))
            return replace(loop, body=body)
        case _:
            return None
