"""Kernels as a library of this machine: translated, compiled, loaded, and kept between processes.

What is kept is found by the source, the options, the compiler and its version, the processor and
g2o itself. The files that it was made of are listed beside it: where one of them has changed since,
it is made again. The translator is loaded when there is something to translate, not before.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, final

from g2o.diagnostics.source import files_read
from g2o.interop.arguments import Parameter, read_parameters
from g2o.interop.host_flags import host_flags
from g2o.lazy import loaded_on_use
from g2o.runtime.headers import all_headers, with_parts
from g2o.stamp import program_stamp
from g2o.user_cache import cache_place, drop, kept_folder

if TYPE_CHECKING:
    from g2o.interop import translate
else:
    translate = loaded_on_use("g2o.interop.translate")

_COMPILERS: Final = ("g++", "clang++", "c++")
_FLAGS: Final = (
    *("-std=c++17", "-O3", "-march=native", "-fno-math-errno", "-fopenmp"),
    # What a kernel calls is the library's own: libc has a `step`, `index` and `gamma`, too.
    *("-shared", "-fPIC", "-Wl,-Bsymbolic", "-w", "-MD"),
)
_NAMED: Final = "static const auto g2o_instance_"
_SEARCHED: Final = ("CPATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "GCC_EXEC_PREFIX")
_KEPT: Final = 500  # libraries of some hundred kilobytes
_CLOCK: Final = 10_000_000  # nanoseconds by which times of files may be late
_HERE: Final = Path(__file__).parent

# Behind the translation, for each function that is called: its kernel, and whether that takes the
# size of shared memory.
_ENTRY: Final = """
extern "C" int g2o_call_{index}(const char *frame)
{{
    return g2o_raw_kernel::launched<{takes_shared}, decltype({name})>(
        {name}, frame, g2o_raw_kernel_message, sizeof g2o_raw_kernel_message);
}}
extern "C" std::size_t g2o_describe_{index}(g2o_raw_kernel::Type *types)
{{
    return g2o_raw_kernel::described<{takes_shared}, decltype({name})>({name}, types);
}}
"""
_VARIABLE: Final = """
extern "C" void g2o_variable_{index}(g2o_raw_kernel::Variable *variable)
{{
    *variable = g2o_raw_kernel::variable(::{name});
}}
"""
_MESSAGE: Final = """
#include "wrapper.hpp"
static thread_local char g2o_raw_kernel_message[512];
extern "C" const char *g2o_message() { return g2o_raw_kernel_message; }
"""


class CompileError(Exception):
    """Raised where a translation cannot be compiled; `output` is what the compiler said."""

    def __init__(self, message: str, output: str = "") -> None:
        super().__init__(message)
        self.output = output


@final
@dataclass(frozen=True, slots=True)
class Entry:
    """A function that is to be called: a kernel, with its template arguments, or its derivative."""

    kernel: str
    suffix: str = ""

    @property
    def plain(self) -> str:
        """The kernel as a file names it."""
        return self.kernel.partition("<")[0].rpartition("::")[2].strip()

    @property
    def spelled(self) -> str:
        """The function as C++ names it."""
        plain, bracket, arguments = self.kernel.partition("<")
        suffix = f"_{self.suffix}" if self.suffix else ""
        return f"{plain.strip()}{suffix}{bracket}{arguments}"


@final
@dataclass(frozen=True, slots=True)
class Build:
    """What is to be made. The SPECs of `grads`, `jvps` and `hvps` are those of the command line.
    With `has_all` also the other kernels that are no templates, with the derivatives that a SPEC ""
    is of, and the variables of the device."""

    code: str
    options: tuple[str, ...]
    entries: tuple[Entry, ...]
    compiler: str | None = None
    grads: tuple[str, ...] = ()
    jvps: tuple[str, ...] = ()
    hvps: tuple[str, ...] = ()
    has_all: bool = False
    associative_math: bool = False

    @property
    def flags(self) -> tuple[str, ...]:
        """The options, as compilers for the host take them."""
        return tuple(host_flags(self.options))


@final
@dataclass(frozen=True, slots=True)
class Signature:
    """An entry's parameters by name, and which of them have shadows in it, in their order."""

    names: tuple[str, ...]
    shadows: tuple[str, ...]
    takes_shared_bytes: bool


@final
@dataclass(frozen=True, slots=True)
class Function:
    """A function of a library that was loaded. `parameters` are all that it takes, shadows too;
    `variables` describe those of the device, by name."""

    entry: Entry
    signature: Signature
    parameters: tuple[Parameter, ...]
    call: Callable[[bytes], int]
    message: Callable[[], bytes]
    variables: Mapping[str, Callable[..., None]]


def translated(build: Build) -> translate.Translation:
    """The translation. Raises TranslationError.

    Kernel templates are translated as the instances that are wanted, of which more is known; where
    that does not go, as templates.
    """
    wanted = dict.fromkeys(one.kernel for one in build.entries if "<" in one.kernel)
    names = {Entry(one).plain for one in wanted}
    if wanted:
        named = (f"{_NAMED}{i} = &{one};\n" for i, one in enumerate(wanted))
        made = _translated(build, f"{build.code}\n{''.join(named)}", names)
        if made.ok:
            lines = made.code.splitlines(keepends=True)
            return replace(made, code="".join(one for one in lines if not one.startswith(_NAMED)))
    return translate.checked(_translated(build, build.code, ()))


def _translated(build: Build, code: str, instances: Iterable[str]) -> translate.Translation:
    with tempfile.TemporaryDirectory(prefix="g2o-") as folder:
        source = Path(folder) / "kernel.cu"
        source.write_text(code, encoding="utf-8")
        made = translate.translate(
            source,
            grad=build.grads,
            jvp=build.jvps,
            hvp=build.hvps,
            associative_math=build.associative_math,
            instances=instances,
            flags=build.flags,
        )
        found = tuple(one.in_file(str(source), source.name) for one in made.diagnostics)
    return replace(made, diagnostics=found)


def loaded(build: Build) -> tuple[Function, ...]:
    """The functions of a build: one for each entry, then all the others that it has. Raises
    TranslationError and CompileError."""
    compiler = _compiler(build.compiler)
    name = f"kernel-{_key(build, compiler)[:32]}"
    kept = cache_place() / name
    functions = _kept(kept)
    if functions is not None:
        return functions
    made_with = functools.partial(_make, build, compiler)
    try:
        functions = _functions(kept_folder(name, made_with, _KEPT))
    except OSError:
        functions = None  # there is no place to keep it, or it is full
    if functions is None:
        with tempfile.TemporaryDirectory(prefix="g2o-") as folder:
            made_with(Path(folder))
            functions = _functions(Path(folder))  # stays mapped when the file is gone
    return functions


def _kept(folder: Path) -> tuple[Function, ...] | None:
    """The functions of a library that is kept; None where there is none, or it is outdated."""
    try:
        manifest = json.loads((folder / "manifest.json").read_bytes())
        known: str = manifest["library"]
        digest = hashlib.sha256((folder / f"{known}.so").read_bytes()).hexdigest()
        files: dict[str, str] = manifest["files"]
        if digest != known or any(_state(one) != was for one, was in files.items()):
            drop(folder)
            return None
        functions = _functions(folder)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    try:
        os.utime(folder)
    except OSError:
        return functions  # others may read what they may not change
    return functions


def _functions(folder: Path) -> tuple[Function, ...]:
    manifest = json.loads((folder / "manifest.json").read_bytes())
    library = ctypes.CDLL(str(folder / f"{manifest['library']}.so"))
    message = library["g2o_message"]
    message.restype = ctypes.c_char_p
    found: list[Function] = []
    names: list[str] = manifest["variables"]
    variables = {name: library[f"g2o_variable_{i}"] for i, name in enumerate(names)}
    for index, said in enumerate(manifest["entries"]):
        call = library[f"g2o_call_{index}"]
        call.argtypes = (ctypes.c_char_p,)
        shadows, shared = tuple(said["shadows"]), said["takes_shared_bytes"]
        signature = Signature(tuple(said["names"]), shadows, shared)
        parameters = read_parameters(library[f"g2o_describe_{index}"])
        entry = Entry(*said["entry"])
        found.append(Function(entry, signature, parameters, call, message, variables))
    return tuple(found)


def _make(build: Build, compiler: str, folder: Path) -> None:
    """Fill a folder with the library and what tells of it."""
    begin = time.time_ns()
    made = translated(build)
    wanted = build.entries
    if build.has_all:
        plain = [one for one in made.signatures if not one.is_template]
        every = {"grad": build.grads, "jvp": build.jvps, "hvp": build.hvps}
        derived = [
            Entry(one.qualified, suffix)
            for suffix, specs in every.items()
            for one in plain
            if "" in specs and one.shadows.get(suffix)
        ]
        kernels = [Entry(one.qualified) for one in plain]
        wanted = tuple(dict.fromkeys((*wanted, *kernels, *derived)))
    signatures = [_signature(entry, made) for entry in wanted]
    variables = made.variables if build.has_all else ()
    entries = (
        _ENTRY.format(
            index=index,
            name=translate.spelled_in(build.code, entry.spelled),
            takes_shared=str(signature.takes_shared_bytes).lower(),
        )
        for index, (entry, signature) in enumerate(zip(wanted, signatures, strict=True))
    )
    described = (_VARIABLE.format(index=i, name=name) for i, name in enumerate(variables))
    # Template arguments may name parts of the runtime that the translation does without.
    text = with_parts("\n".join((made.code, _MESSAGE, *entries, *described)))
    with tempfile.TemporaryDirectory(prefix="g2o-") as scratch:
        place = Path(scratch)
        (place / "kernel.cpp").write_bytes(text.encode("utf-8"))
        (place / "cassert").write_bytes((_HERE / "assert.hpp").read_bytes())
        (place / "wrapper.hpp").write_bytes((_HERE / "wrapper.hpp").read_bytes())
        for header, contents in all_headers("cpu").items():
            (place / header).write_bytes(contents)
        _compile(compiler, build.flags, place)
        files = _made_of(place, build.flags)
        library = (place / "kernel.so").read_bytes()
    if any(_changed_at(file) >= begin - _CLOCK for file in files):
        files = {**files, "/": ""}  # it may have changed while it was read: made again next time
    digest = hashlib.sha256(library).hexdigest()  # the loader knows libraries by their names
    manifest = {
        "library": digest,
        "entries": [
            {**asdict(signature), "entry": (entry.kernel, entry.suffix)}
            for entry, signature in zip(wanted, signatures, strict=True)
        ],
        "variables": variables,
        "files": files,
    }
    (folder / f"{digest}.so").write_bytes(library)
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="ascii")


def _signature(entry: Entry, made: translate.Translation) -> Signature:
    found = next((one for one in made.signatures if one.name == entry.plain), None)
    if found is None:
        known = ", ".join(made.kernels) or "none"
        raise CompileError(f"there is no kernel '{entry.plain}'; kernels of the source: {known}")
    shadows = found.shadows.get(entry.suffix, ())
    return Signature(found.parameters, shadows, found.takes_shared_bytes)


def _compile(compiler: str, options: Iterable[str], place: Path) -> None:
    library = place / "kernel.so"
    listed = ("-MF", str(place / "kernel.d"), "-I", str(place))
    command = [compiler, *_FLAGS, *listed, *options, str(place / "kernel.cpp"), "-o", str(library)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", check=False
        )
    except OSError as fault:
        raise CompileError(f"the compiler {compiler} does not run: {fault.strerror}") from fault
    if done.returncode != 0:
        output = done.stderr or done.stdout
        raise CompileError(f"{compiler} cannot compile the translation: {_first(output)}", output)


def _first(output: str) -> str:
    """The first error of a compiler's output, without the place of the file, which is gone."""
    lines = output.splitlines()
    errors = [line for line in lines if "error" in line or "undefined" in line] or lines
    return re.sub(r"\S*kernel\.cpp:(\d+):\d+: ", r"line \1: ", (errors or ["it says nothing"])[0])


def _made_of(place: Path, options: Iterable[str]) -> dict[str, str]:
    """What the library depends on, and how it is now: files, and directories that are searched."""
    text = (place / "kernel.d").read_text(encoding="utf-8", errors="surrogateescape")
    _, _, listed = text.replace("\\\n", " ").partition(": ")
    words = re.findall(r"(?:\\.|\S)+", listed)
    files = {re.sub(r"\\(.)", r"\1", word) for word in words}
    files |= {name for name in files_read() if Path(name).is_file()}
    searched = re.findall(r"(?:^|\0)-(?:I|isystem|iquote)\0?([^\0]+)", "\0".join(options))
    absolute = {str(Path(name).resolve()) for name in (*files, *searched) if name[:1] != "<"}
    own = (str(place.resolve()), str(_HERE.parent), str(Path(tempfile.gettempdir(), "g2o-")))
    outside = (name for name in sorted(absolute) if not name.startswith(own))
    return {name: state for name in outside if (state := _state(name))}


def _state(name: str) -> str:
    try:
        stat = os.stat(name)  # noqa: PTH116
    except OSError:
        return ""
    return f"{stat.st_ino} {stat.st_size} {stat.st_mtime_ns}"


def _changed_at(name: str) -> int:
    try:
        return Path(name).stat().st_mtime_ns
    except OSError:
        return 0


def _compiler(wish: str | None) -> str:
    named = wish or os.environ.get("CXX")
    names = (named,) if named else _COMPILERS
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        raise CompileError(f"there is no C++ compiler: none of {', '.join(names)}")
    return found


def _key(build: Build, compiler: str) -> str:
    searched = [os.environ.get(name) for name in _SEARCHED]
    here = os.getcwd() if build.options else ""  # noqa: PTH109
    program = _program()
    what = (build, compiler, _version(compiler), _processor(), program, searched, here, _FLAGS)
    return hashlib.sha256(repr(what).encode("utf-8", "surrogateescape")).hexdigest()


@functools.cache
def _program() -> str:
    """g2o itself, and what it calls."""
    return repr(program_stamp())


@functools.cache
def _version(compiler: str) -> bytes:
    try:
        done = subprocess.run((compiler, "--version"), capture_output=True, check=False)
    except OSError as fault:
        raise CompileError(f"the compiler {compiler} does not run: {fault.strerror}") from fault
    return done.stdout


@functools.cache
def _processor() -> str:
    """What `-march=native` depends on."""
    try:
        with Path("/proc/cpuinfo").open(encoding="ascii", errors="replace") as lines:
            first = [line for line, _ in zip(lines, range(64), strict=False)]
    except OSError:
        return platform.processor()
    return "".join(one for one in first if one.startswith(("model", "flags", "Features", "CPU")))
