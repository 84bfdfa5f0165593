"""Constants that the build may define otherwise, where launches are as large as they say.

    #ifdef WIDTH
    #define BLOCK WIDTH              __shared__ float tile[BLOCK][BLOCK];
    #else                            tile[threadIdx.y][threadIdx.x] = ...;
    #define BLOCK 16                 k<<<grid, dim3(BLOCK, BLOCK)>>>(...);
    #endif

What is found out about such a kernel has to hold for every value of `BLOCK`. It is a name for the
analysis, the same one in the kernel and in its launches; the translation asserts that it is.
"""

from __future__ import annotations

from g2o.ir.expressions import Cast, Literal
from g2o.ir.statements import Block
from g2o.ir.traverse import walk


def spelled_as(literal: Literal) -> str:
    """What stands in the source for the literal: the name of a macro, if one does."""
    if literal.text.isidentifier() or literal.span is None:
        return literal.text
    return literal.span.text


def usual_value(body: Block, name: str) -> int | None:
    """The value that the constant has in this build; None where the kernel does not name it, or
    where it is more than one number: `#define BLOCK (8 * 2)`."""
    values: set[int | None] = set()
    for node in walk(body):
        if isinstance(node, Literal):
            if spelled_as(node) == name:
                values.add(node.value if isinstance(node.value, int) else None)
        elif not isinstance(node, Cast) and node.span is not None and node.span.text == name:
            values.add(None)
    return values.pop() if len(values) == 1 else None
