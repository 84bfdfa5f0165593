"""Launches become calls.

    k<<<g, b>>>(x)              ->  k(g, b, x)
    k<T><<<g, b, n, s>>>(x)     ->  k<T>(g, b, n, x)     n only when k takes shared bytes
    fp<<<g, b, n>>>(x)          ->  g2o::launch(fp, g, b, n, x)

The stream goes: everything runs in order. In programs that capture streams into graphs it stays,
and takes the launch where it is captured:

    k<<<g, b, 0, s>>>(x)        ->  g2o::enqueue(s, k, g, b, x)
    k<8><<<g, b, 0, s>>>(x)     ->  g2o::enqueue(s, [](auto... given) { k<8>(given...); }, g, b, x)

Were it an expression with an effect, the effect is kept as the left side of a comma in front of
the block's size. What no device can launch fails as it has to:

    k<<<1, 2048>>>(x)           ->  g2o::launch(k, 1, 2048, 0, x)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import final

from g2o.diagnostics.diagnostic import Diagnostic, error
from g2o.diagnostics.source import SourceFile, SourceSpan
from g2o.frontend.cuda.brackets import opening_angle, split_at_commas
from g2o.frontend.cuda.constant_values import integer_constants
from g2o.frontend.cuda.device_launches import device_launches
from g2o.frontend.cuda.launch_dimensions import DimensionReader
from g2o.frontend.cuda.launch_sizes import Sizes, hides_sizes, stands_for_both
from g2o.frontend.cuda.launch_syntax import Launch, parse_launches
from g2o.frontend.cuda.launch_targets import launched_names
from g2o.frontend.cuda.lexer import LexedFile, Token, TokenKind, lex, word_set
from g2o.frontend.cuda.macros import macros
from g2o.frontend.cuda.unit_facts import KernelFact, UnitFacts
from g2o.frontend.edits import TextEdit

_CALLS_WITHOUT_EFFECT = word_set(
    "sizeof alignof static_cast reinterpret_cast const_cast decltype int unsigned long "
    "short char float double size_t cudaStream_t dim3 min max ceil floor get data size "
    "stream cuda_stream getCurrentCUDAStream getDefaultCUDAStream get_device device index"
)
_MOST_THREADS = 1024  # of a block
_EFFECTS = word_set("= += -= *= /= %= &= |= ^= <<= ++ -- new delete {")


def launch_edits(source: SourceFile, facts: UnitFacts) -> tuple[list[TextEdit], list[Diagnostic]]:
    """The edits for every launch of the file."""
    found, faults = parse_launches(source)
    edits: list[TextEdit] = []
    diagnostics = [fault for fault in faults if fault.span and facts.is_active(fault.span.begin)]
    lexed = lex(source.text)
    sizes = _Sizes(lexed, integer_constants((source.text,)))
    given: Sizes = {} if facts.launch_sizes is None else facts.launch_sizes()
    nested = device_launches(source) if facts.has_device else {}
    for launch in found:
        configuration = launch.configuration
        if launch.tokens[launch.callee].begin in nested:
            message = "a kernel launches a kernel, which no construct for devices can do"
            diagnostics.append(_fault(source, launch, message, "G2O0204"))
        elif not 1 <= len(configuration) <= 4 or any(begin == end for begin, end in configuration):
            diagnostics.append(
                _fault(source, launch, "this launch configuration is not understood")
            )
        elif len(configuration) == 1 and not stands_for_both(launch, given, macros(lexed)):
            message = "a launch needs the sizes of grid and block"
            diagnostics.append(_fault(source, launch, message))
        elif len(configuration) > 1 and hides_sizes(launch, given):
            message = "a macro has several sizes of this launch; write them out"
            diagnostics.append(_fault(source, launch, message))
        elif stays_in_stream(launch, facts) and _takes_shared_bytes(lexed, launch, facts) is None:
            message = "a launch by pointer in a stream that may be captured"
            diagnostics.append(_fault(source, launch, message))
        else:
            edits.extend(_edits_of(lexed, launch, facts, sizes))
    return edits, diagnostics


def _fault(source: SourceFile, launch: Launch, message: str, code: str = "G2O0201") -> Diagnostic:
    begin = launch.tokens[launch.callee].begin
    span = SourceSpan(source, begin, launch.tokens[launch.closing + 2].end)
    return error(code, message, span)


def _edits_of(lexed: LexedFile, launch: Launch, facts: UnitFacts, sizes: _Sizes) -> list[TextEdit]:
    tokens, configuration = launch.tokens, launch.configuration
    opening, closing = tokens[launch.opening], tokens[launch.closing + 3]
    takes_shared = _takes_shared_bytes(lexed, launch, facts)
    if takes_shared is not None and _is_plain(lexed, launch, facts) and sizes.cannot_run(launch):
        takes_shared = None
    edits: list[TextEdit] = []

    callee_end = tokens[launch.opening - 1].end
    grid_begin = tokens[configuration[0][0]].begin
    in_stream, picks = stays_in_stream(launch, facts), ""
    if in_stream:
        begin, end = configuration[3]
        stream = lexed.text[tokens[begin].begin : tokens[end - 1].end]
        picks = "[](auto... given) { " if _needs_arguments(lexed, launch, facts) else ""
        edits.append(_insert(tokens[launch.callee].begin, f"g2o::enqueue({stream}, {picks}"))
        configuration = configuration[:3]
    elif takes_shared is None:
        edits.append(_insert(tokens[launch.callee].begin, "g2o::launch("))
    opened = "(" if takes_shared is not None and not in_stream else ", "
    if picks:
        opened = "(given...); }, "
    if lexed.comment_within(callee_end, grid_begin):
        edits.append(TextEdit(opening.begin, opening.end, opened))
    else:
        edits.append(TextEdit(callee_end, grid_begin, opened))

    keeps_shared = takes_shared is not False
    kept = configuration[: 3 if keeps_shared else 2]
    effects = [
        lexed.text[tokens[begin].begin : tokens[end - 1].end]
        for begin, end in configuration[3 if keeps_shared else 2 :]
        if _has_effect(tokens[begin:end])
    ]
    if effects and len(configuration) > 1:
        begin, end = configuration[1]
        edits.append(_insert(tokens[begin].begin, "(" + "".join(f"{e}, " for e in effects)))
        edits.append(_insert(tokens[end - 1].end, ")"))

    shared = ", 0" if keeps_shared and len(configuration) < 3 else ""
    kept_end = tokens[kept[-1][1] - 1].end
    edits.append(_joined(lexed, launch, kept_end, shared, closing))
    return edits


def dropped_parts(lexed: LexedFile, launch: Launch, facts: UnitFacts) -> Sequence[tuple[int, int]]:
    """The parts of the configuration that the translation has no use for, as ranges of tokens."""
    takes_shared = _takes_shared_bytes(lexed, launch, facts)
    last = 3 if stays_in_stream(launch, facts) else 4
    return launch.configuration[2 if takes_shared is False else 3 : last]


def stays_in_stream(launch: Launch, facts: UnitFacts) -> bool:
    """Whether what the launch enqueues may be captured."""
    if len(launch.configuration) < 4 or facts.invoked is None:
        return False
    begin, end = launch.configuration[3]
    if end - begin == 1 and launch.tokens[begin].text in ("0", "NULL", "nullptr"):
        return False
    return "cudaStreamBeginCapture" in facts.invoked()


def _joined(
    lexed: LexedFile, launch: Launch, kept_end: int, shared: str, closing: Token
) -> TextEdit:
    """Replace what stands between the last kept size and the first argument by a comma."""
    tokens = launch.tokens
    first = tokens[launch.closing + 4]
    gap = lexed.text[closing.end : first.begin]
    if not launch.arguments:
        return TextEdit(kept_end, closing.end, shared)
    if [tokens[begin].text for begin, _ in launch.arguments] == ["__VA_ARGS__"]:
        return TextEdit(kept_end, first.begin, f"{shared}, ##")
    if lexed.comment_within(closing.end, first.begin) or "\n" in gap:
        return TextEdit(kept_end, closing.end, f"{shared},")
    return TextEdit(kept_end, first.begin, f"{shared}, ")


def _insert(offset: int, text: str) -> TextEdit:
    return TextEdit(offset, offset, text)


def _has_effect(tokens: Sequence[Token]) -> bool:
    """Whether leaving the expression out could be noticed: it assigns, or calls who knows what."""
    for index, token in enumerate(tokens):
        if token.text in _EFFECTS:
            return True
        if token.text == "(" and index and _is_unknown_call(tokens, index):
            return True
    return False


def _is_unknown_call(tokens: Sequence[Token], index: int) -> bool:
    name = index - 1
    if tokens[name].text == ">":
        angle = opening_angle(tokens, name)
        if angle is None or angle == 0:
            return False
        name = angle - 1
    if tokens[name].kind is TokenKind.IDENTIFIER:
        return tokens[name].text not in _CALLS_WITHOUT_EFFECT
    return tokens[name].text in (")", "]")


def _needs_arguments(lexed: LexedFile, launch: Launch, facts: UnitFacts) -> bool:
    """Do only its arguments say which kernel it is, or may it be given fewer than it takes?"""
    known = [facts.kernels.get(name or "") for name in launched_names(lexed, launch)]
    given, last = 0, launch.opening - 1
    angle = opening_angle(launch.tokens, last) if launch.tokens[last].text == ">" else None
    if angle is not None:
        given = len(split_at_commas(launch.tokens, angle + 1, last))

    def is_told(fact: KernelFact) -> bool:
        return not fact.has_defaults and (fact.is_plain or fact.parameters == given)

    return bool(known) and None not in known and not all(is_told(one) for one in known if one)


def _is_plain(lexed: LexedFile, launch: Launch, facts: UnitFacts) -> bool:
    """Does the name of the kernel say which function is launched, without its arguments?"""
    known = [facts.kernels.get(name or "") for name in launched_names(lexed, launch)]
    return bool(known) and all(fact is not None and fact.is_plain for fact in known)


@final
@dataclass(frozen=True, slots=True)
class _Sizes:
    """Sizes of the launches of a file; `numbers` are the constants that it names."""

    lexed: LexedFile
    numbers: Mapping[str, int]
    readers: dict[int, DimensionReader] = field(default_factory=dict[int, DimensionReader])

    def cannot_run(self, launch: Launch) -> bool:
        """Are they constants that no launch may have?"""
        if len(launch.configuration) < 2:
            return False
        reader = self.readers.get(id(launch.stream))
        if reader is None:
            reader = DimensionReader(self.lexed, launch.tokens, frozenset())
            self.readers[id(launch.stream)] = reader
        grid, block = (
            [_product(axis, self.numbers) for axis in reader.read(*part, launch.callee).axes]
            for part in launch.configuration[:2]
        )
        threads = prod(axis for axis in block if axis is not None)
        return 0 in (*grid, *block) or threads > _MOST_THREADS


def _product(axis: str | None, numbers: Mapping[str, int]) -> int | None:
    """The value of a number, a named one, or a product of such; None for other texts."""
    value = 1
    for factor in axis.split("*") if axis is not None else [""]:
        word = factor.strip().rstrip("uUlL")
        number = int(word) if word.isdecimal() else numbers.get(word)
        if number is None:
            return None
        value *= number
    return value


def _takes_shared_bytes(lexed: LexedFile, launch: Launch, facts: UnitFacts) -> bool | None:
    """Whether what is launched takes shared bytes; None where that differs or is not known."""
    names = launched_names(lexed, launch)
    known = [None if name is None else facts.kernels.get(name) for name in names]
    answers = {None if fact is None else fact.takes_shared_bytes for fact in known}
    if len(answers) == 1 and None not in answers:
        return answers.pop()
    if facts.kernels and not any(k.takes_shared_bytes for k in facts.kernels.values()):
        return False
    return None
