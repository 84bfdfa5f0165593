"""Kernels that are launched by a function of the runtime, and what is only asked about them.

    cudaLaunchCooperativeKernel((void *)k<T>, grid, block, args, bytes, stream)
                                ^callee-----^ ^grid ^block

are launches as good as `k<T><<<grid, block, bytes, stream>>>(...)`, as long as the first argument
names the kernel. (`cudaOccupancy...` and `cudaFunc...` name kernels, too, and launch nothing.)
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Final

from g2o.diagnostics.source import SourceFile, SourceSpan
from g2o.frontend.cuda.brackets import closing_angle, split_at_commas
from g2o.frontend.cuda.kernel_arguments import KERNEL_ARGUMENT, LAUNCHERS, arguments_of, cast_of
from g2o.frontend.cuda.launch_dimensions import DimensionReader
from g2o.frontend.cuda.launches import LaunchSite
from g2o.frontend.cuda.lexer import Token, TokenKind, lex
from g2o.frontend.cuda.macros import streams

_Part = tuple[int, int]
_LAUNCH_ARGUMENTS: Final = 6


def asked_about(source: SourceFile, kernels: Container[str]) -> frozenset[int]:
    """The offsets at which calls of the runtime name kernels."""
    found: set[int] = set()
    for stream in streams(lex(source.text)):
        for _, callee in _calls(stream.tokens):
            name = _name(stream.tokens, callee)
            if name is not None and stream.tokens[name].text in kernels:
                found.add(stream.tokens[name].begin)
    return frozenset(found)


def runtime_launches(source: SourceFile, constants: frozenset[str]) -> tuple[LaunchSite, ...]:
    """The launches in order, those in macro bodies included."""
    lexed = lex(source.text)
    sites: list[LaunchSite] = []
    for stream in streams(lexed):
        tokens = stream.tokens
        reader: DimensionReader | None = None
        for index, callee in _calls(tokens):
            name = _name(tokens, callee)
            arguments = arguments_of(tokens, index + 1)
            if tokens[index].text not in LAUNCHERS or name is None:
                continue
            if len(arguments) > _LAUNCH_ARGUMENTS or len(arguments) < 3:
                continue
            reader = reader or DimensionReader(lexed, tokens, constants)
            macro = None if stream.macro is None else stream.macro.name
            sites.append(_site(source, tokens, index, (name, arguments), reader, macro))
    return tuple(sites)


def _site(
    source: SourceFile,
    tokens: Sequence[Token],
    index: int,
    call: tuple[int, list[_Part]],
    reader: DimensionReader,
    macro: str | None,
) -> LaunchSite:
    def span(part: _Part) -> SourceSpan:
        return SourceSpan(source, tokens[part[0]].begin, tokens[part[1] - 1].end)

    name, arguments = call
    callee, grid, block, *rest = arguments
    grid_read, block_read = (reader.read(*part, index) for part in (grid, block))
    angle = closing_angle(tokens, name + 1) if tokens[name + 1].text == "<" else None
    template = [] if angle is None else split_at_commas(tokens, name + 2, angle)
    return LaunchSite(
        span=span((index, arguments[-1][1])),
        callee=span(callee),
        kernel=tokens[name].text,
        kernels=frozenset((tokens[name].text,)),
        template_arguments=tuple(span(part) for part in template),
        grid=span(grid),
        block=span(block),
        shared=span(rest[1]) if len(rest) > 1 else None,
        stream=span(rest[2]) if len(rest) > 2 else None,
        arguments=(),
        macro=macro,
        grid_dims=grid_read.axes,
        block_dims=block_read.axes,
        visible_from=max(grid_read.visible_from, block_read.visible_from),
        template_names=reader.template_names(index),
        template_values=reader.values(template, index),
    )


def _calls(tokens: Sequence[Token]) -> Iterator[tuple[int, _Part]]:
    """The functions of the runtime that are given kernels, and the argument that is one."""
    for index, token in enumerate(tokens):
        position = KERNEL_ARGUMENT.get(token.text)
        if position is not None:
            arguments = arguments_of(tokens, index + 1)
            if position < len(arguments) and arguments[position][0] < arguments[position][1]:
                yield index, arguments[position]


def _name(tokens: Sequence[Token], argument: _Part) -> int | None:
    """The index of the name of the kernel, where the argument is nothing but that: behind a cast,
    an address and qualifiers, with template arguments."""
    begin, end = argument
    inner = cast_of(tokens, begin, end)
    begin, end = inner if inner is not None else (begin, end)
    if begin < end and tokens[begin].text == "&":
        begin += 1
    while begin + 1 < end and (tokens[begin].text == "::" or tokens[begin + 1].text == "::"):
        begin += 1
    if begin >= end or tokens[begin].kind is not TokenKind.IDENTIFIER:
        return None
    if begin + 1 == end:
        return begin
    angle = closing_angle(tokens, begin + 1) if tokens[begin + 1].text == "<" else None
    return begin if angle is not None and angle + 1 == end else None
