"""What a thread adds to one element in a loop is a variable of the thread meanwhile.

    c[i * n + j] = 0.0f;                               float sum = 0.0f;
    for (int k = 0; k < m; k++)                        for (int k = 0; k < m; k++)
        c[i * n + j] += x[k * n + i] * y[k];    ->         sum += x[k * n + i] * y[k];
                                                       c[i * n + j] = sum;

Threads that go through the loop together then keep these values side by side, where the elements
are rows apart. (Callahan, Carr and Kennedy, "Improving Register Allocation for Subscripted
Variables", PLDI 1990.)

Legal because a store to the element stands in front of the loop, or the loop has a turn, which adds
to it whatever holds: the thread has it in any case and no other thread may look at it before they
wait; nothing in the loop changes which element
it is, leaves the loop for something else, or reads or writes that array otherwise; and every other
array there is another one, which `__restrict__` or its own declaration says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.analysis.jumps import leaves_beyond
from g2o.analysis.lvalues import root_symbol
from g2o.ir.expressions import Assign, Binary, Expr, Form, Index, Paren, VarRef, strip_parens
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    Exchange,
    ExprStatement,
    For,
    Jump,
    Labelled,
    Node,
    Return,
    Stmt,
    Text,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import TypeKind, unqualified

_NUMBERS: Final = (TypeKind.INTEGER, TypeKind.FLOATING)


def keep_elements(
    body: tuple[Stmt, ...],
    effects: EffectsOf,
    symbols: SymbolTable,
    wanted: Callable[[Expr], bool],
    runs: Callable[[For], bool] = lambda _: False,
) -> tuple[Stmt, ...]:
    """The body of a thread with those of the elements that are `wanted` as variables. Some loops
    are known to have a turn: it `runs`."""
    keeping = _Keeping(effects, symbols, wanted, runs)
    return keeping.sequence(body)


@final
@dataclass(frozen=True, slots=True)
class _Keeping:
    effects: EffectsOf
    symbols: SymbolTable
    wanted: Callable[[Expr], bool]
    runs: Callable[[For], bool]

    def sequence(self, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        result: list[Stmt] = []
        for statement in statements:
            made = self._kept(result[-1], statement) if result else None
            alone = self._kept_alone(statement) if made is None else None
            if made is not None:
                result[-1:] = made
            elif alone is not None:
                result += alone
            else:
                result.append(rewrite(statement, self._inside))
        same = len(result) == len(statements)
        same = same and all(one is old for one, old in zip(result, statements, strict=True))
        return statements if same else tuple(result)

    def _inside(self, node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        made = self.sequence(node.statements)
        return node if made is node.statements else replace(node, statements=made, form=Form.BUILT)

    def _kept(self, store: Stmt, loop: Stmt) -> tuple[Stmt, ...] | None:
        match store:
            case ExprStatement(expr=Assign(op=op, target=target, value=value)):
                place = strip_parens(target)
            case _:
                return None
        if not isinstance(loop, For) or not self._may_be_kept(place, loop):
            return None
        assert isinstance(place, Index)
        if op != "=":
            operand = Paren(value, value.type) if isinstance(value, Binary) else value
            value = Binary(op[:-1], place, operand, place.type)
        declared, inner, stored = self._in_variable(place, value, loop)
        return replace(declared, trivia=store.trivia), inner, stored

    def _kept_alone(self, loop: Stmt) -> tuple[Stmt, ...] | None:
        """A loop without a store in front, which adds to the element in any case."""
        if not isinstance(loop, For) or not self.runs(loop):
            return None
        if any(isinstance(node, Jump | Return | Labelled) for node in walk(loop)):
            return None
        for one in statements_of(loop.body):
            match one:
                case ExprStatement(expr=Assign(op=op, target=target)) if op != "=":
                    place = strip_parens(target)
                    if isinstance(place, Index) and self._may_be_kept(place, loop):
                        declared, inner, stored = self._in_variable(place, place, loop)
                        inner = replace(inner, trivia=replace(loop.trivia, before=()))
                        trivia = replace(declared.trivia, before=loop.trivia.before)
                        return replace(declared, trivia=trivia), inner, stored
                case _:
                    pass
        return None

    def _may_be_kept(self, place: Expr, loop: For) -> bool:
        if not isinstance(place, Index) or place.type.is_volatile:
            return False
        if place.type.kind not in _NUMBERS or not self.wanted(place):
            return False
        return self._is_alone(place, loop)

    def _in_variable(self, place: Index, value: Expr, loop: For) -> tuple[Declare, For, Stmt]:
        ctype = replace(place.type, spelling=unqualified(place.type), is_const=False)
        kept = self.symbols.fresh("sum", ctype, Storage.LOCAL)

        def replacement(node: Node) -> Node | None:
            return VarRef(kept) if node == place else None

        inner = rewrite(loop, replacement)
        assert isinstance(inner, For)
        declared = Declare((Variable(kept, ctype.spelling, "", value, "="),))
        stored = ExprStatement(Assign("=", place, VarRef(kept), place.type))
        return declared, inner, stored

    def _is_alone(self, place: Index, loop: For) -> bool:
        """Is the element the same throughout, and the only one of its array there?"""
        root = root_symbol(place)
        if root is None or root.storage is not Storage.PARAMETER or not root.type.is_restrict:
            return False
        done, asked = self.effects.of(loop), self.effects.of(place.index)
        if done.side_effects or not asked.is_pure or asked.memory_reads:
            return False
        if symbols_in(place) & (done.writes | declared_in(loop)):
            return False
        if leaves_beyond(loop, frozenset()):
            return False
        if any(isinstance(node, Barrier | Exchange | Text) for node in walk(loop)):
            return False
        named = sum(isinstance(n, VarRef) and n.symbol == root for n in walk(loop))
        own = [node for node in walk(loop) if node == place]
        in_place = sum(isinstance(n, VarRef) and n.symbol == root for n in walk(place))
        if not own or named != in_place * len(own) or not _adds(place, loop):
            return False
        return all(map(_is_apart, (done.memory_reads | done.memory_writes) - {root}))


def _adds(place: Index, loop: For) -> bool:
    """Is the element written in the loop?"""
    return any(
        isinstance(node, Assign) and strip_parens(node.target) == place
        for one in statements_of(loop.body)
        for node in walk(one)
    )


def _is_apart(symbol: Symbol | None) -> bool:
    """Can it be no other name of what a restricted parameter points to?"""
    if symbol is None or symbol.type.kind is TypeKind.REFERENCE:
        return False
    return symbol.type.kind is not TypeKind.POINTER or symbol.storage is Storage.PARAMETER
