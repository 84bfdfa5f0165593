"""Template arguments deduced from the types of a call's arguments, as far as their names tell.

const Pair<K, V> &  for  Pair<int, bool>    ->    K = int, V = bool
T *                 for  float *            ->    T = float
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import final

from g2o.ir.kernel import Function
from g2o.ir.types import CType, TypeKind, unqualified

_LAMBDA = "(lambda at"
_QUALIFIERS = re.compile(r"\b(?:const|volatile|typename|struct|class|__restrict__|__restrict)\b\s*")
_TOKEN = re.compile(r"\s*(::|[A-Za-z_]\w*|\d\w*|[<>,*&\[\]])")
_FIRST_EXTENT = re.compile(r"^[^()\[\]]*\[(\w+)\]")
_BUILTIN = {"bool", "char", "short", "int", "long", "unsigned", "signed", "float", "double"}
_ARRAY = re.compile(r"(?P<element>[^()\[\]]*?)\s*(?:\(&\))?\s*\[(?P<extent>\w+)\]")


@final
@dataclass(frozen=True, slots=True)
class TypeShape:
    """`name<arguments> ***`; qualifiers and references do not take part in a deduction.

    `scope` is the class template that a class stands in, up to its name: `A<int>::template `.
    """

    name: str
    arguments: tuple[TypeShape, ...] = ()
    pointers: int = 0
    scope: str = ""

    def __str__(self) -> str:
        inner = f"<{', '.join(map(str, self.arguments))}>" if self.arguments else ""
        stars = " " + "*" * self.pointers if self.pointers else ""
        typename = "typename " if self.scope else ""
        return typename + self.scope + self.name + inner + stars


def shape_of(spelling: str) -> TypeShape | None:
    """Read a type; None for functions, arrays and what else has another form."""
    text = _QUALIFIERS.sub("", spelling).strip()
    tokens: list[str] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            return None
        tokens.append(match[1])
        position = match.end()
    shape, rest = _read(tokens, 0)
    return shape if rest == len(tokens) else None


def _read(tokens: list[str], position: int, scope: str = "") -> tuple[TypeShape | None, int]:
    words: list[str] = []
    while position < len(tokens) and (tokens[position] == "::" or _is_word(tokens[position])):
        word = tokens[position]
        follows = bool(words) and words[-1] != "::" and word != "::"
        words.extend((" ", word) if follows else (word,))
        position += 1
    if not words:
        return None, position
    arguments: list[TypeShape] = []
    if position < len(tokens) and tokens[position] == "<":
        while position < len(tokens) and tokens[position] in ("<", ","):
            inner, position = _read(tokens, position + 1)
            if inner is None:
                return None, position
            arguments.append(inner)
        if position >= len(tokens) or tokens[position] != ">":
            return None, position
        position += 1
        if tokens[position : position + 1] == ["::"]:
            outer = str(TypeShape("".join(words), tuple(arguments), scope=scope))
            template = tokens[position + 1 : position + 2] == ["template"]
            behind = f"{outer.removeprefix('typename ')}::{'template ' if template else ''}"
            return _read(tokens, position + 1 + template, behind)
    pointers = 0
    while position < len(tokens) and tokens[position] in ("*", "&"):
        pointers += tokens[position] == "*"
        position += 1
    return TypeShape("".join(words), tuple(arguments), pointers, scope), position


def _is_word(token: str) -> bool:
    return token[0].isalnum() or token[0] == "_"


def explicit_arguments(
    function: Function, arguments: tuple[str, ...]
) -> tuple[dict[str, str], dict[str, str]]:
    """What the template `arguments` of a call, those of the class of a method first, say of the
    parameters: as they are spelled, and as far as they can be compared with types."""
    given: dict[str, str] = {}
    names = function.template_parameters
    count = len(function.owner_pattern)
    for pattern, argument in zip(function.owner_pattern, arguments, strict=False):
        if pattern in names and argument:
            given[pattern] = argument
            continue
        shape, actual = shape_of(pattern), shape_of(argument)
        if shape is not None and actual is not None:
            unify(shape, actual, names, given)
    own = names[len(names) - _own_parameters(function) :]
    given |= {name: one for name, one in zip(own, arguments[count:], strict=False) if one}
    shapes = {name: shape_of(one) for name, one in given.items()}
    return given, {name: str(shape) for name, shape in shapes.items() if shape is not None}


def fits_class(function: Function, arguments: tuple[str, ...]) -> bool:
    """Is the class of a method the one with these template arguments, or made for them?"""
    found: dict[str, str] = {}
    for pattern, argument in zip(function.owner_pattern, arguments, strict=False):
        if pattern in function.template_parameters or pattern == argument:
            continue
        shape, actual = shape_of(pattern), shape_of(argument)
        if shape is None or actual is None:
            return False
        if not unify(shape, actual, function.template_parameters, found):
            return False
    return True


def is_special(function: Function) -> bool:
    """Is the class of a method made for some template arguments only?"""
    return any(one not in function.template_parameters for one in function.owner_pattern)


def _own_parameters(function: Function) -> int:
    return len(function.template_parameters) - function.owner_parameters


def deduce(
    pattern: CType, actual: CType, parameters: Collection[str], found: dict[str, str]
) -> bool:
    """Does a value of type `actual` fit `pattern` without a conversion?

    What the template `parameters` in `pattern` stand for then is added to `found`.
    """
    if actual.spelling.removeprefix("const ").startswith(_LAMBDA):  # which has no other name
        name, bound = unqualified(pattern).rstrip("& "), unqualified(actual)
        return name in parameters and found.setdefault(name, bound) == bound
    array = _ARRAY.fullmatch(pattern.spelling) if pattern.kind is not TypeKind.ARRAY else None
    if array is not None and actual.kind is TypeKind.ARRAY and actual.element is not None:
        return _deduce_array(array, actual, parameters, found)
    shape, given = _shape(pattern), _shape(actual)
    return shape is not None and given is not None and unify(shape, given, parameters, found)


def _deduce_array(
    pattern: re.Match[str], actual: CType, parameters: Collection[str], found: dict[str, str]
) -> bool:
    """`T (&values)[N]`: here the number of elements takes part."""
    element = shape_of(pattern["element"])
    given = None if actual.element is None else _shape(actual.element)
    count, wanted = _extent(actual), pattern["extent"]
    if element is None or given is None or not count:
        return False
    bound = found.setdefault(wanted, count) if wanted in parameters else wanted
    return bound == count and unify(element, given, parameters, found)


def _extent(array: CType) -> str:
    """How many elements an array has, as far as one word says it."""
    if array.extent is not None:
        return str(array.extent)
    spelled = _FIRST_EXTENT.search(array.spelling)
    return "" if spelled is None else spelled[1]


def unify(
    pattern: TypeShape, actual: TypeShape, parameters: Collection[str], found: dict[str, str]
) -> bool:
    """Whether `actual` is `pattern` with something in place of its parameters: see `deduce`."""
    if pattern.name in parameters and not pattern.arguments:
        if pattern.pointers > actual.pointers:
            return False
        bound = str(replace(actual, pointers=actual.pointers - pattern.pointers))
        return found.setdefault(pattern.name, bound) == bound
    same = (pattern.pointers, len(pattern.arguments)) == (actual.pointers, len(actual.arguments))
    named = pattern.name == actual.name or actual.name.endswith(f"::{pattern.name}")
    if pattern.scope and pattern.scope != actual.scope:
        return False
    return (
        same
        and named
        and all(
            unify(inner, given, parameters, found)
            for inner, given in zip(pattern.arguments, actual.arguments, strict=True)
        )
    )


def _shape(ctype: CType) -> TypeShape | None:
    """The shape of the values of a type: an array is handed over as a pointer."""
    if ctype.kind is TypeKind.REFERENCE and ctype.element is not None:
        return _shape(ctype.element)
    if ctype.kind is TypeKind.ARRAY and ctype.element is not None:
        element = _shape(ctype.element)
        return None if element is None else replace(element, pointers=element.pointers + 1)
    shape = shape_of(ctype.spelling)
    if shape is None or shape.name in ("auto", ""):
        return None
    words = shape.name.split()
    if len(words) > 1 and not _BUILTIN.issuperset(words):
        return None
    return shape if shape.name != "unsigned int" else replace(shape, name="unsigned")
