"""Arrays that live as long as the launch of a kernel that synchronises its grid."""

from __future__ import annotations

from g2o.ir.expressions import Expr
from g2o.ir.statements import Text, Trivia
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.types import INT
from g2o.lowering.context import LoweringContext


def grid_array(
    context: LoweringContext,
    array: Symbol,
    element: str,
    count: Expr,
    trivia: Trivia | None = None,
    *,
    zeroed: bool = False,
) -> Text:
    """The declaration of `count` elements, which start at 0 if they are `zeroed`.

    The memory of a device has an owner on the host, and a pointer that kernels are given.
    """
    end = ", 0);" if zeroed else ");"
    around = Trivia() if trivia is None else trivia
    name = array.name
    if not context.device:
        start = f"g2o::grid_array<{element}> {name}("
        return Text((start, count, end), declares=(array,), trivia=around)
    owner = context.symbols.fresh(f"{name}_memory", INT, Storage.BLOCK).name
    declared = f"const g2o::grid_array<{element}> {owner}("
    parts = (declared, count, f"{end}\nauto *const {name} = {owner}.data();")
    return Text(parts, declares=(array,), trivia=around)
