"""What has the same value in all turns of a loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import final

from g2o.analysis.effects import EffectsOf, declared_in, symbols_in
from g2o.ir.expressions import (
    Binary,
    Builtin,
    Call,
    Cast,
    Expr,
    LaunchRef,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
)
from g2o.ir.statements import Block, CountedLoop, LocalFunction, Node
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import TypeKind


@final
class Invariant:
    """Of a nest of loops, each of which is all that the one around it does; of none, everything."""

    def __init__(
        self,
        effects: EffectsOf,
        nest: list[CountedLoop],
        is_function_of_numbers: Callable[[Node], bool],
    ) -> None:
        self.effects = effects
        self.is_function_of_numbers = is_function_of_numbers
        body = nest[-1].body if nest else Block(())
        found = effects.of(body)
        self.changing = made_in(body) | {loop.index for loop in nest} | found.writes
        self.written = found.memory_writes

    def declare(self, symbol: Symbol) -> None:
        """The variable is declared outside now, and nothing in the loop changes it."""
        self.changing.discard(symbol)

    def holds(self, expr: Expr) -> bool:
        found = self.effects.of(expr)
        changes = (symbols_in(expr) | found.reads) & self.changing
        if not found.is_pure or changes or is_of_thread(expr):
            return False
        return self.reads_unwritten(found.memory_reads)

    def reads_unwritten(self, memory: set[Symbol | None]) -> bool:
        """Does nothing in the loop write the memory?"""
        return all(not may_be_same(read, write) for read in memory for write in self.written)

    def is_safe_number(self, expr: Expr, known: set[Symbol]) -> bool:
        """Is it an invariant that may be computed even where the source does not: arithmetic on
        variables that reads no memory and divides no integers? `known` have a value; functions are
        those of mathematics."""
        match expr:
            case Literal():
                return True
            case VarRef(symbol=symbol):
                numbers = symbol.type.is_arithmetic and not symbol.type.is_volatile
                if symbol.storage is Storage.GLOBAL:
                    return numbers and symbol.type.is_const
                return numbers and symbol in known and symbol not in self.changing
            case Member(base=VarRef(symbol=symbol), arrow=False):
                return expr.type.is_arithmetic and symbol in known and symbol not in self.changing
            case Paren(inner=inner) | Unary(op="-" | "+", operand=inner):
                return self.is_safe_number(inner, known)
            case Cast(operand=operand, type=ctype):
                return ctype.kind is TypeKind.FLOATING and self.is_safe_number(operand, known)
            case Binary(op="+" | "-" | "*" | "/", left=left, right=right, type=ctype):
                both = self.is_safe_number(left, known) and self.is_safe_number(right, known)
                return both and ctype.kind is TypeKind.FLOATING
            case Call(arguments=arguments):
                safe = all(self.is_safe_number(argument, known) for argument in arguments)
                return safe and self.is_function_of_numbers(expr)
            case _:
                return False


def made_in(body: Node) -> set[Symbol]:
    """Variables that only exist inside."""
    found = declared_in(body)
    for node in walk(body):
        if isinstance(node, CountedLoop):
            found.add(node.index)
        elif isinstance(node, LocalFunction):
            found.update(node.parameters)
    return found


def is_of_thread(node: Node) -> bool:
    """Does it name the thread or its block, other than through a variable?"""
    own = (Builtin.THREAD_INDEX, Builtin.BLOCK_INDEX)
    return any(isinstance(inner, LaunchRef) and inner.builtin in own for inner in walk(node))


def may_be_same(read: Symbol | None, write: Symbol | None) -> bool:
    """May memory that is reached through `read` be what is written through `write`?"""
    if read is None or write is None or read == write:
        return True
    kinds = {read.storage, write.storage}
    arrays = _is_block_array(read), _is_block_array(write)
    if kinds == {Storage.SHARED} and all(arrays):
        return False
    if Storage.PARAMETER in kinds and any(arrays):
        return False
    if kinds != {Storage.PARAMETER}:
        return True
    return not (read.type.is_restrict or write.type.is_restrict)


def _is_block_array(symbol: Symbol) -> bool:
    """Is it shared memory itself, not a pointer that lives there?"""
    shared = (Storage.SHARED, Storage.DYNAMIC_SHARED)
    return symbol.storage in shared and symbol.type.kind is not TypeKind.POINTER
