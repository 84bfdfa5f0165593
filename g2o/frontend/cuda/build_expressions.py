"""libclang expressions -> IR expressions.

What is not understood becomes `Verbatim` around the references inside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import final

from g2o.diagnostics.diagnostic import Note, refuse
from g2o.diagnostics.source import SourceSpan
from g2o.frontend.cuda.accessor_types import tells_size
from g2o.frontend.cuda.c_assertions import assertion, is_assertion
from g2o.frontend.cuda.callees import (
    CALLABLE,
    callee_of,
    check_launch,
    chosen_barrier,
    function_key,
    methods_of_template,
    own_class,
    template_arguments,
)
from g2o.frontend.cuda.clang_api import Cursor, DeclaredAt
from g2o.frontend.cuda.class_templates import owner_arguments, split_template_arguments
from g2o.frontend.cuda.constructors import has_body, sets_only_members
from g2o.frontend.cuda.designators import has_other_values, in_order, is_designated
from g2o.frontend.cuda.device_launches import device_launches
from g2o.frontend.cuda.file_shared import check_file_shared, is_of_function
from g2o.frontend.cuda.index_types import is_type_of_indices, variables_in
from g2o.frontend.cuda.lambdas import (
    Evaluated,
    call_of_lambda,
    copied_variables,
    lambda_parts,
    lists_numbers,
    names_launch,
    names_shared,
    only_copies,
    outside_of,
)
from g2o.frontend.cuda.launch_calls import launch_call
from g2o.frontend.cuda.macros import after_macro
from g2o.frontend.cuda.names_around import qualified_name, scopes_around
from g2o.frontend.cuda.picked import candidates_of, in_parentheses, with_types_kept
from g2o.frontend.cuda.read_types import emitted_argument, read_type
from g2o.frontend.cuda.shared_accessors import converted_to_shared, shared_result
from g2o.frontend.cuda.spellings import (
    is_unresolved_operator,
    leaf_text,
    literal_value,
    names_operator,
    past_macro,
    spelled_member,
)
from g2o.frontend.cuda.stand_ins import StandIns
from g2o.frontend.cuda.unit import SourceUnit
from g2o.ir.expressions import (
    AXES,
    Assign,
    Binary,
    Builtin,
    Call,
    Cast,
    Code,
    Conditional,
    Expr,
    Form,
    Index,
    InitList,
    LaunchRef,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    Verbatim,
    integer_value,
)
from g2o.ir.spelled import split_lambda
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import walk
from g2o.ir.types import CType, TypeKind, decayed

_BUILTINS = {builtin.value: builtin for builtin in Builtin}
_LITERALS = frozenset(
    {"INTEGER_LITERAL", "FLOATING_LITERAL", "STRING_LITERAL", "CHARACTER_LITERAL",
     "CXX_BOOL_LITERAL_EXPR", "CXX_NULL_PTR_LITERAL_EXPR", "GNU_NULL_EXPR"}
)  # fmt: skip
_OPEN_TYPE = re.compile(r"\b(?:type-parameter-|decltype\b|dependent\b)")
_FUNCTIONAL = frozenset({"CXX_FUNCTIONAL_CAST_EXPR"})
_CASTS = frozenset(
    {"CSTYLE_CAST_EXPR", "CXX_FUNCTIONAL_CAST_EXPR", "CXX_STATIC_CAST_EXPR",
     "CXX_REINTERPRET_CAST_EXPR", "CXX_CONST_CAST_EXPR"}
)  # fmt: skip
_VARIABLES = frozenset({"VAR_DECL", "PARM_DECL"})
_CLASSES = frozenset(
    {"STRUCT_DECL", "CLASS_DECL", "UNION_DECL", "CLASS_TEMPLATE",
     "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"}
)  # fmt: skip
_ASSIGNMENT_OPERATORS = frozenset(
    {"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "^=", "|="}
)


@final
class ExpressionBuilder:
    """Builds the expressions of one function; owns its symbols."""

    def __init__(self, unit: SourceUnit, symbols: SymbolTable, function: Cursor) -> None:
        self.unit = unit
        self.symbols = symbols
        self.around = frozenset(one.usr for one in scopes_around(function))
        self.by_declaration: dict[DeclaredAt, Symbol] = {}
        self.receiver: Symbol | None = None  # `this`, inside a method
        self.bindings: dict[DeclaredAt, Expr] = {}  # names of structured bindings
        self.stand_ins = StandIns()
        self.file_shared: list[Cursor] = []  # of the file, named in the function

    # -- places ---------------------------------------------------------------------------------

    def span(self, cursor: Cursor) -> SourceSpan:
        file = self.unit.file_of(cursor)
        end = max(cursor.begin, cursor.end)
        after = after_macro(file.text, end)
        if after > end and cursor.ends_with_nothing:
            end = after
        return SourceSpan(file, cursor.begin, end)

    def leaf_text(self, cursor: Cursor) -> str:
        """How the source spells a leaf, looking into macro bodies."""
        return leaf_text(self.unit, cursor)

    # -- symbols --------------------------------------------------------------------------------

    def declare(self, cursor: Cursor, storage: Storage, ctype: CType | None = None) -> Symbol:
        """A symbol for a variable of the source; `ctype` where it is not clang's type."""
        key = cursor.declared_at
        ctype = ctype or self.type(cursor)
        if cursor.kind == "PARM_DECL":
            ctype = decayed(ctype)
        symbol = self.symbols.declare(cursor.spelling, ctype, storage)
        self.by_declaration[key] = symbol
        return symbol

    def declare_receiver(self, function: Cursor) -> None:
        """Give the body of a method its `this`."""
        parent = function.semantic_parent
        if parent is None or parent.kind not in _CLASSES or function.is_static_method:
            return
        element = CType(parent.spelling, TypeKind.RECORD, is_const=function.is_const_method)
        ctype = CType(f"{parent.spelling} *", TypeKind.POINTER, 64, False, element=element)
        self.receiver = self.symbols.declare("this", ctype, Storage.PARAMETER)

    def symbol_of(self, declaration: Cursor, said: str = "") -> Symbol:
        """The symbol of a variable, which the source calls so where it names it first."""
        key = declaration.declared_at
        known = self.by_declaration.get(key)
        if known is None:
            known = self._new_symbol(declaration)
            if known.storage is Storage.GLOBAL and "::" in said:
                name = qualified_name(declaration, said)
                known = self.by_declaration[key] = replace(known, name=name)
        return known

    def _new_symbol(self, declaration: Cursor) -> Symbol:
        if any(child.kind == "CUDACONSTANT_ATTR" for child in declaration.children):
            # No kernel changes it, whatever its type says.
            ctype = replace(read_type(declaration.type), is_const=True)
            return self.declare(declaration, Storage.GLOBAL, ctype)
        shared = any(child.kind == "CUDASHARED_ATTR" for child in declaration.children)
        if shared and declaration.storage != "EXTERN":
            if not is_of_function(declaration):  # else a lambda names what stands around it
                check_file_shared(declaration, self.span(declaration))
                self.file_shared.append(declaration)
            return self.declare(declaration, Storage.SHARED)
        return self.declare(declaration, Storage.DYNAMIC_SHARED if shared else Storage.GLOBAL)

    # -- expressions ----------------------------------------------------------------------------

    def build(self, cursor: Cursor) -> Expr:
        kind = cursor.kind
        if kind in _LITERALS:
            return self._literal(cursor)
        if kind in _CASTS:
            return self._cast(cursor)
        match kind:
            case "DECL_REF_EXPR":
                return self._reference(cursor)
            case "MEMBER_REF_EXPR" | "MEMBER_REF":
                return self._member(cursor)
            case "UNEXPOSED_EXPR":
                return self._unexposed(cursor)
            case "PAREN_EXPR":
                inner = self.build(cursor.children[0])
                if is_assertion(inner):
                    return inner
                return Paren(inner, inner.type, span=self.span(cursor), form=Form.PRISTINE)
            case "BINARY_OPERATOR" | "COMPOUND_ASSIGNMENT_OPERATOR":
                return self._binary(cursor)
            case "UNARY_OPERATOR":
                return self._unary(cursor)
            case "ARRAY_SUBSCRIPT_EXPR" if len(cursor.children) == 2:
                return self._index(cursor, *(self.build(child) for child in cursor.children))
            case "CONDITIONAL_OPERATOR" if barrier := chosen_barrier(cursor.children):
                return self.build(barrier)
            case "CONDITIONAL_OPERATOR" if len(cursor.children) == 3:
                first, second, third = (self.build(child) for child in cursor.children)
                return Conditional(
                    first,
                    second,
                    third,
                    self.type(cursor),
                    span=self.span(cursor),
                    form=Form.PRISTINE,
                )
            case "CALL_EXPR":
                return self._call(cursor)
            case "INIT_LIST_EXPR":
                values, ctype = self._values(cursor), self.type(cursor)
                braces = InitList((), ctype, span=self.span(cursor), form=Form.PRISTINE)
                text = self.unit.file_of(cursor).text
                ordered = in_order(values, text, braces, cursor.type, self.build)
                elements = tuple(map(self.build, values)) if ordered is None else ordered.elements
                is_zero = all(integer_value(one) == 0 for one in elements)
                designated = ordered is None and any(is_designated(one, text) for one in values)
                if designated or (not is_zero and has_other_values(cursor.type)):
                    return self._verbatim(cursor, self._parts(cursor))
                return ordered or replace(braces, elements=elements)
            case "COMPOUND_LITERAL_EXPR" if self._is_of_values(cursor):
                return Cast(
                    self.build(cursor.children[-1]),
                    self.type(cursor),
                    span=self.span(cursor),
                    form=Form.PRISTINE,
                )
            case "CXX_THIS_EXPR" if self.receiver is not None:
                return VarRef(self.receiver, span=self.span(cursor), form=Form.PRISTINE)
            case "CXX_UNARY_EXPR":  # `sizeof(x)`, whatever becomes of x
                parts = tuple(self._reference(one) for one in variables_in(cursor))
                size = self._verbatim(cursor, parts, pure=True)
                return replace(size, value=cursor.evaluate_integer() or None)
            case "SIZE_OF_PACK_EXPR":
                return self._verbatim(cursor, (), pure=True)
            case "GCC_ASM_STMT" | "MS_ASM_STMT" | "ASM_STMT":
                raise refuse("G2O0202", "inline assembly", self.span(cursor))
            case "LAMBDA_EXPR":
                return self._lambda(cursor)
            case _:
                return self._verbatim(cursor, self._parts(cursor))

    def type(self, cursor: Cursor) -> CType:
        return read_type(cursor.type, around=self.around)

    def _is_of_values(self, cursor: Cursor) -> bool:
        """Is it a structure's or a number's literal, `(float2){x, y}`?"""
        braces = cursor.children[-1] if cursor.children else None
        if braces is None or braces.kind != "INIT_LIST_EXPR":
            return False
        ctype = self.type(cursor)
        return ctype.kind is TypeKind.RECORD or ctype.is_arithmetic

    def _values(self, cursor: Cursor) -> list[Cursor]:
        """Children that are expressions spelled in the source."""
        return [
            child
            for child in cursor.operands
            if child.is_expression and (child.end > child.begin or child.children)
            if not self._is_type(child)
        ]

    def _is_type(self, cursor: Cursor) -> bool:
        return is_type_of_indices(self.unit.file_of(cursor).text, cursor.begin, cursor.end)

    def _verbatim(self, cursor: Cursor, parts: tuple[Expr, ...], pure: bool = False) -> Verbatim:
        return Verbatim(parts, pure, self.type(cursor), span=self.span(cursor), form=Form.PRISTINE)

    def _parts(self, cursor: Cursor, evaluated: Evaluated | None = None) -> tuple[Expr, ...]:
        """The expressions inside something that is not understood; those that are only `evaluated`
        there are noted."""
        parts: list[Expr] = []
        for child in cursor.children:
            if child.is_expression:
                if child.end > child.begin and not self._is_type(child):
                    parts.append(self.build(child))
                    if evaluated is not None:
                        evaluated.note(cursor, parts[-1])
            else:
                if child.kind in _VARIABLES:
                    self.declare(child, Storage.LOCAL)
                parts.extend(self._parts(child, evaluated))
        return tuple(parts)

    def _lambda(self, cursor: Cursor) -> Expr:
        """What a lambda captures is what becomes of the variables that its body names.

        The new capture list takes effect when the lambda is printed with something else replaced.
        """
        span = self.span(cursor)
        captures, _ = split_lambda(span.text)
        brackets = SourceSpan(span.file, span.begin, span.begin + len(captures) + 1)
        evaluated = Evaluated(span.text)
        values = tuple(self._captured(cursor))
        parts = outside_of(values, self._parts(cursor, evaluated))
        parts = lambda_parts((*values, *parts), brackets)
        self.unit.note_lambda(cursor)
        made = self._verbatim(cursor, parts, pure=only_copies(span.text))
        places = (
            at
            for at, part in enumerate(parts)
            if evaluated.has(part) or (part.span == brackets and lists_numbers(part))
        )
        form = Form.PATCHED if names_shared(parts) else made.form
        copied = copied_variables(span.text, parts, brackets)
        return replace(made, evaluated=frozenset(places), copied=copied, form=form)

    def _captured(self, cursor: Cursor) -> Iterator[Expr]:
        """What variables of a lambda's own start with, `[b = a * a, &r = x]`. Among its own parts
        clang has the leaves of these, if anything."""
        for child in cursor.children:
            declared = child.referenced if child.kind == "VARIABLE_REF" else None
            value = declared.children[-1] if declared is not None and declared.children else None
            if declared is None or value is None:
                continue
            if value.is_expression and cursor.begin < value.begin < cursor.end:
                self.declare(declared, Storage.LOCAL)
                yield self.build(value)

    def constructed(self, cursor: Cursor, begin: int) -> Verbatim:
        """The arguments of a constructor with what is around them: `(a, b)` behind a name, whose
        place clang gives to the whole."""
        parts = tuple(self.build(value) for value in self._values(cursor))
        target = cursor.referenced
        parts = with_types_kept(self.unit, (target,) if target else (), parts)
        if self.unit.file_of(cursor).text.startswith("(", begin):
            parts = in_parentheses(parts)
        pure = target is None or self.unit.is_declaration(target) or sets_only_members(target)
        span = SourceSpan(self.unit.file_of(cursor), begin, cursor.end)
        made = Verbatim(parts, pure, self.type(cursor), span=span, form=Form.PRISTINE)
        return self._with_constructor(made, target)

    def _with_constructor(self, made: Verbatim, target: Cursor | None) -> Verbatim:
        """The object with the key of the constructor that makes it."""
        if target is None or not made.pure:
            return made
        self.unit.note_function(target)
        return replace(made, key=function_key(target))

    def initial_value(self, cursor: Cursor, ctype: CType) -> Expr:
        """What a variable of type `ctype` starts with."""
        if ctype.kind is TypeKind.POINTER:
            shared = converted_to_shared(cursor)
            if shared is None and cursor.kind == "CALL_EXPR":
                shared = shared_result(cursor, self.unit.file_of(cursor).text)
            if shared is not None:
                return self._address_of_shared(shared, cursor, ctype)
        made = self.build(cursor)
        is_open = isinstance(made, InitList) and made.type.kind is TypeKind.VOID  # in a template
        return replace(made, type=ctype) if is_open else made

    def _address_of_shared(self, shared: Cursor, cursor: Cursor, ctype: CType) -> Expr:
        """Dynamic shared memory that `cursor` names by a member of a class."""
        address = Cast(VarRef(self.symbol_of(shared)), ctype)
        said = self._verbatim(cursor, (), pure=True)
        self.stand_ins.add(said, address)
        self.stand_ins.note_accessors(cursor)
        return said

    def _literal(self, cursor: Cursor) -> Expr:
        text = self.leaf_text(cursor)
        if cursor.kind == "STRING_LITERAL":
            text = self.unit.file_of(cursor).text[cursor.begin : cursor.end] or text
        value = literal_value(cursor, text)
        return Literal(text, value, self.type(cursor), span=self.span(cursor), form=Form.PRISTINE)

    def _reference(self, cursor: Cursor) -> Expr:
        span = self.span(cursor)
        target = cursor.referenced
        if target is None:
            return self._verbatim(cursor, self._parts(cursor), pure=True)
        if target.kind in _VARIABLES:
            builtin = _BUILTINS.get(target.spelling)
            if builtin is not None and self.unit.is_declaration(target):
                return LaunchRef(builtin, None, self.type(cursor), span=span, form=Form.PRISTINE)
            self.unit.note_reference(cursor, target)
            constant = self._named_constant(cursor, target)
            if constant is not None:
                return constant
            symbol = self.symbol_of(target, span.text)
            return VarRef(symbol, span=span, form=Form.PRISTINE)
        if target.kind == "UNEXPOSED_DECL" and not self._is_constant(cursor, target):
            return self._bound(cursor, target)
        emitted, key = None, ""
        if target.kind in CALLABLE:
            emitted = self.unit.note_reference(cursor, target, on_device=True)
            key = self._key_of_value(target)
        value = target.enum_value if target.kind == "ENUM_CONSTANT_DECL" else None
        said = text = self.unit.file_of(cursor).text[cursor.begin : cursor.end]
        if self.unit.in_macro_body(cursor):
            text = self.leaf_text(cursor)
        text = past_macro(text, target, value)
        if emitted and text == target.spelling != said:  # in a macro, whose text is not changed
            text = emitted
        return Literal(text, value, self.type(cursor), key=key, span=span, form=Form.PRISTINE)

    def _key_of_value(self, target: Cursor) -> str:
        """That of a function of the program which its name alone says."""
        if target.kind != "FUNCTION_DECL" or target.template_arguments or not has_body(target):
            return ""
        self.unit.note_function(target)
        return "" if self.unit.is_system(target) else function_key(target)

    def bind(self, name: Cursor, part: Expr) -> None:
        """From here on `name`, of a structured binding, means `part`."""
        self.bindings[name.declared_at] = part

    def _is_constant(self, cursor: Cursor, target: Cursor) -> bool:
        """Is this `pi<float>`, of a template of constants? Clang exposes no more of those than of
        the names of structured bindings."""
        if (target.file, target.name_offset) in self.bindings or not self.type(cursor).is_const:
            return False
        return self.unit.file_of(cursor).text[cursor.begin : cursor.end].endswith(">")

    def _bound(self, cursor: Cursor, target: Cursor) -> Expr:
        part = self.bindings.get(target.declared_at)
        if part is None:
            message = f"structured binding '{target.spelling}'"
            raise refuse("G2O0201", message, self.span(cursor))
        said = self._verbatim(cursor, (), pure=True)
        self.stand_ins.add(said, part)
        return said

    def _named_constant(self, cursor: Cursor, target: Cursor) -> Literal | None:
        """A constant of namespace scope with a known integer value."""
        key = target.declared_at
        ctype = self.type(cursor)
        if key in self.by_declaration or not ctype.is_const or not ctype.is_arithmetic:
            return None
        value = cursor.evaluate_integer() if ctype.kind is not TypeKind.FLOATING else None
        if value is None:
            return None
        text = self.leaf_text(cursor)
        return Literal(text, value, ctype, span=self.span(cursor), form=Form.PRISTINE)

    def _member(self, cursor: Cursor) -> Expr:
        name = cursor.spelling or spelled_member(self.unit, cursor)
        span = self.span(cursor)
        values = self._values(cursor)
        target = cursor.referenced
        is_nameless = target is not None and target.kind == "FIELD_DECL" and not target.has_name
        if is_nameless and values:
            return self.build(values[0])  # the members of `struct { ... };` are the class's own
        if not values:
            if self.receiver is None:
                return self._verbatim(cursor, ())
            before = SourceSpan(span.file, span.begin, span.begin)
            this = VarRef(self.receiver, span=before, form=Form.PRISTINE)
            if is_nameless:
                return this
            return Member(this, name, True, self.type(cursor), span=span, form=Form.PRISTINE)
        if target is not None and target.kind == "VAR_DECL" and values[0].kind == "DECL_REF_EXPR":
            if constant := self._named_constant(cursor, target):  # a static member
                return constant
        base = _named_itself(self.build(values[0]))
        if isinstance(base, LaunchRef) and base.axis is None and name in AXES and name:
            return LaunchRef(
                base.builtin, AXES.index(name), self.type(cursor), span=span, form=Form.PRISTINE
            )
        arrow = base.type.kind is TypeKind.POINTER
        if base.span is not None and (base.type.kind is TypeKind.DEPENDENT or arrow):
            between = base.span.file.text[base.span.end : cursor.end].lstrip()
            arrow = not between.startswith(".") if arrow else between.startswith("->")
        return Member(base, name, arrow, self.type(cursor), span=span, form=Form.PRISTINE)

    def _unexposed(self, cursor: Cursor) -> Expr:
        values = self._values(cursor)
        if len(values) == 1 and len(cursor.children) == 1:
            child = values[0]
            if (child.begin, child.end) == (cursor.begin, cursor.end):
                return self.build(child)
        if len(cursor.children) == 1 and cursor.children[0].is_expression:
            child = cursor.children[0]
            inner = self.build(child)
            # What a macro in an argument of another one adds has no extent.
            added = (child.begin, child.end) == (cursor.begin, cursor.end)
            if added or isinstance(inner, Verbatim):
                return inner
            return self._verbatim(cursor, (inner,), True)
        text = self.unit.file_of(cursor).text
        atomic = text.startswith(("__atomic", "__c11_atomic", "__sync"), cursor.begin)
        return self._verbatim(cursor, self._parts(cursor), pure=not atomic)

    def _cast(self, cursor: Cursor) -> Expr:
        *extents, value = self._values(cursor) or [cursor]
        in_braces = value.kind == "INIT_LIST_EXPR"  # `Row<T, N - 1>{data, strides}`
        several = extents and not in_braces and cursor.kind not in _CASTS - _FUNCTIONAL
        if value is cursor or several:
            return self._verbatim(cursor, self._parts(cursor), pure=True)
        operand = self.build(value)
        ctype = self.type(cursor)
        if operand.type.kind is TypeKind.RECORD and ctype.kind is not TypeKind.RECORD:
            return self._verbatim(cursor, (operand,), pure=True)
        span = self.span(cursor)
        named = (node for extent in extents for node in walk(self.build(extent)))
        said = "decltype(" in span.file.text[cursor.begin : value.begin]
        # Names in a type are not looked for, and may become others.
        if said or any(isinstance(node, VarRef) for node in named):
            known = read_type(cursor.type.canonical)
            if _OPEN_TYPE.search(known.spelling) is None:
                return Cast(operand, known, span=span)
        return Cast(operand, ctype, span=span, form=Form.PRISTINE)

    def _binary(self, cursor: Cursor) -> Expr:
        op = cursor.binary_operator
        launch = device_launches(self.unit.file_of(cursor)).get(cursor.begin) if op == "," else None
        if launch is not None:
            return launch_call(launch, cursor, self.unit, self.build)
        claim = assertion(cursor, self.build) if op == "," else None
        if claim is not None:
            return replace(claim, span=self.span(cursor))
        left, right = (self.build(child) for child in cursor.children[:2])
        span = self.span(cursor)
        if op in (".*", "->*"):
            return self._verbatim(cursor, (left, right))  # any member of the object
        if op in _ASSIGNMENT_OPERATORS:
            return Assign(op, left, right, self.type(cursor), span=span, form=Form.PRISTINE)
        return Binary(op, left, right, self.type(cursor), span=span, form=Form.PRISTINE)

    def _index(self, cursor: Cursor, base: Expr, index: Expr) -> Index:
        base = _named_itself(base)
        inner = base.type.element if base.type.is_view else None
        ctype = self.type(cursor) if inner is None else inner
        return Index(base, index, ctype, span=self.span(cursor), form=Form.PRISTINE)

    def _unary(self, cursor: Cursor) -> Expr:
        op, postfix = cursor.unary_operator
        operand = self.build(cursor.children[0])
        if not op:
            return self._verbatim(cursor, (operand,))
        return Unary(
            op, operand, postfix, self.type(cursor), span=self.span(cursor), form=Form.PRISTINE
        )

    # -- calls ----------------------------------------------------------------------------------

    def _call(self, cursor: Cursor) -> Expr:
        target = cursor.referenced
        values = self._values(cursor)
        if target is not None and target.kind == "CONSTRUCTOR":
            converts = [(one.begin, one.end) for one in values] == [(cursor.begin, cursor.end)]
            of_cuda = target.is_of_system or self.unit.is_declaration(target)
            if converts and (target.is_copying_constructor or of_cuda):
                return self.build(values[0])
            parts = tuple(self.build(value) for value in values)
            parts = with_types_kept(self.unit, (target,), parts)
            pure = self.unit.is_declaration(target) or sets_only_members(target)
            made = self._with_constructor(self._verbatim(cursor, parts, pure), target)
            return replace(made, converts=converts)
        if not values:
            return self._verbatim(cursor, self._parts(cursor))
        if target is not None and target.spelling.startswith('operator""'):
            return self._verbatim(cursor, (), pure=True)  # `3_v`
        if target is None and cursor.children[0].kind == "TYPE_REF":
            return self._cast(cursor)  # `T(0)` in a template
        check_launch(cursor, self.span(cursor))
        shared = shared_result(cursor, self.unit.file_of(cursor).text)
        if shared is not None:
            ctype = self.type(cursor)
            if ctype.kind is not TypeKind.POINTER:
                raise refuse(
                    "G2O0210",
                    "shared memory whose type depends on a template parameter",
                    self.span(cursor),
                    Note("give its address to a pointer first: `T *memory = ...;`"),
                )
            return self._address_of_shared(shared, cursor, ctype)
        if target is not None and target.spelling.startswith("operator"):
            return self._operator_call(cursor, target, values)
        if target is None and len(values) == 3 and is_unresolved_operator(values[1]):
            return self._dependent_operator(cursor, values)
        callee = self.build(values[0])
        arguments = tuple(self.build(value) for value in values[1:])
        if isinstance(callee, Member) and tells_size(callee.base.type, callee.name, callee.arrow):
            parts = (callee.base, f".{callee.name}(", *arguments, ")")
            return Code(parts, type=self.type(cursor), span=self.span(cursor))
        if isinstance(callee, VarRef):
            operator = self.unit.lambdas.get(callee.type.spelling)
            if operator is not None and not names_launch(operator):
                arguments = with_types_kept(self.unit, (operator,), arguments)
                ctype, span = self.type(cursor), self.span(cursor)
                return call_of_lambda(operator, (callee, *arguments), ctype, span)
        found = methods_of_template(self.unit, cursor.children[0]) if target is None else None
        this = None if self.receiver is None else self.receiver.type.element
        in_const = None if this is None else this.is_const
        name, key, is_cuda = callee_of(self.unit, cursor, target, found, in_const)
        given = template_arguments(self.unit, values[0], target)
        if found is not None:
            given = (*found.arguments, *given)
        elif target is not None and target.kind in CALLABLE:
            given = (*owner_arguments(target), *given)
        elif target is None and self.receiver is not None:
            given = (*own_class(cursor.children[0]), *given)
        candidates = candidates_of(cursor, target, found.methods if found is not None else ())
        spelled = split_template_arguments(self.span(values[0]).text)
        arguments = with_types_kept(self.unit, candidates, arguments, is_deduced=not spelled)
        return Call(
            name,
            callee,
            arguments,
            key,
            is_cuda,
            given,
            self.type(cursor),
            span=self.span(cursor),
            form=Form.PRISTINE,
        )

    def _dependent_operator(self, cursor: Cursor, values: list[Cursor]) -> Expr:
        """`a += b` in a template, of a type that may have an operator of its own."""
        left, right = self.build(values[0]), self.build(values[2])
        op = self.span(values[1]).text.strip()
        ctype, span = self.type(cursor), self.span(cursor)
        if op.endswith("=") and op not in ("==", "!=", "<=", ">="):
            return Assign(op, left, right, ctype, span=span, form=Form.PRISTINE)
        return Binary(op, left, right, ctype, span=span, form=Form.PRISTINE)

    def _operator_call(self, cursor: Cursor, target: Cursor, values: list[Cursor]) -> Expr:
        """`a + b` of class type: children are the operands with the operator among them."""
        op = target.spelling.removeprefix("operator")
        operands = [value for value in values if not names_operator(value)]
        built = tuple(self.build(operand) for operand in operands)
        span = self.span(cursor)
        ctype = self.type(cursor)
        self.unit.note_function(target)
        simple = not has_body(target) or self.unit.is_system(target)
        if not simple:
            own = target.kind == "CXX_METHOD"
            built = (*built[:own], *with_types_kept(self.unit, (target,), built[own:]))
        if target.kind == "CONVERSION_FUNCTION" and simple and isinstance(built[0], Member):
            # `x.operator T()` of a library's class, which may have that for CUDA's compiler alone
            if operands[0].children[0].end != cursor.end:
                return Cast(built[0].base, ctype, span=span, form=Form.PRISTINE)
        if op == "[]" and len(built) == 2 and simple:
            return self._index(cursor, built[0], built[1])
        if op == "=" and len(built) == 2 and target.semantic_parent is not None and simple:
            return Assign(op, built[0], built[1], ctype, span=span, form=Form.PRISTINE)
        callee = Literal(op, span=span, form=Form.PRISTINE)
        key = "" if simple and self.unit.is_system(target) else function_key(target)
        given = (*owner_arguments(target), *target.template_arguments)
        given = tuple(map(emitted_argument, given))
        return Call(
            target.spelling, callee, built, key, False, given, ctype, span=span, form=Form.PRISTINE
        )


def _named_itself(base: Expr) -> Expr:
    """`p` of `(p)->x` and `(a)[i]`, as macros write them."""
    named = isinstance(base, Paren) and isinstance(base.inner, VarRef)
    return base.inner if named and isinstance(base, Paren) else base
