# pyright: basic
"""A typed face over libclang's tree: only what the frontend asks for.

The binding (`clang.cindex`) is untyped, which is why the files named clang_* are checked less
strictly.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import takewhile
from typing import Any, final

from g2o.frontend.cuda.clang_library import LIB, file_name, file_offset, spelling_offset

BINARY_OPERATORS = (
    "", ".*", "->*", "*", "/", "%", "+", "-", "<<", ">>", "<=>", "<", ">", "<=", ">=", "==", "!=",
    "&", "^", "|", "&&", "||", "=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|=",
    ",",
)  # fmt: skip
UNARY_OPERATORS = ("", "++", "--", "++", "--", "&", "*", "+", "-", "~", "!")
_POSTFIX_KINDS = (1, 2)


def _is_null(raw: Any) -> bool:
    return raw is None or raw.kind.is_invalid()


DeclaredAt = tuple[str, int, str]
"""The file of a declaration, where its name stands, and the name."""


@final
class Cursor:
    """An AST node. Children and offsets are read once."""

    def __init__(self, raw: Any) -> None:
        self.raw = raw
        self.kind: str = raw.kind.name

    @cached_property
    def children(self) -> tuple[Cursor, ...]:
        return tuple(Cursor(child) for child in self.raw.get_children())

    @cached_property
    def _extent(self) -> Any:
        return self.raw.extent

    @cached_property
    def begin(self) -> int:
        return file_offset(self._extent.start)

    @cached_property
    def end(self) -> int:
        return file_offset(self._extent.end)

    @property
    def ends_with_nothing(self) -> bool:
        """Is its last part empty, as clang has macros in arguments of macros?"""
        last = self
        while last.begin < last.end and last.children:
            last = last.children[-1]
        return last.begin == last.end == self.end

    @cached_property
    def spelling_begin(self) -> int:
        """Where the first token is spelled: in a macro definition for the body of a macro."""
        return spelling_offset(self._extent.start)

    @cached_property
    def first_token(self) -> str:
        """The first token, looked up in the macro whose body it stands in."""
        token = next(iter(self.raw.get_tokens()), None)
        return str(token.spelling) if token is not None else ""

    @cached_property
    def spelling_file(self) -> str:
        return file_name(self._extent.start.file)

    @cached_property
    def name_offset(self) -> int:
        """Where the name of a declaration, or the operator of an expression, stands."""
        return file_offset(self.raw.location)

    @cached_property
    def file(self) -> str:
        return file_name(self.raw.location.file)

    @property
    def is_of_system(self) -> bool:
        """Is it declared in a header of a library?"""
        return bool(self.raw.location.is_in_system_header)

    @property
    def declared_at(self) -> DeclaredAt:
        """What tells declarations apart: a macro has all of its own at one place."""
        return self.file, self.name_offset, self.spelling

    @property
    def spelling(self) -> str:
        return self.raw.spelling or ""

    @property
    def has_name(self) -> bool:
        """Is it called something? What stands for others is `(anonymous struct at ...)`."""
        return self.spelling.isidentifier()

    @property
    def is_bit_field(self) -> bool:
        return bool(self.raw.is_bitfield())

    @property
    def offset_of_field(self) -> int:
        """Where a member lies in the object, in bits; negative where that is not known."""
        return self.raw.get_field_offsetof()

    @property
    def is_expression(self) -> bool:
        return self.raw.kind.is_expression()

    @property
    def is_statement(self) -> bool:
        return self.raw.kind.is_statement()

    @property
    def is_reference(self) -> bool:
        return self.raw.kind.is_reference()

    @property
    def is_attribute(self) -> bool:
        return self.raw.kind.is_attribute()

    @cached_property
    def type(self) -> ClangType:
        return ClangType(self.raw.type)

    @property
    def result_type(self) -> ClangType:
        return ClangType(self.raw.result_type)

    @property
    def enum_value(self) -> int:
        return int(self.raw.enum_value)

    @property
    def enum_kind(self) -> str:
        """The kind of integer that an enumeration is in arithmetic: where nothing else is said it
        is `int` in C++, if that holds its values, though compilers keep them as `unsigned`; in C
        it is what they are kept as."""
        kind: str = self.raw.enum_type.get_canonical().kind.name
        if str(self.raw.translation_unit.spelling).endswith(".c"):
            return kind
        words = takewhile(lambda word: word != "{", (one.spelling for one in self.raw.get_tokens()))
        if kind != "UINT" or ":" in words:
            return kind
        values = (one.enum_value for one in self.children if one.kind == "ENUM_CONSTANT_DECL")
        return "INT" if all(value < 2**31 for value in values) else kind

    @property
    def binary_operator(self) -> str:
        return BINARY_OPERATORS[LIB.clang_getCursorBinaryOperatorKind(self.raw)]

    @property
    def unary_operator(self) -> tuple[str, bool]:
        """The operator and whether it stands behind its operand."""
        kind = LIB.clang_getCursorUnaryOperatorKind(self.raw)
        if kind >= len(UNARY_OPERATORS):
            return "", False
        return UNARY_OPERATORS[kind], kind in _POSTFIX_KINDS

    @property
    def referenced(self) -> Cursor | None:
        raw = self.raw.referenced
        return None if _is_null(raw) else Cursor(raw)

    @property
    def definition(self) -> Cursor | None:
        raw = self.raw.get_definition()
        return None if _is_null(raw) else Cursor(raw)

    @property
    def first_declaration(self) -> Cursor:
        """The declaration of the same thing that comes first."""
        return Cursor(self.raw.canonical)

    @property
    def template(self) -> Cursor | None:
        """The template that this is a specialisation of."""
        raw = LIB.clang_getSpecializedCursorTemplate(self.raw)
        return None if _is_null(raw) else Cursor(_adopt(raw, self.raw))

    @property
    def is_explicit_specialisation(self) -> bool:
        """Is it written in the source as `template <> ...`, apart from its template?"""
        template = self.template
        if template is None or self.kind == "CLASS_TEMPLATE":
            return False
        if (self.file, self.name_offset) == (template.file, template.name_offset):
            return False
        return self.first_token == "template"

    @property
    def pattern(self) -> Cursor:
        """What is written in the source: the template of the template ... or the entity itself,
        as which an explicit specialisation counts."""
        current = self
        while (template := current.template) is not None and template.usr != current.usr:
            if current.is_explicit_specialisation:
                return current
            current = template
        return current

    @property
    def semantic_parent(self) -> Cursor | None:
        raw = self.raw.semantic_parent
        return None if _is_null(raw) else Cursor(raw)

    @property
    def lexical_parent(self) -> Cursor | None:
        """What it is written in: of a friend the class."""
        raw = self.raw.lexical_parent
        return None if _is_null(raw) else Cursor(raw)

    @property
    def usr(self) -> str:
        # Of several functions that may be meant, `|` stands between the keys.
        return self.raw.get_usr().replace("|", "or")

    @property
    def display_name(self) -> str:
        """The name with parameters or template arguments."""
        return self.raw.displayname

    @property
    def underlying_type(self) -> ClangType:
        """What an alias stands for."""
        return ClangType(self.raw.underlying_typedef_type)

    @property
    def is_definition(self) -> bool:
        return bool(self.raw.is_definition())

    @property
    def is_public(self) -> bool:
        """Can a member be named from outside of its class?"""
        return self.raw.access_specifier.name in ("PUBLIC", "INVALID")

    @property
    def is_const_method(self) -> bool:
        return bool(self.raw.is_const_method())

    @property
    def is_virtual_method(self) -> bool:
        return bool(self.raw.is_virtual_method())

    @property
    def is_defaulted_method(self) -> bool:
        """Is it left to the compiler, by `= default` or by not being declared at all?"""
        return bool(self.raw.is_default_method())

    @property
    def is_copying_constructor(self) -> bool:
        """Does it make an object from another one of its class, to be copied or moved?"""
        return self.raw.is_copy_constructor() or self.raw.is_move_constructor()

    @property
    def is_static_method(self) -> bool:
        return bool(self.raw.is_static_method())

    @property
    def storage(self) -> str:
        return self.raw.storage_class.name

    @property
    def overloads(self) -> tuple[Cursor, ...]:
        """The candidates of an OVERLOADED_DECL_REF."""
        count = LIB.clang_getNumOverloadedDecls(self.raw)
        return tuple(
            Cursor(_adopt(LIB.clang_getOverloadedDecl(self.raw, index), self.raw))
            for index in range(count)
        )

    @property
    def arguments(self) -> tuple[Cursor, ...]:
        return tuple(Cursor(argument) for argument in self.raw.get_arguments() if argument)

    @property
    def operands(self) -> tuple[Cursor, ...]:
        """The children; of `Row<T, 2 - 1>(a, b)` those behind the type."""
        named = self.kind == "CALL_EXPR" and [one.kind for one in self.children[:1]]
        return self.arguments if named == ["TEMPLATE_REF"] else self.children

    @property
    def template_arguments(self) -> tuple[str, ...]:
        """Spelled template arguments of a function specialisation; "" where not known."""
        count = self.raw.get_num_template_arguments()
        found: list[str] = []
        for index in range(max(count, 0)):
            match self._template_argument_kind(index):
                case "TYPE":
                    found.append(self.raw.get_template_argument_type(index).spelling)
                case "INTEGRAL":
                    found.append(str(self.raw.get_template_argument_value(index)))
                case _:
                    found.append("")
        return tuple(found)

    def _template_argument_kind(self, index: int) -> str:
        try:
            return self.raw.get_template_argument_kind(index).name
        except ValueError:  # the binding has no name for packs
            return "PACK"

    def evaluate_integer(self) -> int | None:
        """The value of an integer constant expression, or None."""
        result = LIB.clang_Cursor_Evaluate(self.raw)
        if not result:
            return None
        try:
            if LIB.clang_EvalResult_getKind(result) != 1:
                return None
            return int(LIB.clang_EvalResult_getAsLongLong(result))
        finally:
            LIB.clang_EvalResult_dispose(result)

    def evaluate_floating(self) -> float | None:
        """The value of a floating constant expression, or None."""
        result = LIB.clang_Cursor_Evaluate(self.raw)
        if not result:
            return None
        try:
            if LIB.clang_EvalResult_getKind(result) != 2:
                return None
            return float(LIB.clang_EvalResult_getAsDouble(result))
        finally:
            LIB.clang_EvalResult_dispose(result)

    def walk(self) -> Iterator[Cursor]:
        stack: list[Cursor] = [self]
        while stack:
            current = stack.pop()
            yield current
            stack.extend(reversed(current.children))


def _adopt(raw: Any, owner: Any) -> Any:
    """Give a cursor that came from a plain call the translation unit that keeps it alive."""
    raw._tu = owner._tu
    return raw


@final
class ClangType:
    def __init__(self, raw: Any) -> None:
        self.raw = raw

    @property
    def spelling(self) -> str:
        return self.raw.spelling

    @property
    def kind(self) -> str:
        return self.raw.kind.name

    @property
    def canonical(self) -> ClangType:
        return ClangType(self.raw.get_canonical())

    @property
    def pointee(self) -> ClangType:
        return ClangType(self.raw.get_pointee())

    @property
    def element(self) -> ClangType:
        return ClangType(self.raw.element_type)

    @property
    def extent(self) -> int:
        return int(self.raw.element_count)

    @property
    def size(self) -> int:
        return int(self.raw.get_size())

    @property
    def is_const(self) -> bool:
        return bool(self.raw.is_const_qualified())

    @property
    def is_volatile(self) -> bool:
        return bool(self.raw.is_volatile_qualified())

    @property
    def is_restrict(self) -> bool:
        return bool(self.raw.is_restrict_qualified())

    @property
    def is_pod(self) -> bool:
        """Is it plain old data: nothing runs where a variable of it is declared?"""
        return bool(self.raw.is_pod())

    @property
    def declaration(self) -> Cursor:
        return Cursor(self.raw.get_declaration())

    @property
    def unit(self) -> object:
        """What has been parsed, as an object that lives as long."""
        return self.raw._tu

    @property
    def class_key(self) -> tuple[str, int, int]:
        """What tells classes of one unit apart, local ones and instances among them."""
        declared = self.raw.get_declaration()
        return self.raw.spelling, file_offset(declared.location), declared.hash

    @property
    def fields(self) -> tuple[tuple[str, ClangType], ...]:
        """Names and types of the members of a class that have memory of their own: nothing for
        unions, and no bit fields."""
        if self.raw.get_declaration().kind.name == "UNION_DECL":
            return ()
        return tuple((one.spelling, one.type) for one in self.members if not one.is_bit_field)

    @property
    def members(self) -> tuple[Cursor, ...]:
        """The members of a class. Those of a structure without a name are the class's own."""
        found: list[Cursor] = []
        for one in map(Cursor, self.raw.get_fields()):
            inner = one.type.canonical
            is_open = not one.has_name and inner.declaration.kind != "UNION_DECL"
            found += inner.members if is_open else (one,)
        return tuple(found)

    @property
    def bases(self) -> tuple[ClangType, ...]:
        """The classes that a class derives from; of an instance those that its template says, in
        terms of its parameters."""
        declared = self.declaration
        if not declared.children:
            declared = declared.pattern
        return tuple(one.type for one in declared.children if one.kind == "CXX_BASE_SPECIFIER")

    def template_argument(self, index: int) -> ClangType:
        return ClangType(self.raw.get_template_argument_type(index))

    @property
    def argument_types(self) -> tuple[ClangType, ...]:
        return tuple(ClangType(argument) for argument in self.raw.argument_types())
