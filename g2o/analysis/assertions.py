"""What the source asserts of a kernel's values: a fact wherever control gets past it.

    assert(n % 32 == 0);      // ((bool)(n % 32 == 0) ? (void)0 : __assert_fail(...))

A program whose assertion fails ends there, or was promised by its author never to fail.
"""

from __future__ import annotations

from typing import Final

from g2o.ir.expressions import Call, Cast, Code, Conditional, Expr, Paren

FAILURES: Final = frozenset({"__assert_fail", "__assertfail", "__assert", "_wassert"})


def asserted(expr: Expr) -> Expr | None:
    """The condition of an `assert` that is a statement of its own; None for everything else."""
    match _bare(expr):
        case Conditional(condition=condition, if_false=failure):
            called = _bare(failure)
            return condition if isinstance(called, Call) and called.name in FAILURES else None
        case Call(name="assert", arguments=(condition,)):
            return condition
        case _:
            return None


def _bare(expr: Expr) -> Expr:
    while True:
        match expr:
            case Paren(inner=inner) | Cast(operand=inner):
                expr = inner
            case Code(parts=(inner,)) if not isinstance(inner, str):
                expr = inner
            case _:
                return expr
