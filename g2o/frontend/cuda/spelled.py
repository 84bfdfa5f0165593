"""Names of CUDA that a text spells where no compiler's tree helps: finished translations, headers.

Only names that no program can have declared for itself count; comments and strings do not.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import Final

from g2o.diagnostics.diagnostic import Diagnostic, error
from g2o.diagnostics.source import SourceFile, SourceSpan
from g2o.frontend.cuda.api import (
    DEVICE_FUNCTIONS,
    DEVICE_TYPES,
    INCLUDE_GUARDS,
    LOWERED_NAMES,
    PREDEFINED_MACROS,
    REPLACED_INCLUDES,
    emitted_name,
)
from g2o.frontend.cuda.lexer import Directive, LexedFile, Token, TokenKind, lex
from g2o.frontend.cuda.libraries import provided_header
from g2o.frontend.cuda.torch_names import spells_torch_devices

_SPECIFIERS: Final = frozenset(
    (
        "__constant__",
        "__device__",
        "__global__",
        "__host__",
        "__launch_bounds__",
        "__managed__",
        "__shared__",
        "__syncthreads",
        "__syncwarp",
        "<<<",
    )
)
_INDICES: Final = frozenset(("threadIdx", "blockIdx"))
_SPACES: Final = frozenset(("cooperative_groups", "cg"))
"""The namespace that has no counterpart, and the name that everybody gives it."""
_CUDA_PREFIXES: Final = ("__", "cu", "CU", "make_cu", "atomic", "nvtx", "NVTX_")
_MEMBER_ACCESS: Final = frozenset(("::", ".", "->"))
_NOT_TYPES: Final = frozenset(
    (
        *("return", "case", "else", "do", "throw", "co_return"),
        *("typedef", "const", "static", "extern", "inline", "constexpr", "volatile"),
    )
)
_COMPILER_MACROS: Final = frozenset((*PREDEFINED_MACROS, "__CUDA_ARCH__", *INCLUDE_GUARDS))
_PLAIN_FUNCTIONS: Final = frozenset(
    name for name in DEVICE_FUNCTIONS if not name.startswith(_CUDA_PREFIXES)
) - {"norm", "sincos", "exp10"}  # which others have, too
_VECTOR: Final = re.compile(r"(?:u?(?:char|short|int|long|longlong)|float|double)[1-4]|dim3")
_STD: Final = re.compile(r"\busing\s+(?:namespace\s+std\b|std\s*::\s*(?:min|max)\b)")
_HINT: Final = re.compile(
    r"<<<|\b(?:__[a-z]|__CUDA|__NVCC|cuda|hip/|thrust/|cub/|cooperative_|cg|nvtx|NVTX_|atomic"
    r"|cu(?:rand|blas|fft|sparse|solver|[A-Z])|CU|make_cu|threadIdx|blockIdx|half|nv_)"
    rf"|\b(?:{'|'.join(sorted(INCLUDE_GUARDS))})\b"
    rf"|^[ \t]*#[ \t]*include[ \t]*[<\"](?:{'|'.join(map(re.escape, sorted(REPLACED_INCLUDES)))})"
    rf"|\b(?:{'|'.join(sorted(_PLAIN_FUNCTIONS))})\s*\(",
    re.MULTILINE,
)
_BEFORE_TYPES: Final = frozenset(
    (
        "",
        ";",
        "{",
        "}",
        "(",
        ",",
        "<",
        "const",
        "typedef",
        "inline",
        "static",
        "constexpr",
        "extern",
    )
)
_BEHIND_TYPES: Final = frozenset((">", ",", "*", "&", "const"))
_CONDITIONS: Final = frozenset(("if", "ifdef", "ifndef"))
_BRANCHES: Final = frozenset(("else", "elif", "elifdef", "elifndef"))


def spelled_cuda(text: str) -> Iterator[Token]:
    """Every token of Latin-1 `text` that is a name of CUDA."""
    lexed = lex(text)
    own = {
        line.tokens[0].text for line in lexed.directives if line.name == "define" and line.tokens
    }
    found: list[Token] = []
    bodies = (line.tokens[line.name == "define" :] for line in lexed.directives)
    own.update(_aliases(lexed.code))
    asked = {id(t) for line in lexed.directives if line.name in ("if", "elif") for t in line.tokens}
    for tokens in chain((lexed.code,), bodies):
        for before, token, after in zip((None, *tokens), tokens, (*tokens[1:], None), strict=False):
            if before is not None and before.text in _MEMBER_ACCESS:
                continue
            if token.text in _SPECIFIERS:
                found.append(token)
            elif before is not None and _declares(before):
                own.add(token.text)
            elif _is_cuda(token, after) and not (id(token) in asked and _is_no_macro(token)):
                found.append(token)
    yield from (token for token in found if token.text not in own)


def cuda_left_in(code: str, shown_as: str, own: Collection[str] = ()) -> tuple[Diagnostic, ...]:
    """An error for each name of CUDA, at its first place, in the Latin-1 text of a translation, but
    for names that are the program's `own`, too, which one of its headers declares.

    Every stage refuses what it cannot translate, so nothing should ever be found. Should a stage
    have missed something, the translation fails instead of handing out a file that is half CUDA.
    """
    file = SourceFile(shown_as, code)
    places: dict[str, Token] = {}
    for token in spelled_cuda(code):
        if token.text not in own:
            places.setdefault(token.text, token)
    return tuple(
        error(
            "G2O0215",
            f"'{name}' is left in the translation: this is a bug in g2o",
            SourceSpan(file, token.begin, token.end),
        )
        for name, token in places.items()
    )


def _aliases(tokens: Sequence[Token]) -> Iterator[str]:
    """What `typedef struct CUstream_st *CUstream;` declares, the last name of it."""
    in_alias = False
    for token, after in zip(tokens, tokens[1:], strict=False):
        in_alias = in_alias or token.text == "typedef"
        if in_alias and after.text == ";" and token.kind is TokenKind.IDENTIFIER:
            yield token.text
        in_alias = in_alias and after.text != ";"


def _is_cuda(token: Token, after: Token | None) -> bool:
    if token.text in _INDICES:
        return after is not None and after.text == "."
    if token.text in _SPACES:
        return after is not None and after.text == "::"
    return token.text.startswith(_CUDA_PREFIXES) and emitted_name(token.text) is not None


def _is_no_macro(token: Token) -> bool:
    """Whether conditions take the name for 0, before and after: `#if TYPE == CUDA_R_16F`."""
    return "::" in (emitted_name(token.text) or "")


def _declares(before: Token) -> bool:
    """Whether what stands behind `before` is being declared, as in `dim3 threadIdx`."""
    return before.kind is TokenKind.IDENTIFIER and before.text not in _NOT_TYPES


def needs_cuda(text: str) -> bool:
    """Whether a header with this text means nothing to a compiler without CUDA.

    Macros under `#ifdef __CUDACC__` and the like are not read: their author has seen to it, but for
    those that other compilers do not get. Nor are macros that only kernels can use, `#define X
    (blockIdx.x * 32)`: those expand them. Code there is the program's, and so are CUDA's types only
    where other compilers are not told what they are.
    """
    if spells_torch_devices(text):
        return True
    if _HINT.search(text) is None:
        return False
    lexed = lex(text)
    if _declares_types_for_others(lexed):
        return True
    hidden = _without_own_macros(lexed, _only_for_nvcc(lexed))
    lines = [(line.begin, line.line_end) for line in lexed.directives]
    places = [
        token.begin
        for token in spelled_cuda(text)
        if token.text not in LOWERED_NAMES
        or not any(begin <= token.begin < end for begin, end in lines)
    ]
    places += [line.begin for line in lexed.directives if _includes_cuda(lexed, line)]
    places += [token.begin for token in _plain_types(lexed)]
    places += [token.begin for token in _plain_calls(lexed)]
    return any(not any(begin <= at < end for begin, end in hidden) for at in places)


def _plain_types(lexed: LexedFile) -> Iterator[Token]:
    """Types of CUDA with ordinary names, such as `half`, where nothing but a type can stand and the
    file has no such name of its own."""
    texts = ("", *(token.text for token in lexed.code), "")
    places = [
        (before, token, after)
        for before, token, after in zip(texts, lexed.code, texts[2:], strict=False)
        if token.text in DEVICE_TYPES
    ]
    own = {token.text for before, token, after in places if _is_own_name(before, after)}
    for before, token, after in places:
        if token.text in own or before not in _BEFORE_TYPES:
            continue
        if after in _BEHIND_TYPES or after[:1].isalpha():
            yield token


def _plain_calls(lexed: LexedFile) -> Iterator[Token]:
    """Calls of functions that CUDA declares for everybody, such as `max`, also in macros, where the
    file has no such name of its own."""
    if _STD.search(lexed.text) is not None:
        return
    directives = (line.tokens for line in lexed.directives)
    own = {
        line.tokens[0].text for line in lexed.directives if line.name == "define" and line.tokens
    }
    found: list[Token] = []
    for tokens in chain((lexed.code,), directives):
        for before, token, after in zip((None, *tokens), tokens, tokens[1:], strict=False):
            if token.text not in _PLAIN_FUNCTIONS or after.text != "(":
                continue
            if before is not None and _declares(before):
                own.add(token.text)
            elif before is None or before.text not in (*_MEMBER_ACCESS, "&", "*"):
                found.append(token)
    yield from (token for token in found if token.text not in own)


def _is_own_name(before: str, after: str) -> bool:
    """Whether a name between these is no type, or a type that is declared there."""
    if before in ("}", "::"):
        return after == ";" or before == "::"
    is_word = before.isidentifier() and before not in _NOT_TYPES
    return (is_word and before not in _BEFORE_TYPES) or after == "="


def _includes_cuda(lexed: LexedFile, line: Directive) -> bool:
    """HIP's headers stand in the branch for other compilers than nvcc, where CUDA's do for it."""
    if line.name != "include":
        return False
    header = lexed.text[line.argument_begin + 1 : line.end - 1]
    known = header in REPLACED_INCLUDES or provided_header(header) is not None
    return known or header.startswith("hip/")


def _only_for_nvcc(lexed: LexedFile) -> list[tuple[int, int]]:
    """The directives that only a compiler of CUDA reads, and the conditions themselves."""
    conditions = [line for line in lexed.directives if line.name in _CONDITIONS]
    ranges = [(begin, end) for asked, begin, end in _branches(lexed) if asked]
    inside = [line for line in lexed.directives if any(b <= line.begin < e for b, e in ranges)]
    return [(line.begin, line.line_end) for line in (*conditions, *inside)]


def _declares_types_for_others(lexed: LexedFile) -> bool:
    """Whether compilers that are not nvcc get another `float4` than the runtime header's."""
    ranges = [(begin, end) for asked, begin, end in _branches(lexed) if asked is False]
    return any(
        begin <= token.begin < end and _VECTOR.fullmatch(token.text)
        for begin, end in ranges
        for token in lexed.code
    )


def _branches(lexed: LexedFile) -> Iterator[tuple[bool | None, int, int]]:
    """The branches of all conditions: True for nvcc's, False for those of the other compilers, None
    for those that ask for neither; where they begin and end."""
    branches: list[tuple[bool | None, int]] = []  # who is asked for, and where the branch begins
    for line in lexed.directives:
        if line.name in _CONDITIONS:
            branches.append((_asks_for_nvcc(line), line.line_end))
        elif line.name in (*_BRANCHES, "endif") and branches:
            asked, begin = branches.pop()
            yield asked, begin, line.begin
            if line.name != "endif":
                branches.append((None if asked is None else not asked, line.line_end))


def _without_own_macros(lexed: LexedFile, ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """`ranges` without the definitions of macros that are only defined inside them."""
    defines = [line for line in lexed.directives if line.name == "define" and line.tokens]
    inside = [line for line in defines if any(b <= line.begin < e for b, e in ranges)]
    outside = {line.tokens[0].text for line in defines if line not in inside}
    own = [line for line in inside if line.tokens[0].text not in outside]
    left: list[tuple[int, int]] = []
    for begin, end in ranges:
        for line in own:
            if begin <= line.begin < end:
                left.append((begin, line.begin))
                begin = line.line_end
        left.append((begin, end))
    return left


def _asks_for_nvcc(line: Directive) -> bool | None:
    """True: the branch is nvcc's; False: it is the other compilers'; None: neither."""
    words = [token.text for token in line.tokens]
    if _COMPILER_MACROS.isdisjoint(words):
        return None
    if "||" in words:
        return None
    return line.name != "ifndef" and "!" not in words
