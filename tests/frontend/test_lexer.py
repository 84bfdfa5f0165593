"""Tokens of whole files: what is a token, what belongs to a preprocessor line."""

from g2o.frontend.cuda.lexer import TokenKind, lex


def texts(source: str) -> list[str]:
    return [token.text for token in lex(source).code]


def test_launch_brackets() -> None:
    assert texts("k<a<b>><<<g, c>>>(x);") == [
        *("k", "<", "a", "<", "b", ">", ">", "<<<", "g", ",", "c", ">", ">", ">"),
        *("(", "x", ")", ";"),
    ]


def test_offsets_are_those_of_the_text() -> None:
    source = "int a /* b */ = 'c'; // d\nfloat e = 1'000.5e-3f;"
    for token in lex(source).code:
        assert source[token.begin : token.end] == token.text
    assert texts(source)[-2] == "1'000.5e-3f"


def test_comments_and_literals_hide_tokens() -> None:
    lexed = lex('// cudaMalloc\n"cudaFree // no" /* cudaFree */ x')
    assert [token.kind for token in lexed.code] == [TokenKind.STRING, TokenKind.IDENTIFIER]
    assert len(lexed.comments) == 2
    assert lexed.comment_within(0, 2)
    assert not lexed.comment_within(15, 20)


def test_raw_string() -> None:
    assert texts('R"x(a)" " // )y)x" b') == ['R"x(a)" " // )y)x"', "b"]


def test_directive_takes_its_continuations() -> None:
    lexed = lex("a\n  # define F(x) \\\n   g(x) /* 1\n 2 */ h // end\nb")
    (directive,) = lexed.directives
    assert directive.name == "define"
    assert [token.text for token in directive.tokens] == [
        "F",
        "(",
        "x",
        ")",
        "g",
        "(",
        "x",
        ")",
        "h",
    ]
    assert lexed.text[directive.end - 1] == "h"
    assert lexed.text[directive.line_end] == "\n"
    assert [token.text for token in lexed.code] == ["a", "b"]
    assert directive.code_index == 1


def test_header_names_and_messages_are_no_tokens() -> None:
    lexed = lex("#include <a//b.h> // c\n#error don't\n#if A\n#endif\nx")
    assert [d.name for d in lexed.directives] == ["include", "error", "if", "endif"]
    assert lexed.text[lexed.directives[0].begin : lexed.directives[0].end] == "#include <a//b.h>"
    assert [token.text for token in lexed.directives[2].tokens] == ["A"]
    assert [token.text for token in lexed.code] == ["x"]


def test_hash_inside_a_line_is_no_directive() -> None:
    assert lex("a # define b").directives == ()


def test_any_bytes_are_taken() -> None:
    source = bytes(range(256)).decode("latin-1") * 2
    lexed = lex(source)
    assert all(source[t.begin : t.end] == t.text for t in lexed.code)
