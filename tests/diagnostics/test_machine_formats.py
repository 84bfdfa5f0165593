"""JSON, SARIF and the web page."""

from __future__ import annotations

import json

from g2o.diagnostics.diagnostic import Diagnostic, Note, Severity, error
from g2o.diagnostics.to_json import render_json
from g2o.diagnostics.to_sarif import render_sarif
from tests.diagnostics.samples import source, span

FILE = source("// größe\nint µ = x;\n", "src/a b.cu")
FAULT = error("G2O0101", "undeclared 'x'", span(FILE, "x;"), Note("here", span(FILE, "int")))
WHOLE = Diagnostic(Severity.WARNING, "G2O0006", "file is empty", path="z.cu")
REMARK = Diagnostic(Severity.REMARK, "G2O0301", "barrier removed", span(FILE, "µ"))


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
