"""Launches as sites: their parts, and the extents that are constant."""

from g2o.diagnostics.source import SourceFile
from g2o.frontend.cuda.launch_dimensions import constant_names
from g2o.frontend.cuda.launch_syntax import parse_launches
from g2o.frontend.cuda.launch_targets import kernels_used_as_values
from g2o.frontend.cuda.launches import LaunchSite, launches


def sites(text: str, constants: frozenset[str] = frozenset()) -> tuple[LaunchSite, ...]:
    return launches(SourceFile("x.cu", text), constants)


def block_dims(body: str, before: str = "") -> tuple[str | None, str | None, str | None]:
    (site,) = sites(before + "\nvoid run(int n) {\n" + body + "\n}\n")
    return site.block_dims


def test_parts() -> None:
    text = (
        "ns::k<T, 4><<<dim3(f(a, b), 2),\n  16, n * sizeof(float), s[i]>>>(x, y<1, 2>(z), {1, 2});"
    )
    (site,) = sites(text)
    assert site.span.text == text[:-1]
    assert site.callee.text == "ns::k<T, 4>"
    assert site.kernel == "k"
    assert [argument.text for argument in site.template_arguments] == ["T", "4"]
    assert site.grid.text == "dim3(f(a, b), 2)"
    assert site.block.text == "16"
    assert site.shared is not None
    assert site.shared.text == "n * sizeof(float)"
    assert site.stream is not None
    assert site.stream.text == "s[i]"
    assert [argument.text for argument in site.arguments] == ["x", "y<1, 2>(z)", "{1, 2}"]
    assert site.macro is None


def test_closing_bracket_behind_template_arguments() -> None:
    (site,) = sites("k<<<1, N<T<int>>>>>(x);")
    assert site.block.text == "N<T<int>>"


def test_shift_in_the_configuration() -> None:
    (site,) = sites("k<<<n >> 2, 1 << 4>>>();")
    assert site.grid.text == "n >> 2"
    assert site.block.text == "1 << 4"
    assert site.arguments == ()


def test_callees() -> None:
    text = "(*f)<<<1, 2>>>(); t[i]<<<1, 2>>>(); o.m<<<1, 2>>>();"
    text += "if (c) k<<<1, 2>>>(); ::k<<<1, 2>>>();"
    found = sites(text)
    assert [site.callee.text for site in found] == ["(*f)", "t[i]", "o.m", "k", "::k"]
    assert [site.kernel for site in found] == [None, None, None, "k", "k"]


def test_launch_in_a_macro() -> None:
    (site,) = sites("#define RUN(f, n) \\\n  f<<<n, 32>>>(a)\n")
    assert site.macro == "RUN"
    assert site.kernel == "f"
    assert site.block_dims == ("32", "1", "1")
    assert site.grid_dims == (None, None, None)


def test_literal_and_named_constants() -> None:
    assert block_dims("k<<<n, 64>>>();") == ("64", "1", "1")
    assert block_dims("k<<<n, B>>>();", "#define B 64") == ("B", "1", "1")
    assert block_dims("k<<<n, B / 2>>>();", "const int B = 64;") == ("B / 2", "1", "1")
    assert block_dims("k<<<n, B>>>();", "enum { A, B = 64 };") == ("B", "1", "1")
    assert block_dims("k<<<n, dim3(B, 2 * B)>>>();", "#define B (4 * 4)") == ("B", "2 * B", "1")
    assert block_dims("k<<<n, B>>>();", "#define B dim3(8, 4)") == ("8", "4", "1")


def test_constants_of_other_files() -> None:
    (site,) = sites("void f() { k<<<1, B * 2>>>(); }", frozenset(("B",)))
    assert site.block_dims == ("B * 2", "1", "1")


def test_what_is_not_constant() -> None:
    assert block_dims("k<<<1, n>>>();") == (None, "1", "1")
    assert block_dims("k<<<1, g>>>();", "int g = 4;") == (None, "1", "1")
    assert block_dims("k<<<1, size(n)>>>();") == (None, None, None)
    assert block_dims("k<<<1, B>>>();", "#define B 4\n#undef B") == (None, None, None)
    assert block_dims("k<<<1, 8 * 0.5>>>();") == (None, "1", "1")


def test_local_variables() -> None:
    assert block_dims("dim3 b(16, 16); k<<<n, b>>>();") == ("16", "16", "1")
    assert block_dims("const dim3 b = {16, 2}; k<<<n, b>>>();") == ("16", "2", "1")
    assert block_dims("dim3 g(n), b(8); k<<<g, b>>>();") == ("8", "1", "1")
    assert block_dims("auto b = dim3(4, 4, 4); k<<<n, b>>>();") == ("4", "4", "4")
    assert block_dims("dim3 b(8); dim3 c = b; k<<<n, c>>>();") == ("8", "1", "1")
    assert block_dims("int t = 32; dim3 b(t, t / 8); k<<<n, b>>>();") == ("32", "32 / 8", "1")
    assert block_dims("int t = 8 + 8; k<<<n, t * 2>>>();") == ("(8 + 8) * 2", "1", "1")


def test_assigned_variables() -> None:
    assert block_dims("dim3 b; b.x = 16; b.y = 2; k<<<n, b>>>();") == ("16", "2", "1")
    assert block_dims("int t; t = 64; k<<<n, t>>>();") == ("64", "1", "1")
    assert block_dims("dim3 b(4); k<<<n, b>>>(); b.x = 8;") == ("4", "1", "1")


def test_variables_that_may_change() -> None:
    unknown = (None, None, None)
    assert block_dims("dim3 b(16); if (n) b.x = 8; k<<<n, b>>>();") == unknown
    assert block_dims("dim3 b(16); set(b); k<<<n, b>>>();") == unknown
    assert block_dims("dim3 b(16); set(&b); k<<<n, b>>>();") == unknown
    assert block_dims("dim3 &b = c; k<<<n, b>>>();") == unknown
    assert block_dims("int t = 2; for (; t < n; t *= 2) k<<<n, t>>>();") == (None, "1", "1")
    assert block_dims("int t = 2; cin >> t; k<<<n, t * 1>>>();") == (None, "1", "1")
    for changed in ("for (; n; --n) t >>= 1;", "t >>= 1;", "(t) = 4;", "((t))++;", "--(t);"):
        assert block_dims(f"int t = 64; {changed} k<<<n, t>>>();") == (None, "1", "1"), changed
    assert block_dims("int t = 64; int &r = t; r = 2; k<<<n, t>>>();") == (None, "1", "1")
    later = "int t = 64; auto run = [&] { k<<<1, t>>>(); }; t = 2; run();"
    assert block_dims(later) == (None, "1", "1")
    assert block_dims("int t = 64; f((t) / 2); k<<<n, t>>>();") == ("64", "1", "1")


def test_cases_of_a_switch() -> None:
    known = ("8", "1", "1")
    assert block_dims("switch (n) { case 8: k<<<1, n>>>(); }") == known
    assert block_dims("dim3 b(n); switch (n) { case 8: k<<<1, b>>>(); break; }") == known
    assert block_dims("switch (n) { case 4: f(); break; case 8: { k<<<1, n>>>(); } }") == known
    assert block_dims("switch (n) { case 4: { f(); return; } case 8: k<<<1, n>>>(); }") == known
    assert block_dims("switch (n) { default: throw 1; case 8: if (m) k<<<1, n>>>(); }") == known
    assert block_dims("int t = n / 2; switch (t) { case 8: k<<<1, t>>>(); }") == known


def test_conditions_on_the_size() -> None:
    known, unknown = ("8", "1", "1"), (None, "1", "1")
    assert block_dims("if (n == 8) k<<<1, n>>>();") == known
    assert block_dims("dim3 b(n); if (m == 2) { if (n == 8) { f(); k<<<1, b>>>(); } }") == known
    assert block_dims("if (n == 4) f(); else if (n == 8) k<<<1, n>>>();") == known
    assert block_dims("if (n == 8) f(); else k<<<1, n>>>();") == unknown
    assert block_dims("if (n == 8) f(); k<<<1, n>>>();") == unknown
    assert block_dims("if (n == 8) { f(); } k<<<1, n>>>();") == unknown
    assert block_dims("if (n == 8) { n = 4; k<<<1, n>>>(); }") == unknown
    assert block_dims("if (n != 8) k<<<1, n>>>();") == unknown
    assert block_dims("if (n == 8 || m) k<<<1, n>>>();") == unknown
    assert block_dims("while (n == 8) k<<<1, n>>>();") == unknown


def test_cases_that_others_come_to() -> None:
    unknown = (None, "1", "1")
    assert block_dims("switch (n) { case 4: case 8: k<<<1, n>>>(); }") == unknown
    assert block_dims("switch (n) { case 8: default: k<<<1, n>>>(); }") == unknown
    assert block_dims("switch (n) { case 4: f(); case 8: k<<<1, n>>>(); }") == unknown
    assert block_dims("switch (n) { case 4: if (m) break; case 8: k<<<1, n>>>(); }") == unknown
    either = "switch (n) { case 4: if (m) { break; } case 8: k<<<1, n>>>(); }"
    assert block_dims(either) == unknown
    assert block_dims("switch (n) { case 4: { { f(); } } case 8: k<<<1, n>>>(); }") == unknown
    perhaps = "switch (n) { case 4: f();\n#ifdef X\nbreak;\n#endif\ncase 8: k<<<1, n>>>(); }"
    assert block_dims(perhaps) == unknown
    assert block_dims("switch (m) { case 8: k<<<1, n>>>(); }") == unknown


def test_cases_of_what_changes() -> None:
    unknown = (None, "1", "1")
    assert block_dims("switch (n) { case 8: n = 4; k<<<1, n>>>(); }") == unknown
    assert block_dims("dim3 b(n); n = 8; switch (n) { case 8: k<<<1, b>>>(); }") == unknown
    turns = "dim3 b(n); for (;;) { switch (n) { case 8: k<<<1, b>>>(); } n *= 2; }"
    assert block_dims(turns) == unknown
    hidden = "switch (n) { case 8: { int n(m); k<<<1, n>>>(); } }"
    assert block_dims(hidden) == unknown
    given = "if (n == 8) run([&](int n) { k<<<1, n>>>(); });"
    assert block_dims(given) == unknown


def test_branches_of_the_preprocessor() -> None:
    either = "#ifdef X\ndim3 b(1);\n#else\ndim3 b(2);\n#endif\nk<<<n, b>>>();"
    assert block_dims(either) == (None, None, None)
    perhaps = "dim3 b(1);\n#ifdef X\nb.x = 2;\n#endif\nk<<<n, b>>>();"
    assert block_dims(perhaps) == (None, None, None)


def test_conditions_inside_of_a_launch() -> None:
    text = "k\n#ifdef X\n<<<1, 32>>>\n#else\n<<<2, 16>>>\n#endif\n(n, x);"
    found, faults = parse_launches(SourceFile("a.cu", text))
    assert found == ()
    assert faults[0].code == "G2O0201"


def test_parameter_hides_a_constant() -> None:
    text = "const int b = 4;\nvoid f(int b) { k<<<1, b>>>(); }\nvoid g(dim3 b) { k<<<1, b>>>(); }"
    assert [site.block_dims for site in sites(text)] == [(None, "1", "1"), (None, None, None)]


def test_products_declare_nothing() -> None:
    head = "constexpr int X = 4, Y = 2;\n__global__ void __launch_bounds__(X *Y) k(int n);\n"
    text = (
        head + "void f() { g(X * Y); k<<<1, dim3(X, Y)>>>(); }\nvoid g(int *Y) { k<<<1, Y>>>(); }"
    )
    assert [site.block_dims for site in sites(text)] == [("X", "Y", "1"), (None, None, None)]


def test_where_the_names_are_defined() -> None:
    text = "__global__ void k();\n#define B 64\nvoid f() { k<<<1, B>>>(); k<<<1, 2>>>(); }"
    first, second = sites(text)
    assert text[: first.visible_from].endswith("#define B 64")
    assert second.visible_from == 0


def test_kernels_of_a_launch_in_a_macro() -> None:
    text = "#define R(f, n) f<<<n, 32>>>(a)\nvoid run() { R(k, 1); R(ns::t<int>, 2); }"
    (site,) = sites(text)
    assert site.kernels == {"k", "t"}
    (site,) = sites("(*f)<<<1, 2>>>();")
    assert site.kernels == frozenset()


def test_kernels_launched_out_of_sight() -> None:
    text = "__global__ void k(); __global__ void t(); void (*f)() = t; void r() { k<<<1, 2>>>(); }"
    assert kernels_used_as_values(SourceFile("x.cu", text), {"k", "t"}) == {"t"}


def test_parameters_called_as_kernels_are_none() -> None:
    def used(text: str) -> frozenset[str]:
        return kernels_used_as_values(SourceFile("x.cu", text), {"k", "rows"})

    own = "__global__ void rows(float *x, int rows, int *k) { if (*k < rows) x[rows] = 0; }\n"
    assert used(own) == frozenset()
    assert used(own + "void run() { call(rows); }") == {"rows"}
    assert used(own + "void run(int n, int (&k)[4]) { call(rows, k); }") == {"rows"}
    assert used(own + "struct S { int f(const S &k) { return k.n + rows; } };") == {"rows"}
    assert used("void run(void (*f)(int k)) { call(k); }") == {"k"}


def test_constants_of_a_header() -> None:
    text = "#define A 4\n#define B (A * C)\n#define D f(x)\nenum { E };\nconst int F = A, g = n;\n"
    assert set(constant_names(text)) == {"A", "E", "F"}
    assert set(constant_names(text, frozenset("C"))) == {"A", "B", "E", "F"}


def test_template_parameters_around_the_launch() -> None:
    text = "template <int B, typename T> void f() { const int half = B / 2; k<B><<<n, half>>>(); }"
    (site,) = sites(text)
    assert site.block_dims == ("B / 2", "1", "1")
    assert site.template_names == {"B"}
    (site,) = sites("template <typename B> void f() { k<<<n, B>>>(); }")
    assert site.block_dims == (None, None, None)
