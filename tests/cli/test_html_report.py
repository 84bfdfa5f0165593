"""The page of `--report`."""

from __future__ import annotations

from g2o.cli.html_report import ReportedFile, html_report
from g2o.diagnostics.diagnostic import Diagnostic, Note, Outcome, remark, warning
from g2o.diagnostics.source import SourceFile, SourceSpan

_TEXT = 'void k()\n{\n    if (a < b) __syncthreads();\n    use("\xc2\xb5");\n}\n'


def _span(file: SourceFile, text: str) -> SourceSpan:
    begin = file.text.index(text)
    return SourceSpan(file, begin, begin + len(text))


def _page(*findings: Diagnostic) -> str:
    return html_report([ReportedFile(_FILE, "translated <here>\n", findings, ((1, 5),))])


def _stripe(interval: int) -> str:
    return f'<td class="interval interval-{interval}" title="interval {interval}">'


_FILE = SourceFile("<x>.cu", _TEXT)


def test_kept_barrier_ends_an_interval() -> None:
    note = Note("read & written", _span(_FILE, "use"))
    kept = remark(Outcome.MISSED, "G2O0302", "kept", _span(_FILE, "__syncthreads()"), note)
    page = _page(kept)
    assert "<h2>&lt;x&gt;.cu</h2>" in page
    assert '<tr id="f0-3" class="kept">' in page
    assert f'<tr id="f0-2"><td class="number">2</td>{_stripe(1)}' in page
    assert f'<tr id="f0-4"><td class="number">4</td>{_stripe(2)}' in page
    assert '<a href="#f0-4">line 4</a>: read &amp; written' in page
    assert "translated &lt;here&gt;" in page
    assert "use(&#34;µ&#34;);" in page


def test_removed_barrier_does_not() -> None:
    page = _page(remark(Outcome.PASSED, "G2O0301", "gone", _span(_FILE, "__syncthreads()")))
    assert '<tr id="f0-3" class="removed">' in page
    assert "<p>0 barriers kept, 1 removed.</p>" in page
    assert "interval-2" not in page.split("<h2>")[1]


def test_race_and_places_in_other_files() -> None:
    other = SourceFile("other.cuh", "x;\ny = s[1];\n")
    note = Note("the other write", _span(other, "s[1]"))
    page = _page(warning("G2O0308", "two threads race", _span(_FILE, "use"), note))
    assert '<tr id="f0-4" class="race">' in page
    assert "other.cuh:2: the other write" in page
    assert "<p>1 race, certain or possible.</p>" in page


def test_nothing() -> None:
    assert html_report([]).count("Nothing to report.") == 1
