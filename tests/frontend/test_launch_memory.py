"""Pointers that no launch gives the memory of another one are `__restrict__`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from g2o.interop.translate import translate

_SAME = Path(__file__).parent / "same_memory"
_KERNEL = """\
#include <cuda_runtime.h>
#include <cstdlib>
#include <utility>
#include <vector>
{before}
{static}__global__ void k(const float *x, float *y, int n)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[n - i];
}}
{around}
int main()
{{
    const int n = 32;
    float *a, *b, *c;
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc((void **)&b, n * sizeof(float));
    cudaMalloc(&c, n * sizeof(float));
    {launches}
    return 0;
}}
"""
_HELPERS = """\
template <typename T> static T *made(int n)
{
    T *p;
    cudaMalloc(&p, n * sizeof(T));
    return p;
}
static float *kept;
static float *known(int n)
{
    if (!kept)
        cudaMalloc(&kept, n);
    return kept;
}
static void fill(float **p) { cudaMalloc((void **)p, 4); }
namespace wrong { static void swap(float *&p, float *&q) { p = q; } }
static void set(float *&p, float *q) { p = q; }
"""
_RUN = "static void run(float *x, float *y) { k<<<1, 32>>>(x, y, 32); }"


def _restricted(tmp_path: Path, launches: str, **parts: str) -> int:
    """How many parameters of the kernel are `__restrict__`."""
    texts = {"before": _HELPERS, "static": "", "around": "", **parts}
    path = tmp_path / "k.cu"
    path.write_text(_KERNEL.format(launches=launches, **texts), encoding="utf-8")
    signature = re.search(r"void k\(([^)]*)\)", translate(path).code)
    assert signature is not None
    return signature[1].count("__restrict__")


@pytest.mark.parametrize(
    "launches",
    [
        "k<<<1, 32>>>(a, b, n); k<<<1, 32>>>(b, c, n);",
        "k<<<1, 32>>>(a + 1, &b[2], n);",
        "for (int i = 0; i < 3; ++i) { k<<<1, 32>>>(a, b, n); std::swap(a, b); }",
        "k<<<1, 32>>>(a, b, n); float *t = a; a = b; b = t; k<<<1, 32>>>(a, b, n);",
        "k<<<1, 32>>>(a, b, n); float *t = a; a = b; b = c; c = t; k<<<1, 32>>>(a, c, n);",
        "float *d = made<float>(n), *e = (float *)malloc(n * 4), *f = new float[n];"
        " k<<<1, 32>>>(d, e, n); k<<<1, 32>>>(e, f, n);",
        "float *d = nullptr; fill(&d); k<<<1, 32>>>(d, a, n);",
        "std::vector<float> v(n), w(n); k<<<1, 32>>>(v.data(), w.data(), n);",
        "float *d[2]; for (int i = 0; i < 2; ++i) cudaMalloc(&d[i], n);"
        " for (int i = 0; i < 2; ++i) k<<<1, 32>>>(d[i], d[1 - i], n);",
        "k<<<1, 32>>>(n > 3 ? a : b, c, n);",
        "float *d[2]; cudaMalloc(&d[0], n); cudaMalloc(&d[1], n); int from = 1, to = 0;"
        " for (int i = 0; i < 2; ++i)"
        " { int kept = from; from = to; to = kept; k<<<1, 32>>>(d[from], d[to], n); }",
    ],
)
def test_memory_of_their_own(launches: str, tmp_path: Path) -> None:
    assert _restricted(tmp_path, launches) == 2


@pytest.mark.parametrize(
    "launches",
    [
        "k<<<1, 32>>>(a, a + 8, n);",
        "k<<<1, 32>>>(a, b, n); k<<<1, 32>>>(c, c, n);",
        "float *d = a; k<<<1, 32>>>(a, d, n);",
        "b = a + 4; k<<<1, 32>>>(a, b, n);",
        "set(b, a); k<<<1, 32>>>(a, b, n);",
        "float **p = &b; *p = a; k<<<1, 32>>>(a, b, n);",
        "float *d = known(n), *e = known(n); k<<<1, 32>>>(d, e, n);",
        "float *&r = b; r = a; k<<<1, 32>>>(a, b, n);",
        "float *t = a; a = b; k<<<1, 32>>>(a, b, n); b = t;",
        "float *d[2]; cudaMalloc(&d[0], n); d[1] = d[0]; k<<<1, 32>>>(d[0], d[1], n);",
        "float *d[2]; cudaMalloc(&d[0], n); cudaMalloc(&d[1], n);"
        " for (int i = 0; i < 2; ++i) k<<<1, 32>>>(d[i], d[1], n);",
        "float *d[2]; cudaMalloc(&d[0], n); cudaMalloc(&d[1], n); int from = 1, to = 0;"
        " for (int i = 0; i < 2; ++i)"
        " { to = 1; std::swap(from, to); k<<<1, 32>>>(d[from], d[to], n); }",
        "float *d[2]; cudaMalloc(&d[0], n); cudaMalloc(&d[1], n); int from = 1, to = 1;"
        " std::swap(from, to); k<<<1, 32>>>(d[from], d[to], n);",
        "wrong::swap(a, b); k<<<1, 32>>>(a, b, n);",
        "auto launch = k; launch<<<1, 32>>>(a, a, n); k<<<1, 32>>>(a, b, n);",
        "k<<<1, 32>>>(n > 3 ? a : b, n > 3 ? b : a, n);",
        "std::vector<float> v(n); auto &w = v; k<<<1, 32>>>(v.data(), w.data(), n);",
    ],
)
def test_memory_that_may_be_the_same(launches: str, tmp_path: Path) -> None:
    assert _restricted(tmp_path, launches) == 0


@pytest.mark.parametrize(
    ("around", "launches", "expected"),
    [
        (_RUN, "run(a, b); run(c, a);", 2),
        (_RUN, "run(a, b); run(a, a);", 0),
        (_RUN, "run(a, b); void (*f)(float *, float *) = run; f(a, a);", 0),
        (_RUN.replace("static ", ""), "run(a, b);", 2),  # the program's: it has its `main`
        (_RUN.replace("(x, y, 32)", "(x, x + 1, 32)"), "run(a, b);", 0),
        (
            "static void swap_run(float *x, float *y) { std::swap(x, y); k<<<1, 32>>>(x, y, 32); }",
            "swap_run(a, b);",
            2,
        ),
    ],
)
def test_functions_around_launches(
    around: str, launches: str, expected: int, tmp_path: Path
) -> None:
    assert _restricted(tmp_path, launches, around=around) == expected


@pytest.mark.parametrize("program", sorted(_SAME.glob("*.cu")), ids=lambda path: path.stem)
def test_programs_with_two_ways_to_one_memory(program: Path) -> None:
    signature = re.search(r"void k\(([^)]*)\)", translate(program).code)
    assert signature is not None
    assert "__restrict__" not in signature[1]


def test_instances_and_device_functions_with_pointers(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    cases = (
        ("template <typename T>", "T", "Node", "", 0),
        ("template <typename T>", "T", "float", "", 2),
        ("", "float", "float", "__device__ float *at(size_t n) { return (float *)n; }", 0),
    )
    for head, parameter, given, device, expected in cases:
        path.write_text(
            "#include <cuda_runtime.h>\nstruct Node { Node *next; int value; };\n"
            f"{device}\n{head} __global__ void k(const {parameter} *x, {parameter} *y)\n"
            "{ y[threadIdx.x] = x[threadIdx.x]; }\n"
            f"int main() {{ {given} *a, *b; cudaMalloc(&a, 640); cudaMalloc(&b, 640);"
            " k<<<1, 32>>>(a, b); }\n",
            encoding="utf-8",
        )
        signature = re.search(r"void k\(([^)]*)\)", translate(path).code)
        assert signature is not None
        assert signature[1].count("__restrict__") == expected


def test_kernels_with_pointers_of_their_own(tmp_path: Path) -> None:
    before = f"{_HELPERS}__device__ float *elsewhere;\n"
    assert _restricted(tmp_path, "k<<<1, 32>>>(a, b, n);", before=before) == 0


def test_launches_of_headers(tmp_path: Path) -> None:
    header = "template <typename T> void launch(T *x) { k<<<1, 32>>>(x, x, 3); }\n"
    (tmp_path / "launch.h").write_text(header, encoding="utf-8")
    around = '#include "launch.h"'
    assert _restricted(tmp_path, "k<<<1, 32>>>(a, b, n);", around=around) == 0
