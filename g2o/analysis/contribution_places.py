"""Where the threads of a block get values from, and where they put them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, final

from g2o.analysis.contribution_values import Item
from g2o.ir.expressions import (
    Assign,
    Binary,
    Cast,
    Expr,
    Index,
    LaunchRef,
    Literal,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import Block, ExprStatement, If, Stmt
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import TypeKind

SHARED: Final = (Storage.SHARED, Storage.DYNAMIC_SHARED)
SHUFFLES: Final = frozenset({"shfl", "shfl_up", "shfl_down", "shfl_xor"})
Place = tuple[Symbol, tuple[int, ...]]


@final
@dataclass(frozen=True, slots=True)
class Arguments:
    """What parameters of a template are given, and those of them that have been asked for."""

    values: Mapping[str, int]
    asked: set[str] = field(default_factory=set[str])

    def value(self, name: str) -> int | None:
        found = self.values.get(name)
        if found is not None:
            self.asked.add(name)
        return found


@final
@dataclass(slots=True)
class Visits:
    """The warps whose threads have read and written an element since the last barrier."""

    read: set[int] = field(default_factory=set[int])
    written: set[int] = field(default_factory=set[int])


@final
@dataclass(frozen=True, slots=True)
class Outgoing:
    """A value that some threads store to memory of the grid, under conditions; what these and the
    place are made of stays the same."""

    target: Expr
    conditions: tuple[Expr, ...]
    items: tuple[Item, ...]


def bits_from(first: int, count: int) -> int:
    """The bits of so many threads, or elements, from the first one on."""
    return ((1 << count) - 1) << first


def goes_out(target: Expr) -> bool:
    """Is it an element of memory that a pointer leads to, at a place that memory does not say?"""
    match strip_parens(target):
        case Index(base=base, index=index):
            pass
        case Unary(op="*", operand=base):
            index = base
        case _:
            return False
    root = strip_parens(base)
    if not isinstance(root, VarRef) or not is_plain(index):
        return False
    return root.symbol.storage not in SHARED and root.symbol.type.kind is TypeKind.POINTER


def only_goes_out(body: Stmt) -> bool:
    """Does it do nothing but to store to such memory?"""
    match body:
        case Block(statements=inner):
            return all(map(only_goes_out, inner))
        case ExprStatement(expr=Assign(op="=", target=target)):
            return goes_out(target)
        case If(then=then, otherwise=None):
            return only_goes_out(then)
        case _:
            return False


def is_plain(expr: Expr) -> bool:
    """Is it made of variables and numbers, without memory and without an effect?"""
    return all(map(_is_plain_node, walk(expr)))


def _is_plain_node(node: object) -> bool:
    match node:
        case VarRef(symbol=symbol):
            return symbol.storage not in SHARED
        case Unary(op=op):
            return op in ("-", "+", "!", "~")
        case _:
            return isinstance(node, (LaunchRef, Literal, Binary, Cast, Paren))


def shuffled_from(operation: str, thread: int, by: int, width: int) -> int | None:
    """The thread whose value a shuffle gives: its own where no other is meant; None for distances
    that have no meaning."""
    lane = thread % width
    first = thread - lane
    if operation != "shfl" and not 0 <= by < width:
        return None
    match operation:
        case "shfl_up":
            return thread - by if lane - by >= 0 else thread
        case "shfl_down":
            return thread + by if lane + by < width else thread
        case "shfl_xor":
            return first + (lane ^ by)
        case _:
            return first + by % width
