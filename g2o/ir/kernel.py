"""Kernels and device functions."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final, final

from g2o.diagnostics.diagnostic import Diagnostic
from g2o.diagnostics.source import SourceSpan
from g2o.ir.expressions import Builtin, Expr
from g2o.ir.statements import Block, Stmt
from g2o.ir.symbols import Symbol, SymbolTable
from g2o.ir.types import VOID, CType

_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_TRUTH: Final = {"false": 0, "true": 1}


class MemberKind(Enum):
    """What a name stands for that only means something inside a class."""

    TYPE = "type"
    TEMPLATE = "class template"
    VALUE = "static member or function"


Spaces = tuple[str, ...]
"""Namespaces, outermost first."""
NameAround = tuple[str, Spaces, tuple[Spaces, ...]]
"""A name that a function uses, where what it means lies, and where others of this name do."""


@final
@dataclass(frozen=True, slots=True)
class Function:
    """A kernel or a device function whose body is known.

    `key` is unique in the translation unit. `template_parameters` are names, those of the class of
    a method first. `span` is the whole definition, `body.span` its braces.
    """

    name: str
    key: str
    parameters: tuple[Symbol, ...]
    body: Block
    span: SourceSpan
    symbols: SymbolTable = field(compare=False, repr=False)
    name_offset: int = 0
    is_kernel: bool = False
    result: CType = VOID
    template_parameters: tuple[str, ...] = ()
    max_threads: int | None = None
    receiver: Symbol | None = None  # `this` of a method that is not static
    defaults: tuple[Expr | None, ...] = ()  # default arguments, one for each parameter
    template_defaults: tuple[str, ...] = ()  # as spelled, one for each parameter; "": none
    template_types: tuple[bool, ...] = ()  # whether a parameter stands for a type
    owner_parameters: int = 0  # how many of the template parameters are those of the class
    owner: str = ""  # the qualified name of the class of a method
    owner_pattern: tuple[str, ...] = ()  # the template arguments of that class
    owner_fields: tuple[CType, ...] = ()  # the types of its members; nothing for static methods
    owner_members: tuple[tuple[str, MemberKind], ...] = ()  # names in its scope
    names_around: tuple[NameAround, ...] = ()
    is_constructor: bool = False
    is_specialised: bool = False  # a template of which the program defines a form apart
    file_shared: tuple[Symbol, ...] = ()  # `__shared__` memory of the file, declared in the body

    @property
    def is_internal(self) -> bool:
        """Is it static, or in an unnamed namespace? Clang's keys then name the file."""
        return not self.key.startswith("c:@")

    @property
    def name_span(self) -> SourceSpan:
        """Where its name stands."""
        return SourceSpan(self.span.file, self.name_offset, self.name_offset + len(self.name))

    @property
    def chosen(self) -> str:
        """The template arguments behind the name of an explicit specialisation, as spelled with
        their brackets; "" for all other functions."""
        text = self.span.file.text
        begin = self.name_offset + len(self.name)
        return text[begin : _end_of_arguments(text, begin)]


def _end_of_arguments(text: str, begin: int) -> int:
    """Behind the `>` of the template arguments that begin at an offset, if any do."""
    if not text.startswith("<", begin):
        return begin
    depth = 0
    for offset in range(begin, len(text)):
        depth += (text[offset] in "<(") - (text[offset] in ">)")
        if depth == 0:
            return offset + 1
    return begin


@final
@dataclass(frozen=True, slots=True)
class LaunchShape:
    """What every launch in the file agrees on: spelled constants per axis, None where unknown.

    `tables` are the least and the greatest element of the file's constant arrays, by name,
    `arguments` what every launch gives for parameters of the template, as it spells them;
    `launches` what each of them does, where they differ.
    """

    grid: tuple[str | None, str | None, str | None] = (None, None, None)
    block: tuple[str | None, str | None, str | None] = (None, None, None)
    values: Mapping[str, int] = field(default_factory=dict[str, int])  # of the named constants
    unsigned: frozenset[str] = frozenset()  # those of them that are
    tables: Mapping[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    arguments: Mapping[str, str] = field(default_factory=dict[str, str])
    launches: tuple[Mapping[str, str], ...] = ()
    apart: tuple[str, ...] = ()  # parameters that each launch gives memory of their own

    @property
    def extents(self) -> frozenset[str]:
        """The constants that a block has threads along an axis of."""
        return frozenset(spelled for spelled in self.block if spelled is not None)

    def as_launched(self) -> LaunchShape:
        """The same with the values of the template's parameters among the named constants: true of
        what is launched, not of all that the template stands for."""
        given = self.argument_values
        return replace(self, values={**self.values, **given}) if given else self

    @property
    def argument_values(self) -> dict[str, int]:
        """The numbers that every launch gives for parameters of the template."""
        return self._numbers(self.arguments)

    @property
    def argument_choices(self) -> tuple[dict[str, int], ...]:
        """The same for each launch that gives others."""
        found: list[dict[str, int]] = []
        for each in self.launches:
            own = self._numbers(each)
            found += [] if own in found else [own]
        return tuple(found) or (self.argument_values,)

    def _numbers(self, texts: Mapping[str, str]) -> dict[str, int]:
        known = {
            name: int(text) if text.isdecimal() else _TRUTH.get(text, self.values.get(text))
            for name, text in texts.items()
        }
        return {name: value for name, value in known.items() if value is not None}

    def of_instance(self, arguments: Mapping[str, str]) -> LaunchShape:
        """The same in an instance of the kernel's template, which does not know its parameters."""
        if not arguments:
            return self

        def given(spelled: str | None) -> str | None:
            return None if spelled is None else _NAME.sub(known, spelled)

        def known(name: re.Match[str]) -> str:
            return arguments.get(name[0], name[0])

        first, second, third = map(given, self.grid)
        x, y, z = map(given, self.block)
        shape = replace(self, grid=(first, second, third), block=(x, y, z))
        return shape.hiding(arguments)

    def hiding(self, names: Collection[str]) -> LaunchShape:
        """The same where `names` mean something else: parameters of the kernel's template."""
        if not any(name in self.values for name in names):
            return self
        values = {name: value for name, value in self.values.items() if name not in names}
        return replace(self, values=values)


@final
@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel with what is known about its launches.

    `relied` are the dimensions (BLOCK_DIM or GRID_DIM, axis) whose value at every launch a pass has
    built on: the emitted code checks them. So it does `relied_arguments`: parameters of the
    template, with what launches give for them, by launch. `is_unbounded`: there are as many threads
    as guards let through, whatever the launch says; such a kernel stands for one that shares out a
    loop. `of_loops`: along all axes, for it was made of nothing but loops, around which variables
    with names that are `changing` get other values.
    `has_spins`: threads wait for each other in loops of their own, for a lock or, `in_block_order`,
    for blocks with a lower index.
    """

    function: Function
    shape: LaunchShape = field(default_factory=LaunchShape)
    relied: frozenset[tuple[Builtin, int]] = frozenset()
    relied_arguments: tuple[tuple[tuple[str, int], ...], ...] = ()
    is_unbounded: bool = False
    of_loops: bool = False
    changing: frozenset[str] = frozenset()
    has_spins: bool = False
    in_block_order: bool = False

    @property
    def name(self) -> str:
        return self.function.name

    @property
    def body(self) -> Block:
        return self.function.body


@final
@dataclass(frozen=True, slots=True)
class LoweredKernel:
    """A kernel as an ordinary function: `body` loops over blocks and threads.

    `grid`, `block` and `shared_bytes` are the parameters that stand before the kernel's own.
    """

    function: Function
    body: tuple[Stmt, ...]
    grid: Symbol
    block: Symbol
    shared_bytes: Symbol | None
    remarks: tuple[Diagnostic, ...] = ()
