"""Parameters that a translation does not name are marked, wherever the author wrote them."""

from __future__ import annotations

from pathlib import Path

from g2o.interop.translate import translate

_TEXT = """
#define TESTING
__global__ void k(const float *x,
#ifdef TESTING
                  float *unused, int *also,
#endif
                  float *y)
{
    y[threadIdx.x] = x[threadIdx.x];
}
void f(const float *x, float *y, int *i) { k<<<1, 32>>>(x, y, i, y); }
"""


def test_directives_stay_lines_of_their_own(tmp_path: Path) -> None:
    source = tmp_path / "x.cu"
    source.write_text(_TEXT)
    code = translate(source).code
    marked = "[[maybe_unused]] float *unused, [[maybe_unused]] int *also,"
    assert f"#ifdef TESTING\n       {marked}\n#endif\n" in code, code


def test_parameters_in_comments_are_not_those_of_the_kernel(tmp_path: Path) -> None:
    source = tmp_path / "x.cu"
    source.write_text(
        "__global__ void k(float *x, /*const float *mask, int n,*/ const int n)\n"
        "{\n    x[threadIdx.x] = 0;\n}\n"
    )
    code = translate(source).code
    assert "/*const float *mask, int n,*/ [[maybe_unused]] const int n)" in code, code
