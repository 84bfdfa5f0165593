"""Macros in device code: which are expanded, into what, and how places lead back."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.cli.main import run as run_g2o
from g2o.diagnostics.source import SourceFile
from g2o.frontend.cuda.device_macros import DeviceMacros
from g2o.frontend.cuda.lexer import lex
from g2o.frontend.cuda.macro_expansion import ExpandedText, expand_within
from g2o.frontend.cuda.macros import macros


def expanded(text: str) -> str:
    """What is behind the last directive, with every macro of the file expanded."""
    lexed = lex(text)
    table = {macro.name: macro for macro in macros(lexed)}
    found = expand_within(lexed, [(0, len(text))], lambda name, _: table.get(name))
    new = ExpandedText(text, found)
    return new.text[lexed.directives[-1].line_end + 1 :]


@pytest.mark.parametrize(
    ("definitions", "code", "result"),
    [
        ("#define N 4", "x = N;", "x = 4;"),
        ("#define F(a, b) a + b", "F(1, (2, 3)) * F", "1 + (2, 3) * F"),
        ("#define F(a) G(a, a)\n#define G(a, b) [a b]", "F(x)", "[x x]"),
        ("#define S(x) #x\n#define P(a, b) a##b", 'S("q") P(un, signed)', '"\\"q\\"" unsigned'),
        ("#define V(f, ...) f(__VA_ARGS__)", "V(g, 1, 2)", "g(1, 2)"),
        ("#define V(f, ...) h(f, ##__VA_ARGS__)", "V(1) V(1, 2)", "h(1) h(1,2)"),
        ("#define R R + 1", "R", "R + 1"),
        ("#define F(a) <a>", "F(x // two\n  y)", "<x y>\n"),
        ("#define M(a) a; \\\n    a", "M(f())", "f(); f()"),
        ("#define E", "E int x;", " int x;"),
    ],
)
def test_expansion(definitions: str, code: str, result: str) -> None:
    assert expanded(f"{definitions}\n{code}") == result


def test_places_lead_back() -> None:
    text = "a LONG b LONG c"
    lexed = lex("#define LONG one + two\n")
    macro = macros(lexed)[0]
    found = expand_within(
        lex(text), [(0, len(text))], lambda name, _: macro if name == "LONG" else None
    )
    new = ExpandedText(text, found)
    assert new.text == "a one + two b one + two c"
    assert new.original_offset(0) == 0
    assert new.original_offset(new.text.index("b")) == text.index("b")
    assert new.original_offset(new.text.index("c")) == text.index("c")
    inside = new.text.index("two")
    assert new.original_offset(inside) == 2
    assert new.original_offset(inside, at_end=True) == 6


@pytest.mark.parametrize(
    ("definition", "stays"),
    [
        ("#define X 64", True),
        ("#define X (N * 2)", True),
        ("#define X -1", True),
        ("#define X N * 2", False),
        ("#define X + 1", False),
        ("#define X unsigned int", True),
        ("#define X const float *", True),
        ("#define X(a, b) ((a) * N + (b))", True),
        ("#define X(a, b) (a) * N + (b)", False),
        ("#define X(a) fmaxf(a, 0)", True),
        ("#define X(a) table[a].value", True),
        ("#define X(a) a[0]", False),
        ("#define X", True),
        ("#define X threadIdx.x", False),
        ("#define X __syncthreads()", False),
        ("#define X return", False),
        ("#define X { f(); }", False),
        ("#define Y blockIdx.x\n#define X (Y + 1)", False),
    ],
)
def test_which_macros_are_expanded(definition: str, stays: bool) -> None:
    file = SourceFile("a.cu", definition + "\n")
    known = DeviceMacros([file], file, lambda _: ())
    assert ("X" not in known.expanded) is stays


def test_macros_in_front_of_the_header_that_uses_them(tmp_path: Path) -> None:
    (tmp_path / "main.cu").write_text(
        "#define TWICE(v) (2 * (v))\n"
        "#define MIXED(a) a = TWICE(a) + kept * offset\n"
        "__device__ float twice(float v) { return 2 * v; }\n"
        "#define OTHER (twice(kept) + 1)\n"
        '#include "kernel.h"\n'
        "void run(float *x) { shift<<<1, 64>>>(x, 3); }\n"
    )
    (tmp_path / "kernel.h").write_text(
        "__global__ void shift(float *x, float offset) {\n"
        "  __shared__ float s[64];\n"
        "  float kept = x[threadIdx.x];\n"
        "  s[threadIdx.x] = OTHER;\n"
        "  __syncthreads();\n"
        "  MIXED(x[threadIdx.x]) + OTHER + s[63 - threadIdx.x];\n"
        "}\n"
    )
    assert run_g2o(["translate", "-q", str(tmp_path / "main.cu")]) == 0
    text = (tmp_path / "kernel.omp.hpp").read_text()
    assert "s[t] = ((twice(kept[t])) + 1);" in text
    assert "x[t] = TWICE(x[t]) + kept[t] * offset + ((twice(kept[t])) + 1) + s[63 - t];" in text
