"""What stands in the author's text, and what a macro adds to it."""

from __future__ import annotations

from typing import Final

from g2o.ir.expressions import Assign, Binary, Form

_WORDS: Final = {
    "&&": "and", "||": "or", "!=": "not_eq", "&": "bitand", "|": "bitor", "^": "xor",
    "&=": "and_eq", "|=": "or_eq", "^=": "xor_eq",
}  # fmt: skip


def is_spelled(operation: Binary | Assign) -> bool:
    """Does the operator stand in the text between its operands? That of a macro does not."""
    if operation.form is Form.BUILT:
        return True
    match operation:
        case Binary(op=operator, left=left, right=right):
            begin, end = left.span, right.span
        case Assign(op=operator, target=target, value=value):
            begin, end = target.span, value.span
    if begin is None or end is None or begin.file is not end.file:
        return False
    between = begin.file.text[begin.end : end.begin]
    return operator in between or _WORDS.get(operator, operator) in between


def split_lambda(text: str) -> tuple[str, str]:
    """What a lambda captures, without the bracket behind it, and what follows that bracket:
    `[v = s[i], &n` and `(int x) { ... }`."""
    depth = 0
    for place, character in enumerate(text):
        depth += (character in "[({") - (character in "])}")
        if depth == 0:
            return text[:place], text[place + 1 :]
    return text, ""


def split_captures(captures: str) -> list[str]:
    """`[v = f(a, b), &n` -> `v = f(a, b)`, `&n`"""
    items, depth = [""], 0
    for character in captures[1:]:
        depth += (character in "[({") - (character in "])}")
        if character == "," and depth == 0:
            items.append("")
        else:
            items[-1] += character
    return [item.strip() for item in items if item.strip()]
