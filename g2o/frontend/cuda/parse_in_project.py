"""Which file of a project a file is parsed through: itself, or one that includes it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from g2o.diagnostics.diagnostic import Diagnostic
from g2o.frontend.cuda.include_graph import real_path
from g2o.frontend.cuda.project import Context, Project
from g2o.frontend.cuda.skipped_code import skipped_device_code
from g2o.frontend.cuda.unit import SourceUnit, parse_unit


def parse_in_project(
    path: Path, flags: tuple[str, ...], shown_as: str, project: Project
) -> tuple[SourceUnit, tuple[Diagnostic, ...], Context | None]:
    """Parse `path` alone or, where that fails, through the first file of the project that includes
    it and can be parsed. The errors, if any, are those of the first input that includes it, which
    may say what a fragment needs before it, or of the file alone.

    So it is where `path` alone has device code that is skipped, and not all of it through a file
    that defines what the condition asks for.
    """
    unit, faults = parse_unit(path, flags, shown_as)
    project.parses[real_path(path)] = not faults
    missed = 0 if faults else len(skipped_device_code(unit))
    if faults or missed:
        for through, context in _through_contexts(path, flags, shown_as, project):
            if faults or len(skipped_device_code(through)) < missed:
                return through, (), context
        inputs = (one for one in project.contexts(path, flags) if project.is_input(one.path))
        if faults and (context := next(inputs, None)) is not None:
            through, there = parse_unit(path, flags, shown_as, context, project.units)
            return unit, there if through.main_path and there else faults, None
    return unit, faults, None


def _through_contexts(
    path: Path, flags: tuple[str, ...], shown_as: str, project: Project
) -> Iterator[tuple[SourceUnit, Context]]:
    """`path` as the files that include it see it, of those that can be parsed."""
    for context in project.contexts(path, flags):
        root = real_path(context.path)
        if project.parses.get(root) is False:
            continue
        through, faults = parse_unit(path, flags, shown_as, context, project.units)
        project.parses[root] = not faults
        if not faults and through.main_path:
            yield through, context
