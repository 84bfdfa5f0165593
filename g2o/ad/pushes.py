"""Seeds on their way down: what a differential adds to the shadows of its leaves."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, final

from g2o.ad.increments import Seed, add, atomic_add
from g2o.ad.linear import (
    Choice,
    Differential,
    Leaf,
    Negated,
    Scaled,
)
from g2o.ad.reach import Reach
from g2o.ad.reals import is_real, precision
from g2o.ad.scopes import Point
from g2o.ad.shadows import (
    shadow_type,
)
from g2o.analysis.effects import root_symbol
from g2o.analysis.value_types import is_known, value_type
from g2o.ir.expressions import (
    Binary,
    Call,
    Expr,
    Form,
    Index,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    integer_value,
    negated,
    strip_parens,
)
from g2o.ir.statements import (
    Block,
    Declare,
    If,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import walk
from g2o.ir.types import computed_as

_MOST_IN_SUMS: Final = 16
"""Elements of a table of which every thread has sums of its own."""


@final
class Pushes:
    """Hands seeds down to the shadows that `reach` finds."""

    def __init__(self, reach: Reach, symbols: SymbolTable) -> None:
        self.reach = reach
        self.values = reach.values
        self.shadows = reach.shadows
        self.symbols = symbols

    def push(self, differential: Differential, seed: Seed, point: Point) -> list[Stmt]:
        """Hand the seed down to every lvalue of the differential."""
        result: list[Stmt] = []
        if len(differential) > 1 and not _is_cheap(seed.value):
            ctype = precision(seed.value)
            symbol = self.symbols.fresh("seed", ctype, Storage.LOCAL)
            spelled = shadow_type(ctype).spelling if is_known(ctype) else "auto"
            result.append(Declare((Variable(symbol, f"const {spelled}", "", seed.value, "="),)))
            seed = replace(seed, value=VarRef(symbol))
        for part in differential:
            match part:
                case Leaf(target=target):
                    result.append(self._increment(target, seed, point))
                case Negated(inner=inner):
                    flipped = replace(seed, negative=not seed.negative)
                    result.extend(self.push(inner, flipped, point))
                case Scaled(op=op, weight=weight, inner=inner):
                    scaled = self._scaled(op, self.values.value(weight, point), seed)
                    result.extend(self.push(inner, scaled, point))
                case Choice():
                    result.append(self._chosen(part, seed, point))
        return result

    def _chosen(self, part: Choice, seed: Seed, point: Point) -> Stmt:
        condition = self.values.value(part.condition, point)
        point.guards.append(part.condition)
        then = self.push(part.if_true, seed, point)
        point.guards[-1] = Unary("!", Paren(part.condition), type=part.condition.type)
        other = self.push(part.if_false, seed, point)
        point.guards.pop()
        if not then:
            return If(negated(condition), Block(tuple(other)))
        return If(condition, Block(tuple(then)), Block(tuple(other)) if other else None)

    def _scaled(self, op: str, weight: Expr, seed: Seed) -> Seed:
        inner, negative = strip_parens(weight), seed.negative
        positive = _without_minus(inner)
        if positive is not None:
            inner, negative = positive, not negative
        ctype = precision(seed.value)
        if op == "/":
            return Seed(Binary("/", seed.value, inner, ctype), negative)
        return Seed(Binary("*", inner, seed.value, ctype), negative)

    def _increment(self, target: Expr, seed: Seed, point: Point) -> Stmt:
        root = root_symbol(target)
        given = root is not None and root in self.shadows.given and not root.type.is_indirect
        if root is not None and given and _is_of_table(target):
            whole = Unary("*", self.shadows.given[root], type=shadow_type(root.type))
            place = put_root(self.reach.reachable(target, point), root, whole)
            value = Unary("-", seed.value, type=seed.value.type) if seed.negative else seed.value
            return atomic_add(place, value)
        if root is not None and given:
            sums = point.braces.nearest_joint().sums
            own = sums.get(root)
            if own is None:
                ctype = shadow_type(computed_as(root.type))
                own = self.symbols.fresh(f"sum_{root.name}", ctype, Storage.LOCAL)
                sums[root] = own
            return add(put_root(self.reach.reachable(target, point), root, VarRef(own)), seed)
        place = self.reach.shadow(target, point)
        if self.reach.is_own(target):
            return add(place, seed)
        value = Unary("-", seed.value, type=seed.value.type) if seed.negative else seed.value
        return atomic_add(place, value)

    def new_seed(self, target: Expr, place: Expr) -> tuple[Symbol, Stmt]:
        """A variable for the seed at `place`, the shadow of `target`, and its declaration."""
        ctype = precision(target)
        root = root_symbol(target)
        name = f"seed_{root.name}" if root is not None else "seed"
        symbol = self.symbols.fresh(name, ctype, Storage.LOCAL)
        spelled = shadow_type(ctype).spelling
        return symbol, Declare((Variable(symbol, f"const {spelled}", "", place, "="),))


def _is_of_table(target: Expr) -> bool:
    """Is it one of many elements of an array, which one a number says that is not known?"""
    while isinstance(target, Member | Index | Paren):
        if isinstance(target, Index) and integer_value(target.index) is None:
            base, count = target, 1
            while isinstance(base, Index):
                base = strip_parens(base.base)
                count *= base.type.extent or 1
            if count > _MOST_IN_SUMS:
                return True
        target = target.inner if isinstance(target, Paren) else target.base
    return False


def _without_minus(value: Expr) -> Expr | None:
    """`value` where it is `-value`; a minus sign passes through products and quotients of real
    numbers unrounded."""
    match value:
        case Unary(op="-", operand=operand) if is_real(value_type(operand)):
            return strip_parens(operand)
        case Binary(op="*" | "/", left=left) if is_real(value_type(value)):
            first = _without_minus(left)
            return None if first is None else replace(value, left=first, form=Form.BUILT)
        case _:
            return None


def _is_cheap(expr: Expr) -> bool:
    """Is it one variable or one place in memory?"""
    match expr:
        case VarRef() | Literal():
            return True
        case Index(base=base, index=index):
            return _is_cheap(base) and not any(isinstance(n, Call) for n in walk(index))
        case Member(base=base):
            return _is_cheap(base)
        case Unary(op="*", operand=operand):
            return _is_cheap(operand)
        case _:
            return False


def put_root(expr: Expr, root: Symbol, new: Expr) -> Expr:
    """The lvalue `expr` with another variable at its root."""
    match expr:
        case VarRef(symbol=symbol) if symbol == root:
            return new
        case Member(base=base):
            return replace(expr, base=put_root(base, root, new), form=Form.BUILT)
        case Index(base=base):
            return replace(expr, base=put_root(base, root, new), form=Form.BUILT)
        case Paren(inner=inner):
            return replace(expr, inner=put_root(inner, root, new), form=Form.BUILT)
        case _:
            return expr
