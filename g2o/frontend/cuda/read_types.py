"""libclang types -> IR types."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final
from weakref import WeakKeyDictionary

from g2o.frontend.cuda.accessor_types import accessor_type
from g2o.frontend.cuda.api import COMPLEX_TYPES, DEVICE_TYPES, FP8_TYPES, LIBRARY_NAMES, TYPES
from g2o.frontend.cuda.clang_api import ClangType, Cursor
from g2o.frontend.cuda.object_manners import Manners, manners_of
from g2o.ir.types import CType, TypeKind

_INTEGERS = {
    "CHAR_U": False, "UCHAR": False, "CHAR16": False, "CHAR32": False, "USHORT": False,
    "UINT": False, "ULONG": False, "ULONGLONG": False, "UINT128": False, "CHAR_S": True,
    "SCHAR": True, "WCHAR": True, "SHORT": True, "INT": True, "LONG": True, "LONGLONG": True,
    "INT128": True,
}  # fmt: skip
_FLOATING = frozenset({"FLOAT", "DOUBLE", "LONGDOUBLE", "FLOAT128", "HALF", "FLOAT16", "BFLOAT16"})
_ARRAYS = frozenset({"CONSTANTARRAY", "INCOMPLETEARRAY", "VARIABLEARRAY", "DEPENDENTSIZEDARRAY"})
_NAMED = frozenset({"TYPEDEF", "ELABORATED", "RECORD", "AUTO", "ENUM"})
_NOWHERE: Final = frozenset({""})  # no namespace has this key
_POINTING = frozenset({"POINTER", "LVALUEREFERENCE", "RVALUEREFERENCE"})
_CLASSES = frozenset({"STRUCT_DECL", "CLASS_DECL"})
_FUNCTIONS = frozenset({"FUNCTION_DECL", "FUNCTION_TEMPLATE", "CXX_METHOD", "CONSTRUCTOR"})
_DEPTH_LIMIT = 6
_UNNAMED = re.compile(r"((?:struct|union|class|enum) )?\((?:unnamed|anonymous)[^)]*\)")
_FIELD_DEPTH = 2  # pointers inside structures, behind which members are not looked at
_Members = tuple[tuple[str, CType], ...]
_PLAIN: Final = Manners()
_MANNERS: Final[WeakKeyDictionary[object, dict[tuple[str, int, int], Manners]]] = (
    WeakKeyDictionary()
)
_MEMBERS: Final[WeakKeyDictionary[object, dict[tuple[tuple[str, int, int], int], _Members]]] = (
    WeakKeyDictionary()
)
_NAMES = {**LIBRARY_NAMES, **DEVICE_TYPES, **COMPLEX_TYPES, **FP8_TYPES, **TYPES}
_NAME = re.compile(r"(?<!:)\b[A-Za-z_]\w*")  # any: one pattern of all `_NAMES` takes long to make
_LIBRARY_OF_REALS = re.compile(
    r"(?:const )?(?:std|thrust|cuda)::(?:\w+::)*(?P<name>\w+)<.*\b(?:float|double)\b"
)
_HALF = re.compile(r"(?:const )?(?:volatile )?c10::(?:Half|BFloat16)")
_ARRAY_CLASS = re.compile(r"(?:const )?std::array<.*>")
_VECTOR = re.compile(r"std::|dim3$|u?(?:char|short|int|long|longlong|float|double)[1-4]$")
_OPERATOR = re.compile(r"\b(?:plus|less|greater|bit_and|bit_or|bit_xor)<")
_COORDINATE = re.compile(
    r"\bdecltype\s*\(\s*(?:threadIdx|blockIdx|blockDim|gridDim)\s*\.\s*[xyz]\s*\)"
)
_OPEN = re.compile(r"\(|\btype-parameter-|\bdecltype\b|\btypename\b|<dependent type>")
_OF_LIBRARY = re.compile(r"\b__\w+\s*(?:<|::)")  # `__enable_if<...>::__type`, what `sin(2)` is
_MEMBER_FUNCTION = "<bound member function type>"  # what `x.f` is in `x.f()`
_ORDINARY = frozenset(("half", "half2"))


def read_type(raw: ClangType, depth: int = 0, around: frozenset[str] | None = None) -> CType:
    """The IR type of a clang type; what is beyond `_DEPTH_LIMIT` levels of pointers is OTHER.

    `depth` counts those in front of the type. What is in a value itself is known to the end.
    `around` are the namespaces, by their USRs, of the code that the type is spelled in.
    """
    canonical = raw.canonical
    kind = canonical.kind
    spelled = _spelled(raw, canonical, around)
    spelling = _operator_of_groups(canonical) or _emitted(spelled, canonical)
    accessor = accessor_type(raw, canonical, spelling, read_type)
    if accessor is not None:
        return accessor
    const = canonical.is_const
    volatile = canonical.is_volatile
    if kind in _INTEGERS:
        bits = 8 * max(canonical.size, 0)
        return CType(spelling, TypeKind.INTEGER, bits, _INTEGERS[kind], const, volatile)
    if kind == "ENUM":
        bits = 8 * max(canonical.size, 0)
        signed = _INTEGERS.get(canonical.declaration.enum_kind, True)
        made = CType(spelling, TypeKind.INTEGER, bits, signed, const, volatile)
        return replace(made, is_enumeration=True)
    if kind in _FLOATING:
        bits = 8 * max(canonical.size, 0)
        return CType(spelling, TypeKind.FLOATING, bits, True, const, volatile)
    match kind:
        case "BOOL":
            return CType(spelling, TypeKind.BOOL, 8, False, const, volatile)
        case "VOID":
            return CType(spelling, TypeKind.VOID, is_const=const)
        case _ if kind in _POINTING:
            if depth >= _DEPTH_LIMIT:
                return CType(spelling, TypeKind.OTHER)
            pointee = raw.pointee
            element = read_type(
                pointee if pointee.kind != "INVALID" else canonical.pointee, depth + 1, around
            )
            type_kind = TypeKind.POINTER if kind == "POINTER" else TypeKind.REFERENCE
            return CType(
                spelling,
                type_kind,
                64,
                False,
                const,
                volatile,
                raw.is_restrict or canonical.is_restrict,
                element,
            )
        case _ if kind in _ARRAYS:
            inner = raw.element if raw.kind in _ARRAYS else canonical.element
            element = read_type(inner, depth, around)
            if const and raw.kind not in _ARRAYS:
                element = _constant(element)  # `const matrix a`: clang gives elements without it
            extent = canonical.extent if kind == "CONSTANTARRAY" else None
            return CType(spelling, TypeKind.ARRAY, element=element, extent=extent)
        case "RECORD":
            bits = 8 * max(canonical.size, 0)
            fields = _fields(canonical, depth) if depth <= _FIELD_DEPTH else ()
            if _is_alias_of_vector(spelling, canonical):
                fields = _own_fields(canonical, depth)
            made = CType(spelling, TypeKind.RECORD, bits, True, const, volatile, fields=fields)
            found = None if fields else _LIBRARY_OF_REALS.match(canonical.spelling)
            hides = found is not None and (bits > 8 or found["name"] == "complex")
            union = _is_union_of_reals(canonical.declaration)
            hides = hides or union or _has_open_base(canonical) or _hides_members(fields)
            made = replace(made, hides_reals=hides, is_union=union)
            manners, is_plain = _manners(canonical), canonical.is_pod
            ends, copies = manners.ends and not is_plain, manners.copies and not is_plain
            made = replace(made, constructs=not is_plain, ends=ends, copies=copies)
            made = replace(made, is_built=manners.built)
            if _HALF.fullmatch(canonical.spelling) is not None:
                spelled = canonical.spelling  # its operators give a `Half`, which is one in c10
                return replace(made, spelling=spelled, fields=(), constructs=False, is_half=True)
            return _with_elements(made, canonical, depth)
        case "UNEXPOSED" | "DEPENDENT" | "INVALID" if spelling != _MEMBER_FUNCTION:
            manners = _manners(raw) if "<" in raw.spelling or "<" in canonical.spelling else _PLAIN
            made = CType(spelling, TypeKind.DEPENDENT, 0, True, const, volatile)
            copies = manners.copies
            return replace(made, ends=manners.ends, copies=copies, is_built=manners.built)
        case _:
            return CType(spelling, TypeKind.OTHER, 0, True, const, volatile)


def _with_elements(made: CType, canonical: ClangType, depth: int) -> CType:
    """The type `std::array` with what it is an array of."""
    members = canonical.fields if _ARRAY_CLASS.fullmatch(canonical.spelling) else ()
    held = [one.canonical for _, one in members if one.canonical.kind == "CONSTANTARRAY"]
    if len(held) != 1:
        return made
    element = read_type(held[0].element.canonical, depth)
    hides = made.hides_reals or element.hides_reals or _has_reals(element)
    return replace(made, element=element, extent=held[0].extent, hides_reals=hides)


def _constant(element: CType) -> CType:
    """The type of the elements of a constant array."""
    if element.is_const:
        return element
    inner = element.element
    if element.kind is TypeKind.ARRAY and inner is not None:
        inner = _constant(inner)
    return replace(element, spelling=f"const {element.spelling}", is_const=True, element=inner)


def _has_reals(ctype: CType) -> bool:
    return ctype.kind is TypeKind.FLOATING or any(_has_reals(one) for _, one in ctype.fields)


def _operator_of_groups(canonical: ClangType) -> str:
    """`cooperative_groups::plus` for all its instances; empty for other types."""
    if _OPERATOR.search(canonical.spelling) is None:
        return ""
    declared = canonical.declaration
    parent = declared.semantic_parent
    if parent is None or parent.spelling != "cooperative_groups":
        return ""
    return f"cooperative_groups::{declared.spelling}"


def _fields(record: ClangType, depth: int) -> _Members:
    """The members of a structure; nothing for unions, and for types of the CUDA headers."""
    name = record.spelling.removeprefix("const ")
    if _VECTOR.match(name):
        return ()
    found: list[tuple[str, CType]] = []
    for base in record.bases:
        if base.canonical.kind == "RECORD":
            found.extend(_fields(base.canonical, depth))
    return (*found, *_own_fields(record, depth))


def _hides_members(fields: _Members) -> bool:
    """Has a class a member that is called as one of a base?"""
    return len({name for name, _ in fields}) < len(fields)


def _has_open_base(record: ClangType) -> bool:
    """Has an instance of a template a base with members that only the arguments tell?"""
    for base in record.bases:
        if base.canonical.kind == "RECORD":
            if _has_open_base(base.canonical):
                return True
        elif not record.members or record.members[0].offset_of_field != 0:
            return True
    return False


def _is_alias_of_vector(spelling: str, canonical: ClangType) -> bool:
    """Is it `cuDoubleComplex`, or what the program calls a `float4`? Whoever asks for the members
    of vector types knows these by their names alone."""
    name = canonical.spelling.removeprefix("const ")
    known = _VECTOR.match(spelling.removeprefix("const ").removeprefix("volatile "))
    return name[-1:].isdigit() and bool(_VECTOR.match(name)) and not known


def _is_union_of_reals(declared: Cursor) -> bool:
    """Is it a union with a real number, or an array of some, among its members?"""
    if declared.kind != "UNION_DECL":
        return False
    parts = list(declared.children)
    while parts:
        part = parts.pop()
        if part.kind == "FIELD_DECL":
            ctype = part.type.canonical
            while ctype.kind in _ARRAYS:
                ctype = ctype.element.canonical
            if ctype.kind in _FLOATING:
                return True
        elif part.kind in ("STRUCT_DECL", "CLASS_DECL", "UNION_DECL"):
            parts.extend(part.children)
    return False


def _own_fields(record: ClangType, depth: int) -> _Members:
    """Those are read once: structures that lead to each other would be a tree without end."""
    known = _MEMBERS.setdefault(record.unit, {})
    key = record.class_key, depth
    if key not in known:
        fields = record.fields
        known[key] = tuple((name, read_type(ctype, depth, _NOWHERE)) for name, ctype in fields)
    return known[key]


def _manners(record: ClangType) -> Manners:
    known = _MANNERS.setdefault(record.unit, {})
    if record.class_key not in known:
        known[record.class_key] = manners_of(record)
    return known[record.class_key]


def names_other_type(text: str, ctype: CType) -> bool:
    """Is `ctype` known where `text` declares it by what it names? That may have another type where
    the declaration is printed: `decltype(v) w` of what is an array of all threads there."""
    return "decltype(" in text and "decltype(" not in ctype.spelling


def of_coordinates(spelling: str) -> str:
    """`decltype(threadIdx.x)` as what it is in CUDA, where what takes its place is an int."""
    return _COORDINATE.sub("unsigned", spelling)


def _spelled(raw: ClangType, canonical: ClangType, around: frozenset[str] | None) -> str:
    """The type as it is spelled; `real` of `struct Spring { using real = double; real k, *x; }`,
    which means nothing elsewhere, as what it is. So are names of the program's namespaces that the
    code is not in."""
    spelling = raw.spelling
    named = raw
    while named.kind in _POINTING:
        named = named.pointee
    if named.kind not in _NAMED or "::" in spelling or _OPEN.search(canonical.spelling):
        return spelling
    declared = named.declaration
    parent = declared.semantic_parent
    if parent is not None and parent.kind in _FUNCTIONS and around is _NOWHERE:
        return canonical.spelling  # of a member of a function's class, where that has moved
    if parent is None or (parent.kind not in _CLASSES and parent.kind != "NAMESPACE"):
        return spelling
    if parent.kind == "NAMESPACE" and (
        around is None or parent.usr in around or declared.is_of_system
    ):
        return spelling
    return canonical.spelling


def _emitted(spelling: str, canonical: ClangType) -> str:
    """The spelling with CUDA's types under the names that they have in the translation.

    A `half` that is no other name of `__half` is the program's own. Where a library's declaration
    spells a type, by names that mean something in it only, it is spelled as what it is.
    """
    spelling = of_coordinates(spelling)
    is_elsewhere = "decltype(" in spelling or _OF_LIBRARY.search(spelling) is not None
    if is_elsewhere and _OPEN.search(canonical.spelling) is None:
        spelling = canonical.spelling
    own = _ORDINARY.intersection(re.findall(r"\w+", canonical.spelling))
    return _renamed(spelling, own)


def emitted_argument(canonical: str) -> str:
    """A template argument as clang spells it out, with the names of the translation."""
    return _renamed(canonical, _ORDINARY)


def _renamed(spelling: str, own: frozenset[str]) -> str:
    """The spelling with the names of the translation for all but the program's `own` names."""
    return _NAME.sub(
        lambda name: name[0] if name[0] in own else _NAMES.get(name[0], name[0]), spelling
    )


def with_tag(ctype: CType, tag: str) -> CType:
    """The type with the name of a type that has none in the source, as C has it behind a keyword,
    and C++ without one."""
    element = None if ctype.element is None else with_tag(ctype.element, tag)
    spelling = _UNNAMED.sub(lambda found: (found[1] or "") + tag, ctype.spelling)
    return replace(ctype, spelling=spelling, element=element)
