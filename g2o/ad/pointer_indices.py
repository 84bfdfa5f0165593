"""Indices in place of pointers into arrays: `x[at_p++]` for `*p++`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.ad.pointer_values import is_flat, pointer_root
from g2o.ir.expressions import (
    Assign,
    Binary,
    Conditional,
    Expr,
    Form,
    Index,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import Block, Declare, ExprStatement, For, Node, Stmt, Variable
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT, CType, TypeKind

OFFSET: Final = CType("std::ptrdiff_t", TypeKind.INTEGER, 64)
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "-")


@final
@dataclass(frozen=True, slots=True)
class Walker:
    """A pointer: `base + at`. The base is the pointer itself where that leads to starts alone."""

    base: Symbol
    at: Symbol


@final
@dataclass(frozen=True, slots=True)
class Indexed:
    """Writes the indices of `walkers`."""

    walkers: Mapping[Symbol, Walker]

    def block(self, body: Block) -> Block:
        return rewrite(body, self._replacement)

    def _replacement(self, node: Node) -> Node | None:
        match node:
            case Block(statements=statements):
                return self._sequence(node, statements)
            case Unary(op="*", operand=operand):
                return self._element(operand, None, node.type)
            case Index(base=base, index=index):
                return self._element(base, index, node.type)
            case Member(base=base, arrow=True):
                element = self._element(base, None, base.type.element or base.type)
                return (
                    None
                    if element is None
                    else replace(node, base=element, arrow=False, form=Form.BUILT)
                )
            case Binary(op=op, left=left, right=right) if op in _COMPARISONS:
                one, other = self._place(left), self._place(right)
                if one is None or other is None or one[0] != other[0]:
                    return None
                if op == "-":
                    return Paren(_sum("-", one[1], other[1]), node.type)
                return replace(node, left=one[1], right=_operand(other[1]), form=Form.BUILT)
            case Assign(op=op, target=VarRef(symbol=symbol), value=value) if symbol in self.walkers:
                return self._moved(op, symbol, value)
            case ExprStatement() if moves := self._set(node):
                return Block(tuple(moves))
            case ExprStatement(expr=expr) if self._is_step(expr):
                return replace(node, expr=self._stepped(expr), form=Form.BUILT)
            case For(initial=Declare(variables=variables) as initial) if any(
                one.symbol in self.walkers for one in variables
            ):
                return self._block_of(node, initial)
            case For(increment=increment) if increment is not None and self._is_step(increment):
                rest = rewrite(replace(node, increment=None), self._replacement)
                return replace(rest, increment=self._stepped(increment), form=Form.BUILT)
            case Unary(op="++" | "--", operand=VarRef(symbol=symbol)) if symbol in self.walkers:
                return self._as_pointer(node)
            case VarRef(symbol=symbol) if symbol in self.walkers:
                return self._as_pointer(node)
            case _:
                return None

    def _sequence(self, block: Block, statements: tuple[Stmt, ...]) -> Block:
        new: list[Stmt] = []
        for statement in statements:
            if isinstance(statement, Declare):
                new.extend(self._declared(statement))
            else:
                new.extend(self._set(statement) or [rewrite(statement, self._replacement)])
        same = len(new) == len(statements) and all(
            one is two for one, two in zip(new, statements, strict=True)
        )
        return block if same else replace(block, statements=tuple(new), form=Form.BUILT)

    def _block_of(self, loop: For, initial: Declare) -> Stmt:
        """A loop whose head declares pointers that walk."""
        declared = self._declared(initial)
        rest = rewrite(replace(loop, initial=None, form=Form.BUILT), self._replacement)
        if len(declared) == 1:
            return replace(rest, initial=declared[0])
        return Block((*declared, rest))

    def _declared(self, statement: Declare) -> list[Stmt]:
        if not any(one.symbol in self.walkers for one in statement.variables):
            return [rewrite(statement, self._replacement)]
        result: list[Stmt] = []
        for variable in statement.variables:
            walker = self.walkers.get(variable.symbol)
            if walker is None:
                result.append(rewrite(Declare((variable,)), self._replacement))
                continue
            if walker.base == variable.symbol:
                start = None if variable.initial is None else self._start(variable.initial)
                result.append(Declare((replace(variable, initial=start),)))
            offset = None if variable.initial is None else self._offset(variable.initial)
            style = "=" if offset is not None else ""
            declared = Variable(walker.at, OFFSET.spelling, "", offset, style)
            result.append(Declare((declared,)))
        result[0] = replace(result[0], trivia=statement.trivia)
        return result

    def _is_step(self, expr: Expr) -> bool:
        """Is it the move of a pointer, or several, whose value nobody asks for?"""
        match strip_parens(expr):
            case Binary(op=",", left=left, right=right):
                return self._is_step(left) or self._is_step(right)
            case Unary(op="++" | "--", operand=VarRef(symbol=symbol)):
                return symbol in self.walkers
            case _:
                return False

    def _stepped(self, expr: Expr) -> Expr:
        inner = strip_parens(expr)
        match inner:
            case Binary(op=",", left=left, right=right):
                first, second = self._stepped(left), self._stepped(right)
                return replace(inner, left=first, right=second, form=Form.BUILT)
            case Unary(op="++" | "--", operand=VarRef(symbol=symbol)) if symbol in self.walkers:
                counter = VarRef(self.walkers[symbol].at)
                return replace(inner, operand=counter, type=OFFSET, form=Form.BUILT)
            case _:
                return rewrite(expr, self._replacement)

    def _moved(self, op: str, symbol: Symbol, value: Expr) -> Expr:
        target = VarRef(self.walkers[symbol].at)
        if op != "=":
            return Assign(op, target, rewrite(value, self._replacement), OFFSET)
        return Assign("=", target, self._offset(value), OFFSET)

    def _set(self, statement: Stmt) -> list[Stmt]:
        """What sets a pointer that leads to several arrays: its index, which may be made from what
        it leads to, and then the start."""
        match statement:
            case ExprStatement(
                expr=Assign(op="=", target=VarRef(symbol=symbol) as target, value=value) as move
            ) if symbol in self.walkers and self.walkers[symbol].base == symbol:
                at = replace(statement, expr=self._moved("=", symbol, value), form=Form.BUILT)
                start = self._start(value)
                if start == target:
                    return [at]
                return [at, ExprStatement(replace(move, value=start, form=Form.BUILT))]
            case _:
                return []

    def _start(self, pointer: Expr) -> Expr:
        """The start of the array that a pointer leads to."""
        inner = strip_parens(pointer)
        if isinstance(inner, Conditional):
            one, other = self._start(inner.if_true), self._start(inner.if_false)
            asked = rewrite(inner.condition, self._replacement)
            return one if one == other else Conditional(asked, one, other, inner.type)
        place = self._place(inner)
        assert place is not None  # all its values are
        return VarRef(place[0])

    def _offset(self, pointer: Expr) -> Expr:
        """How far behind the start of its array a pointer leads."""
        inner = strip_parens(pointer)
        if isinstance(inner, Conditional):
            one, other = self._offset(inner.if_true), self._offset(inner.if_false)
            asked = rewrite(inner.condition, self._replacement)
            chosen = Conditional(asked, one, other, OFFSET)
            return one if one == other else Paren(chosen, OFFSET)
        place = self._place(inner)
        assert place is not None  # all its values are
        return place[1]

    def _as_pointer(self, pointer: Expr) -> Expr:
        place = self._place(pointer)
        assert place is not None
        return Paren(Binary("+", VarRef(place[0]), _operand(place[1]), pointer.type), pointer.type)

    def _element(self, pointer: Expr, index: Expr | None, ctype: CType) -> Expr | None:
        if not any(isinstance(n, VarRef) and n.symbol in self.walkers for n in walk(pointer)):
            return None
        place = self._place(pointer)
        if place is None:
            return None
        offset = place[1]
        if index is not None:
            added = rewrite(index, self._replacement)
            offset = _sum("+", offset, added)
        return Index(VarRef(place[0]), offset, ctype)

    def _place(self, pointer: Expr) -> tuple[Symbol, Expr] | None:
        """The array that a pointer leads to, and where in it."""
        match strip_parens(pointer):
            case Conditional(condition=condition, if_true=if_true, if_false=if_false):
                one, other = self._place(if_true), self._place(if_false)
                if one is None or other is None or one[0] != other[0]:
                    return None
                asked = rewrite(condition, self._replacement)
                chosen = Conditional(asked, one[1], other[1], OFFSET)
                return one[0], Paren(chosen, OFFSET)
            case VarRef(symbol=symbol) if symbol in self.walkers:
                walker = self.walkers[symbol]
                return walker.base, VarRef(walker.at)
            case VarRef(symbol=symbol) if symbol.type.kind in (TypeKind.POINTER, TypeKind.ARRAY):
                return symbol, Literal("0", 0, INT)
            case Unary(op="++" | "--", operand=VarRef(symbol=symbol)) as step if (
                symbol in self.walkers
            ):
                walker = self.walkers[symbol]
                at = VarRef(walker.at)
                return walker.base, replace(step, operand=at, type=OFFSET, form=Form.BUILT)
            case Binary(op="+" | "-" as op, left=left, right=right):
                if pointer_root(left) is None and op == "+":
                    left, right = right, left
                found = self._place(left)
                if found is None or pointer_root(right) is not None:
                    return None
                return found[0], _sum(op, found[1], rewrite(right, self._replacement))
            case Unary(op="&", operand=operand):
                match strip_parens(operand):
                    case Index(base=base, index=index) if is_flat(base):
                        found = self._place(base)
                        if found is None:
                            return None
                        return found[0], _sum("+", found[1], rewrite(index, self._replacement))
                    case Unary(op="*", operand=inner):
                        return self._place(inner)
                    case _:
                        return None
            case _:
                return None


def _sum(op: str, first: Expr, second: Expr) -> Expr:
    if isinstance(first, Literal) and first.value == 0 and op == "+":
        return second
    if isinstance(second, Literal) and second.value == 0:
        return first
    return Binary(op, first, _operand(second), OFFSET)


def _operand(expr: Expr) -> Expr:
    return Paren(expr, expr.type) if isinstance(expr, Binary) else expr
