"""What `g2o analyze` says: goldens of its text, JSON and SARIF."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.cli.conftest import G2o

_HERE = Path(__file__).parent / "analyze"
_VERSION = re.compile(r"(?<=\bg2o )\d[\w.]*")


@pytest.mark.parametrize("form", ["text", "json"])
def test_findings_read_as_before(
    form: str, in_tmp: Path, g2o: G2o, golden: Callable[[Path, str], None]
) -> None:
    shutil.copy(_HERE / "layers.cu", in_tmp)
    done = g2o("analyze", "layers.cu", "--diagnostics-format", form)
    assert done.exit_code == 0
    text = _VERSION.sub("X", done.out)
    if form == "text":
        text += f"-- stderr --\n{done.err}"
    golden(_HERE / f"layers.{'txt' if form == 'text' else 'json'}", text)


def test_both_forms_say_the_same(in_tmp: Path, g2o: G2o) -> None:
    shutil.copy(_HERE / "layers.cu", in_tmp)
    text = g2o("analyze", "layers.cu")
    found = json.loads(g2o("analyze", "layers.cu", "--diagnostics-format", "json").out)
    both = text.out + text.err
    for one in found["diagnostics"]:
        head = f"{one['path']}:{one['line']}:{one['column']}: {one['severity']}: {one['message']}"
        assert head in both


def test_only_the_report_is_written(in_tmp: Path, g2o: G2o) -> None:
    shutil.copy(_HERE / "layers.cu", in_tmp)
    g2o("analyze", "layers.cu", "--report", "page.html")
    assert sorted(path.name for path in in_tmp.iterdir()) == ["layers.cu", "page.html"]
    page = (in_tmp / "page.html").read_text(encoding="utf-8")
    assert _faults(page) == []
    assert "barrier kept" in page
    assert "http" not in page.partition("<body>")[0]


def _faults(page: str) -> list[str]:
    """Elements that are not closed in order."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return [*reader.faults, *reader.open]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)


def test_nothing_is_written(in_tmp: Path, g2o: G2o) -> None:
    shutil.copy(_HERE / "layers.cu", in_tmp)
    g2o("analyze", "layers.cu")
    assert [path.name for path in in_tmp.iterdir()] == ["layers.cu"]
