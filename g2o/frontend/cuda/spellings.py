"""How the source spells the leaves of expressions, where libclang does not say it."""

import re

from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.macro_literals import text_in_macro
from g2o.frontend.cuda.unit import SourceUnit

_MEMBER = re.compile(r"(?:\.|->)\s*(\w+)\s*$")
_LEAF_TOKEN = re.compile(
    r"""(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+'"""
    r"""|\.?\d(?:[eEpP][+-]|[\w.'])*|(?:\w+\s*::\s*)*\w+"""
)
_INTEGER_SUFFIX = re.compile(r"[uUlLzZ]+$")
_OCTAL = re.compile(r"0[0-7]+")


def leaf_text(unit: SourceUnit, cursor: Cursor) -> str:
    """How the source spells a leaf, looking into macro bodies."""
    file = unit.files.get(cursor.spelling_file, unit.main)
    match = _LEAF_TOKEN.match(file.text, cursor.spelling_begin)
    if cursor.spelling_begin == cursor.begin:
        text = file.text[cursor.begin : cursor.end]
        if text:
            return text_in_macro(unit, cursor, text)
        if match:
            return text_in_macro(unit, cursor, match.group())
    return match.group() if match else cursor.spelling


def literal_value(cursor: Cursor, text: str) -> int | None:
    """The integer that the literal `text` stands for; None for other literals."""
    if cursor.kind == "CXX_BOOL_LITERAL_EXPR":
        return cursor.evaluate_integer() if text not in ("true", "false") else int(text == "true")
    if cursor.kind != "INTEGER_LITERAL":
        return None
    digits = _INTEGER_SUFFIX.sub("", text).replace("'", "")
    try:
        return int(digits, 8 if _OCTAL.fullmatch(digits) else 0)
    except ValueError:
        return cursor.evaluate_integer()


def spelled_member(unit: SourceUnit, cursor: Cursor) -> str:
    """The name of a member of what depends on a template parameter, which clang has not, or of
    which there are several."""
    for child in cursor.children:
        if child.kind == "OVERLOADED_DECL_REF":
            return child.spelling
    text = unit.file_of(cursor).text[cursor.begin : cursor.end]
    found = _MEMBER.search(text)
    return "" if found is None or unit.in_macro_body(cursor) else found[1]


def is_unresolved_operator(value: Cursor) -> bool:
    """Is this the `+` of `a + b` whose meaning an instance of the template decides?"""
    found = [node for node in (value, *value.children) if node.kind == "OVERLOADED_DECL_REF"]
    return len(found) == 1 and re.fullmatch(r"operator\W+", found[0].spelling) is not None


def names_operator(value: Cursor) -> bool:
    """Is this the reference to `operator+` among the children of `a + b`?"""
    while value.kind == "UNEXPOSED_EXPR" and len(value.children) == 1:
        value = value.children[0]
    return value.kind == "DECL_REF_EXPR" and value.spelling.startswith("operator")


def past_macro(text: str, target: Cursor, value: int | None) -> str:
    """The name of a function or of an enumerator with `value`, where `text` may be the use of a
    macro. That of a function says all of it unless it is a template, or in a namespace or class."""
    if value is not None:
        return text if text.endswith(target.spelling) else target.spelling
    parent = target.semantic_parent
    is_said_by_name = (
        target.kind == "FUNCTION_DECL"
        and target.pattern.usr == target.usr
        and parent is not None
        and parent.kind == "TRANSLATION_UNIT"
    )
    return target.spelling if is_said_by_name and target.spelling not in text else text
