"""Launches that gradients are checked with, as users write them.

    saxpy<<<3, 64>>>(n = 150, a = 2.5, x = [n], y = [n : -1 .. 1])

Names are those of the kernel's parameters, and of members of structures (`p.x = [n], p.dt = 0.1`),
in any order; what is left out gets a usual value.
Numbers are C++ expressions, which may use value parameters. A buffer is `[count]` or
`[count : initial]`, where `initial` is a range `low .. high` of random numbers or a C++ expression
of the element's index `i`, in which `uniform(low, high)` is a random number; `nullptr` is a buffer,
too. Dimensions are expressions, `dim3(...)`, or
`(x, y, z)`; a third one is the number of bytes of dynamic shared memory.

A function of C is called, not launched: `dot(n = 150, x = [n], y = [n])`.

In a source, comments that begin with `g2o-verify:` have launches; they may go on for several lines:

    // g2o-verify: stencil<<<(2, 2), (8, 8)>>>(n = 14,
    //     u = [n * n], v = [n * n])
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, final

_COMMENT: Final = re.compile(r"^[ \t]*//[ \t]*g2o-verify:[ \t]*(.*)$")
_CONTINUED: Final = re.compile(r"^[ \t]*//(.*)$")
_SETTING: Final = re.compile(r"(tolerance|differences)[ \t]*=[ \t]*([0-9.eE+-]+|none)")
_NAME: Final = re.compile(r"(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*")
_ARGUMENT: Final = re.compile(r"([A-Za-z_]\w*(?:\.\w+(?:\[\d+\])*)*)\s*=(?!=)\s*(.+)", re.DOTALL)
_OPENING: Final = "([{"
_CLOSING: Final = ")]}"


class LaunchSyntaxError(ValueError):
    """A launch that cannot be read; the message says where."""


@final
@dataclass(frozen=True, slots=True)
class Buffer:
    """Memory that a pointer points to: C++ expressions; `initial` "" is the usual value."""

    count: str
    initial: str = ""


@final
@dataclass(frozen=True, slots=True)
class Launch:
    """One launch. `kernel` is its name with namespaces, `arguments` what is said of parameters.
    The call of a function has neither grid nor block.

    `template` has the template arguments with their brackets, `shared_bytes` is "0" where unsaid.
    """

    kernel: str
    grid: str
    block: str
    shared_bytes: str = "0"
    template: str = ""
    arguments: Mapping[str, str | Buffer] = field(default_factory=dict[str, "str | Buffer"])

    @property
    def name(self) -> str:
        """The kernel's own name."""
        return self.kernel.rpartition("::")[2]

    def shown(self) -> str:
        """The launch up to its arguments, as the user would write it."""
        if not self.grid:
            return self.kernel
        bytes_ = "" if self.shared_bytes == "0" else f", {self.shared_bytes}"
        return f"{self.kernel}{self.template}<<<{self.grid}, {self.block}{bytes_}>>>"


@final
@dataclass(frozen=True, slots=True)
class Tolerances:
    """Relative deviations that are allowed; 0 what the types allow, `differences` < 0: no look.

    `adjoint` is that between adjoint and tangent, `differences` that between tangent and finite
    differences.
    """

    adjoint: float = 0.0
    differences: float = 0.0


@final
@dataclass(frozen=True, slots=True)
class Requests:
    """What the comments of a source ask for."""

    launches: tuple[Launch, ...]
    tolerances: Tolerances


def read_requests(source: str) -> Requests:
    """The launches and tolerances in the comments of `source`; raises LaunchSyntaxError."""
    launches: list[Launch] = []
    settings: dict[str, float] = {}
    lines = iter(source.splitlines())
    for line in lines:
        found = _COMMENT.match(line)
        if found is None:
            continue
        text = found[1]
        setting = _SETTING.fullmatch(text.strip())
        if setting is not None:
            settings[setting[1]] = -1.0 if setting[2] == "none" else float(setting[2])
            continue
        while _is_open(text):
            more = _CONTINUED.match(next(lines, ""))
            if more is None:
                raise LaunchSyntaxError(f"{text!r}: a bracket is not closed")
            text += " " + more[1].strip()
        launches.append(parse_launch(text))
    tolerances = Tolerances(settings.get("tolerance", 0.0), settings.get("differences", 0.0))
    return Requests(tuple(launches), tolerances)


def parse_launch(text: str) -> Launch:
    """The launch that `text` spells; raises LaunchSyntaxError."""
    begin, end = text.find("<<<"), text.find(">>>")
    name = _NAME.match(text.strip())
    if name is not None and begin < 0 and text.strip()[name.end() :].lstrip().startswith("("):
        return Launch(name[0], "", "", arguments=_arguments(text, text.index("(")))
    if name is None or begin < 0 or end < begin:
        raise LaunchSyntaxError(f"{text!r}: expected `kernel<<<grid, block>>>(name = value, ...)`")
    template = text.strip()[name.end() : text.strip().find("<<<")].strip()
    if template and not (template.startswith("<") and template.endswith(">")):
        raise LaunchSyntaxError(f"{template!r} is not a list of template arguments")
    dimensions = split_at(text[begin + 3 : end], ",")
    if len(dimensions) not in (2, 3):
        raise LaunchSyntaxError(f"{text!r}: expected grid and block between <<< and >>>")
    arguments = _arguments(text, end + 3)
    grid, block = map(_dimension, dimensions[:2])
    bytes_ = dimensions[2] if len(dimensions) == 3 else "0"
    return Launch(name[0], grid, block, bytes_, template, arguments)


def _arguments(text: str, begin: int) -> dict[str, str | Buffer]:
    """What stands in the parentheses at the end of a launch."""
    rest = text[begin:].strip().removesuffix(";").strip()
    if not (rest.startswith("(") and rest.endswith(")")):
        raise LaunchSyntaxError(f"{text!r}: expected arguments in parentheses at the end")
    return dict(_argument(word) for word in split_at(rest[1:-1], ",") if word)


def split_at(text: str, separator: str) -> list[str]:
    """The parts of `text` between the separators outside of all brackets, stripped."""
    parts: list[str] = []
    depth = begin = position = 0
    while position < len(text):
        letter = text[position]
        if letter in _OPENING:
            depth += 1
        elif letter in _CLOSING:
            depth -= 1
        elif depth == 0 and text.startswith(separator, position):
            parts.append(text[begin:position].strip())
            position += len(separator)
            begin = position
            continue
        position += 1
    parts.append(text[begin:].strip())
    return parts


def _is_open(text: str) -> bool:
    opened = sum(map(text.count, _OPENING))
    return opened > sum(map(text.count, _CLOSING)) or not text.rstrip().endswith((")", ");"))


def _dimension(text: str) -> str:
    """A dimension as an expression that makes a dim3: (2, 3) is dim3(2, 3)."""
    return f"dim3{text}" if text.startswith("(") and len(split_at(text[1:-1], ",")) > 1 else text


def _argument(text: str) -> tuple[str, str | Buffer]:
    found = _ARGUMENT.fullmatch(text)
    if found is None:
        raise LaunchSyntaxError(f"{text!r}: expected `name = value`")
    name, value = found[1], found[2].strip()
    if not value.startswith("["):
        return name, _drawn(value)
    if not value.endswith("]"):
        raise LaunchSyntaxError(
            f"{text!r}: expected `name = [count]` or `name = [count : initial]`"
        )
    count, _, initial = _at_colon(value[1:-1])
    if not count:
        raise LaunchSyntaxError(f"{text!r}: how many elements?")
    return name, Buffer(count, _drawn(initial))


def _at_colon(text: str) -> tuple[str, str, str]:
    """`count : initial` in two; colons of `a ? b : c` and `a::b` do not count."""
    hidden = text.replace("::", "\0\0")
    parts = split_at(hidden, ":")
    if len(parts) == 1 or "?" in parts[0]:
        return text.strip(), "", ""
    begin = hidden.index(":")
    return text[:begin].strip(), ":", text[begin + 1 :].strip()


def _drawn(text: str) -> str:
    """`low .. high` as a call that draws a random number."""
    parts = split_at(text, "..")
    if len(parts) != 2:
        return text
    return f"g2o_check::between<Value>({parts[0]}, {parts[1]})"
