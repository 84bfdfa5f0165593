"""What the threads of a block read and write, where, and under which conditions."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final, final

from g2o.diagnostics.source import SourceSpan
from g2o.ir.expressions import Conditional, Expr
from g2o.ir.statements import Stmt
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.types import VOID, CType
from g2o.polyhedral.formula import Formula, names_of
from g2o.polyhedral.polynomial import Polynomial
from g2o.polyhedral.space import Space


class AccessKind(Enum):
    READ = "read"
    WRITE = "write"
    ATOMIC = "atomic"


OUTPUT: Final = Symbol(-1, "output", VOID, Storage.GLOBAL)
"""Stands for what the threads print: its order can be seen."""

OUTSIDE: Final = Symbol(-2, "global memory", VOID, Storage.GLOBAL)
"""Stands for memory behind pointers that the kernel was given inside of objects."""


@final
@dataclass(frozen=True, slots=True)
class Access:
    """One access of every thread that gets there.

    `root` is the array, or the pointer from outside, that it goes through; None: any memory.
    `index` counts elements of `element`; None: anywhere behind the root. `path` names the members
    inside the element. `guard` holds whenever the access happens; `exact` means that it also
    happens whenever the guard holds, at exactly this index. `value` is what a write stores, where
    that has a name; threads differ in it at most between the iterations that `counters` count.
    `inside` holds where its subscripts are within the extents of their arrays. `known` is what the
    thread's integers hold where it reads memory of the block.
    """

    id: int
    kind: AccessKind
    root: Symbol | None
    index: Polynomial | None
    path: tuple[str, ...]
    element: CType | None
    guard: tuple[Formula, ...]
    exact: bool
    segment: int
    loops: tuple[int, ...]
    varying_value: bool = True
    inside: tuple[Formula, ...] = ()
    value: Polynomial | None = field(default=None, compare=False, repr=False)
    node: Expr | None = field(default=None, compare=False, repr=False)
    statement: Stmt | None = field(default=None, compare=False, repr=False)
    span: SourceSpan | None = field(default=None, compare=False, repr=False)
    counters: tuple[str, ...] | None = field(default=None, compare=False, repr=False)
    known: tuple[tuple[Symbol, Polynomial], ...] = field(default=(), compare=False, repr=False)

    @property
    def names(self) -> set[str]:
        """What the index and the guards depend on."""
        names: set[str] = set() if self.index is None else set(self.index.names)
        for guard in self.guard:
            names |= names_of(guard)
        return names


@final
@dataclass(frozen=True, slots=True)
class Edge:
    """From the end of one node of the flow graph to the start of another. `back` is the loop that
    it starts another iteration of, `left` are the loops that it leaves."""

    target: int
    back: int | None = None
    left: tuple[int, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class BarrierSite:
    """A barrier of the whole block. `position` counts the barriers of the kernel that could be
    removed in the order of the source; None for those that do something else besides."""

    position: int | None
    depth: int
    span: SourceSpan | None


@final
@dataclass(slots=True)
class FlowGraph:
    """Segments of code without a barrier, and barriers, in the order that all threads take.

    `arms` are the segments in which an arm of a condition begins, with what holds there; None where
    that is not known. A segment behind a loop is one for who comes from in front of the loop: it is
    not known whether that runs.
    """

    edges: list[list[Edge]] = field(default_factory=list[list[Edge]])
    barriers: dict[int, BarrierSite] = field(default_factory=dict[int, BarrierSite])
    arms: dict[int, Formula | None] = field(default_factory=dict[int, "Formula | None"])

    def add(self) -> int:
        self.edges.append([])
        return len(self.edges) - 1

    def connect(self, source: int, edge: Edge) -> None:
        self.edges[source].append(edge)


@final
@dataclass(frozen=True, slots=True)
class Choice:
    """A choice that is made where `guards` hold: its condition is false at most where `if_false`
    holds, and true at most where `if_true` does."""

    node: Conditional
    guards: tuple[Formula, ...]
    if_true: Formula
    if_false: Formula


@final
@dataclass(frozen=True, slots=True)
class MemoryModel:
    """Everything that conflicts are decided from. `context` holds for every thread of a launch."""

    space: Space
    graph: FlowGraph
    accesses: tuple[Access, ...]
    context: Formula
    thread_axes: tuple[str, ...]
    extents: tuple[Polynomial, Polynomial, Polynomial]  # of a block
    assumed: frozenset[int]  # axes of blockDim whose value at the launches was used
    assume_noalias: bool = False
    choices: tuple[Choice, ...] = ()
