"""CUDA source -> C++ source for the emulator.

Rewritten are launches, `__shared__` declarations and `#include`s of files that are rewritten
themselves; all other CUDA words are macros or plain names of `cuda_emulator.hpp`. Lines keep their
numbers, and `#line` names the original file, so compiler messages point into the user's source.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import final

from g2o.diagnostics.source import name_as_text, text_as_name
from g2o.frontend.cuda.device_conditions import as_device_takes_it
from g2o.verify.emulator.assembly import rewrite_assembly
from g2o.verify.emulator.launches import rewrite_launches
from g2o.verify.emulator.lockstep import rewrite_lockstep
from g2o.verify.emulator.polling import rewrite_polling
from g2o.verify.emulator.shared import SHARED, GlobalShared, rewrite_shared, shared_alias
from g2o.verify.emulator.shifts import rewrite_shifts
from g2o.verify.emulator.symbols import rewrite_symbols
from g2o.verify.emulator.tokens import Edit, Region, Token, apply_edits, split_regions

_INCLUDE = re.compile(r'[ \t]*#[ \t]*include[ \t]*(?P<name>"[^"\n]+"|<[^>\n]+>)')
_BYTE_ORDER_MARK = "\xef\xbb\xbf"
_ALIAS = re.compile(r"[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]")
_CUDA_WORDS = re.compile(
    r"<<<|__shared__|cudaLaunch(?:Cooperative)?Kernel(?:ExC)?|Symbol(?:Async|Address|Size)?\b"
    r"|\basm\b|__asm__|\bvolatile\b"
    r"|__threadfence_block|cublas\w+_v2\b|__CUDA_ARCH__"
)


def rewrite_text(text: str, in_step: bool = False) -> str:
    """Rewrite one file's text, leaving its `#include`s alone."""
    text = as_device_takes_it(text)
    return apply_edits(text, _edits(text, split_regions(text), set(), [], in_step))


def _edits(
    text: str,
    regions: Sequence[Region],
    aliases: set[str],
    global_variables: list[GlobalShared],
    in_step: bool,
) -> list[Edit]:
    """`aliases`: macros known to mean `__shared__`; those that `text` defines are added."""
    edits: list[Edit] = []
    rest: list[Region] = []
    for region in regions:
        if region.directive == "define" and (edit := shared_alias(region)) is not None:
            if named := _ALIAS.match(text, region.begin):
                aliases.add(named.group(1))
            edits.append(edit)
        else:
            rest.append(region)
    for region in _joined(rest):
        if region.directive in ("", "define"):
            edits.extend(_region_edits(text, region, frozenset(aliases), global_variables, in_step))
    return edits


def _joined(regions: Sequence[Region]) -> list[Region]:
    """All code between directives as one region: functions span `#if`s and `#pragma`s.

    Where branches of an `#if` each open (or close) a scope, brackets balance only without all but
    one of them; the others become regions of their own.
    """
    end = regions[-1].end if regions else 0
    code: list[Token] = []
    alternatives: list[Region] = []
    branches: list[list[int]] = []  # for every open #if: where its branches begin in `code`
    for region in regions:
        if region.directive.startswith("if"):
            branches.append([len(code)])
        elif region.directive in ("else", "elif") and branches:
            branches[-1].append(len(code))
        elif region.directive == "endif" and branches:
            alternatives.extend(_take_alternatives(code, branches.pop(), end))
        elif not region.directive:
            code.extend(region.tokens)
    defines = [region for region in regions if region.directive]
    return [Region("", 0, end, tuple(code)), *alternatives, *defines]


def _take_alternatives(code: list[Token], begins: list[int], end: int) -> list[Region]:
    """Remove from `code` all but the first of the branches that have unbalanced braces."""
    taken: list[Region] = []
    ends = [*begins[1:], len(code)]
    unbalanced = [
        (begin, stop)
        for begin, stop in zip(begins, ends, strict=True)
        if sum({"{": 1, "}": -1}.get(token.text, 0) for token in code[begin:stop]) != 0
    ]
    for begin, stop in reversed(unbalanced[1:]):
        taken.append(Region("", 0, end, tuple(code[begin:stop])))
        del code[begin:stop]
    return taken


def _region_edits(
    text: str,
    region: Region,
    aliases: frozenset[str],
    global_variables: list[GlobalShared],
    in_step: bool,
) -> list[Edit]:
    edits = list(rewrite_shared(text, region, aliases, global_variables))
    edits.extend(rewrite_launches(text, region.tokens))
    edits.extend(rewrite_assembly(text, region.tokens))
    edits.extend(rewrite_symbols(region.tokens))
    edits.extend(rewrite_polling(text, region.tokens))
    edits.extend(rewrite_lockstep(text, region.tokens, in_step))
    edits.extend(rewrite_shifts(region.tokens, edits, region.directive == "define"))
    return edits


@final
@dataclass(slots=True)
class SourceSet:
    """Rewritten copies, below `directory`, of one source and of the local headers it includes.
    `in_step`: the lanes of a warp go from assignment to assignment together.

    `include_directories` are searched for headers as the compiler would; a header that is found
    there or beside its includer, and that needs rewriting or includes one that does, gets a copy.
    """

    directory: Path
    include_directories: tuple[Path, ...] = ()
    in_step: bool = False
    _copies: dict[Path, Path | None] = field(default_factory=dict[Path, "Path | None"])
    _aliases: set[str] = field(default_factory=set[str])
    _global_variables: list[GlobalShared] = field(default_factory=list[GlobalShared])

    def add(self, source: Path) -> Path:
        """Rewrite `source`; the path of the copy, which ends in `.cpp`."""
        self.directory.mkdir(parents=True, exist_ok=True)
        copy = self.directory / f"{len(self._copies):03d}_{source.stem}.cpp"
        self._copies.setdefault(source.resolve(), None)
        copy.write_text(self._rewritten(source), encoding="latin-1")
        return copy

    def _rewritten(self, source: Path) -> str:
        text = source.read_bytes().decode("latin-1").replace("\r\n", "\n")
        text = as_device_takes_it(text.removeprefix(_BYTE_ORDER_MARK))
        regions = split_regions(text)
        edits: list[Edit] = []
        for region in regions:
            if region.directive == "include":
                edits.extend(self._include_edit(text, region, source))
        edits.extend(_edits(text, regions, self._aliases, self._global_variables, self.in_step))
        shown = name_as_text(str(source)).replace("\\", "\\\\").replace('"', '\\"')
        return f'#line 1 "{shown}"\n' + apply_edits(text, edits)

    def _include_edit(self, text: str, region: Region, source: Path) -> list[Edit]:
        found = _INCLUDE.match(text, region.begin, region.end)
        if found is None:
            return []
        name = found.group("name")
        target = self._resolve(name, source.parent)
        if target is None:
            return []
        used = self._header(target) or target
        return [Edit(found.start("name"), found.end("name"), f'"{name_as_text(str(used))}"')]

    def _resolve(self, name: str, beside: Path) -> Path | None:
        """The local file that `#include name` means; None for system and emulator headers."""
        places = self.include_directories if name[0] == "<" else (beside, *self.include_directories)
        for place in places:
            if (candidate := place / text_as_name(name[1:-1])).is_file():
                return candidate.resolve()
        return None

    def _header(self, header: Path) -> Path | None:
        """The rewritten copy of `header`; None when it can be used as it is."""
        if header not in self._copies:
            self._copies[header] = None
            if self._needs_copy(header, set()):
                copy = self.directory / f"{len(self._copies):03d}_{header.name}"
                self._copies[header] = copy
                copy.write_text(self._rewritten(header), encoding="latin-1")
        return self._copies[header]

    def _needs_copy(self, header: Path, seen: set[Path]) -> bool:
        if header in seen:
            return False
        seen.add(header)
        text = header.read_bytes().decode("latin-1")
        if _CUDA_WORDS.search(text) or SHARED in text or (self.in_step and "__device__" in text):
            return True
        for found in _INCLUDE.finditer(text):
            target = self._resolve(found.group("name"), header.parent)
            if target is not None and self._needs_copy(target, seen):
                return True
        return False
