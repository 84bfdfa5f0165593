"""Source files as they are read: with what nvcc takes and nothing behind can take written out.

BINARY(add, +)                ->  __global__ void add(...) { ... }     see `kernel_macros`
k ARGS(4, 64)(x)              ->  k<<<4, 64>>>(x)                      see `launch_macros`
k<<<1, {16}>>>(x)             ->  k<<<1, dim3{16}>>>(x)                clang takes no list there
__shared__ alignas(16) T s[8] ->  alignas(16) __shared__ T s[8]        nor this order
const __restrict__ T *x       ->  const T *x                           nor what is no pointer
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, final

from g2o.diagnostics.source import SourceFile, lines_of, text_as_name
from g2o.frontend.cuda.kernel_macros import kernels_in_macros
from g2o.frontend.cuda.launch_macros import launches_in_parts
from g2o.frontend.cuda.launch_syntax import parse_launches
from g2o.frontend.cuda.lexer import lex
from g2o.frontend.cuda.macro_expansion import Expansion

_MARK: Final = "\xef\xbb\xbf"  # that Visual Studio begins files with, as Latin-1
_QUOTED_INCLUDE: Final = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)
_KERNEL_IN_MACRO: Final = re.compile(r"#[ \t]*define\b(?:[^\n\\]|\\.|\\\n)*__global__")
_LAUNCH_IN_MACRO: Final = re.compile(r"#[ \t]*define\b(?:[^\n\\]|\\.|\\\n)*<<<")
_ALIGNED_BEHIND: Final = re.compile(
    r"(?:(\b(?:extern|static|volatile|const)\s+)|\b)(__shared__\s+)(alignas)(\((?:[^()]|\([^()]*\))*\))"
)
_RESTRICTED_ELEMENT: Final = re.compile(
    r"(?<=[(,])(\s*(?:(?:const|volatile)\s+)*)__restrict(?:__)?\s+(?=[\w:<> ]*\*)"
    r"|(?<=\w)\s+__restrict(?:__)?\s*(?=\*)"
)
_LISTED_SIZE: Final = re.compile(r"<<<[^;]*\{")


@final
@dataclass(frozen=True, slots=True)
class _Header:
    """A header beside the files that include it. `includes` are the real paths of those beside
    it."""

    text: str
    includes: tuple[str, ...]
    defines_kernels: bool
    defines_launches: bool


@final
@dataclass(frozen=True, slots=True)
class Headers:
    """Headers by their real paths, read once for all files of a unit: each of a large library's
    includes most of the others."""

    known: dict[str, _Header] = field(default_factory=dict[str, _Header])

    def included(self, path: Path, text: str) -> list[_Header]:
        """The headers that a file includes, directly or not."""
        seen = {os.path.realpath(path)}
        pending = list(_quoted_includes(path, text))
        found: list[_Header] = []
        while pending:
            name = pending.pop()
            if name not in seen:
                seen.add(name)
                header = self._read(name)
                found.append(header)
                pending.extend(header.includes)
        return found

    def _read(self, name: str) -> _Header:
        if name not in self.known:
            path = Path(name)
            text = SourceFile.read(path).text.removeprefix(_MARK)
            self.known[name] = _Header(
                text,
                tuple(_quoted_includes(path, text)),
                _KERNEL_IN_MACRO.search(text) is not None,
                _LAUNCH_IN_MACRO.search(text) is not None,
            )
        return self.known[name]


def read_source(
    path: Path, shown_as: str | None = None, headers: Headers | None = None
) -> SourceFile:
    """Read `path`. Where something is written out, lines keep the numbers that they have in the
    file. Raises OSError as `Path.read_bytes` does."""
    file = SourceFile.read(path, shown_as)
    has_mark = file.text.startswith(_MARK)
    if has_mark:
        file = with_written_out(file, [Expansion(0, len(_MARK), "")])
    included = (headers or Headers()).included(path, file.text)
    texts = [file.text, *(header.text for header in included)]
    if _KERNEL_IN_MACRO.search(file.text) or any(one.defines_kernels for one in included):
        file = with_written_out(file, kernels_in_macros(texts))
    keeps = path.suffix != ".cu"
    if _LAUNCH_IN_MACRO.search(file.text) or any(one.defines_launches for one in included):
        file = with_written_out(file, launches_in_parts([file.text, *texts[1:]], keeps=keeps))
    if _LISTED_SIZE.search(file.text):
        file = with_written_out(file, _named_sizes(file))
    if _ALIGNED_BEHIND.search(file.text):
        found = _ALIGNED_BEHIND.finditer(file.text)
        file = with_written_out(file, [_aligned_in_front(one) for one in found])
    if _RESTRICTED_ELEMENT.search(file.text):
        file = with_written_out(file, list(_unrestricted(file.text)))
    return replace(file, has_mark=True) if has_mark else file


def _unrestricted(text: str) -> Iterator[Expansion]:
    """What is no pointer without `__restrict__`, in code."""
    words = {one.begin for one in lex(text).code if one.text.startswith("__restrict")}
    for found in _RESTRICTED_ELEMENT.finditer(text):
        if text.index("__restrict", found.start()) in words:
            yield Expansion(*found.span(), found[1] or " ")


def _aligned_in_front(found: re.Match[str]) -> Expansion:
    """`alignas` first, where nothing else has to be: only that takes a type."""
    if found[1]:
        return Expansion(*found.span(3), "__align__")
    return Expansion(found.start(2), found.end(), f"alignas{found[4]} {found[2].rstrip()}")


def _quoted_includes(path: Path, text: str) -> Iterator[str]:
    """The real paths of the headers beside a file that it includes."""
    for spelled in _QUOTED_INCLUDE.findall(text):
        header = os.path.realpath(path.parent / text_as_name(spelled))
        if os.path.isfile(header):  # noqa: PTH113 - is a str
            yield header


def _named_sizes(file: SourceFile) -> list[Expansion]:
    """`dim3` in front of the lists that are sizes of launches."""
    found: list[Expansion] = []
    for launch in parse_launches(file)[0]:
        for begin, _ in launch.configuration[:2]:
            token = launch.tokens[begin]
            if token.text == "{":
                found.append(Expansion(token.begin, token.begin, "dim3"))
    return found


def with_written_out(file: SourceFile, expansions: Sequence[Expansion]) -> SourceFile:
    """The file with the expansions in place; `lines` has the numbers of its lines."""
    if not expansions:
        return file
    known = file.lines or range(1, len(file.line_starts) + 1)
    pieces: list[str] = []
    lines = [known[0]]
    position = read = 0

    def take(text: str, shown: str) -> None:
        """`shown` stands for `text`: its lines have the number of the line where that begins."""
        nonlocal read
        pieces.append(shown)
        lines.extend([lines[-1]] * shown.count("\n"))
        read += text.count("\n")
        lines[-1] = known[read]

    for each in expansions:
        for line in lines_of(file.text[position : each.begin], keepends=True):
            pieces.append(line)
            if line.endswith("\n"):
                read += 1
                lines.append(known[read])
        take(file.text[each.begin : each.end], each.text)
        position = each.end
    rest = file.text[position:]
    pieces.append(rest)
    lines.extend(known[read + 1 : read + 1 + rest.count("\n")])
    return SourceFile(file.path, "".join(pieces), lines=tuple(lines))
