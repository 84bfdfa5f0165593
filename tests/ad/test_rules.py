"""Every row of the table of derivatives against finite differences."""

from __future__ import annotations

import ctypes
import ctypes.util
import math
from collections.abc import Callable, Mapping
from typing import Final, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2o.ad.rules import RULES, rule_of
from g2o.ad.templates import instantiate, names_in
from g2o.ir.expressions import Binary, Call, Conditional, Expr, Literal, Paren, Unary, VarRef
from g2o.ir.symbols import Storage, SymbolTable
from g2o.ir.types import CType, TypeKind

DOUBLE: Final = CType("double", TypeKind.FLOATING, 64)
FLOAT: Final = CType("float", TypeKind.FLOATING, 32)
_NAMES: Final = "xyzu"
_LIBRARY: Final = ctypes.CDLL(ctypes.util.find_library("m"))

Function = Callable[..., float]


def _inverted(function: Callable[[float], float], low: float, high: float) -> Function:
    """The inverse of an increasing function, by bisection."""

    def inverse(value: float) -> float:
        below, above = low, high
        for _ in range(200):
            middle = (below + above) / 2
            below, above = (middle, above) if function(middle) < value else (below, middle)
        return (below + above) / 2

    return inverse


def _normal(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2))


def _one(function: Callable[[float], float]) -> Function:
    return function


def _two(function: Callable[[float, float], float]) -> Function:
    return function


def _three(function: Callable[[float, float, float], float]) -> Function:
    return function


def _of_math(name: str) -> Function:
    return cast(Function, getattr(math, name))


def _of_library(name: str, *before: type[ctypes.c_int]) -> Function:
    """A function of the C library, with integers in front of its argument."""
    function = _LIBRARY[name]
    function.restype = ctypes.c_double
    function.argtypes = [*before, ctypes.c_double]

    def call(*arguments: float) -> float:
        *orders, x = arguments
        return cast(float, function(*map(int, orders), x))

    return call


def _modified_bessel(order: int) -> Function:
    """The mean of exp(x cos t) cos(n t), by the trapezoid rule."""

    def mean(x: float) -> float:
        angles = [2 * math.pi * k / 64 for k in range(64)]
        return sum(math.exp(x * math.cos(t)) * math.cos(order * t) for t in angles) / 64

    return mean


def _digamma(x: float) -> float:
    """From lgamma, by Richardson's extrapolation of differences."""
    steps = [(math.lgamma(x + h) - math.lgamma(x - h)) / (2 * h) for h in (1e-3, 2e-3)]
    return (4 * steps[0] - steps[1]) / 3


_erfinv = _inverted(math.erf, -6, 6)

FUNCTIONS: Final[Mapping[str, Function]] = {
    **{name: _of_math(name) for name in RULES if hasattr(math, name)},
    "rsqrt": _one(lambda x: 1 / math.sqrt(x)),
    "rcbrt": _one(lambda x: 1 / math.cbrt(x)),
    "rhypot": _two(lambda x, y: 1 / math.hypot(x, y)),
    "norm3d": _three(lambda x, y, z: math.hypot(x, y, z)),
    "rnorm3d": _three(lambda x, y, z: 1 / math.hypot(x, y, z)),
    "exp10": _one(lambda x: 10.0**x),
    "sinpi": _one(lambda x: math.sin(math.pi * x)),
    "cospi": _one(lambda x: math.cos(math.pi * x)),
    "tanpi": _one(lambda x: math.tan(math.pi * x)),
    "erfinv": _erfinv,
    "erfcinv": _one(lambda x: _erfinv(1 - x)),
    "normcdf": _normal,
    "normcdfinv": _inverted(_normal, -8, 8),
    "norm4d": lambda *one: math.hypot(*one),
    "rnorm4d": lambda *one: 1 / math.hypot(*one),
    "erfcx": _one(lambda x: math.exp(x * x) * math.erfc(x)),
    "lgamma": _one(math.lgamma),
    "tgamma": _one(math.gamma),
    "digamma": _digamma,
    **{name: _of_library(name) for name in ("j0", "j1", "y0", "y1")},
    **{name: _of_library(name, ctypes.c_int) for name in ("jn", "yn")},
    "cyl_bessel_i0": _modified_bessel(0),
    "cyl_bessel_i1": _modified_bessel(1),
    "scalbln": _two(lambda x, y: x * 2.0 ** int(y)),
    "nextafter": _two(lambda x, y: x),
    "fma": _three(lambda x, y, z: x * y + z),
    "fdividef": _two(lambda x, y: x / y),
    "add_rn": _two(lambda x, y: x + y),
    "sub_rn": _two(lambda x, y: x - y),
    "mul_rn": _two(lambda x, y: x * y),
    "div_rn": _two(lambda x, y: x / y),
    "rcp_rn": _one(lambda x: 1 / x),
    "saturatef": _one(lambda x: min(max(x, 0.0), 1.0)),
    "ldexp": _two(lambda x, y: x * 2.0 ** int(y)),
    "scalbn": _two(lambda x, y: x * 2.0 ** int(y)),
    "remainder": math.remainder,
    "fmin": _two(lambda x, y: min(x, y)),
    "fmax": _two(lambda x, y: max(x, y)),
    "clamp": _three(lambda x, y, z: y if x < y else z if z < x else x),
    "fdim": _two(lambda x, y: max(x - y, 0.0)),
    "round": _one(lambda x: math.floor(x + 0.5)),
    "rint": _one(lambda x: float(round(x))),
    "nearbyint": _one(lambda x: float(round(x))),
}

_POSITIVE: Final = frozenset(
    {
        "sqrt",
        "rsqrt",
        "pow",
        "log",
        "log2",
        "log10",
        "cbrt",
        "rcbrt",
        "lgamma",
        "tgamma",
        "y0",
        "y1",
    }
)
_UNIT: Final = frozenset({"asin", "acos", "atanh", "erfinv"})
_ZERO_TO_ONE: Final = frozenset({"normcdfinv"})
_WHOLE_SECOND: Final = frozenset({"ldexp", "scalbn", "scalbln"})
_WHOLE_FIRST: Final = frozenset({"jn", "yn"})


def _arguments(name: str, drawn: list[float]) -> list[float]:
    """Numbers from (0.1, 0.9) moved to where the function is smooth."""
    if name in _UNIT:
        return [2 * value - 1 for value in drawn]
    if name in _ZERO_TO_ONE or name == "saturatef":
        return drawn
    if name == "erfcinv":
        return [2 * value for value in drawn]
    if name == "acosh":
        return [1.2 + 3 * value for value in drawn]
    if name in _WHOLE_SECOND:
        return [drawn[0], float(int(6 * drawn[1]))]
    if name in _WHOLE_FIRST:
        return [float(int(6 * drawn[0])), 3 * drawn[1]]
    if name in _POSITIVE or name == "log1p":
        return [3 * value for value in drawn]
    return [4 * value - 1.7 for value in drawn]


def _is_near_kink(name: str, values: list[float]) -> bool:
    """Steps and kinks that a finite difference would straddle."""
    near = 0.01
    match name:
        case "fmin" | "fmax" | "fdim":
            return abs(values[0] - values[1]) < near
        case "clamp":
            return any(abs(values[0] - limit) < near for limit in values[1:3])
        case "fabs" | "copysign":
            return any(abs(value) < near for value in values)
        case "floor" | "ceil" | "trunc" | "round" | "rint" | "nearbyint":
            return abs(2 * values[0] - round(2 * values[0])) < near
        case "fmod" | "remainder":
            quotient = 2 * values[0] / values[1] if abs(values[1]) > 0.2 else 0.0
            return abs(quotient - round(quotient)) < near
        case "tan":
            return abs(math.cos(values[0])) < 0.1
        case "tanpi":
            return abs(math.cos(math.pi * values[0])) < 0.1
        case "hypot" | "rhypot" | "norm3d" | "rnorm3d" | "norm4d" | "rnorm4d" | "atan2":
            return math.hypot(*values) < 0.2
        case "fdividef":
            return abs(values[1]) < 0.2
        case _:
            return False


def _evaluate(expr: Expr, values: Mapping[str, float]) -> float:
    match expr:
        case Literal(text=text):
            return float(text.removesuffix("f"))
        case VarRef(symbol=symbol):
            return values[symbol.name]
        case Paren(inner=inner):
            return _evaluate(inner, values)
        case Unary(op="-", operand=operand):
            return -_evaluate(operand, values)
        case Binary(op=op, left=left, right=right):
            return _binary(op, _evaluate(left, values), lambda: _evaluate(right, values))
        case Conditional(condition=condition, if_true=one, if_false=other):
            return _evaluate(one if _evaluate(condition, values) else other, values)
        case Call(name=name, arguments=arguments):
            function = FUNCTIONS[name]
            return function(*(_evaluate(argument, values) for argument in arguments))
        case _:
            raise AssertionError(expr)


def _binary(op: str, left: float, right: Callable[[], float]) -> float:
    match op:
        case "+":
            return left + right()
        case "-":
            return left - right()
        case "*":
            return left * right()
        case "/":
            return left / right()
        case "&&":
            return float(bool(left) and bool(right()))
        case "||":
            return float(bool(left) or bool(right()))
        case _:
            return float(_COMPARISONS[op](left, right()))


_COMPARISONS: Final[Mapping[str, Callable[[float, float], bool]]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


def _operands(ctype: CType) -> dict[str, Expr]:
    table = SymbolTable()
    return {name: VarRef(table.declare(name, ctype, Storage.LOCAL)) for name in "xyzur"}


@pytest.mark.parametrize("name", sorted(RULES))
@settings(max_examples=40, deadline=None)
@given(drawn=st.lists(st.floats(0.1, 0.9), min_size=4, max_size=4))
def test_partials_are_finite_differences(name: str, drawn: list[float]) -> None:
    rule, function = RULES[name], FUNCTIONS[name]
    arguments = _arguments(name, drawn[: len(rule.partials)])
    if _is_near_kink(name, arguments):
        return
    result = function(*arguments)
    values = {**dict(zip(_NAMES, arguments, strict=False)), "r": result}
    for position, partial in enumerate(rule.partials):
        if (name in _WHOLE_SECOND and position == 1) or (name in _WHOLE_FIRST and position == 0):
            continue
        step = 1e-6 * max(1.0, abs(arguments[position]))
        ahead, behind = list(arguments), list(arguments)
        ahead[position] += step
        behind[position] -= step
        expected = (function(*ahead) - function(*behind)) / (2 * step)
        found = _evaluate(instantiate(partial, _operands(DOUBLE), DOUBLE), values)
        assert found == pytest.approx(expected, rel=2e-5, abs=2e-6), partial


@pytest.mark.parametrize("name", sorted(RULES))
def test_templates_name_arguments_only(name: str) -> None:
    rule = RULES[name]
    for partial in rule.partials:
        assert names_in(partial) <= {*_NAMES[: len(rule.partials)], "r"}


def test_spellings_share_rules() -> None:
    assert rule_of("sinf") is rule_of("sin") is rule_of("__sinf") is RULES["sin"]
    assert rule_of("__fdividef") is RULES["fdividef"]
    assert rule_of("erff") is RULES["erf"]
    assert rule_of("__fmul_rz") is RULES["mul_rn"]
    assert rule_of("norm") is None


def test_floats_use_float_functions() -> None:
    built = instantiate("0.5 * cos(x)", _operands(FLOAT), FLOAT)
    assert isinstance(built, Binary)
    assert isinstance(built.left, Literal)
    assert isinstance(built.right, Call)
    assert (built.left.text, built.right.name) == ("0.5f", "cosf")
