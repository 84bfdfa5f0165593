"""What `g2o verify` says of two runs that were compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, assert_never

from g2o.diagnostics.diagnostic import Diagnostic, Note, Severity
from g2o.verify.compare import Agreement, Disagreement, OracleFailed, Verdict

_CODE_DIFFERS: Final = "G2O0601"
_CODE_EMULATION: Final = "G2O0602"
_CODE_NOTHING: Final = "G2O0605"
_CODE_ORDER: Final = "G2O0609"


def order_of_threads(found: Disagreement, name: str) -> Diagnostic:
    """A warning that threads in another order give another result."""
    where = "" if found.line is None else f"line {found.line} of the output: "
    message = f"the result depends on the order of the threads: {where}{found.reason}"
    return Diagnostic(Severity.WARNING, _CODE_ORDER, message, path=name)


def is_unsettled(verdict: Disagreement, unsettled: Disagreement | None) -> bool:
    """Does a translation differ only from where on the source's own result is open, too?"""
    if unsettled is None or verdict.line is None or unsettled.line is None:
        return False
    return verdict.line >= unsettled.line


def not_settled(verdict: Disagreement, threads: int, name: str) -> Diagnostic:
    """An error that nobody can tell whether the translation is right."""
    where = f"with {threads} threads: line {verdict.line} of the output: {verdict.reason}"
    note = Note("the source's own result depends on the order of its threads there")
    return Diagnostic(Severity.ERROR, _CODE_ORDER, where, None, (note,), name)


def faults_of(verdict: Verdict, threads: int, name: str) -> Iterator[Diagnostic]:
    """What is wrong with a run of a translation."""
    match verdict:
        case Agreement(lines=0):
            message = "the program printed nothing; only its exit code was compared"
            yield Diagnostic(Severity.WARNING, _CODE_NOTHING, message, path=name)
        case Agreement():
            return
        case Disagreement(reason, line):
            where = "" if line is None else f"line {line} of the output: "
            message = f"with {threads} threads: {where}{reason}"
            yield Diagnostic(Severity.ERROR, _CODE_DIFFERS, message, path=name)
        case OracleFailed(reason):
            yield Diagnostic(Severity.ERROR, _CODE_EMULATION, reason, path=name)
        case _:
            assert_never(verdict)


def word_of(verdict: Verdict) -> str:
    """What the table has for a run of a translation."""
    match verdict:
        case Agreement(lines, numbers):
            return f"agrees: {lines} lines, {numbers} numbers"
        case Disagreement():
            return "differs"
        case OracleFailed():
            return "unknown"
        case _:
            assert_never(verdict)
