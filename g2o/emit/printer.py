"""IR -> C++ text, reproducing the author's text wherever it still holds.

A PRISTINE node prints as its slice of the source. A PATCHED one prints as that slice with the nodes
that changed put in their places. Only what is BUILT, or sits in the body of a macro whose parts
changed differently, is printed from its structure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeGuard, assert_never, cast, final

from g2o.diagnostics.diagnostic import refuse
from g2o.diagnostics.source import SourceFile, SourceSpan
from g2o.emit.macro_text import shares_text, without_text
from g2o.emit.open_conditions import has_open_conditions
from g2o.frontend.cuda.brackets import closing_bracket
from g2o.frontend.cuda.lexer import lex
from g2o.ir.directives import Directive
from g2o.ir.expressions import (
    AXES,
    Assign,
    Binary,
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
    Remote,
    Unary,
    VarRef,
    Verbatim,
)
from g2o.ir.statements import (
    Barrier,
    Block,
    CountedLoop,
    Declare,
    DeclareTypes,
    DoWhile,
    Empty,
    Exchange,
    ExprStatement,
    For,
    If,
    Jump,
    Labelled,
    LocalFunction,
    Node,
    Return,
    Stmt,
    Switch,
    Text,
    Trivia,
    Variable,
    While,
)
from g2o.ir.traverse import children
from g2o.ir.types import common_spelling, declarator

SliceOf = Callable[[SourceFile, int, int], str]

_PRECEDENCE = {
    "*": 13, "/": 13, "%": 13, "+": 12, "-": 12, "<<": 11, ">>": 11, "<": 10, "<=": 10, ">": 10,
    ">=": 10, "==": 9, "!=": 9, "&": 8, "^": 7, "|": 6, "&&": 5, "||": 4, ",": 0,
}  # fmt: skip
_UNARY, _POSTFIX, _PRIMARY, _ASSIGN, _CONDITIONAL = 14, 15, 16, 2, 3
_OPENERS = "([{,=;"
_CLOSERS = ")]},;"
# A branch that the compiler skips is only text: kernels that change cannot keep it.
_CONDITION = re.compile(r"^[ \t]*#[ \t]*(?:if|el|endif)", re.MULTILINE)
_CODE = re.compile(r"\w")
_NO_CODE = re.compile(r"//[^\n]*|/\*.*?\*/|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.DOTALL | re.MULTILINE)
_NUMBER = re.compile(r"\b\d(?:[eEpP][+-]|[\w.])*")
_IN_PARENTHESES = re.compile(r"\([^()]*\)")
_OPERATION = re.compile(r"\w\s*(<<|>>|&&|\|\||[=!<>]=|[-*/%+&^|?])\s*[\w~!-]")
_ONLY_IN_KERNELS = re.compile(r"\b(?:(?:thread|block)Idx|(?:block|grid)Dim|__\w+)\b")


@final
@dataclass(frozen=True, slots=True)
class Printer:
    """Prints nodes. `slice_of` gives source text with the edits that hold everywhere applied."""

    slice_of: SliceOf
    is_c: bool = False

    # -- expressions ----------------------------------------------------------------------------

    def expression(self, node: Expr, minimum: int = 0) -> str:
        """`node` as text, in parentheses where it binds less tightly than `minimum`."""
        text, precedence = self._expression(node)
        return f"({text})" if precedence < minimum else text

    def _expression(self, node: Expr) -> tuple[str, int]:
        if node.form is not Form.BUILT:
            text = self._from_source(node)
            if text is not None:
                return text, _precedence(node)
            if node.span is not None:
                node = without_text(node)
        return self._structural(node), _precedence(node)

    def _from_source(self, node: Node) -> str | None:
        span = node.span
        if span is None or span.is_expanded or span.begin >= span.end:
            return None
        if node.form is Form.PRISTINE:
            text = self.slice_of(span.file, span.begin, span.end)
            if not _CONDITION.search(text):
                return text
            stands_alone = not has_open_conditions(text) and not _ONLY_IN_KERNELS.search(text)
            return text if stands_alone else None
        changed = _changed(node)
        if changed is None or _says_more(node, span) or shares_text(node, changed):
            return None
        pieces: list[str] = []
        position = span.begin
        for patch in changed:
            place = patch.span
            if place is None or place.file is not span.file or place.begin < position:
                return None
            if place.end > span.end:
                return None
            pieces.append(self.slice_of(span.file, position, place.begin))
            pieces.append(self._patch(patch, place, span))
            position = place.end
            if _CONDITION.search(pieces[-2]):
                return None
        pieces.append(self.slice_of(span.file, position, span.end))
        return None if _CONDITION.search(pieces[-1]) else "".join(pieces)

    def _patch(self, patch: Node, place: SourceSpan, around: SourceSpan) -> str:
        if isinstance(patch, Declare) and len(patch.variables) > 1:
            if place.file.text[: place.begin].rstrip().endswith("("):  # in the head of a loop
                return self._together(patch.variables)
        if _is_statement(patch):
            text = self.statement(patch)
            begun = place.file.text[: place.begin].rpartition("\n")[2].strip()
            return f"\n{text}" if begun and text.startswith("#") else text
        text, precedence = self._expression(cast(Expr, patch))
        if precedence >= _POSTFIX:
            return text
        before = around.file.text[around.begin : place.begin].rstrip()[-1:] or "("
        after = around.file.text[place.end : around.end].lstrip()[:1] or ")"
        compared = around.file.text[around.begin : place.begin].rstrip()[-2:]
        enclosed = before in _OPENERS and compared not in ("==", "!=", "<=", ">=")
        if enclosed and after in _CLOSERS:
            return text
        if precedence == _ASSIGN and before == ")" and after == ";":
            return text  # the body of a loop or branch
        return f"({text})"

    def _structural(self, node: Expr) -> str:
        match node:
            case Literal(text=text):
                return text
            case VarRef(symbol=symbol):
                return symbol.name
            case LaunchRef(builtin=builtin, axis=axis):
                return builtin.value + ("" if axis is None else "." + AXES[axis])
            case Unary(op=op, operand=operand, postfix=True):
                return self.expression(operand, _POSTFIX) + op
            case Unary(op=op, operand=operand):
                inner = self.expression(operand, _UNARY)
                return op + (" " if inner[:1] == op[-1:] else "") + inner
            case Binary(op=op, left=left, right=right):
                level = _PRECEDENCE.get(op, 0)
                return f"{self.expression(left, level)} {op} {self.expression(right, level + 1)}"
            case Assign(op=op, target=target, value=value):
                return f"{self.expression(target, _UNARY)} {op} {self.expression(value, _ASSIGN)}"
            case Conditional(condition=condition, if_true=if_true, if_false=if_false):
                return (
                    f"{self.expression(condition, _CONDITIONAL + 1)} ? {self.expression(if_true)}"
                    f" : {self.expression(if_false, _CONDITIONAL)}"
                )
            case Cast(operand=InitList() as parts, type=ctype):
                name = f"({ctype.spelling})" if self.is_c else ctype.spelling
                return f"{name}{self.expression(parts)}"
            case Cast(operand=operand, type=ctype):
                if ctype.converts_by_name and not self.is_c:
                    return f"{ctype.spelling}({self.expression(operand)})"
                return f"({ctype.spelling}){self.expression(operand, _UNARY)}"
            case Call(callee=callee, arguments=arguments):
                return self._call(node, callee, arguments)
            case Index(base=base, index=index):
                return f"{self.expression(base, _POSTFIX)}[{self.expression(index)}]"
            case Member(base=base, name=name, arrow=arrow):
                return f"{self.expression(base, _POSTFIX)}{'->' if arrow else '.'}{name}"
            case Paren(inner=inner):
                return f"({self.expression(inner)})"
            case InitList(said=said) if said is not None:
                return self.expression(said)
            case InitList(elements=elements):
                return "{" + ", ".join(self.expression(e) for e in elements) + "}"
            case Remote(span=span):
                raise refuse("G2O0205", "value of another thread was not lowered", span)
            case Code(parts=parts):
                parts = _with_a_common_type(parts)
                return "".join(
                    part if isinstance(part, str) else self.expression(part, least)
                    for part, least in zip(parts, _holes(parts), strict=True)
                )
            case Verbatim(parts=(only,)) if node.converts:
                return self.expression(only)
            case Verbatim(span=span):
                text = None
                if span is not None and not span.is_expanded and _changed(node) == []:
                    text = self.slice_of(span.file, span.begin, span.end)
                if text is None:
                    raise refuse(
                        "G2O0201", "construct inside a macro that has to be rewritten", span
                    )
                return text
            case _:
                assert_never(node)

    def _call(self, node: Call, callee: Expr, arguments: tuple[Expr, ...]) -> str:
        name = node.name
        if name == "operator()" and callee == Literal("()") and arguments:
            callee, *rest = arguments
            arguments = tuple(rest)
        if name.startswith("operator") and not name[8:9].isalnum() and len(arguments) == 2:
            op = name.removeprefix("operator")
            if op == "[]":
                return f"{self.expression(arguments[0], _POSTFIX)}[{self.expression(arguments[1])}]"
            level = _PRECEDENCE.get(op, _ASSIGN)
            left, right = arguments
            return f"{self.expression(left, level)} {op} {self.expression(right, level + 1)}"
        shown = ", ".join(self.expression(argument, 1) for argument in arguments)
        return f"{self.expression(callee, _POSTFIX)}({shown})"

    # -- statements -----------------------------------------------------------------------------

    def statement(self, node: Stmt) -> str:
        if node.form is not Form.BUILT:
            text = self._from_source(node)
            if text is not None:
                return text
        return self._structural_statement(node)

    def _type(self, text: str, span: SourceSpan) -> str:
        """A type whose members are those of the source, under the names that they have now."""
        brace = span.begin + span.text.find("{")
        members = span.file.text[brace : span.end] + ";"
        if brace < span.begin or not text.endswith(members):
            return text
        return text.removesuffix(members) + self.slice_of(span.file, brace, span.end) + ";"

    def _structural_statement(self, node: Stmt) -> str:
        match node:
            case Declare(variables=variables):
                return "\n".join(self.variable(variable) + ";" for variable in variables)
            case DeclareTypes(text=text, span=span):
                return text if span is None else self._type(text, span)
            case ExprStatement(expr=Verbatim(span=span) as expr):
                text = self.expression(expr)
                return text if text.rstrip().endswith((";", "}")) and span else text + ";"
            case ExprStatement(expr=expr):
                return self.expression(expr) + ";"
            case Block(statements=statements, directive=directive):
                above = _pragma(directive)
                return above + "{\n" + self.sequence(statements) + "}"
            case If(condition=condition, then=then, otherwise=otherwise):
                head = "if constexpr" if node.is_constexpr else "if"
                keep = otherwise is not None and not (_is_short(then) and _is_short(otherwise))
                body = self._body(then, otherwise, keep, of_branch=True)
                text = f"{head} ({self.expression(condition)})\n{body}"
                if otherwise is not None:
                    text += f"\nelse {self._body(otherwise, keep=keep)}"
                return text
            case For():
                return self._for(node)
            case While(condition=condition, body=body):
                return f"while ({self.expression(condition)})\n{self._body(body)}"
            case DoWhile(body=body, condition=condition):
                return f"do {self._body(body)} while ({self.expression(condition)});"
            case Switch(condition=condition, body=body):
                return f"switch ({self.expression(condition)}) {self.statement(body)}"
            case Labelled(label=label, value=value, body=body):
                shown = f"case {self.expression(value)}" if value is not None else label
                return f"{shown}:\n{self.statement(body)}"
            case Jump(kind=kind, label=label):
                return f"{kind.value} {label}".rstrip() + ";"
            case Return(value=value):
                return "return;" if value is None else f"return {self.expression(value)};"
            case CountedLoop():
                return self._counted(node)
            case LocalFunction(name=name, parameters=parameters, body=body):
                inside = self.statement(body)
                named = [
                    p.name if re.search(rf"\b{p.name}\b", inside) else f"/*{p.name}*/"
                    for p in parameters
                ]
                shown = ", ".join(
                    declarator(p.type.spelling, one)
                    for p, one in zip(parameters, named, strict=True)
                )
                return f"const auto {name} = [&]({shown}) {inside};"
            case Text(parts=parts):
                return "".join(p if isinstance(p, str) else self.expression(p) for p in parts)
            case Empty():
                return "" if node.trivia.before else ";"
            case Barrier(span=span) | Exchange(span=span):
                raise refuse("G2O0205", "operation between threads was not lowered", span)
            case _:
                assert_never(node)

    def sequence(self, statements: tuple[Stmt, ...]) -> str:
        """Statements one below the other with the comments that belong to them."""
        pieces: list[str] = []
        for position, statement in enumerate(statements):
            trivia = statement.trivia
            if trivia.blank_line and position > 0:
                pieces.append("\n")
            pieces.extend(comment + "\n" for comment in trivia.before)
            text = self.statement(statement)
            made = statement.form is Form.BUILT
            if isinstance(statement, Empty) and not trivia.after and (made or not text):
                continue  # where a pass has taken something out
            pieces.append(text + (f" {trivia.after}" if trivia.after else "") + "\n")
        return "".join(pieces)

    def variable(self, variable: Variable) -> str:
        text = declarator(variable.declared, variable.symbol.name + self._suffix(variable))
        if variable.initial is None:
            return text
        value = self.expression(variable.initial, 1)
        match variable.initial_style:
            case "(":
                return f"{text}({_bare(value)})"
            case "{":
                return f"{text}{value if value.startswith('{') else '{' + value + '}'}"
            case _:
                return f"{text} = {value}"

    def _suffix(self, variable: Variable) -> str:
        """`[n][m]` of an array whose size variables of C say, which passes may have replaced."""
        extents, suffix = variable.extents, variable.suffix
        if not self.is_c or not extents or len(extents) != suffix.count("["):
            return suffix
        return "".join(f"[{self.expression(one)}]" for one in extents)

    def _body(
        self,
        node: Stmt,
        otherwise: Stmt | None = None,
        keep: bool = False,
        *,
        of_branch: bool = False,
    ) -> str:
        """The statement under a loop or condition, `of_branch`: comments of its own go into braces
        with it, and so does an `else` that might be that of the condition. `keep`: the braces of
        one statement stay, as the other branch has some."""
        dangling = isinstance(node, (If, For, While)) and otherwise is not None
        dangling = dangling or (of_branch and _has_else(node))
        several = isinstance(node, Declare) and len(node.variables) > 1
        if isinstance(node, Block) and node.trivia.before:
            comments = "".join(comment + "\n" for comment in node.trivia.before)
            return "{\n" + comments + self.sequence(node.statements) + "}"
        if dangling or several or node.trivia.before:
            return "{\n" + self.sequence((node,)) + "}"
        only = None if keep else _needless_braces(node)
        return self.statement(node if only is None else only)

    def _for(self, node: For) -> str:
        initial = ";" if node.initial is None else self.statement(node.initial)
        if isinstance(node.initial, Declare) and "\n" in initial:
            initial = self._together(node.initial.variables)
        condition = "" if node.condition is None else " " + self.expression(node.condition)
        increment = "" if node.increment is None else " " + self.expression(node.increment)
        above = _pragma(node.shared.directive if node.shared else node.directive)
        above += f"#pragma GCC unroll {node.unroll}\n" if node.unroll else ""
        return f"{above}for ({initial}{condition};{increment})\n{self._body(node.body)}"

    def _together(self, variables: tuple[Variable, ...]) -> str:
        """`float *p = a, *q = b;`: the declarations of several variables as one."""
        said = [declarator(one.declared, "").rstrip() for one in variables]
        base = said[0].rstrip("*& ")
        others = (
            self.variable(replace(one, declared=text.removeprefix(base).strip() or " ")).strip()
            for one, text in zip(variables[1:], said[1:], strict=True)
        )
        return ", ".join((self.variable(variables[0]), *others)) + ";"

    def _counted(self, node: CountedLoop) -> str:
        index = node.index
        step = f"++{index.name}"
        if node.step is not None:
            step = f"{index.name} += {self.expression(node.step)}"
        header = (
            f"for ({index.type.spelling} {index.name} = {self.expression(node.lower, 1)}; "
            f"{index.name} < {self.expression(node.upper, 11)}; {step})"
        )
        body = node.body
        if isinstance(body, Block) and len(body.statements) == 1 and _is_plain(body.statements[0]):
            body = body.statements[0]
        return f"{_pragma(node.directive)}{header}\n{self._body(body)}"


def _pragma(directive: Directive) -> str:
    return f"#pragma {directive.text}\n" if directive else ""


def _holes(parts: Sequence[str | Expr]) -> Iterator[int]:
    """How closely the expression in each hole of a text has to hold together: behind `(size_t)`, as
    what is converted."""
    before: str | Expr = ""
    for part in parts:
        converted = isinstance(before, str) and before.endswith(")")
        yield _UNARY if converted else 0 if len(parts) == 1 else 1
        before = part


def _with_a_common_type(parts: tuple[str | Expr, ...]) -> tuple[str | Expr, ...]:
    """`std::min<int>(COUNT, n)` for an enumerator: what the template is to be cannot be deduced."""
    match parts:
        case ("std::min(" | "std::max(" as name, left, ", ", right, ")") if not (
            isinstance(left, str) or isinstance(right, str)
        ) and (left.type.is_enumeration or right.type.is_enumeration):
            common = common_spelling(left.type, right.type)
            return (f"{name[:-1]}<{common}>(", left, ", ", right, ")")
        case _:
            return parts


def _needless_braces(node: Stmt) -> Stmt | None:
    """The one statement in braces that nobody has written."""
    match node:
        case Block(statements=(ExprStatement() as only,), span=None, form=Form.BUILT) if (
            not node.directive
        ):
            return only if _is_plain(only) else None
        case _:
            return None


def _is_short(node: Stmt) -> bool:
    return not isinstance(node, Block) or _needless_braces(node) is not None


def _is_plain(node: Stmt) -> bool:
    if node.trivia != Trivia() and (node.trivia.before or node.trivia.after):
        return False
    return isinstance(node, (ExprStatement, CountedLoop))


def _bare(value: str) -> str:
    """A parenthesised initialiser list without its parentheses; `(char)(x)` has none around it."""
    tokens = lex(value).code
    whole = value.startswith("(") and closing_bracket(tokens, 0) == len(tokens) - 1
    return value[1:-1] if whole else value


def _is_statement(node: Node) -> TypeGuard[Stmt]:
    return isinstance(node, Stmt)


def _changed(node: Node) -> list[Node] | None:
    """The nodes below `node` that replace source text, outermost first and in order of place;
    None where two of them claim one place (a macro argument that is used twice)."""
    found: list[Node] = []
    for child in children(node):
        if child.form is Form.BUILT:
            found.append(child)
        elif child.form is Form.PATCHED:
            below = _changed(child)
            if below is None:
                return None
            found.extend(below)
    if any(one.span is None or one.span.is_expanded for one in found):
        return None
    found.sort(key=_place)
    distinct = found[:1]
    for one in found[1:]:
        if _place(one) == _place(distinct[-1]) and one == distinct[-1]:
            continue  # an argument of a macro that uses it twice
        if _place(one)[0] < _place(distinct[-1])[1]:
            return None
        distinct.append(one)
    return distinct


def _says_more(node: Node, span: SourceSpan) -> bool:
    """Does the text of a statement have code that is no part of it any more?"""
    match node:
        case For(body=body) | While(body=body) | If(then=body, otherwise=None) | If(otherwise=body):
            return body is not None and body.span is not None and body.span.end != span.end
        case Block(statements=statements):
            position = span.begin + 1
            for statement in statements:
                place = statement.span
                if place is None or place.file is not span.file:
                    continue
                if _CODE.search(_NO_CODE.sub("", span.file.text[position : place.begin])):
                    return True
                position = max(position, place.end)
            rest = span.file.text[position : span.end - 1]
            return _CODE.search(_NO_CODE.sub("", rest)) is not None
        case _:
            return False


def _precedence_of_text(text: str) -> int:
    """That of the operation that binds least: launches may spell `N / 2` for numbers of threads."""
    if any(quote in text for quote in "'\""):
        return _PRIMARY
    text = _NUMBER.sub("0", text)
    while (outside := _IN_PARENTHESES.sub("_", text)) != text:
        text = outside
    found = (_PRECEDENCE.get(op, _CONDITIONAL) for op in _OPERATION.findall(text))
    return min(found, default=_PRIMARY)


def _place(node: Node) -> tuple[int, int]:
    span = node.span
    return (span.begin, span.end) if span is not None else (0, 0)


def _has_else(node: Stmt) -> bool:
    """Is it a condition with an `else`, perhaps in loops without braces?"""
    match node:
        case If(otherwise=otherwise):
            return otherwise is not None
        case For(body=body) | While(body=body) | CountedLoop(body=body):
            return _has_else(body)
        case _:
            return False


def _precedence(node: Expr) -> int:
    match node:
        case Literal(text=text):
            return _precedence_of_text(text)
        case VarRef() | LaunchRef() | Paren() | InitList():
            return _PRIMARY
        case Call() | Index() | Member():
            if isinstance(node, Call) and node.span is not None:
                return 1 if node.callee.span == node.span else _POSTFIX
            return _POSTFIX
        case Cast(form=form, type=ctype):
            called = form is Form.BUILT and ctype.converts_by_name
            return _POSTFIX if called else _UNARY
        case Unary(postfix=postfix):
            return _POSTFIX if postfix else _UNARY
        case Binary(op=op):
            return _PRECEDENCE.get(op, 0)
        case Assign():
            return _ASSIGN
        case Conditional():
            return _CONDITIONAL
        case Code(atomic=atomic, parts=parts):
            if len(parts) == 1 and not isinstance(parts[0], str):
                return _precedence(parts[0])
            return _PRIMARY if atomic else 1
        case Verbatim(parts=(only,)) if node.converts:
            return _precedence(only)
        case Verbatim() | Remote():
            return 1
