"""`g2o report`: what of a tree translates, what does not, and why."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Unpack

import click

from g2o.cli.inputs import shown_path
from g2o.cli.options import CompilerLikeCommand, OptionValues, Request, options_for_trees
from g2o.cli.outputs import input_root, make_directories, write_all
from g2o.cli.report import DiagnosticsFormat, emit, encode, write_bytes
from g2o.cli.session import read_database, run_request, translate_all
from g2o.cli.summary import summary_of
from g2o.cli.summary_forms import as_document, as_pages, as_text

_HELP = """Say what of a tree translates, what does not, and why.

Translates all files in memory, each kernel for itself, and counts: a table of the files, the
reasons with their places, and how often there is each. Writes nothing but the pages of --html.
Without FILE, the files are the .cu files of -p.

\b
  g2o report src
  g2o report -p build --html report
  g2o report src --grad --json > report.json

Exit code: 0 if there is a report, whatever it says; 2 for wrong usage.
"""


class ReportValues(OptionValues):
    """The options of `g2o report` beside those of `g2o translate`."""

    as_json: bool
    html: Path | None
    timeout: float


@click.command(cls=CompilerLikeCommand, help=_HELP)
@options_for_trees
@click.option("--json", "as_json", is_flag=True, help="Print the report as a JSON document.")
@click.option(
    "--html",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Also write DIR/index.html, and a page for each file: source beside translation.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=600,
    show_default=True,
    metavar="SECONDS",
    help="What a file may take; one that takes more does not translate.",
)
def command(**values: Unpack[ReportValues]) -> int:
    as_json, html, limit = values["as_json"], values["html"], values["timeout"]
    return run_request(
        values, lambda request: _report(replace(request, time_limit=limit), as_json, html)
    )


def _report(request: Request, as_json: bool, html: Path | None) -> int:
    if not request.files:
        request = replace(request, files=_sources_of(request))
    options = replace(request.options, keep_going=True)
    result = translate_all(replace(request, options=options, outlives_bugs=True))
    summary = summary_of(result)
    if html is not None:
        pages = {html / name: text for name, text in as_pages(summary, input_root(request)).items()}
        make_directories(sorted({page.parent for page in pages}))
        write_all({page: encode(text) for page, text in pages.items()})
    if request.diagnostics_format is not DiagnosticsFormat.TEXT:
        emit(result.diagnostics, request.diagnostics_format)
        return 0
    text = as_document(summary, request.options.target) if as_json else as_text(summary)
    write_bytes(encode(text))
    return 0


def _sources_of(request: Request) -> tuple[Path, ...]:
    """The `.cu` files of `-p`, in order of name."""
    database = read_database(request.database)
    if database is None:
        raise click.UsageError("name a FILE or a directory, or -p DIR for the files of a build.")
    sources = sorted(path for path in database.flags if path.suffix == ".cu")
    if not sources:
        raise click.UsageError("the build of -p has no .cu files.")
    return tuple(Path(shown_path(path)) for path in sources)
