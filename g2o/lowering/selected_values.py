"""Values that neighbours keep in arrays are selected, not stored under a condition.

    #pragma omp simd                            #pragma omp simd
    for (int i = first; i < end; ++i)           for (int i = first; i < end; ++i)
        if (x[i] < m)                     ->        inside[i - first] =
            inside[i - first] = k;                      x[i] < m ? k : inside[i - first];

A vector may not store what a thread would not have stored, unless it is known that nobody minds:
compilers make masked stores of it, with a branch around them. Legal where the element is the
neighbour's own, in an array that lowering has made for the values of threads: it is there, others
do not see it, and it stays what it was. What is stored is cheap, reads no other memory, and does
not trap; so are real numbers that are declared for it, which are worked out in front of the choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import is_
from typing import Final, final

from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.analysis.straight_line import is_inverse_root, is_vector_function
from g2o.analysis.value_types import value_type
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Code,
    Conditional,
    Expr,
    Form,
    Index,
    Literal,
    Paren,
    Unary,
    VarRef,
    Verbatim,
    integer_value,
    strip_parens,
)
from g2o.ir.statements import Block, CountedLoop, Declare, ExprStatement, If, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import BOOL, INT, CType, TypeKind, unqualified
from g2o.lowering.context import LoweringContext
from g2o.lowering.in_place import with_loops_replaced

_MOST_NODES: Final = 24
_MOST_VALUES: Final = 4
_FLOAT_BITS: Final = 32
_NUMBERS: Final = (TypeKind.INTEGER, TypeKind.FLOATING)


def with_selected_values(
    context: LoweringContext, statements: tuple[Stmt, ...]
) -> tuple[Stmt, ...]:
    """The statements with such selections in their vector loops."""

    def selected(loop: CountedLoop) -> tuple[Stmt, ...]:
        if not loop.directive.is_simd or loop.index.storage is not Storage.INDEX:
            return (loop,)
        own = frozenset((loop.index, *declared_in(loop.body)))
        named = frozenset(symbols_in(loop.body)) | own
        selecting = _Selecting(context, context.effects, loop.index, own, named)
        body = rewrite(loop.body, selecting.replacement)
        if body is loop.body:
            return (loop,)
        assert isinstance(body, Stmt)
        return (replace(loop, body=body),)

    return with_loops_replaced(statements, selected)


@final
@dataclass(frozen=True, slots=True)
class _Selecting:
    context: LoweringContext
    effects: EffectsOf
    index: Symbol
    own: frozenset[Symbol]  # what differs between neighbours
    named: frozenset[Symbol]

    def replacement(self, node: Node) -> Node | None:
        match node:
            case Block(statements=statements):
                made = [one for old in statements for one in self._statements(old)]
                same = len(made) == len(statements) and all(map(is_, made, statements))
                return node if same else replace(node, statements=tuple(made), form=Form.BUILT)
            case If():
                selected = self._selected(node)
                if selected is None:
                    return None
                return selected[0] if len(selected) == 1 else Block(tuple(selected))
            case CountedLoop():
                return node
            case _:
                return None

    def _statements(self, statement: Stmt) -> Sequence[Stmt]:
        selected = self._selected(statement) if isinstance(statement, If) else None
        return selected or (rewrite(statement, self.replacement),)

    def _selected(self, statement: If) -> Sequence[Stmt] | None:
        if statement.otherwise is not None or statement.is_constexpr:
            return None
        parts = statements_of(statement.then)
        values = [one for one in parts if isinstance(one, Declare)]
        if parts[: len(values)] != tuple(values) or not all(map(self._is_value, values)):
            return None
        stores = [self._store(one) for one in parts[len(values) :]]
        condition = statement.condition
        if not 0 < len(stores) <= _MOST_VALUES or self.own.isdisjoint(symbols_in(condition)):
            return None
        if not self.effects.is_pure(condition):
            return None
        before: list[Stmt] = [*values]
        if len(stores) > 1:
            chosen = self.context.symbols.fresh("chosen", BOOL, Storage.LOCAL)
            before.insert(0, Declare((Variable(chosen, "const bool", "", condition, "="),)))
            condition = VarRef(chosen)
        made: list[Stmt] = []
        for store in stores:
            if store is None:
                return None
            value = store.value
            if store.op != "=":
                value = Binary(store.op[:-1], store.target, _operand(value), store.target.type)
            value = _as_kept(value, store.target.type)
            choice = Conditional(condition, value, store.target, store.target.type)
            made.append(ExprStatement(Assign("=", store.target, choice, store.type)))
        first, *rest = [*before, *made]
        return (replace(first, trivia=statement.trivia), *rest)

    def _is_value(self, declare: Declare) -> bool:
        """May it stand in front of the condition, where it hides and is hidden by nothing?"""
        if len(declare.variables) != 1 or declare.trivia.before:
            return False
        (variable,) = declare.variables
        symbol, value = variable.symbol, variable.initial
        alone = sum(one.name == symbol.name for one in self.named) == 1
        if not alone or symbol.type.is_volatile or value is None:
            return False
        # Whole numbers may become too large where nobody asks for them.
        real = symbol.type.kind is TypeKind.FLOATING and all(
            node.type.kind is TypeKind.FLOATING for node in walk(value) if isinstance(node, Binary)
        )
        return real and self._is_cheap(value)

    def _store(self, statement: Stmt) -> Assign | None:
        match statement:
            case ExprStatement(expr=Assign(target=Index() as target, value=value) as assign) if (
                self._is_own(target)
                and target.type.kind in _NUMBERS
                and (target.type.kind is TypeKind.INTEGER or target.type.bits >= _FLOAT_BITS)
                and not statement.trivia.before
                and assign.op in ("=", "+=", "-=", "*=", "|=", "&=", "^=")
                and self._is_cheap(value)
            ):
                return assign
            case _:
                return None

    def _is_own(self, place: Index) -> bool:
        """Is it the neighbour's element of an array that lowering has made?"""
        base: Expr = place
        mine = False
        while isinstance(base, Index):
            mine = mine or self._is_position(base.index)
            if not self.effects.is_pure(base.index) or _reads(base.index):
                return False
            base = base.base
        if not isinstance(base, VarRef) or not mine:
            return False
        symbol = base.symbol
        return symbol.storage is Storage.BLOCK and symbol.type.kind is not TypeKind.POINTER

    def _is_position(self, place: Expr) -> bool:
        """`t`, `t - first`, `ty * width + t`: where the neighbour's values lie."""
        match strip_parens(place):
            case VarRef(symbol=symbol):
                return symbol == self.index
            case Binary(op="-", left=left, right=VarRef(symbol=first)):
                return strip_parens(left) == VarRef(self.index) and first != self.index
            case Binary(op="+", left=Binary(op="*") as row, right=right):
                return strip_parens(right) == VarRef(self.index) and (
                    self.index not in symbols_in(row)
                )
            case _:
                return False

    def _is_cheap(self, value: Expr) -> bool:
        nodes = list(walk(value))
        plain = all(
            not isinstance(node, Code | Verbatim | Assign)
            and (not isinstance(node, Call) or is_vector_function(node) or is_inverse_root(node))
            and not (isinstance(node, Unary) and node.op in ("*", "++", "--"))
            and not _divides_integers(node)
            for node in nodes
        )
        places = [node for node in nodes if isinstance(node, Index)]
        inner = {id(node.base) for node in places}
        own = all(self._is_own(one) for one in places if id(one) not in inner)
        return plain and own and len(nodes) <= _MOST_NODES and self.effects.is_pure(value)


def _divides_integers(node: Node) -> bool:
    """Could it trap, or is it no operation on vectors?"""
    if not isinstance(node, Binary) or node.op not in ("/", "%"):
        return False
    return node.type.kind is not TypeKind.FLOATING


def _reads(expr: Expr) -> bool:
    return any(isinstance(node, Index) for node in walk(expr))


def _as_kept(value: Expr, ctype: CType) -> Expr:
    """The value in the type of the array, so that both have one."""
    given = value_type(value)
    if (given.kind, given.bits, given.is_signed) == (ctype.kind, ctype.bits, ctype.is_signed):
        return value
    number = integer_value(value)
    if number is not None and ctype == INT:
        return value
    if number is not None and ctype.kind is TypeKind.FLOATING:
        return Literal(f"{number}.0{'f' if ctype.bits == _FLOAT_BITS else ''}", None, ctype)
    return Cast(value, replace(ctype, spelling=unqualified(ctype), is_const=False))


def _operand(value: Expr) -> Expr:
    return Paren(value, value.type) if isinstance(value, Binary | Conditional) else value
