"""Flags of a file from `compile_commands.json`, as CMake and Bear write it."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast, final

from g2o.diagnostics.diagnostic import Diagnostic, Refusal, Severity
from g2o.diagnostics.source import note_read
from g2o.frontend.cuda.include_graph import real_path

_WITH_PATH: Final = ("-I", "-isystem", "-iquote", "-idirafter", "-include")
_WITH_NAME: Final = ("-D", "-U")
_LONG_FORMS: Final = {
    "--include-path": "-I",
    "--system-include": "-isystem",
    "--pre-include": "-include",
    "--define-macro": "-D",
    "--undefine-macro": "-U",
}
_RESPONSE_OPTIONS: Final = ("--options-file", "-optf")


@final
@dataclass(frozen=True, slots=True)
class CompileCommands:
    """The flags that matter to a parser, for each source file (by real path)."""

    flags: dict[Path, tuple[str, ...]]

    @staticmethod
    def read(directory: Path) -> CompileCommands:
        """Read `directory/compile_commands.json`, or that file where it is named itself; raises
        Refusal (G2O0012) with the reason.

        Of several entries for one file the first counts. Paths come out relative to the current
        directory.
        """
        path = directory if directory.is_file() else directory / "compile_commands.json"
        note_read(str(path))
        try:
            document: object = json.loads(path.read_bytes())
        except OSError as fault:
            raise _unusable(path, fault.strerror or str(fault)) from fault
        except ValueError as fault:
            raise _unusable(path, f"not valid JSON: {fault}") from fault
        if not isinstance(document, list):
            raise _unusable(path, "not a list of commands")
        flags: dict[Path, tuple[str, ...]] = {}
        for entry in cast("list[object]", document):
            source, words, base = _entry(path, entry)
            flags.setdefault(source, tuple(_relevant(words, base)))
        return CompileCommands(flags)

    def flags_of(self, source: Path) -> tuple[str, ...] | None:
        """The flags of `source`, or None where the database does not have it."""
        return self.flags.get(real_path(source))


def _unusable(path: Path, reason: str) -> Refusal:
    message = f"cannot use compile commands: {reason}"
    return Refusal(Diagnostic(Severity.ERROR, "G2O0012", message, path=str(path)))


def _entry(path: Path, entry: object) -> tuple[Path, Sequence[str], Path]:
    """Source file, words of the command and working directory of one entry."""
    if not isinstance(entry, dict):
        raise _unusable(path, "an entry is not an object")
    fields = cast("dict[str, object]", entry)
    directory, source = fields.get("directory", "."), fields.get("file")
    if not isinstance(directory, str) or not isinstance(source, str):
        raise _unusable(path, "an entry has no `directory` or `file`")
    base = path.parent / directory
    arguments, text = fields.get("arguments"), fields.get("command")
    if isinstance(arguments, list):
        words = [str(word) for word in cast("list[object]", arguments)]
    elif isinstance(text, str):
        words = _words(text)
    else:
        raise _unusable(path, f"the entry of {source} has no `command`")
    return real_path(base / source), words, base


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:  # an unbalanced quote
        return text.split()


def _relevant(words: Sequence[str], base: Path) -> Iterator[str]:
    """The flags among `words` that a parser needs, with paths below the current directory."""
    remaining = iter(_with_response_files(words, base))
    for word in remaining:
        option, joined = _split_option(word)
        if option is None:
            continue
        if option == "-std":
            yield f"-std={joined if joined is not None else next(remaining, '')}"
            continue
        value = joined if joined is not None else next(remaining, None)
        if value is None:
            return
        if option in _WITH_PATH:
            value = _shown_path(base, value)
        yield from (option, value) if option.startswith("-i") else (option + value,)


def _split_option(word: str) -> tuple[str | None, str | None]:
    """Canonical option and joined value of `word`; (None, None) where it does not matter."""
    name, equals, value = word.partition("=")
    if name in ("-std", "--std"):
        return "-std", value if equals else None
    if name in _LONG_FORMS:
        return _LONG_FORMS[name], value if equals else None
    for option in (*_WITH_PATH, *_WITH_NAME):
        if word == option:
            return option, None
        if word.startswith(f"{option}=") and option in _WITH_PATH:  # nvcc's form
            return option, value
    for option in ("-I", *_WITH_NAME):
        if word.startswith(option):
            return option, word.removeprefix(option)
    return None, None


def _with_response_files(words: Sequence[str], base: Path) -> Iterator[str]:
    """`words` with response files (CMake passes include directories of nvcc in one) read in."""
    remaining = iter(words)
    for word in remaining:
        name, equals, value = word.partition("=")
        if name in _RESPONSE_OPTIONS:
            yield from _response(base / (value if equals else next(remaining, "")))
        elif word.startswith("@"):
            yield from _response(base / word[1:])
        else:
            yield word


def _response(path: Path) -> list[str]:
    """The words of a response file; one that is gone (a cleaned build) has none."""
    note_read(str(path))
    try:
        return _words(path.read_text(encoding="utf-8", errors="surrogateescape"))
    except OSError:
        return []


def _shown_path(base: Path, value: str) -> str:
    return os.path.relpath(base / value)
