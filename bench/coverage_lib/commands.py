"""Compiler command lines: what a build would do, read without doing it."""

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import final

COMPILERS = frozenset(
    {"nvcc", "nvc++", "gcc", "g++", "cc", "c++", "clang", "clang++", "icc", "icpc"}
    | {"icx", "icpx", "mpicc", "mpicxx"}
)
SOURCE_SUFFIXES = frozenset({".cu", ".c", ".cc", ".cpp", ".cxx", ".C"})
OBJECT_SUFFIXES = frozenset({".o", ".obj", ".a"})

_SEPARATORS = frozenset({";", "&&", "||", "|", "(", ")"})
_WITH_VALUE = frozenset(
    {"-arch", "-code", "-gencode", "-MF", "-MT", "-MQ", "-L", "-Xptxas", "-Xcompiler"}
    | {"-Xlinker", "-maxrregcount", "--compiler-options", "-ccbin", "--default-stream", "-Xarchive"}
)
_INCLUDE_OPTIONS = ("-isystem", "-iquote", "-I", "--include-path")
_COMPILE_ONLY = frozenset({"-c", "-dc", "-dw", "--compile", "--device-c", "-E", "-S", "-cuda"})


@final
@dataclass(frozen=True, slots=True)
class Command:
    """One compiler call; every path is absolute."""

    sources: tuple[Path, ...]
    objects: tuple[Path, ...]
    output: Path | None
    compile_only: bool
    cuda_language: bool
    """Whether `-x cu` makes CUDA of the sources, whatever their names."""
    defines: tuple[str, ...]
    include_dirs: tuple[Path, ...]
    forced_includes: tuple[str, ...]
    standard: str | None
    libraries: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class Archive:
    """`ar rcs output objects`."""

    output: Path
    objects: tuple[Path, ...]


@final
@dataclass(frozen=True, slots=True)
class SubMake:
    """`cd directory; make`: a build that the outer dry run does not follow."""

    directory: Path
    arguments: tuple[str, ...]


def split_shell_line(line: str, directory: Path) -> list[tuple[Path, list[str]]]:
    """The simple commands of a shell line, each with the directory that `cd` has led to."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=";&|()")
    lexer.whitespace_split = True
    lexer.commenters = "#"
    try:
        tokens = list(lexer)
    except ValueError:
        return []
    commands: list[tuple[Path, list[str]]] = []
    current: list[str] = []
    for token in [*tokens, ";"]:
        if token not in _SEPARATORS:
            current.append(token)
            continue
        if len(current) == 2 and current[0] == "cd":
            directory = directory / current[1]
        elif current:
            commands.append((directory, current))
        current = []
    return commands


def parse_command(directory: Path, words: list[str]) -> Command | Archive | SubMake | None:
    """The compiler, archiver or make call that `words` are; None for any other command."""
    while words and "=" in words[0] and not words[0].startswith("-"):
        words = words[1:]
    if not words:
        return None
    tool = Path(words[0]).name
    if tool in COMPILERS:
        return parse_compiler(directory, words)
    if tool == "ar" and len(words) >= 3:
        members = tuple(_absolute(directory, word) for word in words[3:])
        return Archive(_absolute(directory, words[2]), members)
    if tool in {"make", "gmake"}:
        return SubMake(directory, tuple(words[1:]))
    return None


def _absolute(directory: Path, word: str) -> Path:
    return (directory / word).resolve()


def _expand(directory: Path, word: str) -> list[Path]:
    """The files that a word with wildcards stands for, as the shell would have it."""
    if "*" not in word:
        return [_absolute(directory, word)]
    return sorted(path.resolve() for path in directory.glob(word))


def _is_system(path: Path) -> bool:
    """Whether a folder belongs to the machine or a CUDA toolkit rather than to the program."""
    return path.parts[1:2] in (("usr",), ("opt",)) or (path / "cuda_runtime.h").is_file()


def parse_compiler(directory: Path, words: list[str]) -> Command:
    """A compiler call: `words` with the compiler's name first."""
    words = words[1:]
    sources: list[Path] = []
    objects: list[Path] = []
    defines: list[str] = []
    include_dirs: list[Path] = []
    forced: list[str] = []
    libraries: list[str] = []
    output: Path | None = None
    standard: str | None = None
    compile_only = False
    cuda_language = False
    position = 0

    def value(prefix: str) -> str:
        """The value of an option that may be glued to it or be the next word."""
        nonlocal position
        if len(words[position]) > len(prefix):
            return words[position][len(prefix) :].removeprefix("=")
        position += 1
        return words[position] if position < len(words) else ""

    while position < len(words):
        word = words[position]
        if word in _COMPILE_ONLY:
            compile_only = True
        elif word == "-o":
            output = _absolute(directory, value("-o"))
        elif word.startswith("-D"):
            defines.append(value("-D"))
        elif word == "-include":
            forced.append(value("-include"))
        elif option := next((each for each in _INCLUDE_OPTIONS if word.startswith(each)), None):
            include_dirs.append(_absolute(directory, value(option)))
        elif word.lstrip("-").startswith("std="):
            standard = word.partition("=")[2]
        elif word.startswith("-l") and len(word) > 2:
            libraries.append(word[2:])
        elif word in ("-x", "--x"):
            cuda_language = value(word) == "cu"
        elif word in _WITH_VALUE:
            position += 1
        elif not word.startswith("-"):
            suffix = Path(word).suffix
            if suffix in SOURCE_SUFFIXES:
                sources.extend(_expand(directory, word))
            elif suffix in OBJECT_SUFFIXES:
                objects.append(_absolute(directory, word))
        position += 1

    if compile_only and output is None and sources:
        output = _absolute(directory, sources[0].stem + ".o")
    return Command(
        sources=tuple(sources),
        objects=tuple(objects),
        output=output or _absolute(directory, "a.out"),
        compile_only=compile_only,
        cuda_language=cuda_language,
        defines=tuple(defines),
        include_dirs=tuple(path for path in include_dirs if not _is_system(path)),
        forced_includes=tuple(forced),
        standard=standard,
        libraries=tuple(libraries),
    )
