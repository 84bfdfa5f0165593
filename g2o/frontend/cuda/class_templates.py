"""Methods of classes that are templates: which one a call means, and with which arguments.

template <class T, int N> struct Window { __device__ void load(const T *p); ... };
template <class T> __global__ void k(...) { Window<T, 4> w; w.load(p); }    ->    load with (T, 4)

Clang leaves calls open that depend on a template parameter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, final

from g2o.frontend.cuda.clang_api import ClangType, Cursor
from g2o.ir.kernel import MemberKind

VALUE_PARAMETER: Final = "TEMPLATE_NON_TYPE_PARAMETER"
_TEMPLATE_PARAMETERS: Final = frozenset(
    ("TEMPLATE_TYPE_PARAMETER", VALUE_PARAMETER, "TEMPLATE_TEMPLATE_PARAMETER")
)
_TEMPLATES: Final = frozenset({"CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"})
_CLASSES: Final = frozenset({"STRUCT_DECL", "CLASS_DECL", *_TEMPLATES})
_METHODS: Final = frozenset({"CXX_METHOD", "FUNCTION_TEMPLATE"})
_ALIASES: Final = frozenset({"TYPEDEF_DECL", "TYPE_ALIAS_DECL"})
_TYPES: Final = frozenset({"STRUCT_DECL", "CLASS_DECL", "ENUM_DECL", *_ALIASES})
_NAME: Final = re.compile(r"(?:::|\.|->)\s*(?:template\s+)?(\w+)(?:\s*<[^()]*>)?\s*$")
_DEPTH_LIMIT: Final = 8


@final
@dataclass(frozen=True, slots=True)
class OpenCall:
    """The `methods` that a call may mean, of a class template and its specialisations, and the
    template arguments of the class as they are spelled; "" where the default ones are meant."""

    methods: tuple[Cursor, ...]
    arguments: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class OpenType:
    """A class template with the arguments that a type gives it, and its `constructors`."""

    template: Cursor
    arguments: tuple[str, ...]

    @property
    def constructors(self) -> tuple[Cursor, ...]:
        return tuple(
            child
            for form in _forms(self.template)
            for child in form.children
            if child.kind == "CONSTRUCTOR"
        )


def template_of(ctype: ClangType) -> OpenType | None:
    """The class template that a type, which depends on template parameters, is made from."""
    template, spelled = _template_of(ctype)
    if template is None or template.kind != "CLASS_TEMPLATE":
        return None
    return OpenType(template, _padded(split_template_arguments(spelled), template))


def find_methods(callee: Cursor, text: str) -> OpenCall | None:
    """What an open callee, `Queue<T>::push` or `queue.push`, with this text means."""
    name = _NAME.search(text)
    if name is None:
        return None
    template, spelled = None, ""
    if callee.kind == "MEMBER_REF_EXPR":
        objects = [child for child in callee.children if child.is_expression]
        if objects:
            template, spelled = _template_of(objects[0].type)
    else:
        template = next((n.referenced for n in callee.walk() if n.kind == "TEMPLATE_REF"), None)
        spelled = text[: name.start()]
    if template is None or template.kind != "CLASS_TEMPLATE":
        return None
    methods = tuple(
        child
        for form in _forms(template)
        for child in form.children
        if child.kind in _METHODS and child.spelling == name[1]
    )
    return OpenCall(methods, _padded(split_template_arguments(spelled), template))


def owner_of(function: Cursor) -> Cursor | None:
    """What a function is a member of; of a friend that a class defines, that class: its names and
    template parameters mean there what they mean in a method."""
    parent, around = function.semantic_parent, function.lexical_parent
    if parent is None or around is None or parent.kind in _CLASSES or around.kind not in _CLASSES:
        return parent
    return around if (function.template or function).is_definition else parent


def owner_arguments(method: Cursor) -> tuple[str, ...]:
    """The template arguments of the class that a method, which clang has found, belongs to."""
    owner = owner_of(method)
    if owner is None or owner.kind not in _CLASSES:
        return ()
    if owner.kind in _TEMPLATES:
        return owner_pattern(method)
    said = split_template_arguments(owner.display_name)
    known = owner.template_arguments  # of a template that is one, clang says nothing
    if len(known) != len(said):
        return known
    return tuple(one or other for one, other in zip(known, said, strict=True))


def owner_pattern(method: Cursor) -> tuple[str, ...]:
    """What the template arguments of the class are, in terms of its parameters."""
    owner = owner_of(method)
    if owner is None or owner.kind not in _CLASSES:
        return ()
    if owner.kind == "CLASS_TEMPLATE":
        return tuple(parameter.spelling for parameter in _parameters(owner))
    return split_template_arguments(owner.display_name)


def parameters_of(function: Cursor) -> list[Cursor]:
    """Template parameters of the class and of the function itself."""
    owner = owner_of(function)
    inherited = _parameters(owner) if owner is not None and owner.kind in _TEMPLATES else []
    return [*inherited, *_parameters(function)]


def names_of_owner(method: Cursor) -> tuple[str, tuple[tuple[str, MemberKind], ...]]:
    """The qualified name of a method's class, and the names that only mean something inside it."""
    owner = owner_of(method)
    if owner is None or owner.kind not in _CLASSES:
        return "", ()
    members: dict[str, MemberKind] = {}
    for child in owner.children:
        if child.kind in _TYPES and child.spelling.isidentifier():
            members[child.spelling] = MemberKind.TYPE
        elif child.kind == "CLASS_TEMPLATE":
            members[child.spelling] = MemberKind.TEMPLATE
        elif child.kind == "VAR_DECL" or (child.kind == "CXX_METHOD" and child.is_static_method):
            members[child.spelling] = MemberKind.VALUE
        if child.kind == "ENUM_DECL":
            members |= {one.spelling: MemberKind.VALUE for one in child.children if one.spelling}
    names = [owner.spelling]
    scope = owner.semantic_parent
    while scope is not None and scope.kind in ("NAMESPACE", *_CLASSES):
        names.append(scope.spelling)
        scope = scope.semantic_parent
    return "::".join(name for name in reversed(names) if name), tuple(members.items())


def split_template_arguments(callee: str) -> tuple[str, ...]:
    """`A<int>::f<T, 3>` -> ("T", "3"); a callee without arguments gives none."""
    callee = _last_component(callee.rstrip())
    opening = callee.find("<")
    if opening < 0 or not callee.endswith(">"):
        return ()
    arguments: list[str] = [""]
    depth = 0
    for character in callee[opening + 1 : -1]:
        if character == "," and depth == 0:
            arguments.append("")
            continue
        depth += (character in "<([{") - (character in ">)]}")
        arguments[-1] += character
    return tuple(argument.strip() for argument in arguments if argument.strip())


def _last_component(name: str) -> str:
    """What stands behind the last `::`, `.` or `->` that is not inside template arguments."""
    depth = 0
    for position in range(len(name) - 1, -1, -1):
        character = name[position]
        if character == ">" and name[position - 1 : position] != "-":
            depth += 1
        elif character == "<":
            depth -= 1
        elif depth == 0 and (character in ":." or name[position - 1 : position + 1] == "->"):
            return name[position + 1 :]
    return name


def _template_of(ctype: ClangType) -> tuple[Cursor | None, str]:
    """The class template that a type is made from, and the spelled type, through aliases."""
    for _ in range(_DEPTH_LIMIT):
        if ctype.kind in ("POINTER", "LVALUEREFERENCE", "RVALUEREFERENCE"):
            ctype = ctype.pointee
            continue
        declaration = ctype.declaration
        if declaration.kind not in _ALIASES:
            return _as_template(declaration), ctype.spelling
        ctype = declaration.underlying_type
    return None, ""


def _as_template(declaration: Cursor) -> Cursor:
    """The template whose pattern a class is: that is what `this` points to inside it."""
    scope = declaration.semantic_parent
    if declaration.kind not in ("STRUCT_DECL", "CLASS_DECL") or scope is None:
        return declaration
    place = (declaration.file, declaration.name_offset)
    found = (
        one
        for one in scope.children
        if one.kind == "CLASS_TEMPLATE" and (one.file, one.name_offset) == place
    )
    return next(found, declaration)


def _forms(template: Cursor) -> list[Cursor]:
    """A class template and what it is specialised to."""
    scope = template.semantic_parent
    return [
        form
        for form in (() if scope is None else scope.children)
        if form.kind in _CLASSES and form.spelling == template.spelling and form.is_definition
    ]


def _parameters(template: Cursor) -> list[Cursor]:
    return [child for child in template.children if child.kind in _TEMPLATE_PARAMETERS]


def _padded(arguments: tuple[str, ...], template: Cursor) -> tuple[str, ...]:
    missing = len(_parameters(template)) - len(arguments)
    return (*arguments, *[""] * missing)
