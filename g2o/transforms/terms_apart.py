"""Sums whose order counts, of loops that can be vectorised but for them.

                                             for (int first = 0, end; first < n; first = end) {
                                                 double terms[256];
    for (int j = 0; j < n; ++j) {                end = n - first > 256 ? first + 256 : n;
        const double s = 1.0 / f(j);     #pragma omp simd reduction(+ : sum_x)
        e += s * g(j);                           for (int j = first; j < end; ++j) {
        sum_x += s * s;              ->              const double s = 1.0 / f(j);
    }                                                terms[j - first] = s * g(j);
                                                     sum_x += s * s;
                                                 }
                                                 for (int j = first; j < end; ++j)
                                                     e += terms[j - first];
                                             }

Legal where nothing else in the loop names such a sum: it is added up in its order, bit by bit.
That is done where the loop divides, or calls functions of mathematics, of which vectors make
several at a time; some hundred terms stay in the nearest cache.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.effects import declared_in, statements_of, symbols_in
from g2o.ir.directives import Directive
from g2o.ir.expressions import (
    Assign,
    Binary,
    Conditional,
    Expr,
    Form,
    Index,
    Literal,
    Unary,
    VarRef,
    is_variable,
    strip_parens,
)
from g2o.ir.kernel import LoweredKernel
from g2o.ir.statements import (
    Block,
    Declare,
    DoWhile,
    ExprStatement,
    For,
    If,
    Jump,
    Node,
    Return,
    Stmt,
    Switch,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import BOOL, INT, CType, TypeKind
from g2o.transforms.costly import is_costly_number
from g2o.transforms.new_names import NewNames
from g2o.transforms.vectorise_sums import free_sums

_TERMS: Final = 256
_FLOWS: Final = (For, While, DoWhile, If, Switch, Jump, Return)


def with_terms_apart(
    lowered: LoweredKernel, first_made: int, may_vectorise: Callable[[Node], bool]
) -> LoweredKernel:
    """Symbols from the id `first_made` on are not the primal's. Unchanged kernels are returned as
    they are."""
    directive_of = free_sums(lowered.body, first_made, may_vectorise)
    maker = _Maker(NewNames(lowered), first_made, directive_of)
    body = tuple(rewrite(one, maker.replacement) for one in lowered.body)
    same = all(one is old for one, old in zip(body, lowered.body, strict=True))
    return lowered if same else replace(lowered, body=body)


@final
@dataclass(frozen=True, slots=True)
class _Sum:
    """`symbol op value`, in the order of the iterations."""

    statement: ExprStatement
    symbol: Symbol
    op: str
    value: Expr


@final
@dataclass(frozen=True, slots=True)
class _Maker:
    names: NewNames
    first_made: int
    directive_of: Callable[[For], Directive | None]

    def replacement(self, node: Node) -> Node | None:
        if not isinstance(node, For) or node.shared is not None or node.directive:
            return None
        limit = _limit(node)
        if limit is None or any(isinstance(one, _FLOWS) for one in walk(node.body)):
            return None
        sums = self._sums(node)
        if not sums or not any(map(is_costly_number, walk(node.body))):
            return None
        ordered = {id(one.statement) for one in sums}
        left = tuple(one for one in statements_of(node.body) if id(one) not in ordered)
        directive = self.directive_of(replace(node, body=Block(left), form=Form.BUILT))
        return None if directive is None else self._apart(node, sums, directive, limit)

    def _sums(self, loop: For) -> list[_Sum]:
        """The sums of the source that nothing else in the loop names."""
        inside = declared_in(loop)
        named = [node.symbol for node in walk(loop) if isinstance(node, VarRef)]
        found: list[_Sum] = []
        for one in statements_of(loop.body):
            match one:
                case ExprStatement(
                    expr=Assign(op="+=" | "-=" as op, target=VarRef(symbol=symbol), value=value)
                ):
                    is_old = symbol.id <= self.first_made and symbol not in inside
                    plain = symbol.type.kind is TypeKind.FLOATING and not symbol.type.is_volatile
                    same = value.type.bits == symbol.type.bits
                    if is_old and plain and same and named.count(symbol) == 1:
                        found.append(_Sum(one, symbol, op, value))
                case _:
                    pass
        return found

    def _apart(self, loop: For, sums: list[_Sum], directive: Directive, limit: Expr) -> Stmt:
        assert isinstance(loop.initial, Declare)
        (counter,) = loop.initial.variables
        index, ctype = VarRef(counter.symbol), counter.symbol.type
        first = replace(self.names.named("first", ctype), storage=Storage.LOCAL)
        end = replace(self.names.named("end", ctype), storage=Storage.LOCAL)
        terms = [self._array(one) for one in sums]
        place = Binary("-", index, VarRef(first), ctype)
        of = {
            id(one.statement): ExprStatement(
                Assign("=", Index(VarRef(array), place, one.value.type), one.value, one.value.type),
                trivia=one.statement.trivia,
            )
            for one, array in zip(sums, terms, strict=True)
        }
        again = [
            ExprStatement(
                Assign(
                    one.op,
                    VarRef(one.symbol),
                    Index(VarRef(array), place, one.value.type),
                    one.symbol.type,
                )
            )
            for one, array in zip(sums, terms, strict=True)
        ]
        body = tuple(of.get(id(one), one) for one in statements_of(loop.body))
        begun = Declare((replace(counter, initial=VarRef(first), span=None),))
        below = Binary("<", index, VarRef(end), BOOL)
        head = replace(loop, initial=begun, condition=below, form=Form.BUILT)
        number = Literal(str(_TERMS), _TERMS, INT)
        more = Binary("-", limit, VarRef(first), ctype)
        last = Conditional(
            Binary(">", more, number, BOOL), Binary("+", VarRef(first), number, ctype), limit
        )
        inside = (
            *(
                Declare((Variable(one, one.type.innermost.spelling, f"[{_TERMS}]", None, ""),))
                for one in terms
            ),
            ExprStatement(Assign("=", VarRef(end), last, ctype)),
            replace(head, body=Block(body), directive=directive),
            replace(head, body=Block(tuple(again))),
        )
        start = (
            Variable(first, counter.declared, "", counter.initial, "="),
            Variable(end, counter.declared, "", None, ""),
        )
        step = Assign("=", VarRef(first), VarRef(end), ctype)
        below_all = Binary("<", VarRef(first), limit, BOOL)
        return For(Declare(start), below_all, step, Block(inside), trivia=loop.trivia)

    def _array(self, one: _Sum) -> Symbol:
        element = one.value.type
        size = _TERMS * element.bits
        ctype = CType(
            f"{element.spelling}[{_TERMS}]", TypeKind.ARRAY, size, element=element, extent=_TERMS
        )
        named = self.names.named(f"terms_{one.symbol.name}", ctype)
        return replace(named, storage=Storage.LOCAL)


def _limit(loop: For) -> Expr | None:
    """What a loop counts up to, one by one; None for others, and where it changes that."""
    match loop:
        case For(
            initial=Declare(variables=(Variable(symbol=counter, initial=first),)),
            condition=Binary(op="<", left=left, right=limit),
            increment=Unary(op="++", operand=operand),
        ) if first is not None and is_variable(left, counter) and is_variable(operand, counter):
            pass
        case _:
            return None
    signed = counter.type.kind is TypeKind.INTEGER and counter.type.is_signed
    kinds = (VarRef, Literal)
    parts = [node for end in (limit, first) for node in walk(strip_parens(end))]
    plain = all(isinstance(node, (*kinds, Binary)) for node in parts)
    changed = {
        node.target.symbol
        for node in walk(loop.body)
        if isinstance(node, Assign) and isinstance(node.target, VarRef)
    }
    same = limit.type.is_signed and limit.type.bits <= counter.type.bits
    return limit if signed and plain and same and symbols_in(limit).isdisjoint(changed) else None
