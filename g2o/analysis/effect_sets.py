"""The variables and the memory that code, and a function that is called, reads and writes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

from g2o.ir.symbols import Symbol


@final
@dataclass(frozen=True, slots=True)
class FunctionEffects:
    """What calling a function of the program can do, its callees included."""

    reads_thread: bool = False  # uses threadIdx or lanes: differs between threads
    reads_block: bool = False
    has_barrier: bool = False
    has_exchange: bool = False
    has_shared: bool = False  # declares or names shared memory
    reads_dimensions: bool = False  # blockDim, gridDim
    reads_elsewhere: bool = True  # memory that is not reached through a parameter
    writes_elsewhere: bool = True
    has_atomics: bool = True  # or output, or calls of unknown functions
    references: frozenset[int] = frozenset()  # parameters that stand for their arguments
    gives_reference: bool = True
    written_parameters: frozenset[int] = frozenset()  # references: the arguments change
    reads_through: frozenset[int] = frozenset()  # memory behind these parameters is read
    writes_through: frozenset[int] = frozenset()
    is_method: bool = False
    writes_receiver: bool = True  # the object of a method, or memory behind it
    changes_object: bool = True  # the object itself
    hands_out_object: bool = True  # what it gives, or stores, may lead to the object
    is_arithmetic: bool = False  # a number for numbers, in a straight line

    @property
    def needs_context(self) -> bool:
        """Does the function only make sense inside a kernel?"""
        return (
            self.reads_thread or self.reads_block or self.has_barrier or self.has_exchange
            or self.has_shared or self.reads_dimensions
        )  # fmt: skip


@final
@dataclass(slots=True)
class Effects:
    """Effects of a piece of code. Memory is named by the variable it is reached through; `None`
    stands for memory that can be anywhere."""

    reads: set[Symbol] = field(default_factory=set[Symbol])
    writes: set[Symbol] = field(default_factory=set[Symbol])
    memory_reads: set[Symbol | None] = field(default_factory=set["Symbol | None"])
    memory_writes: set[Symbol | None] = field(default_factory=set["Symbol | None"])
    side_effects: bool = False  # output, atomics, calls of unknown functions

    @property
    def is_pure(self) -> bool:
        return not self.writes and not self.memory_writes and not self.side_effects

    def copy(self) -> Effects:
        return Effects(
            set(self.reads),
            set(self.writes),
            set(self.memory_reads),
            set(self.memory_writes),
            self.side_effects,
        )

    def add(self, other: Effects) -> None:
        self.reads |= other.reads
        self.writes |= other.writes
        self.memory_reads |= other.memory_reads
        self.memory_writes |= other.memory_writes
        self.side_effects = self.side_effects or other.side_effects
