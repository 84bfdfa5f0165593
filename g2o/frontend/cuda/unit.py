"""One parsed CUDA file: its text, the files it includes, its macros, and what clang said of it."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import final

from g2o.diagnostics.diagnostic import Diagnostic, Note, Severity, error
from g2o.diagnostics.source import SourceFile, SourceSpan
from g2o.frontend.cuda.api import DEVICE_ONLY_FUNCTIONS, emitted_name
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.clang_unit import ClangMessage, TranslationUnit
from g2o.frontend.cuda.device_conditions import ARCHITECTURE, as_device_takes_it, device_conditions
from g2o.frontend.cuda.device_launches import as_expressions, device_launches
from g2o.frontend.cuda.device_macros import DeviceMacros
from g2o.frontend.cuda.include_graph import is_of_system, real_path
from g2o.frontend.cuda.includes import empty_includes, library_faults
from g2o.frontend.cuda.launch_sizes import Sizes, may_hide_sizes, sizes_given, written_out
from g2o.frontend.cuda.launch_syntax import parse_launches
from g2o.frontend.cuda.lexer import lex
from g2o.frontend.cuda.libraries import (
    LIBRARY_DECLARATIONS,
    is_provided,
    library_of_header,
    library_of_name,
    library_of_namespace,
    provided_headers,
)
from g2o.frontend.cuda.macros import Macro, macros
from g2o.frontend.cuda.names_around import scopes_around
from g2o.frontend.cuda.parsed import ParseCache, Parsed, Prelude
from g2o.frontend.cuda.precompiled import may_mention
from g2o.frontend.cuda.project import Context
from g2o.frontend.cuda.reading import Headers, read_source, with_written_out
from g2o.frontend.cuda.redeclared import is_redeclared, repeated_attributes
from g2o.frontend.cuda.torch_headers import NO_OPERATORS, torch_headers
from g2o.frontend.cuda.unit_facts import UnitFacts
from g2o.frontend.edits import EditedText
from g2o.ir.kernel import Spaces
from g2o.runtime.headers import OVER_OTHERS, RUNTIME

DECLARATIONS = Path(__file__).parent / "declarations"
_BASE_FLAGS = (
    "-x",
    "cuda",
    "--cuda-host-only",
    "-nocudainc",
    "-nocudalib",
    "--cuda-path=/nonexistent",  # a toolkit that clang finds decides which function a launch calls
    "-Xclang",
    "-target-sdk-version=12.0",
    "-Xclang",
    "-fcuda-allow-variadic-functions",  # std::pair has constructors of that kind
    "-Wno-unknown-cuda-version",
    "-Wno-everything",
    "-ferror-limit=0",
    "-fbracket-depth=1024",
    *("-Xclang", "-fno-cxx-modules"),  # with these, what is kept of a header mixes up overloads
    f"-I{DECLARATIONS}",
    f"-I{LIBRARY_DECLARATIONS}",
)
_PRELUDE = DECLARATIONS / "g2o_cuda.h"
_MACROS = tuple(DECLARATIONS / "g2o" / name for name in ("torch_macros.h", "torch_shuffles.h"))
_DECIDING = ("-D", "-U", "-std")
_SEARCHING = ("-I", "-isystem", "-iquote", "-idirafter")
_LIBRARY = "G2O0206"
_OWN_TEXTURES = ("redefinition of 'texture'", "redefinition of 'surface'")
_WHERE_INCLUDES_ARE = (
    "-I DIR looks for includes in DIR; -p DIR takes the flags from DIR/compile_commands.json"
)
_WHERE_OPERATORS_ARE = (
    "PyTorch builds extensions without operators of 16-bit types: where yours is built with"
    " -U__CUDA_NO_HALF_OPERATORS__, g2o takes it behind --, too"
)
_NARROW = re.compile(r"'(?:const )?__(half2?|nv_bfloat162?)'")
_UNDECLARED = re.compile(r"(?:use of undeclared identifier|unknown type name) '(\w+)'")
_NO_MEMBER = re.compile(r"no (?:type |template )?(?:member )?named '(\w+)' in namespace '(\w+)")
_NO_LINKAGE = "cannot be defined in any other translation unit because its type does not have link"
_NO_LOOP = "loop to follow '#pragma unroll'"
_WORD = re.compile(r"\w+")
_SPACED_OPENING = re.compile(r"<<[ \t]+<")


@functools.cache
def compiler_includes() -> tuple[str, ...]:
    """Flags for the builtin headers (stddef.h ...) that the libclang wheel does not bring."""
    compiler = shutil.which("gcc") or shutil.which("g++") or shutil.which("cc")
    if compiler is None:
        return ()
    command = [compiler, "-print-file-name=include"]
    found = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    return ("-isystem", found) if found and Path(found).is_dir() else ()


@final
@dataclass(frozen=True, slots=True)
class FunctionInfo:
    """A function that kernels call and whose definition is in the program."""

    key: str
    cursor: Cursor


@final
@dataclass(slots=True)
class SourceUnit:
    """`main` is the file being translated, `main_path` what clang calls it.

    The translation unit may be that of another file, which includes it.
    """

    main: SourceFile
    main_path: str
    translation_unit: TranslationUnit
    parsed: Parsed
    files: dict[str, SourceFile]
    edits: dict[str, EditedText] = field(default_factory=dict[str, EditedText])
    semantic_renames: dict[str, dict[int, str]] = field(default_factory=dict[str, dict[int, str]])
    functions: dict[str, FunctionInfo] = field(default_factory=dict[str, FunctionInfo])
    lambdas: dict[str, Cursor] = field(default_factory=dict[str, Cursor])  # operators, by type
    macro_begins: dict[str, set[int]] = field(default_factory=dict[str, set[int]])
    reserved_names: frozenset[str] = frozenset()
    headers: Headers = field(default_factory=Headers)
    skipping_unit: TranslationUnit | None = None
    specialised_templates: frozenset[str] | None = None
    names_by_namespace: Mapping[str, set[Spaces]] | None = None
    functions_by_name: dict[str, list[Cursor]] | None = None
    macro_table: dict[str, tuple[Macro, ...]] | None = None
    sizes: Sizes | None = None

    def file_of(self, cursor: Cursor) -> SourceFile:
        return self.source_file(cursor.file)

    def source_file(self, name: str) -> SourceFile:
        """The file that clang calls `name`."""
        known = self.files.get(name)
        if known is None:
            known = read_source(Path(name), headers=self.headers) if name else self.main
            self.files[name] = known
        return known

    def named_files(self) -> dict[str, SourceFile]:
        """The files that have been looked at, but for what clang gives no name: that is of the main
        file, whatever its text is."""
        return {name: file for name, file in self.files.items() if name}

    def user_files(self) -> tuple[str, ...]:
        """What clang calls the files of the unit that are not the system's."""
        included = (name for _, name, _ in self.translation_unit.includes)
        names = dict.fromkeys((self.main_path, *included))
        return tuple(name for name in names if not is_system_file(name))

    def changed_headers(self) -> dict[str, str]:
        """The texts of the headers in which macros define kernels, or kernels launch kernels, by
        what clang calls them."""
        headers = (name for name in self.user_files() if name not in self.parsed.texts)
        files = {name: self.source_file(name) for name in headers}
        return {name: file.text for name, file in files.items() if _is_changed(file)}

    def own_files(self) -> tuple[SourceFile, ...]:
        """All files of the unit that are not the system's, the main file among them."""
        names = (name for name in self.user_files() if name != self.main_path)
        return (self.main, *map(self.source_file, names))

    @property
    def root(self) -> SourceFile:
        """The file that clang was given: the main file, or one that includes it."""
        return self.source_file(self.parsed.root)

    def files_with_macros(self) -> tuple[SourceFile, ...]:
        """All that defines macros for the main file: what includes it may do so in front of it, and
        g2o has some in place of a library's functions."""
        included = (name for _, name, _ in self.translation_unit.includes)
        libraries = (self.source_file(name) for name in included if Path(name) in _MACROS)
        return tuple(dict.fromkeys((self.main, self.root, *libraries, *self.own_files())))

    def skipped(self, file: SourceFile) -> tuple[tuple[int, int], ...]:
        """The byte ranges of one of its files that the preprocessor skips."""
        if not self.parsed.skips:
            self.parsed = replace(self.parsed, skips=True)
            self.skipping_unit = self.parsed.unit()
        unit = self.skipping_unit or self.translation_unit
        names = [name for name, known in self.files.items() if known is file]
        return unit.skipped(names[0]) if names else ()

    def renamed(self, cursor: Cursor, begin: int, end: int) -> str:
        """A slice of the cursor's file with the CUDA names in it that are known by now replaced."""
        text = self.file_of(cursor).text
        pieces: list[str] = []
        for offset, name in sorted(self.semantic_renames.get(cursor.file, {}).items()):
            if begin <= offset < end:
                pieces += [text[begin:offset], name]
                word = _WORD.match(text, offset)
                begin = offset if word is None else word.end()
        return "".join(pieces) + text[begin:end]

    def renames_in(self, file: SourceFile) -> dict[int, str]:
        """The emitted names in one of its files, whatever clang calls it: `./a.h` and `a.h`."""
        names = (name for name, known in self.files.items() if known.path == file.path)
        found: dict[int, str] = {}
        for name in names:
            found.update(self.semantic_renames.get(name, {}))
        return found

    def macros_named(self, name: str) -> tuple[Macro, ...]:
        """All definitions of a macro in files of the program."""
        if self.macro_table is None:
            table: dict[str, tuple[Macro, ...]] = {}
            for file in self.files_with_macros():
                for macro in macros(lex(file.text)):
                    table[macro.name] = (*table.get(macro.name, ()), macro)
            self.macro_table = table
        return self.macro_table.get(name, ())

    def names_through_macros(self) -> frozenset[str]:
        """What the main file names by macros, where it includes a library of CUDA that a header of
        its own stands for: `#define fftHandle cufftHandle` may be in another file."""
        if not self.libraries():
            return frozenset()
        waiting = [token.text for token in lex(self.main.text).code]
        found: set[str] = set()
        while waiting:
            for macro in self.macros_named(waiting.pop()):
                new = {token.text for token in macro.body} - found
                found |= new
                waiting += new
        return frozenset(found)

    def libraries(self) -> frozenset[str]:
        """The parts of the runtime that stand for included headers of CUDA's libraries and need
        other libraries."""
        included = {Path(name).name for _, name, _ in self.translation_unit.includes}
        return frozenset(OVER_OTHERS[name] for name in included & OVER_OTHERS.keys())

    def launch_sizes(self) -> Sizes:
        """How many sizes the launches of the main file are given; nothing where none can have
        others than are spelled."""
        if self.sizes is None:
            self.sizes = {}
            found = parse_launches(self.main)[0] if "<<" in self.main.text else ()
            files = self.files_with_macros() if found else ()
            known = {macro.name: macro for file in files for macro in macros(lex(file.text))}
            if any(may_hide_sizes(launch, known) for launch in found):
                own = tuple(c for c in self.translation_unit.top_level if not self.is_system(c))
                self.sizes = sizes_given(self.main, self.main_path, own, known)
        return self.sizes

    def in_macro_body(self, cursor: Cursor) -> bool:
        return cursor.spelling_begin != cursor.begin

    def is_declaration(self, cursor: Cursor) -> bool:
        """Is this one of g2o's own declarations of CUDA?"""
        return cursor.file.startswith(str(DECLARATIONS))

    def is_system(self, cursor: Cursor) -> bool:
        return is_system_file(cursor.file)

    def note_function(self, declaration: Cursor) -> None:
        """Remember a called function whose body is in the program."""
        template = declaration.pattern
        key = template.usr
        if key in self.functions or self.is_system(template):
            return
        definition = template if template.is_definition else template.definition
        if definition is None:
            return
        self.functions[key] = FunctionInfo(key, definition)

    def note_lambda(self, cursor: Cursor) -> None:
        """Remember what a call of a lambda that has been given to a template runs."""
        for method in cursor.type.declaration.children:
            if method.spelling == "operator()" and method.kind == "CXX_METHOD":
                self.note_function(method)
                self.lambdas[cursor.type.spelling] = method

    def declared(self) -> Iterator[Cursor]:
        """What the program declares outside of functions and classes."""
        pending = [c for c in self.translation_unit.top_level if not self.is_system(c)]
        for cursor in pending:
            if cursor.kind in ("NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"):
                pending.extend(cursor.children)
            else:
                yield cursor

    def names_in_namespaces(self) -> Mapping[str, set[Spaces]]:
        """The names that the program declares in namespaces, with these, outermost first."""
        if self.names_by_namespace is None:
            found: dict[str, set[Spaces]] = {}
            for cursor in self.declared():
                scopes = (one.spelling for one in reversed(scopes_around(cursor)))
                spaces = tuple(filter(None, scopes))
                if spaces and cursor.spelling:
                    found.setdefault(cursor.spelling, set()).add(spaces)
            self.names_by_namespace = found
        return self.names_by_namespace

    def specialised(self) -> frozenset[str]:
        """The keys of function templates of which the program defines an explicit
        specialisation."""
        if self.specialised_templates is None:
            self.specialised_templates = frozenset(
                cursor.template.usr
                for cursor in self.declared()
                if cursor.kind == "FUNCTION_DECL" and cursor.template is not None
            )
        return self.specialised_templates

    def functions_named(self, name: str) -> tuple[Cursor, ...]:
        """The functions of the program with this name, in whatever namespace; no methods."""
        if self.functions_by_name is None:
            self.functions_by_name = {}
            for cursor in self.declared():
                if cursor.kind in ("FUNCTION_DECL", "FUNCTION_TEMPLATE"):
                    self.functions_by_name.setdefault(cursor.spelling, []).append(cursor)
        return tuple(self.functions_by_name.get(name, ()))

    def note_reference(
        self, cursor: Cursor, target: Cursor, *, on_device: bool = False
    ) -> str | None:
        """Remember the emitted name of a CUDA entity spelled at `cursor`, and return it.

        `on_device`: the code is for the device alone, where `clock` is not the C library's.
        """
        name = target.spelling
        if Path(target.file).name in provided_headers():
            return None  # `thrust::max`: the names of libraries stay
        if self.is_declaration(target):
            emitted = emitted_name(name)
        elif on_device and name in DEVICE_ONLY_FUNCTIONS and self.is_system(target):
            emitted = DEVICE_ONLY_FUNCTIONS[name]
        else:
            return None
        text = self.file_of(cursor).text
        offset = cursor.begin + 2 * text.startswith("::", cursor.begin)  # `::max(a, b)`
        if emitted is not None and text.startswith(name, offset) and not self.in_macro_body(cursor):
            self.semantic_renames.setdefault(cursor.file, {})[offset] = emitted
        return emitted

    def note_types(self, cursor: Cursor) -> None:
        """Remember CUDA types spelled in a declaration."""
        for node in cursor.children:
            if node.kind == "TYPE_REF" and node.referenced is not None:
                self.note_reference(node, node.referenced)


def parse_unit(
    path: Path,
    flags: tuple[str, ...],
    shown_as: str,
    context: Context | None = None,
    cache: ParseCache | None = None,
) -> tuple[SourceUnit, tuple[Diagnostic, ...]]:
    """Parse `path` as CUDA, through `context` where it is only a fragment that `context` includes.
    `cache` has the units that were parsed before.

    Returns the unit and what clang reports of errors. Raises OSError where the file cannot be read.
    """
    root, flags = (path, flags) if context is None else (context.path, context.flags)
    main = read_source(path, shown_as)
    given = main if context is None else read_source(root)
    texts = texts_for_clang({str(root): given.text}) if _is_changed(given) else {}
    skips = ARCHITECTURE in main.text
    parsed = Parsed(str(root), _arguments(flags), texts, skips, _PRELUDE, _prelude(flags))
    unit_raw = parsed.unit() if cache is None else cache.unit(parsed)
    if any(message.text.startswith(_OWN_TEXTURES) for message in _errors(unit_raw)):
        flags = (*flags, "-DG2O_OWN_TEXTURES")
        parsed = replace(parsed, arguments=_arguments(flags), prelude=_prelude(flags))
        unit_raw = parsed.unit() if cache is None else cache.unit(parsed)
    name = str(path) if context is None else _spelled_name(unit_raw, path)
    unit = SourceUnit(main, name, unit_raw, parsed, {name: main})
    changed = unit.changed_headers()
    if changed:
        parsed = replace(parsed, texts={**texts, **texts_for_clang(changed)})
        unit_raw = parsed.unit() if cache is None else cache.unit(parsed)
        unit = SourceUnit(main, name, unit_raw, parsed, unit.files, headers=unit.headers)
    unit = _with_attributes_repeated(unit)
    faults = [*faults_of(unit)]
    if not faults and name and (spelled_out := _with_sizes_written_out(unit)) is not None:
        return spelled_out, ()
    if any(fault.code == _LIBRARY for fault in faults):  # clang stops at the first
        empty = empty_includes(unit_raw.includes)
        own = library_faults(main, UnitFacts({}, empty_includes=empty))
        known = {fault.span for fault in own}
        faults = [*own, *(fault for fault in faults if fault.span not in known)]
    return unit, tuple(faults)


def _with_attributes_repeated(unit: SourceUnit) -> SourceUnit:
    """The unit with definitions of functions that are put where their declarations put them."""
    by_file: dict[str, list[ClangMessage]] = {}
    for message in _errors(unit.translation_unit):
        if is_redeclared(message) and message.file and not is_system_file(message.file):
            by_file.setdefault(message.file, []).append(message)
    made: dict[str, SourceFile] = {}
    for name, messages in by_file.items():
        source = unit.source_file(name)
        made[name] = with_written_out(source, repeated_attributes(source.text, messages))
    if not made:
        return unit
    new = texts_for_clang({name: file.text for name, file in made.items()})
    parsed = replace(unit.parsed, texts={**unit.parsed.texts, **new})
    files = {**unit.files, **made}
    main = files[unit.main_path]
    return SourceUnit(main, unit.main_path, parsed.unit(), parsed, files, headers=unit.headers)


def _with_sizes_written_out(unit: SourceUnit) -> SourceUnit | None:
    """The unit with those configurations of launches written out that cannot stay macros."""
    sizes = unit.launch_sizes()
    if not sizes:
        return None
    known = DeviceMacros(unit.files_with_macros(), unit.root, unit.skipped)
    main = unit.main
    found = written_out(main, sizes, lambda name, at: known.definition(name, main, at))
    if not found:
        return None
    main = with_written_out(main, found)
    texts = {**unit.parsed.texts, **texts_for_clang({unit.main_path: main.text})}
    parsed = replace(unit.parsed, texts=texts)
    again = parsed.unit()
    files = {**unit.files, unit.main_path: main}
    return None if _errors(again) else SourceUnit(main, unit.main_path, again, parsed, files)


def strict_errors(path: Path, flags: tuple[str, ...]) -> frozenset[str]:
    """What a compiler that is told to read OpenMP, and that lets nothing pass, says is wrong in a
    CUDA file that is none the less translated."""
    arguments = [one if one != "-Wno-everything" else "-w" for one in _arguments(flags)]
    arguments += ["-include", str(_PRELUDE), "-fopenmp"]
    text = read_source(path).text
    unit = TranslationUnit(str(path), arguments, texts_for_clang({str(path): text}))
    return frozenset(message.text for message in _errors(unit))


def _arguments(flags: Sequence[str]) -> tuple[str, ...]:
    standard = () if any(flag.startswith("-std") for flag in flags) else ("-std=c++17",)
    torch = NO_OPERATORS if torch_headers(flags)[0] is not None else ()
    return (*_BASE_FLAGS, *compiler_includes(), *standard, *torch, *flags)


def _prelude(flags: Sequence[str]) -> Prelude | None:
    """What of the flags decides what CUDA's declarations mean, and PyTorch's where they are read;
    None where one is not known."""
    deciding: list[str] = []
    definitions: list[tuple[str, ...]] = []
    searched: list[str] = []
    words = iter(flags)
    for word in words:
        option = next((one for one in (*_DECIDING, *_SEARCHING) if word.startswith(one)), None)
        if option is None:
            return None
        is_apart = word == option and option != "-std"
        given = (word, next(words, "")) if is_apart else (word,)
        if option in _SEARCHING:
            searched.append(given[-1] if is_apart else word.removeprefix(option))
        elif option == "-std":
            deciding += given
        else:
            definitions.append(given)
    torch, places = torch_headers(flags)
    if torch is None:
        deciding += [word for given in definitions for word in given]
        return Prelude(_PRELUDE, _arguments(deciding), tuple(searched))
    arguments = (*_arguments([*places, *deciding]), "-include", str(_PRELUDE))
    for given in definitions:  # making it takes a minute: not for what no header asks for
        name = "".join(given)[2:].partition("=")[0]
        if may_mention(torch, arguments, name):
            arguments += given
    others = tuple(place for place in searched if place not in places)
    return Prelude(torch, arguments, others)


def parsed_again(unit: SourceUnit, texts: Mapping[str, str]) -> SourceUnit | None:
    """The unit with other texts for some of its files, which are named as clang does; None where
    clang finds errors then."""
    parsed = replace(unit.parsed, texts={**unit.parsed.texts, **texts_for_clang(texts)})
    again = parsed.unit()
    if _errors(again):
        return None
    made = {name: SourceFile(unit.source_file(name).path, text) for name, text in texts.items()}
    files = {**unit.named_files(), **made}
    main = files.setdefault(unit.main_path, unit.main)
    return SourceUnit(main, unit.main_path, again, parsed, files)


def _errors(unit: TranslationUnit) -> list[ClangMessage]:
    """What clang refuses: not that nothing defines what CUDA's own headers declare, of which it
    complains where a template is given a type of a function, or one without a name; nor
    `#pragma unroll` in front of something else than a loop, which nvcc ignores."""
    return [
        message
        for message in unit.messages
        if message.severity >= 3
        and not (_NO_LINKAGE in message.text and is_system_file(message.file))
        and not message.text.endswith(_NO_LOOP)
    ]


def faults_of(unit: SourceUnit) -> tuple[Diagnostic, ...]:
    """What clang reports of errors."""
    return tuple(_diagnostic(message, unit) for message in _errors(unit.translation_unit))


def _is_changed(source: SourceFile) -> bool:
    """Is clang given another text than the file has?"""
    if source.lines or _SPACED_OPENING.search(source.text) is not None:
        return True
    return bool(device_launches(source) or device_conditions(source.text))


def texts_for_clang(texts: Mapping[str, str]) -> dict[str, bytes]:
    return {name: _text_for_clang(text).encode("latin-1") for name, text in texts.items()}


def _text_for_clang(text: str) -> str:
    """The text with `<< <` and `>> >`, which nvcc takes for a launch and clang does not, as ` <<<`
    and `>>> `, with launches on the device as expressions, and with what only devices compile."""
    text = as_device_takes_it(text)
    source = SourceFile("", text)
    if _SPACED_OPENING.search(text) is None:
        return as_expressions(source, text)
    pieces: list[str] = []
    position = 0
    for launch in parse_launches(source)[0]:
        opening, closing = launch.tokens[launch.opening], launch.tokens[launch.closing + 2]
        first = launch.tokens[launch.closing]
        pieces += [text[position : opening.begin], "<<<".rjust(opening.end - opening.begin)]
        pieces += [text[opening.end : first.begin], ">>>".ljust(closing.end - first.begin)]
        position = closing.end
    return as_expressions(source, "".join(pieces) + text[position:])


def _spelled_name(unit: TranslationUnit, path: Path) -> str:
    """How clang calls the file at `path`, which the unit includes; "" where it does not."""
    real = real_path(path)
    for _, included, _ in unit.includes:
        if real_path(Path(included)) == real:
            return included
    return ""


def is_system_file(name: str) -> bool:
    """Whether a file, as clang calls it, belongs to the system's libraries or to g2o itself."""
    return not name or _is_system_path(name)


@functools.cache
def _is_system_path(name: str) -> bool:
    """clang may spell headers of the compiler `/../lib/gcc/...`."""
    path = os.path.realpath(name)
    return is_of_system(path) or path.startswith((str(DECLARATIONS), str(RUNTIME)))


def _diagnostic(message: ClangMessage, unit: SourceUnit) -> Diagnostic:
    code = "G2O0101"
    if "file not found" in message.text:
        library = library_of_header(message.text.split("'")[1])
        span = _span(message, unit)
        if library is not None and span is not None:
            return library.fault(span)
        code = "G2O0102"
    elif (missing := _NO_MEMBER.match(message.text)) and is_provided(missing[2]):
        note = Note("the other parts are in the C++ standard library, or can be written as a loop")
        text = f"'{missing[2]}::{missing[1]}' is not translated"
        return error(_LIBRARY, text, _span(message, unit), note)
    elif missing and (library := library_of_namespace(missing[2])):
        if (span := _span(message, unit)) is not None:
            return library.fault(span, missing[1])
    elif (unknown := _UNDECLARED.match(message.text)) and (one := library_of_name(unknown[1])):
        if (span := _span(message, unit)) is not None:
            return one.fault(span, unknown[1])
    elif "overloaded operator" in message.text and _NARROW.search(message.text):
        note = Note(_WHERE_OPERATORS_ARE)
        return Diagnostic(Severity.ERROR, code, message.text, _span(message, unit), (note,))
    elif "nesting level exceeded" in message.text:
        code = "G2O0103"
    notes = tuple(Note(note.text, _span(note, unit)) for note in message.notes)
    if code == "G2O0102":
        notes += (Note(_WHERE_INCLUDES_ARE),)
    return Diagnostic(Severity.ERROR, code, message.text, _span(message, unit), notes)


def _span(message: ClangMessage, unit: SourceUnit) -> SourceSpan | None:
    if not message.file:
        return None
    return SourceSpan(
        unit.source_file(message.file), message.begin, max(message.end, message.begin + 1)
    )
