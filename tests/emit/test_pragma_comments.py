"""Comments in front of a pragma stand where the code does."""

from __future__ import annotations

from g2o.emit.pragma_comments import indent_comments

CODE = "{\n// first\n/* second */\n#pragma omp simd\n    for (;;)\n        x();\n}\n"


def test_comments_move_to_the_code() -> None:
    assert indent_comments(CODE, "") == CODE.replace("//", "    //").replace("/*", "    /*")


def test_what_the_source_says_stays() -> None:
    assert indent_comments(CODE, CODE) == CODE


def test_no_line_gets_too_long() -> None:
    text = CODE.replace("first", "first" + "." * 90)
    assert indent_comments(text, "") == text
