"""Where outputs go, and how they get there without ever leaving half a file."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Final, final

from g2o.cli.inputs import shown_path
from g2o.cli.options import Request
from g2o.cli.report import CommandFault, write_bytes
from g2o.diagnostics.diagnostic import Diagnostic, Severity
from g2o.frontend.cuda.include_graph import real_path
from g2o.frontend.cuda.project import is_header
from g2o.runtime.headers import RUNTIME_HEADER, companion_headers

_INCLUDED: Final = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]*)"', re.MULTILINE)

_CUDA_SUFFIXES: Final = (".cu", ".cuh")
C_SUFFIX: Final = ".c"
_CPP_STANDARDS: Final = ("-std=c++", "-std=gnu++")
_EXIT_USAGE: Final = 2
_EXIT_FAULTS: Final = 1


def is_c(request: Request) -> bool:
    """Are all of the inputs C files?"""
    return all(path.suffix == C_SUFFIX for path in request.files) and not is_cuda_in_c(request)


def is_cuda_in_c(request: Request) -> bool:
    """Are `.c` files CUDA C++, as `nvcc -x cu` has it? A standard of C++ says that."""
    return any(flag.startswith(_CPP_STANDARDS) for flag in request.options.clang_flags)


@final
@dataclass(frozen=True, slots=True)
class Destination:
    """Where the translation of `source`, its `--header` and the runtime header go.

    `is_included`: the command line does not name the source, but another one includes it.
    """

    source: Path
    code: Path
    header: Path
    runtime_header: Path
    is_included: bool


def output_names(sources: Sequence[Path], *, cuda_in_c: bool = False) -> dict[Path, str]:
    """The file name of each translation: `x.cu` -> `x.omp.cpp`, `x.cuh` -> `x.omp.hpp`, and of C
    with derivatives `x.c` -> `x.g2o.c`, unless that is CUDA, too.

    Where `x.cuh` and `x.h` stand in one directory, CUDA's own suffix has the name and the other
    keeps its suffix: `x.h.omp.hpp`.
    """
    names: dict[Path, str] = {}
    taken: set[tuple[Path, str]] = set()
    for source in sorted(sources, key=_priority):
        suffix = ".omp.hpp" if is_header(source) else ".omp.cpp"
        if source.suffix == C_SUFFIX and not cuda_in_c:
            suffix = ".g2o.c"
        place = real_path(source.parent)
        name = source.stem + suffix
        if (place, name) in taken:
            name = source.name + suffix
        taken.add((place, name))
        names[source] = name
    return names


def _priority(source: Path) -> tuple[bool, str, str]:
    return source.suffix not in _CUDA_SUFFIXES, str(real_path(source)), str(source)


def plan_outputs(request: Request) -> tuple[Destination, ...]:
    """The destination of every input; raises CommandFault (exit 2) where they are in conflict."""
    destinations = tuple(_destinations(request))
    faults = [*_overwritten_inputs(destinations, request), *_shared_outputs(destinations)]
    if faults:
        raise CommandFault(_EXIT_USAGE, *faults)
    return destinations


def _destinations(request: Request) -> Iterator[Destination]:
    names = output_names(request.files, cuda_in_c=is_cuda_in_c(request))
    root = input_root(request)
    top = request.out_root if request.output is None else request.output.parent
    for source in request.files:
        is_included = source in request.included
        place = source.parent
        if is_included and not os.access(place, os.W_OK):
            place = request.files[0].parent
        code, runtime = place / names[source], place
        if request.output is not None and not is_included:
            code, runtime = request.output, request.output.parent
        elif top is not None:
            code = top / _mirrored(source, root, is_included).parent / names[source]
            runtime = top
        header = code.parent / f"{code.stem}.h"
        yield Destination(source, code, header, runtime / RUNTIME_HEADER, is_included)


def _mirrored(source: Path, root: Path, is_included: bool) -> Path:
    """`source` relative to `root`; of included files elsewhere what is left without `..`."""
    relative = Path(os.path.relpath(source, root))
    if relative.parts[:1] == (os.pardir,) and not is_included:
        message = f"not below the input root {shown_path(root)}"
        raise CommandFault(_EXIT_USAGE, _error("G2O0011", message, source))
    return Path(*(part for part in relative.parts if part != os.pardir))


def input_root(request: Request) -> Path:
    """The directory that the tree of outputs mirrors."""
    if request.in_root is not None:
        return request.in_root
    named = [source for source in request.files if source not in request.included]
    return Path(os.path.commonpath([source.absolute().parent for source in named]))


def _overwritten_inputs(
    destinations: Sequence[Destination], request: Request
) -> Iterator[Diagnostic]:
    inputs = {real_path(path) for path in request.files}
    for destination in destinations:
        outputs = [destination.code, destination.runtime_header]
        if request.options.header:
            outputs.append(destination.header)
        for output in outputs:
            if real_path(output) in inputs:
                message = f"output {shown_path(output)} would overwrite an input"
                yield _error("G2O0008", message, destination.source)


def _shared_outputs(destinations: Sequence[Destination]) -> Iterator[Diagnostic]:
    owners: dict[Path, Path] = {}
    for destination in destinations:
        code = real_path(destination.code)
        owner = owners.setdefault(code, destination.source)
        if real_path(owner) != real_path(destination.source):
            message = f"would be written to {shown_path(destination.code)}, as {shown_path(owner)}"
            yield _error("G2O0009", message, destination.source)


def included_headers(code: str, directory: Path) -> dict[Path, bytes]:
    """The headers beside the runtime's that a translation includes, and those that they include, in
    the directory of the runtime header."""
    folder = resources.files("g2o.runtime")
    found: dict[Path, bytes] = {}
    pending = [code]
    while pending:
        included = {name.rpartition("/")[2] for name in _INCLUDED.findall(pending.pop())}
        for name in sorted(included & companion_headers()):
            if directory / name not in found:
                found[directory / name] = folder.joinpath(name).read_bytes()
                pending.append(found[directory / name].decode("latin-1"))
    return found


def is_stdout(path: Path) -> bool:
    """Whether `-o` asks for standard output, which may be a file that must not be replaced."""
    return str(path) in ("-", "/dev/stdout")


def is_special(path: Path) -> bool:
    """Whether `path` is a device or a pipe: written to, never replaced."""
    if is_stdout(path):
        return True
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def write_all(contents: Mapping[Path, bytes]) -> None:
    """Write all of `contents`, or nothing.

    Every file is first written beside its destination, then all are renamed. Missing directories
    are made by the caller. Raises CommandFault (G2O0007) with the reason.
    """
    staged: dict[Path, Path] = {}
    try:
        for path, data in contents.items():
            if is_stdout(path):
                write_bytes(data)
            elif is_special(path):
                path.write_bytes(data)
            else:
                temporary, target = _stage(path, data, len(staged))
                staged[temporary] = target
        for temporary, target in staged.items():
            temporary.replace(target)
    finally:
        for temporary in staged:
            temporary.unlink(missing_ok=True)


def _stage(path: Path, data: bytes, number: int) -> tuple[Path, Path]:
    """Write `data` to a temporary file; returns it and the file that it is to replace."""
    temporary: Path | None = None
    try:
        target = real_path(path)  # a link stays a link, to the new text
        if target.is_dir():
            raise _cannot_write(path, "is a directory")
        temporary = target.with_name(f".g2o-{os.getpid()}-{number}.tmp")
        temporary.write_bytes(data)
        if target.exists():
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
    except OSError as fault:
        if temporary is not None and temporary.exists():
            temporary.unlink()
        raise _cannot_write(path, fault.strerror or str(fault)) from fault
    return temporary, target


def make_directories(paths: Sequence[Path]) -> None:
    """Make `paths` with their parents; raises CommandFault (G2O0007)."""
    for path in paths:
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            raise _cannot_write(path, fault.strerror or str(fault)) from fault


def _cannot_write(path: Path, reason: str) -> CommandFault:
    return CommandFault(_EXIT_FAULTS, _error("G2O0007", f"cannot write output: {reason}", path))


def _error(code: str, message: str, path: Path) -> Diagnostic:
    return Diagnostic(Severity.ERROR, code, message, path=shown_path(path))
