"""libclang statements -> IR statements."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import final

from g2o.diagnostics.diagnostic import Refusals, refuse
from g2o.diagnostics.source import SourceSpan
from g2o.frontend.cuda.bindings import declare_bindings
from g2o.frontend.cuda.build_expressions import ExpressionBuilder
from g2o.frontend.cuda.callees import chosen_barrier
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.constructor_calls import construction, without_cleanups
from g2o.frontend.cuda.file_shared import is_only_declarator
from g2o.frontend.cuda.lambdas import type_of_lambda
from g2o.frontend.cuda.local_classes import names_of_type
from g2o.frontend.cuda.range_loops import range_loop
from g2o.frontend.cuda.read_types import names_other_type, of_coordinates, with_tag
from g2o.frontend.cuda.statement_text import header_semicolons, initial_style, read_trivia
from g2o.frontend.cuda.switch_heads import declared_in_head
from g2o.frontend.cuda.unit import SourceUnit
from g2o.ir.expressions import Assign, Expr, Form, Literal, Unary, VarRef
from g2o.ir.statements import (
    BY_CLASS,
    Block,
    Declare,
    DeclareTypes,
    DoWhile,
    Empty,
    ExprStatement,
    For,
    If,
    Jump,
    JumpKind,
    Labelled,
    Node,
    Return,
    Stmt,
    Switch,
    Trivia,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, SymbolTable
from g2o.ir.traverse import children
from g2o.ir.types import BOOL, CType, TypeKind, decayed

_NAMESPACE_NAMES = frozenset({"NAMESPACE_ALIAS", "USING_DIRECTIVE"})
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_TRIVIA = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_WORDS = re.compile(r"\b(?:__shared__|extern|static|__device__|__constant__|register)\b\s*")
_VOLATILE = re.compile(r"\bvolatile\b\s*")
_ATTRIBUTE = re.compile(
    r"__attribute__\s*\(\(.*?\)\)\s*|__(?:builtin_)?align__\s*\((?:[^()]|\([^()]*\))*\)\s*"
)
_SPECIFIER_ENDS = re.compile(r"\s+")
_TAGS = frozenset({"STRUCT_DECL", "UNION_DECL", "CLASS_DECL", "ENUM_DECL"})
_TAG_KEYWORD = re.compile(r"struct|union|class|enum(?:\s+(?:class|struct))?")

_TRUE = Literal("true", 1, BOOL)


@final
class StatementBuilder:
    """Builds the body of one function."""

    def __init__(self, unit: SourceUnit, symbols: SymbolTable, function: Cursor) -> None:
        self.unit = unit
        self.expressions = ExpressionBuilder(unit, symbols, function)
        self._assigned_twice: set[int] = set()  # variables whose value assigns to them

    # -- statements -----------------------------------------------------------------------------

    def block(self, cursor: Cursor) -> Block:
        span = self.expressions.span(cursor)
        text = span.file.text
        statements: list[Stmt] = []
        position = cursor.begin + 1
        refusals = Refusals()
        built: list[Stmt] = []
        for child in cursor.children:
            with refusals.noted():
                built.extend(self._statements(child))
        refusals.raise_all()
        for statement in built:
            statement_span = statement.span
            if statement_span is None:
                statements.append(statement)
                continue
            trivia = read_trivia(
                text, position, statement_span.begin, statement_span.end, first=not statements
            )
            statements.append(replace(statement, trivia=trivia))
            position = max(position, statement_span.end)
        last = max(position, cursor.end - 1)
        closing = read_trivia(text, position, last, cursor.end, first=not statements)
        if closing.before:
            end = SourceSpan(span.file, cursor.end - 1, cursor.end - 1)
            statements.append(Empty(trivia=replace(closing, after=""), span=end))
        return Block(tuple(statements), span=span, form=Form.PRISTINE)

    def _statements(self, cursor: Cursor) -> list[Stmt]:
        """The statement; several where it declares a type and variables of it, or is the block of
        a `do { ... } while (0);` that declares nothing."""
        kinds = {child.kind for child in cursor.children}
        if cursor.kind == "DECL_STMT" and kinds and kinds <= _NAMESPACE_NAMES:
            if all(self._names_cuda(child) for child in cursor.children):
                return []
        if cursor.kind == "DECL_STMT" and "VAR_DECL" in kinds and not kinds.isdisjoint(_TAGS):
            return self._declare_with_type(cursor)
        statement = self.statement(cursor)
        if cursor.kind == "DO_STMT" and isinstance(statement, Block):
            inner = statement.statements
            if not any(isinstance(one, (Declare, DeclareTypes)) for one in inner):
                return list(inner)
        return [statement]

    def _names_cuda(self, cursor: Cursor) -> bool:
        """Does it give another name to a namespace of CUDA, which the translation does not have?"""
        for child in cursor.children:
            target = child.referenced
            if target is None or child.kind not in ("NAMESPACE_REF", "OVERLOADED_DECL_REF"):
                continue
            if target.kind == "NAMESPACE_ALIAS" and self._names_cuda(target):
                return True
            if self.unit.is_declaration(target):
                return True
        return False

    def statement(self, cursor: Cursor) -> Stmt:
        match cursor.kind:
            case "COMPOUND_STMT":
                return self.block(cursor)
            case "DECL_STMT":
                return self._declare(cursor)
            case "IF_STMT":
                return self._if(cursor)
            case "FOR_STMT":
                return self._for(cursor)
            case "CXX_FOR_RANGE_STMT" if loop := range_loop(
                self.expressions, cursor, self.statement
            ):
                return loop
            case "WHILE_STMT":
                return self._while(cursor)
            case "DO_STMT":
                return self._do_while(cursor)
            case "SWITCH_STMT":
                return self._switch(cursor)
            case "CASE_STMT":
                value, body = cursor.children[0], cursor.children[-1]
                label = "case " + self._text(value)
                return self._labelled(cursor, label, self.expressions.build(value), body)
            case "DEFAULT_STMT":
                return self._labelled(cursor, "default", None, cursor.children[0])
            case "LABEL_STMT":
                return self._labelled(cursor, cursor.spelling, None, cursor.children[0])
            case "BREAK_STMT":
                return self._jump(cursor, JumpKind.BREAK)
            case "CONTINUE_STMT":
                return self._jump(cursor, JumpKind.CONTINUE)
            case "GOTO_STMT" | "INDIRECT_GOTO_STMT":
                label = cursor.children[0].spelling if cursor.children else ""
                return self._jump(cursor, JumpKind.GOTO, label)
            case "RETURN_STMT":
                value = self.expressions.build(cursor.children[0]) if cursor.children else None
                return Return(value, span=self._with_semicolon(cursor), form=Form.PRISTINE)
            case "NULL_STMT":
                return Empty(span=self.expressions.span(cursor), form=Form.PRISTINE)
            case "UNEXPOSED_STMT" if cursor.children and cursor.children[-1].kind == "NULL_STMT":
                return Empty(span=self._with_semicolon(cursor), form=Form.PRISTINE)
            case "UNEXPOSED_STMT" if cursor.children:
                return self.statement(cursor.children[-1])
            case "GCC_ASM_STMT" | "MS_ASM_STMT" | "ASM_STMT":
                raise refuse("G2O0202", "inline assembly", self.expressions.span(cursor))
            case _:
                expr = self.expressions.build(cursor)
                return ExprStatement(expr, span=self._with_semicolon(cursor), form=Form.PRISTINE)

    def _text(self, cursor: Cursor) -> str:
        if self.unit.in_macro_body(cursor):
            return self.expressions.leaf_text(cursor)
        return self.unit.file_of(cursor).text[cursor.begin : cursor.end]

    def _with_semicolon(self, cursor: Cursor) -> SourceSpan:
        """The span of a statement up to and with its semicolon."""
        span = self.expressions.span(cursor)
        text = span.file.text
        if text[span.begin : span.end].endswith(";"):
            return span
        match = _TRIVIA.match(text, span.end)
        end = match.end() if match else span.end
        if end < len(text) and text[end] == ";":
            return SourceSpan(span.file, span.begin, end + 1)
        return span

    def _jump(self, cursor: Cursor, kind: JumpKind, label: str = "") -> Stmt:
        return Jump(kind, label, span=self._with_semicolon(cursor), form=Form.PRISTINE)

    def _labelled(self, cursor: Cursor, label: str, value: Expr | None, body: Cursor) -> Stmt:
        statement = self.statement(body)
        span = self.expressions.span(cursor)
        if statement.span is not None:
            span = span.to(statement.span)
        return Labelled(label, value, statement, span=span, form=Form.PRISTINE)

    def _if(self, cursor: Cursor) -> Stmt:
        parts = list(cursor.children)
        barrier = chosen_barrier(parts)
        if barrier is not None:
            return self.statement(barrier)
        prefix = self._declared_in_head(parts)
        condition = self.expressions.build(parts[0])
        then = self._body(parts[1], parts[0].end)
        otherwise = None
        if len(parts) > 2:
            begin = parts[2].begin if then.span is None else then.span.end
            otherwise = self._body(parts[2], begin)
        span = self._ending_with(cursor, otherwise or then)
        form = Form.BUILT if prefix else Form.PRISTINE
        head = span.file.text[span.begin : parts[0].begin]
        result = If(
            condition, then, otherwise, is_constexpr="constexpr" in head, span=span, form=form
        )
        return _behind(prefix, result)

    def _switch(self, cursor: Cursor) -> Stmt:
        parts = list(cursor.children)
        declared = declared_in_head(self.unit, cursor)
        prefix: list[Stmt] = [Declare((self._variable(one, False),)) for one in declared]
        prefix += self._declared_in_head(parts)
        condition, body = (self.expressions.build(parts[-2]), self.statement(parts[-1]))
        form = Form.BUILT if prefix else Form.PRISTINE
        span = self._ending_with(cursor, body)
        return _behind(prefix, Switch(condition, body, span=span, form=form))

    def _declared_in_head(self, parts: list[Cursor]) -> list[Stmt]:
        """`if (int n = f(); int x = g(n))`: the declarations, which are taken out of `parts`."""
        found: list[Stmt] = []
        while len(parts) > 2 and parts[0].kind in ("DECL_STMT", "VAR_DECL"):
            first = parts.pop(0)
            found.append(
                self.statement(first) if first.kind == "DECL_STMT" else self._condition(first)
            )
        return found

    def _condition(self, cursor: Cursor) -> Stmt:
        """The declaration in `if (int x = f())` as a statement."""
        return Declare((self._variable(cursor, True),))

    def _body(self, cursor: Cursor, header_end: int) -> Stmt:
        """The statement that a condition or loop governs, with the comments in front of it."""
        statement = self.statement(cursor)
        span = statement.span
        if span is None or self.unit.in_macro_body(cursor) or header_end > span.begin:
            return statement
        found = _COMMENT.findall(span.file.text[header_end : span.begin])
        return replace(statement, trivia=Trivia(tuple(found))) if found else statement

    def _ending_with(self, cursor: Cursor, last: Stmt) -> SourceSpan:
        span = self.expressions.span(cursor)
        return span if last.span is None else span.to(last.span)

    def _while(self, cursor: Cursor) -> Stmt:
        *declared, condition, body = cursor.children
        leave = self._leaving(declared[0], condition) if declared else []
        built = _TRUE if leave else self.expressions.build(condition)
        statement = self._after(leave, self._body(body, condition.end))
        form = Form.BUILT if leave else Form.PRISTINE
        return While(built, statement, span=self._ending_with(cursor, statement), form=form)

    def _do_while(self, cursor: Cursor) -> Stmt:
        """`do { ... } while (0);` is a block, as macros write it, unless something jumps in it."""
        body, condition = (
            self.statement(cursor.children[0]),
            self.expressions.build(cursor.children[1]),
        )
        span = self._with_semicolon(cursor)
        once = isinstance(condition, Literal) and condition.value == 0
        if once and isinstance(body, Block) and not _jumps(body):
            return Block(body.statements, span=span, form=Form.PRISTINE)
        return DoWhile(body, condition, span=span, form=Form.PRISTINE)

    def _leaving(self, declared: Cursor, condition: Cursor) -> list[Stmt]:
        """`int x = f(); if (!x) break;`, for a loop that declares its condition."""
        declaration = self._condition(declared)  # first: the condition names what it declares
        test = Unary("!", self.expressions.build(condition), type=BOOL)
        return [declaration, If(test, Jump(JumpKind.BREAK), None)]

    def _after(self, prefix: list[Stmt], body: Stmt) -> Stmt:
        if not prefix:
            return body
        inner = body.statements if isinstance(body, Block) else (body,)
        return Block((*prefix, *inner), span=body.span)

    def _for(self, cursor: Cursor) -> Stmt:
        """libclang leaves absent parts of the header out: the semicolons tell which are there,
        where some are not, and those of a macro do not stand in the text."""
        *header, body = cursor.children
        is_whole = len(header) == 3 and all(part.kind != "VAR_DECL" for part in header)
        first, second = header_semicolons(self.unit.file_of(cursor).text, cursor.begin)
        initial: Stmt | None = None
        condition: Expr | None = None
        increment: Expr | None = None
        leave: list[Stmt] = []
        for position, part in enumerate(header):
            slot = position if is_whole else (part.begin > first) + (part.begin > second)
            if part.kind == "VAR_DECL":
                leave = self._leaving(part, header[header.index(part) + 1])
            elif slot == 0:
                initial = self.statement(part)
            elif slot == 2:
                increment = self.expressions.build(part)
            elif not leave:
                condition = self.expressions.build(part)
        header_end = max((part.end for part in header), default=cursor.begin)
        statement = self._after(leave, self._body(body, header_end))
        return For(
            initial,
            condition,
            increment,
            statement,
            span=self._ending_with(cursor, statement),
            form=Form.BUILT if leave else Form.PRISTINE,
        )

    # -- declarations ---------------------------------------------------------------------------

    def _declare(self, cursor: Cursor) -> Stmt:
        span = self._with_semicolon(cursor)
        if len(cursor.children) == 1 and cursor.children[0].spelling.startswith("["):
            return declare_bindings(self.expressions, cursor.children[0], span)
        if not cursor.children or any(child.kind != "VAR_DECL" for child in cursor.children):
            names: list[str] = []
            for child in cursor.children:
                if child.kind == "VAR_DECL":
                    raise refuse("G2O0201", "type and variable declared together", span)
                self.unit.note_types(child)
                names.extend(names_of_type(self.unit, child))
            text = self._known_alias(cursor.children[0], span.text) if len(names) == 1 else ""
            form = Form.BUILT if text else Form.PRISTINE
            return DeclareTypes(tuple(names), text, span=span, form=form)
        single = len(cursor.children) == 1
        variables = tuple(self._variable(child, single) for child in cursor.children)
        named = any(names_other_type(span.text, one.symbol.type) for one in variables)
        twice = any(one.symbol.id in self._assigned_twice for one in variables)
        return Declare(variables, span=span, form=Form.BUILT if named or twice else Form.PRISTINE)

    def _known_alias(self, alias: Cursor, text: str) -> str:
        """`using T = decltype(v);` as what it is: where types are declared, no variable is seen."""
        if alias.kind not in ("TYPE_ALIAS_DECL", "TYPEDEF_DECL") or "decltype(" not in text:
            return ""
        known = alias.underlying_type.canonical.spelling
        is_open = any(one in known for one in ("type-parameter", "decltype(", "(", "auto", "<dep"))
        return "" if is_open else f"using {alias.spelling} = {known};"

    def _declare_with_type(self, cursor: Cursor) -> list[Stmt]:
        """`struct Pair { int a, b; } p, q;` as a declaration of the type and one of variables."""
        whole = self._with_semicolon(cursor)
        tag = next(child for child in cursor.children if child.kind in _TAGS)
        text = whole.file.text[tag.begin : tag.end]
        name = tag.spelling
        variables = [child for child in cursor.children if child.kind == "VAR_DECL"]
        if not name.isidentifier():
            name = self._free_name(variables[0].spelling.capitalize(), whole.file.text)
            keyword = _TAG_KEYWORD.match(text)
            assert keyword is not None
            text = f"{keyword.group()} {name} {text[keyword.end() :].lstrip()}"
        names = (name, *(n for n in names_of_type(self.unit, tag) if n != tag.spelling))
        built = tuple(self._variable(child, False, name) for child in variables)
        return [
            DeclareTypes(names, text + ";", span=SourceSpan(whole.file, whole.begin, tag.end)),
            Declare(built, span=SourceSpan(whole.file, tag.end, whole.end)),
        ]

    def declare_file_shared(self, cursor: Cursor) -> Declare:
        """Shared memory of the file as memory of the function that names it."""
        symbol = self.expressions.symbol_of(cursor)
        variable = self._variable(cursor, is_only_declarator(self.unit, cursor))
        return Declare((replace(variable, symbol=symbol),), form=Form.BUILT)

    def _free_name(self, wish: str, text: str) -> str:
        name, count = wish, 2
        while re.search(rf"\b{name}\b", text):
            name, count = f"{wish}{count}", count + 1
        return name

    def _variable(self, cursor: Cursor, single: bool, tag: str | None = None) -> Variable:
        """One declarator. `tag` names the type where the declaration itself declares that."""
        storage = _storage(cursor)
        ctype = self.expressions.type(cursor)
        if tag is not None:
            ctype = with_tag(ctype, tag)
        initial_cursor = self._initialiser(cursor)
        extents: list[Expr] = []
        for child in cursor.children:
            made = without_cleanups(child)
            constructor = made.kind == "CALL_EXPR" and made.begin <= cursor.name_offset
            of_type = child.begin < cursor.name_offset and not self.unit.in_macro_body(cursor)
            if child is initial_cursor or constructor or of_type:  # of_type: `Row<WIDTH> row`
                continue
            if child.is_expression:
                extents.append(self.expressions.build(child))
        extents.reverse()  # clang has the innermost first
        if "auto" in ctype.spelling.split() and initial_cursor:
            ctype = type_of_lambda(initial_cursor) or ctype
        symbol = self.expressions.declare(cursor, storage, ctype)  # its value may name it
        initial = self.expressions.initial_value(initial_cursor, ctype) if initial_cursor else None
        while (
            isinstance(initial, Assign) and initial.op == "=" and initial.target == VarRef(symbol)
        ):
            initial = initial.value  # `float a = a = 1;`
            self._assigned_twice.add(symbol.id)
        if initial is not None and initial.type.is_view:  # as `auto` has it
            ctype = replace(decayed(initial.type), spelling="auto", is_view=True)
            symbol = self.expressions.declare(cursor, storage, ctype)
        text = self.unit.file_of(cursor).text
        self.unit.note_types(cursor)
        name_end = cursor.name_offset + len(cursor.spelling)
        stop = cursor.end
        style = ""
        constructor = self._constructor(cursor)
        if constructor is not None:
            style, stop = initial_style(text, name_end, cursor.end, cursor.end)
            initial = self.expressions.constructed(constructor, stop) if style else None
        elif initial_cursor is not None:
            style, stop = initial_style(text, name_end, initial_cursor.begin, cursor.end)
        refers = ctype.kind in (TypeKind.POINTER, TypeKind.REFERENCE)
        declared = of_coordinates(self.unit.renamed(cursor, cursor.begin, cursor.name_offset))
        suffix = self.unit.renamed(cursor, name_end, stop).rstrip()
        if names_other_type(declared, ctype) or not single or self.unit.in_macro_body(cursor):
            declared = ctype.innermost.spelling + " "
            suffix = "".join(
                f"[{self.unit.renamed(cursor, e.span.begin, e.span.end)}]"
                for e in extents
                if e.span is not None and not refers  # `int (*p)[8]`
            )
            if ctype.kind is TypeKind.ARRAY:
                suffix += _inner_extents(ctype, len(extents))
        if ")" in suffix and refers:
            declared, suffix = ctype.spelling, ""  # `int (*f)(int)`, `int (&a)[8]`
        declared = _SPECIFIER_ENDS.sub(" ", _ATTRIBUTE.sub("", _WORDS.sub("", declared))).strip()
        if ctype.innermost.kind not in (TypeKind.POINTER, TypeKind.REFERENCE):
            declared = _VOLATILE.sub("", declared)
        if style == "" and initial is not None and initial.span is not None:
            initial = None if initial.span.begin >= initial.span.end else initial
        if style == "":
            initial = None
        if ctype.kind in (TypeKind.RECORD, TypeKind.DEPENDENT):
            made = construction(self.expressions, cursor, stop if style else cursor.end)
            initial, style = (initial, style) if made is None else (made, style or "(")
        if initial is None and style == "" and _gives_values(ctype.innermost, storage):
            style = BY_CLASS
        return Variable(
            symbol,
            declared,
            suffix,
            initial,
            style,
            tuple(extents),
            span=SourceSpan(self.unit.file_of(cursor), cursor.begin, cursor.end),
        )

    def _initialiser(self, cursor: Cursor) -> Cursor | None:
        """The last child, where it stands behind the name and its extents."""
        expressions = [child for child in cursor.children if child.is_expression]
        if not expressions:
            return None
        last = expressions[-1]
        name_end = cursor.name_offset + len(cursor.spelling)
        if self.unit.in_macro_body(cursor):
            return last if cursor.type.canonical.kind != "CONSTANTARRAY" else None
        text = self.unit.file_of(cursor).text
        between = text[name_end : last.begin]
        if last.begin < name_end or between.count("[") > between.count("]"):
            return None
        if last.kind == "CALL_EXPR" and last.begin <= cursor.name_offset:
            return None  # default construction
        return last

    def _constructor(self, cursor: Cursor) -> Cursor | None:
        """The call of a constructor with arguments that stand directly behind the name."""
        expressions = [child for child in cursor.children if child.is_expression]
        if not expressions or self.unit.in_macro_body(cursor):
            return None
        last = without_cleanups(expressions[-1])
        name_end = cursor.name_offset + len(cursor.spelling)
        if last.kind != "CALL_EXPR" or last.begin != cursor.name_offset or last.end <= name_end:
            return None
        has_arguments = any(value.begin >= name_end for value in last.children)
        return last if has_arguments and last.end == cursor.end else None


def _inner_extents(ctype: CType, written: int) -> str:
    """The extents of an array that its type's name has: of `Row a[3]` where a `Row` is an array."""
    inner: CType | None = ctype
    for _ in range(written):
        inner = inner.element if inner is not None else None
    found = ""
    while inner is not None and inner.kind is TypeKind.ARRAY and inner.extent is not None:
        found += f"[{inner.extent}]"
        inner = inner.element
    return found


def _gives_values(ctype: CType, storage: Storage) -> bool:
    """Does the class give its objects values where they are declared, or may it?"""
    is_class = ctype.kind is TypeKind.RECORD and ctype.constructs
    is_open = ctype.kind is TypeKind.DEPENDENT and ctype.spelling.endswith(">")
    return storage is Storage.LOCAL and (is_class or is_open)


def _jumps(node: Node) -> bool:
    """Whether a `break` or `continue` in `node` is one of the loop around it."""
    if isinstance(node, Jump):
        return node.kind in (JumpKind.BREAK, JumpKind.CONTINUE)
    if isinstance(node, (For, While, DoWhile)):
        return False
    return any(_jumps(child) for child in children(node))


def _behind(prefix: list[Stmt], statement: If | Switch) -> Stmt:
    """The statement with what its head declares in front of it."""
    if not prefix:
        return statement
    return Block((*prefix, replace(statement, span=None)), span=statement.span)


def _storage(cursor: Cursor) -> Storage:
    shared = any(child.kind == "CUDASHARED_ATTR" for child in cursor.children)
    if shared:
        return Storage.DYNAMIC_SHARED if cursor.storage == "EXTERN" else Storage.SHARED
    return Storage.GLOBAL if cursor.storage in ("STATIC", "EXTERN") else Storage.LOCAL
