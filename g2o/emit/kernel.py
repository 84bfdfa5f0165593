"""A lowered kernel as the text of an ordinary function."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import final

from g2o.diagnostics.source import SourceSpan
from g2o.emit.printer import Printer
from g2o.emit.warned_operands import with_warned_operands
from g2o.frontend.cuda.brackets import closing_bracket
from g2o.frontend.cuda.lexer import lex
from g2o.frontend.edits import EditedText
from g2o.ir.expressions import VarRef
from g2o.ir.kernel import Function, LoweredKernel
from g2o.ir.statements import DeclareTypes, Empty, Node
from g2o.ir.traverse import rewrite, walk

# What the text edits put into every kernel signature, definitions among them: without names where
# a parameter of the kernel has one of them.
_LAUNCH_PARAMETERS = re.compile(
    r"^dim3(?: grid)?, dim3(?: block)?(?:, std::size_t(?: shared_bytes)?(?=[,)]))?(, )?"
)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_ASSERTION = re.compile(r"\bassert\([^;]*\);")
_DIRECTIVE = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)\b(?:[^\\\n]|\\\n|\\.)*$", re.MULTILINE
)
_BEFORE_PARAMETER = re.compile(r"\s*(?:#[^\n]*\n\s*)*")  # directives as well
_LAUNCH_NAME = re.compile(r"\b(?:thread|block|grid)(?:Idx|Dim)\b")
_WORD = re.compile(r"[A-Za-z_]\w*")
_STANDARD_CALL = re.compile(r"\b((?:std|g2o)::(min|max))\(")


@final
@dataclass(frozen=True, slots=True)
class Replacement:
    """New text for a range of the source file."""

    begin: int
    end: int
    text: str


def kernel_text(
    lowered: LoweredKernel, printer: Printer, source: EditedText, macros: frozenset[str]
) -> Replacement:
    """The definition that stands in the place of the kernel's.

    The author's signature is kept; the launch configuration comes in front of the parameters.
    `macros` are those of the program that look like functions.
    """
    function = lowered.function
    lowered, body = with_body_text(lowered, printer, source, macros)
    open_paren = parameter_list(source.text, function)
    head = source.slice(function.span.begin, open_paren + 1)
    rest = without_warnings(lowered, own_parameters(function, source, open_paren), body, macros)
    launch = launch_parameters(lowered, body)
    separator = ", " if function.parameters else ""
    text = f"{head}{launch}{separator}{rest}{{\n{body}}}"
    return Replacement(function.span.begin, function.span.end, text)


def template_declaration(function: Function, takes_shared_bytes: bool, source: EditedText) -> str:
    """The declaration of a kernel template whose instances are defined one by one behind it."""
    open_paren = parameter_list(source.text, function)
    head = source.slice(function.span.begin, open_paren + 1)
    launch = "dim3 grid, dim3 block" + (", std::size_t shared_bytes" if takes_shared_bytes else "")
    separator = ", " if function.parameters else ""
    rest = own_parameters(function, source, open_paren).rstrip()
    return f"{head}{launch}{separator}{rest};"


def with_body_text(
    lowered: LoweredKernel, printer: Printer, source: EditedText, macros: frozenset[str]
) -> tuple[LoweredKernel, str]:
    """The kernel without types that inlining has declared and that nothing uses, and its text."""
    while True:
        body = _body_text(lowered, printer, source, macros)
        unused = _unused_aliases(lowered, body)
        if not unused:
            return lowered, body
        lowered = _without_types(lowered, unused)


def _body_text(
    lowered: LoweredKernel, printer: Printer, source: EditedText, macros: frozenset[str]
) -> str:
    """What stands between the braces, with the macros that the kernel defines."""
    body = _past_macros(printer.sequence(with_warned_operands(lowered.body)), macros)
    return _directives(source, lowered.function.body.span, body) + body


def own_parameters(function: Function, source: EditedText, open_paren: int) -> str:
    """The author's parameters, from behind the parenthesis that opens them to the body."""
    body_begin = function.body.span.begin if function.body.span else 0
    rest = _LAUNCH_PARAMETERS.sub("", source.slice(open_paren + 1, body_begin))
    if not function.parameters:
        rest = re.sub(r"^\s*void\s*\)", ")", rest)
    return rest.lstrip()


def without_warnings(
    lowered: LoweredKernel, parameters: str, body: str, macros: frozenset[str]
) -> str:
    """The author's parameters, those that the body does not name marked as `[[maybe_unused]]`;
    `macros` may drop what they are given. Variables of the body may have a parameter's name."""
    code = _without_macros(_ASSERTION.sub("", _COMMENT.sub("", body)), macros)
    nodes = (node for statement in lowered.body for node in walk(statement))
    named = {node.symbol for node in nodes if isinstance(node, VarRef)}
    hidden = {symbol.name for symbol in named - set(lowered.function.parameters)}
    for symbol in lowered.function.parameters:
        if symbol in named or not symbol.name:
            continue
        if symbol.name not in hidden and _names(code, symbol.name):
            continue
        plain = _COMMENT.sub(lambda comment: " " * len(comment[0]), parameters)
        found = re.search(rf"\b{symbol.name}\b", plain)
        if found is not None and f"[[maybe_unused]] {symbol.name}" not in parameters:
            begin = _parameter_begin(plain, found.start())
            parameters = f"{parameters[:begin]}[[maybe_unused]] {parameters[begin:]}"
    return parameters


def _names(code: str, name: str) -> bool:
    """Does the code have the name, other than as that of a member?"""
    return re.search(rf"(?<!\.)(?<!->)\b{name}\b", code) is not None


def _without_macros(code: str, macros: frozenset[str]) -> str:
    """`code` without what stands between the parentheses of macros."""
    tokens = lex(code).code
    pieces: list[str] = []
    kept = 0
    for index, token in enumerate(tokens[:-1]):
        if token.text in macros and tokens[index + 1].text == "(" and token.begin >= kept:
            closing = closing_bracket(tokens, index + 1)
            if closing is not None:
                pieces.append(code[kept : token.end])
                kept = tokens[closing].begin
    return "".join(pieces) + code[kept:]


def _parameter_begin(parameters: str, name: int) -> int:
    """Offset of the first word of the parameter whose name is at an offset."""
    depth, begin = 0, 0
    for offset in range(name - 1, -1, -1):
        character = parameters[offset]
        depth += (character in ")>]}") - (character in "(<[{")
        if character == "," and depth == 0:
            begin = offset + 1
            break
    found = _BEFORE_PARAMETER.match(parameters, begin)
    return begin if found is None else found.end()


def _directives(source: EditedText, span: SourceSpan | None, body: str) -> str:
    """The macros that the kernel defines between its statements, as far as they are still used.

    Statements bring them along where they keep the author's text; those that do not come first.
    """
    if span is None:
        return ""
    lines: list[str] = []
    for found in reversed([*_DIRECTIVE.finditer(source.text, span.begin, span.end)]):
        line = source.slice(found.start(), found.end())
        used = re.compile(rf"\b{found.group('name')}\b")
        wanted = any(map(used.search, (body, *lines, source.text[span.end :])))
        if line not in body and wanted and not _LAUNCH_NAME.search(line):
            lines.insert(0, line + "\n")
    return "".join(lines)


def _past_macros(text: str, macros: frozenset[str]) -> str:
    """`(std::min)(a, b)` where the program has a macro `min`, which `std::min(a, b)` would call."""

    def parenthesised(call: re.Match[str]) -> str:
        return f"({call.group(1)})(" if call.group(2) in macros else call.group()

    return _STANDARD_CALL.sub(parenthesised, text)


def launch_parameters(lowered: LoweredKernel, body: str) -> str:
    """`dim3 grid, dim3 block[, std::size_t shared_bytes]`.

    A name that is not used is a comment; one that only assertions use may be unused.
    """
    shown: list[str] = []
    code = _COMMENT.sub("", body)
    checked = _ASSERTION.sub("", code)
    for symbol in (lowered.grid, lowered.block, lowered.shared_bytes):
        if symbol is None:
            continue
        used = re.search(rf"\b{symbol.name}\b", code)
        name = symbol.name if used else f"/*{symbol.name}*/"
        quiet = used and not re.search(rf"\b{symbol.name}\b", checked)
        attribute = "[[maybe_unused]] " if quiet else ""
        shown.append(f"{attribute}{symbol.type.spelling} {name}")
    return ", ".join(shown)


def parameter_list(text: str, function: Function) -> int:
    """Offset of the parenthesis that opens the parameters of a function, whose name may be what a
    macro of the text stands for."""
    name, begin = function.name + function.chosen, function.name_offset
    is_spelled = text.startswith(function.name, begin)
    return text.index("(", begin + len(name) if is_spelled else begin)


def _unused_aliases(lowered: LoweredKernel, body: str) -> set[str]:
    """Names of types that inlining has declared and that the text of the body does not use."""
    words = Counter(_WORD.findall(body))
    return {
        node.names[0]
        for statement in lowered.body
        for node in walk(statement)
        if isinstance(node, DeclareTypes) and node.text and words[node.names[0]] == 1
    }


def _without_types(lowered: LoweredKernel, names: set[str]) -> LoweredKernel:
    def replacement(node: Node) -> Node | None:
        unused = isinstance(node, DeclareTypes) and node.text and names.issuperset(node.names)
        return Empty() if unused else None

    kept = (rewrite(statement, replacement) for statement in lowered.body)
    return replace(lowered, body=tuple(one for one in kept if not isinstance(one, Empty)))
