"""The files of one command: what each is called when translated, and who includes whom.

A file need not be a program of its own. `main.cu` may hold

    typedef float real;
    #include "kernel.cu"

so that `kernel.cu` can only be read through `main.cu`: its context.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, final

from g2o.diagnostics.source import name_as_text, text_as_name
from g2o.frontend.cuda.api import REPLACED_INCLUDES
from g2o.frontend.cuda.clashes import Signature, clashing_classes, clashing_signatures
from g2o.frontend.cuda.conditions import openmp_conditions
from g2o.frontend.cuda.include_graph import IncludeGraph, real_path, search_directories
from g2o.frontend.cuda.lexer import LexedFile, lex
from g2o.frontend.cuda.macros import expands_to, macros
from g2o.frontend.cuda.parsed import ParseCache
from g2o.frontend.cuda.project_launches import ProjectLaunches
from g2o.frontend.cuda.spelled import needs_cuda
from g2o.frontend.cuda.unused_macros import invoked_names

HEADER_SUFFIXES: Final = (
    *(".cuh", ".h", ".hpp", ".hh", ".hxx", ".h++", ".inl", ".inc", ".ipp", ".tpp", ".tcc", ".def"),
)
_KERNEL_HEAD: Final = re.compile(r"\b__global__\b([^{;]*)")
_BEFORE_PARENTHESIS: Final = re.compile(r"(\w+)\s*\(")
_TOOLKIT: Final = "cuda_runtime_api.h"
_SOURCE_SUFFIXES: Final = (".cu", ".cpp", ".cc", ".cxx", ".c++", ".c", ".C")


def is_header(path: Path) -> bool:
    """Whether the file is meant to be included, judged by its name."""
    return path.suffix in HEADER_SUFFIXES


@final
@dataclass(frozen=True, slots=True)
class InputFile:
    """A file of the command as the user named it, its clang flags, where its translation goes."""

    path: Path
    flags: tuple[str, ...]
    output: Path


@final
@dataclass(frozen=True, slots=True)
class Context:
    """A file through which another can be parsed, and the flags for that."""

    path: Path
    flags: tuple[str, ...]


@final
class Project:
    """All inputs of a command. What is learnt of a file is kept, so that each is read once.

    `parses` tells of files whether they can be parsed alone. `shared_kernels` holds, for inputs
    that had to be parsed on behalf of another, the kernels that they define (clang's unified symbol
    names) and whether those take shared bytes. `reached` are the files that a compiler read,
    `units` is what clang made of the latest ones.
    """

    def __init__(self, inputs: Iterable[InputFile]) -> None:
        self.inputs = tuple(inputs)
        self.graph = IncludeGraph(
            directory for each in self.inputs for directory in search_directories(each.flags)
        )
        self.launches = ProjectLaunches(self.graph, map(real_path, (i.path for i in self.inputs)))
        self.shared_kernels: dict[Path, dict[str, bool]] = {}
        self.parses: dict[Path, bool] = {}
        self.reached: set[Path] = set()
        self.units = ParseCache()
        self._cuda: dict[Path, bool] = {}
        self._reads_openmp = any(f.startswith("-fopenmp") for i in self.inputs for f in i.flags)
        self._invoked: frozenset[str] | None = None
        self._clashing: frozenset[Signature] | None = None
        self._classes: frozenset[str] | None = None
        self._by_real = {real_path(each.path): each for each in self.inputs}

    @staticmethod
    def alone(path: Path, flags: tuple[str, ...], output: Path) -> Project:
        """The project of a single file."""
        return Project((InputFile(path, flags, output),))

    def is_input(self, path: Path) -> bool:
        return real_path(path) in self._by_real

    def output_of(self, path: Path) -> Path | None:
        """Where the translation of an input goes."""
        known = self._by_real.get(real_path(path))
        return None if known is None else known.output

    def is_root(self, path: Path) -> bool:
        """Whether a compiler is given this input: a source that no other input includes."""
        real = real_path(path)
        others = (each for each in self._by_real if each != real)
        return not is_header(path) and not any(
            real in self.graph.closure(other) for other in others
        )

    def is_linked_with_others(self, path: Path) -> bool:
        """Whether this is one of several inputs that a compiler is given."""
        return self.is_root(path) and any(
            self.is_root(each.path)
            for each in self.inputs
            if real_path(each.path) != real_path(path)
        )

    def staying_includes(self, path: Path) -> frozenset[str]:
        """The includes of `path`, as spelled, that lead to no input."""
        direct = self.graph.direct(real_path(path))
        return frozenset(one.spelled for one in direct if one.target not in self._by_real)

    def translated_includes(self, path: Path) -> dict[str, str]:
        """For the includes of `path` that lead to inputs: the spelling and what it becomes, the
        path from the one output to the other. Headers that stay, also such as are only called as
        CUDA's, are named as before, or where they are if the output is not beside its source."""
        own = self._by_real.get(real_path(path))
        if own is None:
            return {}
        directory = os.path.dirname(os.path.abspath(own.output))  # noqa: PTH100, PTH120
        is_elsewhere = real_path(Path(directory)) != real_path(path.parent)
        renamed: dict[str, str] = {}
        for inclusion in self.graph.direct(real_path(path)):
            other = self._by_real.get(inclusion.target)
            if other is not None:
                target = os.path.abspath(other.output)  # noqa: PTH100 - links stay
                renamed[inclusion.spelled] = _spelled(os.path.relpath(target, directory))
                continue
            called_as_cuda = inclusion.target.name in REPLACED_INCLUDES
            if called_as_cuda and self._has_cuda(inclusion.target):
                continue
            beside = real_path(real_path(path).parent / text_as_name(inclusion.spelled))
            if is_elsewhere and beside == inclusion.target:
                place = os.path.relpath(inclusion.target, real_path(Path(directory)))
                renamed[inclusion.spelled] = _spelled(place)
            elif called_as_cuda:
                renamed[inclusion.spelled] = inclusion.spelled
        return renamed

    def invoked_names(self) -> frozenset[str]:
        """The names that the code of the inputs, and of what they include, comes to."""
        if self._invoked is None:
            files = dict.fromkeys(
                file
                for each in self.inputs
                for file in (real_path(each.path), *self.graph.closure(real_path(each.path)))
            )
            sources = (self.graph.source(file) for file in files)
            texts = (source.text for source in sources if source is not None)
            self._invoked = invoked_names(map(lex, texts))
        return self._invoked

    def clashing_functions(self) -> frozenset[Signature]:
        """Signatures of the device functions that several programs among the inputs define."""
        if self._clashing is None:
            self._clashing = clashing_signatures(self._roots())
        return self._clashing

    def clashing_classes(self) -> frozenset[str]:
        """The names of classes that programs among the inputs define differently."""
        if self._classes is None:
            self._classes = clashing_classes(self._roots())
        return self._classes

    def has_managed_variables(self) -> bool:
        """Does an input have variables that host and device share, by the word or by a macro?"""
        sources = [self.graph.source(real_path(each.path)) for each in self.inputs]
        if not any("__managed__" in source.text for source in sources if source is not None):
            return False
        files = [lex(source.text) for source in sources if source is not None]
        table = {macro.name: macro for file in files for macro in macros(file)}
        words = {token.text for file in files for token in file.code}
        return any(
            word == "__managed__" or (word in table and expands_to(table, word, "__managed__"))
            for word in words
        )

    def _roots(self) -> list[LexedFile]:
        """The sources that programs are made of, where there are several."""
        roots = [real_path(each.path) for each in self.inputs if self.is_root(each.path)]
        sources = [] if len(roots) < 2 else [self.graph.source(root) for root in roots]
        return [lex(source.text) for source in sources if source is not None]

    def kernels_elsewhere(self, path: Path) -> frozenset[str]:
        """Words that stand in front of a parenthesis behind `__global__` in the other inputs: the
        names of their kernels are among them."""
        others = {real_path(one.path) for one in self.inputs} - {real_path(path)}
        sources = [self.graph.source(one) for one in sorted(others)]
        found: set[str] = set()
        for source in sources:
            for head in _KERNEL_HEAD.findall("" if source is None else source.text):
                found.update(_BEFORE_PARENTHESIS.findall(head))
        return frozenset(found)

    def contexts(self, path: Path, flags: tuple[str, ...]) -> Iterator[Context]:
        """Files that include `path`: inputs first, then sources beside it. Of the inputs, those
        known to parse come first, then programs, then those that include it directly."""
        real = real_path(path)
        includers = [each for each in self.inputs if real in self.graph.closure(_real(each))]

        def rank(each: InputFile) -> tuple[bool, bool, bool]:
            parses = self.parses.get(_real(each)) is True
            return not parses, not self.is_root(each.path), not self._includes(each.path, real)

        yield from (Context(each.path, each.flags) for each in sorted(includers, key=rank))
        for beside in sorted(path.absolute().parent.iterdir()):
            if beside.suffix in _SOURCE_SUFFIXES and not self.is_input(beside):
                candidate = path.parent / beside.name
                if real in self.graph.closure(real_path(candidate)):
                    yield Context(candidate, flags)

    def _includes(self, path: Path, target: Path) -> bool:
        return any(one.target == target for one in self.graph.direct(real_path(path)))

    def why_translate(self, path: Path) -> str | None:
        """Why `path`, a file that is no input, cannot stay as it is; None where it can."""
        real = real_path(path)
        if real in self._by_real:
            return None
        if self._has_cuda(real):
            return "has CUDA in it, but is not translated"
        for file in self.graph.closure(real):
            if file in self._by_real or self._has_cuda(file):
                return f"includes '{file.name}', but is not translated"
        return None

    def left_out(self) -> tuple[Path, ...]:
        """The files that inputs include and that should not stay as they are, without NVIDIA's own.

        They are named from the first input that includes them, as its user might.
        """
        found: dict[Path, Path] = {}
        for each in self.inputs:
            for file in self.graph.closure(_real(each)):
                if file in found or _is_of_toolkit(file.parent):
                    continue
                if self.why_translate(file) is not None or self._asks_for_openmp(file):
                    there = os.path.relpath(file, real_path(each.path.parent))
                    found[file] = Path(os.path.normpath(each.path.parent / there))
        return tuple(found.values())

    def _asks_for_openmp(self, path: Path) -> bool:
        """Whether the header's text means something else to the compiler of the translation."""
        source = self.graph.source(path)
        if self.is_input(path) or source is None or self._reads_openmp:
            return False
        return any(openmp_conditions(source.text))

    def _has_cuda(self, path: Path) -> bool:
        if path not in self._cuda:
            source = self.graph.source(path)
            self._cuda[path] = source is not None and needs_cuda(source.text)
        return self._cuda[path]


@cache
def _is_of_toolkit(directory: Path) -> bool:
    """Whether the directory, or one above it, holds the headers of CUDA's runtime."""
    if (directory / _TOOLKIT).is_file():
        return True
    return directory != directory.parent and _is_of_toolkit(directory.parent)


def _real(file: InputFile) -> Path:
    return real_path(file.path)


def _spelled(path: str) -> str:
    return name_as_text(Path(path).as_posix())
