"""Kernels handed to runtime functions lose the cast that hides their type.

    cudaLaunchKernel((void *)k, grid, block, args, 0, 0)  ->  g2o::launch_kernel(k, ...)

The runtime reads from the type of the kernel what its parameters are. Programs that keep kernels as
`void *`, to launch them or to put them into nodes of graphs, have one here that knows the type:

    params.func = (void *)k;  ->  params.func = g2o::kernel_handle(k);
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from g2o.diagnostics.diagnostic import Diagnostic
from g2o.diagnostics.source import SourceFile
from g2o.frontend.cuda.brackets import closing_angle, closing_bracket, split_at_commas
from g2o.frontend.cuda.lexer import Token, lex
from g2o.frontend.cuda.macros import streams
from g2o.frontend.cuda.unit_facts import UnitFacts
from g2o.frontend.edits import TextEdit

KERNEL_ARGUMENT = {
    "cudaLaunchKernel": 0,
    "cudaLaunchCooperativeKernel": 0,
    "cudaFuncSetAttribute": 0,
    "cudaFuncSetCacheConfig": 0,
    "cudaFuncSetSharedMemConfig": 0,
    "cudaFuncGetAttributes": 1,
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor": 1,
    "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags": 1,
    "cudaOccupancyAvailableDynamicSMemPerBlock": 1,
    "cudaOccupancyMaxPotentialBlockSize": 2,
    "cudaOccupancyMaxPotentialBlockSizeWithFlags": 2,
    "cudaOccupancyMaxPotentialBlockSizeVariableSMem": 2,
}
_NODES = frozenset(("cudaGraphAddKernelNode", "cudaKernelNodeParams"))
_EXTENDED_LAUNCH = {"cudaLaunchKernelExC": 1}  # with sizes in a structure, which nobody reads
LAUNCHERS = frozenset(("cudaLaunchKernel", "cudaLaunchCooperativeKernel"))
_KEEPERS = _NODES | LAUNCHERS | {*_EXTENDED_LAUNCH}
_NAMED_CASTS = frozenset(("reinterpret_cast", "static_cast"))
_POINTER_TO_VOID = (["void", "*"], ["const", "void", "*"], ["void", "const", "*"])


def kernel_argument_edits(
    source: SourceFile, facts: UnitFacts
) -> tuple[list[TextEdit], list[Diagnostic]]:
    """The edits that take casts to `void *` off kernels that are arguments of the runtime."""
    edits: list[TextEdit] = []
    has_handles = facts.invoked is not None and not _KEEPERS.isdisjoint(facts.invoked())
    for stream in streams(lex(source.text)):
        tokens = stream.tokens
        given: set[int] = set()  # the offsets of arguments whose types are read
        for index, token in enumerate(tokens):
            position = KERNEL_ARGUMENT.get(token.text, _EXTENDED_LAUNCH.get(token.text))
            if position is None or token.text in facts.user_declared:
                continue
            argument = _argument(tokens, index + 1, position)
            if argument is None:
                continue
            found = _without_cast(tokens, *argument)
            launches = token.text in LAUNCHERS or token.text in _EXTENDED_LAUNCH
            if launches and _may_be_mistaken(tokens, argument, facts):
                found = _marked(tokens, *argument, found)
            edits.extend(found)
            given.add(tokens[argument[0]].begin)
        if has_handles:
            edits.extend(_handles(tokens, facts, given))
    return edits, []


def _handles(tokens: Sequence[Token], facts: UnitFacts, given: Container[int]) -> list[TextEdit]:
    """The edits that make handles of kernels which are cast to `void *`."""
    edits: list[TextEdit] = []
    for index, token in enumerate(tokens):
        if token.text not in facts.kernels:
            continue
        begin = index
        while begin > 0 and tokens[begin - 1].text in ("&", "::"):
            begin -= 1
        end = index + 1
        if end < len(tokens) and tokens[end].text == "<":
            angle = closing_angle(tokens, end)
            end = end if angle is None else angle + 1
        cast = _cast_around(tokens, begin, end)
        if cast is None or tokens[cast[0]].begin in given:
            continue
        fact = facts.kernels[token.text]
        is_marked = not fact.takes_shared_bytes and fact.may_start_with_size
        mark, closed = ("g2o::without_shared(", ")") if is_marked else ("", "")
        head = f"g2o::kernel_handle({mark}"
        edits.append(TextEdit(tokens[cast[0]].begin, tokens[begin].begin, head))
        edits.append(TextEdit(tokens[end - 1].end, tokens[cast[1] - 1].end, f"){closed}"))
    return edits


def _cast_around(tokens: Sequence[Token], begin: int, end: int) -> tuple[int, int] | None:
    """Where the cast to `void *` begins and ends that converts the tokens between."""
    for first in range(max(0, begin - 6), begin):
        for last in (end, end + 1):
            if last <= len(tokens) and cast_of(tokens, first, last) == (begin, end):
                return first, last
    return None


def _may_be_mistaken(tokens: Sequence[Token], argument: tuple[int, int], facts: UnitFacts) -> bool:
    """Is the kernel one without shared bytes, and could its first parameter be taken for those?"""
    begin, end = argument
    names = [token.text for token in tokens[begin:end] if token.text in facts.kernels]
    fact = facts.kernels[names[0]] if len(names) == 1 else None
    return fact is not None and not fact.takes_shared_bytes and fact.may_start_with_size


def _marked(
    tokens: Sequence[Token], begin: int, end: int, without_cast: list[TextEdit]
) -> list[TextEdit]:
    """`g2o::without_shared(k)`, for the overloads of the launch."""
    head = TextEdit(tokens[begin].begin, tokens[begin].begin, "g2o::without_shared(")
    tail = TextEdit(tokens[end - 1].end, tokens[end - 1].end, ")")
    match without_cast:
        case [first, *rest]:
            head = TextEdit(first.begin, first.end, "g2o::without_shared(")
            if rest:  # the closing parenthesis of the cast is one for this as well
                return [head]
            return [head, tail]
        case _:
            return [head, tail]


def _argument(tokens: Sequence[Token], index: int, position: int) -> tuple[int, int] | None:
    """Index range of an argument of the call whose `(` or template arguments start at `index`."""
    arguments = arguments_of(tokens, index)
    return arguments[position] if position < len(arguments) else None


def arguments_of(tokens: Sequence[Token], index: int) -> list[tuple[int, int]]:
    """Index ranges of the arguments of the call whose `(` or template arguments start at `index`;
    none where no call does."""
    if index < len(tokens) and tokens[index].text == "<":
        angle = closing_angle(tokens, index)
        index = len(tokens) if angle is None else angle + 1
    closing = closing_bracket(tokens, index) if index < len(tokens) else None
    if closing is None or tokens[index].text != "(":
        return []
    return split_at_commas(tokens, index + 1, closing)


def _without_cast(tokens: Sequence[Token], begin: int, end: int) -> list[TextEdit]:
    inner = cast_of(tokens, begin, end)
    if inner is None:
        return []
    head = TextEdit(tokens[begin].begin, tokens[inner[0]].begin, "")
    if inner[1] == end:
        return [head]
    return [head, TextEdit(tokens[inner[1] - 1].end, tokens[end - 1].end, "")]


def cast_of(tokens: Sequence[Token], begin: int, end: int) -> tuple[int, int] | None:
    """What a cast to `void *` converts; None where there is none."""
    first = tokens[begin].text
    if first == "(":
        closing = closing_bracket(tokens, begin)
        if closing is None or closing + 1 >= end or not _is_void(tokens, begin + 1, closing):
            return None
        return closing + 1, end
    if first in _NAMED_CASTS and tokens[begin + 1].text == "<":
        angle = closing_angle(tokens, begin + 1)
        if angle is None or not _is_void(tokens, begin + 2, angle):
            return None
        return angle + 2, end - 1
    return None


def _is_void(tokens: Sequence[Token], begin: int, end: int) -> bool:
    return [token.text for token in tokens[begin:end]] in _POINTER_TO_VOID
