"""What a command did is not done again where nothing changed that it read or wrote.

A successful `g2o translate` leaves a manifest in the user's cache: of every file that it read how
it was, which files it looked for and did not find, and what it wrote and printed. The same command
in the same place, of the same g2o in the same environment, compares, prints the same and ends. On
any doubt it translates: what changed while it was read, or is found by ways that are not known
here, leaves no manifest. This module is loaded in front of all others and needs none but the stamp.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast, final

from g2o.stamp import program_stamp
from g2o.version import VERSION

NO_CACHE: Final = "--no-cache"

_KEPT: Final = 1000
_CLOCK: Final = 10_000_000  # nanoseconds by which times of files may be late
_SYSTEM: Final = ("/usr/", "/opt/")
_DIRECTORIES: Final = ("/usr/include", "/usr/local/include")
_SEARCHED: Final = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "OBJC_INCLUDE_PATH")
_INCLUDE: Final = re.compile(rb"#[ \t]*(?:include|include_next|import)\b[ \t]*([^\r\n]*)")
_HAS_INCLUDE: Final = re.compile(rb"__has_include\w*[ \t]*\(([^)\r\n]*)")
_PATH_OPTIONS: Final = ("-I", "-isystem", "-iquote", "-idirafter", "-include")


@final
@dataclass(frozen=True, slots=True)
class Command:
    """A command line, with when it began and the file that its manifest is."""

    begin_ns: int
    manifest: Path


def command_of(words: Sequence[str]) -> Command | None:
    """The command, if its doings can be remembered."""
    if words[:1] != ["translate"] or NO_CACHE in words or any(map(os.environ.get, _SEARCHED)):
        return None
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111
    if not os.path.isabs(cache):  # noqa: PTH117
        return None
    names = sorted(n for n in os.environ if n.startswith(("G2O", "LC_", "LANG", "PYTHON", "CLANG")))
    names += ["PATH", "NO_COLOR", "TERM", "HOME"]
    environment = [(name, os.environ.get(name)) for name in names]
    streams = [sys.stdout.isatty(), sys.stderr.isatty()]
    here = os.getcwd()  # noqa: PTH109
    program = program_stamp()
    what = repr((VERSION, sys.version, program, environment, streams, here, list(words)))
    key = hashlib.sha256(os.fsencode(what)).hexdigest()
    return Command(time.time_ns(), Path(cache, "g2o", "unchanged", f"{key}.json"))


def repeated(command: Command) -> int | None:
    """Print what the command printed, if it would do and print the same; its exit code then."""
    try:
        manifest = json.loads(command.manifest.read_bytes())
        known = cast("dict[str, dict[str, str]]", manifest)
        if any(_state(name) != state for name, state in known["files"].items()):
            return None
        said = cast("dict[str, str]", manifest["said"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    for text, stream in ((said["out"], sys.stdout), (said["err"], sys.stderr)):
        stream.buffer.write(text.encode("latin-1"))
        stream.flush()
    return 0


def remember(
    command: Command,
    read: Iterable[str],
    written: Iterable[str],
    flags: Sequence[str],
    said: Mapping[str, bytes],
) -> None:
    """Leave a manifest, unless something speaks against it. `read` are the files that were read
    and those that were looked for in vain; `flags` are clang's."""
    own = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep  # noqa: PTH100, PTH120
    absolute = (os.path.abspath(name) for name in read)  # noqa: PTH100
    sources = {name for name in absolute if not name.startswith(own)}
    outputs = {os.path.abspath(name) for name in written}  # noqa: PTH100
    sources -= outputs  # what is written is parsed
    if any(_changed_since(name, command.begin_ns - _CLOCK) for name in sources):
        return
    absent = _looked_for(sources, flags)
    if absent is None:
        return
    names = {*sources, *outputs, *absent, *_DIRECTORIES}
    files = {name: _state(name) for name in sorted(names)}
    document = {"files": files, "said": {one: text.decode("latin-1") for one, text in said.items()}}
    folder = command.manifest.parent
    temporary = folder / f".{os.getpid()}.tmp"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        temporary.write_text(json.dumps(document), encoding="ascii")
        temporary.replace(command.manifest)
        _forget_old(folder)
    except OSError:
        return  # nothing to write to: the next run translates


def _looked_for(sources: Iterable[str], flags: Sequence[str]) -> set[str] | None:
    """All places where the includes of the sources may be looked for; None where the text does
    not say what is included."""
    of_system = [name for name in sources if _is_of_system(name)]
    own = [name for name in sources if not _is_of_system(name)]
    searched: set[str] = set()
    remaining = iter(flags)
    for flag in remaining:
        if flag.startswith(("@", "-Xclang", "-ivfsoverlay", "-F", "--sysroot", "-isysroot")):
            return None
        option = next((one for one in _PATH_OPTIONS if flag.startswith(one)), None)
        if option is not None:
            value = flag.removeprefix(option) or next(remaining, ".")
            searched.add(os.path.abspath(value))  # noqa: PTH100
    tails = {tail for name in of_system for tail in _tails(name)}
    found = {os.path.join(one, tail) for one in searched for tail in tails}  # noqa: PTH118
    directories = {*searched, os.getcwd(), *map(os.path.dirname, own)}  # noqa: PTH109
    for name in own:
        try:
            text = Path(name).read_bytes()
        except OSError:
            continue
        spelled = [*_INCLUDE.findall(text), *_HAS_INCLUDE.findall(text)]
        for word in spelled:
            word = word.strip()
            end = word.find({b'"': b'"', b"<": b">"}.get(word[:1], b""), 1) if word else -1
            if word[:1] not in (b'"', b"<") or end < 0:
                return None
            header = os.fsdecode(word[1:end])
            found |= {os.path.normpath(os.path.join(one, header)) for one in directories}  # noqa: PTH118
    return found


def _tails(name: str) -> list[str]:
    """The ways to include a header of the system: `bits/x.h`, `x.h`."""
    parts = name.split("/")
    return ["/".join(parts[-count:]) for count in (1, 2, 3)]


def _state(name: str) -> str:
    """What tells a file from what it was: its text, or of the system's its size and times."""
    try:
        stat = os.stat(name)  # noqa: PTH116
        if _is_of_system(name):
            return f"{stat.st_ino} {stat.st_size} {stat.st_mtime_ns} {stat.st_ctime_ns}"
        return hashlib.sha256(Path(name).read_bytes()).hexdigest()
    except IsADirectoryError:
        return "directory"
    except OSError:
        return ""


def _changed_since(name: str, begin_ns: int) -> bool:
    try:
        stat = os.stat(name)  # noqa: PTH116
    except OSError:
        return False
    return max(stat.st_mtime_ns, stat.st_ctime_ns) >= begin_ns


def _is_of_system(name: str) -> bool:
    return name.startswith(_SYSTEM)


def _forget_old(folder: Path) -> None:
    known = list(folder.glob("*.json"))
    if len(known) > _KEPT:
        known.sort(key=lambda path: path.stat().st_mtime)
        for path in known[: _KEPT // 2]:
            path.unlink(missing_ok=True)
