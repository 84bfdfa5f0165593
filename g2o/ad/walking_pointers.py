"""Pointers that walk through memory, as indices that count.

    const double *p = x + i * m, *end = p + m;        ptrdiff_t at_p = i * m, at_end = at_p + m;
    while (p != end)                            ->    while (at_p != at_end)
        v += *p++;                                        v += x[at_p++];

So are those that are set to one place of an array or another, `if (c) p = x + i; else p = x + n;`.
The reverse sweep can keep a number, and x has a shadow where a pointer into it would need one of
its own. Pointers that may lead to several arrays stay what they are.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import final

from g2o.ad.pointer_values import (
    alternatives,
    is_flat,
    moving_pointers,
    pointer_root,
    pointer_values,
)
from g2o.ad.row_starts import with_row_starts
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
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import INT, CType, TypeKind

_OFFSET = CType("std::ptrdiff_t", TypeKind.INTEGER, 64)
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "-")


def with_indices(body: Block, parameters: tuple[Symbol, ...], symbols: SymbolTable) -> Block:
    """`body` with an index for every pointer that moves and leads to one array."""
    body = with_row_starts(body, parameters, symbols)
    assigned = pointer_values(body, parameters)
    moving = (moving_pointers(body) | _set_anew(body, assigned)) & assigned.keys()
    values = {one: alternatives(found) for one, found in assigned.items()}
    if not moving:
        return body
    moving |= {
        symbol
        for symbol, given in values.items()
        if given and all(pointer_root(one) in moving for one in given)
    }
    homes = _homes(body)
    bases = _bases({symbol: values[symbol] for symbol in moving}, set(parameters), homes)
    sources = _sources(moving - bases.keys(), values)
    if sources:
        made = {symbol: values[symbol] for symbol in moving | sources}
        bases = _bases(made, set(parameters), homes)
    if not bases:
        return body
    walkers = {
        symbol: Walker(bases[symbol], symbols.fresh(f"at_{symbol.name}", _OFFSET, Storage.LOCAL))
        for symbol in sorted(bases, key=lambda one: one.id)
    }
    starts = [
        Declare((Variable(walkers[one].at, _OFFSET.spelling, "", Literal("0", 0, INT), "="),))
        for one in parameters
        if one in walkers
    ]
    indexed = _Indexed(walkers).block(body)
    return replace(indexed, statements=(*starts, *indexed.statements))


@final
@dataclass(frozen=True, slots=True)
class Walker:
    """A pointer: `base + at`."""

    base: Symbol
    at: Symbol


# -- which pointers -----------------------------------------------------------------------------


def _set_anew(body: Block, values: Mapping[Symbol, list[Expr]]) -> set[Symbol]:
    """Pointers that are set to one place or another, or to the places of one turn after the other:
    `if (c) p = x + i; else p = x + n;`, `float *p; for (...) { p = x + i * n; ... }`"""
    return {
        node.target.symbol
        for node in walk(body)
        if isinstance(node, Assign)
        and isinstance(node.target, VarRef)
        and values.get(node.target.symbol)
    }


def _sources(pointers: Collection[Symbol], values: Mapping[Symbol, list[Expr]]) -> set[Symbol]:
    """The pointers that lead to one place each, and that these are made from."""
    found: set[Symbol] = set()
    waiting = list(pointers)
    while waiting:
        for value in values[waiting.pop()]:
            root = pointer_root(value)
            if root is not None and root not in found and len(values.get(root, ())) == 1:
                found.add(root)
                waiting.append(root)
    return found


def _homes(body: Block) -> dict[Symbol, tuple[int, ...]]:
    """The braces and loops around the declaration of each variable, from the outermost inwards."""
    found: dict[Symbol, tuple[int, ...]] = {}

    def visit(node: Node, around: tuple[int, ...]) -> None:
        if isinstance(node, Declare):
            found.update((one.symbol, around) for one in node.variables)
        inner = (*around, id(node)) if isinstance(node, Block | For) else around
        for child in children(node):
            visit(child, inner)

    visit(body, ())
    return found


def _bases(
    values: Mapping[Symbol, list[Expr]],
    parameters: set[Symbol],
    homes: Mapping[Symbol, tuple[int, ...]],
) -> dict[Symbol, Symbol]:
    """The one array that each pointer leads to; pointers that lead to several are left out."""
    left = dict(values)
    while True:
        bases: dict[Symbol, set[Symbol | None]] = {
            symbol: {symbol} if symbol in parameters else set() for symbol in left
        }
        changed = True
        while changed:
            changed = False
            for symbol, given in left.items():
                for value in given:
                    root = pointer_root(value)
                    new = _through(root, bases)
                    if not new <= bases[symbol]:
                        bases[symbol] |= new
                        changed = True
        wrong = {s for s, found in bases.items() if not _is_one_array(s, found, homes)}
        if not wrong:
            return {s: one for s, found in bases.items() for one in found if one is not None}
        left = {symbol: given for symbol, given in left.items() if symbol not in wrong}


def _through(root: Symbol | None, bases: Mapping[Symbol, set[Symbol | None]]) -> set[Symbol | None]:
    found = None if root is None else bases.get(root)
    return {root} if found is None else found


def _is_one_array(
    symbol: Symbol, found: set[Symbol | None], homes: Mapping[Symbol, tuple[int, ...]]
) -> bool:
    """Does a pointer lead to one array, which can be seen where the pointer can?"""
    if len(found) != 1:
        return False
    (base,) = found
    if base is None or (base.storage is Storage.LOCAL and base not in homes):
        return False
    home = homes.get(base, ())
    if homes.get(symbol, home)[: len(home)] != home:
        return False
    one, other = symbol.type.element, base.type.element
    return (
        one is not None and other is not None and (one.kind, one.bits) == (other.kind, other.bits)
    )


# -- indices in their place ---------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True)
class _Indexed:
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
                new.append(rewrite(statement, self._replacement))
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
            at = None if variable.initial is None else self._place(variable.initial)
            offset = None if at is None else at[1]
            style = "=" if offset is not None else ""
            declared = Variable(walker.at, _OFFSET.spelling, "", offset, style)
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
                return replace(inner, operand=counter, type=_OFFSET, form=Form.BUILT)
            case _:
                return rewrite(expr, self._replacement)

    def _moved(self, op: str, symbol: Symbol, value: Expr) -> Expr:
        target = VarRef(self.walkers[symbol].at)
        if op != "=":
            return Assign(op, target, rewrite(value, self._replacement), _OFFSET)
        place = self._place(value)
        assert place is not None  # all its values are
        return Assign("=", target, place[1], _OFFSET)

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
        match pointer:
            case Paren(inner=inner):
                return self._place(inner)
            case Conditional(condition=condition, if_true=if_true, if_false=if_false):
                one, other = self._place(if_true), self._place(if_false)
                if one is None or other is None or one[0] != other[0]:
                    return None
                asked = rewrite(condition, self._replacement)
                chosen = Conditional(asked, one[1], other[1], _OFFSET)
                return one[0], Paren(chosen, _OFFSET)
            case VarRef(symbol=symbol) if symbol in self.walkers:
                walker = self.walkers[symbol]
                return walker.base, VarRef(walker.at)
            case VarRef(symbol=symbol) if symbol.type.kind in (TypeKind.POINTER, TypeKind.ARRAY):
                return symbol, Literal("0", 0, INT)
            case Unary(op="++" | "--", operand=VarRef(symbol=symbol)) if symbol in self.walkers:
                walker = self.walkers[symbol]
                at = VarRef(walker.at)
                return walker.base, replace(pointer, operand=at, type=_OFFSET, form=Form.BUILT)
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
    return Binary(op, first, _operand(second), _OFFSET)


def _operand(expr: Expr) -> Expr:
    return Paren(expr, expr.type) if isinstance(expr, Binary) else expr
