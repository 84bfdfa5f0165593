"""What glibc's `assert` is in GNU C.

    ((void)sizeof((n > 0) ? 1 : 0), __extension__({ if (n > 0) ; else __assert_fail(...); }))
->
    assert(n > 0)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from g2o.frontend.cuda.clang_api import Cursor
from g2o.ir.expressions import Call, Expr, Form, Literal
from g2o.ir.types import VOID

_FAILS: Final = "__assert_fail"
_NAME: Final = "assert"


def assertion(cursor: Cursor, build: Callable[[Cursor], Expr]) -> Call | None:
    """The assertion that a `,` is; None for others. It has no place yet."""
    checked = cursor.children[-1]
    for kind in ("UNARY_OPERATOR", "StmtExpr", "COMPOUND_STMT"):
        if checked.kind != kind or len(checked.children) != 1:
            return None
        (checked,) = checked.children
    if checked.kind != "IF_STMT" or len(checked.children) != 3:
        return None
    condition, passed, failed = checked.children
    if passed.kind != "NULL_STMT" or failed.kind != "CALL_EXPR" or failed.spelling != _FAILS:
        return None
    claimed = (build(condition),)
    return Call(_NAME, Literal(_NAME), claimed, type=VOID, form=Form.PRISTINE)


def is_assertion(expr: Expr) -> bool:
    """Is it one? It stands in parentheses, which belong to the macro."""
    return isinstance(expr, Call) and expr.name == _NAME
