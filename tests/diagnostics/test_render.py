"""The text form, character by character."""

from __future__ import annotations

from textwrap import dedent

from g2o.diagnostics.diagnostic import Diagnostic, Note, Severity, error, warning
from g2o.diagnostics.render import MAX_SNIPPET, render_text
from g2o.diagnostics.source import SourceFile, SourceSpan
from tests.diagnostics.samples import BARRIER, source, span


def rendered(*diagnostics: Diagnostic) -> str:
    return render_text(diagnostics)


def snippet(file: SourceFile, text: str) -> list[str]:
    """The two lines below the headline of an error at `text`."""
    return rendered(error("G2O0201", "m", span(file, text))).splitlines()[1:3]


def test_error_with_note_on_the_same_line() -> None:
    file = source(BARRIER)
    fault = error(
        "G2O0203",
        "barrier under thread-dependent control flow",
        span(file, "__syncthreads();"),
        Note("condition depends on threadIdx.x", span(file, "tid")),
    )
    assert rendered(fault) == dedent("""\
        reduce.cu:41:18: error: barrier under thread-dependent control flow [G2O0203]
           41 |     if (tid < s) __syncthreads();
              |                  ^~~~~~~~~~~~~~~~
        reduce.cu:41:9: note: condition depends on threadIdx.x
        1 error.
        """)


def test_note_elsewhere_shows_its_line_and_note_without_place_has_none() -> None:
    file = source("int a;\nint b;\n")
    notes = (Note("declared here", span(file, "a")), Note("that is all"))
    assert rendered(error("G2O0201", "m", span(file, "b"), *notes)) == dedent("""\
        reduce.cu:2:5: error: m [G2O0201]
            2 | int b;
              |     ^
        reduce.cu:1:5: note: declared here
            1 | int a;
              |     ^
        note: that is all
        1 error.
        """)


def test_diagnostics_are_sorted_by_position_and_told_once() -> None:
    b, a = source("x y\nz\n", "b.cu"), source("x y\nz\n", "a.cu")
    faults = [
        error("G2O0201", "third", span(b, "z")),
        error("G2O0201", "second", span(b, "y")),
        warning("G2O0104", "first", span(a, "z")),
        error("G2O0201", "second", span(b, "y")),
    ]
    lines = [line for line in rendered(*faults).splitlines() if "cu:" in line]
    assert lines == [
        "a.cu:2:1: warning: first [G2O0104]",
        "b.cu:1:3: error: second [G2O0201]",
        "b.cu:2:1: error: third [G2O0201]",
    ]
    assert rendered(*faults) == rendered(*reversed(faults))
    assert rendered(*faults).endswith("\n2 errors, 1 warning.\n")


def test_a_file_read_twice_is_reported_once() -> None:
    once, again = source("x y\n", "util.cuh"), source("x y\n", "util.cuh")
    faults = [error("G2O0201", "m", span(file, "y")) for file in (once, again)]
    assert rendered(*faults).count("util.cuh:1:3") == 1


def test_one_fault_found_by_two_stages_is_reported_once() -> None:
    file = source("x y\n")
    faults = [error("G2O0202", message, span(file, "y")) for message in ("first", "second")]
    assert rendered(*faults).splitlines()[0] == "reduce.cu:1:3: error: first [G2O0202]"
    assert rendered(*faults).endswith("\n1 error.\n")
    clang = [error("G2O0101", message, span(file, "y")) for message in ("first", "second")]
    assert rendered(*clang).endswith("\n2 errors.\n")


def test_faults_of_whole_files_and_of_the_command() -> None:
    about_file = Diagnostic(Severity.ERROR, "G2O0002", "no such file", path="x.cu")
    assert rendered(about_file, error("G2O0001", "oh")) == dedent("""\
        g2o: error: oh [G2O0001]
        x.cu: error: no such file [G2O0002]
        2 errors.
        """)


def test_nothing_is_rendered_as_nothing() -> None:
    assert rendered() == ""


def test_remarks_have_no_summary() -> None:
    remark = Diagnostic(Severity.REMARK, "G2O0301", "barrier removed", path="x.cu")
    assert rendered(remark) == "x.cu: remark: barrier removed [G2O0301]\n"


def test_caret_stands_right_behind_tabs() -> None:
    assert snippet(source("\tif (a)\tb();\n"), "b();") == [
        "    1 |         if (a)  b();",
        "      |                 ^~~~",
    ]


def test_caret_counts_characters_of_utf8_not_bytes() -> None:
    assert snippet(source("größe = µ(1);\n"), "µ(1)") == [
        "    1 | größe = µ(1);",
        "      |         ^~~~",
    ]


def test_caret_counts_wide_and_combining_characters() -> None:
    assert snippet(source("/* 漢字 e\u0301 */ x;\n"), "x") == [
        "    1 | /* 漢字 e\u0301 */ x;",
        "      |              ^",
    ]


def test_latin1_bytes_are_shown() -> None:
    file = SourceFile("a.cu", "/* gr\xf6\xdfe */ x;\n")
    assert snippet(file, "x") == ["    1 | /* größe */ x;", "      |             ^"]


def test_byte_order_mark_is_neither_shown_nor_counted() -> None:
    file = source("\ufeffint x;\n")
    assert rendered(error("G2O0201", "m", span(file, "x"))).splitlines()[:3] == [
        "reduce.cu:1:5: error: m [G2O0201]",
        "    1 | int x;",
        "      |     ^",
    ]


def test_line_end_of_dos_is_not_shown() -> None:
    assert snippet(source("a;\r\nb;\r\n"), "b;") == ["    2 | b;", "      | ^~"]


def test_span_over_lines_is_underlined_on_its_first() -> None:
    file = source("k<<<1,\n    2>>>(x);  \n")
    assert snippet(file, "<<<1,\n    2>>>") == ["    1 | k<<<1,", "      |  ^~~~~"]


def test_span_at_the_end_of_the_file() -> None:
    file = source("int x")
    fault = error("G2O0101", "expected ';'", SourceSpan(file, 5, 5))
    assert rendered(fault).splitlines()[1:3] == ["    1 | int x", "      |      ^"]


def test_span_on_an_empty_line_has_no_snippet() -> None:
    fault = error("G2O0101", "m", SourceSpan(source("\n\n"), 1, 1))
    assert rendered(fault) == "reduce.cu:2:1: error: m [G2O0101]\n1 error.\n"


def test_long_lines_are_cut_around_the_caret() -> None:
    line, caret = snippet(source("x" * 500 + "HERE" + "y" * 500 + "\n"), "HERE")
    assert len(line) == len("    1 | ") + MAX_SNIPPET
    assert line.startswith("    1 | ...xxx")
    assert line.endswith("yyy...")
    assert line[caret.index("^") :].startswith("HERE")
    assert caret.endswith("^~~~")


def test_control_characters_do_not_reach_the_terminal() -> None:
    assert snippet(source("a \x1b[31m b\n"), "b") == ["    1 | a ?[31m b", "      |         ^"]


def test_colour_changes_nothing_but_colour() -> None:
    fault = error("G2O0201", "m", span(source("int x;\n"), "x"))
    coloured = render_text([fault], colour=True)
    assert "\x1b[1;31merror:\x1b[0m" in coloured
    for code in ("\x1b[1;31m", "\x1b[1;32m", "\x1b[1m", "\x1b[0m"):
        coloured = coloured.replace(code, "")
    assert coloured == rendered(fault)
