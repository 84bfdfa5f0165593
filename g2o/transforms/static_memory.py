"""Shared memory of device functions: one object for all calls, as CUDA has it, or one for each.

    __device__ float block_sum(float v) {       // writes `part` before it reads it: every call may
        __shared__ float part[32];              // have an array of its own, and calls that follow
        part[threadIdx.x / 32] = warp_sum(v);   // each other need not wait
        ...
    __device__ int *buffer() {                  // all calls return the same array
        __shared__ int s[64];
        return s;

An array of its own is what the authors of the first kind mean: many forget the barrier between two
calls. It is only given where a call begins by writing, at a place for each thread.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.effects import declared_in, root_symbol
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import (
    Assign,
    Binary,
    Builtin,
    Call,
    Expr,
    Form,
    Index,
    LaunchRef,
    Unary,
    VarRef,
)
from g2o.ir.kernel import Function
from g2o.ir.statements import Block, Declare, If, Node, Stmt, Switch
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import TypeKind


def is_one_object(function: Function) -> bool:
    """Must the calls of a device function have the shared memory that it declares in common?"""
    shared = _shared(function.body)
    if not shared:
        return False
    if function.result.kind in (TypeKind.POINTER, TypeKind.REFERENCE):
        return True
    accesses = list(_Reader(shared, _of_thread(function)).read(function.body, always=True))
    if any(access.escapes for access in accesses):
        return True
    first: dict[Symbol, _Access] = {}
    for access in accesses:
        first.setdefault(access.symbol, access)
    read = {access.symbol for access in accesses if not access.is_store}
    return any(not access.is_store or not access.always for access in first.values()) or (
        set(first) != read
    )


def _shared(body: Block) -> frozenset[Symbol]:
    return frozenset(
        variable.symbol
        for node in walk(body)
        if isinstance(node, Declare)
        for variable in node.variables
        if variable.symbol.storage is Storage.SHARED
    )


def _of_thread(function: Function) -> frozenset[Symbol]:
    """Locals that are computed from the index of the thread."""
    found: set[Symbol] = set()
    while True:
        more = {
            symbol
            for node in walk(function.body)
            for symbol, value in _assigned(node)
            if symbol not in found and _names_thread(value, found)
        }
        if not more:
            return frozenset(found)
        found |= more


def _assigned(node: Node) -> Iterator[tuple[Symbol, Expr]]:
    match node:
        case Declare(variables=variables):
            for variable in variables:
                if variable.initial is not None:
                    yield variable.symbol, variable.initial
        case Assign(target=VarRef(symbol=symbol), value=value):
            yield symbol, value
        case _:
            return


def _names_thread(expr: Node, known: set[Symbol] | frozenset[Symbol]) -> bool:
    return any(
        (isinstance(node, LaunchRef) and node.builtin is Builtin.THREAD_INDEX)
        or (isinstance(node, VarRef) and node.symbol in known)
        for node in walk(expr)
    )


@final
@dataclass(frozen=True, slots=True)
class _Access:
    """`always`: whichever threads make it, some do in every call, each at a place of its own."""

    symbol: Symbol
    is_store: bool
    always: bool = False
    escapes: bool = False


@final
@dataclass(frozen=True, slots=True)
class _Reader:
    """Finds the accesses of shared variables in the order in which they are made."""

    shared: frozenset[Symbol]
    of_thread: frozenset[Symbol]

    def read(self, node: Node, *, always: bool) -> Iterator[_Access]:
        match node:
            case If(condition=condition, then=then, otherwise=otherwise):
                yield from self.read(condition, always=always)
                inside = always and _names_thread(condition, self.of_thread)
                yield from self.read(then, always=inside)
                if otherwise is not None:
                    yield from self.read(otherwise, always=inside)
            case Switch():
                yield from self._children(node, always=False)
            case Assign(op=op, target=target, value=value):
                yield from self.read(value, always=always)
                yield from self._target(target, is_store=op == "=", always=always)
            case Unary(op="++" | "--", operand=operand):
                yield from self._target(operand, is_store=False, always=always)
            case Index(base=base, index=index) if self._is_inside(base):
                yield from self.read(index, always=always)
                yield from self._target(node, is_store=False, always=always)
            case Call(arguments=arguments):
                for argument in arguments:
                    yield from self._argument(argument, always=always)
            case VarRef(symbol=symbol) if symbol in self.shared:
                escapes = symbol.type.kind is TypeKind.ARRAY
                yield _Access(symbol, is_store=False, escapes=escapes)
            case _:
                yield from self._children(node, always=always)

    def _children(self, node: Node, *, always: bool) -> Iterator[_Access]:
        for child in children(node):
            yield from self.read(child, always=always)

    def _is_inside(self, expr: Expr) -> bool:
        root = root_symbol(expr)
        return root in self.shared and not any(isinstance(n, (Call, Binary)) for n in walk(expr))

    def _target(self, target: Expr, *, is_store: bool, always: bool) -> Iterator[_Access]:
        root = root_symbol(target)
        if root is None or root not in self.shared:
            yield from self._children(target, always=always)
            return
        indices = [node.index for node in walk(target) if isinstance(node, Index)]
        for index in indices:
            yield from self.read(index, always=always)
        own = not indices or any(_names_thread(index, self.of_thread) for index in indices)
        yield _Access(root, is_store, always and own)

    def _argument(self, argument: Expr, *, always: bool) -> Iterator[_Access]:
        """What is handed to a function may be read there, and an address is not kept."""
        root = root_symbol(argument)
        if root is not None and root in self.shared:
            yield from self._target(argument, is_store=False, always=always)
        else:
            yield from self.read(argument, always=always)


def take_declarations(body: Block, known: Collection[Symbol]) -> tuple[Block, list[Stmt]]:
    """`body` without the declarations of some variables, and those declarations.

    Raises Refusal where one of them needs what the body declares.
    """
    taken: list[Stmt] = []
    inner = declared_in(body) - set(known)

    def is_known(statement: Stmt) -> bool:
        return isinstance(statement, Declare) and any(
            variable.symbol in known for variable in statement.variables
        )

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Block) or not any(map(is_known, node.statements)):
            return None
        taken.extend(filter(is_known, node.statements))
        left = (one for one in node.statements if not is_known(one))
        statements = tuple(rewrite(one, replacement) for one in left)
        return replace(node, statements=statements, form=Form.BUILT)

    new = rewrite(body, replacement)
    for statement in taken:
        for node in walk(statement):
            if isinstance(node, VarRef) and node.symbol in inner:
                message = "size of shared memory that the calls of a function have in common"
                raise refuse("G2O0210", message, statement.span)
    return new, taken
