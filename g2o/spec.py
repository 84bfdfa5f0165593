"""SPECs of derivatives: `kernel`, `kernel(y, ...)/(x, ...)`; of a template `kernel<float, 4>`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, final

_SPEC: Final = re.compile(
    r"\s*(?P<kernel>[\w:]*)(?P<arguments>\s*<[^()]*>)?\s*"
    r"(?:\((?P<dependents>[^()]*)\)\s*/\s*\((?P<independents>[^()]*)\))?\s*"
)


@final
@dataclass(frozen=True, slots=True)
class Spec:
    """What a SPEC says. `arguments` are those of a template, `<float, 4>`, or "". Dependents and
    independents are None where it names none: all that can be are meant."""

    kernel: str
    arguments: str
    dependents: tuple[str, ...] | None
    independents: tuple[str, ...] | None

    def of_instance(self, kernel: str) -> str:
        """The text of this SPEC, of the instance that `kernel` names, if it is of a template."""
        _, bracket, arguments = kernel.partition("<")
        named = f"{self.kernel}{self.arguments or bracket + arguments}"
        if self.dependents is None or self.independents is None:
            return named
        return f"{named}({', '.join(self.dependents)})/({', '.join(self.independents)})"


def parse_spec(text: str) -> Spec | None:
    """What the text of a SPEC says; None where it is not one."""
    found = _SPEC.fullmatch(text)
    if found is None:
        return None
    dependents, independents = map(_names, (found["dependents"], found["independents"]))
    return Spec(found["kernel"], (found["arguments"] or "").strip(), dependents, independents)


def _names(listed: str | None) -> tuple[str, ...] | None:
    if listed is None:
        return None
    return tuple(dict.fromkeys(name for each in listed.split(",") if (name := each.strip())))
