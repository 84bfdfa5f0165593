"""What objects of a class do by themselves: when they end, or are copied.

struct Flush { ~Flush() { atomicAdd(to, sum); } ... };               it ends with an effect
struct Ref { Ref &operator=(const Ref &o) { *p = *o.p; ... } };      copies are not what they were
struct Cursor { int buf[4], *at; Cursor() : at(buf) {} };            nor is what points into it

What is written out member by member, `x(o.x)` and `x = o.x`, is an ordinary copy.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

from g2o.frontend.cuda.clang_api import ClangType, Cursor
from g2o.frontend.cuda.class_templates import template_of

_CLASSES: Final = ("STRUCT_DECL", "CLASS_DECL", "CLASS_TEMPLATE")
_ARRAYS: Final = ("CONSTANTARRAY", "DEPENDENTSIZEDARRAY")
_PARTIAL: Final = "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"
_WRAPPED: Final = (
    "UNEXPOSED_EXPR",
    "PAREN_EXPR",
    "ARRAY_SUBSCRIPT_EXPR",
    "CXX_FUNCTIONAL_CAST_EXPR",
)
_POINTING: Final = ("POINTER", "LVALUEREFERENCE", "RVALUEREFERENCE")
_DEPTH: Final = 4


@final
@dataclass(frozen=True, slots=True)
class Manners:
    """Do objects of the class do something when they end, and are copies other than their bytes?
    Do braces call a constructor of the class `built`, or begin with its bases?"""

    ends: bool = False
    copies: bool = False
    built: bool = False


def manners_of(record: ClangType, depth: int = 0) -> Manners:
    """Of a class of the program, or of its template where the instance is open; those of libraries
    are known by their names."""
    declared = record.declaration.pattern
    if declared.kind not in (*_CLASSES, _PARTIAL):
        found = template_of(record)
        declared = declared if found is None else found.template
    if depth > _DEPTH or declared.kind not in (*_CLASSES, _PARTIAL) or declared.is_of_system:
        return Manners()
    parts = [manners_of(one.canonical, depth + 1) for one in _parts(declared)]
    own = [one for one in declared.children if not one.is_defaulted_method]
    ends = any(one.kind == "DESTRUCTOR" and _does_something(one) for one in own)
    members = frozenset(one.spelling for one in declared.children if one.kind == "FIELD_DECL")
    copies = any(_is_copying(one, declared) and not _is_memberwise(one, members) for one in own)
    copies |= any(one.kind == "CONSTRUCTOR" and _keeps_address(one) for one in own)
    built = any(
        one.kind in ("CONSTRUCTOR", "CXX_BASE_SPECIFIER") or _is_template_of(one, declared)
        for one in own
    )
    ends |= any(one.ends for one in parts)
    copies |= any(one.copies for one in parts)
    return Manners(ends, copies, built)


def _is_template_of(member: Cursor, owner: Cursor) -> bool:
    """Is it a template of constructors?"""
    name = owner.spelling.split("<")[0]
    return member.kind == "FUNCTION_TEMPLATE" and member.spelling.split("<")[0] == name


def _parts(declared: Cursor) -> Iterator[ClangType]:
    for child in declared.children:
        if child.kind in ("CXX_BASE_SPECIFIER", "FIELD_DECL"):
            ctype = child.type.canonical
            while ctype.kind in _ARRAYS:
                ctype = ctype.element.canonical
            if ctype.kind not in _POINTING:
                yield ctype


def _does_something(destructor: Cursor) -> bool:
    definition = destructor.definition
    if definition is None:
        return True
    bodies = [one for one in definition.children if one.kind == "COMPOUND_STMT"]
    return not bodies or any(one.children for one in bodies)


def _is_copying(member: Cursor, owner: Cursor) -> bool:
    """Is it a constructor or an assignment from another object of the class?"""
    if member.kind != "CONSTRUCTOR" and member.spelling != "operator=":
        return False
    given = [one for one in member.children if one.kind == "PARM_DECL"]
    if len(given) != 1:
        return False
    ctype = given[0].type
    if ctype.kind in ("LVALUEREFERENCE", "RVALUEREFERENCE"):
        ctype = ctype.pointee
    named = ctype.canonical.declaration.pattern
    spelled = ctype.canonical.spelling.removeprefix("const ").split("<")[0].split("::")[-1]
    return named.usr == owner.usr or spelled == owner.spelling


def _is_memberwise(member: Cursor, members: frozenset[str]) -> bool:
    """Does it give each of the members the value of the same one? What is deleted gives none."""
    definition = member.definition
    if definition is None:
        return False
    children = definition.children
    given: set[str | None] = set()
    if not any(one.kind == "COMPOUND_STMT" for one in children):
        return False
    for at, one in enumerate(children):
        if one.kind == "MEMBER_REF" and _member(children[at + 1]) != one.spelling:
            return False
        given |= {one.spelling} if one.kind == "MEMBER_REF" else set()
    for node in definition.walk():
        if node.kind == "BINARY_OPERATOR" and node.binary_operator == "=":
            left, right = node.children
            own = _bare(left).kind == "DECL_REF_EXPR"  # a counter
            if not own and (_member(left) is None or _member(left) != _member(right)):
                return False
            given.add(_member(left))
        elif node.kind == "CALL_EXPR" and node.spelling == "operator=":
            given |= {_member(one) for one in node.children[:1]}
        elif node.kind == "CALL_EXPR" and node.spelling not in ("", member.spelling):
            if node.type.canonical.kind != "RECORD":
                return False
        elif node.kind in ("COMPOUND_ASSIGNMENT_OPERATOR", "UNARY_OPERATOR"):
            changes = node.kind != "UNARY_OPERATOR" or node.unary_operator[0] in ("++", "--")
            if changes and _bare(node.children[0]).kind != "DECL_REF_EXPR":
                return False
    return members <= given


def _member(expr: Cursor) -> str | None:
    """The member, or the element of one, that an expression is."""
    expr = _bare(expr)
    return expr.spelling if expr.kind == "MEMBER_REF_EXPR" else None


def _bare(expr: Cursor) -> Cursor:
    """What is in parentheses or converted, the array of an element, what a member is made from."""
    while expr.children:
        made = expr.kind == "CALL_EXPR" and len(expr.children) == 1
        if expr.kind not in _WRAPPED and not made:
            break
        expr = expr.children[0]
    return expr


def _keeps_address(constructor: Cursor) -> bool:
    """Does a pointer get the address of the object, or of a part?"""
    definition = constructor.definition
    if definition is None:
        return False
    for node in definition.walk():
        if node.kind == "UNARY_OPERATOR" and node.unary_operator[0] == "&":
            if node.children and _is_own_part(node.children[0]):
                return True
        elif node.kind == "UNEXPOSED_EXPR" and node.type.kind == "POINTER" and node.children:
            inner = node.children[0]
            array = inner.type.canonical.kind == "CONSTANTARRAY"
            if array and _is_own_part(inner) and _is_kept(node, definition):
                return True
    return False


def _is_own_part(expr: Cursor) -> bool:
    """Is it a member of the object, and not of what a parameter refers to?"""
    part = _bare(expr)
    if part.kind != "MEMBER_REF_EXPR":
        return False
    while part.kind == "MEMBER_REF_EXPR":
        inner = [one for one in part.children if one.is_expression]
        if not inner:
            return True
        part = _bare(inner[0])
    target = part.referenced if part.kind == "DECL_REF_EXPR" else None
    return target is None or target.kind != "PARM_DECL"


def _is_kept(decayed: Cursor, definition: Cursor) -> bool:
    """Is the pointer to a member's elements more than the base of a subscript?"""
    for node in definition.walk():
        if node.kind == "ARRAY_SUBSCRIPT_EXPR" and node.children:
            first = node.children[0]
            if (first.begin, first.end) == (decayed.begin, decayed.end):
                return False
    return True
