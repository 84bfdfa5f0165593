"""CUB's operations of blocks and warps in kernels become plain code and operations between threads.

    using BlockReduce = cub::BlockReduce<float, 256>;
    __shared__ typename BlockReduce::TempStorage storage;      ->
    sum = BlockReduce(storage).Sum(x);                              sum = reduce_add(x);

Its memory goes. What else is done with that memory is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from operator import is_
from typing import Final, cast, final

from g2o.analysis.functions import FunctionTable
from g2o.diagnostics.diagnostic import refuse
from g2o.diagnostics.source import SourceSpan
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Code,
    Conditional,
    Expr,
    Form,
    Member,
    VarRef,
    place_at,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import (
    Block,
    Declare,
    DeclareTypes,
    Empty,
    ExprStatement,
    If,
    Node,
    Return,
    Stmt,
)
from g2o.ir.symbols import Symbol, SymbolTable
from g2o.ir.traverse import N, children, rewrite, walk, with_children
from g2o.transforms.cub_memory import Collective, CubMemory, cub_memory, cub_type_names
from g2o.transforms.cub_moves import DIRECT, MOVES, moved_directly, moved_items
from g2o.transforms.cub_reductions import REDUCTIONS, reduction
from g2o.transforms.cub_scans import SCAN_NAMES, callback_keys, prefixes, scanned_block
from g2o.transforms.cub_warps import scanned_warp
from g2o.transforms.inline import inline_context_functions

_CUB: Final = "@N@cub@"  # in the key of what is declared in the namespace


def replace_cub_collectives(kernel: Kernel, functions: FunctionTable) -> Kernel:
    """Unchanged kernels are returned as they are. Raises Refusal for other uses of the memory."""
    plain = rewrite(kernel.body, _plain_access)
    memory = cub_memory(plain, functions.own_classes())
    symbols = SymbolTable(continued=kernel.function.symbols)
    before = prefixes(plain, functions)
    rewriter = _Collectives(memory, symbols, functions, before)
    body = rewriter.rewritten(plain)
    if body is kernel.body:
        _refuse_collectives(kernel.body)
        return kernel
    for node in walk(body):
        if isinstance(node, VarRef) and node.symbol in memory:
            message = "use of CUB's memory that is no plain operation"
            raise refuse("G2O0205", message, node.span or kernel.body.span)
    _refuse_collectives(body)
    body = _without_names(body, memory)
    made = replace(kernel, function=replace(kernel.function, body=body, symbols=symbols))
    asked = {key for node in walk(plain) if isinstance(node, VarRef) and node.symbol in before
             for key in callback_keys(node, functions)}  # fmt: skip
    return inline_context_functions(made, functions, asked.__contains__) if asked else made


@final
@dataclass(frozen=True, slots=True)
class _Collectives:
    """Replaces calls of CUB's classes. What one needs in front of its statement comes there."""

    memory: CubMemory
    symbols: SymbolTable
    functions: FunctionTable
    prefixes: Mapping[Symbol, bool]

    def rewritten(self, node: Block) -> Block:
        return rewrite(node, self._replacement)

    def _inner(self, node: Stmt) -> Stmt:
        return rewrite(node, self._replacement)

    def _replacement(self, node: Node) -> Node | None:
        match node:
            case Block(statements=statements):
                new = [one for statement in statements for one in self._statement(statement)]
                same = len(new) == len(statements) and all(map(is_, new, statements))
                return node if same else replace(node, statements=tuple(new), form=Form.PATCHED)
            case ExprStatement() | Return() | If():
                new = self._statement(node)
                return new[0] if len(new) == 1 else Block(tuple(new), trivia=node.trivia)
            case Call():
                return self._call(node, None)
            case _:
                return None

    def _statement(self, node: Stmt) -> list[Stmt]:
        whole = self._whole(node)
        if whole is not None:
            return [whole]
        match node:
            case Declare(variables=variables) if any(v.symbol in self.memory for v in variables):
                rest = tuple(v for v in variables if v.symbol not in self.memory)
                if not rest:
                    return [Empty(trivia=node.trivia)]
                return self._statement(replace(node, variables=rest, form=Form.BUILT))
            case If(condition=condition, then=then, otherwise=other):
                before: list[Stmt] = []
                parts: list[Node] = [self._with(condition, before), self._inner(then)]
                if other is not None:
                    parts.append(self._inner(other))
                same = all(map(is_, parts, children(node)))
                return [node] if same else [*before, with_children(node, tuple(parts))]
            case Declare() | ExprStatement() | Return():
                before = []
                new = [self._with(cast(Expr, one), before) for one in children(node)]
                same = all(map(is_, new, children(node)))
                return [node] if same else [*before, with_children(node, tuple(new))]
            case _:
                pass
        return [self._inner(node)]

    def _whole(self, node: Stmt) -> Block | None:
        """What stands for a statement that is nothing but a call of one of CUB's methods."""
        if not isinstance(node, ExprStatement) or not isinstance(node.expr, Call):
            return None
        call, callee = node.expr, node.expr.callee
        if call.is_cuda and call.name in DIRECT:
            moved = _placed(moved_directly(call, self.symbols), call.span)
            return replace(moved, trivia=node.trivia)
        own = self.memory.collective_of(callee.base) if isinstance(callee, Member) else None
        if own is None or not isinstance(callee, Member):
            return None
        made = self._made(call, own, callee.name)
        return None if made is None else replace(_placed(made, call.span), trivia=node.trivia)

    def _made(self, call: Call, own: Collective, name: str) -> Block | None:
        """The statements that stand for a call of a method which stands for statements."""
        if own.kind in MOVES:
            return moved_items(call, own, self.symbols)
        if name not in SCAN_NAMES:
            return None
        match own.kind:
            case "BlockScan":
                return scanned_block(call, own, self.symbols, self.functions, self.prefixes)
            case "WarpScan":
                return scanned_warp(call, own, self.symbols, self.functions)
            case _:
                return None

    def _with(self, expr: Expr, before: list[Stmt]) -> Expr:
        """The expression with its calls replaced; what they need is put before."""
        is_certain = not self._has_choices(expr)

        def replacement(node: Node) -> Node | None:
            if not isinstance(node, Call):
                return None
            return self._call(node, before if is_certain else None)

        return rewrite(expr, replacement)

    def _has_choices(self, node: Node) -> bool:
        """Does it depend on a condition what is evaluated, but for what calls are told?"""
        if isinstance(node, Call) and isinstance(node.callee, Member):
            if self.memory.collective_of(node.callee.base) is not None:
                return False
        if isinstance(node, Conditional) or (isinstance(node, Binary) and node.op in ("&&", "||")):
            return True
        return any(map(self._has_choices, children(node)))

    def _call(self, call: Call, before: list[Stmt] | None) -> Expr | None:
        if not isinstance(call.callee, Member):
            return None
        own = self.memory.collective_of(call.callee.base)
        if own is None:
            return None
        needs: list[Stmt] = []
        arguments = tuple(self._with(one, needs) for one in call.arguments)
        inner = replace(call, arguments=arguments)
        if own.kind not in REDUCTIONS:
            message = f"cub::{own.kind}::{call.callee.name} inside of an expression"
            raise refuse("G2O0205", message, call.span)
        new = reduction(inner, own, needs, self.symbols)
        if needs and before is None:
            message = f"cub::{own.kind}::{call.callee.name} inside of a condition"
            raise refuse("G2O0205", message, call.span)
        if before is not None:
            before.extend(needs)
        return new


def _plain_access(node: Node) -> Expr | None:
    """`cub::ThreadLoad<cub::LOAD_LDG>(p)` is `*p`: how a cache is used changes nothing. What is
    volatile stays, as other threads may change it."""
    if not isinstance(node, Call) or _CUB not in node.key:
        return None
    given = (*node.template_arguments, "VOLATILE")[0]
    if node.name not in ("ThreadLoad", "ThreadStore") or given.endswith(("CV", "VOLATILE")):
        return None
    address, *value = (rewrite(one, _plain_access) for one in node.arguments)
    element = address.type.element
    if element is None:
        return None
    place = place_at(address, element)
    return Assign("=", place, value[0], element, span=node.span) if value else place


def _placed(node: N, span: SourceSpan | None) -> N:
    """What has no place of its own where the call stands, for what is said about it."""
    if node.span is not None:
        return node
    parts = tuple(_placed(one, span) for one in children(node))
    placed = with_children(node, parts) if parts else node
    if isinstance(placed, (Assign, Call, Code)):
        return cast(N, replace(placed, span=span, form=Form.BUILT))
    return cast(N, placed)


def _refuse_collectives(body: Block) -> None:
    """Calls that are left wait for other threads, which a translation would not do."""
    for node in walk(body):
        if isinstance(node, Call) and isinstance(node.callee, Member) and _CUB in node.key:
            message = f"cub operation '{node.name}' whose memory is declared elsewhere"
            raise refuse("G2O0205", message, node.span)
        if isinstance(node, Call) and node.is_cuda and node.name in DIRECT:
            message = f"cub::{node.name} inside of another statement"
            raise refuse("G2O0205", message, node.span)


def _without_names(body: Block, memory: CubMemory) -> Block:
    """The body without names of CUB's classes, which nothing uses any longer."""
    declared = " ".join(
        variable.declared
        for node in walk(body)
        if isinstance(node, Declare)
        for variable in node.variables
    )
    unused = cub_type_names(body, memory).difference(re.findall(r"\w+", declared))

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, DeclareTypes) or unused.isdisjoint(node.names):
            return None
        return Empty(trivia=node.trivia)

    return rewrite(body, replacement)
