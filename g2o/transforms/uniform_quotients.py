"""Quotients that all threads of a block have in common are worked out once.

                                               const unsigned h_start = blockIdx.z / w * TILE;
    int h = blockIdx.z / w * TILE + ty;   ->   int h = h_start + ty;

A division by what is only known at run time costs as much as twenty additions, and compilers leave
it in loops: it might be one by zero, if the loop did not run. Each stands right in front of what
needs it, in no loop and where it was worked out in any case, so that the same divisions are done as
before. What has an effect, or reads memory, stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import final

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf
from g2o.analysis.functions import FunctionTable
from g2o.analysis.uniformity import Uniformity, solve_uniformity
from g2o.ir.expressions import (
    Assign,
    Binary,
    Code,
    Conditional,
    Expr,
    Form,
    LaunchRef,
    Paren,
    VarRef,
    Verbatim,
    strip_parens,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Block, Declare, ExprStatement, If, Node, Scope, Stmt, Trivia, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import TypeKind, unqualified


def name_uniform_quotients(kernel: Kernel, functions: FunctionTable) -> Kernel:
    """The kernel with such quotients as variables of their own."""
    if not any(_divides(node) for node in walk(kernel.body)):
        return kernel
    effects = functions.for_node(kernel.body)
    symbols = SymbolTable(continued=kernel.function.symbols)
    uniform = solve_uniformity(kernel.body, Scope.BLOCK, effects, set())
    written = written_after_declaration(kernel.body, effects)
    body = _Namer(effects, uniform, written, symbols).block(kernel.body)
    if body is kernel.body:
        return kernel
    return replace(kernel, function=replace(kernel.function, body=body, symbols=symbols))


@final
@dataclass(slots=True)
class _Namer:
    effects: EffectsOf
    uniform: Uniformity
    written: set[Symbol]
    symbols: SymbolTable
    made: dict[Expr, Symbol] = field(default_factory=dict[Expr, Symbol])

    def block(self, body: Block) -> Block:
        new: list[Stmt] = []
        changed = False
        for statement in body.statements:
            before, inner = self._statement(statement)
            changed = changed or inner is not statement
            new += [*before, inner]
        return replace(body, statements=tuple(new), form=Form.BUILT) if changed else body

    def _statement(self, statement: Stmt) -> tuple[Sequence[Stmt], Stmt]:
        match statement:
            case Declare(variables=(Variable(symbol=symbol, initial=initial) as one,)) if (
                initial is not None
            ):
                before, value = self._without(initial, symbol.name)
                if value is initial:
                    return [], statement
                return _behind(before, Declare((replace(one, initial=value),)), statement.trivia)
            case ExprStatement(expr=Assign(target=target, value=value) as assign):
                before, place = self._without(target, "")
                more, other = self._without(value, "")
                if place is target and other is value:
                    return [], statement
                new = ExprStatement(replace(assign, target=place, value=other, form=Form.BUILT))
                return _behind([*before, *more], new, statement.trivia)
            case If(condition=condition):
                before, asked = self._without(condition, "")
                if asked is condition:
                    return before, statement
                new = replace(statement, condition=asked, form=Form.BUILT)
                return _behind(before, new, statement.trivia)
            case _:
                return [], statement

    def _without(self, expr: Expr, name: str) -> tuple[list[Declare], Expr]:
        """Declarations, and the expression that names them. `name` is what it gives a value."""
        before: list[Declare] = []
        found: dict[int, Symbol] = {}
        if self.uniform.is_uniform(expr):
            return before, expr
        for part in self._parts(expr):
            known = self.made.get(part)
            if known is None:
                ctype = part.type
                wish = f"{name}_start" if name else "quotient"
                known = self.symbols.fresh(wish, ctype, Storage.LOCAL)
                spelled = f"const {unqualified(ctype)} "
                before.append(Declare((Variable(known, spelled, "", part, "="),)))
                self.made[part] = known
            found[id(part)] = known
        if not found:
            return before, expr

        def named(node: Node) -> Node | None:
            bare = strip_parens(node) if isinstance(node, Paren) else node
            return VarRef(found[id(bare)]) if id(bare) in found else None

        return before, rewrite(expr, named)

    def _parts(self, expr: Node) -> Iterator[Expr]:
        """The largest parts that are worked out in any case, and are such quotients."""
        match expr:
            case Paren(inner=inner):
                yield from self._parts(inner)
                return
            case Conditional(condition=condition):
                yield from self._parts(condition)
                return
            case Binary(op="&&" | "||", left=left):
                yield from self._parts(left)
                return
            case Verbatim() | Code():
                return
            case Binary() if self._is_wanted(expr):
                yield expr
                return
            case _:
                pass
        for child in children(expr):
            yield from self._parts(child)

    def _is_wanted(self, expr: Binary) -> bool:
        """Is it a number of all threads, of variables that keep their values, with a division?"""
        if expr.type.kind is not TypeKind.INTEGER or not self.uniform.is_uniform(expr):
            return False
        found = self.effects.of(expr)
        plain = found.is_pure and not found.memory_reads and not found.reads & self.written
        return plain and any(map(_divides, walk(expr)))


def _divides(node: Node) -> bool:
    """Is it a division of integers by what is only known at run time?"""
    match node:
        case Binary(op="/" | "%", right=right) if node.type.kind is TypeKind.INTEGER:
            return any(isinstance(one, (VarRef, LaunchRef)) for one in walk(right))
        case _:
            return False


def _behind(
    before: Sequence[Declare], statement: Stmt, trivia: Trivia
) -> tuple[Sequence[Stmt], Stmt]:
    """A statement behind others, with the comments of one that stood in their place."""
    if not before:
        return before, replace(statement, trivia=trivia)
    first = replace(before[0], trivia=replace(trivia, after=""))
    rest = replace(statement, trivia=replace(trivia, before=(), blank_line=False))
    return (first, *before[1:]), rest
