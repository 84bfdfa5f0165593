"""Functions keep being found when a body moves into another namespace.

namespace tools { __device__ float load(...); __device__ float sum(...) { ... load(p) ... } }
__global__ void k(...) { ... tools::sum(x) ... }      ->      ... tools::load(p) ...
"""

from __future__ import annotations

import re
from typing import Final

from g2o.ir.expressions import Call, Code
from g2o.ir.statements import Block, Node
from g2o.ir.traverse import rewrite, walk

_FREE_FUNCTION: Final = re.compile(r"c:(?:[^@]*)@((?:N@\w+@)+)FT?@")
"""The start of the key of a function in a namespace: clang's unified symbol resolution."""


def qualify_calls(body: Block, into: str) -> Block:
    """`body` with the namespaces of the functions that it calls, where the function with the key
    `into`, which it moves to, does not see them without."""
    around = namespaces_of(into)
    names: dict[int, str] = {}
    for node in walk(body):
        span = node.callee.span if isinstance(node, Call) else None
        if not isinstance(node, Call) or span is None:
            continue
        name, opening, arguments = span.text.partition("<")
        *given, last = name.split("::")
        own = namespaces_of(node.key)
        begin = own[: len(own) - len(given)]  # where the name that is spelled is looked for
        if begin and last == node.name and around[: len(begin)] != begin:
            names[id(node.callee)] = "::".join((*own, last)) + opening + arguments

    def replacement(node: Node) -> Node | None:
        return Code((names[id(node)],)) if id(node) in names else None

    return rewrite(body, replacement) if names else body


def namespaces_of(key: str) -> tuple[str, ...]:
    """The namespaces that a free function lies in, outermost first."""
    found = _FREE_FUNCTION.match(key)
    return (
        () if found is None else tuple(found.group(1).removeprefix("N@").rstrip("@").split("@N@"))
    )
