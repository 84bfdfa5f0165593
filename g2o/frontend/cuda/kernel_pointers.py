"""Pointers to kernels gain the parameters that the kernels gain.

    void (*pick)(float *, int) = k;    ->  void (*pick)(dim3, dim3, float *, int) = k;
    typedef void (*Kernel)(float *);   ->  typedef void (*Kernel)(dim3, dim3, float *);
    static_cast<void (*)(float *)>(k)  ->  static_cast<void (*)(dim3, dim3, float *)>(k)

Which declarations hold kernels is a question of flow: initialisers, assignments, arguments and
returned values join what they connect, and everything joined to a kernel, or launched, holds
kernels. A declaration that names its type by an alias changes the alias, or where pointers that
are called as functions have the same alias, a second one:

    typedef void (*Step)(float *);  ->  typedef void (*Step)(float *);
                                        typedef void (*StepKernel)(dim3, dim3, float *);

Where some of the kernels have dynamic shared memory, the pointer is one of these, and the others
come as such:

    sum(x, n, in_shared);           ->  sum(x, n, in_shared);
    sum(x, n, with_shuffles);           sum(x, n, g2o::with_shared_bytes<with_shuffles>);
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import final

from g2o.diagnostics.diagnostic import Diagnostic, error
from g2o.diagnostics.source import SourceFile, SourceSpan
from g2o.frontend.cuda.brackets import closing_bracket
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.clang_unit import TranslationUnit
from g2o.frontend.cuda.launch_syntax import parse_launches
from g2o.frontend.cuda.launch_targets import kernels_used_as_values
from g2o.frontend.cuda.lexer import Token, lex
from g2o.frontend.cuda.unit import DECLARATIONS, is_system_file
from g2o.frontend.cuda.unit_facts import HostEdits, UnitFacts
from g2o.frontend.edits import EditedText, TextEdit

_FUNCTIONS = frozenset(("FUNCTION_DECL", "CXX_METHOD", "CONSTRUCTOR", "FUNCTION_TEMPLATE"))
_NAMED = _FUNCTIONS | {"OVERLOADED_DECL_REF"}  # `&k<float>`, whose type is not known yet
_HOLDERS = frozenset(("VAR_DECL", "FIELD_DECL", "PARM_DECL", "TEMPLATE_NON_TYPE_PARAMETER"))
_USING = frozenset(("TYPE_ALIAS_DECL", "TYPE_ALIAS_TEMPLATE_DECL"))
_ALIASES = _USING | {"TYPEDEF_DECL"}
_REFERENCES = frozenset(("TYPE_REF", "TEMPLATE_REF"))
_CASTS = frozenset(
    (
        "CSTYLE_CAST_EXPR",
        "CXX_FUNCTIONAL_CAST_EXPR",
        "CXX_STATIC_CAST_EXPR",
        "CXX_REINTERPRET_CAST_EXPR",
    )
)
_TRANSPARENT = _CASTS | {"UNEXPOSED_EXPR", "PAREN_EXPR", "UNARY_OPERATOR"}
_POINTER = re.compile(
    r"\(\s*[*&]\s*\w*[^()]*\)\s*\("
    r"|\busing\s+\w+\s*=[^;=]*\bvoid\s*\(|\btypedef\s[^;]*\bvoid\s*\w*\s*\("
)
_LAUNCHERS = frozenset(("cudaLaunchKernel", "cudaLaunchCooperativeKernel"))
_SECOND = "Kernel"
_WITH_SHARED = "g2o::with_shared_bytes"
_LAUNCH_SETUP = "__cudaPushCallConfiguration"


def may_hold_kernels(text: str) -> bool:
    """Whether a file spells pointers to functions, so that what includes it may keep kernels
    there."""
    return _POINTER.search(text) is not None


def kernel_pointer_edits(
    translation_unit: TranslationUnit,
    path: str,
    source: SourceFile,
    facts: UnitFacts,
    user: SourceFile | None = None,
) -> HostEdits:
    """The edits for the file that libclang calls `path` and whose text is `source`.

    `user` is the file of the unit that may have values of kernels, when that is another.
    """
    tokens = lex(source.text).code
    if not _uses_kernels_as_values(user or source, facts):
        return HostEdits((), ())
    flow = _Flow(facts)
    for cursor in translation_unit.top_level:
        if not is_system(cursor):
            flow.read(cursor)
    edits: set[TextEdit] = set()
    faults: list[Diagnostic] = []
    spelled = _Spelled(path, source.text, tokens, flow.aliases_of_functions())
    groups = flow.kernel_holders()
    for members in (*groups, *flow.escaped_aliases()):
        answers = {facts.kernels[name].takes_shared_bytes for name in flow.kernels_of(members)}
        places = [one for key in members for one in flow.holders.get(key, ())]
        if len(answers) > 1:
            if all(_is_of_template_type(place) for place in places):
                continue
            others = list(flow.named(members)) if members in groups else None
            if others is None:
                here = [place for place in places if place.file == path]
                faults.extend(_disagreement(source, place) for place in here[:1])
                continue
            edits.update(
                TextEdit(begin, end, f"{_WITH_SHARED}<{source.text[name:end]}>")
                for file, kernel, begin, name, end in others
                if file == path and not facts.kernels[kernel].takes_shared_bytes
            )
        sizes = "dim3, dim3" + (", std::size_t" if True in answers else "")
        for place in places:
            edits.update(_edits_of(spelled, place, sizes))
    for kernel, value in flow.called():
        if value.file == path:
            message = f"kernel '{kernel}' goes where it is called, not launched: with no grid"
            faults.append(error("G2O0214", message, SourceSpan(source, value.begin, value.end)))
    return HostEdits(tuple(sorted(edits)), tuple(faults))


def is_system(cursor: Cursor) -> bool:
    return is_system_file(cursor.file)


def _uses_kernels_as_values(source: SourceFile, facts: UnitFacts) -> bool:
    """Whether the file names a kernel other than to launch it, or launches what is no kernel."""
    for launch in parse_launches(source)[0]:
        index = launch.name_index
        if index is None or launch.tokens[index].text not in facts.kernels:
            return True
    if any(token.text in _LAUNCHERS for token in lex(source.text).code):
        return True
    return bool(kernels_used_as_values(source, facts.kernels))


def _is_of_template_type(place: Cursor) -> bool:
    """Has every instantiation a parameter of its own, of the type of its kernel?"""
    return place.kind == "PARM_DECL" and "type-parameter" in place.type.canonical.spelling


def _disagreement(source: SourceFile, place: Cursor) -> Diagnostic:
    span = SourceSpan(source, place.begin, place.end)
    message = "this pointer holds kernels with and without dynamic shared memory"
    return error("G2O0201", message, span)


@final
@dataclass(frozen=True, slots=True)
class _Spelled:
    """A file, and the aliases that pointers which are called as functions have for their type."""

    path: str
    text: str
    tokens: Sequence[Token]
    of_functions: frozenset[str]


def _edits_of(spelled: _Spelled, place: Cursor, sizes: str) -> Iterator[TextEdit]:
    """The edit where the function type of a declaration is spelled: there, or in an alias."""
    here = place.file == spelled.path
    edit = _edit_declarator(spelled.tokens, place, sizes) if here else None
    if edit is not None:
        yield edit
        return
    for reference, alias in _aliases_named(place):
        if _key(alias) not in spelled.of_functions:
            yield from _edits_of(spelled, alias, sizes)
            continue
        if reference.file == spelled.path:
            end = reference.begin + len(alias.spelling)
            yield TextEdit(end, end, _SECOND)
        if alias.file == spelled.path:
            yield from _second_alias(spelled, alias, sizes)


def _aliases_named(place: Cursor) -> Iterator[tuple[Cursor, Cursor]]:
    """Where a declaration names an alias as its type, and the alias."""
    for child in place.children:
        alias = child.referenced if child.kind in _REFERENCES else None
        if alias is not None and alias.kind in _ALIASES and not is_system(alias):
            yield child, alias


def _second_alias(spelled: _Spelled, alias: Cursor, sizes: str) -> Iterator[TextEdit]:
    """The declaration of an alias once more behind it, with a name of its own, for kernels."""
    edit = _edit_declarator(spelled.tokens, alias, sizes)
    tokens = [token for token in spelled.tokens if token.begin >= alias.begin]
    named = next((token.end for token in tokens if token.text == alias.spelling), None)
    end = next((token.end for token in tokens if token.text == ";"), None)
    if edit is None or named is None or end is None:
        return
    changes = EditedText(spelled.text, (TextEdit(named, named, _SECOND), edit))
    yield TextEdit(end, end, "\n" + changes.slice(alias.begin, end))


def _edit_declarator(tokens: Sequence[Token], place: Cursor, sizes: str) -> TextEdit | None:
    """Insert the sizes in front of the parameters of `(*name)(...)`, `(*)(...)` or `void(...)`."""
    inside = [i for i, token in enumerate(tokens) if place.begin <= token.begin < place.end]
    is_alias = place.kind in _ALIASES
    for index in inside:
        if tokens[index].text != "(":
            continue
        closing = closing_bracket(tokens, index)
        if closing is None:
            continue
        if tokens[index + 1].text in ("*", "&") and closing + 1 < len(tokens):
            names = [token.begin for token in tokens[index:closing]]
            named = place.name_offset in names or place.kind in _USING
            if tokens[closing + 1].text == "(" and (named or not place.spelling):
                return _insertion(tokens, closing + 1, sizes)
        elif is_alias and _is_function_type(tokens, index, place):
            return _insertion(tokens, index, sizes)
    return None


def _is_function_type(tokens: Sequence[Token], index: int, place: Cursor) -> bool:
    """`using F = void(int)` and `typedef void F(int)`."""
    before = tokens[index - 1]
    return before.text == "void" or before.begin == place.name_offset


def _insertion(tokens: Sequence[Token], opening: int, sizes: str) -> TextEdit:
    first = tokens[opening + 1]
    if first.text == ")":
        return TextEdit(tokens[opening].end, tokens[opening].end, sizes)
    if first.text == "void" and tokens[opening + 2].text == ")":
        return TextEdit(first.begin, first.end, sizes)
    return TextEdit(tokens[opening].end, tokens[opening].end, sizes + ", ")


@final
class _Flow:
    """Declarations by key, and which of them are connected by values of function type."""

    def __init__(self, facts: UnitFacts) -> None:
        self._facts = facts
        self._parents: dict[str, str] = {}
        self._passed_on: dict[str, str] = {}  # parents, too, but no kernel joins its holders
        self._launched: set[str] = set()
        self._escaped: set[tuple[str, str]] = set()
        self._aliases: dict[str, list[str]] = {}
        self.holders: dict[str, list[Cursor]] = {}
        self._called: set[str] = set()
        self._values: list[tuple[str, str, Cursor]] = []

    def read(self, cursor: Cursor, function: str = "") -> None:
        """Take in what a declaration, statement or expression connects."""
        if cursor.kind in _HOLDERS:
            self._declare(_key(cursor), cursor)
            for child in cursor.children:
                if child.is_expression:
                    self._connect(_key(cursor), child)
        elif cursor.kind in _FUNCTIONS:
            function = cursor.usr
            self._declare(f"{function}:returned", cursor)
            for index, parameter in enumerate(_parameters(cursor)):
                self._declare(f"{function}:{index}", parameter)
                self._join(f"{function}:{index}", _key(parameter))
        elif cursor.kind in _ALIASES:
            self._declare(_key(cursor), cursor)
            self._aliases.setdefault(_signature(cursor), []).append(_key(cursor))
        elif cursor.kind == "CALL_EXPR":
            self._call(cursor)
        elif cursor.kind == "RETURN_STMT" and cursor.children:
            self._connect(f"{function}:returned", cursor.children[0])
        elif cursor.kind == "BINARY_OPERATOR" and cursor.binary_operator == "=":
            for target in self._sources(cursor.children[0]):
                self._connect(target, cursor.children[1])
        elif cursor.kind in _CASTS and _spells_function(cursor):
            self._declare(_cast(cursor), cursor)
            self._connect(_cast(cursor), cursor.children[-1])
        elif cursor.kind == "INIT_LIST_EXPR":
            self._members(cursor)
        elif cursor.kind == "DECL_REF_EXPR" and cursor.children:
            self._template_arguments(cursor)
        for child in cursor.children:
            self.read(child, function)

    def kernel_holders(self) -> list[list[str]]:
        """Groups of connected keys with a kernel, or a launched pointer, among them."""
        groups: dict[str, list[str]] = {}
        for key in self._parents:
            groups.setdefault(self._root(key), []).append(key)
        return [
            members
            for members in groups.values()
            if any(key in self._launched or key.startswith("kernel ") for key in members)
        ]

    def escaped_aliases(self) -> list[list[str]]:
        """The aliases of each type whose kernels went where no flow is seen: into a container."""
        signatures = {signature for signature, _ in self._escaped}
        return [
            self._aliases.get(signature, [])
            + sorted(key for known, key in self._escaped if known == signature and key)
            for signature in sorted(signatures)
        ]

    def kernels_of(self, members: Sequence[str]) -> list[str]:
        return [key.removeprefix("kernel ") for key in members if key.startswith("kernel ")]

    def named(self, members: Sequence[str]) -> Iterator[tuple[str, str, int, int, int]]:
        """Where kernels become values of connected keys: the file, the kernel, where the value
        begins, a `&` in front of the name, where the name does, and where it ends."""
        for key, kernel, value in self._values:
            if key in members:
                for outer, name in _names_of_functions(value):
                    function = name.referenced
                    if function is not None and f"kernel {function.spelling}" == kernel:
                        yield name.file, function.spelling, outer.begin, name.begin, name.end

    def called(self) -> Iterator[tuple[str, Cursor]]:
        """Kernels that are called as functions are, and where they become the value for it."""
        called = {_root(key, self._passed_on) for key in self._called if key in self.holders}
        for key, kernel, value in self._values:
            if _root(key, self._passed_on) in called:
                yield kernel.removeprefix("kernel "), value

    def aliases_of_functions(self) -> frozenset[str]:
        """The aliases by which pointers name their types that are called as functions are."""
        called = {self._root(key) for key in self._called if key in self.holders}
        return frozenset(
            _key(alias)
            for key, places in self.holders.items()
            if self._root(key) in called
            for place in places
            for _, alias in _aliases_named(place)
        )

    def _call(self, call: Cursor) -> None:
        if not call.children:
            return
        if _is_launch(call):
            sources = list(self._sources(call.children[0]))
            self._launched.update(key for key in sources if not key.startswith("kernel "))
            if not any(key in self.holders or key.startswith("kernel ") for key in sources):
                self._escaped.add((_signature(call.children[0]), ""))
            return
        callee = call.referenced
        if callee is None or callee.kind not in _FUNCTIONS:
            self._called.update(self._sources(call.children[0]))
            return
        declared = callee.template or callee
        if declared.file.startswith(str(DECLARATIONS)):
            self._runtime_call(callee, call)
            return
        if is_system(declared):
            for argument in call.arguments:
                kernels = (key for key in self._sources(argument) if key.startswith("kernel "))
                self._escaped.update((_signature(argument), key) for key in kernels)
            return
        for index, argument in enumerate(call.arguments):
            self._connect(f"{declared.usr}:{index}", argument)

    def _template_arguments(self, name: Cursor) -> None:
        """`run<k>` connects the kernel to the parameter of the template that is a pointer."""
        function = name.referenced
        template = None if function is None else function.template
        if template is None:
            return
        pointers = [
            child
            for child in template.children
            if child.kind == "TEMPLATE_NON_TYPE_PARAMETER" and "(" in child.type.canonical.spelling
        ]
        given = [(one, list(self._sources(one))) for one in name.children if one.is_expression]
        kernels = [
            (one, keys) for one, keys in given if any(key.startswith("kernel ") for key in keys)
        ]
        for pointer, (one, keys) in zip(pointers, kernels, strict=False):
            for key in keys:
                self._join(_key(pointer), key)
                self._values.append((_key(pointer), key, one))

    def _runtime_call(self, callee: Cursor, call: Cursor) -> None:
        """A function of the runtime that launches a kernel must be able to read its type."""
        arguments = call.arguments
        if callee.spelling not in _LAUNCHERS or not arguments:
            return
        kernel = arguments[0]
        while "(" not in kernel.type.canonical.spelling and kernel.kind in _TRANSPARENT:
            kernel = kernel.children[-1]
        if "(" in kernel.type.canonical.spelling:
            self._launched.update(k for k in self._sources(kernel) if not k.startswith("kernel "))

    def _members(self, values: Cursor) -> None:
        """`{a, k}` for a class connects each value to its member."""
        record = values.type.canonical.declaration
        members = [child for child in record.children if child.kind == "FIELD_DECL"]
        for member, value in zip(members, values.children, strict=False):
            self._connect(_key(member), value)

    def _connect(self, key: str, value: Cursor) -> None:
        if any(not _can_hold_functions(holder) for holder in self.holders.get(key, ())):
            return
        for source in self._sources(value):
            self._join(key, source)
            if source.startswith("kernel "):
                self._values.append((key, source, value))

    def _sources(self, value: Cursor) -> Iterator[str]:
        """Keys of what an expression of function type can be."""
        if value.kind in _TRANSPARENT:
            if value.kind in _CASTS and _spells_function(value):
                yield _cast(value)
            for child in value.children[-1:]:
                yield from self._sources(child)
        elif value.kind == "CONDITIONAL_OPERATOR":
            for child in value.children[1:]:
                yield from self._sources(child)
        elif value.kind == "INIT_LIST_EXPR":
            for child in value.children:
                yield from self._sources(child)
        elif value.kind == "ARRAY_SUBSCRIPT_EXPR":
            yield from self._sources(value.children[0])
        elif value.kind == "CALL_EXPR" and value.referenced is not None:
            yield f"{value.referenced.usr}:returned"
        elif value.kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR") and value.referenced is not None:
            target = value.referenced
            if target.kind in _HOLDERS:
                yield _key(target)
            elif target.spelling in self._facts.kernels and target.kind in _NAMED:
                yield f"kernel {target.spelling}"

    def _declare(self, key: str, cursor: Cursor) -> None:
        self._root(key)
        self.holders.setdefault(key, []).append(cursor)

    def _join(self, first: str, second: str) -> None:
        self._parents[self._root(first)] = self._root(second)
        if not second.startswith("kernel "):
            self._passed_on[_root(first, self._passed_on)] = _root(second, self._passed_on)

    def _root(self, key: str) -> str:
        return _root(key, self._parents)


def _names_of_functions(value: Cursor) -> Iterator[tuple[Cursor, Cursor]]:
    """Names of functions among what an expression can be, and the whole with a `&` in front."""
    if value.kind == "DECL_REF_EXPR":
        yield value, value
    elif value.kind == "CONDITIONAL_OPERATOR":
        for child in value.children[1:]:
            yield from _names_of_functions(child)
    elif value.kind == "INIT_LIST_EXPR":
        for child in value.children:
            yield from _names_of_functions(child)
    elif value.kind in _TRANSPARENT:
        for child in value.children[-1:]:
            for outer, name in _names_of_functions(child):
                yield value if value.kind == "UNARY_OPERATOR" else outer, name


def _root(key: str, parents: dict[str, str]) -> str:
    parent = parents.setdefault(key, key)
    while parent != parents[parent]:
        parent = parents[parent]
    parents[key] = parent
    return parent


def _signature(cursor: Cursor) -> str:
    """The function type of a function, a pointer or reference to one, or an alias of those."""
    spelled = cursor.type.canonical.spelling
    return spelled.replace("(*)", "").replace("(&)", "").replace(" (", "(")


def _can_hold_functions(holder: Cursor) -> bool:
    spelled = holder.type.canonical.spelling
    return any(part in spelled for part in ("(", "type-parameter", "auto")) or not (
        spelled.removesuffix(" *").removesuffix("const ").endswith("void")
    )


def _spells_function(cast: Cursor) -> bool:
    return "(" in cast.type.canonical.spelling and bool(cast.children)


def _cast(cursor: Cursor) -> str:
    return f"{cursor.file}:{cursor.begin}:{cursor.end}"


def _parameters(function: Cursor) -> list[Cursor]:
    return [child for child in function.children if child.kind == "PARM_DECL"]


def _is_launch(call: Cursor) -> bool:
    if len(call.children) < 2:
        return False
    second = call.children[1]
    return second.kind == "CALL_EXPR" and second.spelling == _LAUNCH_SETUP


def _key(cursor: Cursor) -> str:
    return f"{cursor.file}:{cursor.name_offset}"
