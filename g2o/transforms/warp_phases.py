"""Lanes of a warp that meet in memory without a barrier get warp barriers.

    s[t] = x[t];                s[t] = x[t];
    y[t] = s[31 - t];    ->     warp barrier
                                y[t] = s[31 - t];

Before Volta the lanes of a warp ran in step and programs left barriers out, or wrote
`__threadfence_block()` in their place (CUDA C++ Programming Guide, "Independent Thread
Scheduling"). What `volatile` marks as such code is `lockstep`'s; here the memory is plain, and
`g2o.analysis.meetings` says where lanes meet, unless isl knows that they never do: in shared
memory, and in global memory where launches show that no other warp does. Where a statement moves
elements of one array to places that are read from memory, `s[rank[t]] = s[t]`, nobody can say that
they do not. Fences that separate nothing go: one OpenMP thread runs the whole block.

Where both branches of an `if` store to the same place, there is one store behind both, as compilers
make it: `if (t == 0) s[t] = 0; else s[t] = s[t - 1];`.

No barrier is put into a `switch` that lanes may come to at different times: there they cannot wait
for each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.access_collector import NotAnalysable, memory_model
from g2o.analysis.accesses import Access, AccessKind
from g2o.analysis.barriers import Ordered, unordered_pairs
from g2o.analysis.conflicts import Conflicts
from g2o.analysis.effects import root_symbol, statements_of
from g2o.analysis.functions import FunctionTable
from g2o.analysis.meetings import find_meetings
from g2o.analysis.shared_accesses import SHARED, Meeting, is_fence
from g2o.analysis.uniformity import Uniformity, solve_uniformity
from g2o.diagnostics.diagnostic import Diagnostic, Outcome, remark, warning
from g2o.ir.comments import comments_of
from g2o.ir.expressions import (
    Assign,
    Conditional,
    Expr,
    Index,
    Literal,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import (
    Barrier,
    Block,
    DoWhile,
    Empty,
    ExprStatement,
    For,
    If,
    Node,
    Scope,
    Stmt,
    Switch,
    Trivia,
    While,
)
from g2o.ir.symbols import Symbol, SymbolTable
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import CType, unqualified
from g2o.polyhedral.solver import Solver
from g2o.transforms.lockstep import comes_from_memory, loaded_variables, read_then_write


def order_lanes_that_meet(
    kernel: Kernel, functions: FunctionTable, remarks: list[Diagnostic], backwards: bool = False
) -> Kernel:
    """Put warp barriers between accesses of lanes that meet; fences go. `backwards`: also where
    ascending lanes would do the right thing, as the adjoint of such a statement does not."""
    found = find_meetings(kernel, functions.for_node(kernel.body))
    meetings = [meeting for meeting in found.meetings if meeting.in_warp]
    if meetings:
        meetings = _possible(meetings, kernel, functions)
    if found.too_large:
        remarks.append(_too_large(kernel))
    if not meetings and not any(_is_fence_or_move(node) for node in walk(kernel.body)):
        return kernel
    remarks.extend(_remark(meeting) for meeting in meetings[:1])
    symbols = SymbolTable(continued=kernel.function.symbols)
    uniformity = solve_uniformity(kernel.body, Scope.WARP, functions.for_node(kernel.body), set())
    body = _Ordering(meetings, symbols, uniformity, backwards).block(kernel.body)
    if body is kernel.body:
        return kernel
    return replace(kernel, function=replace(kernel.function, body=body, symbols=symbols))


def _possible(meetings: list[Meeting], kernel: Kernel, functions: FunctionTable) -> list[Meeting]:
    """Those of which it is not known that they never happen: lanes seem to meet, too, behind
    conditions that cannot be decided for each, but exclude each other. Where some are left, lanes
    run in step, and more meet that way: at the same element, of which nobody knows whose it is."""
    try:
        model = memory_model(kernel, functions.for_node(kernel.body), False)
    except NotAnalysable:
        return meetings
    conflicts = Conflicts(model, Solver(), race_free=False)
    pairs = list(unordered_pairs(model, conflicts))
    possible: set[frozenset[Expr]] = set()
    somewhere: set[Symbol | None] = {None}
    for pair in pairs:
        one, other = _place(pair.first), _place(pair.second)
        if one is None or other is None:
            somewhere |= {pair.first.root, pair.second.root}
        else:
            possible.add(frozenset((one, other)))
    known = set(map(_place, model.accesses))
    left = [
        one
        for one in meetings
        if one.root in somewhere
        or not {one.first, one.second} <= known
        or frozenset((one.first, one.second)) in possible
    ]
    return [*left, *_at_one_element(kernel.body, pairs)] if left else left


def _at_one_element(body: Block, pairs: list[Ordered]) -> Iterator[Meeting]:
    """Elements that all lanes look at before one of them changes them, as they run in step:
    `if (!done[node]) done[node] = true;` where `node` may be the warp's. Lanes that have read which
    one they look at have their own."""
    loaded = loaded_variables(body)
    order = {node: position for position, node in enumerate(_in_order(body))}
    for pair in pairs:
        read, written = pair.first, pair.second
        if read.kind is AccessKind.WRITE:
            read, written = written, read
        one, other = _place(read), _place(written)
        kinds = read.kind, written.kind
        if kinds != (AccessKind.READ, AccessKind.WRITE) or one is None or other is None:
            continue
        if isinstance(one, Index) and comes_from_memory(one.index, loaded):
            continue
        if one == other and order.get(id(one), 0) < order.get(id(other), -1):
            yield Meeting(one, other, read.root, in_warp=True, reversed=True)


def _place(access: Access) -> Expr | None:
    """The element that an access is one of, where it is named; other accesses may name it, too."""
    match access.node:
        case Assign(target=target):
            return strip_parens(target)
        case Unary(op="++" | "--", operand=operand):
            return strip_parens(operand)
        case (Index() | VarRef()) as place:
            return place
        case _:
            return None


def _is_fence_or_move(node: Node) -> bool:
    return (isinstance(node, Stmt) and is_fence(node)) or (
        isinstance(node, Assign) and _moves_elements(node)
    )


def _moves_elements(assign: Assign) -> bool:
    """`s[rank[t]] = s[t]`: does a thread perhaps write what another has still to read?"""
    target = strip_parens(assign.target)
    root = root_symbol(target)
    if not isinstance(target, Index) or root is None or root.storage not in SHARED:
        return False
    if not any(isinstance(node, Index) for node in walk(target.index)):
        return False
    return any(
        isinstance(node, Index) and root_symbol(node) == root and node.index != target.index
        for node in walk(assign.value)
    )


def _remark(meeting: Meeting) -> Diagnostic:
    message = "lanes of a warp meet here without a barrier: they are kept in step"
    return remark(Outcome.PASSED, "G2O0309", message, meeting.second.span)


def _too_large(kernel: Kernel) -> Diagnostic:
    message = (
        f"'{kernel.function.name}' is too large to tell whether all of it waits where lanes of a "
        "warp meet: behind the part that was looked at, none of them are kept in step"
    )
    return warning("G2O0320", message, kernel.function.name_span)


@final
@dataclass(slots=True)
class _Ordering:
    meetings: list[Meeting]
    symbols: SymbolTable
    uniformity: Uniformity
    backwards: bool
    apart: bool = False  # lanes go different ways

    def block(self, body: Block, loops: bool = False) -> Block:
        """`body` with barriers. `loops`: it is done again and again."""
        result: list[Stmt] = []
        since: set[int] = set()  # accesses since the last barrier
        for statement in body.statements:
            if isinstance(statement, Barrier):
                since.clear()
                result.append(statement)
                continue
            if is_fence(statement):
                if self._waited_for(since):
                    since.clear()
                    result.append(Barrier(Scope.WARP, trivia=statement.trivia))
                elif statement.trivia.before:
                    result.append(Empty(trivia=statement.trivia))
                continue
            own = _accesses(statement)
            if self._meet(since, own):
                result.append(Barrier(Scope.WARP))
                since.clear()
            since |= own
            result.extend(self._statement(statement))
        if loops and self._carried(result):
            result.append(Barrier(Scope.WARP))
        same = len(result) == len(body.statements) and all(
            new is old for new, old in zip(result, body.statements, strict=True)
        )
        return body if same else Block(tuple(result), trivia=body.trivia, span=body.span)

    def _statement(self, statement: Stmt) -> list[Stmt]:
        one = _as_one_store(statement)
        if one is not None and self._meet(accesses := _accesses(statement), accesses):
            return read_then_write(*one, self.symbols)
        if isinstance(statement, ExprStatement):
            return self._in_phases(statement)
        return [rewrite(statement, self._nested)]

    def _nested(self, node: Node) -> Node | None:
        before = self.apart
        if isinstance(node, (For, While, DoWhile, If, Switch)) and node.condition is not None:
            self.apart = before or not self.uniformity.is_uniform(node.condition)
        try:
            return node if isinstance(node, Switch) and self.apart else self._ordered(node)
        finally:
            self.apart = before

    def _ordered(self, node: Node) -> Node | None:
        match node:
            case Block():
                return self.block(node)
            case For(body=body) | While(body=body) | DoWhile(body=body):
                inner = body if isinstance(body, Block) else Block((body,), span=body.span)
                new = self.block(inner, loops=True)
                return node if new is inner else replace(node, body=new, form=node.form.BUILT)
            case If():
                return self._if(node)
            case ExprStatement():
                if is_fence(node):
                    return Empty(trivia=node.trivia)
                parts = self._in_phases(node)
                return node if len(parts) == 1 else Block(tuple(parts))
            case _:
                return None

    def _in_phases(self, statement: ExprStatement) -> list[Stmt]:
        """All lanes read before one of them writes, where they meet inside of the statement."""
        own, expr = _accesses(statement), strip_parens(statement.expr)
        if not isinstance(expr, Assign):
            return [statement]
        if not self._meet(own, own, only_reversed=True) and not _moves_elements(expr):
            return [statement]
        return read_then_write(statement, expr, self.symbols)

    def _if(self, node: If) -> If:
        """A branch does not change what other lanes have still to read for the condition."""
        read = _accesses(node.condition)
        then = self._branch(node.then, read)
        otherwise = None if node.otherwise is None else self._branch(node.otherwise, read)
        if then is node.then and otherwise is node.otherwise:
            return node
        return replace(node, then=then, otherwise=otherwise, form=node.form.BUILT)

    def _branch(self, branch: Stmt, read: set[int]) -> Stmt:
        new = rewrite(branch, self._nested)
        if self._meet(read, _accesses(branch), only_reversed=True):
            return Block((Barrier(Scope.WARP), *statements_of(new)))
        return new

    def _meet(self, earlier: set[int], later: set[int], only_reversed: bool = False) -> bool:
        return any(
            id(m.first) in earlier
            and id(m.second) in later
            and (m.reversed or self.backwards or not only_reversed)
            for m in self.meetings
        )

    def _waited_for(self, earlier: set[int]) -> bool:
        return any(id(m.first) in earlier for m in self.meetings)

    def _carried(self, statements: list[Stmt]) -> bool:
        """Does the end of an iteration meet the start of the next one?"""
        barriers = [n for n, s in enumerate(statements) if isinstance(s, Barrier)]
        if barriers:
            end = _accesses(Block(tuple(statements[barriers[-1] + 1 :])))
            return self._meet(end, _accesses(Block(tuple(statements[: barriers[0]]))))
        order = {one: n for n, one in enumerate(_in_order(Block(tuple(statements))))}
        return any(
            order[id(m.first)] > order[id(m.second)]
            for m in self.meetings
            if id(m.first) in order and id(m.second) in order
        )


def _as_one_store(statement: Stmt) -> tuple[ExprStatement, Assign] | None:
    """`if (c) a = x; else a = y;` as `a = c ? x : y`, where `a`, `x` and `y` are of one type."""
    if not isinstance(statement, If) or statement.otherwise is None:
        return None
    match (*statements_of(statement.then), *statements_of(statement.otherwise)):
        case (
            ExprStatement(expr=Assign(op="=", target=place, value=first)) as one,
            ExprStatement(expr=Assign(op="=", target=other, value=second)) as two,
        ) if place == other and place.type.is_arithmetic:
            pass
        case _:
            return None
    if any(not _fits(value, place.type) for value in (first, second)):
        return None
    chosen = Conditional(statement.condition, first, second, place.type)
    assign = Assign("=", place, chosen, place.type)
    before = (*comments_of(statement), *comments_of(one), *comments_of(two))
    trivia = Trivia(before, blank_line=statement.trivia.blank_line)
    return ExprStatement(assign, trivia=trivia, span=statement.span), assign


def _fits(value: Expr, ctype: CType) -> bool:
    same = unqualified(value.type) == unqualified(ctype)
    return same or (isinstance(value, Literal) and value.value is not None)


def _in_order(node: Node) -> Iterator[int]:
    """The parts of `node` as they are evaluated: what is stored before where it is stored."""
    if isinstance(node, Assign):
        yield from _in_order(node.value)
        yield from _in_order(node.target)
    else:
        for child in children(node):
            yield from _in_order(child)
    yield id(node)


def _accesses(node: Node) -> set[int]:
    return {id(inner) for inner in walk(node) if not isinstance(inner, Stmt)}
