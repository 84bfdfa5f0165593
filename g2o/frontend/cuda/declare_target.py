"""Variables of the device, and functions that another file defines, are declared as such.

    __constant__ float weights[N];        #pragma omp declare target
    __device__ int hits;             ->   float weights[N];
                                          int hits;
                                          #pragma omp end declare target

Functions that kernels of the file call need no such words: compilers follow the calls of a kernel.

What is __managed__ asks for memory that host and device share, in front of everything else and in
all sources of a program: OpenMP wants them to agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from g2o.diagnostics.diagnostic import Diagnostic, error
from g2o.diagnostics.source import SourceFile, SourceSpan
from g2o.frontend.cuda.brackets import closing_bracket
from g2o.frontend.cuda.lexer import Token, TokenKind, lex, word_set
from g2o.frontend.cuda.macros import Macro, expands_to, macros
from g2o.frontend.cuda.scopes import Declaration, Scope, declarations, is_texture
from g2o.frontend.cuda.unit_facts import UnitFacts
from g2o.frontend.edits import TextEdit

_SPACES = word_set("__device__ __constant__ __managed__")
_LOCAL = word_set("static inline constexpr __forceinline__ __inline__ :: operator")
_CLASSES = word_set("struct class union enum")
_BEGIN = "#pragma omp declare target\n"
_UNIFIED = "#pragma omp requires unified_shared_memory // for variables that were __managed__\n"
_END = "\n#pragma omp end declare target"


def declare_target_edits(
    source: SourceFile, facts: UnitFacts
) -> tuple[list[TextEdit], list[Diagnostic]]:
    """Pragmas around runs of such declarations, for programs whose device has its own memory."""
    if not facts.has_device:
        return [], []
    lexed = lex(source.text)
    faults: list[Diagnostic] = []
    table = {macro.name: macro for macro in macros(lexed)}
    runs: list[tuple[int, int]] = []
    hidden = _unnamed_namespaces(lexed.code)
    edits: list[TextEdit] = []
    for declaration in declarations(lexed):
        if declaration.has_body:
            if not facts.others or not _is_for_other_files(lexed.code, declaration):
                continue
        elif not _is_on_device(lexed.code, declaration, table):
            continue
        place = lexed.code[declaration.begin]
        message = ""
        if declaration.parameters is None and declaration.is_template:
            message = "variable of the device that is a template"
        elif declaration.parameters is None and any(a <= place.begin < b for a, b in hidden):
            message = "variable of the device in an unnamed namespace"
        if message:
            faults.append(error("G2O0503", message, SourceSpan(source, place.begin, place.end)))
        edits += _names_of_types(lexed.code, declaration)
        end = _end(lexed.code, declaration)
        begin = _line_start(lexed.text, lexed.code[declaration.begin].begin)
        if runs and not lexed.text[runs[-1][1] : begin].strip():
            runs[-1] = (runs[-1][0], end)
        else:
            runs.append((begin, end))
    for begin, end in runs:
        rest = lexed.text.find("\n", end)  # a comment behind the declaration stays with it
        line_end = len(lexed.text) if rest < 0 else rest
        stands_alone = not lexed.text[lexed.text.rfind("\n", 0, begin) + 1 : begin]
        edits.append(TextEdit(begin, begin, _BEGIN if stands_alone else f"\n{_BEGIN}"))
        edits.append(TextEdit(line_end, line_end, _END))
    return edits, faults


def _names_of_types(tokens: Sequence[Token], declaration: Declaration) -> list[TextEdit]:
    """A name for the type of a variable that has none: the host does not find such variables, whose
    names other files cannot know."""
    listed = tokens[declaration.begin : declaration.end]
    braces = [at for at, token in enumerate(listed) if token.text == "{"]
    front = listed[: braces[0]] if braces else ()
    heads = [at for at, token in enumerate(front) if token.text in _CLASSES]
    if not heads:
        return []
    colons = [at for at in range(heads[-1], braces[0]) if listed[at].text == ":"]
    place = (*colons, braces[0])[0]
    if _has_name(listed[heads[-1] + 1 : place]):
        return []
    close = closing_bracket(listed, braces[0])
    behind = listed[len(listed) if close is None else close + 1 :]
    variable = next((one for one in behind if one.kind is TokenKind.IDENTIFIER), None)
    if variable is None:
        return []
    name = f"{variable.text}_type"
    while any(token.text == name for token in tokens):
        name += "_"
    begin = listed[place].begin
    return [TextEdit(begin, begin, f"{name} ")]


def _has_name(tokens: Sequence[Token]) -> bool:
    """Is there a name between the key of a class and its body, and not only attributes?"""
    at = 0
    while at < len(tokens):
        if at + 1 < len(tokens) and tokens[at + 1].text == "(":  # __align__(16)
            close = closing_bracket(tokens, at + 1)
            at = len(tokens) if close is None else close + 1
        elif tokens[at].text in _CLASSES:  # enum class
            at += 1
        else:
            return tokens[at].kind is TokenKind.IDENTIFIER
    return False


def shared_memory_edits(facts: UnitFacts) -> list[TextEdit]:
    """What a source says of a project with variables that host and device share, in front of all
    that it includes."""
    if not facts.managed or facts.is_header:
        return []
    text = f"#ifdef G2O_OFFLOAD\n{_UNIFIED}#endif\n\n" if facts.portable else f"{_UNIFIED}\n"
    return [TextEdit(0, 0, text)]


def _unnamed_namespaces(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """The ranges of them: the host does not find what is in there by its name."""
    found: list[tuple[int, int]] = []
    for index, (first, second) in enumerate(pairwise(tokens)):
        if first.text == "namespace" and second.text == "{":
            closing = closing_bracket(tokens, index + 1)
            if closing is not None:
                found.append((first.begin, tokens[closing].end))
    return found


def _is_on_device(
    tokens: Sequence[Token], declaration: Declaration, table: dict[str, Macro]
) -> bool:
    if declaration.scope is not Scope.NAMESPACE:
        return False
    end = declaration.end if declaration.parameters is None else declaration.parameters
    words: list[str] = []
    for token in tokens[declaration.begin : end]:
        if token.text in ("=", "{"):
            break
        words.append(token.text)
    return is_texture(words) or any(
        word in _SPACES
        or any(word in table and expands_to(table, word, space) for space in _SPACES)
        for word in words
    )


def _is_for_other_files(tokens: Sequence[Token], declaration: Declaration) -> bool:
    """Is it the definition of a function that only other files call?

    What kernels of this file call is on the device by itself, and so is what that calls.
    """
    if declaration.parameters is None or declaration.is_template:
        return False
    if declaration.scope is not Scope.NAMESPACE:
        return False
    words = {token.text for token in tokens[declaration.begin : declaration.parameters]}
    if words & _LOCAL or "__device__" not in words:
        return False
    name = declaration.parameters - 1
    called = (
        index
        for index, (one, after) in enumerate(pairwise(tokens))
        if one.text == tokens[name].text and after.text == "(" and index != name
    )
    return all(_is_prototype(tokens, index) for index in called)


def _is_prototype(tokens: Sequence[Token], name: int) -> bool:
    """Is it a declaration, `double f(double);`, whose function has this name?"""
    closing = closing_bracket(tokens, name + 1)
    if closing is None or closing + 1 >= len(tokens) or tokens[closing + 1].text != ";":
        return False
    before = tokens[name - 1] if name else None
    is_type = before is not None and (before.kind is TokenKind.IDENTIFIER or before.text in "*&")
    return is_type and before is not None and before.text != "return"


def _end(tokens: Sequence[Token], declaration: Declaration) -> int:
    """Behind the `;` of a declaration, whose initialiser may have braces."""
    index = declaration.end
    if tokens[index].text == "{":
        closing = closing_bracket(tokens, index)
        index = index if closing is None else closing
    return tokens[index].end


def _line_start(text: str, offset: int) -> int:
    start = text.rfind("\n", 0, offset) + 1
    return offset if text[start:offset].strip() else start
