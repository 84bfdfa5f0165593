"""What the text edits need to know beyond the text, and what they hand back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import final

from g2o.diagnostics.diagnostic import Diagnostic
from g2o.frontend.cuda.clashes import Signature
from g2o.frontend.edits import TextEdit


@final
@dataclass(frozen=True, slots=True)
class KernelFact:
    """A kernel visible in the unit, by its unqualified name.

    `takes_shared_bytes`: it has `extern __shared__` memory, so that its translation has a
    parameter `std::size_t shared_bytes`. `may_start_with_size`: its own first parameter is, or may
    be, a `std::size_t`, which looks the same. `is_plain`: it is no template, and no other kernel
    has its name. `has_defaults`: some arguments may be left out.
    `parameters`: so many the only template of the name has.
    """

    name: str
    takes_shared_bytes: bool
    may_start_with_size: bool = False
    is_plain: bool = True
    has_defaults: bool = False
    parameters: int | None = None


def _no_renames() -> dict[int, str]:
    return {}


def _no_includes() -> dict[str, str]:
    return {}


@final
@dataclass(frozen=True, slots=True)
class UnitFacts:
    """What the compiler knows about the file that is edited.

    kernels             -- by unqualified name
    user_declared       -- names of functions, variables, types and macros that the program itself
                           declares; never renamed blindly
    semantic_renames    -- offset of an identifier in the file -> emitted name, where only the
                           compiler can tell (`min` -> `g2o::min`)
    translated_includes -- include as spelled (`kernel.cuh`) -> what it becomes (`kernel.omp.hpp`)
    staying_includes    -- those, as spelled, that lead to files which are no input
    empty_includes      -- headers of libraries that are read, and of which nothing is used
    inactive            -- byte ranges that the preprocessor skips; nothing is reported in them
    runtime_header      -- how the output names the runtime header
    invoked             -- gives the names that the code of the project comes to, macros expanded
    reads_openmp        -- the source was read with OpenMP switched on
    clashing            -- signatures of device functions that several sources define
    function_macros     -- macros with parameters that the program defines
    inline_macros       -- macros of the program's files that stand for `inline` or `static`
    extern_variables    -- variables that headers of the program declare `extern`
    of_each_source      -- functions of headers that use variables of which every source has a copy
    launch_sizes        -- gives how many sizes stand behind each `<<<`, macros expanded
    casts_between_types -- memory is read as another type than it was written as, by casts in C's
                           notation
    """

    kernels: Mapping[str, KernelFact]
    user_declared: frozenset[str] = frozenset()
    semantic_renames: Mapping[int, str] = field(default_factory=_no_renames)
    translated_includes: Mapping[str, str] = field(default_factory=_no_includes)
    staying_includes: frozenset[str] = frozenset()
    empty_includes: frozenset[str] = frozenset()
    is_header: bool = False
    inactive: tuple[tuple[int, int], ...] = ()
    runtime_header: str = "g2o_runtime.hpp"
    invoked: Callable[[], frozenset[str]] | None = None
    reads_openmp: bool = False
    clashing: frozenset[Signature] = frozenset()
    function_macros: frozenset[str] = frozenset()
    inline_macros: frozenset[str] = frozenset()
    extern_variables: frozenset[str] = frozenset()
    of_each_source: frozenset[str] = frozenset()
    casts_between_types: bool = False
    launch_sizes: Callable[[], Mapping[int, frozenset[int]]] | None = None
    has_device: bool = False
    portable: bool = False  # whether a CPU may be the device
    others: bool = False  # whether programs of other inputs are linked with this one
    reads_torch: bool = False  # whether PyTorch's headers are among those that are read
    managed: bool = False  # whether host and device share variables of the project
    pasting: Mapping[str, tuple[str, int]] = field(default_factory=dict[str, tuple[str, int]])
    """Macros that put `cuda` in front of what an argument, of this number, begins with."""

    def is_active(self, offset: int) -> bool:
        return not any(begin <= offset < end for begin, end in self.inactive)


@final
@dataclass(frozen=True, slots=True)
class HostEdits:
    """Edits in order, none overlapping another, and what was found wrong on the way."""

    edits: tuple[TextEdit, ...]
    diagnostics: tuple[Diagnostic, ...]
