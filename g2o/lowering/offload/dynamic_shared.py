"""Arrays of a block in the memory that its launch asks for, one behind the other.

g2o::shared_array<float> buf(n);              g2o::shared_array<float> buf(n);
g2o::shared_array<float> d_buf(n, 0);         g2o::shared_array<float> d_buf(n, buf);
                                          ->  #pragma omp parallel for
                                              for (std::size_t i = 0; i < n / sizeof(float); ++i)
                                                  d_buf[i] = {};
g2o::thread_array<int> sum(block.x);          g2o::block_array<int> sum(block.x, d_buf);

g2o::Tape<float> kept[64];                    g2o::ChunkTape<float> kept[64];

The clause of the construct says how much that is in all: an array for as many threads as a block
may have would often be too large for the fast memory of a device. So would be the first values of
the tapes of all threads, which lie elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

from g2o.ir.directives import PARALLEL_FOR, SIMD
from g2o.ir.expressions import Expr
from g2o.ir.statements import Block, Declare, LocalFunction, Node, Stmt, Text, Variable
from g2o.lowering.context import LoweringContext
from g2o.lowering.offload.directives import for_both

_SHARED = re.compile(
    r"g2o::shared_array<(?P<element>.*)> (?P<name>\w+)\((?P<size>\w+)(?P<zero>, 0)?\);",
    re.DOTALL,
)
_THREADS = re.compile(r"g2o::thread_array<(?P<element>.*)> (?P<name>\w+)\(", re.DOTALL)
_TAPE = "g2o::Tape<"
_SMALL_TAPE = "g2o::ChunkTape<"


@final
@dataclass(slots=True)
class BlockMemory:
    """Arranges the arrays of a block: the last one so far, and what each of them takes."""

    context: LoweringContext
    threads: str  # of a block, as text
    last: str = ""
    sizes: dict[str, int] | None = None  # of arrays -> how many there are

    def clause(self) -> tuple[str, ...]:
        """What the construct is told about the size, if anything."""
        if not self.sizes:
            return ()
        if len(self.sizes) == 1 and 1 in self.sizes.values():
            return (f"G2O_DYNAMIC_SHARED({next(iter(self.sizes))})",)
        terms = (
            f"{f'{count} * ' if count > 1 else ''}g2o::padded({size})"
            for size, count in self.sizes.items()
        )
        return (f"G2O_DYNAMIC_SHARED({' + '.join(terms)})",)

    def placed(self, body: Sequence[Stmt]) -> list[Stmt]:
        """The statements with their arrays one behind the other; those that start at 0 are cleared
        by all threads."""
        result: list[Stmt] = []
        for statement in body:
            match statement:
                case LocalFunction(body=Block(statements=inner) as block):
                    inside = tuple(self.placed(inner))
                    result.append(replace(statement, body=replace(block, statements=inside)))
                case Text(parts=(str() as text,)) if found := _SHARED.fullmatch(text):
                    result.extend(self._shared(statement, found))
                case Text(parts=(str() as text, count, _)) if not isinstance(count, str) and (
                    found := _THREADS.fullmatch(text)
                ):
                    result.append(self._of_threads(statement, found, count))
                case _:
                    result.append(statement)
        return result

    def _shared(self, statement: Text, found: re.Match[str]) -> list[Stmt]:
        element, name, size = found["element"], found["name"], found["size"]
        declared = f"g2o::shared_array<{element}> {name}({size}{self._behind(name, size)});"
        result: list[Stmt] = [Text((declared,), trivia=statement.trivia)]
        if found["zero"]:
            index = "i" if "i" not in self.context.symbols.names else "element"
            number, one = element, name
            if "[" in element:  # an array of arrays is cleared number by number
                number = element[: element.index("[")]
                one = f"reinterpret_cast<{number} *>({name}.data())"
            loop = f"for (std::size_t {index} = 0; {index} < {size} / sizeof({number}); ++{index})"
            directive = for_both(PARALLEL_FOR, SIMD, self.context.portable)
            text = f"#pragma {directive.text}\n{loop}\n{one}[{index}] = {{}};"
            result.append(Text((text,)))
        return result

    def _of_threads(self, statement: Text, found: re.Match[str], count: Expr) -> Stmt:
        element, name = found["element"].replace(_TAPE, _SMALL_TAPE), found["name"]
        factor = f"{self.threads} * " if self.threads else ""
        behind = self._behind(name, f"{factor}sizeof({element})")
        return Text(
            (f"g2o::block_array<{element}> {name}(", count, f"{behind});"),
            trivia=statement.trivia,
        )

    def _behind(self, name: str, size: str) -> str:
        """What an array is told of the one before, which it becomes for the next."""
        behind = f", {self.last}" if self.last else ""
        self.last = name
        self.sizes = self.sizes or {}
        self.sizes[size] = self.sizes.get(size, 0) + 1
        return behind


def with_small_tapes(node: Node) -> Node | None:
    """Arrays of tapes without values of their own: what `rewrite` puts in place of `node`."""
    if not isinstance(node, Declare):
        return None
    small = tuple(map(_of_small_tapes, node.variables))
    if all(new is old for new, old in zip(small, node.variables, strict=True)):
        return None
    return replace(node, variables=small)


def _of_small_tapes(variable: Variable) -> Variable:
    if not variable.suffix or not variable.declared.startswith(_TAPE):
        return variable
    return replace(variable, declared=variable.declared.replace(_TAPE, _SMALL_TAPE))
