"""Where numbers end that all threads step by the same amounts.

    const float *end = p + k;                      std::ptrdiff_t offset = 0;
    do {                                           do {
        s[t] = *p;                        ->           s[t] = p[offset];
        p += 16;                                       offset += 16;
    } while (p < end);                             } while (offset < k);

Each thread compares numbers of its own, and all with the same result, as each began where its end
was counted from. Legal because pointers into one array, and numbers with a sign, do not wrap
around.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, final

from g2o.analysis.effects import EffectsOf, declared_in, symbols_in
from g2o.analysis.uniformity import Uniformity
from g2o.ir.expressions import Binary, Expr, Literal, VarRef, strip_parens
from g2o.ir.statements import Declare, Node, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.types import INT, TypeKind

_COMPARISONS: Final = frozenset({"<", "<=", ">", ">=", "==", "!="})
_MIRRORED: Final = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
_ZERO: Final = Literal("0", 0, INT)


@final
@dataclass(frozen=True, slots=True)
class Ends:
    """The ends by their variables: the number that each is counted from, and how far it is."""

    known: dict[Symbol, tuple[Symbol, Expr]]

    @staticmethod
    def of(
        body: tuple[Stmt, ...],
        starts: Collection[Symbol],
        stepped: Collection[Symbol],
        changing: Collection[Symbol],
        uniformity: Uniformity,
        effects: EffectsOf,
    ) -> Ends:
        """What is declared as one of the `starts` and a number that all threads have alike, before
        that is `stepped`. Nothing else is `changing` but in its steps."""
        known: dict[Symbol, tuple[Symbol, Expr]] = {}
        moved: set[Symbol] = set()
        for statement in body:
            match statement:
                case Declare(variables=(variable,)) if variable.initial is not None:
                    found = _counted_from(variable.initial)
                    symbol = variable.symbol
                    fixed = symbol not in changing and symbol not in stepped
                    if found is not None and fixed and found[0] in starts and found[0] not in moved:
                        named = symbols_in(found[1])
                        steady = not named & {*changing, *stepped} and effects.is_pure(found[1])
                        loads = effects.of(found[1]).memory_reads
                        alike = uniformity.is_uniform(found[1]) and _holds_signs(*found, symbol)
                        if steady and alike and not loads:
                            known[symbol] = found
                case _:
                    pass
            moved |= effects.of(statement).writes - declared_in(statement)
        return Ends(known)

    def compared(self, condition: Expr) -> tuple[str, Symbol, Expr] | None:
        """How far a number has come, in a comparison with its end: `op`, the number, the end."""
        match strip_parens(condition):
            case Binary(op=op, left=left, right=right) if op in _COMPARISONS:
                one, other = strip_parens(left), strip_parens(right)
            case _:
                return None
        if not (isinstance(one, VarRef) and isinstance(other, VarRef)):
            return None
        if one.symbol in self.known:
            one, other, op = other, one, _MIRRORED[op]
        start, far = self.known.get(other.symbol, (None, _ZERO))
        return (op, one.symbol, far) if start is one.symbol else None

    def assumed(self, node: Node) -> Expr | None:
        """Something that all threads have alike, for such a comparison."""
        is_known = isinstance(node, Binary) and self.compared(node) is not None
        return _ZERO if is_known else None


def _counted_from(initial: Expr) -> tuple[Symbol, Expr] | None:
    match strip_parens(initial):
        case VarRef(symbol=symbol):
            return symbol, _ZERO
        case Binary(op="+", left=VarRef(symbol=symbol), right=right):
            return symbol, right
        case _:
            return None


def _holds_signs(start: Symbol, far: Expr, end: Symbol) -> bool:
    """Are both pointers of one type, or numbers with a sign that hold the same?"""
    if far.type.kind is not TypeKind.INTEGER:
        return False
    if start.type.kind is TypeKind.POINTER:
        return end.type.kind is TypeKind.POINTER
    plain = start.type.kind is end.type.kind is TypeKind.INTEGER and far.type.is_signed
    return (
        plain and start.type.is_signed and end.type.is_signed and start.type.bits == end.type.bits
    )
