"""JSON, SARIF and the web page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, cast

from g2o.diagnostics.diagnostic import Diagnostic, Note, Severity, error
from g2o.diagnostics.render import render_text
from g2o.diagnostics.to_json import render_json
from g2o.diagnostics.to_sarif import render_sarif
from tests.diagnostics.samples import source, span

FILE = source("// größe\nint µ = x;\n", "src/a b.cu")
FAULT = error("G2O0101", "undeclared 'x'", span(FILE, "x;"), Note("here", span(FILE, "int")))
WHOLE = Diagnostic(Severity.WARNING, "G2O0006", "file is empty", path="z.cu")
REMARK = Diagnostic(Severity.REMARK, "G2O0301", "barrier removed", span(FILE, "µ"))


# Of each object of SARIF 2.1.0 that g2o writes: its properties, those that have to be there with
# `!`, and what they are: an object, several of them, a type, or one of some words.
_SARIF: Final[dict[str, dict[str, Any]]] = {
    "log": {"$schema": str, "version!": {"2.1.0"}, "runs!": ["run"]},
    "run": {"tool!": "tool", "columnKind": {"unicodeCodePoints"}, "results": ["result"]},
    "tool": {"driver!": "driver"},
    "driver": {"name!": str, "version": str, "rules": ["rule"]},
    "rule": {
        "id!": str,
        "shortDescription": "text",
        "fullDescription": "text",
        "help": "text",
    },
    "result": {
        "ruleId": str,
        "ruleIndex": int,
        "level": {"error", "warning", "note", "none"},
        "message!": "text",
        "locations": ["location"],
        "relatedLocations": ["location"],
    },
    "text": {"text!": str},
    "location": {"physicalLocation": "physical", "message": "text"},
    "physical": {"artifactLocation!": "artifact", "region": "region"},
    "artifact": {"uri": str, "uriBaseId": str},
    "region": {"startLine!": int, "startColumn": int, "endLine": int, "endColumn": int},
}


def _faults(value: Any, expected: Any, place: str = "log") -> Iterator[str]:
    """Where a document is not what the standard says."""
    match expected:
        case str():
            if not isinstance(value, dict):
                yield place
                return
            properties = {name.rstrip("!"): of for name, of in _SARIF[expected].items()}
            required = {name[:-1] for name in _SARIF[expected] if name.endswith("!")}
            found = cast("dict[str, Any]", value)
            yield from (f"{place} lacks {name}" for name in sorted(required - found.keys()))
            for name, inner in found.items():
                if name not in properties:
                    yield f"{place} has {name}"
                else:
                    yield from _faults(inner, properties[name], f"{place}.{name}")
        case [kind]:
            if not isinstance(value, list):
                yield place
                return
            for inner in cast("list[Any]", value):
                yield from _faults(inner, kind, place)
        case set():
            if value not in expected:
                yield f"{place} is {value!r}"
        case _:
            if type(value) is not expected or (expected is int and value < 0):
                yield f"{place} is {value!r}"


def test_sarif_has_what_the_standard_requires() -> None:
    command = Diagnostic(Severity.ERROR, "G2O9999", "of no file, without a rule")
    found = [WHOLE, FAULT, REMARK, command, error("G2O0202", "asm", None, Note("elsewhere"))]
    for diagnostics in (found, []):
        log = json.loads(render_sarif(diagnostics, "9.9"))
        assert list(_faults(log, "log")) == []
    log = json.loads(render_sarif(found, "9.9"))
    result = log["runs"][0]["results"][-1]
    del log["runs"][0]["tool"], result["message"]["text"]
    result["locations"][0]["physicalLocation"]["region"] = {"startLine": "1"}
    result["severity"] = "bad"
    assert len(list(_faults(log, "log"))) == 4


def test_problem_matchers_read_the_text() -> None:
    page = Path(__file__).parents[2] / "docs" / "ci.md"
    (block,) = re.findall(
        r"^```json\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    ((of_lines,), (of_files,)) = (one["pattern"] for one in json.loads(block)["problemMatcher"])
    text = render_text([WHOLE, FAULT, error("G2O0202", "asm", span(FILE, "x;"))])

    def matches(pattern: dict[str, Any]) -> list[dict[str, str]]:
        found = (re.search(pattern["regexp"], line) for line in text.splitlines())
        groups = [name for name in pattern if name != "regexp"]
        return [{name: one[pattern[name]] for name in groups} for one in found if one]

    first, second = matches(of_lines)
    assert first == {
        "file": "src/a b.cu",
        "line": "2",
        "column": "10",
        "severity": "error",
        "message": "undeclared 'x'",
        "code": "G2O0101",
    }
    assert second["code"] == "G2O0202"
    whole = {"file": "z.cu", "severity": "warning", "message": "file is empty", "code": "G2O0006"}
    assert matches(of_files) == [whole]


def test_json_has_the_documented_fields() -> None:
    assert json.loads(render_json([WHOLE, FAULT], "9.9")) == {
        "version": 1,
        "tool": "g2o 9.9",
        "diagnostics": [
            {
                "path": "src/a b.cu",
                "line": 2,
                "column": 10,
                "end_line": 2,
                "end_column": 12,
                "severity": "error",
                "code": "G2O0101",
                "message": "undeclared 'x'",
                "notes": [
                    {
                        "path": "src/a b.cu",
                        "line": 2,
                        "column": 1,
                        "end_line": 2,
                        "end_column": 4,
                        "message": "here",
                    }
                ],
            },
            {
                "path": "z.cu",
                "line": None,
                "column": None,
                "end_line": None,
                "end_column": None,
                "severity": "warning",
                "code": "G2O0006",
                "message": "file is empty",
                "notes": [],
            },
        ],
        "errors": 1,
        "warnings": 1,
    }


def test_json_of_nothing_is_a_document() -> None:
    assert json.loads(render_json([], "9.9"))["diagnostics"] == []


def test_sarif_is_2_1_0_with_rules_and_relative_uris() -> None:
    log = json.loads(render_sarif([WHOLE, FAULT, REMARK], "9.9"))
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-2.1.0.json")
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == ["G2O0006", "G2O0101", "G2O0301"]
    assert [result["level"] for result in run["results"]] == ["note", "error", "warning"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        (location,) = result["locations"]
        artifact = location["physicalLocation"]["artifactLocation"]
        assert artifact["uriBaseId"] == "%SRCROOT%"
        assert artifact["uri"] in ("src/a%20b.cu", "z.cu")


def test_sarif_columns_count_characters() -> None:
    run = json.loads(render_sarif([FAULT], "9.9"))["runs"][0]
    assert run["columnKind"] == "unicodeCodePoints"
    (result,) = run["results"]
    assert result["locations"][0]["physicalLocation"]["region"] == {
        "startLine": 2,
        "startColumn": 9,
        "endLine": 2,
        "endColumn": 11,
    }
    (related,) = result["relatedLocations"]
    assert related["message"] == {"text": "here"}
    assert related["physicalLocation"]["region"]["startColumn"] == 1


def test_absolute_paths_become_file_uris() -> None:
    fault = Diagnostic(Severity.ERROR, "G2O0002", "no such file", path="/tmp/a b.cu")
    run = json.loads(render_sarif([fault], "9.9"))["runs"][0]
    artifact = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact == {"uri": "file:///tmp/a%20b.cu"}
