"""Builds the emulated CUDA program and its translation, both as ordinary executables.

Both builders compile every source on its own and link the objects, as the programs' own makefiles
do. Nothing is retried with other options: what does not build is a `BuildFailure`.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import final

from g2o.frontend.cuda.libraries import LIBRARY_DECLARATIONS
from g2o.verify.emulator.rewrite import SourceSet
from g2o.verify.kept import EMULATOR, HEADER, forget, kept_object, precompiled_header

RUNTIME = Path(__file__).parents[1] / "runtime"
C_SUFFIX = ".c"
CUDA_SUFFIXES = frozenset({".cu", ".cuh"})


@final
@dataclass(frozen=True, slots=True)
class BuildOptions:
    """How to compile. `flags` go to every compilation, `link_flags` behind the objects. `in_step`:
    the lanes of a warp are kept in step when the source is emulated."""

    compiler: str = "g++"
    standard: str = "c++17"
    optimization: str = "-O1"
    flags: tuple[str, ...] = ()
    link_flags: tuple[str, ...] = ()
    include_directories: tuple[Path, ...] = ()
    sanitize_addresses: bool = False
    in_step: bool = False
    timeout: float = 300.0


@final
@dataclass(frozen=True, slots=True)
class Executable:
    """A program that was built; `library_path` is what the loader needs to find its OpenMP."""

    path: Path
    library_path: str = ""


@final
@dataclass(frozen=True, slots=True)
class BuildFailure:
    """What was run and everything it said."""

    command: tuple[str, ...]
    output: str

    @property
    def first_error(self) -> str:
        """The first line that reports an error, or the first line at all."""
        lines = self.output.splitlines()
        errors = [line for line in lines if "error" in line or "undefined reference" in line]
        return (errors or lines or ["no output"])[0]


BuildResult = Executable | BuildFailure


def build_emulated(
    sources: Sequence[Path], directory: Path, options: BuildOptions | None = None
) -> BuildResult:
    """Build the CUDA program made of `sources` for the emulator, in `directory`.

    `.cu` files are rewritten; other files are compiled as they are, with the emulator's headers
    in place of the CUDA toolkit's. Raises OSError when a source cannot be read.
    """
    options = options or BuildOptions()
    directories = tuple(p for p in options.include_directories if not _is_toolkit(p))
    objects: list[Path] = []
    kept = precompiled_header((*_compiler(options), *_common_flags(options)))
    for index, source in enumerate((*sources, *_c_symbols(sources, directory))):
        forced: tuple[str, ...] = ()
        compiled = source
        header = EMULATOR / HEADER if kept is None else kept
        if source.suffix in CUDA_SUFFIXES:
            place = directory / "rewritten" / f"{index:03d}"
            compiled = SourceSet(place, directories, options.in_step).add(source.resolve())
            forced = (
                *("-DG2O_EMULATED_SOURCE", "-include", str(header)),
                *("-iquote", str(source.parent)),
            )
        command = (
            *_compiler(options, source),
            *("-iquote", str(EMULATOR / "libraries")),  # before what `translate` wrote
            *forced,
            *_common_flags(options),
            *(flag for place in directories for flag in ("-I", str(place))),
            *("-I", str(EMULATOR / "include")),
            *("-I", str(LIBRARY_DECLARATIONS), "-I", str(RUNTIME)),  # Thrust
        )
        target = directory / f"{index:03d}_{source.stem}.o"
        built = _compile(command, compiled, target, options)
        if isinstance(built, BuildFailure) and kept is not None:  # what it read may have changed
            plain = [str(EMULATOR / HEADER) if one == str(kept) else one for one in command]
            built = _compile(tuple(plain), compiled, target, options)
            if isinstance(built, Path):
                forget(kept)
        if isinstance(built, BuildFailure):
            return built
        objects.append(built)
    core = _core_object(options, directory)
    if isinstance(core, BuildFailure):
        return core
    return _link(options, [*objects, core], directory / "emulated", "")


def build_translation(
    sources: Sequence[Path], directory: Path, options: BuildOptions | None = None
) -> BuildResult:
    """Build an OpenMP translation (or any plain C++ program) made of `sources` in `directory`."""
    options = options or BuildOptions()
    objects: list[Path] = []
    for index, source in enumerate(sources):
        command = (
            *_compiler(options, source),
            *_common_flags(options),
            "-fopenmp",
            *(flag for place in options.include_directories for flag in ("-I", str(place))),
        )
        built = _compile(command, source, directory / f"{index:03d}_{source.stem}.o", options)
        if isinstance(built, BuildFailure):
            return built
        objects.append(built)
    return _link(options, objects, directory / "translated", "-fopenmp")


def _core_object(options: BuildOptions, directory: Path) -> Path | BuildFailure:
    """The emulator's own object, kept between builds below the user's cache directory."""
    text = f'#include "{EMULATOR / "core" / "core.hpp"}"\n'
    sanitize = ("-fsanitize=address",) if options.sanitize_addresses else ()
    command = (options.compiler, "-std=c++17", "-O2", "-g", "-w", *sanitize)
    kept = kept_object(command, text)
    if kept is not None:
        return kept
    directory.mkdir(parents=True, exist_ok=True)
    source = directory / "core.cpp"
    source.write_bytes(os.fsencode(text))
    return _compile(command, source, directory / "core.o", options)


def _is_toolkit(directory: Path) -> bool:
    """The headers of a CUDA toolkit; the emulator's take their place."""
    return (directory / "cuda_runtime_api.h").is_file()


def _c_symbols(sources: Sequence[Path], directory: Path) -> tuple[Path, ...]:
    """C sources call the runtime API by its C symbols; other programs do not need them."""
    if all(source.suffix != C_SUFFIX for source in sources):
        return ()
    directory.mkdir(parents=True, exist_ok=True)
    symbols = directory / "c_symbols.cpp"
    symbols.write_bytes(os.fsencode(f'#include "{EMULATOR / "parts" / "c_symbols.hpp"}"\n'))
    return (symbols,)


def compiler_for(compiler: str, standard: str, source: Path | None = None) -> tuple[str, ...]:
    """The compiler of a source: that of C, which goes with the one of C++, for C."""
    if source is not None and source.suffix == C_SUFFIX:
        return ("clang-19",) if "clang" in compiler else ("gcc",)
    return (compiler, f"-std={standard}")


def _compiler(options: BuildOptions, source: Path | None = None) -> tuple[str, ...]:
    return compiler_for(options.compiler, options.standard, source)


def _common_flags(options: BuildOptions) -> tuple[str, ...]:
    sanitize = ("-fsanitize=address", "-g") if options.sanitize_addresses else ()
    return (options.optimization, "-w", *sanitize, *options.flags)


def _compile(
    command: tuple[str, ...], source: Path, target: Path, options: BuildOptions
) -> Path | BuildFailure:
    target.parent.mkdir(parents=True, exist_ok=True)
    failure = _run((*command, "-c", str(source), "-o", str(target)), options.timeout)
    return failure or target


def _link(options: BuildOptions, objects: Sequence[Path], target: Path, openmp: str) -> BuildResult:
    command = (
        options.compiler,
        *_common_flags(options),
        *((openmp,) if openmp else ()),
        *(str(path) for path in objects),
        *("-o", str(target)),
        *options.link_flags,
        *("-lm", "-lpthread"),
    )
    failure = _run(command, options.timeout)
    library_path = "/usr/lib/llvm-19/lib" if "clang++-19" in options.compiler else ""
    return failure or Executable(target, library_path)


def _run(command: tuple[str, ...], timeout: float) -> BuildFailure | None:
    try:
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return BuildFailure(command, f"error: no result after {timeout:g} s")
    except FileNotFoundError:
        return BuildFailure(command, f"error: there is no compiler '{command[0]}'")
    if done.returncode == 0:
        return None
    return BuildFailure(command, done.stdout.decode("utf-8", "replace"))
