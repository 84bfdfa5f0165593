"""What every part of the lowering of one kernel shares."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar, final

from g2o.analysis.effects import EffectsOf, is_memory, symbols_in
from g2o.diagnostics.diagnostic import Diagnostic, Outcome, remark
from g2o.diagnostics.source import SourceSpan
from g2o.ir.constant_text import number_of
from g2o.ir.expressions import (
    Binary,
    Builtin,
    Cast,
    Code,
    Expr,
    LaunchRef,
    Literal,
    Member,
    Paren,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Node
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT, UNSIGNED, CType, TypeKind

_UNSIGNED = re.compile(r"\d\w*[uU]\w*")
DIM3 = CType("dim3", TypeKind.RECORD, 96)
SIZE = CType("std::size_t", TypeKind.INTEGER, 64, is_signed=False)


@final
@dataclass(frozen=True, slots=True)
class Apart:
    """Two arrays that begin at one place, or `scale * count` elements apart at least."""

    one: Symbol
    other: Symbol
    scale: int
    count: Expr


class UnboundedThreads(Exception):
    """A kernel with as many threads as its guards let through has no guard that says how many."""


N = TypeVar("N", bound=Node)


@final
@dataclass(slots=True)
class LoweringContext:
    """`grid` and `block` are the launch parameters of the emitted function, `shared_bytes` its
    third where the kernel has dynamic shared memory. `relied` collects the dimensions (BLOCK_DIM or
    GRID_DIM, axis) whose value at every launch the emitted code builds on. `device`: loops will
    run on an offload device, where neighbouring threads are neighbouring iterations; `portable`: or
    on a CPU, as the build decides."""

    kernel: Kernel
    symbols: SymbolTable
    effects: EffectsOf
    grid: Symbol
    block: Symbol
    shared_bytes: Symbol | None
    optimisation: int
    axes: dict[Builtin, set[int]]  # of BLOCK_INDEX and THREAD_INDEX: what has to be looped over
    relied: set[tuple[Builtin, int]] = field(default_factory=set["tuple[Builtin, int]"])
    remarks: list[Diagnostic] = field(default_factory=list[Diagnostic])
    headers: set[str] = field(default_factory=set[str])  # what the output has to include
    counters: frozenset[Symbol] = frozenset()  # of loops, and never the largest number there is
    from_zero: frozenset[Symbol] = frozenset()  # of loops, and never negative
    masks: frozenset[Symbol] = frozenset()  # variables that are lanes' numbers, 0 to 31
    device: bool = False
    portable: bool = False
    associative: bool = False  # sums of real numbers may be added up in any order
    positive: set[Symbol] = field(default_factory=set[Symbol])  # numbers of threads, never 0
    apart: set[Apart] = field(default_factory=set[Apart])  # relied on of arrays
    multiples: dict[str, str] = field(default_factory=dict[str, str])  # relied on of template's

    def note(self, outcome: Outcome, code: str, message: str, span: SourceSpan | None) -> None:
        """Remark on what was done; at the kernel's name where there is no better place."""
        function = self.kernel.function
        begin = function.name_offset
        named = SourceSpan(function.span.file, begin, begin + len(function.name))
        found = remark(outcome, code, message, span or named)
        if found not in self.remarks:
            self.remarks.append(found)

    def extent(self, builtin: Builtin, axis: int) -> Expr:
        """`block.x` or `grid.x`, or the constant that every launch agrees on."""
        constant = self.constant_extent(builtin, axis)
        if constant is not None:
            self.relied.add((builtin, axis))
            words = set(re.findall(r"\w+", constant))
            unsigned = words & self.kernel.shape.unsigned or any(map(_UNSIGNED.fullmatch, words))
            ctype = UNSIGNED if unsigned else INT
            literal = Literal(constant, self.constant_value(builtin, axis), ctype)
            return literal if _is_one_token(constant) else Paren(literal, ctype)
        return self.dimension(builtin, axis)

    def dimension(self, builtin: Builtin, axis: int) -> Expr:
        symbol = self.block if builtin is Builtin.BLOCK_DIM else self.grid
        return Member(VarRef(symbol), "xyz"[axis], type=UNSIGNED)

    def constant_value(self, builtin: Builtin, axis: int) -> int | None:
        """The value of the extent that every launch agrees on, where it is known as a number."""
        text = self.constant_extent(builtin, axis)
        return None if text is None else self.number(text)

    def launched(self, text: str) -> int | None:
        """The value that every launch gives to an expression of numbers, named constants and
        parameters of the template."""
        return self.number(text, self.kernel.shape.as_launched().values)

    def number(self, text: str, values: Mapping[str, int] | None = None) -> int | None:
        """The value of an expression of numbers and named constants."""
        return number_of(text, (self.kernel.shape.values if values is None else values).get)

    def constant_extent(self, builtin: Builtin, axis: int) -> str | None:
        """The constant extent of a block; of a grid only that it is 1."""
        if self.optimisation == 0:
            return None
        if builtin is Builtin.BLOCK_DIM:
            return self.kernel.shape.block[axis]
        return "1" if self.kernel.shape.grid[axis] == "1" else None


def _is_one_token(text: str) -> bool:
    return text.replace("_", "").replace("::", "").isalnum()


def bound_for(index: CType, bound: Expr) -> Expr:
    """`bound` as the limit of a loop whose index has type `index`: `int(block.x)`."""
    if isinstance(strip_parens(bound), Literal) and bound.type.is_signed:
        return strip_parens(bound)
    if not index.is_signed or bound.type.is_signed:
        return bound
    return Cast(bound, INT)


def limit_for(upper: Expr, index: Symbol) -> Expr:
    """`upper` so that comparing it with the index mixes no signs: as C++ would convert it."""
    ctype = upper.type
    if ctype.kind is not TypeKind.INTEGER or isinstance(upper, Literal):
        return upper
    if ctype.is_signed == index.type.is_signed:
        return upper
    wide = index.type.is_signed and ctype.bits > index.type.bits
    return upper if wide else Cast(strip_parens(upper), index.type)


def product(left: Expr, right: Expr) -> Expr:
    if integer_value(left) == 1:
        return right
    if integer_value(right) == 1:
        return left
    return Binary("*", left, right, UNSIGNED)


def minimum(left: Expr, right: Expr, ctype: str = "") -> Expr:
    """`std::min(left, right)`; `ctype` where the operands differ in type."""
    explicit = f"<{ctype}>" if ctype else ""
    return Code((f"std::min{explicit}(", left, ", ", right, ")"), type=left.type)


def is_invariant(expr: Expr, effects: EffectsOf, changing: set[Symbol]) -> bool:
    """Pure, independent of memory, of launch indices and of the variables in `changing`."""
    found = effects.of(expr)
    if not found.is_pure or found.memory_reads or found.reads & changing:
        return False
    return not any(
        isinstance(node, LaunchRef) and node.builtin in (Builtin.THREAD_INDEX, Builtin.BLOCK_INDEX)
        for node in walk(expr)
    )


def substitute(node: N, values: dict[Symbol, Expr]) -> N:
    """Replace references to the symbols in `values`. Nothing is added where one is 0."""
    if not values or not symbols_in(node) & values.keys():
        return node

    def replacement(inner: Node) -> Node | None:
        match inner:
            case VarRef(symbol=symbol):
                return values.get(symbol)
            case Binary(op="+", left=left, right=right) if _vanishes(right, values):
                return substitute(left, values)
            case _:
                return None

    return rewrite(node, replacement)


def _vanishes(expr: Expr, values: dict[Symbol, Expr]) -> bool:
    """Is it 0 with these values: one of them, or the start of the tile that lane 0 is in?"""
    match expr:
        case VarRef(symbol=symbol):
            return symbol in values and integer_value(values[symbol]) == 0
        case Paren(inner=inner):
            return _vanishes(inner, values)
        case Binary(op="*" | "/" | "%", left=left, right=Literal() | VarRef()):
            return _vanishes(left, values)
        case _:
            return False


def is_private(symbol: Symbol) -> bool:
    """One per thread: what fission has to care for."""
    return symbol.storage is Storage.LOCAL and not is_memory(symbol)
