"""The heads of adjoints, for parameters as people write them; which functions have adjoints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from g2o.interop.translate import translate

_MEAN = """
__device__ double mean(const double *values, int count{default})
{{
    double s = 0.0;
    for (int k = 0; k < count; ++k)
        s += values[k] * values[k];
    return s / count;
}}
"""
_BODY = "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i] * in[i];"


def _translated(directory: Path, text: str) -> str:
    path = directory / "k.cu"
    path.write_text(text)
    made = translate(path, grad=[""])
    assert made.ok, made.diagnostics
    return made.code


@pytest.mark.parametrize(
    ("listed", "head"),
    [
        ("const double *in, double *out, int n", "const double *in, double *out, int n,"),
        ("const double in[], double out[8], int n", "const double in[], double out[8], int n,"),
        ("const double *in, double *out, int n = (3, 4)", "const double *in, double *out, int n,"),
        (
            "const double *in, double *out, int n // how (many)\n",
            "int n, // how (many) double *d_in",
        ),
        ("const double *in, double *out, int n /* ) */", "int n /* ) */, double *d_in"),
        ("double const *in, double *out, int n = ')'", "double const *in, double *out, int n,"),
    ],
)
def test_shadows_stand_behind_the_parameters(tmp_path: Path, listed: str, head: str) -> None:
    code = _translated(tmp_path, f"__global__ void k({listed}) // all (of it)\n{{ {_BODY} }}\n")
    found = re.search(r"^void k_grad\(([^{]*)\)\s*\{", code, re.MULTILINE)
    assert found is not None
    text = re.sub(r"\s+", " ", found[1])
    assert head in text
    assert text.endswith("double *d_in, double *d_out")


def _kernel(name: str, call: str) -> str:
    return (
        f"__global__ void {name}(const double *in, double *out, int n)\n{{\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        f"    if (i < n)\n        out[i] = in[i] * {call};\n}}\n"
    )


def test_two_kernels_share_the_adjoint_of_a_function(tmp_path: Path) -> None:
    code = _translated(
        tmp_path,
        _MEAN.format(default=" = 7") + _kernel("k", "mean(in, n)") + _kernel("l", "mean(in, n)"),
    )
    assert code.count("static void mean_grad(const double *values, int count, double *") == 1
    assert code.count("        mean_grad(in, n, d_in, ") == 2


def test_a_name_that_the_program_has_is_not_taken(tmp_path: Path) -> None:
    own = "inline int mean_grad(int n) { return n; }\n"
    code = _translated(tmp_path, own + _MEAN.format(default="") + _kernel("k", "mean(in, n)"))
    assert "static void mean_grad" not in code


def test_functions_of_other_namespaces_are_inlined(tmp_path: Path) -> None:
    inner = f"namespace one {{{_MEAN.format(default='')}{_kernel('k', 'mean(in, n)')}}}\n"
    outer = f"namespace other {{\n{_kernel('l', 'one::mean(in, n)')}}}\n"
    code = _translated(tmp_path, inner + outer)
    first, second = code.split("namespace other")
    assert "mean_grad(in, n, d_in, " in first
    assert "mean_grad" not in second


@pytest.mark.parametrize(
    ("before", "behind", "marked"),
    [("static ", "", True), ("namespace {\n", "}\n", True), ("namespace own {\n", "}\n", False)],
)
def test_derivatives_that_only_the_file_knows_may_be_unused(
    tmp_path: Path, before: str, behind: str, marked: bool
) -> None:
    code = _translated(tmp_path, f"{before}{_kernel('k', 'in[i]')}{behind}")
    static = "static " if before == "static " else ""
    head = f"{'[[maybe_unused]] ' if marked else ''}{static}void k_grad("
    assert f"\n{head}" in code


def test_a_specialisation_that_only_the_file_knows_may_be_unused(tmp_path: Path) -> None:
    text = """
namespace {
template <typename T> __global__ void k(const T *in, T *out)
{
    out[threadIdx.x] = in[threadIdx.x];
}
template <> __global__ void k<float>(const float *in, float *out)
{
    out[threadIdx.x] = 2.0f * in[threadIdx.x];
}
}
"""
    code = " ".join(_translated(tmp_path, text).split())
    assert "template <> [[maybe_unused]] void k_grad<float>(" in code


def test_views_that_only_read_are_spelled_as_what_they_are(tmp_path: Path) -> None:
    text = """
template <typename T> struct View {
    T *data;
    int stride;
    __device__ T &operator[](long i) const { return data[i * stride]; }
};
template <typename T> __global__ void k(const View<const T> x, T *y)
{
    y[threadIdx.x] *= sin(x[threadIdx.x]);
}
void start(View<const double> x, double *y) { k<<<1, 32>>>(x, y); }
"""
    code = " ".join(_translated(tmp_path, text).split())
    assert "const double *data = x.data; double *d_data = (double *)d_x->data;" in code
    assert "data[long(t) * x.stride]" in code
