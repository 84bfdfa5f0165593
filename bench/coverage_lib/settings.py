"""The args file: what a person knows about a program that its Makefile does not say.

    [programs."suite/saxpy"]
    args = ["1024", "2"]         # replaces what `make run` passes
    flags = ["-DVERIFY"]         # -D, -I, -std, added to those of the Makefile
    sources = ["saxpy.cu"]       # replaces the sources of the Makefile
    timeout = 20                 # seconds for a run
    edits = [["main.cu", "N = 1000000", "N = 1000"]]  # text replaced before translation
    setup = "./generate.sh"      # shell line, run in the working folder before the program
    compare = ["out.txt"]        # files that the program writes, compared like its stdout
    ignore = ["^Name:"]          # lines of the output that are not compared
    pass_pattern = "Test PASSED" # must be in stdout
    skip = "needs four GPUs"     # not tried, with the reason

`{here}` in a string stands for the folder of the args file.
"""

import shlex
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast, final


@final
@dataclass(frozen=True, slots=True)
class Edit:
    """Replace each `old` in `file`, a path in the program's folder, by `new`."""

    file: str
    old: str
    new: str


@final
@dataclass(frozen=True, slots=True)
class ProgramSettings:
    """One table of the args file; None and () where it says nothing."""

    args: tuple[str, ...] | None = None
    flags: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    timeout: float | None = None
    edits: tuple[Edit, ...] = ()
    setup: str | None = None
    compare: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    pass_pattern: str | None = None
    skip: str | None = None
    third_party: tuple[str, ...] = ()


class SettingsError(ValueError):
    """The args file has a value of the wrong type."""


def load_settings(path: Path) -> dict[str, ProgramSettings]:
    """Settings by program name; raises SettingsError, or OSError where there is no such file."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path}: {error}") from error
    programs = document.get("programs", {})
    if not isinstance(programs, dict):
        raise SettingsError(f"{path}: 'programs' is not a table")
    here = str(path.parent.resolve())
    return {
        name: _read_table(path, name, table, here)
        for name, table in cast("dict[str, object]", programs).items()
    }


def _read_table(path: Path, name: str, table: object, here: str) -> ProgramSettings:
    if not isinstance(table, dict):
        raise SettingsError(f"{path}: '{name}' is not a table")
    entries = cast("Mapping[str, object]", table)

    def words(key: str) -> tuple[str, ...]:
        value = entries.get(key, [])
        if isinstance(value, str):
            value = shlex.split(value)
        if not isinstance(value, list):
            raise SettingsError(f"{path}: {name}.{key} is neither a string nor a list")
        return tuple(str(word).replace("{here}", here) for word in cast("list[object]", value))

    def text(key: str) -> str | None:
        value = entries.get(key)
        if value is not None and not isinstance(value, str):
            raise SettingsError(f"{path}: {name}.{key} is not a string")
        return value.replace("{here}", here) if value else None

    def edits() -> Iterator[Edit]:
        value = entries.get("edits", [])
        if not isinstance(value, list):
            raise SettingsError(f"{path}: {name}.edits is not a list")
        for triple in cast("list[object]", value):
            match triple:
                case [str(file), str(old), str(new)]:
                    yield Edit(file, old, new.replace("{here}", here))
                case _:
                    raise SettingsError(f"{path}: {name}.edits: not [file, old, new]: {triple}")

    timeout = entries.get("timeout")
    if timeout is not None and not isinstance(timeout, (int, float)):
        raise SettingsError(f"{path}: {name}.timeout is not a number")
    return ProgramSettings(
        args=words("args") if "args" in entries else None,
        flags=words("flags"),
        sources=words("sources"),
        timeout=timeout,
        edits=tuple(edits()),
        setup=text("setup"),
        compare=words("compare"),
        ignore=words("ignore"),
        pass_pattern=text("pass_pattern"),
        skip=text("skip"),
        third_party=words("third_party"),
    )
