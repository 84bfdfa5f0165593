"""Options from `[tool.g2o]` of the `pyproject.toml` that is nearest above the inputs.

    [tool.g2o]
    target = "offload"
    include-directories = ["include"]         relative to the file they stand in
    grad = ["saxpy(y)/(x)"]                   or true, for every kernel

What the command line says wins, option by option. A key that g2o does not know is an error.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, cast

import click
from click.core import ParameterSource

from g2o.cli.inputs import shown_path
from g2o.diagnostics.source import note_read

_FILE: Final = "pyproject.toml"
_SECTION: Final = b"tool.g2o"
_KEYS: Final = {
    "target": "target",
    "grad": "grad",
    "jvp": "jvp",
    "hvp": "hvp",
    "estimate-error": "estimate_error",
    "out-root": "out_root",
    "in-root": "in_root",
    "header": "header",
    "compile-commands": "database",
    "include-directories": "include_directories",
    "define": "definitions",
    "std": "standard",
    "include": "includes",
    "optimization": "optimisation",
    "assume-noalias": "assume_noalias",
    "associative-math": "associative_math",
    "keep-going": "keep_going",
    "no-self-check": "no_self_check",
    "remarks": "remarks",
    "report": "report",
    "diagnostics-format": "diagnostics_format",
    "quiet": "quiet",
    "jobs": "jobs",
    "clang-flags": "clang_flag",
}
_PATHS: Final = frozenset(("out_root", "in_root", "database", "report"))
_LISTS_OF_PATHS: Final = frozenset(("include_directories", "includes"))
_PLACES: Final = frozenset(("out_root", "in_root"))


def apply_configuration(ctx: click.Context, files: Sequence[Path]) -> None:
    """Give the parameters of `ctx` that the command line leaves open what the project says.

    Raises click.UsageError for what cannot be meant.
    """
    found = _section_above(files)
    if found is None:
        return
    path, section = found
    parameters = {one.name: one for one in ctx.command.params if one.name}
    for key, value in section.items():
        name = _KEYS.get(key)
        if name is None:
            close = difflib.get_close_matches(key, _KEYS, 1)
            hint = f"; did you mean '{close[0]}'?" if close else f"; known are {', '.join(_KEYS)}"
            raise click.UsageError(f"{shown_path(path)}: [tool.g2o] has no '{key}'{hint}", ctx)
        parameter = parameters.get(name)
        if parameter is None:
            continue
        raw = _raw(path, key, parameter, value, ctx)
        if _is_given(ctx, name):
            continue
        try:
            ctx.params[name] = parameter.process_value(ctx, raw)
        except click.UsageError as fault:
            place = f"{shown_path(path)}: [tool.g2o] {key}"
            raise click.UsageError(f"{place}: {fault.message}", ctx) from fault
        ctx.set_parameter_source(name, ParameterSource.DEFAULT_MAP)


def _is_given(ctx: click.Context, name: str) -> bool:
    """Does the command line say it, or, by `-o`, something instead of it?"""
    if name in _PLACES and ctx.params.get("output") is not None:
        return True
    return ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE


def _raw(
    path: Path, key: str, parameter: click.Parameter, value: object, ctx: click.Context
) -> object:
    """`value` as click takes it; raises click.UsageError where it has another type."""
    name = parameter.name or ""
    beside = path.parent
    if isinstance(parameter, click.Option) and parameter.is_flag:
        if isinstance(value, bool):
            return value
        raise _unexpected(path, key, "true or false", ctx)
    if parameter.multiple:
        if name in ("grad", "jvp", "hvp", "estimate_error") and isinstance(value, bool):
            return ("",) if value else ()
        values = cast("list[object]", value) if isinstance(value, list) else [None]
        words = [word for word in values if isinstance(word, str)]
        if len(words) != len(values):
            raise _unexpected(path, key, "a list of strings", ctx)
        is_path = name in _LISTS_OF_PATHS
        return tuple(_relative(beside, word) if is_path else word for word in words)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise _unexpected(path, key, "a string", ctx)
    return _relative(beside, value) if name in _PATHS else value


def _relative(directory: Path, value: str) -> str:
    return os.path.relpath(directory / value)


def _unexpected(path: Path, key: str, what: str, ctx: click.Context) -> click.UsageError:
    return click.UsageError(f"{shown_path(path)}: [tool.g2o] {key}: expected {what}", ctx)


def _section_above(files: Sequence[Path]) -> tuple[Path, Mapping[str, object]] | None:
    """The nearest file with the section, from the directory that all inputs have in common up."""
    places = [Path(os.path.realpath(file)) for file in files]
    if not places:
        return None
    common = Path(os.path.commonpath([p if p.is_dir() else p.parent for p in places]))
    for directory in (common, *common.parents):
        path = directory / _FILE
        note_read(str(path))
        try:
            data = path.read_bytes()
        except OSError:
            continue
        if _SECTION not in data:
            continue
        section = _section(path, data)
        if section is not None:
            return path, section
    return None


def _section(path: Path, data: bytes) -> Mapping[str, object] | None:
    try:
        document = tomllib.loads(data.decode("utf-8"))
    except ValueError as fault:
        raise click.UsageError(f"{shown_path(path)}: {fault}") from fault
    tools: object = document.get("tool")
    known = cast("dict[str, object]", tools) if isinstance(tools, dict) else {}
    section = known.get("g2o")
    return cast("dict[str, object]", section) if isinstance(section, dict) else None
