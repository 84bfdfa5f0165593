"""CUDA's identifiers take their new names wherever they are spelled; those without one are faults.

CHECK(cudaMalloc(&p, n));                  ->  CHECK(g2o::malloc(&p, n));
#define SYNC cudaDeviceSynchronize()       ->  #define SYNC g2o::device_synchronize()
cudaMemcpyKind::cudaMemcpyHostToDevice     ->  g2o::MemcpyKind::MemcpyHostToDevice
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from g2o.diagnostics.diagnostic import Diagnostic, Note, error
from g2o.diagnostics.source import SourceFile, SourceSpan
from g2o.frontend.cuda.api import (
    DEVICE_TYPES,
    DROPPED_MACROS,
    emitted_name,
    starts_library_name,
    unsupported_reason,
)
from g2o.frontend.cuda.lexer import LexedFile, Token, TokenKind, lex, word_set
from g2o.frontend.cuda.libraries import library_of_name, library_of_namespace
from g2o.frontend.cuda.locals_text import declares
from g2o.frontend.cuda.macros import TokenStream, macros, streams
from g2o.frontend.cuda.named_symbols import named_symbol_edits
from g2o.frontend.cuda.ptx import ASM, assembly_expansions, translated_assembly
from g2o.frontend.cuda.removals import remove_statement, tidy_removal
from g2o.frontend.cuda.unit_facts import UnitFacts
from g2o.frontend.edits import TextEdit

_ONLY_CUDAS = re.compile(
    r"(make_)?cuda[A-Z]\w*|CUDA\w+|(make_)?cu[A-Z]\w*|CU[A-Za-z_]\w*|cu(rand|fft|blas|sparse|solver)\w*|(nvtx|NVTX_)\w+|atomic[A-Z]\w*|__\w+"
)
_RUNTIME_API = re.compile(r"(make_)?cuda[A-Z]\w*|CUDA(RT)?_\w+|__nv_\w+")
_PTX = re.compile(r"[a-z][a-z0-9]*(\.[a-z0-9:]+)+[\s;]|(^|[;{}\s\"])(trap|exit|brkpt)\s*;")
_CALLED = re.compile(r"\b__\w+|\b[a-z]\w*(?=\()")
_NO_NAMES = (".", "->", "::", "##")
_GROUPS = "cooperative_groups"
_NO_DECLARATORS = word_set(
    "return case else do throw sizeof const volatile static inline extern constexpr typedef new "
    "typename using operator mutable friend register thread_local __device__ __host__ __global__ "
    "__forceinline__ __shared__ __constant__ __restrict__ explicit public private delete"
)


def rename_edits(source: SourceFile, facts: UnitFacts) -> tuple[list[TextEdit], list[Diagnostic]]:
    """The renames of the whole file, and an error for each kind of CUDA that has no counterpart."""
    lexed = lex(source.text)
    own = (macro.name for macro in macros(lexed) if emitted_name(macro.name) is None)
    declared = facts.user_declared | set(own)
    declared |= _types_declared_here(lexed)
    edits: list[TextEdit] = []
    for stream in streams(lexed):
        for index, token in enumerate(stream.tokens):
            if token.kind is TokenKind.IDENTIFIER:
                name = _new_name(stream, index, facts, declared)
                if name == "":
                    edits.append(tidy_removal(lexed.text, token.begin, token.end))
                elif name is not None and name != token.text:
                    name = _shielded(name, stream.tokens, index, facts)
                    edits.append(TextEdit(token.begin, token.end, name))
    edits.extend(_group_declarations(lexed))
    edits.extend(named_symbol_edits(lexed))
    edits = _with_assembly(lexed, edits)
    return edits, list(_faults(source, facts, declared))


def arguments_in_translation(arguments: str, source: str) -> str:
    """Template arguments for what a source declares, `__half, 4`, as its translation says them."""
    lexed = lex(arguments)
    declared = _types_declared_here(lex(source))
    pieces: list[str] = []
    position = 0
    for index, token in enumerate(lexed.code):
        known = token.text in DEVICE_TYPES or is_only_cudas(token.text)
        if not known or token.text in declared or not _is_free(lexed.code, index):
            continue
        pieces += (arguments[position : token.begin], emitted_name(token.text) or token.text)
        position = token.end
    return "".join((*pieces, arguments[position:]))


def _with_assembly(lexed: LexedFile, edits: list[TextEdit]) -> list[TextEdit]:
    """The edits, with those of assembly that has a form in C++ in place of others there."""
    found = assembly_expansions(lexed, [(0, len(lexed.text))])
    if not found:
        return edits
    kept = [e for e in edits if not any(begin <= e.begin < end for begin, end, _ in found)]
    return kept + [
        TextEdit(begin, end, _CALLED.sub(lambda m: emitted_name(m.group()) or m.group(), code))
        for begin, end, code in found
    ]


def _shielded(name: str, tokens: Sequence[Token], index: int, facts: UnitFacts) -> str:
    """`(g2o::malloc)`, where it is called and the program has a macro `malloc(size)`."""
    is_called = index + 1 < len(tokens) and tokens[index + 1].text == "("
    is_macro = name.rsplit("::", 1)[-1] in facts.function_macros
    return f"({name})" if is_called and is_macro else name


def _new_name(
    stream: TokenStream, index: int, facts: UnitFacts, declared: frozenset[str]
) -> str | None:
    tokens = stream.tokens
    token = tokens[index]
    known = facts.semantic_renames.get(token.begin)
    if known is not None:
        return known
    if token.text in DROPPED_MACROS and token.text not in declared:
        return ""  # macros know no scopes: `void Timer::CUDART_CB stop(...)`
    if token.text in declared or _is_parameter(stream, token.text):
        return None
    if _begins_name(tokens, index):
        return f"g2o::{token.text}"
    if not _is_free(tokens, index) or _is_alias(tokens, index):
        return None
    if _is_texture_reference(tokens, index):
        return "g2o::texture"
    name = emitted_name(token.text)
    if name is None or name == token.text:
        return None
    if (
        not is_only_cudas(token.text)
        and token.text not in DEVICE_TYPES
        and not _is_macro_call(stream, index)
    ):
        return None
    qualifier = _qualifier(tokens, index)
    if qualifier is None:
        return name
    # An enumerator behind its type, which is renamed by itself.
    behind_type = emitted_name(qualifier) is not None and qualifier not in declared
    return name.rsplit("::", 1)[-1] if behind_type else None


def _is_parameter(stream: TokenStream, name: str) -> bool:
    """Does a macro call an argument of its own so?"""
    return stream.macro is not None and name in (stream.macro.parameters or ())


def _types_declared_here(lexed: LexedFile) -> frozenset[str]:
    """The types of CUDA whose ordinary names, such as `half`, the file gives to something else.

    Names such as `__half` are not the program's to give, but in a branch for another compiler.
    Elsewhere only what the compiler resolved is renamed: its tree lacks some places in templates.
    """
    return frozenset(
        token.text
        for stream in streams(lexed)
        for index, token in enumerate(stream.tokens)
        if token.text in DEVICE_TYPES
        and not token.text.startswith("__")
        and _may_declare(stream.tokens, index)
    )


def _is_alias(tokens: Sequence[Token], index: int) -> bool:
    """Is a type of CUDA what `typedef float __half;` declares, for a compiler that has none?"""
    if tokens[index].text not in DEVICE_TYPES or index + 1 == len(tokens):
        return False
    if tokens[index + 1].text != ";":
        return False
    first = index
    while first and tokens[first - 1].text not in (";", "{", "}"):
        first -= 1
    return tokens[first].text == "typedef"


def _may_declare(tokens: Sequence[Token], index: int) -> bool:
    before = tokens[index - 1].text if index else ""
    after = tokens[index + 1].text if index + 1 < len(tokens) else ""
    if after == "=" or before in (">", "::"):
        return True
    if before == "}":
        return after == ";"
    is_word = before.isidentifier() and before not in _NO_DECLARATORS
    return is_word or (before in ("*", "&") and after in (")", ",", ";", "["))


def _is_texture_reference(tokens: Sequence[Token], index: int) -> bool:
    """Whether this is the template of `texture<float, 2> t;`, if nobody else has declared one."""
    return (
        tokens[index].text == "texture"
        and index + 1 < len(tokens)
        and tokens[index + 1].text == "<"
        and _qualifier(tokens, index) is None
    )


def is_only_cudas(name: str) -> bool:
    """Whether a name of CUDA can be told by its spelling: `cudaMalloc` can, `min` cannot."""
    return _ONLY_CUDAS.fullmatch(name) is not None


@lru_cache(maxsize=4096)
def _reason(name: str) -> str | None:
    """Why a name that looks like CUDA's is not translated."""
    return None if emitted_name(name) is not None else unsupported_reason(name)


def _is_free(tokens: Sequence[Token], index: int) -> bool:
    """Whether the identifier is no member of an object and no part of a pasted one."""
    before = tokens[index - 1].text if index else ""
    after = tokens[index + 1].text if index + 1 < len(tokens) else ""
    return before not in (".", "->", "##") and after != "##"


def _begins_name(tokens: Sequence[Token], index: int) -> bool:
    """Does a name of a library begin here that a macro puts together: `cublas##T##gemm`?"""
    after = tokens[index + 1].text if index + 1 < len(tokens) else ""
    before = tokens[index - 1].text if index else ""
    return after == "##" and before not in _NO_NAMES and starts_library_name(tokens[index].text)


def _qualifier(tokens: Sequence[Token], index: int) -> str | None:
    """`a` of `a::b`; None for `b` and `::b`."""
    if index < 2 or tokens[index - 1].text != "::":
        return None
    before = tokens[index - 2]
    if before.kind is TokenKind.IDENTIFIER and before.text not in ("return", "else", "case"):
        return before.text
    return before.text if before.text == ">" else None


def _is_macro_call(stream: TokenStream, index: int) -> bool:
    """Whether a name that is not CUDA's alone (`min`) is called in a macro's body."""
    tokens = stream.tokens
    return (
        stream.macro is not None
        and index + 1 < len(tokens)
        and tokens[index + 1].text == "("
        and (index == 0 or tokens[index - 1].kind is not TokenKind.IDENTIFIER)
    )


def _group_declarations(lexed: LexedFile) -> list[TextEdit]:
    """`namespace cg = cooperative_groups;` and using-declarations of it go with their lines."""
    tokens = lexed.code
    aliases = {_GROUPS}
    edits: list[TextEdit] = []
    for index, token in enumerate(tokens):
        if token.text not in ("namespace", "using"):
            continue
        if index and tokens[index - 1].text == "using":
            continue
        end = index
        while end < len(tokens) and tokens[end].text not in (";", "{"):
            end += 1
        words = [part.text for part in tokens[index:end]]
        if end == len(tokens) or tokens[end].text != ";" or aliases.isdisjoint(words[1:]):
            continue
        if words[0] == "namespace":
            aliases.add(words[1])
        edits.append(remove_statement(lexed.text, token.begin, tokens[end].end))
    return edits


def _faults(source: SourceFile, facts: UnitFacts, declared: frozenset[str]) -> Iterator[Diagnostic]:
    """One error for each name that has no counterpart, at its first use in active code."""
    found: dict[tuple[str, int], tuple[Diagnostic, int]] = {}
    lexed = lex(source.text)
    declared = declared | _declared_here(lexed)
    for stream in streams(lexed):
        for index, token in enumerate(stream.tokens):
            if token.kind is not TokenKind.IDENTIFIER or not facts.is_active(token.begin):
                continue
            if _is_parameter(stream, token.text):
                continue
            fault = _fault(source, stream, index, facts, declared)
            if fault is None:
                continue
            key = (fault.message, token.begin if fault.code == "G2O0202" else 0)
            first, uses = found.get(key, (fault, 0))
            found[key] = (first, uses + 1)
    for fault, uses in found.values():
        if uses > 1:
            more = Note(f"and {uses - 1} more use{'s' if uses > 2 else ''} in this file")
            yield error(fault.code, fault.message, fault.span, *fault.notes, more)
        else:
            yield fault


def _declared_here(lexed: LexedFile) -> frozenset[str]:
    """Names that look like CUDA's and that the file itself declares, at any scope."""
    return frozenset(
        token.text
        for stream in streams(lexed)
        for index, token in enumerate(stream.tokens)
        if token.kind is TokenKind.IDENTIFIER
        and _reason(token.text) is not None
        and declares(stream.tokens, index)
    )


def _fault(
    source: SourceFile,
    stream: TokenStream,
    index: int,
    facts: UnitFacts,
    declared: frozenset[str],
) -> Diagnostic | None:
    tokens = stream.tokens
    token = tokens[index]
    span = SourceSpan(source, token.begin, token.end)
    after = tokens[index + 1].text if index + 1 < len(tokens) else ""
    if token.text in ASM:
        return _assembly(source, tokens, index)
    if token.text in declared or token.begin in facts.semantic_renames:
        return None
    if after == "##" and _RUNTIME_API.match(token.text + "X"):
        message = f"'{token.text}' is put together from parts by a macro"
        return error("G2O0201", message, span, Note("spell the name of the CUDA function out"))
    if not _is_free(tokens, index) or _qualifier(tokens, index) is not None:
        return None
    library = library_of_name(token.text)
    if emitted_name(token.text) is not None:
        return library.device_fault(span) if library is not None and facts.has_device else None
    if after == "::" or (index and tokens[index - 1].text == "namespace"):
        named = library_of_namespace(token.text)
        return None if named is None else named.fault(span)
    if token.text == "surface" and after == "<":
        message = "surface references are not translated"
        return error("G2O0209", message, span, Note("use a pointer to linear memory"))
    if library is not None:
        return library.fault(span, token.text)
    reason = _reason(token.text)
    if reason is None:
        return None
    code = "G2O0211" if _RUNTIME_API.fullmatch(token.text) else "G2O0201"
    return error(code, f"'{token.text}' has no translation", span, Note(reason))


def _assembly(source: SourceFile, tokens: Sequence[Token], index: int) -> Diagnostic | None:
    """Inline assembly in PTX; the host's own is no concern."""
    position = index + 1
    while position < len(tokens) and tokens[position].text in ("volatile", "__volatile__", "goto"):
        position += 1
    if position >= len(tokens) or tokens[position].text != "(":
        return None
    code = ""
    last = position
    while last + 1 < len(tokens) and tokens[last + 1].kind is TokenKind.STRING:
        last += 1
        code += tokens[last].text.strip('"').replace("\\n", "\n").replace("\\t", " ")
    if not _PTX.search(code) or translated_assembly(source.text, tokens, index) is not None:
        return None
    span = SourceSpan(source, tokens[index].begin, tokens[last].end)
    return error("G2O0202", "inline PTX assembly", span)
