"""Diagnostics on their way to the user."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from enum import Enum
from typing import TextIO

import click

from g2o.diagnostics.diagnostic import Diagnostic
from g2o.diagnostics.render import render_text
from g2o.diagnostics.to_json import render_json
from g2o.diagnostics.to_sarif import render_sarif
from g2o.version import VERSION


class DiagnosticsFormat(Enum):
    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"


class CommandFault(Exception):
    """Ends a command with `diagnostics` and `exit_code`."""

    def __init__(self, exit_code: int, *diagnostics: Diagnostic) -> None:
        super().__init__("; ".join(diagnostic.message for diagnostic in diagnostics))
        self.exit_code = exit_code
        self.diagnostics = diagnostics


def emit(diagnostics: Iterable[Diagnostic], form: DiagnosticsFormat) -> None:
    """Print text to stderr, or one whole document to stdout (in UTF-8, whatever the locale)."""
    match form:
        case DiagnosticsFormat.TEXT:
            text = render_text(diagnostics, colour=wants_colour(sys.stderr))
            click.echo(text, err=True, nl=False)
        case DiagnosticsFormat.JSON:
            write_bytes(encode(render_json(diagnostics, VERSION)))
        case DiagnosticsFormat.SARIF:
            write_bytes(encode(render_sarif(diagnostics, VERSION)))


def wants_colour(stream: TextIO) -> bool:
    """Colour is for terminals whose user has not declined it (https://no-color.org)."""
    return stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def write_bytes(data: bytes) -> None:
    """Write `data` to stdout unchanged."""
    click.echo(data, nl=False)


def encode(text: str) -> bytes:
    """`text` in UTF-8: names of files as they are, if they are that, whatever the locale."""
    data = text.encode("utf-8", "surrogateescape")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return text.encode("utf-8", "backslashreplace")
    return data
