"""What an adjoint keeps for its reverse sweep, in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import final

from g2o.analysis.effects import declared_in
from g2o.diagnostics.diagnostic import Diagnostic, Outcome, remark
from g2o.diagnostics.source import SourceSpan
from g2o.ir.statements import Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.types import CType


@final
@dataclass(frozen=True, slots=True)
class Kept:
    """A variable of a thread, or a tape, that holds what is gone in the reverse sweep. `changed`
    are the variables with other values by then; nothing for how often a loop runs."""

    symbol: Symbol
    ctype: CType
    is_tape: bool
    changed: tuple[Symbol, ...]
    span: SourceSpan | None

    @property
    def size(self) -> int:
        """Bytes of one value; 0 where that is not known."""
        return (self.ctype.bits + 7) // 8

    @property
    def reason(self) -> str:
        if not self.changed:
            return "it is only known when it has happened"
        different = dict.fromkeys(one.name for one in self.changed)
        names = " and ".join(f"'{name}'" for name in different)
        verb = "changes" if len(different) == 1 else "change"
        return f"{names} {verb} before the reverse sweep gets there"


def left_of(kept: Iterable[Kept], statements: Iterable[Stmt]) -> tuple[Kept, ...]:
    """What `statements` still keep."""
    declared = {symbol for statement in statements for symbol in declared_in(statement)}
    return tuple(one for one in kept if one.symbol in declared)


def remarks_on_kept(left: tuple[Kept, ...], name: str, span: SourceSpan) -> tuple[Diagnostic, ...]:
    """A remark for everything that is kept, and the sum of it all."""
    if not left:
        return ()
    found = [remark(Outcome.ANALYSIS, "G2O0405", _message(one), one.span) for one in left]
    variables = sum(one.size for one in left if not one.is_tape)
    tapes = sum(one.size for one in left if one.is_tape)
    parts = [f"{variables} bytes a thread in variables"] if variables else []
    parts += [f"{tapes} bytes an iteration on tapes"] if tapes else []
    if parts:
        message = f"the adjoint of '{name}' keeps {' and '.join(parts)}"
        found.append(remark(Outcome.ANALYSIS, "G2O0405", message, span))
    return tuple(found)


def _message(kept: Kept) -> str:
    plural = "" if kept.size == 1 else "s"
    size = f"{kept.size} byte{plural}" if kept.size else "a value"
    where = "an iteration on a tape" if kept.is_tape else "a thread"
    return f"'{kept.symbol.name}' keeps {size} {where}: {kept.reason}"
