"""Expressions whose text says one thing where another is meant.

SharedMemory<float> shared;
float *buf = shared.getPointer();   ->   float *buf = (float *)memory;

auto [low, high] = range;           ->   ... range.low ...
... low ...
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import final

from g2o.frontend.cuda.clang_api import Cursor, DeclaredAt
from g2o.ir.expressions import Expr, VarRef
from g2o.ir.statements import Block, Declare, Empty, Node
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite, walk


@final
@dataclass(slots=True)
class StandIns:
    """What the text of one function says, and what is meant by it."""

    meant: list[tuple[Expr, Expr]] = field(default_factory=list[tuple[Expr, Expr]])
    accessors: set[DeclaredAt] = field(default_factory=set[DeclaredAt])  # only name shared memory

    def add(self, said: Expr, meant: Expr) -> None:
        """Note that `said` stands for `meant`."""
        self.meant.append((said, meant))

    def note_accessors(self, cursor: Cursor) -> None:
        """Note the objects below `cursor`: they do nothing but name shared memory."""
        for node in cursor.walk():
            if node.kind == "DECL_REF_EXPR" and node.referenced is not None:
                self.accessors.add(node.referenced.declared_at)

    def put_into(self, body: Block, declared: Mapping[DeclaredAt, Symbol]) -> Block:
        """The function with what is meant, without the objects that only said it."""

        def put(node: Node) -> Node | None:
            return next((new for said, new in self.meant if node is said), None)

        if not self.meant:
            return body
        changed = rewrite(body, put)
        used = {node.symbol for node in walk(changed) if isinstance(node, VarRef)}
        found = (declared.get(place) for place in self.accessors)
        unused = {symbol for symbol in found if symbol is not None and symbol not in used}

        def drop(node: Node) -> Node | None:
            if not isinstance(node, Declare) or len(node.variables) != 1:
                return None
            return Empty(trivia=node.trivia) if node.variables[0].symbol in unused else None

        without = rewrite(changed, drop)
        assert isinstance(without, Block)
        return without
