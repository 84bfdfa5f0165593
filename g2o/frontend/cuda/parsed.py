"""How clang is called, and what it made of that: once for all headers that a source includes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, final

from g2o.frontend.cuda.clang_unit import TranslationUnit
from g2o.frontend.cuda.precompiled import unit_behind

_KEPT: Final = 2
"""Translation units that are kept: one takes as much memory as all the headers below it."""


@final
@dataclass(frozen=True, slots=True)
class Prelude:
    """A header that clang keeps, to be in front of every file, and what decides what it means:
    arguments of clang, and directories in which clang looks for what it includes besides."""

    header: Path
    arguments: tuple[str, ...]
    searched: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class Parsed:
    """How clang was called: the file it was given, its arguments, texts in place of files, and a
    header in front of all.

    `prelude` is None where only all the arguments tell what the header means.
    """

    root: str
    arguments: tuple[str, ...]
    texts: Mapping[str, bytes]
    skips: bool
    header: Path | None = None
    prelude: Prelude | None = None

    def unit(self) -> TranslationUnit:
        if self.header is None:
            return TranslationUnit(self.root, self.arguments, self.texts, skips=self.skips)
        unit = None
        if self.prelude is not None:
            unit = unit_behind(
                self.prelude.header,
                self.prelude.arguments,
                self.root,
                self.arguments,
                self.texts,
                searched=self.prelude.searched,
                skips=self.skips,
            )
        words = (*self.arguments, "-include", str(self.header))
        return unit or TranslationUnit(self.root, words, self.texts, skips=self.skips)


_Key = tuple[str, tuple[str, ...], tuple[tuple[str, bytes], ...], bool]


@final
@dataclass(slots=True)
class ParseCache:
    """The latest translation units of one command, during which no file changes.

    A header that cannot be read alone is read as part of a source that includes it; the next one is
    most likely a part of the same source.
    """

    units: OrderedDict[_Key, TranslationUnit] = field(
        default_factory=OrderedDict[_Key, TranslationUnit]
    )

    def unit(self, parsed: Parsed) -> TranslationUnit:
        """What `parsed.unit()` gives. Raises OSError as that does."""
        texts = tuple(sorted(parsed.texts.items()))
        key = (parsed.root, parsed.arguments, texts, parsed.skips)
        known = self.units.get(key)
        if known is None:
            known = self.units[key] = parsed.unit()
            if len(self.units) > _KEPT:
                self.units.popitem(last=False)
        self.units.move_to_end(key)
        return known
