"""What the source asserts narrows what the analysis takes for possible."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.frontend.cuda.project import Project
from g2o.passes import TranslateOptions
from g2o.pipeline import translate_file

_SOURCE = """
#include <cassert>
__global__ void k(float *__restrict__ a, float *__restrict__ b, int n, int m)
{{
    __shared__ float s[512];
    {before}
    s[threadIdx.x + m] = a[threadIdx.x];
    __syncthreads();
    b[threadIdx.x] = s[threadIdx.x];
}}
void run(float *a, float *b, int n, int m) {{ k<<<1, 64>>>(a, b, n, m); }}
"""


def _removed(directory: Path, before: str, *flags: str) -> int:
    path = directory / "asserted.cu"
    path.write_text(_SOURCE.format(before=before))
    project = Project.alone(path, flags, directory / "asserted.omp.cpp")
    options = TranslateOptions(clang_flags=flags)
    translation = translate_file(path, options, path.name, project)
    assert translation.ok, translation.diagnostics
    return sum(figures.removed for figures in translation.figures)


@pytest.mark.parametrize(
    "before",
    ["assert(m >= 64);", "assert(n > 1 && m >= 64 * n);", "assert(m == 0);", "assert((m > 63));"],
)
def test_what_is_asserted_holds(tmp_path: Path, before: str) -> None:
    assert _removed(tmp_path, before) == 1


@pytest.mark.parametrize(
    ("before", "flags"),
    [
        ("", ()),
        ("assert(m >= 63);", ()),
        ("assert(m >= 64 || n == 3);", ()),
        ("if (n > 3) { assert(m >= 64); }", ()),  # not of what comes behind
        ("for (int i = 0; i < n; ++i) assert(m >= 64);", ()),
        ("assert(m >= 64);", ("-DNDEBUG",)),  # the source asserts nothing then
        ("assert(m >= 64); ++m; m -= 64;", ()),
        ("n > 3 && m >= 64 ? (void)0 : (void)(a[0] = 1);", ()),
    ],
)
def test_nothing_else_does(tmp_path: Path, before: str, flags: tuple[str, ...]) -> None:
    assert _removed(tmp_path, before, *flags) == 0
