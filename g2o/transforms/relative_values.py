"""What numbers are to a running reference: the maximum that exponentials are taken relative to.

    old = m;                                   m: reference, version 1; s: sum of scale 1
    m = fmaxf(m, x[c]);                        old: version 1; m: version 2, not below 1
    s = s * expf(old - m) + expf(x[c] - m);    a factor from 1 to 2: a sum of scale 2, and another

A sum has the scale r where it is that of some numbers, each times exp(-r). It changes its scale by
a factor exp(r - q). Sums of one scale may be added; what other threads have of a sum, by a shuffle
or through an array, has the scale that they have of the reference. Where all scales agree, every
sum may be taken relative to another reference right away: factors are one, and terms exp(v - r) are
relative to the other one (`relative_sums.py`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.analysis.contribution_values import extreme_of
from g2o.analysis.effects import symbols_in
from g2o.analysis.pure_functions import is_pure
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Form,
    Index,
    Literal,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import Exchange
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import TypeKind

_EXPONENTIALS: Final = {
    "exp": "exp",
    "expf": "exp",
    "__expf": "exp",
    "exp2": "exp2",
    "exp2f": "exp2",
}
_FUSED: Final = frozenset({"fma", "fmaf", "__fmaf_rn"})
_GREATER: Final = {">": True, ">=": True, "<": False, "<=": False}


class Unfit(Exception):
    """The code does something else with a reference, or with a sum that is relative to it."""


@final
@dataclass(frozen=True, slots=True)
class Reference:
    version: int


@final
@dataclass(frozen=True, slots=True)
class Sum:
    """Relative to the reference of that version; None: it is zero, relative to any."""

    scale: int | None


@final
@dataclass(frozen=True, slots=True)
class Factor:
    old: int
    new: int


Value = Reference | Sum | Factor | None
"""None: it has nothing to do with the reference."""


@final
@dataclass(slots=True)
class Versions:
    """Numbers for what references are. `below[v]` are those that are not greater than `v`;
    `common[v]` is the group of threads that all have `v` alike."""

    known: dict[Hashable, int] = field(default_factory=dict[Hashable, int])
    common: dict[int, Hashable] = field(default_factory=dict[int, Hashable])
    plain: dict[int, Expr] = field(default_factory=dict[int, Expr])  # those that are numbers
    chosen: dict[int, tuple[Expr, int, int]] = field(
        default_factory=dict[int, tuple[Expr, int, int]]
    )
    below: dict[int, frozenset[int]] = field(default_factory=dict[int, frozenset[int]])

    def of(self, key: Hashable) -> int:
        return self.known.setdefault(key, len(self.known))

    def of_plain(self, number: Expr) -> int:
        made = self.of(("plain", number))
        self.plain[made] = number
        return made

    def of_choice(self, condition: Expr, then: int, otherwise: int) -> int:
        made = self.of(("if", condition, then, otherwise))
        self.chosen[made] = condition, then, otherwise
        return made

    def fresh(self, below: Iterable[int] = ()) -> int:
        made = self.of(("fresh", len(self.known)))
        self.below[made] = frozenset[int]().union(*(self.reach(one) for one in below))
        return made

    def forget_order(self, known: Mapping[int, frozenset[int]]) -> None:
        """What was known of the order of versions holds, and that of others since."""
        self.below.update(known)

    def reach(self, version: int) -> frozenset[int]:
        """The version and those that are not greater."""
        return self.below.get(version, frozenset()) | {version}


@final
@dataclass(slots=True)
class Values:
    """What is known where the code has come to. `target` is the reference that sums are made
    relative to; `arrays` are those of the block that the code stores to."""

    target: Symbol
    arrays: frozenset[Symbol]
    versions: Versions
    known: dict[Symbol, Value]
    changing: frozenset[Symbol]  # what the code declares, or assigns to
    stored: dict[tuple[Symbol, Expr], Value] = field(
        default_factory=dict[tuple[Symbol, Expr], Value]
    )
    times: dict[Symbol, int] = field(
        default_factory=dict[Symbol, int]
    )  # that arrays were stored to
    exponentials: list[Call] = field(default_factory=list[Call])

    def copy(self) -> Values:
        return Values(
            self.target,
            self.arrays,
            self.versions,
            dict(self.known),
            self.changing,
            dict(self.stored),
            dict(self.times),
            self.exponentials,
        )

    # -- expressions ------------------------------------------------------------------------------

    def of(self, expr: Expr) -> tuple[Value, Expr]:
        """What an expression is; a sum also as it is relative to the target. Raises Unfit."""
        match expr:
            case Paren(inner=inner):
                value, made = self.of(inner)
                return value, _within(made, expr) if isinstance(value, Sum) else expr
            case Cast(operand=operand) if expr.type.kind is TypeKind.FLOATING:
                value, made = self.of(operand)
                narrows = expr.type.bits < operand.type.bits
                if isinstance(value, Reference) and narrows:
                    raise Unfit
                return value, Cast(made, expr.type) if isinstance(value, Sum) else expr
            case VarRef(symbol=symbol):
                return self.known.get(symbol), expr
            case Index(base=base, index=index):
                array = strip_parens(base)
                if isinstance(array, VarRef) and array.symbol in self.arrays:
                    self.plain(index)
                    return self._element(array.symbol, index), expr
                return self.plain(expr), expr
            case Call() if (difference := difference_in(expr)) is not None:
                return self._of_exponential(expr, difference)
            case Call(name=name, arguments=(left, right, last)) if name in _FUSED and is_pure(expr):
                product = Binary("*", left, right, expr.type)
                value, made = self.of(Binary("+", product, last, expr.type))
                return value, made if isinstance(value, Sum) else expr
            case Call() if extreme_of(expr) == "max":
                return self._greatest(expr.arguments), expr
            case Conditional(condition=condition, if_true=left, if_false=right):
                return self._chosen(expr, condition, left, right)
            case Unary(op="-", operand=operand):
                value, made = self.of(operand)
                if isinstance(value, (Reference, Factor)):
                    raise Unfit
                return value, Unary("-", made, type=expr.type) if isinstance(value, Sum) else expr
            case Binary(op="*" | "/" | "+" | "-"):
                return self._of_binary(expr)
            case _:
                return self.plain(expr), expr

    def plain(self, expr: Expr) -> None:
        """Raises Unfit where it has anything to do with the reference, or changes anything."""
        for symbol in symbols_in(expr):
            if self.known.get(symbol) is not None or symbol in self.arrays:
                raise Unfit
        if any(isinstance(node, Assign) or _steps(node) for node in walk(expr)):
            raise Unfit

    def _of_exponential(self, call: Call, argument: Binary) -> tuple[Value, Expr]:
        left, _ = self.of(argument.left)
        right, _ = self.of(argument.right)
        if left is None and right is None:
            return self.plain(call), call
        if isinstance(left, (Sum, Factor)) or isinstance(right, (Sum, Factor)):
            raise Unfit
        self.exponentials.append(call)
        scale = times_difference(call)
        if scale is not None:
            self.plain(scale)
        if scale is not None and symbols_in(scale) & self.changing:
            raise Unfit
        kinds = {(_EXPONENTIALS[one.name], times_difference(one)) for one in self.exponentials}
        if len(kinds) > 1:
            raise Unfit
        if isinstance(left, Reference):
            return Factor(left.version, self.version(right, argument.right)), call
        return Sum(self.version(right, argument.right)), self.term(call, argument.left)

    def term(self, call: Call, value: Expr) -> Call:
        """exp(value - target), or exp(a * (value - target)) where the call is such a one."""
        return of_difference(call, value, VarRef(self.target))

    def version(self, value: Value, expr: Expr) -> int:
        """The version of a reference, or of a number that becomes one."""
        if isinstance(value, Reference):
            return value.version
        if value is not None:
            raise Unfit
        return self.versions.of_plain(strip_parens(expr))

    def _greatest(self, arguments: Sequence[Expr]) -> Value:
        values = [self.of(one)[0] for one in arguments]
        if all(one is None for one in values):
            return None
        return Reference(
            self.versions.fresh(
                self.version(value, one) for value, one in zip(values, arguments, strict=True)
            )
        )

    def _chosen(
        self, expr: Conditional, condition: Expr, left: Expr, right: Expr
    ) -> tuple[Value, Expr]:
        (one, left_made), (other, right_made) = self.of(left), self.of(right)
        order = greater_and_lesser(condition)
        if order is not None and order == (strip_parens(left), strip_parens(right)):
            return self._greatest((left, right)), expr
        self.plain(condition)
        if one is None and other is None:
            return None, expr
        if isinstance(one, Reference) or isinstance(other, Reference):
            versions = self.version(one, left), self.version(other, right)
            return Reference(self.versions.of_choice(condition, *versions)), expr
        scales = self._scale(one, left), self._scale(other, right)
        made = Conditional(condition, left_made, right_made, expr.type)
        return Sum(self.scale_where(condition, scales)), made

    def _scale(self, value: Value, expr: Expr) -> int | None:
        if isinstance(value, Sum):
            return value.scale
        if value is None and is_zero(expr):
            return None
        raise Unfit

    def scale_where(self, condition: Expr, scales: tuple[int | None, int | None]) -> int | None:
        """The scale of one sum or another: that of the reference which is chosen likewise."""
        if scales == (None, None):
            return None
        for version, (asked, left, right) in self.versions.chosen.items():
            if asked == condition and scales[0] in (None, left) and scales[1] in (None, right):
                return version
        raise Unfit

    def _of_binary(self, expr: Binary) -> tuple[Value, Expr]:
        (left, left_made), (right, right_made) = self.of(expr.left), self.of(expr.right)
        if left is None and right is None:
            return None, expr
        if isinstance(left, Reference) or isinstance(right, Reference):
            raise Unfit
        made = Binary(expr.op, left_made, right_made, expr.type)
        match expr.op, left, right:
            case "*", Sum(), None:
                return left, made
            case "*", None, Sum():
                return right, made
            case "*", Sum(scale=scale), Factor(old=old, new=new) if scale in (None, old):
                return Sum(new), left_made
            case "*", Factor(old=old, new=new), Sum(scale=scale) if scale in (None, old):
                return Sum(new), right_made
            case "/", Sum(), None:
                return left, made
            case "+" | "-", Sum(), Sum():
                if None not in (left.scale, right.scale) and left.scale != right.scale:
                    raise Unfit
                return Sum(right.scale if left.scale is None else left.scale), made
            case "+" | "-", Sum(scale=scale), None:
                term = self._times_term(expr.right, scale)
                return left, Binary(expr.op, left_made, term, expr.type)
            case "+", None, Sum(scale=scale):
                term = self._times_term(expr.left, scale)
                return right, Binary("+", term, right_made, expr.type)
            case _:
                raise Unfit

    def _times_term(self, number: Expr, scale: int | None) -> Expr:
        """A number beside a sum that is relative to `v`: that times exp(v - v)."""
        value = None if scale is None else self.versions.plain.get(scale)
        if value is None:
            raise Unfit
        term = self.term(self.exponentials[-1], value)
        return term if is_one(number) else Binary("*", number, term, number.type)

    # -- what other threads have ------------------------------------------------------------------

    def exchanged(self, exchange: Exchange) -> Value:
        first, *others = exchange.operands
        for one in others:
            self.plain(one)
        value, _ = self.of(first)
        version = value.version if isinstance(value, Reference) else None
        version = value.scale if isinstance(value, Sum) else version
        if version is None:
            if value is None:
                return None
            raise Unfit
        group = tuple(others), exchange.width, exchange.scope
        if exchange.operation == "reduce_add":
            if isinstance(value, Reference) or self.versions.common.get(version) != group:
                raise Unfit
            return value
        key = ("exchange", exchange.operation, version, group)
        made = self.versions.of(key)
        if exchange.operation == "reduce_max":
            self.versions.common[made] = group
        return Reference(made) if isinstance(value, Reference) else Sum(made)

    def _element(self, array: Symbol, index: Expr) -> Value:
        """What is in an array of the block: where sums were stored, references were stored to the
        same places of another array."""
        own = _of_array(self.stored, array)
        if not own:
            raise Unfit
        if all(isinstance(one, Reference) for one in own.values()):
            return Reference(self._version_at(array, index))
        if not all(isinstance(one, Sum) for one in own.values()):
            raise Unfit
        for other in dict.fromkeys(symbol for symbol, _ in self.stored):
            beside = _of_array(self.stored, other)
            if other != array and all(_is_beside(one, beside.get(at)) for at, one in own.items()):
                return Sum(self._version_at(other, index))
        raise Unfit

    def _version_at(self, array: Symbol, index: Expr) -> int:
        key = ("element", array, self.times.get(array, 0), strip_parens(index))
        return self.versions.of(key)

    def store(self, array: Symbol, index: Expr, value: Value) -> None:
        self.stored[array, strip_parens(index)] = value
        self.times[array] = self.times.get(array, 0) + 1


def _of_array(stored: Mapping[tuple[Symbol, Expr], Value], array: Symbol) -> dict[Expr, Value]:
    return {index: value for (symbol, index), value in stored.items() if symbol == array}


def _is_beside(value: Value, other: Value) -> bool:
    if not isinstance(value, Sum) or not isinstance(other, Reference):
        return False
    return value.scale in (None, other.version)


def difference_in(call: Call) -> Binary | None:
    """The difference that an exponential is taken of, or of a multiple of it."""
    if call.name not in _EXPONENTIALS or not is_pure(call) or len(call.arguments) != 1:
        return None
    argument = strip_parens(call.arguments[0])
    if isinstance(argument, Binary) and argument.op == "*":
        sides = strip_parens(argument.left), strip_parens(argument.right)
        found = [one for one in sides if isinstance(one, Binary) and one.op == "-"]
        return found[0] if len(found) == 1 else None
    return argument if isinstance(argument, Binary) and argument.op == "-" else None


def times_difference(call: Call) -> Expr | None:
    """What the difference is multiplied by."""
    argument, difference = strip_parens(call.arguments[0]), difference_in(call)
    if argument == difference or not isinstance(argument, Binary):
        return None
    sides = strip_parens(argument.left), strip_parens(argument.right)
    return sides[1] if sides[0] == difference else sides[0]


def of_difference(call: Call, left: Expr, right: Expr) -> Call:
    """The exponential of another difference."""
    scale, difference = times_difference(call), difference_in(call)
    assert difference is not None
    argument: Expr = Binary("-", left, right, difference.type)
    if scale is not None:
        product = Paren(argument, argument.type)
        argument = Binary("*", scale, product, call.arguments[0].type)
    return replace(call, arguments=(argument,), form=Form.BUILT, span=None)


def greater_and_lesser(condition: Expr) -> tuple[Expr, Expr] | None:
    """Of `a > b`, a and b."""
    match strip_parens(condition):
        case Binary(op=op, left=left, right=right) if op in _GREATER:
            pair = strip_parens(left), strip_parens(right)
            return pair if _GREATER[op] else (pair[1], pair[0])
        case _:
            return None


def is_zero(expr: Expr) -> bool:
    return _number(expr) == 0


def is_one(expr: Expr) -> bool:
    return _number(expr) == 1


def _number(expr: Expr) -> float | None:
    bare = strip_parens(expr)
    while isinstance(bare, Cast):
        bare = strip_parens(bare.operand)
    if not isinstance(bare, Literal):
        return None
    if bare.value is not None:
        return bare.value
    try:
        return float(bare.text.rstrip("fFlL"))
    except ValueError:
        return None


def _within(made: Expr, parens: Paren) -> Expr:
    """What has been made of what stood in parentheses, with them where it needs any."""
    return Paren(made, parens.type) if isinstance(made, (Binary, Conditional)) else made


def _steps(node: object) -> bool:
    return isinstance(node, Unary) and node.is_update
