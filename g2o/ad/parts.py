"""Parts of structures, by the way that leads to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from g2o.ir.expressions import Expr, Index, Member, Paren, VarRef, integer_value
from g2o.ir.statements import Node
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children

Path = tuple[str | int | None, ...]
"""The members, and the elements by their numbers, None for any, that lead from a variable to a part
of it."""


def path_of(part: Expr) -> Path:
    """`p.eps[k][0]` is ("eps", None, 0)."""
    match part:
        case Member(base=base, name=name):
            return (*path_of(base), name)
        case Index(base=base, index=index):
            return (*path_of(base), integer_value(index))
        case Paren(inner=inner):
            return path_of(inner)
        case _:
            return ()


def is_part_of(path: Path, other: Path) -> bool:
    """May the one lie inside of the other?"""
    return len(path) >= len(other) and all(
        one == two or two is None or one is None for one, two in zip(path, other, strict=False)
    )


def named_parts(nodes: Iterable[Node], symbol: Symbol) -> Iterator[Path]:
    """The parts of a variable that some code names."""
    for node in nodes:
        if isinstance(node, Member | Index | Paren | VarRef) and _root_of(node) == symbol:
            yield path_of(node)
            inner: Expr = node
            while isinstance(inner, Member | Index | Paren):
                if isinstance(inner, Index):
                    yield from named_parts((inner.index,), symbol)
                inner = inner.inner if isinstance(inner, Paren) else inner.base
        else:
            yield from named_parts(children(node), symbol)


def _root_of(expr: Expr) -> Symbol | None:
    while isinstance(expr, Member | Index | Paren):
        expr = expr.inner if isinstance(expr, Paren) else expr.base
    return expr.symbol if isinstance(expr, VarRef) else None
