"""Members whose only work is to name dynamic shared memory.

    template <class T> struct SharedMemory {
        __device__ operator T *() { extern __shared__ int memory[]; return (T *)memory; }
    };
    T *s = SharedMemory<T>();      ->      T *s = (T *)memory;

Programs write them since an array cannot be declared with two element types, mostly with a
specialisation for each type. All of them give the address of one memory, so that any may stand for
the others, in templates, too, where nobody knows which one it will be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from g2o.frontend.cuda.clang_api import ClangType, Cursor

_CLASSES = frozenset(
    {"STRUCT_DECL", "CLASS_DECL", "CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"}
)
_CONVERSION = "CONVERSION_FUNCTION"
_METHOD = "CXX_METHOD"
_LAST_NAME = re.compile(r"\w+$")


def shared_variable(member: Cursor) -> Cursor | None:
    """The dynamic shared array whose address is all that the member gives; else None."""
    if member.kind not in (_CONVERSION, _METHOD):
        return None
    definition = (member.template or member).definition
    body = definition and next((c for c in definition.children if c.kind == "COMPOUND_STMT"), None)
    if body is None or len(body.children) != 2:
        return None
    declared, returned = body.children
    variable = declared.children[0] if len(declared.children) == 1 else None
    if variable is None or returned.kind != "RETURN_STMT" or not is_dynamic_shared(variable):
        return None
    nodes = [node for node in returned.walk() if node.is_expression]
    calls = any(node.kind in ("CALL_EXPR", "BINARY_OPERATOR") for node in nodes)
    named = [node.referenced for node in nodes if node.kind == "DECL_REF_EXPR"]
    if calls or [one and one.name_offset for one in named] != [variable.name_offset]:
        return None
    return variable


def is_dynamic_shared(variable: Cursor) -> bool:
    """Is this `extern __shared__ T name[];`?"""
    return variable.storage == "EXTERN" and any(
        child.kind == "CUDASHARED_ATTR" for child in variable.children
    )


def gives_shared(reference: Cursor) -> bool:
    """Is this a use, in a template, of a class that has such a member?"""
    template = reference.referenced if reference.kind == "TEMPLATE_REF" else None
    if template is None or template.kind not in _CLASSES:
        return False
    members = (child for form in _forms(template) for child in form.children)
    return any(shared_variable(member) is not None for member in members)


def converted_to_shared(initial: Cursor) -> Cursor | None:
    """The array that an object turns into which gives a pointer its first value."""
    target = _inner(initial)
    if target.kind == "CALL_EXPR" and target.referenced is not None:
        if target.referenced.kind == _CONVERSION:
            return shared_variable(target.referenced)
    elif target.kind not in ("CALL_EXPR", "DECL_REF_EXPR", "CXX_FUNCTIONAL_CAST_EXPR"):
        return None
    return _of_members(target.type, None)


def shared_result(call: Cursor, text: str) -> Cursor | None:
    """The array whose address the call of a method gives, `memory.pointer()` or
    `Memory<T>::pointer()`. `text` is that of the file of the call."""
    target = call.referenced
    if target is not None:
        return shared_variable(target)
    callee = call.children[0] if call.children else None
    if callee is None or callee.kind not in ("MEMBER_REF_EXPR", "DECL_REF_EXPR"):
        return None
    spelled = _LAST_NAME.search(text[callee.begin : callee.end])
    if spelled is None:
        return None
    name = spelled.group()
    if callee.kind == "MEMBER_REF_EXPR":
        return _of_members(callee.children[0].type, name) if callee.children else None
    template = next((c.referenced for c in callee.children if c.kind == "TEMPLATE_REF"), None)
    return None if template is None else _among(template, name)


def _inner(expression: Cursor) -> Cursor:
    while expression.kind == "UNEXPOSED_EXPR" and len(expression.children) == 1:
        expression = expression.children[0]
    return expression


def _of_members(ctype: ClangType, name: str | None) -> Cursor | None:
    declaration = ctype.declaration
    return _among(declaration, name) if declaration.kind in _CLASSES else None


def _among(template: Cursor, name: str | None) -> Cursor | None:
    """The array that all forms of a class mean by a member; by a conversion if there is no name."""
    found: Cursor | None = None
    for member in _members(template, name):
        variable = shared_variable(member)
        if variable is None and not _cannot_be_linked(member):
            return None
        found = found or variable
    return found


def _members(template: Cursor, name: str | None) -> Iterator[Cursor]:
    for form in _forms(template):
        for child in form.children:
            if child.kind == _CONVERSION if name is None else child.spelling == name:
                yield child


def _forms(template: Cursor) -> Iterator[Cursor]:
    """A class template with its specialisations."""
    scope = template.semantic_parent
    for form in () if scope is None else scope.children:
        if form.kind in _CLASSES and form.spelling == template.spelling:
            yield form


def _cannot_be_linked(member: Cursor) -> bool:
    """Does it call a function that its own body declares? That is how programs make uses of the
    general form errors of the linker."""
    body = next((c for c in member.children if c.kind == "COMPOUND_STMT"), None)
    if body is None:
        return False
    return any(
        node.kind == "FUNCTION_DECL" and node.definition is None
        for statement in body.children
        for node in statement.walk()
    )
