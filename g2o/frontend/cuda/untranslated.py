"""Included files that should be translated as well but are not on the command line.

A translation that includes CUDA does not build; success must not be reported for it.
"""

from __future__ import annotations

import os
from pathlib import Path

from g2o.diagnostics.diagnostic import Diagnostic, error
from g2o.diagnostics.source import SourceSpan
from g2o.frontend.cuda.project import Project
from g2o.frontend.cuda.unit import SourceUnit, is_system_file


def untranslated_includes(unit: SourceUnit, project: Project) -> tuple[Diagnostic, ...]:
    """An error for each file that the main file includes, directly or not, and that cannot stay as
    it is, at the place that includes it."""
    by_source: dict[str, list[tuple[str, int]]] = {}
    for source, included, offset in unit.translation_unit.includes:
        by_source.setdefault(source, []).append((included, offset))
    faults: list[Diagnostic] = []
    seen = {unit.main_path}
    pending = [unit.main_path]
    while pending:
        source = pending.pop(0)
        for included, offset in by_source.get(source, ()):
            path = Path(included)
            if included in seen or is_system_file(included) or project.is_input(path):
                continue
            seen.add(included)
            reason = project.why_translate(path)
            if reason is not None:
                faults.append(_fault(unit, source, offset, f"'{os.path.relpath(path)}' {reason}"))
                pending.append(included)
    return tuple(faults)


def _fault(unit: SourceUnit, source: str, offset: int, reason: str) -> Diagnostic:
    file = unit.source_file(source)
    end = file.text.find("\n", offset)
    span = SourceSpan(file, offset, len(file.text) if end < 0 else end)
    return error("G2O0016", f"{reason}: write to a file, or add it to the command line", span)
