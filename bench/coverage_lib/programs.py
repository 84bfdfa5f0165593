"""Programs in folders: which executables a folder builds, from which sources, with which flags."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import final

from .commands import SOURCE_SUFFIXES, Command, parse_compiler
from .makefiles import Build, dry_run_arguments, dry_run_build, find_makefile
from .settings import ProgramSettings
from .sources import contains_cuda, count_kernels, include_closure, third_party

_IGNORED_LIBRARIES = ("cuda", "cudart", "cudart_static", "cudadevrt", "stdc++", "m")
_ON_CPU = {
    **dict.fromkeys((*_IGNORED_LIBRARIES, "curand", "cusparse"), ()),
    **dict.fromkeys(("cublas", "cublasLt", "cublas_static"), ("openblas",)),
    **dict.fromkeys(("cufft", "cufft_static"), ("fftw3f", "fftw3")),
    "cusolver": ("lapacke", "openblas"),
}
"""What translations are linked with in place of a library."""


@final
@dataclass(frozen=True, slots=True)
class Unit:
    """One source that is compiled by itself, and its flags."""

    source: Path
    defines: tuple[str, ...] = ()
    include_dirs: tuple[Path, ...] = ()
    forced_includes: tuple[str, ...] = ()
    standard: str | None = None
    cuda_language: bool = False


@final
@dataclass(frozen=True, slots=True)
class Program:
    """An executable: its units, all files they include, and how it is run.

    `root` is the folder under which every one of its files lies: `folder` itself, or an ancestor
    where sources include files beside it.
    """

    name: str
    folder: Path
    root: Path
    units: tuple[Unit, ...]
    files: tuple[Path, ...]
    cuda_files: frozenset[Path]
    kernels: int
    libraries: tuple[str, ...]
    link_libraries: tuple[str, ...]
    args: tuple[str, ...]
    settings: ProgramSettings


@final
@dataclass(frozen=True, slots=True)
class _Executable:
    """What one link command makes, and the compiler calls that its parts come from."""

    path: Path
    commands: tuple[Command, ...]

    def uses_cuda(self) -> bool:
        """Whether any source, or a file it includes, has CUDA in it."""
        return any(
            command.cuda_language or contains_cuda(file)
            for command in self.commands
            for file in include_closure(_existing(command.sources), command.include_dirs).files
        )


def _existing(files: tuple[Path, ...]) -> tuple[Path, ...]:
    return tuple(file for file in files if file.is_file())


def discover(folder: Path, settings: Mapping[str, ProgramSettings]) -> Iterator[Program]:
    """The programs of `folder` and of the folders below it, in the order of their names."""
    folder = folder.resolve()
    for place in _program_folders(folder):
        base = place.name if place == folder else str(place.relative_to(folder))
        executables = [each for each in _linked_executables(place) if each.uses_cuda()]
        executables = executables or [_without_makefile(place)]
        for executable in executables:
            suffix = executable.path.relative_to(place) if len(executables) > 1 else ""
            name = str(Path(base) / suffix)
            program = _make_program(name, executable, place, settings.get(name))
            if program.cuda_files:
                yield program


def _program_folders(folder: Path) -> Iterator[Path]:
    """Folders with a Makefile or with .cu files of their own, none inside another."""
    has_sources = any(entry.suffix == ".cu" for entry in folder.iterdir() if entry.is_file())
    if has_sources or find_makefile(folder) is not None:
        yield folder
        return
    for entry in sorted(folder.iterdir()):
        if entry.is_dir() and not entry.name.startswith(".") and not entry.is_symlink():
            yield from _program_folders(entry)


def _linked_executables(folder: Path) -> list[_Executable]:
    """What the folder's Makefile links."""
    build = dry_run_build(folder)
    compiled = {
        command.output: command
        for command in build.commands
        if command.compile_only and command.output is not None
    }
    linked: dict[Path, _Executable] = {}
    for command in build.commands:
        if command.compile_only or command.output is None:
            continue
        objects = _expand_archives(command.objects, build)
        parts = [compiled[path] for path in objects if path in compiled]
        if (command.sources or parts) and command.output.is_relative_to(folder):
            linked[command.output] = _Executable(command.output, (command, *parts))
    return list(linked.values())


def _expand_archives(objects: tuple[Path, ...], build: Build) -> Iterator[Path]:
    members = {archive.output: archive.objects for archive in build.archives}
    for path in dict.fromkeys(objects):
        yield from members.get(path, (path,))


def _without_makefile(folder: Path) -> _Executable:
    """All sources of the folder as one executable; those that another includes are left out.

    Sources of the folders below count where the folder has no .cu file of its own.
    """
    entries = sorted(entry.resolve() for entry in folder.iterdir())
    if not any(entry.suffix == ".cu" for entry in entries):
        entries = sorted(entry.resolve() for entry in folder.rglob("*"))
    sources = tuple(
        entry for entry in entries if entry.suffix in SOURCE_SUFFIXES and entry.is_file()
    )
    included = {
        file
        for source in sources
        for file in include_closure((source,), ()).files
        if file != source
    }
    words = ["nvcc", *(str(source) for source in sources if source not in included)]
    return _Executable(folder / "a.out", (parse_compiler(folder, words),))


def _make_program(
    name: str, executable: _Executable, folder: Path, settings: ProgramSettings | None
) -> Program:
    settings = settings or ProgramSettings()
    units = _make_units(folder, executable.commands, settings)
    include_dirs = tuple(dict.fromkeys(d for unit in units for d in unit.include_dirs))
    closure = include_closure(tuple(unit.source for unit in units), include_dirs)
    linked = dict.fromkeys(lib for command in executable.commands for lib in command.libraries)
    args = settings.args
    if args is None:
        args = dry_run_arguments(folder, executable.path.name)
    libraries = third_party(closure.missing, tuple(linked))
    return Program(
        name=name,
        folder=folder,
        root=Path(os.path.commonpath([folder, *(file.parent for file in closure.files)])),
        units=units,
        files=closure.files,
        cuda_files=closure.cuda_files() | {unit.source for unit in units if unit.cuda_language},
        kernels=count_kernels(closure.files),
        libraries=tuple(sorted({*libraries, *settings.third_party})),
        link_libraries=tuple(
            dict.fromkeys(one for lib in linked for one in _ON_CPU.get(lib, (lib,)))
        ),
        args=args,
        settings=settings,
    )


def _make_units(
    folder: Path, commands: tuple[Command, ...], settings: ProgramSettings
) -> tuple[Unit, ...]:
    extra = parse_compiler(folder, ["nvcc", *settings.flags])
    if settings.sources:
        commands = (parse_compiler(folder, ["nvcc", *settings.sources]),)
    units = {
        source: Unit(
            source,
            defines=(*command.defines, *extra.defines),
            include_dirs=(*command.include_dirs, *extra.include_dirs),
            forced_includes=(*command.forced_includes, *extra.forced_includes),
            standard=extra.standard or command.standard,
            cuda_language=command.cuda_language,
        )
        for command in commands
        for source in _existing(command.sources)
    }
    return tuple(units.values())
