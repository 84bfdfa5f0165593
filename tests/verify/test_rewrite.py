"""The rewriting of CUDA source for the emulator, construct by construct."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from g2o.verify.emulator.rewrite import SourceSet, rewrite_text


@pytest.mark.parametrize(
    ("source", "callee"),
    [
        ("k<<<1, 2>>>(x);", "k"),
        ("ns::k<T, (a > b)><<<g, b>>>(x);", "ns::k<T, (a > b)>"),
        ("s.template k<3> <<< g, b, f<int>(2) >>> (x);", "s.template k<3>"),
        ("if (c) k <<g, b>> >(x);", None),
        ("k << < g, b >> > (x);", "k"),
        ("(*kernel)<<<g, b>>>(x);", "(*kernel)"),
    ],
)
def test_launch(source: str, callee: str | None) -> None:
    text = rewrite_text(f"void f() {{ {source} }}")
    if callee is None:
        assert source in text
    else:
        assert f"{{ {callee}(g2o_a...); }})" in text
        assert "<<" not in text


def test_comments_and_strings_are_left_alone() -> None:
    source = '// k<<<1, 2>>>(x);\nconst char *s = "k<<<1, 2>>>(x); __shared__ int a;";\n'
    assert rewrite_text(source) == source


def test_lines_keep_their_numbers() -> None:
    source = """#define RUN(k) \\
    k<<<1, \\
        2>>>()
__global__ void k() {
    __shared__ float a[2]
                      [3],
        b;
    extern __shared__
        int c[];
}
void f() {
    k<<<1,
        2>>>
        ();
}
"""
    assert rewrite_text(source).count("\n") == source.count("\n")
    assert rewrite_text(source).split("\n")[10] == "void f() {"


def test_loops_of_directives_are_not_polled() -> None:
    source = """volatile int flag;
void f(int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) g(i);
  for (int i = 0; i < n; ++i) g(i);
}
"""
    first, second = (line for line in rewrite_text(source).splitlines() if "for (" in line)
    assert first == "  for (int i = 0; i < n; ++i) g(i);"
    assert "polled() && (i < n)" in second


def test_shared_declarations() -> None:
    text = rewrite_text("__device__ void f() { __shared__ T a[4][N + 1], b; }")
    assert "struct g2o_scope_a { T a[4][N + 1], b; };" in text
    assert "auto &a = g2o_in_a.a; auto &b = g2o_in_a.b;" in text
    text = rewrite_text("__device__ void f() { extern __shared__ volatile int a[], b[][8]; }")
    assert "volatile int (*const a) = g2o_emulator::dynamic_shared();" in text
    assert "volatile int (*const b)[8] = g2o_emulator::dynamic_shared();" in text


def test_shared_at_namespace_scope_moves_into_its_users() -> None:
    text = rewrite_text(
        "extern __shared__ int s[];\n"
        "namespace n { __device__ int f(int i) { return s[i]; } }\n"
        "int g(int s) { return s; }\n"
    )
    assert "f(int i) { int (*const s) = g2o_emulator::dynamic_shared(); { return s[i]; }}" in text
    assert "int g(int s) { return s; }" in text


def test_lambdas_see_shared_memory() -> None:
    """None captures it, as it is static; variables that hide it they capture as ever."""
    text = rewrite_text("""__shared__ int all[4];
__global__ void k(int x) {
    __shared__ int s[4], last;
    auto f = [=](int i) { return s[i] + x; };
    auto g = [x, y = 3](int i) -> int { return x + last + all[i]; };
    auto h = [](int s) { return s + all[0]; };
    auto by_reference = [&] { return s[0]; };
    if (x) {
        int s = 3;
        auto hidden = [=] { return s + it.last; };
    }
    int list[2] = {s[0], s[1]};
}
""")
    assert re.findall(r"\[[^\]]*\](?=\(int| \{ r)", text) == [
        *("[=, &s]", "[x, y = 3, &last, &all]", "[&all]", "[&]", "[=]"),
    ]


def test_functions_with_alternative_heads() -> None:
    text = rewrite_text(
        "#ifdef WIDE\n__global__ void k(long *x) {\n#else\n__global__ void k(int *x) {\n#endif\n"
        "  __shared__ int a;\n}\nvoid f() { k<<<1, 1>>>(p); }\n"
    )
    assert "auto &a = g2o_in_a.a;" in text
    assert "namespace" not in text
    assert "<<<" not in text


def test_shared_by_another_name() -> None:
    text = rewrite_text("#define LOCAL __shared__\n__device__ void f() { LOCAL int a[4]; }\n")
    assert "#define LOCAL \n" in text
    assert "shared_scope<g2o_scope_a>" in text


def test_lockstep_splits_statements_only() -> None:
    text = rewrite_text(
        "__device__ void f(volatile int *s, int n) {\n"
        "  for (int i = 0; i < n; i += 2)\n    if (i) s[i] += s[i + 1];\n  int k = s[0];\n}\n"
    )
    assert "i += 2)" in text
    assert (
        "if (i) { auto g2o_v = s[i] + ( s[i + 1]); g2o_emulator::lockstep(103); s[i] = g2o_v;"
        in text
    )
    assert "int k = s[0];" in text
    plain = "__device__ void f(int *s) { s[0] += s[1]; }"
    assert rewrite_text(plain) == plain


def test_inline_assembly_is_refused_when_reached() -> None:
    text = rewrite_text(
        '__device__ int f() { int r; asm("addc.u32 %0, 1, 2;" : "=r"(r)); return r; }'
    )
    assert 'g2o_emulator::unsupported("addc.u32 %0, 1, 2;");' in text
    known = rewrite_text(
        '__device__ int f(int x) { asm("add.s32 %0, 1, 2;" : "=r"(x)); return x; }'
    )
    assert "x = (int)((int)(1) + (int)(2));" in known
    host = 'void f() { asm volatile("" ::: "memory"); }'
    assert rewrite_text(host) == host


def test_headers_are_rewritten_where_needed(tmp_path: Path) -> None:
    (tmp_path / "kernel.cuh").write_text("__global__ void k() { __shared__ int a; a = 1; }\n")
    (tmp_path / "plain.h").write_text("int plain();\n")
    main = tmp_path / "main.cu"
    main.write_text('#include "kernel.cuh"\n#include "plain.h"\n#include <cstdio>\nint main() {}\n')
    text = SourceSet(tmp_path / "out").add(main).read_text()
    assert f'#include "{tmp_path / "out"}' in text
    assert f'#include "{tmp_path / "plain.h"}"' in text
    assert "#include <cstdio>" in text
    copies = list((tmp_path / "out").glob("*kernel.cuh"))
    assert len(copies) == 1
    assert "shared_scope" in copies[0].read_text()


def test_lockstep_knows_a_cast_from_the_head_of_a_statement() -> None:
    text = rewrite_text("__device__ void f(int *s, int i) { *(volatile int *)s = 0; }")
    assert "*(volatile int *)s = 0;" in text


def test_lockstep_splits_what_moves_elements_of_a_shared_array() -> None:
    text = rewrite_text(
        "__global__ void k(int *p) { __shared__ int s[32], r[32]; s[r[1]] = s[2]; s[1] = s[2]; }"
    )
    assert "{ auto g2o_v = ( s[2]); g2o_emulator::lockstep(70); s[r[1]] = g2o_v;" in text
    assert "s[1] = s[2];" in text


def test_lanes_in_step_meet_behind_branches_and_iterations() -> None:
    source = (
        "__device__ void f(int *s, int t) { if (t) s[t] = 1; else if (!t) return;\n"
        "  for (int i = t; i < 3; i += 2) s[i] = 2;\n  for (;;) { break; }\n"
        "  while (t) { if (t > 1) { --t; } }\n  int x = s[t]; }"
    )
    text = re.sub(r"lockstep\(\d+\)", "step", rewrite_text(source, in_step=True))
    assert "return; g2o_emulator::step;\n" in text
    assert "i < 3; g2o_emulator::step, i += 2) { auto" in text
    assert "for (;; g2o_emulator::step) { break; }" in text
    assert "if (t > 1) { --t; } g2o_emulator::step; g2o_emulator::step; }" in text
    assert rewrite_text(source) == source


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("y = x << 32 - n;", "x << g2o_emulator::shift_count(32 - n);"),
        ("y = 1 << n | 2;", "1 << g2o_emulator::shift_count(n) | 2;"),
        ("x <<= f(n) & 3;", "x <<= g2o_emulator::shift_count(f(n) & 3);"),
        ("y = x >> (32 - n) & 1;", "x >> g2o_emulator::shift_count((32 - n)) & 1;"),
        ("y = x >> n; z = 1 << 3;", None),
        ("std::vector<std::vector<int>> (n);", None),
    ],
)
def test_counts_of_shifts(source: str, expected: str | None) -> None:
    text = rewrite_text(f"__device__ void f(int n) {{ {source} }}")
    if expected is None:
        assert "shift_count" not in text
    else:
        assert expected in text
