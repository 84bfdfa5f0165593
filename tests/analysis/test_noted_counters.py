"""What a loop notes of its counter is known behind it, unless something else changes it, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.interop.translate import translate

_SOURCE = """\
__device__ void moved(int &where) {{ where = 0; }}
__global__ void largest(const float *x, float *y, int rows, int cols)
{{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;
    float m = -1.0f;
    bool has = false;
    int where = 0;
    for (int c = 0; c < cols; ++c)
        if (x[r * cols + c] > m) {{
            has = true;
            {between}
            where = c;
            m = x[r * cols + c];
        }}
    if (has)
        y[r] += 2.0f * x[r * cols + where];
}}
"""


@pytest.mark.parametrize(
    ("between", "is_known"),
    [
        ("", True),
        ("if (cols == 3) continue;", False),
        ("moved(where);", False),
        ("--where;", False),
    ],
)
def test_elements_of_rows(between: str, is_known: bool, tmp_path: Path) -> None:
    path = tmp_path / "largest.cu"
    path.write_text(_SOURCE.format(between=between), encoding="utf-8")
    code = translate(path, grad="largest").code
    increments = [line for line in code.splitlines() if "d_x[" in line and "where" in line]
    assert increments
    assert all(("atomic_add" in line) != is_known for line in increments)
