"""What all launches of a kernel agree on, over all files of the command.

A kernel of `kernel.cuh` that `main.cu` launches with `BLOCK` threads has a block of `BLOCK`, if
that name means the same where the kernel stands: it is defined in front of it, in the same file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, final

from g2o.diagnostics.source import SourceFile
from g2o.frontend.cuda.include_graph import IncludeGraph, real_path
from g2o.frontend.cuda.launch_dimensions import Dimensions, constant_names
from g2o.frontend.cuda.launch_targets import kernels_used_as_values
from g2o.frontend.cuda.launches import LaunchSite, launches
from g2o.frontend.cuda.lexer import lex
from g2o.frontend.cuda.macros import Macro, macros
from g2o.frontend.cuda.runtime_launches import asked_about, runtime_launches
from g2o.frontend.cuda.scopes import declarations
from g2o.frontend.cuda.template_heads import KernelTemplate, kernel_template
from g2o.ir.kernel import LaunchShape

_NAME: Final = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_MOST: Final = 8  # launches of a template with arguments of their own
_LAUNCHES: Final = re.compile(r"<\s*<\s*<|\bcudaLaunch")


@final
class ProjectLaunches:
    """Launches of all inputs, read on demand and once."""

    def __init__(self, graph: IncludeGraph, inputs: Iterable[Path]) -> None:
        """`inputs` are the real paths of the files of the command."""
        self._graph = graph
        self._inputs = tuple(inputs)
        self._constants: dict[Path, Mapping[str, int]] = {}
        self._defined: dict[Path, frozenset[str]] = {}
        self._templates: dict[Path, Mapping[str, KernelTemplate]] = {}
        self._sites: dict[Path, tuple[LaunchSite, ...]] = {}

    def shapes(
        self, path: Path, kernels: Mapping[str, int], context: Path | None
    ) -> dict[str, LaunchShape]:
        """The shape of each kernel of `path`, given by name and offset. `context` is the file
        through which `path` was parsed."""
        real = real_path(path)
        known = self.sites(path, kernels)
        shapes: dict[str, LaunchShape] = {}
        root = None if context is None else real_path(context)
        for name, offset in kernels.items():
            if known.get(name):
                visible = self._visible(real, offset, root)
                own = self._templates_of(real).get(name, KernelTemplate())
                shapes[name] = self._shape(known[name], visible, own)
        return shapes

    def sites(self, path: Path, kernels: Iterable[str]) -> dict[str, list[tuple[Path, LaunchSite]]]:
        """All launches of each kernel of `path`, given by name, with their files; no list for those
        that may be launched where nobody can see it."""
        real = real_path(path)
        known: dict[str, list[tuple[Path, LaunchSite]]] = {name: [] for name in kernels}
        hidden: set[str] = set()  # launched where nobody can see the sizes
        for file in self._inputs:
            source = self._graph.source(file)
            if source is None:
                continue
            meant = {name for name in known if self._means(file, name, real)}
            hidden |= kernels_used_as_values(source, meant, asked_about(source, meant))
            for site in self._sites_of(file, source):
                names = site.kernels or ({site.kernel} if site.kernel else meant)
                for name in meant.intersection(names):
                    known[name].append((file, site))
        return {name: found for name, found in known.items() if name not in hidden}

    def _sites_of(self, file: Path, source: SourceFile) -> tuple[LaunchSite, ...]:
        if file not in self._sites:
            found: tuple[LaunchSite, ...] = ()
            if _LAUNCHES.search(source.text):
                elsewhere = [self._constants_of(other) for other in self._graph.closure(file)]
                constants = frozenset(name for names in elsewhere for name in names)
                found = launches(source, constants, partial(self._macros_below, file))
                found += runtime_launches(source, constants)
            self._sites[file] = found
        return self._sites[file]

    def _macros_below(self, file: Path) -> list[Macro]:
        """What the files that `file` includes define."""
        sources = (self._graph.source(other) for other in self._graph.closure(file))
        return [macro for one in sources if one is not None for macro in macros(lex(one.text))]

    def _means(self, file: Path, name: str, defined_in: Path) -> bool:
        """Whether `name` in `file` can be the kernel of `defined_in`."""
        seen = (file, *self._graph.closure(file))
        definers = [other for other in seen if name in self._kernels_of(other)]
        return defined_in in definers or not definers

    def _kernels_of(self, file: Path) -> frozenset[str]:
        """Names of the kernels that the file itself defines."""
        if file not in self._defined:
            source = self._graph.source(file)
            names: frozenset[str] = frozenset()
            if source is not None and "__global__" in source.text:
                names = _defined_kernels(source.text)
            self._defined[file] = names
        return self._defined[file]

    def _templates_of(self, file: Path) -> Mapping[str, KernelTemplate]:
        """The templates of the kernels that the file itself defines."""
        if file not in self._templates:
            source = self._graph.source(file)
            self._templates[file] = {} if source is None else _kernel_templates(source.text)
        return self._templates[file]

    def _constants_of(self, file: Path) -> Mapping[str, int]:
        if file not in self._constants:
            self._constants[file] = {}  # for files that include each other
            source = self._graph.source(file)
            if source is not None:
                known = [self._constants_of(other) for other in self._graph.closure(file)]
                names = frozenset(name for each in known for name in each)
                self._constants[file] = constant_names(source.text, names)
        return self._constants[file]

    def _visible(self, file: Path, offset: int, root: Path | None) -> dict[str, set[Path]]:
        """The constants known at `offset` of `file`, each with the files that define it."""
        found: dict[str, set[Path]] = {}
        if root is None or root == file:
            self._add(file, offset, found)
        else:
            self._add_up_to(root, file, offset, found, set())
        return found

    def _add_up_to(
        self, file: Path, target: Path, offset: int, found: dict[str, set[Path]], seen: set[Path]
    ) -> None:
        """What `file`, and files on the way to `target`, define in front of it."""
        seen.add(file)
        for inclusion in self._graph.direct(file):
            step = inclusion.target
            if step == target:
                self._add(file, inclusion.offset, found)
                self._add(target, offset, found)
                return
            if step not in seen and target in self._graph.closure(step):
                self._add(file, inclusion.offset, found)
                self._add_up_to(step, target, offset, found, seen)
                return

    def _add(self, file: Path, limit: int, found: dict[str, set[Path]]) -> None:
        """What `file` defines, and includes, in front of `limit`."""
        for name, offset in self._constants_of(file).items():
            if offset <= limit:
                found.setdefault(name, set()).add(file)
        for inclusion in self._graph.direct(file):
            if inclusion.offset < limit:
                for other in (inclusion.target, *self._graph.closure(inclusion.target)):
                    for name in self._constants_of(other):
                        found.setdefault(name, set()).add(other)

    def _shape(
        self,
        sites: Sequence[tuple[Path, LaunchSite]],
        visible: Mapping[str, set[Path]],
        own: KernelTemplate,
    ) -> LaunchShape:
        def agreed(axis: int, *, block: bool) -> str | None:
            found = [
                self._understood(
                    (site.block_dims if block else site.grid_dims)[axis], file, site, visible, own
                )
                for file, site in sites
            ]
            return next((text for text in found[0] if all(text in each for each in found)), None)

        def dimensions(*, block: bool) -> Dimensions:
            return agreed(0, block=block), agreed(1, block=block), agreed(2, block=block)

        each = [site for _, site in sites]
        arguments = _agreed_arguments(each, own)
        found = tuple(_agreed_arguments([site], own) for site in each)
        launches = () if len(found) > _MOST or all(one == arguments for one in found) else found
        grid, block = dimensions(block=False), dimensions(block=True)
        return LaunchShape(grid, block, arguments=arguments, launches=launches)

    def _understood(
        self,
        extent: str | None,
        file: Path,
        site: LaunchSite,
        visible: Mapping[str, set[Path]],
        own: KernelTemplate,
    ) -> list[str]:
        """What the kernel can call the extent that the launch in `file` spells so.

        `own` is its template, whose parameters hide constants of the same name.
        """
        if extent is None:
            return []
        spelled = [argument.text for argument in site.template_arguments]
        called = {
            text: name
            for given in (site.template_values, spelled)
            for text, name in zip(given, own.parameters, strict=False)
            if name is not None and text is not None
        }  # what the launch says, as the kernel calls it
        renamed: dict[str, str] = {}
        for name in _names(extent):
            if name in site.template_names:
                if name not in called:
                    return []
                renamed[name] = called[name]
            elif name in own.parameters or not self._same(file, name, visible):
                break
        else:
            text = _NAME.sub(lambda match: renamed.get(match[0], match[0]), extent)
            name = called.get(extent, text)
            return [name, text] if name in own.sizes else [text, name]
        return [called[extent]] if extent in called else []

    def _same(self, file: Path, name: str, visible: Mapping[str, set[Path]]) -> bool:
        definers = {
            other
            for other in (file, *self._graph.closure(file))
            if name in self._constants_of(other)
        }
        return len(definers) == 1 and visible.get(name) == definers


def _agreed_arguments(sites: Sequence[LaunchSite], own: KernelTemplate) -> dict[str, str]:
    """What all launches give for the parameters of the template, which is `own`."""
    found: dict[str, str] = {}
    for position, name in enumerate(own.parameters):
        texts = {_argument(site, position) for site in sites}
        if name is not None and len(texts) == 1 and texts != {""}:
            found[name] = texts.pop()
    return found


def _argument(site: LaunchSite, position: int) -> str:
    """The constant that the launch gives the template there, or what it spells."""
    if position >= len(site.template_arguments):
        return ""
    return site.template_values[position] or site.template_arguments[position].text


def _names(extent: str) -> Iterator[str]:
    return (match.group() for match in _NAME.finditer(extent))


def _defined_kernels(text: str) -> frozenset[str]:
    tokens = lex(text).code
    names: set[str] = set()
    for declaration in declarations(lex(text)):
        name = declaration.name_index(tokens)
        words = tokens[declaration.specifiers : declaration.end]
        is_kernel = any(token.text == "__global__" for token in words)
        if declaration.has_body and name is not None and is_kernel:
            names.add(tokens[name].text)
    return frozenset(names)


def _kernel_templates(text: str) -> dict[str, KernelTemplate]:
    """The template of each kernel; none where definitions of one name differ."""
    tokens = lex(text).code
    found: dict[str, KernelTemplate] = {}
    for declaration in declarations(lex(text)):
        name = declaration.name_index(tokens)
        words = tokens[declaration.specifiers : declaration.end]
        if not declaration.has_body or name is None:
            continue
        if any(token.text == "__global__" for token in words):
            template = kernel_template(tokens, declaration)
            known = found.setdefault(tokens[name].text, template)
            found[tokens[name].text] = template if known == template else KernelTemplate()
    return found
