"""A CUDA file as the translator sees it: kernels as IR, and the edits of everything else."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import final

from g2o.diagnostics.diagnostic import Diagnostic, Note, Refusal, error, warning
from g2o.diagnostics.source import SourceFile, SourceSpan
from g2o.frontend.cuda.api import DEVICE_FUNCTIONS, TYPES
from g2o.frontend.cuda.attributes import extern_variables
from g2o.frontend.cuda.build_functions import build_function
from g2o.frontend.cuda.callees import function_key
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.clashes import classes_of
from g2o.frontend.cuda.conditions import architecture_faults
from g2o.frontend.cuda.constant_tables import constant_tables
from g2o.frontend.cuda.constant_values import (
    integer_constants,
    unsigned_constants,
    unsigned_parameters,
)
from g2o.frontend.cuda.cub_aliases import cub_alias_edits
from g2o.frontend.cuda.device_conditions import ARCHITECTURE
from g2o.frontend.cuda.expanded_unit import ExpandedUnit, expand_device_code
from g2o.frontend.cuda.host import HostEdits, UnitFacts, compose, host_edits
from g2o.frontend.cuda.include_graph import real_path
from g2o.frontend.cuda.includes import empty_includes
from g2o.frontend.cuda.kernel_facts import kernel_facts
from g2o.frontend.cuda.kernel_pointers import kernel_pointer_edits, may_hold_kernels
from g2o.frontend.cuda.launch_memory import (
    names_apart,
    parameters_apart,
    restrict_edits,
)
from g2o.frontend.cuda.lexer import lex
from g2o.frontend.cuda.own_copies import methods_of_each_source, names_of_each_source
from g2o.frontend.cuda.parse_in_project import parse_in_project
from g2o.frontend.cuda.pasted_names import pasting_macros
from g2o.frontend.cuda.pointer_casts import casts_between_types
from g2o.frontend.cuda.project import Project, is_header
from g2o.frontend.cuda.reading import read_source
from g2o.frontend.cuda.references import note_host_references
from g2o.frontend.cuda.skipped_code import skipped_code_edits
from g2o.frontend.cuda.torch_headers import torch_headers
from g2o.frontend.cuda.unit import SourceUnit, parse_unit
from g2o.frontend.cuda.unit_declarations import declarations_of
from g2o.frontend.cuda.untranslated import untranslated_includes
from g2o.frontend.edits import EditedText, TextEdit
from g2o.ir.kernel import Function, LaunchShape

_IN_CLASS = ("STRUCT_DECL", "CLASS_DECL", "UNION_DECL", "CLASS_TEMPLATE")
_DEFINE_INLINE = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t][^\n]*"
    r"\b(?:inline|static|__forceinline__|__inline__)\b[^\n(]*$",
    re.MULTILINE,
)
_DEFINE_FUNCTION = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)\(", re.MULTILINE)


@final
@dataclass(frozen=True, slots=True)
class KernelSource:
    """A kernel defined in the file: its IR, or why there is none. An instance of a template has the
    `arguments` of that, by parameter."""

    name: str
    cursor: Cursor
    span: SourceSpan
    function: Function | None
    refusal: Refusal | None
    arguments: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def qualified(self) -> str:
        """The name with the namespaces that it is declared in."""
        around: list[str] = []
        scope = self.cursor.semantic_parent
        while scope is not None and scope.kind == "NAMESPACE":
            around = [scope.spelling, *around] if scope.spelling else around
            scope = scope.semantic_parent
        return "::".join((*around, self.name))


@final
@dataclass(frozen=True, slots=True)
class Definition:
    """Where a device function stands, from its comment to the end of its line."""

    key: str
    begin: int
    end: int
    cursor: Cursor


@final
@dataclass(slots=True)
class Program:
    """Everything read from one file.

    `source` is the file itself. Kernels and device functions are those of `device`, a unit in which
    macros that they cannot keep are expanded.
    """

    source: SourceFile
    device: ExpandedUnit
    kernels: tuple[KernelSource, ...] = ()
    device_functions: tuple[Cursor, ...] = ()
    all_device_functions: tuple[Cursor, ...] = ()  # those of headers, too
    diagnostics: tuple[Diagnostic, ...] = ()
    shapes: Mapping[str, LaunchShape] = field(default_factory=dict[str, LaunchShape])
    host: HostEdits = field(default_factory=lambda: HostEdits((), ()))
    facts: UnitFacts = field(default_factory=lambda: UnitFacts({}))
    constant_functors: bool = False  # no `operator()` that a template may call changes its object
    users: Callable[[], Sequence[SourceUnit]] = tuple  # the file, through those that include it
    _views: dict[SourceFile, EditedText] = field(default_factory=dict[SourceFile, EditedText])
    _built: dict[str, Function | Refusal] = field(default_factory=dict[str, "Function | Refusal"])

    @property
    def unit(self) -> SourceUnit:
        return self.device.unit

    @property
    def macro_functions(self) -> frozenset[str]:
        """Names of macros with parameters that the program's own files define."""
        return _function_macros(self.unit)

    def shape_of(self, source: KernelSource) -> LaunchShape:
        """What all launches of a kernel agree on, in names that it knows."""
        shape = self.shapes.get(source.name, LaunchShape()).of_instance(source.arguments)
        return (
            shape if source.function is None else shape.hiding(source.function.template_parameters)
        )

    def function(self, key: str) -> Function | None:
        """The IR of a device function of the program; None where its body is not known.

        Raises Refusal where the body has something that cannot be carried.
        """
        info = self.unit.functions.get(key)
        if info is None:
            return None
        built = self._built.get(key)
        if built is None:
            try:
                built = build_function(self.unit, info.cursor)
            except Refusal as refusal:
                built = refusal
            self._built[key] = built
        if isinstance(built, Refusal):
            raise built
        return built

    def methods(self, record: str, name: str) -> tuple[str, ...]:
        """The keys of the methods of this name in the class of this name, or in the template that
        it is made from, `Span<double>`, if that has no other forms; of the functions of this name
        that belong to no class, without one."""
        if not record:
            return self._free_functions(name)
        record = record.removeprefix("const ").strip()
        if name == "operator()" and record in self.unit.lambdas:
            return (function_key(self.unit.lambdas[record]),)
        open_name, _, arguments = record.partition("<")
        name_of_template = open_name.rpartition("::")[2]
        plain = name_of_template if arguments else record.rpartition("::")[2]
        kinds = ("CLASS_TEMPLATE",) if arguments else ("STRUCT_DECL", "CLASS_DECL")
        found: dict[str, list[str]] = {}
        for cursor in self.all_device_functions:
            parent = cursor.semantic_parent
            if cursor.spelling != name or parent is None:
                continue
            if plain not in (parent.spelling, parent.display_name):
                continue
            if parent.kind not in kinds:
                return ()
            self.unit.note_function(cursor)
            found.setdefault(parent.usr, []).append(function_key(cursor))
        return tuple(sorted(set(next(iter(found.values()))))) if len(found) == 1 else ()

    def own_classes(self) -> frozenset[str]:
        """The names of the classes of the program that have methods for devices."""
        parents = (cursor.semantic_parent for cursor in self.all_device_functions)
        return frozenset(
            one.spelling
            for one in parents
            if one is not None and one.kind in _IN_CLASS and not self.unit.is_declaration(one)
        )

    def own_names(self) -> frozenset[str]:
        """What the program declares under a name that CUDA has, too: functions and types."""
        functions = frozenset(name for name in DEVICE_FUNCTIONS if self.unit.functions_named(name))
        return functions | self.facts.user_declared.intersection(TYPES)

    def _free_functions(self, name: str) -> tuple[str, ...]:
        found: set[str] = set()
        for cursor in self.all_device_functions:
            parent = cursor.semantic_parent
            if cursor.spelling == name and parent is not None and parent.kind not in _IN_CLASS:
                self.unit.note_function(cursor)
                found.add(function_key(cursor))
        return tuple(sorted(found))

    def device_definitions(self) -> tuple[Definition, ...]:
        """Device functions that the file defines (no prototypes), with their comment in front."""
        found: list[Definition] = []
        for cursor in self.device_functions:
            if not any(child.kind == "COMPOUND_STMT" for child in cursor.children):
                continue
            self.unit.note_function(cursor)
            begin, end = self.device.original_range(cursor.begin, cursor.end)
            begin = _with_comment(self.source.text, begin)
            found.append(Definition(function_key(cursor), begin, end, cursor))
        return tuple(found)

    def device_prototypes(self) -> Iterator[Definition]:
        """Where the file declares device functions, outside of classes, that it also defines."""
        defined = {one.key for one in self.device_definitions()}
        text = self.source.text
        for cursor in self.device_functions:
            parent, key = cursor.semantic_parent, function_key(cursor)
            is_free = parent is not None and parent.kind not in _IN_CLASS
            if key not in defined or not is_free or cursor.is_definition:
                continue
            begin, end = self.device.original_range(cursor.begin, cursor.end)
            behind = text[end:].lstrip()
            if behind.startswith(";"):
                end = len(text) - len(behind) + 1
                yield Definition(key, _with_comment(text, begin), end, cursor)

    def edited(self, file: SourceFile) -> EditedText:
        """The text of a file, or of a view of it, with the edits that hold everywhere applied."""
        if file.replaced:
            view = self._views.get(file)
            if view is None:
                base = self.edited(replace(file, replaced=()))
                view = base.with_edits(TextEdit(*place) for place in file.replaced)
                self._views[file] = view
            return view
        known = self.unit.edits.get(file.path)
        if known is None:
            known = EditedText(file.text, _edits_of(self, file).edits)
            self.unit.edits[file.path] = known
        return known


def read_program(
    path: Path,
    flags: tuple[str, ...],
    shown_as: str,
    project: Project,
    runtime_header: str,
    has_device: bool = False,
    portable: bool = False,
) -> Program:
    """Parse a file and build its kernels. Raises OSError where it cannot be read."""
    unit, faults, context = parse_in_project(path, flags, shown_as, project)
    project.reached.update(real_path(Path(name)) for name in unit.user_files())
    if faults:
        return Program(unit.main, ExpandedUnit(unit, {}), diagnostics=faults)
    found = declarations_of(unit)
    device = expand_device_code(unit, (*found.all_kernels, *found.all_device_functions))
    on_device = found if device.unit is unit else declarations_of(device.unit)
    sites = project.launches.sites(path, [cursor.spelling for cursor in found.kernels])
    apart = parameters_apart(unit, found.kernels, found.all_device_functions, sites)
    kernels = tuple(
        read_kernel(device.unit, cursor, apart.get(cursor.usr, frozenset()))
        for cursor in on_device.kernels
    )
    if on_device is not found:
        note_names(unit, found.kernels)
        note_names(device.unit, on_device.device_functions)
    note_names(unit, found.device_functions)
    note_host_references(unit)
    facts = UnitFacts(
        kernel_facts(unit, found.all_kernels, project),
        unit.reserved_names,
        unit.semantic_renames.get(unit.main_path, {}),
        project.translated_includes(path),
        project.staying_includes(path),
        empty_includes=empty_includes(unit.translation_unit.includes),
        is_header=is_header(path),
        runtime_header=runtime_header,
        invoked=project.invoked_names,
        reads_openmp=any(flag.startswith("-fopenmp") for flag in flags),
        clashing=project.clashing_functions() if project.is_root(path) else frozenset(),
        function_macros=_function_macros(unit),
        inline_macros=_inline_macros(unit),
        extern_variables=_extern_variables(unit),
        of_each_source=_of_each_source(unit) if is_header(path) and not has_device else frozenset(),
        casts_between_types=casts_between_types(unit),
        launch_sizes=unit.launch_sizes,
        has_device=has_device,
        others=project.is_linked_with_others(path),
        managed=has_device and project.has_managed_variables(),
        portable=portable,
        reads_torch=torch_headers(flags)[0] is not None,
        pasting=pasting_macros(
            lex(file.text) for file in unit.files_with_macros() if "##" in file.text
        ),
    )
    pointers = _pointer_edits(unit, facts, project)
    spans = [(one.begin, one.end) for one in (*found.kernels, *found.device_functions)]
    unseen, missed = skipped_code_edits(unit, spans)
    further = (
        *pointers.edits,
        *unseen,
        *cub_alias_edits(unit),
        *restrict_edits(found.kernels, apart),
    )
    host = host_edits(unit.main, facts, further)
    if host.diagnostics:  # finding what the preprocessor skips takes a second parse
        facts = replace(facts, inactive=unit.skipped(unit.main))
        host = host_edits(unit.main, facts, further)
    left = (
        *untranslated_includes(unit, project),
        *(_included_twice(unit, cursor) for cursor in found.ambiguous),
        *_left_out(unit, (*found.kernels, *found.device_functions)),
        *missed,
        *_methods_with_copies(unit, facts, project),
        *_classes_of_several(unit, path, project),
    )
    offsets = {cursor.spelling: cursor.begin for cursor in found.kernels}
    named = {one.spelling: names_apart(one, apart) for one in found.kernels}
    heads = {one.spelling: unit.main.text[one.begin : one.name_offset] for one in found.kernels}
    root = None if context is None else context.path
    texts = [file.text for file in unit.own_files()]
    values, unsigned = integer_constants(texts), unsigned_constants(texts)
    tables = constant_tables(texts)
    launched = project.launches.shapes(path, offsets, root)
    program = Program(
        unit.main,
        device,
        kernels,
        tuple(on_device.device_functions),
        tuple(on_device.all_device_functions),
        shapes={
            name: replace(
                launched.get(name, LaunchShape()),
                values=values,
                unsigned=unsigned | unsigned_parameters(heads[name]),
                tables=tables,
                apart=named[name],
            )
            for name in offsets
        },
        host=HostEdits(host.edits, (*left, *host.diagnostics, *pointers.diagnostics)),
        facts=facts,
        constant_functors=path.suffix == ".cu"
        and not found.changing_functors
        and "mutable" not in unit.main.text,
        users=lambda: _through_users(unit, project) if is_header(path) else (),
    )
    main = device.unit.main
    if device.unit is not unit:
        renames = device.unit.semantic_renames.get(unit.main_path, {})
        sizes = device.unit.launch_sizes
        facts_there = replace(facts, semantic_renames=renames, launch_sizes=sizes)
        host = host_edits(main, facts_there, restrict_edits(on_device.kernels, apart))
    device.unit.edits[main.path] = EditedText(main.text, host.edits)
    return program


def _through_users(unit: SourceUnit, project: Project) -> list[SourceUnit]:
    """The file as part of each input that includes it and that clang can read."""
    found: list[SourceUnit] = []
    for context in project.contexts(Path(unit.main_path), ()):
        if project.is_input(context.path):
            through, faults = parse_unit(Path(unit.main_path), (), unit.main.path, context)
            if not faults and through.main_path:
                found.append(through)
    return found


def _function_macros(unit: SourceUnit) -> frozenset[str]:
    return frozenset(n for file in unit.own_files() for n in _DEFINE_FUNCTION.findall(file.text))


def _pointer_edits(unit: SourceUnit, facts: UnitFacts, project: Project) -> HostEdits:
    """Edits of the types of pointers that hold kernels, in this file or in one that includes it."""
    main = unit.main
    own = kernel_pointer_edits(unit.translation_unit, unit.main_path, main, facts)
    edits = [*own.edits]
    path = Path(unit.main_path)
    if not is_header(path) or not may_hold_kernels(main.text):
        return own
    for context in project.contexts(path, ()):
        if project.is_input(context.path):
            through, faults = parse_unit(path, (), main.path, context)
            user = read_source(context.path)
            if not faults and through.main_path:
                kernels = kernel_facts(through, declarations_of(through).all_kernels, project)
                known = replace(facts, kernels=kernels)
                edits += kernel_pointer_edits(
                    through.translation_unit, through.main_path, main, known, user
                ).edits
    return HostEdits(compose(edits), own.diagnostics)


def note_names(unit: SourceUnit, functions: Sequence[Cursor]) -> None:
    for cursor in functions:
        _note_references(unit, cursor)


def _included_twice(unit: SourceUnit, kernel: Cursor) -> Diagnostic:
    message = f"'{kernel.spelling}' is one of several kernels that including this file again makes"
    note = Note("write a template, or a file for each")
    return error("G2O0201", message, SourceSpan(unit.main, kernel.begin, kernel.begin + 1), note)


def _left_out(unit: SourceUnit, functions: Sequence[Cursor]) -> list[Diagnostic]:
    """What the preprocessor left out of the file because it is not for hosts."""
    if ARCHITECTURE not in unit.main.text:
        return []
    skipped = unit.translation_unit.skipped(unit.main_path)
    return architecture_faults(unit.main, skipped, functions)


def _edits_of(program: Program, file: SourceFile) -> HostEdits:
    """Edits of another file of the program, from which a function is inlined."""
    renames = program.unit.renames_in(file)
    facts = UnitFacts(
        program.facts.kernels,
        program.facts.user_declared,
        renames,
        is_header=True,
        inline_macros=program.facts.inline_macros,
        reads_torch=program.facts.reads_torch,
    )
    return host_edits(file, facts)


def _extern_variables(unit: SourceUnit) -> frozenset[str]:
    """What headers declare `extern`, for a source to define."""
    headers = (file for file in unit.own_files() if file is not unit.main and "extern" in file.text)
    return frozenset(name for file in headers for name in extern_variables(lex(file.text)))


def _of_each_source(unit: SourceUnit) -> frozenset[str]:
    headers = (file for file in unit.own_files() if is_header(Path(file.path)))
    return names_of_each_source(lex(file.text) for file in headers)


def _methods_with_copies(
    unit: SourceUnit, facts: UnitFacts, project: Project
) -> Iterator[Diagnostic]:
    """Warnings, where several sources include the header."""
    if facts.of_each_source:
        users = {one.path for one in project.contexts(Path(unit.main_path), ())}
        if sum(map(project.is_input, users)) > 1:
            yield from methods_of_each_source(unit.main, facts.of_each_source)


def _classes_of_several(unit: SourceUnit, path: Path, project: Project) -> Iterator[Diagnostic]:
    """Warnings of classes that other sources define differently."""
    clashing = project.clashing_classes() if project.is_root(path) else frozenset[str]()
    for name, body in classes_of(lex(unit.main.text)) if clashing else ():
        if name.text in clashing and any(token.text == "__device__" for token in body):
            message = f"class '{name.text}' is defined differently in another source"
            note = Note("give it a name of its own, or put it into an unnamed namespace")
            yield warning("G2O0222", message, SourceSpan(unit.main, name.begin, name.end), note)


def _inline_macros(unit: SourceUnit) -> frozenset[str]:
    files = unit.own_files()
    return frozenset(name for file in files for name in _DEFINE_INLINE.findall(file.text))


def read_kernel(
    unit: SourceUnit, cursor: Cursor, apart: Collection[int] = frozenset()
) -> KernelSource:
    """A kernel as IR. `apart` are the positions of parameters that are `__restrict__`, whatever
    they are declared as."""
    span = SourceSpan(unit.file_of(cursor), cursor.begin, cursor.end)
    bodies = (child.begin for child in cursor.children if child.kind == "COMPOUND_STMT")
    if not all(span.file.text.startswith("{", begin) for begin in bodies):
        message = f"a macro defines the kernel '{cursor.spelling}', and has several definitions"
        note = Note("give each definition a name of its own, or write a template")
        refusal = Refusal(error("G2O0201", message, span, note))
        return KernelSource(cursor.spelling, cursor, span, None, refusal)
    try:
        function = build_function(unit, cursor, apart)
    except Refusal as refusal:
        return KernelSource(cursor.spelling, cursor, span, None, refusal)
    return KernelSource(cursor.spelling, cursor, span, function, None)


def _note_references(unit: SourceUnit, function: Cursor) -> None:
    """Learn what CUDA names in the body of a device function mean."""
    on_device = all(child.kind != "CUDAHOST_ATTR" for child in function.children)
    for node in function.walk():
        if node.kind in ("DECL_REF_EXPR", "TYPE_REF") and node.referenced is not None:
            unit.note_reference(node, node.referenced, on_device=on_device)
        elif node.kind == "OVERLOADED_DECL_REF":
            candidates = node.overloads
            if candidates and all(unit.is_declaration(one) for one in candidates):
                unit.note_reference(node, candidates[0])


def _with_comment(text: str, begin: int) -> int:
    """Where the comment directly above a definition begins, or the definition itself.

    A comment that heads the file is the file's.
    """
    own = start = text.rfind("\n", 0, begin) + 1
    if text[start:begin].strip() not in ("", 'extern "C"'):
        return begin  # the line has something else in front
    while start > 0:
        above = text.rfind("\n", 0, start - 1) + 1
        line = text[above : start - 1].strip()
        if not line.startswith("//") and not (line.startswith("/*") and line.endswith("*/")):
            break
        start = above
    return start if text[:start].strip() else own
