"""Which variables the index of the block goes into."""

from __future__ import annotations

from collections.abc import Iterable, Set

from g2o.analysis.effects import root_symbol, symbols_in
from g2o.ir.expressions import Assign, Builtin, Expr, LaunchRef, VarRef
from g2o.ir.statements import Declare, Stmt
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk


def names_block(expr: Expr, varying: Set[Symbol]) -> bool:
    """Does the expression itself name the index of the block, or that of the loop over blocks?

    `varying` are the variables that differ between the threads of a block: the index of a loop over
    threads is among them.
    """
    return any(
        (isinstance(node, LaunchRef) and node.builtin is Builtin.BLOCK_INDEX)
        or (
            isinstance(node, VarRef)
            and node.symbol.storage is Storage.INDEX
            and node.symbol not in varying
        )
        for node in walk(expr)
    )


def derived_from_block(statements: Iterable[Stmt], varying: Set[Symbol]) -> set[Symbol]:
    """Variables that some value computed from the index is assigned to."""
    pairs: list[tuple[Symbol, Expr]] = []
    for statement in statements:
        for node in walk(statement):
            if isinstance(node, Declare):
                pairs += [(v.symbol, v.initial) for v in node.variables if v.initial is not None]
            elif isinstance(node, Assign):
                root = root_symbol(node.target)
                if root is not None:
                    pairs.append((root, node.value))
    found = {symbol for symbol, value in pairs if names_block(value, varying)}
    named = [(symbol, symbols_in(value)) for symbol, value in pairs]
    size = -1
    while size != len(found):
        size = len(found)
        found |= {symbol for symbol, names in named if not found.isdisjoint(names)}
    return found
