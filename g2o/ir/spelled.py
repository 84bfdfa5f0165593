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
