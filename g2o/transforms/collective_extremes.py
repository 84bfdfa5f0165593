"""Extremes of a group as the elements that they are found at, for derivatives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import final

from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.ir.expressions import (
    Assign,
    Binary,
    Builtin,
    Call,
    Cast,
    Expr,
    Form,
    Index,
    LaunchRef,
    Literal,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import (
    NO_TRIVIA,
    Block,
    Declare,
    ExprStatement,
    For,
    If,
    Node,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, walk
from g2o.ir.types import BOOL, INT, TypeKind
from g2o.transforms.collective_fragments import declared_symbols
from g2o.transforms.collective_groups import Group
from g2o.transforms.collective_updates import atomic


@final
@dataclass(frozen=True, slots=True)
class Elements:
    """Makes extremes elements. `is_uniform` is asked of variables, for all threads of a group."""

    group: Group
    effects: EffectsOf
    is_uniform: Callable[[Expr], bool]
    symbols: SymbolTable

    def selected(
        self, added: tuple[Stmt, ...], extreme: Symbol, total: Symbol, initial: Expr
    ) -> tuple[Stmt, ...] | None:
        """The total as the element that is the extreme: its derivative is that of the first such
        element, and the extreme itself has none. None where it is not one loop that looks for it,
        or where elements are worked out by arithmetic, which may round otherwise a second time.

            for (c ...)                        for (c ...)
                atomicMax(&m, x[c]);    ->         atomicMax(&extreme, x[c]);
                                               for (c ...)
                                                   if (x[c] == extreme) atomicMin(&at, c);
                                               m = x[at];
        """
        naming = [one for one in added if extreme in symbols_in(one)]
        if len(naming) != 1 or naming[0] is not added[-1]:
            return None
        match naming[0]:
            case For(initial=Declare(variables=(Variable(symbol=index),)), body=body) as loop:
                *declared, last = statements_of(body)
            case _:
                return None
        if not isinstance(last, ExprStatement) or not isinstance(last.expr, Call):
            return None
        if index.type.kind is not TypeKind.INTEGER or index in self.effects.of(body).writes:
            return None
        before = [one for one in declared if isinstance(one, Declare)]
        value = last.expr.arguments[1]
        given = [variable.initial for one in before for variable in one.variables]
        exact = all(one is None or _is_exact(one) for one in (value, *given))
        pure = all(one is None or self.effects.is_pure(one) for one in given)
        if len(before) < len(declared) or not (exact and pure):
            return None
        own = {symbol for one in declared for symbol in declared_symbols(one)}
        if not self._is_of_turn(Block((*declared, ExprStatement(value))), own | {index}):
            return None
        at = self.group.variable(f"{total.name}_at", index.type, self.symbols, own=False)
        turn = self._like(index)
        nowhere, known = _outside(loop, index, turn)
        found = Binary("==", value, self.group.place(extreme), BOOL)
        noted = If(found, ExprStatement(atomic("min", self.group.place(at), VarRef(index))))
        again = replace(loop, body=Block((*declared, noted)), form=Form.BUILT, trivia=NO_TRIVIA)
        target = self.group.place(total)
        chosen = (*declared, ExprStatement(Assign("=", target, value, target.type)))
        there = rename_symbols(Block(chosen), {index: turn, **self._renewed(declared)})
        none = ExprStatement(Assign("=", target, initial, target.type))
        spelled = f"{index.type.spelling} "
        place = Declare((Variable(turn, spelled, "", self.group.place(at), "="),))
        return (
            *added,
            *self.group.started(at, nowhere, True, ()),
            rename_symbols(again, {index: self._like(index), **self._renewed(declared)}),
            self.group.barrier(),
            self.group.declared(total),
            If(self.group.first, Block((place, If(known, there, none)))),
        )

    def _is_of_turn(self, code: Block, own: set[Symbol]) -> bool:
        """Does it say the same for all threads of the group that come to one turn of the loop?"""
        if any(is_position(node) for node in walk(code)):
            return False
        return all(self.is_uniform(VarRef(one)) for one in symbols_in(code) - own)

    def _renewed(self, declared: Sequence[Stmt]) -> dict[Symbol, Symbol]:
        return {one: self._like(one) for each in declared for one in declared_symbols(each)}

    def _like(self, symbol: Symbol) -> Symbol:
        return self.symbols.declare(symbol.name, symbol.type, symbol.storage)


def _outside(loop: For, index: Symbol, turn: Symbol) -> tuple[Expr, Expr]:
    """A number that no iteration has, and the condition that a number is that of one."""
    condition = None if loop.condition is None else strip_parens(loop.condition)
    match condition:
        case Binary(op="<", left=VarRef(symbol=symbol), right=bound) if symbol is index:
            is_natural = Binary(">=", VarRef(turn), Literal("0", 0, INT), BOOL)
            is_less = Binary("<", VarRef(turn), bound, BOOL)
            return bound, Binary("&&", is_natural, is_less, BOOL)
        case _:
            largest = f"std::numeric_limits<{index.type.spelling}>::max()"
            nowhere = Literal(largest, None, index.type)
            return nowhere, Binary("!=", VarRef(turn), nowhere, BOOL)


def _is_exact(value: Expr) -> bool:
    """Is it the same number each time that it is worked out, whatever instructions do that?"""
    match strip_parens(value):
        case VarRef() | Index() | Literal():
            return True
        case Unary(op="-" | "+" | "*", operand=operand) | Cast(operand=operand):
            return _is_exact(operand)
        case Call(name="fabs" | "fabsf", key="", arguments=(operand,)):
            return _is_exact(operand)
        case bare:
            return bare.type.kind is TypeKind.INTEGER


def is_position(node: Node) -> bool:
    return isinstance(node, LaunchRef) and node.builtin is Builtin.THREAD_INDEX
