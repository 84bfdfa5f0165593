"""`g2o report`, as docs/report.md describes it."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

import pytest

from tests.cli.conftest import G2o

PAGE: Final = Path(__file__).parents[2] / "docs" / "report.md"
KERNEL: Final = "void k() {} // __global__\n"


def _blocks(word: str) -> list[str]:
    text = PAGE.read_text(encoding="utf-8")
    found = re.findall(r"^```(\w*)\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    return [block for language, block in found if language == word]


def _write(texts: dict[str, str]) -> None:
    for name, text in texts.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)


def test_page_shows_what_is_printed(g2o: G2o) -> None:
    _write(dict(zip(("src/norm.cu", "src/wait.cu"), _blocks("cuda"), strict=True)))
    done = g2o("report", "src", "--grad", "--html", "report")
    assert (done.exit_code, done.err) == (0, "")
    assert done.out == _blocks("")[0]
    pages = sorted(str(path) for path in Path("report").iterdir())
    assert pages == ["report/index.html", "report/norm.cu.html", "report/wait.cu.html"]
    index = Path("report/index.html").read_text(encoding="utf-8")
    links = _Links()
    links.feed(index)
    assert links.found == ["norm.cu.html", "wait.cu.html"]
    assert '<td class="part">in part</td>' in index
    assert "<li>src/wait.cu:3:5: error: inline PTX assembly [G2O0202]</li>" in index
    assert "void scale(dim3 grid" in Path("report/norm.cu.html").read_text(encoding="utf-8")
    assert sorted(path.name for path in Path("src").iterdir()) == ["norm.cu", "wait.cu"]


class _Links(HTMLParser):
    """The pages that a page leads to."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if tag == "a" and name == "href" and value]


def test_document_has_what_the_page_lists(g2o_fake: G2o) -> None:
    _write({"bad.cu": "BAD BAD", "good.cu": KERNEL, "refused.cu": "REFUSE", "x.txt": "BAD"})
    done = g2o_fake("report", ".", "--json", "-j1")
    assert done.exit_code == 0
    document = json.loads(done.out)
    listed = re.findall(r"^\| (`.*?) \|", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert ", ".join(listed).replace("`", "").split(", ") == list(document)
    assert document["totals"] == {
        "files": 3,
        "translated": 1,
        "in_part": 0,
        "refused": 2,
        "kernels": 1,
        "kernels_translated": 1,
        "derivatives_missing": 0,
    }
    codes = [(one["code"], one["times"], one["files"]) for one in document["codes"]]
    assert codes == [("G2O0201", 2, 1), ("G2O0202", 1, 1)]
    assert [(one["path"], one["translates"]) for one in document["files"]] == [
        ("bad.cu", "no"),
        ("good.cu", "yes"),
        ("refused.cu", "no"),
    ]
    assert [one["column"] for one in document["files"][0]["diagnostics"]] == [1, 5]


def test_bugs_are_faults_of_their_file(g2o_fake: G2o) -> None:
    _write({"a.cu": "CRASH", "b.cu": KERNEL})
    done = g2o_fake("report", "a.cu", "b.cu", "-j1")
    assert done.exit_code == 0
    assert "a.cu: error: internal error: LookupError: no such thing [G2O0001]\n" in done.out
    assert "2 files: 1 translates, 0 in part, 1 not." in done.out


@pytest.mark.parametrize("database", ["build", "build/compile_commands.json"])
def test_files_and_flags_of_a_build(g2o_fake: G2o, database: str) -> None:
    _write({"z.cu": KERNEL, "sub/a.cu": "BAD", "main.cpp": "BAD"})
    entries = [
        {"directory": "..", "file": name, "command": f"nvcc -c {name}"}
        for name in ("z.cu", "main.cpp", "sub/a.cu")
    ]
    _write({"build/compile_commands.json": json.dumps(entries)})
    done = g2o_fake("report", "-p", database)
    assert done.exit_code == 0
    assert [line.split()[0] for line in done.out.splitlines()[1:3]] == ["sub/a.cu", "z.cu"]


def test_nothing_to_report_is_wrong_usage(g2o_fake: G2o) -> None:
    assert g2o_fake("report").exit_code == 2
    _write({"compile_commands.json": "[]"})
    done = g2o_fake("report", "-p", ".")
    assert (done.exit_code, done.out) == (2, "")
    assert "no .cu files" in done.err


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_files_that_crash_or_hang_are_rows(g2o_fake: G2o, jobs: str) -> None:
    _write({"crash.cu": "END", "good.cu": KERNEL, "hang.cu": "HANG", "last.cu": KERNEL})
    files = ("crash.cu", "good.cu", "hang.cu", "last.cu")
    done = g2o_fake("report", *files, "-j", jobs, "--timeout", "2")
    assert done.exit_code == 0
    why = "internal error: the process that translates this file"
    assert f"crash.cu: error: {why} ended by SIGKILL [G2O0001]\n" in done.out
    assert f"hang.cu: error: {why} took more than 2 seconds [G2O0001]\n" in done.out
    rows = [line.split()[:2] for line in done.out.splitlines()[1:5]]
    assert rows == [["crash.cu", "no"], ["good.cu", "yes"], ["hang.cu", "no"], ["last.cu", "yes"]]


def test_a_file_that_crashes_costs_the_others_nothing(g2o_fake: G2o) -> None:
    _write({"crash.cu": "END", "good.cu": KERNEL})
    done = g2o_fake("translate", "crash.cu", "good.cu", "-j", "2", "--keep-going")
    assert done.exit_code == 1
    assert "crash.cu: error: internal error: the process" in done.err
    assert Path("good.omp.cpp").is_file()
