"""The registry is complete, and docs/diagnostics.md says what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from g2o.diagnostics.codes import CODES, SECTIONS, explain, find_code, render_markdown

ROOT = Path(__file__).parents[2]


def test_documentation_is_current() -> None:
    text = (ROOT / "docs" / "diagnostics.md").read_text(encoding="utf-8")
    assert text == render_markdown(), "docs/diagnostics.md is stale: run `make docs`"


def test_every_code_that_g2o_uses_is_registered() -> None:
    used: dict[str, str] = {}
    for path in sorted((ROOT / "g2o").rglob("*.py")):
        for code in re.findall(r"G2O\d{4}", path.read_text(encoding="utf-8")):
            used.setdefault(code, str(path.relative_to(ROOT)))
    unknown = {code: path for code, path in used.items() if code not in CODES}
    assert used
    assert not unknown, "add these to g2o/diagnostics/catalogue"


def test_keys_are_unique_ordered_and_well_formed() -> None:
    keys = [code.key for _, codes in SECTIONS for code in codes]
    assert keys == sorted(set(keys))
    assert all(re.fullmatch(r"G2O0[0-7]\d\d", key) for key in keys)


@pytest.mark.parametrize("key", sorted(CODES))
def test_a_code_says_what_it_means_and_what_to_do(key: str) -> None:
    code = CODES[key]
    assert code.title[0].islower() or code.title.split()[0].isupper()
    assert not code.title.endswith(".")
    assert code.meaning.endswith((".", "`"))
    assert code.remedy.endswith((".", "`"))
    for text in (code.meaning, code.remedy, code.example):
        assert max(map(len, text.splitlines()), default=0) <= 100


def test_a_code_is_found_however_it_is_written() -> None:
    expected = CODES["G2O0203"]
    assert all(find_code(text) is expected for text in ("G2O0203", "g2o0203", "0203", "203"))
    assert find_code("G2O9999") is None
    assert find_code("barrier") is None


def test_explanation_has_title_example_and_remedy() -> None:
    text = explain(CODES["G2O0202"])
    assert text.startswith("G2O0202: inline PTX assembly\n\n")
    assert '\n        asm volatile("add.cc.u32' in text
    assert "\nWhat to do: " in text
    assert text.endswith("\n")
