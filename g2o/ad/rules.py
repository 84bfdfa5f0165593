"""The derivative of every function that g2o differentiates: one table.

A rule gives the partial derivatives of `r = f(x, y, z, ...)` with respect to x, y, z in turn, in
terms of these names. `a if c else b` chooses. Constants and functions are those of double
precision; for floats `templates.py` writes their float forms.

Where a function is not differentiable, a rule takes the subgradient that is stated beside it.
Sources: Abramowitz and Stegun, "Handbook of Mathematical Functions", chapters 4 and 7; Griewank and
Walther, "Evaluating Derivatives", 2nd edition, table 2.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from g2o.analysis.functions import FunctionTable
from g2o.analysis.pure_functions import is_standard
from g2o.ir.expressions import Call


@final
@dataclass(frozen=True, slots=True)
class Rule:
    """Partial derivatives, one for each argument; "0" where the value does not depend on it.

    `note` states the subgradient, or the domain that is left out.
    """

    partials: tuple[str, ...]
    note: str = ""


RULES: Final[dict[str, Rule]] = {
    # Roots and powers.
    "sqrt": Rule(("0.5 / r",), "infinite at 0, as the derivative is"),
    "rsqrt": Rule(("-0.5 * r * r * r",)),
    "cbrt": Rule(("r / (3.0 * x)",), "infinite at 0"),
    "rcbrt": Rule(("-r / (3.0 * x)",)),
    "hypot": Rule(("x / r if r > 0.0 else 0.0", "y / r if r > 0.0 else 0.0"), "0 at the origin"),
    "rhypot": Rule(("-x * r * r * r", "-y * r * r * r")),
    "norm3d": Rule(
        (
            "x / r if r > 0.0 else 0.0",
            "y / r if r > 0.0 else 0.0",
            "z / r if r > 0.0 else 0.0",
        ),
        "0 at the origin",
    ),
    "rnorm3d": Rule(("-x * r * r * r", "-y * r * r * r", "-z * r * r * r")),
    "norm4d": Rule(
        (
            "x / r if r > 0.0 else 0.0",
            "y / r if r > 0.0 else 0.0",
            "z / r if r > 0.0 else 0.0",
            "u / r if r > 0.0 else 0.0",
        ),
        "0 at the origin",
    ),
    "rnorm4d": Rule(("-x * r * r * r", "-y * r * r * r", "-z * r * r * r", "-u * r * r * r")),
    "pow": Rule(
        ("y * pow(x, y - 1.0) if y != 0.0 else 0.0", "r * log(x) if x > 0.0 else 0.0"),
        "with respect to the exponent 0 for bases that are not positive",
    ),
    # Exponentials and logarithms.
    "exp": Rule(("r",)),
    "exp2": Rule(("0.6931471805599453 * r",)),
    "exp10": Rule(("2.302585092994046 * r",)),
    "expm1": Rule(("r + 1.0",)),
    "log": Rule(("1.0 / x",)),
    "log2": Rule(("1.4426950408889634 / x",)),
    "log10": Rule(("0.4342944819032518 / x",)),
    "log1p": Rule(("1.0 / (1.0 + x)",)),
    # Trigonometric and hyperbolic functions.
    "sin": Rule(("cos(x)",)),
    "cos": Rule(("-sin(x)",)),
    "tan": Rule(("1.0 + r * r",)),
    "sinpi": Rule(("3.141592653589793 * cospi(x)",)),
    "cospi": Rule(("-3.141592653589793 * sinpi(x)",)),
    "tanpi": Rule(("3.141592653589793 * (1.0 + r * r)",)),
    "asin": Rule(("1.0 / sqrt(1.0 - x * x)",)),
    "acos": Rule(("-1.0 / sqrt(1.0 - x * x)",)),
    "atan": Rule(("1.0 / (1.0 + x * x)",)),
    "atan2": Rule(("y / (x * x + y * y)", "-x / (x * x + y * y)")),
    "sinh": Rule(("cosh(x)",)),
    "cosh": Rule(("sinh(x)",)),
    "tanh": Rule(("1.0 - r * r",)),
    "asinh": Rule(("1.0 / sqrt(x * x + 1.0)",)),
    "acosh": Rule(("1.0 / sqrt(x * x - 1.0)",)),
    "atanh": Rule(("1.0 / (1.0 - x * x)",)),
    # Error functions and the normal distribution.
    "erf": Rule(("1.1283791670955126 * exp(-x * x)",)),
    "erfc": Rule(("-1.1283791670955126 * exp(-x * x)",)),
    "erfinv": Rule(("0.886226925452758 * exp(r * r)",)),
    "erfcinv": Rule(("-0.886226925452758 * exp(r * r)",)),
    "normcdf": Rule(("0.3989422804014327 * exp(-0.5 * x * x)",)),
    "normcdfinv": Rule(("2.5066282746310002 * exp(0.5 * r * r)",)),
    "erfcx": Rule(("2.0 * x * r - 1.1283791670955126",)),
    # Gamma and Bessel functions. Those of integer order n have derivatives between their neighbours
    # (Abramowitz and Stegun, 9.1.27 and 9.6.26).
    "lgamma": Rule(("digamma(x)",), "not a number at its poles"),
    "tgamma": Rule(("r * digamma(x)",), "not a number at its poles"),
    "j0": Rule(("-j1(x)",)),
    "j1": Rule(("0.5 * (j0(x) - jn(2, x))",)),
    "jn": Rule(("0", "0.5 * (jn(x - 1, y) - jn(x + 1, y))"), "0 in the order"),
    "y0": Rule(("-y1(x)",)),
    "y1": Rule(("0.5 * (y0(x) - yn(2, x))",)),
    "yn": Rule(("0", "0.5 * (yn(x - 1, y) - yn(x + 1, y))"), "0 in the order"),
    "cyl_bessel_i0": Rule(("cyl_bessel_i1(x)",)),
    "cyl_bessel_i1": Rule(("cyl_bessel_i0(x) - r / x if x != 0.0 else 0.5",)),
    # Arithmetic under a name.
    "fma": Rule(("y", "x", "1.0")),
    "fdividef": Rule(("1.0 / y", "-r / y")),
    "add_rn": Rule(("1.0", "1.0")),
    "sub_rn": Rule(("1.0", "-1.0")),
    "mul_rn": Rule(("y", "x")),
    "div_rn": Rule(("1.0 / y", "-r / y")),
    "rcp_rn": Rule(("-r * r",)),
    "saturatef": Rule(("1.0 if x > 0.0 and x < 1.0 else 0.0",), "0 at both ends"),
    "ldexp": Rule(("ldexp(1.0, y)", "0")),
    "scalbn": Rule(("ldexp(1.0, y)", "0")),
    "scalbln": Rule(("scalbln(1.0, y)", "0")),
    "nextafter": Rule(("1.0", "0"), "as if the step were constant"),
    "fmod": Rule(("1.0", "-trunc(x / y)"), "as if the quotient's whole part were constant"),
    "remainder": Rule(("1.0", "-rint(x / y)"), "as if the rounded quotient were constant"),
    # Choices. Of equal values the first is taken; of NaN and a number, the number.
    "fmin": Rule(
        ("1.0 if x <= y or y != y else 0.0", "0.0 if x <= y or y != y else 1.0"),
        "the first of equal arguments",
    ),
    "clamp": Rule(
        (
            "0.0 if x < y or z < x else 1.0",
            "1.0 if x < y else 0.0",
            "1.0 if z < x and x >= y else 0.0",
        ),
        "that of the value at both limits",
    ),
    "fmax": Rule(
        ("1.0 if x >= y or y != y else 0.0", "0.0 if x >= y or y != y else 1.0"),
        "the first of equal arguments",
    ),
    "fdim": Rule(("1.0 if x > y else 0.0", "-1.0 if x > y else 0.0"), "0 at x = y"),
    "fabs": Rule(("1.0 if x > 0.0 else (-1.0 if x < 0.0 else 0.0)",), "0 at 0"),
    "copysign": Rule(("copysign(1.0, x) * copysign(1.0, y)", "0"), "0 in y"),
    # Steps.
    "floor": Rule(("0",), "0, also at the steps"),
    "ceil": Rule(("0",), "0, also at the steps"),
    "trunc": Rule(("0",), "0, also at the steps"),
    "round": Rule(("0",), "0, also at the steps"),
    "rint": Rule(("0",), "0, also at the steps"),
    "nearbyint": Rule(("0",), "0, also at the steps"),
}

_ROUNDED: Final[dict[str, str]] = {
    "fsqrt": "sqrt",
    "dsqrt": "sqrt",
    "fmaf": "fma",
    "fma": "fma",
    "fadd": "add_rn",
    "dadd": "add_rn",
    "fsub": "sub_rn",
    "dsub": "sub_rn",
    "fmul": "mul_rn",
    "dmul": "mul_rn",
    "fdiv": "div_rn",
    "ddiv": "div_rn",
    "frcp": "rcp_rn",
    "drcp": "rcp_rn",
}
"""Arithmetic with a stated rounding, whose derivative is that of the exact one."""

_SPELLINGS: Final[dict[str, str]] = {
    "__expf": "exp",
    "__exp10f": "exp10",
    "__logf": "log",
    "__log2f": "log2",
    "__log10f": "log10",
    "__powf": "pow",
    "__sinf": "sin",
    "__cosf": "cos",
    "__tanf": "tan",
    "__tanhf": "tanh",
    "__fdividef": "fdividef",
    "fdividef": "fdividef",
    "__saturatef": "saturatef",
    "fdivide": "fdividef",
    "__frsqrt_rn": "rsqrt",
    **{
        f"__{spelled}_{rounding}": base
        for spelled, base in _ROUNDED.items()
        for rounding in ("rn", "rz", "ru", "rd")
    },
    "abs": "fabs",
    "min": "fmin",
    "max": "fmax",
}
"""CUDA's other names of functions in the table."""


def rule_for(call: Call, functions: FunctionTable) -> Rule | None:
    """The rule of the function that is called; None for those of the program, whatever their
    name."""
    if any(functions.body(key) is not None for key in call.key.split("|")):
        return None
    rule = rule_of(call.name)
    if rule is RULES["clamp"] and not is_standard(call):
        return None
    return rule if rule is not None and len(rule.partials) == len(call.arguments) else None


def is_root(call: Call, functions: FunctionTable) -> bool:
    """Is it a square root, of whatever precision?"""
    return rule_for(call, functions) is RULES["sqrt"]


def rule_of(name: str) -> Rule | None:
    """The rule of a function as the source spells it: `sinf`, `sin` and `__sinf` share one."""
    base = _SPELLINGS.get(name, name)
    if base in RULES:
        return RULES[base]
    return RULES.get(base.removesuffix("f"))
