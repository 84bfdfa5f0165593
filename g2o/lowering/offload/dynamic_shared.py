"""Dynamic shared memory on a device: one piece for all arrays of a block, sized at the launch.

g2o::shared_array<float> buf(n);              g2o::shared_array<float> buf(n);
g2o::shared_array<float> d_buf(n); // zero    g2o::shared_array<float> d_buf(n, 1);
                                          ->  #pragma omp parallel for
                                              for (std::size_t i = 0; i < n / sizeof(float); ++i)
                                                  d_buf[i] = {};
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2o.ir.statements import Node, Stmt, Text
from g2o.ir.traverse import walk
from g2o.lowering.context import LoweringContext
from g2o.lowering.offload.directives import directive

_ARRAY = re.compile(
    r"g2o::shared_array<(?P<element>.*)> (?P<name>\w+)\((?P<size>\w+)\);(?P<zero> // zero)?",
    re.DOTALL,
)


def is_dynamic_shared(node: Node) -> bool:
    """Does the statement declare an array of its own, not one that looks at another?"""
    return _declared(node) is not None


def dynamic_shared_clause(context: LoweringContext, body: Sequence[Stmt]) -> str:
    """What the construct is told about the size; empty, or with a space in front."""
    count = sum(is_dynamic_shared(node) for statement in body for node in walk(statement))
    if not count or context.shared_bytes is None:
        return ""
    factor = f"{count} * " if count > 1 else ""
    return f" G2O_DYNAMIC_SHARED({factor}{context.shared_bytes.name})"


def with_places(context: LoweringContext, body: Sequence[Stmt]) -> list[Stmt]:
    """Arrays told which of them they are; those that start at 0 are cleared by all threads."""
    result: list[Stmt] = []
    place = 0
    for statement in body:
        found = _declared(statement)
        if found is None:
            result.append(statement)
            continue
        element, name, size = found["element"], found["name"], found["size"]
        where = f", {place}" if place else ""
        place += 1
        declared = f"g2o::shared_array<{element}> {name}({size}{where});"
        result.append(Text((declared,), trivia=statement.trivia))
        if found["zero"]:
            index = "i" if "i" not in context.symbols.names else "element"
            loop = f"for (std::size_t {index} = 0; {index} < {size} / sizeof({element}); ++{index})"
            pragma = directive("omp parallel for", "omp simd", context.portable)
            text = f"#pragma {pragma}\n{loop}\n{name}[{index}] = {{}};"
            result.append(Text((text,)))
    return result


def _declared(node: Node) -> re.Match[str] | None:
    match node:
        case Text(parts=(str() as text,)):
            return _ARRAY.fullmatch(text)
        case _:
            return None
