"""CUDA's declaration specifiers go, or become what C++ has for them.

__global__ void k(float *x);          ->  void k(dim3 grid, dim3 block, float *x);
__device__ __forceinline__ int f()    ->  inline int f()
__constant__ float c[10];             ->  static float c[10];
struct __align__(16) Pair {           ->  struct alignas(16) Pair {

So does `register`, which the C++ of the output no longer has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from g2o.diagnostics.diagnostic import Diagnostic, error
from g2o.diagnostics.source import SourceFile, SourceSpan
from g2o.frontend.cuda.brackets import closing_bracket, split_at_commas
from g2o.frontend.cuda.clashes import is_for_device_alone, signature_of
from g2o.frontend.cuda.kernel_macros import declares_kernel
from g2o.frontend.cuda.lexer import LexedFile, Token, TokenKind, lex, word_set
from g2o.frontend.cuda.macros import Macro, expands_to, macros, streams
from g2o.frontend.cuda.removals import remove_statement, tidy_removal
from g2o.frontend.cuda.scopes import Declaration, Scope, declarations, is_texture
from g2o.frontend.cuda.unit_facts import UnitFacts
from g2o.frontend.edits import TextEdit

_DROPPED = word_set(
    "__global__ __device__ __host__ __noinline__ __grid_constant__ __managed__ __constant__"
)
_DROPPED_WITH_ARGUMENTS = word_set(
    "__launch_bounds__ __maxnreg__ __cluster_dims__ C10_LAUNCH_BOUNDS_0 C10_LAUNCH_BOUNDS_1 "
    "C10_LAUNCH_BOUNDS_2"  # PyTorch's, for CUDA's compiler alone
)
_INLINE = frozenset(("__forceinline__", "__inline__"))
_ALIGN = frozenset(("__align__", "__builtin_align__"))
_VARIABLE_SPACES = frozenset(("__device__", "__constant__", "__managed__"))
_ASM = frozenset(("asm", "__asm", "__asm__"))
_TAG_KEYS = frozenset(("struct", "class", "union", "enum"))
_NO_INLINE_NEEDED = frozenset(("inline", "static", "constexpr", "consteval", "friend"))
_PLAIN_SPECIFIERS = word_set(
    "void static inline extern friend template constexpr const auto __forceinline__ __inline__"
)
_NO_STATIC_NEEDED = frozenset(("static", "extern", "constexpr", "typedef", "using", "friend"))


def attribute_edits(
    source: SourceFile, facts: UnitFacts
) -> tuple[list[TextEdit], list[Diagnostic]]:
    """The edits for every CUDA specifier of the file, in code and in macro bodies."""
    lexed = lex(source.text)
    table = {macro.name: macro for macro in macros(lexed)}
    edits: list[TextEdit] = []
    leading: dict[int, str] = {}
    for declaration in declarations(lexed):
        edits.extend(_kernel_parameters(lexed.code, declaration, table, facts))
        if _is_shared_variable(lexed.code, declaration):
            end = lexed.code[declaration.end].end
            edits.append(remove_statement(lexed.text, lexed.code[declaration.begin].begin, end))
        edits.extend(_without_static(lexed, declaration, table, facts))
        word = _leading_word(lexed, declaration, table, facts)
        if word is not None:
            at = declaration.specifiers
            if word == "inline" and lexed.code[at].text == "static":
                at += 1
            if _is_dropped(lexed.code, at):
                leading[lexed.code[at].begin] = word
            else:
                edits.append(TextEdit(lexed.code[at].begin, lexed.code[at].begin, word + " "))
    diagnostics: list[Diagnostic] = []
    for stream in streams(lexed):
        dropped: list[tuple[int, int, str]] = []
        for index, token in enumerate(stream.tokens):
            if token.text in _ALIGN:
                edits.extend(_alignment(stream.tokens, index, in_macro=stream.macro is not None))
            elif _is_dropped(stream.tokens, index):
                end = _specifier_end(stream.tokens, index)
                word = leading.get(token.begin, "")
                dropped.append((token.begin, stream.tokens[end].end, word))
            elif token.text in _INLINE and not _in_attribute(stream.tokens, index):
                word = "" if _is_inline_already(stream.tokens, index) else "inline"
                dropped.append((token.begin, token.end, word))
            elif stream.macro is not None and token.text == "__shared__":
                dropped.append((token.begin, token.end, ""))
        edits.extend(_drop(lexed, dropped))
        if stream.macro is not None and declares_kernel(stream.macro):
            directive = stream.macro.directive
            span = SourceSpan(source, directive.begin, directive.end)
            if facts.is_active(directive.begin):
                message = f"the macro '{stream.macro.name}' defines a kernel"
                diagnostics.append(error("G2O0201", message, span))
    return edits, diagnostics


def _is_dropped(tokens: Sequence[Token], index: int) -> bool:
    text = tokens[index].text
    if text in _DROPPED_WITH_ARGUMENTS:
        return index + 1 < len(tokens) and tokens[index + 1].text == "("
    if text == "register":
        return not _names_a_register(tokens, index)
    return text in _DROPPED and not _in_attribute(tokens, index)


def _names_a_register(tokens: Sequence[Token], index: int) -> bool:
    """`register int sp asm("sp");` asks for one of the machine's, which is another thing."""
    for token in tokens[index:]:
        if token.text in (";", ")", "="):
            return False
        if token.text in _ASM:
            return True
    return False


def _in_attribute(tokens: Sequence[Token], index: int) -> bool:
    """Whether this is GNU's word, as in `__attribute__((__noinline__))`."""
    before = [token.text for token in tokens[max(0, index - 3) : index]]
    return before == ["__attribute__", "(", "("]


def _specifier_end(tokens: Sequence[Token], index: int) -> int:
    """Index of the last token of the specifier at `index`."""
    if tokens[index].text not in _DROPPED_WITH_ARGUMENTS:
        return index
    closing = closing_bracket(tokens, index + 1)
    return index if closing is None else closing


def _drop(lexed: LexedFile, dropped: Sequence[tuple[int, int, str]]) -> list[TextEdit]:
    """Replace each range by its word, mostly none, and tidy the white space around."""
    runs: list[tuple[int, int, list[str]]] = []
    for begin, end, word in dropped:
        words = [word] if word else []
        if runs and not lexed.text[runs[-1][1] : begin].replace("\\\n", "").strip():
            runs[-1] = (runs[-1][0], end, [w for w in runs[-1][2] if w not in words] + words)
        else:
            runs.append((begin, end, words))
    return [
        TextEdit(begin, end, " ".join(sorted(words, key=lambda word: word == "inline")))
        if words
        else _removal(lexed, begin, end)
        for begin, end, words in runs
    ]


def _removal(lexed: LexedFile, begin: int, end: int) -> TextEdit:
    """Remove specifiers; those that a kernel begins with, behind others in their line, are followed
    by what comes next: from there on the text is another one."""
    text, after = lexed.text, end
    in_directive = any(line.begin < begin < line.line_end for line in lexed.directives)
    if in_directive or not text.startswith("__global__", begin):
        return tidy_removal(text, begin, end)
    while text[after : after + 1].isspace():
        after += 1
    starts_a_line = not text[text.rfind("\n", 0, begin) + 1 : begin].strip()
    goes_on = text[after : after + 1].isalpha() or text[after : after + 1] == "_"
    if "\n" not in text[end:after] or starts_a_line or not goes_on:
        return tidy_removal(text, begin, end)
    return TextEdit(begin, after, "")


def _alignment(tokens: Sequence[Token], index: int, *, in_macro: bool) -> list[TextEdit]:
    """`alignas` where the grammar takes it, else GNU's attribute, which stands anywhere."""
    token = tokens[index]
    closing = closing_bracket(tokens, index + 1) if index + 1 < len(tokens) else None
    previous = index - 1
    while previous >= 0 and _is_dropped(tokens, previous):
        previous -= 1
    starts = previous < 0 or tokens[previous].text in (";", "{", "}", ":")
    behind = [] if closing is None else [t.text for t in tokens[closing + 1 : closing + 3]]
    if ";" in behind:
        starts = False  # `struct {...} __align__(8) Name;`
    if starts and closing is not None and _is_of_no_variable(tokens, closing + 1):
        return [TextEdit(token.begin, tokens[closing + 1].begin, "")]
    standard = not in_macro and (starts or tokens[previous].text in _TAG_KEYS)
    if standard or closing is None:
        return [TextEdit(token.begin, token.end, "alignas")]
    end = tokens[closing].end
    return [
        TextEdit(token.begin, token.end, "__attribute__((aligned"),
        TextEdit(end, end, "))"),
    ]


def _is_of_no_variable(tokens: Sequence[Token], index: int) -> bool:
    """`__align__(16) struct Name {...};`: compilers let the alignment pass, as it is none of the
    type."""
    if index >= len(tokens) or tokens[index].text not in _TAG_KEYS:
        return False
    while index < len(tokens) and tokens[index].text not in ("{", ";"):
        index += 1
    end = closing_bracket(tokens, index) if index < len(tokens) else None
    return end is not None and [token.text for token in tokens[end + 1 : end + 2]] == [";"]


def _is_inline_already(tokens: Sequence[Token], index: int) -> bool:
    """Whether `inline` or an earlier `__forceinline__` stands in the same declaration."""
    position = index - 1
    while position >= 0 and tokens[position].kind is TokenKind.IDENTIFIER:
        if tokens[position].text == "inline" or tokens[position].text in _INLINE:
            return True
        position -= 1
    position = index + 1
    while position < len(tokens) and tokens[position].kind is TokenKind.IDENTIFIER:
        if tokens[position].text == "inline":
            return True
        position += 1
    return False


def words_in_front(tokens: Sequence[Token], declaration: Declaration) -> set[str]:
    """The words in front of what is declared: specifiers and type."""
    end = declaration.end if declaration.parameters is None else declaration.parameters
    words: set[str] = set()
    for token in tokens[declaration.specifiers : end]:
        if token.text in ("=", "{"):
            break
        words.add(token.text)
    return words


def _has(words: set[str], word: str, table: Mapping[str, Macro]) -> bool:
    return word in words or any(expands_to(table, name, word) for name in words if name in table)


def _is_of_device(words: set[str], table: Mapping[str, Macro], facts: UnitFacts) -> bool:
    """Is it a variable that lives in the memory of the device, as textures do where it has some?"""
    if facts.has_device and is_texture(words):
        return True
    return any(_has(words, word, table) for word in _VARIABLE_SPACES)


def _leading_word(
    lexed: LexedFile, declaration: Declaration, table: Mapping[str, Macro], facts: UnitFacts
) -> str | None:
    """`static` for a device variable and for a device function that another source defines too,
    `inline` for a device function or a kernel in a header. What has a device's memory to live in
    cannot be `static`: the host would not find it there."""
    if _is_defined_twice(lexed.code, declaration, facts):
        return "static"
    if declaration.scope is not Scope.NAMESPACE:
        return None
    words = words_in_front(lexed.code, declaration)
    if _is_of_each_source(lexed, declaration, facts):
        inline = any(_has(words, word, table) for word in ("inline", *_INLINE))
        needs_none = inline or declaration.is_template or not words.isdisjoint(facts.inline_macros)
        return "static" if needs_none else "static inline"
    if declaration.is_template:
        return None
    if declaration.parameters is not None:
        on_device = _has(words, "__device__", table) and not _has(words, "__host__", table)
        wanted = facts.is_header and declaration.has_body and words.isdisjoint(facts.inline_macros)
        if not wanted or not (on_device or _has(words, "__global__", table)):
            return None
        present = (_NO_INLINE_NEEDED | _INLINE) - {"static"}  # unused ones would be warned of
        return None if any(_has(words, word, table) for word in present) else "inline"
    if not _is_of_device(words, table, facts):
        return None
    if not words.isdisjoint(_NO_STATIC_NEEDED) or "::" in words:
        return None
    if facts.has_device:
        return "inline" if facts.is_header else None
    if lexed.code[declaration.specifiers - 1].kind is TokenKind.STRING and declaration.specifiers:
        return None
    names = variable_names(lexed.code, declaration)
    others = extern_variables(lexed) | facts.extern_variables
    if not names.isdisjoint(others):
        return None
    said = Counter(token.text for token in lexed.code if token.text in names)
    needs_none = "const" in words or all(said[one] > 1 for one in names)
    return "static" if needs_none else "[[maybe_unused]] static"


def _without_static(
    lexed: LexedFile, declaration: Declaration, table: Mapping[str, Macro], facts: UnitFacts
) -> list[TextEdit]:
    """`static` leaves a variable that lives in the memory of a device."""
    if not facts.has_device or declaration.scope is not Scope.NAMESPACE:
        return []
    words = words_in_front(lexed.code, declaration)
    is_function = declaration.parameters is not None and not is_texture(words)
    if is_function or declaration.is_template:
        return []
    if "constexpr" in words or not _is_of_device(words, table, facts):
        return []
    tokens = lexed.code[declaration.specifiers : declaration.end]
    found = next((token for token in tokens if token.text == "static"), None)
    if found is None:
        return []
    if facts.is_header:
        return [TextEdit(found.begin, found.end, "inline")]
    return [tidy_removal(lexed.text, found.begin, found.end)]


def _is_defined_twice(tokens: Sequence[Token], declaration: Declaration, facts: UnitFacts) -> bool:
    if not facts.clashing or not is_for_device_alone(tokens, declaration):
        return False
    return signature_of(tokens, declaration) in facts.clashing and not any(
        token.text == "static" for token in tokens[declaration.specifiers : declaration.parameters]
    )


def _is_of_each_source(lexed: LexedFile, declaration: Declaration, facts: UnitFacts) -> bool:
    """Whether every source needs this function for itself, since it uses the source's variables."""
    name = declaration.name_index(lexed.code)
    if name is None or lexed.code[name].text not in facts.of_each_source:
        return False
    words = {token.text for token in lexed.code[declaration.specifiers : name]}
    before = lexed.code[declaration.specifiers - 1]
    is_specialised = before.text == ">" and not declaration.is_template  # as linked as its template
    is_c = declaration.specifiers > 0 and before.kind is TokenKind.STRING
    if is_specialised or is_c or lexed.code[name - 1].text == "::":
        return False
    return words.isdisjoint(("__global__", "static"))


def _is_shared_variable(tokens: Sequence[Token], declaration: Declaration) -> bool:
    """Whether this is `__shared__` memory outside of kernels, which those declare themselves."""
    return (
        declaration.scope is Scope.NAMESPACE
        and declaration.parameters is None
        and not declaration.has_body
        and "__shared__" in words_in_front(tokens, declaration)
    )


def extern_variables(lexed: LexedFile) -> frozenset[str]:
    """The variables that the file declares `extern`, for other files to see."""
    return frozenset(
        name
        for declaration in declarations(lexed)
        if declaration.parameters is None and declaration.specifiers < declaration.end
        if lexed.code[declaration.specifiers].text == "extern"
        for name in variable_names(lexed.code, declaration)
    )


def variable_names(tokens: Sequence[Token], declaration: Declaration) -> set[str]:
    """What a declaration of variables declares."""
    names: set[str] = set()
    for begin, end in split_at_commas(tokens, declaration.specifiers, declaration.end):
        stop = begin
        while stop < end and tokens[stop].text not in ("[", "=", "{"):
            stop += 1
        if "(" in [token.text for token in tokens[begin:stop]]:
            continue  # `float (*f)(float)`: nobody declares that twice
        if stop > begin and tokens[stop - 1].kind is TokenKind.IDENTIFIER:
            names.add(tokens[stop - 1].text)
    return names


def _kernel_parameters(
    tokens: Sequence[Token],
    declaration: Declaration,
    table: Mapping[str, Macro],
    facts: UnitFacts,
) -> list[TextEdit]:
    """The launch's sizes as first parameters of a kernel that is declared or defined here."""
    if declaration.parameters is None:
        return []
    name = declaration.name_index(tokens)
    words = words_in_front(tokens, declaration)
    if name is None or not _is_kernel(words, tokens[name].text, table, facts):
        return []
    opening = tokens[declaration.parameters]
    closing = closing_bracket(tokens, declaration.parameters)
    if closing is None:
        return []
    inside = [token.text for token in tokens[declaration.parameters + 1 : closing]]
    fact = facts.kernels.get(tokens[name].text)
    sizes = [("dim3", "grid"), ("dim3", "block")]
    if fact is not None and fact.takes_shared_bytes:
        sizes.append(("std::size_t", "shared_bytes"))
    clash = any(word in inside for _, word in sizes)
    text = ", ".join(type_ if clash else f"{type_} {word}" for type_, word in sizes)
    if inside in ([], ["void"]):
        return [TextEdit(opening.end, tokens[closing].begin, text)]
    return [TextEdit(opening.end, opening.end, text + ", ")]


def _is_kernel(words: set[str], name: str, table: Mapping[str, Macro], facts: UnitFacts) -> bool:
    """Whether a function is declared `__global__`, perhaps by a macro of another file."""
    if "void" not in words:
        return "auto" in words and "__global__" in words
    if _has(words, "__global__", table):
        return True
    unexplained = {
        word
        for word in words - _PLAIN_SPECIFIERS - {name}
        if word.isidentifier() and word not in table and word not in _DROPPED
    }
    return name in facts.kernels and bool(unexplained)
