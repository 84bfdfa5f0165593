"""What a Makefile would compile and link, and how it would run the result (`make -n`)."""

import re
import subprocess
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import final

from .commands import Archive, Command, SubMake, parse_command, split_shell_line

MAKEFILE_NAMES = ("GNUmakefile", "makefile", "Makefile")
_DRY_RUN_SECONDS = 20
_MAX_DEPTH = 3
_ENTERING = re.compile(r"^g?make(?:\[\d+\])?: Entering directory [`'](?P<directory>.*)'$")
_REDIRECTION = re.compile(r"\d?[<>]")
_LEAVING = re.compile(r"^g?make(?:\[\d+\])?: Leaving directory ")


@final
@dataclass(frozen=True, slots=True)
class Build:
    """The compiler and archiver calls of a dry run, in order."""

    commands: tuple[Command, ...]
    archives: tuple[Archive, ...]


def find_makefile(folder: Path) -> Path | None:
    """The file that `make` would read in `folder`."""
    for name in MAKEFILE_NAMES:
        if (folder / name).is_file():
            return folder / name
    return None


def dry_run_build(folder: Path) -> Build:
    """The build of the default goal of `folder`'s Makefile; empty where make cannot say."""
    commands: list[Command] = []
    archives: list[Archive] = []
    _collect(folder, (), 0, commands, archives)
    if not commands:
        _collect(folder, ("all",), 0, commands, archives)
    return Build(tuple(commands), tuple(archives))


def dry_run_arguments(folder: Path, executable: str) -> tuple[str, ...]:
    """Arguments of the first call of `executable` in `make -n run`; () where there is none."""
    for directory, line in _dry_run(folder, ("run",)):
        for _, words in split_shell_line(line, directory):
            if Path(words[0]).name == executable:
                plain = takewhile(lambda word: not _REDIRECTION.match(word), words[1:])
                return tuple(plain)
    return ()


def _collect(
    folder: Path,
    goals: tuple[str, ...],
    depth: int,
    commands: list[Command],
    archives: list[Archive],
) -> None:
    for directory, line in _dry_run(folder, goals):
        for place, words in split_shell_line(line, directory):
            match parse_command(place, words):
                case Command() as command:
                    commands.append(command)
                case Archive() as archive:
                    archives.append(archive)
                case SubMake(inner, arguments) if depth < _MAX_DEPTH and inner != folder:
                    _collect(inner, arguments, depth + 1, commands, archives)
                case _:
                    pass


def _dry_run(folder: Path, goals: tuple[str, ...]) -> list[tuple[Path, str]]:
    """Lines that `make -n` prints, continuation lines joined, each with its directory."""
    if find_makefile(folder) is None:
        return []
    try:
        done = subprocess.run(
            ["make", "-n", "-B", "-k", "-w", *goals],
            cwd=folder,
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=_DRY_RUN_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return []
    directories = [folder]
    lines: list[tuple[Path, str]] = []
    for line in done.stdout.replace("\\\n", " ").splitlines():
        if entering := _ENTERING.match(line):
            directories.append(Path(entering["directory"]))
        elif _LEAVING.match(line):
            if len(directories) > 1:
                directories.pop()
        else:
            lines.append((directories[-1], line))
    return lines
