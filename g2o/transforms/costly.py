"""Which calls are worth making once instead of once a thread.

Functions of mathematics that take many operations, and functions of the program that contain a loop
or call one of those. What a compiler moves by itself, as arithmetic is, stays where it is.
"""

from __future__ import annotations

from typing import Final, final

from g2o.analysis.effects import symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.analysis.pure_functions import PURE_FUNCTIONS
from g2o.ir.expressions import Binary, Call, Literal, strip_parens
from g2o.ir.statements import DoWhile, For, Node, While
from g2o.ir.traverse import walk
from g2o.ir.types import TypeKind

_DEPTH_LIMIT: Final = 32

_STEMS: Final = """
    sqrt cbrt rsqrt rcbrt exp exp2 exp10 expm1 log log2 log10 log1p pow sin cos tan asin acos atan
    atan2 sinh cosh tanh asinh acosh atanh erf erfc erfcx erfinv erfcinv tgamma lgamma fmod
    remainder hypot rhypot sinpi cospi tanpi normcdf normcdfinv
"""
MATHEMATICS: Final = PURE_FUNCTIONS & frozenset(
    name for stem in _STEMS.split() for name in (stem, f"{stem}f", f"__{stem}f")
)
"""Functions whose value depends on their arguments only, whatever these are. They set `errno`, for
which compilers leave them in loops."""


def is_costly_number(node: Node) -> bool:
    """Is it a function of mathematics, or a division of real numbers by what is no constant?"""
    match node:
        case Call(name=name):
            return name in MATHEMATICS
        case Binary(op="/", right=right):
            is_known = isinstance(strip_parens(right), Literal)
            return node.type.kind is TypeKind.FLOATING and not is_known
        case _:
            return False


@final
class Costly:
    """Asks the functions of a program once each."""

    def __init__(self, functions: FunctionTable) -> None:
        self.functions = functions
        self._known: dict[str, bool] = {}

    def is_costly(self, node: Node, depth: int = 0) -> bool:
        """Is this a call that is worth it?"""
        if not isinstance(node, Call):
            return False
        if self.is_mathematics(node):
            return True
        if not node.key or "|" in node.key or depth > _DEPTH_LIMIT:
            return False
        if node.key not in self._known:
            self._known[node.key] = False  # what calls itself only counts for what else it does
            body = self.functions.body(node.key)
            self._known[node.key] = body is not None and any(
                isinstance(inner, (For, While, DoWhile)) or self.is_costly(inner, depth + 1)
                for inner in walk(body.body)
            )
        return self._known[node.key]

    def is_mathematics(self, node: Node) -> bool:
        """Is this a call of a function of mathematics, not of one that the program calls so? Those
        of constants are computed by the compiler."""
        if not isinstance(node, Call) or node.name not in MATHEMATICS or not symbols_in(node):
            return False
        return not node.key.startswith("?") and all(
            self.functions.body(key) is None for key in node.key.split("|")
        )


def is_number(call: Call) -> bool:
    """Is the value a number, of a type that can be spelled?"""
    known = (TypeKind.INTEGER, TypeKind.FLOATING, TypeKind.BOOL)
    return call.type.kind in known and call.type.spelling not in ("", "auto")
