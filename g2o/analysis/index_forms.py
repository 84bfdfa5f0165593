"""Whether the index of an element names the thread, as far as its form tells.

    y[bx * 16 + t]     of thread and block: taken for an index of its own
    y[i / 2], y[bx]    of several threads
    y[at[i]]           from memory: not known; neither are min(i, m) and i / 4 + i % 4

The first kind is what programs write where every thread has its element, with bounds of the launch
that are not known here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, final

from g2o.ir.expressions import (
    Assign,
    Binary,
    Builtin,
    Call,
    Conditional,
    Expr,
    Index,
    LaunchRef,
    Member,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import Block, Declare, For, Node
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children, walk

_OF_THREADS: Final = (Builtin.THREAD_INDEX, Builtin.BLOCK_INDEX)
_FOLDING: Final = frozenset({"/", "%", "&", "|", "^", ">>", "&&", "||", "<", ">", "=="})


@final
@dataclass(slots=True)
class IndexForms:
    """Answers for the elements that one kernel names."""

    body: Block
    values: dict[Symbol, list[Expr]] = field(init=False)
    counters: set[Symbol] = field(init=False)
    used: set[Builtin] = field(init=False)

    def __post_init__(self) -> None:
        self.values = _values(self.body)
        self.counters = {
            variable.symbol
            for node in walk(self.body)
            if isinstance(node, For) and isinstance(node.initial, Declare)
            for variable in node.initial.variables
        }
        self.used = self.builtins(self.body)

    def names_thread(self, place: Expr) -> bool:
        """Is the index made of all that tells threads apart, by sums and products alone?"""
        indices = _indices(place)
        if any(self._folds(one, set(self.counters)) for one in indices):
            return False
        return self.used <= {builtin for one in indices for builtin in self.builtins(one)}

    def names_more(self, value: Expr, place: Expr) -> bool:
        """Does the value come from a thread's index by another way than through that of the
        element?"""
        indices = [strip_parens(one) for one in _indices(place)]
        seen = {n.symbol for one in indices for n in _outside_memory(one) if isinstance(n, VarRef)}
        pending: list[Node] = [value]
        while pending:
            node = pending.pop()
            if node in indices:
                continue
            match node:
                case LaunchRef(builtin=builtin) if builtin in _OF_THREADS:
                    return True
                case VarRef(symbol=symbol) if symbol not in seen:
                    seen.add(symbol)
                    pending.extend(self.values.get(symbol, ()))
                case _:
                    pending.extend(children(node))
        return False

    def builtins(self, node: Node) -> set[Builtin]:
        """Of thread and block, what the value depends on."""
        return self._builtins(node, set())

    def _builtins(self, node: Node, seen: set[Symbol]) -> set[Builtin]:
        found: set[Builtin] = set()
        for inner in walk(node):
            match inner:
                case LaunchRef(builtin=Builtin.THREAD_INDEX | Builtin.BLOCK_INDEX as builtin):
                    found.add(builtin)
                case VarRef(symbol=symbol) if symbol not in seen:
                    seen.add(symbol)
                    for value in self.values.get(symbol, ()):
                        found |= self._builtins(value, seen)
                case _:
                    pass
        return found

    def _folds(self, node: Node, seen: set[Symbol]) -> bool:
        """May different threads get one value from it?"""
        match node:
            case Unary(op="&", operand=Index(base=base, index=index)):
                return self._folds(base, seen) or self._folds(index, seen)
            case Index() | Call() | Conditional() | Unary(op="*" | "!" | "~"):
                return True
            case Member(base=base) if not isinstance(strip_parens(base), VarRef):
                return True
            case Binary(op=op) if op in _FOLDING and self.builtins(node):
                return True
            case VarRef(symbol=symbol) if symbol not in seen:
                seen.add(symbol)
                return any(self._folds(one, seen) for one in self.values.get(symbol, ()))
            case _:
                return any(self._folds(child, seen) for child in children(node))


def _values(body: Block) -> dict[Symbol, list[Expr]]:
    """What each variable is given somewhere."""
    found: dict[Symbol, list[Expr]] = {}
    for node in walk(body):
        match node:
            case Declare(variables=variables):
                for one in variables:
                    if one.initial is not None:
                        found.setdefault(one.symbol, []).append(one.initial)
            case Assign(target=VarRef(symbol=symbol), value=value):
                found.setdefault(symbol, []).append(value)
            case _:
                pass
    return found


def _indices(place: Expr) -> list[Expr]:
    found: list[Expr] = []
    current = strip_parens(place)
    while True:
        match current:
            case Index(base=base, index=index):
                found.append(index)
                current = strip_parens(base)
            case Member(base=base):
                current = strip_parens(base)
            case Unary(op="*", operand=operand):
                return [*found, operand]
            case VarRef():
                return [*found, current]  # a pointer that may have been moved
            case _:
                return found


def _outside_memory(expr: Node) -> list[Node]:
    """The parts of an index that are not indices of something that it loads."""
    if isinstance(expr, Index):
        return []
    return [expr, *(part for child in children(expr) for part in _outside_memory(child))]
