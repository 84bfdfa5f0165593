"""Kernels whose operands bind as they should without parentheses that compilers ask for."""

from __future__ import annotations

import subprocess
from pathlib import Path

from g2o.cli.main import run as run_g2o

_SOURCE = """
#define ROW(i) ((i + 1) << 2)
__global__ void mix(int n, unsigned *m, int t)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 << 2 < n)
        m[i + 1 << 2] = m[ROW(i)] + 3 & 7;
    if (i < n) {
        m[i] = m[i] >> t + 1 & 1;
        m[i] |= m[i] & 3 | 4 ^ t & 1; // bits
        m[i] += t < 3 & n < 7 || i > 2 && n;
        m[i] += t < 3 == 1;
        m[i] += 7 - t << 3 - t;
        m[i] += !t & 3;
    }
}
"""


def test_compilers_have_nothing_against_operands(tmp_path: Path) -> None:
    (tmp_path / "x.cu").write_text(_SOURCE)
    assert run_g2o(["translate", "-q", str(tmp_path / "x.cu")]) == 0
    text = (tmp_path / "x.omp.cpp").read_text()
    assert "m[(i + 1) << 2] = (m[ROW(i)] + 3) & 7;" in text
    assert "m[i] |= (m[i] & 3) | (4 ^ (t & 1)); // bits" in text
    assert "m[i] >> (t + 1) & 1;" in text
    flags = ("-std=c++17", "-fopenmp", "-Wall", "-Wextra", "-Wno-sign-compare", "-fsyntax-only")
    for compiler in ("g++", "clang++-19"):
        command = [compiler, *flags, str(tmp_path / "x.omp.cpp")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stderr) == (0, "")
