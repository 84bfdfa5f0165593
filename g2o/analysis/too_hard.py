"""Tells where the bound on the work of the analysis has made its answers conservative."""

from __future__ import annotations

from g2o.diagnostics.diagnostic import Diagnostic, Outcome, remark
from g2o.diagnostics.source import SourceSpan
from g2o.polyhedral.solver import Solver

_HELP = (
    "facts that narrow them help: a constant block size, '__launch_bounds__', an 'assert' on the "
    "parameters"
)


def too_hard(
    name: str, span: SourceSpan, solver: Solver, for_races: Solver
) -> tuple[Diagnostic, ...]:
    """A remark for each of the two that has left questions about the kernel open; `span` is that of
    the kernel's name."""
    told: list[Diagnostic] = []
    for asked, consequence in (
        (solver, "barriers, loads and stores may have been kept without need"),
        (for_races, "races may be reported as possible that cannot happen"),
    ):
        if asked.undecided:
            text = (
                f"{asked.undecided} of {asked.questions} questions about '{name}' were "
                f"too hard, so threads count as meeting there: {consequence}; {_HELP}"
            )
            told.append(remark(Outcome.ANALYSIS, "G2O0317", text, span))
    return tuple(told)
