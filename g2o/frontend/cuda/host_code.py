"""The functions of a unit: where each names its variables, and who calls whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, final

from g2o.frontend.cuda.clang_api import Cursor, DeclaredAt
from g2o.frontend.cuda.lexer import word_set
from g2o.frontend.cuda.unit import SourceUnit

CALLABLE: Final = word_set("FUNCTION_DECL FUNCTION_TEMPLATE CXX_METHOD CONSTRUCTOR")
WRAPPERS: Final = word_set(
    "UNEXPOSED_EXPR PAREN_EXPR CSTYLE_CAST_EXPR CXX_STATIC_CAST_EXPR CXX_REINTERPRET_CAST_EXPR"
    " CXX_CONST_CAST_EXPR CXX_FUNCTIONAL_CAST_EXPR"
)
_SCOPES: Final = word_set(
    "NAMESPACE LINKAGE_SPEC UNEXPOSED_DECL STRUCT_DECL CLASS_DECL CLASS_TEMPLATE"
)


@final
@dataclass(slots=True)
class CodeNode:
    """A node of a function, with what it is part of."""

    cursor: Cursor
    parent: CodeNode | None


@final
class HostCode:
    """Functions are read when they are asked about, and once."""

    def __init__(self, unit: SourceUnit) -> None:
        self.unit = unit
        self._named: dict[DeclaredAt, dict[DeclaredAt, list[CodeNode]]] = {}
        self._declared: tuple[Cursor, ...] | None = None
        self._calls: dict[str, list[tuple[Cursor, CodeNode]]] | None = None
        self._others_named: set[str] = set()  # functions that are more than called

    def functions(self) -> Iterator[Cursor]:
        """All definitions of functions in the program's files, those of classes among them."""
        for one in self._declarations():
            kinds = {child.kind for child in one.children} if one.kind in CALLABLE else set[str]()
            if "COMPOUND_STMT" in kinds and "CUDAGLOBAL_ATTR" not in kinds:
                yield one

    def function_around(self, file: str, offset: int) -> Cursor | None:
        """The definition, not one of a template or class, whose body an offset stands in."""
        around = [
            one for one in self.functions() if one.file == file and one.begin <= offset < one.end
        ]
        return around[0] if len(around) == 1 and around[0].kind == "FUNCTION_DECL" else None

    def launch_at(self, function: Cursor, offset: int) -> Cursor | None:
        """The launch in a function that begins at an offset."""
        for node in function.walk():
            if node.kind == "CALL_EXPR" and node.begin == offset and _is_launch(node):
                return node
        return None

    def uses(self, function: Cursor, variable: Cursor) -> Sequence[CodeNode]:
        """Where a function names one of its variables."""
        key = function.declared_at
        if key not in self._named:
            named: dict[DeclaredAt, list[CodeNode]] = {}
            for node in _nodes(function):
                if node.cursor.kind in ("DECL_REF_EXPR", "VARIABLE_REF"):
                    target = node.cursor.referenced
                    if target is not None and target.kind in ("VAR_DECL", "PARM_DECL"):
                        named.setdefault(target.declared_at, []).append(node)
            self._named[key] = named
        return self._named[key].get(variable.declared_at, ())

    def calls(self, function: Cursor) -> Sequence[tuple[Cursor, CodeNode]] | None:
        """All calls, each with the function that makes it; None where there may be others."""
        is_internal = not function.usr.startswith("c:@") or function.storage == "STATIC"
        if not is_internal and not self._is_of_program(function):
            return None
        if self._calls is None:
            self._calls = {}
            for each in self._declarations():
                for node in _nodes(each):
                    self._note_call(each, node)
        found = self._calls.get(function.usr)
        return None if function.usr in self._others_named else found

    def _is_of_program(self, function: Cursor) -> bool:
        """Is a function declared in no header, of a file that has the program's `main`?"""
        main = self.unit.main_path
        return function.first_declaration.file == main and any(
            one.spelling == "main" and one.file == main for one in self.functions()
        )

    def _note_call(self, around: Cursor, node: CodeNode) -> None:
        assert self._calls is not None
        cursor = node.cursor
        if cursor.kind not in ("DECL_REF_EXPR", "OVERLOADED_DECL_REF"):
            return
        targets = cursor.overloads or ((cursor.referenced,) if cursor.referenced else ())
        functions = [one for one in targets if one.kind == "FUNCTION_DECL"]
        if not functions or all(self.unit.is_system(one) for one in functions):
            return
        up = node.parent
        while up is not None and up.cursor.kind in ("UNEXPOSED_EXPR", "PAREN_EXPR"):
            up = up.parent
        is_call = (
            up is not None
            and up.cursor.kind == "CALL_EXPR"
            and up.cursor.children[0].begin == cursor.begin
            and len(functions) == 1
        )
        for one in functions:
            if is_call and up is not None:
                self._calls.setdefault(one.usr, []).append((around, up))
            else:
                self._others_named.add(one.usr)

    def _declarations(self) -> tuple[Cursor, ...]:
        """What the program's files declare in namespaces and classes."""
        if self._declared is None:
            found: list[Cursor] = []
            waiting = list(self.unit.translation_unit.top_level)
            while waiting:
                cursor = waiting.pop()
                if self.unit.is_system(cursor):
                    continue
                if cursor.kind in _SCOPES:
                    waiting.extend(cursor.children)
                else:
                    found.append(cursor)
            self._declared = tuple(found)
        return self._declared


def stripped(expr: Cursor) -> Cursor:
    """An expression without parentheses and casts."""
    while expr.kind in WRAPPERS and expr.children:
        expr = expr.children[-1]
    return expr


def callee(call: Cursor) -> str:
    """The name of what is called, in a template as well, where its meaning is open."""
    if call.spelling or not call.children:
        return call.spelling
    named = stripped(call.children[0])
    target = named.referenced
    return named.spelling or ("" if target is None else target.spelling)


def is_same(one: Cursor, other: Cursor) -> bool:
    """Are they one node of the tree?"""
    return (one.kind, one.begin, one.end, one.file) == (
        other.kind, other.begin, other.end, other.file
    )  # fmt: skip


def _nodes(function: Cursor) -> Iterator[CodeNode]:
    stack = [CodeNode(function, None)]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(CodeNode(child, node) for child in reversed(node.cursor.children))


def _is_launch(call: Cursor) -> bool:
    return any(
        one.kind == "CALL_EXPR" and one.spelling == "__cudaPushCallConfiguration"
        for one in call.children[:2]
    )
