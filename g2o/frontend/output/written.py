"""What a compiler will say of files that are about to be written.

They are parsed as C++17 with OpenMP, as the host compiler of the user will, from memory: each file
of the run stands where it is to be written, and the runtime header has been read before.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Final, final

from g2o.diagnostics.source import SourceFile, SourceSpan
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.clang_unit import ClangMessage, TranslationUnit
from g2o.frontend.cuda.includes import is_runtime_name
from g2o.frontend.cuda.libraries import provided_headers
from g2o.frontend.cuda.precompiled import unit_behind
from g2o.frontend.cuda.torch_headers import torch_headers
from g2o.frontend.cuda.unit import compiler_includes
from g2o.runtime.headers import RUNTIME_HEADER, companion_headers

_HEADERS: Final = Path(__file__).parent / "headers"
_INCLUDED: Final = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n]*)"', re.MULTILINE)
_STANDARD: Final = re.compile(r"-std=(?:c|gnu)\+\+(\d\w)")
_LATE: Final = ("17", "1z", "20", "2a", "23", "2b", "26", "2c")
_HARMLESS: Final = ("-I", "-D", "-U", "-W", "-std", "-isystem", "-iquote", "-idirafter")
_CONTAINERS: Final = frozenset({"NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"})
_INCLUSION: Final = "in file included from"
_ERROR: Final = 3
_BUILTIN: Final = "use of undeclared identifier '__builtin_"
_FLAGS: Final = (
    *("-x", "c++", "-fopenmp", "-w", "-ferror-limit=0"),
    *("-fno-spell-checking", "-fbracket-depth=1024"),
)
_FUNCTIONS: Final = frozenset({"FUNCTION_DECL", "FUNCTION_TEMPLATE"})


@final
@dataclass(frozen=True, slots=True)
class Written:
    """The files of a run by where they are to be written, and how to read them.

    `search` are directories in which includes are looked for besides.
    """

    texts: Mapping[Path, bytes]
    flags: tuple[str, ...]
    search: tuple[Path, ...]
    offload: bool


@final
@dataclass(frozen=True, slots=True)
class Fault:
    """An error in what is to be written at `file`, in the function `inside`, if it is in one;
    `behind` are the functions that follow. Without a place it is in none of the files."""

    text: str
    file: Path | None
    span: SourceSpan | None
    inside: str | None
    behind: tuple[str, ...]

    @property
    def begin(self) -> int:
        return 0 if self.span is None else self.span.begin


def faults(written: Written, root: Path, instances: Sequence[str] = ()) -> tuple[Fault, ...]:
    """What clang calls an error in the translation unit of the file to be written at `root`, when
    `instances` of its templates are made, too."""
    text = written.texts[root]
    probed = text
    if instances:
        uses = "".join(f"\n    (void)&{one};" for one in instances)
        probed += f"\ninline void g2o_instances()\n{{{uses}\n}}\n".encode("latin-1")
    try:
        unit = _parsed(written, root, {**written.texts, root: probed})
    except OSError:
        return ()  # clang itself has failed: that says nothing of the file
    errors = [one for one in unit.messages if one.severity >= _ERROR and not _is_builtin(one)]
    if not errors:
        return ()
    places = _Places(written, unit)
    found = (places.fault(one) for one in errors)
    return tuple(one for one in found if one.file != root or one.begin < len(text))


def _is_builtin(message: ClangMessage) -> bool:
    """Is it of what only another compiler knows, whose headers were read (`immintrin.h` of GCC)?"""
    own = compiler_includes()[1:]
    inside = message.file.startswith(tuple(f"{place}/" for place in own))
    return inside or message.text.startswith(_BUILTIN)


def _parsed(written: Written, root: Path, texts: Mapping[Path, bytes]) -> TranslationUnit:
    own = _own_arguments(written)
    search = [word for place in written.search for word in ("-iquote", str(place))]
    flags = [flag for flag in written.flags if not flag.startswith("-std")]
    arguments = (*own, *search, *flags)
    unsaved = dict(_as_included(texts, root, written))
    unit = None
    if _leaves_runtime_alone(written.flags) and _includes_runtime(texts, root):
        headers = sorted(_included(texts[root]) & provided_headers())
        torch = torch_headers(written.flags)
        unit = _behind_runtime(headers, torch, own, str(root), arguments, unsaved)
    return unit or TranslationUnit(str(root), arguments, unsaved)


def _behind_runtime(
    headers: Sequence[str],
    torch: tuple[Path | None, tuple[str, ...]],
    own: tuple[str, ...],
    root: str,
    arguments: tuple[str, ...],
    unsaved: Mapping[str, bytes],
) -> TranslationUnit | None:
    """Read behind the runtime header and `headers` of the runtime, or behind that and PyTorch's, as
    they are kept."""
    folder = resources.files("g2o.runtime")
    if not isinstance(folder, Path):
        return None
    library, searched = torch
    first, *others = (folder / name for name in (RUNTIME_HEADER, *reversed(headers)))
    if library is not None:
        first, others = library, [first, library]
    included = [word for other in others[:-1] for word in ("-include", str(other))]
    main = others[-1] if others else first
    words = ("c++-header" if one == "c++" else one for one in own)
    return unit_behind(main, (*words, *included, *searched), root, arguments, unsaved)


def _own_arguments(written: Written) -> tuple[str, ...]:
    """What decides how the runtime header is read."""
    given = [flag for flag in written.flags if flag.startswith("-std")]
    late = [flag for flag in given if (said := _STANDARD.match(flag)) and said[1] in _LATE]
    device = ("-DG2O_OFFLOAD=1",) if written.offload else ()
    standard = late[-1] if late else "-std=c++17"
    return (*_FLAGS, standard, *device, f"-I{_HEADERS}", *compiler_includes())


def _leaves_runtime_alone(flags: Sequence[str]) -> bool:
    """Does the runtime header mean the same with these flags? They only tell where to look, and
    define nothing that it names."""
    words = iter(flags)
    for word in words:
        option = next((one for one in _HARMLESS if word.startswith(one)), None)
        if option is None:
            return False
        value = word.removeprefix(option) or next(words, "")
        if option in ("-D", "-U") and is_runtime_name(value.partition("=")[0]):
            return False
    return True


def _includes_runtime(texts: Mapping[Path, bytes], root: Path) -> bool:
    """Does the file include the runtime header, or one of the run that does?"""
    by_name = {path.name: _included(text) for path, text in texts.items()}
    waiting, seen = [root.name], {root.name}
    while waiting:
        named = by_name.get(waiting.pop(), frozenset())
        if RUNTIME_HEADER in named:
            return True
        waiting += named - seen
        seen |= named
    return False


def _included(text: bytes) -> frozenset[str]:
    names = (name.decode("latin-1").rpartition("/")[2] for name in _INCLUDED.findall(text))
    return frozenset(names)


def _as_included(
    texts: Mapping[Path, bytes], root: Path, written: Written
) -> Iterator[tuple[str, bytes]]:
    """The texts by their absolute paths, and for each other name that clang may look one up by a
    file that includes it: those of files that are not there yet, in directories that are not, are
    compared as they are spelled. So every text is one file, however often it is included."""
    places = {os.path.abspath(path) for path in texts}  # noqa: PTH100
    searched = [flag.removeprefix("-I") for flag in written.flags if flag.startswith("-I")]
    seen = {*places, str(root)}
    yield str(root), texts[root]
    for path, data in texts.items():
        own = os.path.abspath(path)  # noqa: PTH100
        if own != str(root):
            yield own, data
        around = dict.fromkeys((os.path.dirname(path) or ".", os.path.dirname(own), *searched))  # noqa: PTH120
        for name in map(os.fsdecode, _INCLUDED.findall(data)):
            for directory in around:
                spelled = os.path.join(directory, name)  # noqa: PTH118 - as clang does
                if spelled in seen or os.path.exists(spelled):  # noqa: PTH110
                    continue  # clang knows files that are there, whatever leads to them
                place = os.path.abspath(spelled)  # noqa: PTH100
                if place in places or os.path.isfile(place):  # noqa: PTH113
                    seen.add(spelled)
                    yield spelled, b'#include "%s"\n' % os.fsencode(place)


@final
class _Places:
    """Where errors are in the files of a run."""

    def __init__(self, written: Written, unit: TranslationUnit) -> None:
        self._paths = {os.path.abspath(path): path for path in written.texts}  # noqa: PTH100
        self._files = {
            path: SourceFile(str(path), data.decode("latin-1"))
            for path, data in written.texts.items()
            if path.name not in (RUNTIME_HEADER, *companion_headers())
        }
        self._functions: dict[Path, list[Cursor]] = {}
        for cursor in _functions(unit.top_level):
            path = self._path(cursor.file)
            if path is not None:
                self._functions.setdefault(path, []).append(cursor)

    def fault(self, message: ClangMessage) -> Fault:
        """The message at the first place in a file of the run that it or its notes name."""
        for one in (message, *message.notes):
            path = self._path(one.file)
            if path is not None and not one.text.startswith(_INCLUSION):
                span = SourceSpan(self._files[path], one.begin, max(one.end, one.begin + 1))
                functions = self._functions.get(path, [])
                around = [c.spelling for c in functions if c.begin <= one.begin < c.end]
                behind = [c.spelling for c in functions if c.begin > one.begin]
                inside = around[0] if around else None
                return Fault(message.text, path, span, inside, tuple(behind))
        return Fault(message.text, None, None, None, ())

    def _path(self, file: str) -> Path | None:
        path = self._paths.get(os.path.abspath(file)) if file else None  # noqa: PTH100
        return path if path in self._files else None


def _functions(cursors: Sequence[Cursor]) -> Iterator[Cursor]:
    """The definitions of functions, in order, those in namespaces among them."""
    for cursor in cursors:
        if cursor.kind in _CONTAINERS:
            yield from _functions(cursor.children)
        elif cursor.kind in _FUNCTIONS and cursor.is_definition:
            yield cursor
