"""How a value changes with the real numbers that it is computed from.

    a * x[i] + y[i]     ->  a * d(x[i]) + d(y[i]), and x[i] * d(a) where a is active, too

A differential is a sum of parts: the differential of an lvalue, parts scaled by a weight, or parts
of which a condition chooses. Tangents and adjoints both read it: a tangent adds the parts up, an
adjoint sends the seed down to the lvalues (the transpose; Griewank and Walther, chapter 3).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.ad.components import is_of_a_value, number_of_a_value
from g2o.ad.deciding import only_decides
from g2o.ad.reals import is_real, precision
from g2o.ad.rules import Rule, is_root, rule_for
from g2o.ad.templates import choice_of, constant, instantiate
from g2o.analysis.functions import FunctionTable
from g2o.analysis.pure_functions import CLASSIFICATIONS, CONVERSIONS, READING_FUNCTIONS
from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import Refusal, refuse
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Code,
    Conditional,
    Expr,
    Index,
    InitList,
    LaunchRef,
    Literal,
    Member,
    Paren,
    Remote,
    Unary,
    VarRef,
    Verbatim,
    strip_parens,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import UNKNOWN, CType, TypeKind


@final
@dataclass(frozen=True, slots=True)
class Leaf:
    """The differential of the number that lies in `target`."""

    target: Expr


@final
@dataclass(frozen=True, slots=True)
class Scaled:
    """`inner` times `weight`, or divided by it where `op` is "/"."""

    op: str
    weight: Expr
    inner: Differential


@final
@dataclass(frozen=True, slots=True)
class Negated:
    inner: Differential


@final
@dataclass(frozen=True, slots=True)
class Choice:
    condition: Expr
    if_true: Differential
    if_false: Differential


Part = Leaf | Scaled | Negated | Choice
Differential = tuple[Part, ...]

NAMES_OF_ARGUMENTS: Final = "xyzuvw"
_TO_DECISIONS: Final = """
    ilogb ilogbf logb logbf lrint lrintf lround lroundf llrint llrintf
    llround llroundf __int2double_rn __uint2double_rn __builtin_inf __builtin_inff
    __builtin_huge_val __builtin_huge_valf __builtin_nan __builtin_nanf
"""
_NARROWED: Final = frozenset(f"__double2float_{rounding}" for rounding in ("rn", "rz", "ru", "rd"))
_CONVERSIONS: Final = (CONVERSIONS - _NARROWED) | CLASSIFICATIONS | frozenset(_TO_DECISIONS.split())
"""Between integers and reals, or from reals to decisions: constant wherever they are smooth."""
_NUMBER: Final = re.compile(r"\d{1,4}(?:\.\d{0,4})?[fF]?")
"""Numbers that are written as short when they are doubled."""
_STEPPED: Final = frozenset({"<", "<=", ">", ">=", "==", "!=", "&&", "||", "%", "&", "|", "^"})


@final
@dataclass(frozen=True, slots=True)
class Linearisation:
    """Differentials of expressions. `is_active` says which lvalues have one that is not 0; `named`
    are the variables that hold the values of calls and quotients, by the identity of these;
    `results` are what stands for the values of calls whose adjoint is made elsewhere. `roots` are
    variables that hold square roots, of numbers that are still the same in the statement behind."""

    is_active: Callable[[Expr], bool]
    functions: FunctionTable
    named: Mapping[int, Expr] = field(default_factory=dict[int, Expr])
    results: dict[Expr, Symbol] = field(default_factory=dict[Expr, Symbol])
    roots: dict[Symbol, Expr] = field(default_factory=dict[Symbol, Expr])

    def of(self, expr: Expr) -> Differential:
        """Raises Refusal where the value depends on active numbers in a way that has no rule."""
        match expr:
            case Literal() | LaunchRef():
                return ()
            case Paren(inner=inner):
                return self.of(inner)
            case Code(parts=(only,)) if not isinstance(only, str):
                return self.of(only)
            case Member() | Index() if is_of_a_value(expr):
                is_constant = not is_real(value_type(expr)) or not self._names_active(expr)
                return () if is_constant else self.of(number_of_a_value(expr))
            case VarRef() | Index() | Member() | Unary(op="*"):
                return (Leaf(expr),) if self._is_active_number(expr) else ()
            case Unary(op="-", operand=operand):
                return _negated(self.of(operand))
            case Unary(op="+", operand=operand):
                return self.of(operand)
            case Unary(op="!"):
                return ()
            case Binary():
                return self._binary(expr)
            case Conditional(condition=condition, if_true=if_true, if_false=if_false):
                return _choice(condition, self.of(if_true), self.of(if_false))
            case Cast(operand=operand, type=ctype):
                if is_real(ctype):
                    return self.of(operand)
                self._refuse_views(expr)
                return ()
            case Call():
                return self._call(expr)
            case InitList(elements=(only,), type=ctype) if is_real(ctype):
                return self.of(only)
            case _:
                self._refuse_active(expr)
                return ()

    def _is_active_number(self, expr: Expr) -> bool:
        ctype = value_type(expr)
        if ctype.hides_reals and self.is_active(expr):
            raise _not_differentiable(expr)
        return is_real(ctype) and self.is_active(expr)

    def _binary(self, expr: Binary) -> Differential:
        left, right = expr.left, expr.right
        match expr.op:
            case "+":
                return self.of(left) + self.of(right)
            case "-":
                return self.of(left) + _negated(self.of(right))
            case "*":
                power = self._power(expr)
                power = self._power_and_root(expr) if power is None else power
                if power is not None:
                    return power
                return scaled("*", right, self.of(left)) + scaled("*", left, self.of(right))
            case "/":
                return scaled("/", right, self.of(left)) + self._by_divisor(expr)
            case op if op in _STEPPED:
                return ()
            case _:
                self._refuse_active(expr)
                return ()

    def _power(self, product: Binary) -> Differential | None:
        """The differential of `c * x * x`, a factor that comes several times and constants."""
        same: dict[Expr, Expr] = {}
        factors = [same.setdefault(_untyped(one), one) for one in _factors(product)]
        if len(factors) < 2:
            return None
        active = [one for one in factors if self.of(one)]
        if len(active) < 2 or any(one != active[0] for one in active[1:]):
            return None
        weight = _derived(factors, active[0], precision(product))
        return scaled("*", weight, self.of(active[0]))

    def _power_and_root(self, product: Binary) -> Differential | None:
        """The differential of `c * x * sqrt(x)`, `1.5 * c * sqrt(x)`: it needs no quotient, and it
        is 0 at 0, not a number that is none."""
        factors = _factors(product)
        roots = [(one, below) for one in factors if (below := self._below_root(one)) is not None]
        if len(roots) != 1:
            return None
        ((root, below),) = roots
        base = _untyped(below)
        powers = [one for one in factors if one is not root and _untyped(one) == base]
        others = [one for one in factors if one is not root and _untyped(one) != base]
        if not powers or any(self.of(one) for one in others) or not self.of(powers[0]):
            return None
        ctype = precision(product)
        kept = [*others, *powers[1:], root]
        weight = _times(len(powers) + 0.5, kept, ctype)
        return scaled("*", weight, self.of(powers[0]))

    def _below_root(self, factor: Expr) -> Expr | None:
        """What a factor is the square root of."""
        match strip_parens(factor):
            case VarRef(symbol=symbol):
                return self.roots.get(symbol)
            case Call(arguments=(argument,)) as call if is_root(call, self.functions):
                return argument
            case _:
                return None

    def _by_divisor(self, expr: Binary) -> Differential:
        inner = self.of(expr.right)
        if not inner:
            return ()
        quotient = self.named.get(id(expr), expr)
        return _negated(scaled("/", expr.right, scaled("*", quotient, inner)))

    def _call(self, call: Call) -> Differential:
        arguments = call.arguments
        if call.name in READING_FUNCTIONS and len(arguments) == 1:
            return self.of(_loaded(arguments[0], call))
        if call.name in _CONVERSIONS:
            return ()
        if call.name in _NARROWED:
            return self.of(arguments[0])
        if call in self.results:
            return (Leaf(VarRef(self.results[call])),)
        rule = rule_for(call, self.functions)
        if rule is None and self._decides(call):
            return ()
        if rule is None:
            self._refuse_active(call)
            return ()
        inner = [self.of(argument) for argument in arguments]
        if not any(inner):
            return ()
        return self._by_rule(call, rule, inner)

    def _by_rule(self, call: Call, rule: Rule, inner: list[Differential]) -> Differential:
        ctype = precision(call)
        operands = dict(zip(NAMES_OF_ARGUMENTS, map(strip_parens, call.arguments), strict=False))
        operands["r"] = self.named.get(id(call), call)
        parts: Differential = ()
        for partial, below in zip(rule.partials, inner, strict=True):
            if not below or partial == "0":
                continue
            chosen = choice_of(partial, operands, ctype)
            if chosen is not None:
                condition, factors = chosen
                branches = [self._weighted(factor, below) for factor in factors]
                parts += _choice(condition, branches[0], branches[1])
            else:
                parts += self._weighted(instantiate(partial, operands, ctype), below)
        return _merged_choices(parts)

    def _weighted(self, weight: Expr, inner: Differential) -> Differential:
        match strip_parens(weight):
            case Literal(text="0.0" | "0.0f"):
                return ()
            case Literal(text="1.0" | "1.0f"):
                return inner
            case Literal(text="-1.0" | "-1.0f"):
                return _negated(inner)
            case Unary(op="-", operand=operand):
                return _negated(scaled("*", operand, inner))
            case Binary(op="/", left=Literal(text="1.0" | "1.0f"), right=right):
                return scaled("/", right, inner)
            case other:
                return scaled("*", other, inner)

    def _decides(self, call: Call) -> bool:
        """Does it call a function whose value is constant wherever it is smooth?"""
        function = self.functions.body(call.key) if call.key and "|" not in call.key else None
        return function is not None and only_decides(function, self.functions)

    # -- what cannot be -------------------------------------------------------------------------

    def _refuse_active(self, expr: Expr) -> None:
        """Refuse an expression that is not understood and that something active goes into."""
        if self._names_active(expr):
            raise _not_differentiable(expr)

    def _names_active(self, expr: Expr) -> bool:
        return any(
            isinstance(node, (VarRef, Index, Member, Unary))
            and self.is_active(node)
            and not _is_number_of_integers(node)
            for node in walk(expr)
        )

    def _refuse_views(self, expr: Cast) -> None:
        """A conversion to an integer is constant where it is smooth; one of a pointer, or to a
        class, is not."""
        if not expr.type.is_arithmetic:
            self._refuse_active(expr.operand)


def _is_number_of_integers(expr: Expr) -> bool:
    kind = value_type(expr).kind
    return kind in (TypeKind.INTEGER, TypeKind.BOOL)


def _not_differentiable(expr: Expr) -> Refusal:
    match expr:
        case Call(name=name):
            what = f"call of '{name}'"
        case Assign():
            what = "assignment inside an expression"
        case Unary(op="++" | "--"):
            what = "increment inside an expression"
        case Verbatim():
            what = "construct that g2o does not understand"
        case InitList():
            what = "list of values"
        case Remote():
            what = "value of another thread"
        case Binary(op=op):
            what = f"operator '{op}'"
        case _:
            what = "expression"
    return refuse("G2O0403", f"{what} on values that carry derivatives", expr.span)


def _loaded(argument: Expr, call: Call) -> Expr:
    match strip_parens(argument):
        case Unary(op="&", operand=operand):
            return operand
        case other:
            return Unary("*", other, type=call.type)


def _factors(product: Expr) -> list[Expr]:
    """Products of integers, which may wrap around, are one factor."""
    match product:
        case Binary(op="*", left=left, right=right) if is_real(value_type(product)):
            return [*_factors(left), right]
        case Paren(inner=Binary(op="*") as inner):
            return _factors(inner)
        case _:
            return [product]


def _untyped(place: Expr) -> Expr:
    """The place however it is known: a member of what is constant for a method is the same."""
    match place:
        case Paren(inner=inner):
            return _untyped(inner)
        case Index(base=base) | Member(base=base):
            return replace(place, base=_untyped(base), type=UNKNOWN)
        case _:
            return place


def _derived(factors: list[Expr], base: Expr, ctype: CType) -> Expr:
    """`3.0 * c * x * x` for `c * x * x * x`, with what is known of the numbers computed."""
    number = float(factors.count(base))
    others = list(factors)
    others.remove(base)
    return _times(number, others, ctype)


def _times(number: float, others: list[Expr], ctype: CType) -> Expr:
    """The product, with a literal in front taken into the number."""
    match others[0]:
        case Literal(text=text) if _NUMBER.fullmatch(text):
            number *= float(text.rstrip("fF"))
            others = others[1:]
        case _:
            pass
    if number != 1.0:
        others = [constant(number, ctype), *others]
    weight = others[0]
    for other in others[1:]:
        weight = Binary("*", weight, other, ctype)
    return weight


def scaled(op: str, weight: Expr, inner: Differential) -> Differential:
    """What is not chosen is 0 whatever the weight is: that of `sqrt(fmax(x, 0.0))` is infinite."""
    match inner:
        case ():
            return ()
        case (Choice(condition=condition, if_true=chosen, if_false=()),):
            return _choice(condition, scaled(op, weight, chosen), ())
        case (Choice(condition=condition, if_true=(), if_false=chosen),):
            return _choice(condition, (), scaled(op, weight, chosen))
        case _:
            return (Scaled(op, weight, inner),)


def _negated(inner: Differential) -> Differential:
    match inner:
        case ():
            return ()
        case (Negated(inner=below),):
            return below
        case _:
            return (Negated(inner),)


def _choice(condition: Expr, if_true: Differential, if_false: Differential) -> Differential:
    return (Choice(condition, if_true, if_false),) if if_true or if_false else ()


def _merged_choices(parts: Differential) -> Differential:
    """`fmax(x, y)` chooses once, not once for each argument."""
    match parts:
        case (Choice(condition=one) as first, Choice(condition=other) as second) if one == other:
            return _choice(one, first.if_true + second.if_true, first.if_false + second.if_false)
        case _:
            return parts


def leaves(differential: Differential) -> list[Expr]:
    """The lvalues whose differentials take part, in order and each once."""
    found: list[Expr] = []

    def collect(parts: Differential) -> None:
        for part in parts:
            match part:
                case Leaf(target=target):
                    if target not in found:
                        found.append(target)
                case Scaled(inner=inner) | Negated(inner=inner):
                    collect(inner)
                case Choice(if_true=if_true, if_false=if_false):
                    collect(if_true)
                    collect(if_false)

    collect(differential)
    return found


def uses(differential: Differential) -> int:
    """How often the seed is handed to an lvalue."""
    count = 0
    for part in differential:
        match part:
            case Leaf():
                count += 1
            case Scaled(inner=inner) | Negated(inner=inner):
                count += uses(inner)
            case Choice(if_true=if_true, if_false=if_false):
                count += max(uses(if_true), uses(if_false))
    return count


def is_single(differential: Differential) -> bool:
    """Does the seed go down one way only?"""
    match differential:
        case (Leaf(),):
            return True
        case (Scaled(inner=inner) | Negated(inner=inner),):
            return is_single(inner)
        case _:
            return False
