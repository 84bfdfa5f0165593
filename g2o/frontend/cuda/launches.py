"""Where a file launches kernels.

    ns::k<T, 4><<<grid, dim3(16, 16), bytes, stream>>>(a, b)
    ^callee--^    ^grid ^block        ^shared ^stream  ^arguments

Found in tokens, so that launches inside macro bodies and skipped branches are found as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import final

from g2o.diagnostics.source import SourceFile, SourceSpan
from g2o.frontend.cuda.brackets import split_at_commas
from g2o.frontend.cuda.launch_dimensions import UNKNOWN, DimensionReader, Dimensions
from g2o.frontend.cuda.launch_sizes import both_written_out
from g2o.frontend.cuda.launch_syntax import Launch, parse_launches
from g2o.frontend.cuda.launch_targets import launched_names
from g2o.frontend.cuda.lexer import lex
from g2o.frontend.cuda.macro_expansion import ExpandedText
from g2o.frontend.cuda.macros import Macro, macros


@final
@dataclass(frozen=True, slots=True)
class LaunchSite:
    """One launch.

    callee             -- the expression launched, with qualifiers and template arguments
    kernel             -- its unqualified name; None where it is no name (`table[i]`, `a##_kernel`)
    kernels            -- the names it can launch, parameters of macros replaced; empty: not known
    template_arguments -- each on its own
    shared, stream     -- None where not spelled
    macro              -- the macro whose body contains the launch
    grid_dims, block_dims -- for each axis the constant expression it has, None where unknown
    visible_from       -- offset behind which every name in those expressions is defined
    template_names     -- integer parameters of the template that the launch stands in
    template_values    -- the constant expression that each template argument is, None for others
    """

    span: SourceSpan
    callee: SourceSpan
    kernel: str | None
    kernels: frozenset[str]
    template_arguments: tuple[SourceSpan, ...]
    grid: SourceSpan
    block: SourceSpan
    shared: SourceSpan | None
    stream: SourceSpan | None
    arguments: tuple[SourceSpan, ...]
    macro: str | None
    grid_dims: Dimensions
    block_dims: Dimensions
    visible_from: int
    template_names: frozenset[str] = frozenset()
    template_values: tuple[str | None, ...] = ()


def launches(
    source: SourceFile,
    constants: frozenset[str] = frozenset(),
    defined: Callable[[], Iterable[Macro]] = tuple,
) -> tuple[LaunchSite, ...]:
    """Every launch of the file in order, those in macro bodies and skipped branches included.

    `constants` names what included files define as constants, macros or enumerators, and `defined`
    gives the macros.
    """
    lexed = lex(source.text)
    readers: dict[int, DimensionReader] = {}
    sites: list[LaunchSite] = []
    for launch in parse_launches(source)[0]:
        if not launch.configuration:
            continue
        key = id(launch.stream)
        if key not in readers:
            readers[key] = DimensionReader(lexed, launch.tokens, constants)
        names = launched_names(lexed, launch)
        known = frozenset(name for name in names if name is not None)
        kernels = known if len(known) == len(names) else frozenset[str]()
        sites.append(_site(source, launch, kernels, readers[key]))
    return _with_macros_read(source, sites, constants, defined)


def _with_macros_read(
    source: SourceFile,
    sites: Sequence[LaunchSite],
    constants: frozenset[str],
    defined: Callable[[], Iterable[Macro]],
) -> tuple[LaunchSite, ...]:
    """The launches, those with a macro for grid and block with what the macro says of them."""
    if not any(site.grid == site.block and site.macro is None for site in sites):
        return tuple(sites)
    table = _unambiguous((*defined(), *macros(lex(source.text))))
    found = list(both_written_out(source, lambda name, _: table.get(name)))
    if not found:
        return tuple(sites)
    expanded = ExpandedText(source.text, found)
    again = launches(SourceFile(source.path, expanded.text), constants)
    behind = {each.begin for each in found}
    return tuple(
        replace(
            site,
            grid_dims=read.grid_dims,
            block_dims=read.block_dims,
            visible_from=expanded.original_offset(read.visible_from),
        )
        if site.grid.begin in behind
        else site
        for site, read in zip(sites, again, strict=True)
    )


def _unambiguous(known: Sequence[Macro]) -> dict[str, Macro]:
    numbers = Counter(macro.name for macro in known)
    return {macro.name: macro for macro in known if numbers[macro.name] == 1}


def _site(
    source: SourceFile, launch: Launch, kernels: frozenset[str], reader: DimensionReader
) -> LaunchSite:
    tokens = launch.tokens

    def span(part: tuple[int, int]) -> SourceSpan:
        begin, end = part
        last = tokens[max(begin, end - 1)]
        return SourceSpan(source, tokens[begin].begin, last.end if begin < end else last.begin)

    parts = launch.configuration
    configuration = [span(part) for part in parts]
    name = launch.name_index
    template: list[tuple[int, int]] = []
    if name is not None and name + 1 < launch.opening:
        template = split_at_commas(tokens, name + 2, launch.opening - 1)
    read = [reader.read(*part, launch.callee) for part in parts[:2]] if len(parts) > 1 else []
    return LaunchSite(
        span=span((launch.callee, launch.end + 1)),
        callee=span((launch.callee, launch.opening)),
        kernel=None if name is None else tokens[name].text,
        kernels=kernels,
        template_arguments=tuple(span(part) for part in template),
        grid=configuration[0],
        block=configuration[min(1, len(configuration) - 1)],
        shared=configuration[2] if len(configuration) > 2 else None,
        stream=configuration[3] if len(configuration) > 3 else None,
        arguments=tuple(span(part) for part in launch.arguments if part[0] < part[1]),
        macro=None if launch.stream.macro is None else launch.stream.macro.name,
        grid_dims=read[0].axes if read else UNKNOWN,
        block_dims=read[1].axes if read else UNKNOWN,
        visible_from=max((known.visible_from for known in read), default=0),
        template_names=reader.template_names(launch.callee),
        template_values=reader.values(template, launch.callee),
    )
