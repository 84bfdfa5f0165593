"""Indices that wrap around, for threads next to each other none of which crosses an edge.

    int from = x - dx < 0 ? x - dx + n : x - dx;

`first` to `end` are neighbours `x`. Where the run of them ends at every edge, here `dx`, the
condition is the same for all, and the index is their own plus what the run shares:

    const int shift = first - dx < 0 ? n : 0;       // once for the run
    int from = x - dx + shift;

The same goes for remainders, `(x - dx + n) % n`: a run ends where the quotient changes, and what is
taken away is `(first - dx + n) / n * n` for all of it.

Legal for comparisons of `x` plus something with something, both the same for all threads: they
change at one place. A divisor has to be greater than an index from 0 on: it is positive where there
is a thread. What all threads read from memory none of them stores: it would race. The edges are
computed in 64 bits, so that they do not overflow where the comparison does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.ir.expressions import (
    Binary,
    Code,
    Conditional,
    Expr,
    Form,
    Index,
    Literal,
    Paren,
    Unary,
    VarRef,
    integer_value,
    is_primary,
    strip_parens,
)
from g2o.ir.statements import Block, Declare, ExprStatement, For, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rewrite, walk, with_children
from g2o.ir.types import INT, CType, TypeKind

_MIRRORED: Final = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
_LONG: Final = CType("long long", TypeKind.INTEGER, 64)
_ZERO: Final = Literal("0", 0, INT)


@final
@dataclass(frozen=True, slots=True)
class Tables:
    """Arrays that have an element for each of the `turns` of a loop with this `counter`."""

    counter: Symbol
    turns: range

    def hold(self, load: Index) -> bool:
        """Is it the element of such an array that belongs to the turn?"""
        extent = load.base.symbol.type.extent if isinstance(load.base, VarRef) else None
        if extent is None or strip_parens(load.index) != VarRef(self.counter):
            return False
        return self.turns.start >= 0 and self.turns.stop <= extent


@final
@dataclass(frozen=True, slots=True)
class Remainder:
    """`dividend % divisor` for the first thread of a run."""

    dividend: Expr
    divisor: Expr


@final
@dataclass(slots=True)
class Wraps:
    """Takes the edges out of statements of threads `index`, whose runs start at `first`.

    `values` are the variables that stand for a value, `own` those that a thread has for itself.
    The index is less than the `limits`, and not negative if there are any.
    """

    index: Symbol
    first: Symbol
    symbols: SymbolTable
    effects: EffectsOf
    values: dict[Symbol, Expr]
    own: set[Symbol]
    stored: set[Symbol | None]
    tables: Tables
    limits: tuple[Expr, ...]
    edges: list[Expr] = field(default_factory=list[Expr])
    remainders: list[Remainder] = field(default_factory=list["Remainder"])

    def without(self, loop: For) -> For:
        """The loop, in whose turns indices wrap no more; the same where none did."""
        result: list[Stmt] = []
        changed = False
        for statement in statements_of(loop.body):
            new, shifts = self._statement(statement)
            changed = changed or bool(shifts)
            result += [*shifts, new]
        return replace(loop, body=Block(tuple(result)), form=Form.BUILT) if changed else loop

    def _statement(self, statement: Stmt) -> tuple[Stmt, list[Stmt]]:
        shifts: list[Stmt] = []
        if not isinstance(statement, (Declare, ExprStatement)):
            return statement, []

        def replacement(node: Node) -> Node | None:
            match node:
                case Binary(op="&&" | "||"):
                    return node  # not always computed
                case Conditional():
                    found, op = self._shifted(node), "+"
                case Binary(op="%"):
                    found, op = self._divided(node), "-"
                case _:
                    return None
            if found is None:
                return node
            base, shift = found
            symbol = self.symbols.fresh("shift", INT, Storage.LOCAL)
            shifts.append(Declare((Variable(symbol, "const int", "", shift, "="),)))
            return Binary(op, base, VarRef(symbol), INT)

        return rewrite(statement, replacement), shifts

    def _shifted(self, node: Conditional) -> tuple[Expr, Expr] | None:
        """What all branches start from, and what the run adds to it."""
        if not _is_int(node.type) or not self._is_harmless(node):
            return None
        edges: list[Expr] = []
        for condition in _conditions(node):
            found = self._edges(condition)
            if found is None:
                return None
            edges += found
        for base in _bases(node):
            shift = self._shift(node, base)
            if shift is not None and isinstance(base, VarRef):
                self.edges += [edge for edge in edges if edge not in self.edges]
                return base, resolved(self._resolved(shift), {self.index: VarRef(self.first)})
        return None

    def _divided(self, node: Binary) -> tuple[Expr, Expr] | None:
        """What is divided, and what all threads of the run take away from it."""
        left, right = self._resolved(node.left), self._resolved(node.right)
        if not _is_int(node.left.type) or not _is_int(node.right.type):
            return None
        if right not in map(self._resolved, self.limits) or not self._is_uniform(right):
            return None
        terms = around(left, self.index)
        if terms is None or not all(self._is_uniform(term) for _, term in terms):
            return None
        if not self._is_harmless(left) or not self._is_harmless(right):
            return None
        dividend = resolved(bare_of(left), {self.index: VarRef(self.first)})
        found = Remainder(dividend, right)
        if found not in self.remainders:
            self.remainders.append(found)
        whole = dividend if is_primary(dividend) else Paren(dividend, INT)
        shift = Binary("*", Binary("/", whole, right, INT), right, INT)
        return bare_of(node.left), shift

    def _is_harmless(self, node: Expr) -> bool:
        """May all of it be computed also where no thread would have come to it?"""
        for part in walk(self._resolved(node)):
            match part:
                case Binary(op="/" | "%"):
                    return False
                case Index() if not self.tables.hold(part):
                    return False
                case _:
                    pass
        return True

    def _shift(self, node: Expr, base: Expr) -> Expr | None:
        bare = bare_of(node)
        match bare:
            case Conditional(condition=condition, if_true=if_true, if_false=if_false):
                yes, no = self._shift(if_true, base), self._shift(if_false, base)
                if yes is None or no is None:
                    return None
                return Conditional(condition, yes, no, INT)
            case Binary(op="+" | "-", left=left, right=right) if bare_of(left) == base:
                if not self._is_uniform(right) or not _is_int(right.type):
                    return None
                amount = bare_of(right)
                if bare.op == "+":
                    return amount
                return Unary("-", amount if is_primary(amount) else Paren(amount, INT), type=INT)
            case _:
                return _ZERO if bare == base else None

    def _edges(self, condition: Expr) -> list[Expr] | None:
        """Where the condition changes: the first index of a thread on the other side."""
        bare = bare_of(condition)
        if not isinstance(bare, Binary) or bare.op not in _MIRRORED:
            return None
        if not _is_int(bare.left.type) or not _is_int(bare.right.type):
            return None
        left, right = self._resolved(bare.left), self._resolved(bare.right)
        op = bare.op
        if self.index in symbols_in(right):
            left, right, op = right, left, _MIRRORED[op]
        if self.index in symbols_in(right) or not self._is_uniform(right):
            return None
        if self.index not in symbols_in(left):
            return [] if self._is_uniform(left) else None
        terms_around = around(left, self.index)
        if terms_around is None or not all(self._is_uniform(term) for _, term in terms_around):
            return None
        terms = [
            ("+", right),
            *((("-" if sign == "+" else "+"), term) for sign, term in terms_around),
        ]
        edge = _sum(terms)
        behind = Code((edge, " + 1"), type=_LONG)
        match op:
            case "<" | ">=":
                return [edge]
            case "<=" | ">":
                return [behind]
            case _:
                return [edge, behind]

    def _is_uniform(self, expr: Expr) -> bool:
        resolved = self._resolved(expr)
        found = self.effects.of(resolved)
        if not found.is_pure or symbols_in(resolved) & (self.own | {self.index}):
            return False
        return None not in found.memory_reads and not found.memory_reads & self.stored

    def _resolved(self, expr: Expr) -> Expr:
        return resolved(expr, self.values)


def resolved(expr: Expr, values: dict[Symbol, Expr]) -> Expr:
    """`expr` with values in place of the variables that stand for them, built anew: what comes out
    of a macro is written without it."""
    match expr:
        case VarRef(symbol=symbol) if symbol in values:
            inner = resolved(values[symbol], values)
            return inner if is_primary(inner) else Paren(inner, inner.type)
        case VarRef(symbol=symbol):
            return VarRef(symbol)
        case Paren(inner=Paren() as inner):
            return resolved(inner, values)
        case Paren(inner=inner):
            new = resolved(inner, values)
            return new if is_primary(new) else Paren(new, expr.type)
        case Code(parts=(only,)) if not isinstance(only, str):
            return resolved(only, values)
        case Literal(text=text, value=int(value)) if expr.type.kind is TypeKind.INTEGER:
            return Literal(text if text[:1].isdigit() else str(value), value, expr.type)
        case _:
            inner = tuple(
                resolved(child, values) if isinstance(child, Expr) else child
                for child in children(expr)
            )
            return replace(with_children(expr, inner), span=None, form=Form.BUILT)


def bare_of(expr: Expr) -> Expr:
    """The expression without parentheses, and without what keeps a value apart from the author's
    text around it."""
    while True:
        match expr:
            case Paren(inner=inner):
                expr = inner
            case Code(parts=(only,)) if not isinstance(only, str):
                expr = only
            case _:
                return expr


def _is_int(ctype: CType) -> bool:
    return ctype.kind is TypeKind.INTEGER and ctype.is_signed and ctype.bits == INT.bits


def _conditions(node: Expr) -> Iterator[Expr]:
    bare = bare_of(node)
    if isinstance(bare, Conditional):
        yield bare.condition
        yield from _conditions(bare.if_true)
        yield from _conditions(bare.if_false)


def _bases(node: Expr) -> Iterator[Expr]:
    """What the branches may start from."""
    bare = bare_of(node)
    match bare:
        case Conditional():
            yield from _bases(bare.if_true)
            yield from _bases(bare.if_false)
        case Binary(op="+" | "-", left=left):
            yield bare_of(left)
        case _:
            yield bare


def around(expr: Expr, index: Symbol) -> list[tuple[str, Expr]] | None:
    """The terms beside the one `index` of a sum, with their signs."""
    bare = bare_of(expr)
    match bare:
        case VarRef(symbol=symbol) if symbol == index:
            return []
        case Binary(op="+" | "-" as op, left=left, right=right) if index not in symbols_in(right):
            inner = around(left, index)
            return None if inner is None else [*inner, (op, right)]
        case Binary(op="+", left=left, right=right) if index not in symbols_in(left):
            inner = around(right, index)
            return None if inner is None else [*inner, ("+", left)]
        case _:
            return None


def _sum(terms: list[tuple[str, Expr]]) -> Expr:
    """The sum of ints, in 64 bits."""
    parts: list[str | Expr] = ["0LL"]
    for sign, term in terms:
        if integer_value(term) == 0:
            continue
        bare = bare_of(term)
        parts += [f" {sign} ", bare if is_primary(bare) else Paren(bare)]
    return Code(tuple(parts), atomic=False, type=_LONG)
