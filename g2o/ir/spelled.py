"""What stands in the author's text, and what a macro adds to it."""

from __future__ import annotations

from g2o.ir.expressions import Assign, Binary, Form


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
    return operator in begin.file.text[begin.end : end.begin]
