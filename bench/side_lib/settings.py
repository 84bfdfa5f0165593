"""The file that says which programs are timed side by side, and how each is built, run, compared.

    [programs.hotspot]
    run = "./program 512 out.txt"     # in the folder of each side; {threads}: how many it may use
    time = 'kernel: ([0-9.]+) ms'     # the region's time; where it is printed often, their sum
    unit = "ms"                       # s, ms, us or ns
    pass = "PASS"                     # what both have to print
    lines = ["^checksum"]             # lines that both have to print alike, numbers as numbers
    files = ["out.txt"]               # files that both have to write alike
    tolerance = 1e-3                  # relative, for floating numbers in lines and files
    timeout = 60                      # seconds for one run
    [programs.hotspot.emitted]        # g2o's side; what stands above may stand here, too
    folder = "{here}/cuda/hotspot"    # a copy of it is worked in
    build = ["{g2o} hotspot.cu", "{cxx} {flags} hotspot.omp.cpp -o program"]
    [programs.hotspot.written]        # the side of the person
    folder = "{here}/openmp/hotspot"
    build = ["{cxx} {flags} hotspot.cpp -o program"]

`build` lines and `run` are shell lines. `{here}` is the folder of this file, `{g2o}` translates,
`{cxx}` and `{flags}` are the same for both sides. At least one of `pass`, `lines` and `files` has
to be there: times of results that nobody compared say nothing.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast, final

UNITS: Final = {"s": 1e3, "ms": 1.0, "us": 1e-3, "ns": 1e-6}
"""Milliseconds of each unit."""
_SIDE_KEYS: Final = frozenset({"folder", "build", "run", "time", "unit"})
_KEYS: Final = frozenset(
    {"emitted", "written", "run", "time", "unit", "pass", "lines", "files", "tolerance", "timeout"}
)


@final
@dataclass(frozen=True, slots=True)
class Side:
    """One of two programs. `scale`: milliseconds of the unit that `time` finds."""

    folder: Path
    build: tuple[str, ...]
    run: str
    time: re.Pattern[str]
    scale: float


@final
@dataclass(frozen=True, slots=True)
class Check:
    """What has to agree for times to count."""

    passed: re.Pattern[str] | None
    lines: tuple[re.Pattern[str], ...]
    files: tuple[Path, ...]
    tolerance: float


@final
@dataclass(frozen=True, slots=True)
class SideBySide:
    """One row of the table."""

    name: str
    emitted: Side
    written: Side
    check: Check
    timeout: float


class SettingsError(ValueError):
    """The file cannot be used; says where and why."""


def load_programs(path: Path) -> list[SideBySide]:
    """The programs of a file, in its order; raises SettingsError, or OSError without a file."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path}: {error}") from error
    here = str(path.parent.resolve())
    tables = _Entries(str(path), document, here).table("programs")
    return [_program(name, tables.table(name)) for name in tables.values]


@final
@dataclass(frozen=True, slots=True)
class _Entries:
    """A table of the file, and where it stands."""

    where: str
    values: Mapping[str, object]
    here: str

    def table(self, key: str) -> "_Entries":
        value = self.values.get(key)
        if not isinstance(value, dict):
            raise SettingsError(f"{self.where}: '{key}' is not a table")
        return _Entries(f"{self.where}: {key}", cast("dict[str, object]", value), self.here)

    def text(self, key: str) -> str:
        value = self.values.get(key)
        if not isinstance(value, str):
            raise SettingsError(f"{self.where}: '{key}' is not a string")
        return value.replace("{here}", self.here)

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.values.get(key, [])
        if isinstance(value, str):
            value = [value]
        if not isinstance(value, list):
            raise SettingsError(f"{self.where}: '{key}' is neither a string nor a list")
        return tuple(str(each).replace("{here}", self.here) for each in cast("list[object]", value))

    def number(self, key: str, otherwise: float) -> float:
        value = self.values.get(key, otherwise)
        if not isinstance(value, (int, float)):
            raise SettingsError(f"{self.where}: '{key}' is not a number")
        return float(value)

    def expression(self, text: str) -> re.Pattern[str]:
        try:
            return re.compile(text, re.MULTILINE)
        except re.error as error:
            raise SettingsError(f"{self.where}: '{text}': {error}") from error

    def only(self, known: frozenset[str]) -> None:
        unknown = sorted(set(self.values) - known)
        if unknown:
            raise SettingsError(f"{self.where}: unknown: {', '.join(unknown)}")


def _program(name: str, entries: _Entries) -> SideBySide:
    entries.only(_KEYS)
    passed = entries.expression(entries.text("pass")) if "pass" in entries.values else None
    lines = tuple(entries.expression(text) for text in entries.texts("lines"))
    files = tuple(Path(text) for text in entries.texts("files"))
    if passed is None and not lines and not files:
        raise SettingsError(f"{entries.where}: none of pass, lines and files: nothing is compared")
    return SideBySide(
        name,
        _side(entries, "emitted"),
        _side(entries, "written"),
        Check(passed, lines, files, entries.number("tolerance", 1e-4)),
        entries.number("timeout", 60.0),
    )


def _side(program: _Entries, key: str) -> Side:
    own = program.table(key)
    own.only(_SIDE_KEYS)
    shared = {name: program.values[name] for name in _SIDE_KEYS if name in program.values}
    entries = _Entries(own.where, {**shared, **own.values}, own.here)
    unit = entries.text("unit")
    if unit not in UNITS:
        raise SettingsError(f"{entries.where}: '{unit}' is none of {', '.join(UNITS)}")
    time = entries.expression(entries.text("time"))
    if time.groups != 1:
        raise SettingsError(f"{entries.where}: time needs one group, the number")
    folder = Path(entries.text("folder"))
    return Side(folder, entries.texts("build"), entries.text("run"), time, UNITS[unit])
