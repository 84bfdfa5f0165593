"""What `--grad`, `--jvp`, `--hvp` and `--estimate-error` ask for: `kernel`, or
`kernel(y, ...)/(x, ...)`; of a template also `kernel<float, 4>`."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import final

from g2o.ad.member_pointers import leads_to_reals
from g2o.ad.pointer_tables import is_table
from g2o.ad.reals import carries
from g2o.diagnostics.diagnostic import Diagnostic, Note, Refusal, error
from g2o.diagnostics.source import SourceSpan
from g2o.ir.symbols import Symbol
from g2o.spec import parse_spec

_PRAGMA = re.compile(
    r"^[ \t]*#[ \t]*pragma[ \t]+g2o[ \t]+(?P<mode>grad|jvp|hvp|error)\b[ \t]*"
    r"(?P<spec>(?:\\\r?\n|[^\n])*)$",
    re.MULTILINE,
)
_CONTINUED = re.compile(r"\\\r?\n[ \t]*")


@final
@dataclass(frozen=True, slots=True)
class Asked:
    """The parameters that get shadows; `whole` where the request leaves nothing out on purpose."""

    parameters: tuple[Symbol, ...]
    whole: bool


@final
@dataclass(frozen=True, slots=True)
class Request:
    """A derivative of `kernel` ("" for every one). `names` are the parameters that have shadows;
    None for all that can; `dependents` are those in front of the `/`. `instances` are template
    arguments that are wanted, `<float, 4>`."""

    kernel: str
    names: tuple[str, ...] | None = None
    span: SourceSpan | None = None
    instances: tuple[str, ...] = ()
    dependents: tuple[str, ...] = ()

    def asked(self, parameters: Sequence[Symbol], *, by_address: bool = False) -> Asked:
        """The active parameters of a kernel; `by_address`: structures with pointers are, too, where
        their address is handed, and pointers to pointers. Raises Refusal for names that it does not
        have."""
        able = [
            one.name
            for one in parameters
            if carries(one.type)
            or leads_to_reals(one.type)
            or (by_address and one.type.element and leads_to_reals(one.type.element))
            or (by_address and is_table(one.type))
        ]
        if self.names is None:
            return Asked(tuple(one for one in parameters if one.name in able), True)
        known = {one.name: one for one in parameters}
        note = Note(f"parameters with real numbers: {', '.join(able) or 'none'}")
        if not self.names:
            message = f"the request for '{self.kernel}' names no parameter"
            raise Refusal(error("G2O0402", message, self.span, note))
        for name in self.names:
            if name not in known:
                message = f"'{self.kernel}' has no parameter '{name}'"
                raise Refusal(error("G2O0402", message, self.span, note))
            if name not in able:
                message = f"parameter '{name}' of '{self.kernel}' has nothing to differentiate"
                raise Refusal(error("G2O0402", message, self.span, note))
        return Asked(tuple(one for one in parameters if one.name in self.names), False)


def parse_request(spec: str) -> Request | None:
    """The request that a SPEC makes; None where it is not one."""
    found = parse_spec(spec)
    if found is None:
        return None
    chosen = (found.arguments,) if found.arguments else ()
    if found.dependents is None or found.independents is None:
        return Request(found.kernel, instances=chosen)
    names = tuple(dict.fromkeys((*found.dependents, *found.independents)))
    return Request(found.kernel, names, instances=chosen, dependents=tuple(found.dependents))


def request_for(kernel: str, specs: Collection[str], pragma: str | None) -> tuple[Request, ...]:
    """What is asked of one kernel: by SPECs that name it, else by the pragma in front of it, else
    by a SPEC for every kernel.

    Raises Refusal for a pragma that is no request.
    """
    parsed = [request for spec in specs if (request := parse_request(spec)) is not None]
    own = tuple(dict.fromkeys(one for one in parsed if one.kernel == kernel))
    if own:
        chosen = tuple(dict.fromkeys(one for request in own for one in request.instances))
        return (replace(own[-1], instances=chosen),)
    if pragma is not None:
        found = parse_request(kernel + pragma)
        if found is None:
            raise Refusal(_no_request(f"#pragma g2o ... {pragma}", "`(y, ...)/(x, ...)`"))
        return (found,)
    return tuple(Request(kernel) for one in parsed if not one.kernel)[:1]


def unknown_kernels(
    specs: Collection[str], kernels: Collection[str], elsewhere: Collection[str] = ()
) -> list[Diagnostic]:
    """Errors for SPECs that name a kernel the file does not have, nor other files of the command
    (`elsewhere`), or that are none."""
    found: list[Diagnostic] = []
    for spec in specs:
        request = parse_request(spec)
        if request is None:
            expected = "`kernel`, `kernel<float>` or `kernel(y, ...)/(x, ...)`"
            found.append(_no_request(spec, expected))
        elif request.kernel and request.kernel not in {*kernels, *elsewhere}:
            note = Note(f"kernels of the file: {', '.join(dict.fromkeys(kernels)) or 'none'}")
            found.append(error("G2O0402", f"there is no kernel '{request.kernel}'", None, note))
    return found


def requests_at_odds(specs: Collection[str]) -> list[Diagnostic]:
    """Errors for kernels of which SPECs of one option want different derivatives."""
    wanted: dict[str, list[frozenset[str] | None]] = {}
    for request in map(parse_request, specs):
        if request is not None and request.kernel:
            names = None if request.names is None else frozenset(request.names)
            wanted.setdefault(request.kernel, []).append(names)
    note = Note("one is written for each kernel: name all its parameters in one request")
    return [
        error("G2O0402", f"several requests for '{kernel}' that differ", None, note)
        for kernel, names in wanted.items()
        if len(set(names)) > 1
    ]


def _no_request(text: str, expected: str) -> Diagnostic:
    return error("G2O0402", f"'{text}' is no request: expected {expected}")


def pragma_of(text: str, begin: int, mode: str) -> str | None:
    """What `#pragma g2o grad ...` in front of the kernel that begins at `begin` says."""
    above = text[:begin]
    end = len(above.rstrip())
    for found in reversed(list(_PRAGMA.finditer(above))):
        between = above[found.end() : end]
        if re.sub(r"//[^\n]*|/\*.*?\*/|#[^\n]*", "", between, flags=re.DOTALL).strip():
            return None
        if found["mode"] == mode:
            return _CONTINUED.sub("", found["spec"]).strip()
    return None


def pragmas_in(text: str) -> list[tuple[int, int]]:
    """Where the requests of a source stand, each with the end of its line."""
    return [(found.start(), min(found.end() + 1, len(text))) for found in _PRAGMA.finditer(text)]
