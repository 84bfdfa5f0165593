"""The functions of a unit: where each names its variables, and who calls whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, final

from g2o.frontend.cuda.clang_api import Cursor, DeclaredAt
from g2o.frontend.cuda.lexer import TokenKind, lex, word_set
from g2o.frontend.cuda.unit import SourceUnit

CALLABLE: Final = word_set("FUNCTION_DECL FUNCTION_TEMPLATE CXX_METHOD CONSTRUCTOR")
WRAPPERS: Final = word_set(
    "UNEXPOSED_EXPR PAREN_EXPR CSTYLE_CAST_EXPR CXX_STATIC_CAST_EXPR CXX_REINTERPRET_CAST_EXPR"
    " CXX_CONST_CAST_EXPR CXX_FUNCTIONAL_CAST_EXPR"
)
_DECISIONS: Final = word_set("if ifdef ifndef elif else")
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
        self._seen: dict[str, set[int]] = {}  # where clang has nodes, by file

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

    def names_unseen(self, function: Cursor, name: str) -> bool:
        """Does a function say a word where clang has nothing, as in a branch that the preprocessor
        skips? The output keeps such branches."""
        words = self._conditional_words(function.file, function.begin, function.end)
        if name not in words:
            return False
        seen = {at for node in function.walk() for at in _places_of(node)}
        return not words[name] <= seen

    def calls(self, function: Cursor) -> Sequence[tuple[Cursor, CodeNode]] | None:
        """All calls, each with the function that makes it; None where there may be others."""
        is_internal = not function.usr.startswith("c:@") or function.storage == "STATIC"
        if not is_internal and not self._is_of_program(function):
            return None
        if self._calls is None:
            self._calls = {}
            for each in self._declarations():
                seen = self._seen.setdefault(each.file, set())
                for node in _nodes(each):
                    seen.update(_places_of(node.cursor))
                    self._note_call(each, node)
        found = self._calls.get(function.usr)
        if function.usr in self._others_named or self._is_named_unseen(function.spelling):
            return None
        return found

    def _is_named_unseen(self, name: str) -> bool:
        """Does a file of the program say a word where clang has nothing?"""
        for file in self.unit.user_files():
            text = self.unit.source_file(file).text
            words = self._conditional_words(file, 0, len(text))
            if not words.get(name, set[int]()) <= self._seen.get(file, set[int]()):
                return True
        return False

    def _conditional_words(self, file: str, begin: int, end: int) -> dict[str, set[int]]:
        """The identifiers of a part of a file, and where they stand; none where the preprocessor
        decides about nothing there."""
        lexed = lex(self.unit.source_file(file).text)
        if not any(one.name in _DECISIONS and begin <= one.begin < end for one in lexed.directives):
            return {}
        found: dict[str, set[int]] = {}
        for token in lexed.code:
            if begin <= token.begin < end and token.kind is TokenKind.IDENTIFIER:
                found.setdefault(token.text, set()).add(token.begin)
        return found

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
            and len(functions) == 1
            and (target := up.cursor.referenced) is not None
            and target.usr == functions[0].usr
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


def _places_of(node: Cursor) -> tuple[int, int, int]:
    return node.begin, node.spelling_begin, node.name_offset


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


def outermost_place(node: CodeNode) -> tuple[CodeNode, CodeNode | None]:
    """What stands for the same variable around a name: `(a)`, `table[i]`, `c ? a : b`; and what
    that is part of."""
    parent = node.parent
    while parent is not None:
        kind, children = parent.cursor.kind, parent.cursor.children
        is_choice = kind == "CONDITIONAL_OPERATOR" and not is_same(children[0], node.cursor)
        if kind == "PAREN_EXPR" or is_choice:
            node, parent = parent, parent.parent
            continue
        above = parent.parent
        is_decay = kind == "UNEXPOSED_EXPR" and node.cursor.type.canonical.kind == "CONSTANTARRAY"
        if is_decay:
            is_element = (
                above is not None
                and above.cursor.kind == "ARRAY_SUBSCRIPT_EXPR"
                and is_same(above.cursor.children[0], parent.cursor)
            )
            if above is None or not is_element:
                return node, None  # the array itself goes somewhere
            node, parent = above, above.parent
            continue
        return node, parent
    return node, None


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
