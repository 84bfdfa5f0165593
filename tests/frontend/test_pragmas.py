"""Pragmas of CUDA's compiler do not reach another one."""

from __future__ import annotations

import pytest

from g2o.diagnostics.source import SourceFile
from g2o.frontend.cuda.pragmas import pragma_edits
from g2o.frontend.cuda.unit_facts import UnitFacts
from g2o.frontend.edits import EditedText


def _edited(text: str) -> str:
    edits, faults = pragma_edits(SourceFile("x.cu", text), UnitFacts({}))
    assert faults == []
    return EditedText(text, edits).slice(0, len(text))


@pytest.mark.parametrize("pragma", ["#pragma unroll", "#pragma unroll 4", "# pragma nounroll"])
def test_a_pragma_goes_with_its_line(pragma: str) -> None:
    assert _edited(f"int f();\n    {pragma}\nint g();\n") == "int f();\nint g();\n"


def test_a_comment_behind_it_stays() -> None:
    text = "int f();\n#pragma unroll N // small\nint g();\n"
    assert _edited(text) == "int f();\n// small\nint g();\n"


def test_the_operator_goes_from_macros_and_code() -> None:
    text = '#define LOOP _Pragma("unroll 8") for\nint f();\n'
    assert _edited(text) == "#define LOOP for\nint f();\n"


@pytest.mark.parametrize("pragma", ["#pragma once", "#pragma omp parallel for", "#pragma pack(1)"])
def test_other_pragmas_stay(pragma: str) -> None:
    text = f"{pragma}\nint f();\n"
    assert _edited(text) == text
