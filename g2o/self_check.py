"""What is written was parsed first: nothing that does not compile leaves without a word.

    translation of k at -O2   error: ...   ->   of k at -O1, at -O0, with a warning
                                           ->   of k as instances of templates leave it
                                           ->   k is refused

A compiler's error in a kernel, or in its derivatives, costs that kernel its optimisation, or in the
end its translation. One elsewhere costs the file its translation, unless the source has it, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, final

from g2o.diagnostics.diagnostic import Diagnostic, error
from g2o.frontend.cuda.unit import strict_errors
from g2o.frontend.output.written import Fault, Written, faults
from g2o.passes import REPORT, Plainly, TranslateOptions
from g2o.pipeline import Translation

Outcome = tuple[Translation | None, tuple[Diagnostic, ...]]

_DERIVED: Final = re.compile(r"(.*)_(?:grad|jvp|hvp|error)")
_TOLD: Final = 3  # errors of one file outside of its kernels


@final
@dataclass(frozen=True, slots=True)
class Output:
    """A translation that is about to be written to `path`, with its declarations at `header`.

    `again` translates the file with other options; `is_root`: a compiler is given it; `is_alone`:
    it can be parsed without another file that includes it.
    """

    source: Path
    path: Path
    header: Path
    options: TranslateOptions
    is_root: bool
    is_alone: bool
    outcome: Outcome
    again: Callable[[TranslateOptions], Outcome]


def self_check(outputs: Sequence[Output], runtime: Mapping[Path, bytes]) -> tuple[Outcome, ...]:
    """What becomes of the outputs of one command. `runtime` are the headers of g2o's own that are
    written with them."""
    current = tuple(outputs)
    own: dict[Path, frozenset[str]] = {}
    while True:
        if not _are_to_be_written(current):
            return tuple(one.outcome for one in current)
        found = tuple(dict.fromkeys(_faults(current, runtime, own)))
        plainer = tuple(_plainer(one, found) for one in current)
        if plainer == tuple(one.options for one in current):
            whole = all(_is_complete(one) for one in current)
            return tuple(_with_faults(one, found) if whole else one.outcome for one in current)
        current = tuple(
            one if options is one.options else _again(one, options)
            for one, options in zip(current, plainer, strict=True)
        )


def _are_to_be_written(outputs: Sequence[Output]) -> bool:
    """All or none are, unless what can be is asked for."""
    made = [one for one in outputs if one.outcome[0] is not None]
    return any(one.options.keep_going for one in made) or (
        len(made) == len(outputs) > 0 and all(_is_complete(one) for one in made)
    )


def _is_complete(one: Output) -> bool:
    translation = one.outcome[0]
    return translation is not None and translation.ok


def _again(one: Output, options: TranslateOptions) -> Output:
    return replace(one, options=options, outcome=one.again(options))


def _faults(
    outputs: Sequence[Output], runtime: Mapping[Path, bytes], own: dict[Path, frozenset[str]]
) -> Iterator[Fault]:
    """The errors in all files, without those that their sources have: `own`, as far as known."""
    texts = dict(runtime)
    instances: list[str] = []
    roots: list[tuple[Output, Path]] = []
    for one in outputs:
        translation = one.outcome[0]
        if translation is None:
            continue
        texts[one.path] = translation.code.encode("latin-1")
        instances.extend(translation.instances)
        if one.is_root:
            roots.append((one, one.path))
        if translation.header is not None:
            texts[one.header] = translation.header.encode("latin-1")
            roots.append((one, one.header))
    for one, path in roots or [(one, one.path) for one in outputs if one.path in texts]:
        if not one.is_alone:
            continue
        flags, offload = one.options.clang_flags, one.options.target == "offload"
        written = Written(texts, flags, (one.source.parent,), offload)
        found = faults(written, path, instances if path == one.path else ())
        if found:
            if one.source not in own:
                own[one.source] = frozenset(strict_errors(one.source, flags))
            yield from (fault for fault in found if fault.text not in own[one.source])


def _plainer(one: Output, found: Sequence[Fault]) -> TranslateOptions:
    """The options with which the kernels that have faults are to be translated again."""
    translation = one.outcome[0]
    options = one.options
    if translation is None:
        return options
    faulty: dict[str, Fault] = {}
    for fault in found:
        kernel = _kernel_of(fault, translation.kernels) if fault.file == one.path else None
        if kernel is not None:
            faulty.setdefault(kernel, fault)
    known = {each.kernel: each for each in options.plainly}
    for kernel, fault in faulty.items():
        level = known[kernel].optimisation if kernel in known else options.optimisation
        instances = kernel in known and known[kernel].by_instances
        if level < 0 and not instances:
            continue  # it is an #error already
        known[kernel] = Plainly(kernel, max(level - 1, -1), fault.text, fault.span, level == 0)
    plainly = tuple(known.values())
    return options if plainly == options.plainly else replace(options, plainly=plainly)


def _kernel_of(fault: Fault, kernels: Sequence[str]) -> str | None:
    """The kernel whose translation, or whose derivative, has the fault: the adjoint of a function
    stands in front of that of the kernel which calls it."""
    if fault.inside is None:
        return None
    derived = _DERIVED.fullmatch(fault.inside)
    for name in (fault.inside, *fault.behind) if derived else (fault.inside,):
        if name in kernels:
            return name
        said = _DERIVED.fullmatch(name)
        if said is not None and said[1] in kernels:
            return said[1]
    return None


def _with_faults(one: Output, found: Sequence[Fault]) -> Outcome:
    """The outcome with the errors that no kernel can be blamed for. Where something is refused,
    they are of what calls it."""
    translation, told = one.outcome
    assert translation is not None
    own = [fault for fault in found if fault.file in (one.path, one.header, None)]
    if not own:
        return one.outcome
    errors = tuple(
        error("G2O0702", f"the translation does not compile: {fault.text}", fault.span, REPORT)
        for fault in own[:_TOLD]
    )
    return replace(translation, ok=False), (*told, *errors)
