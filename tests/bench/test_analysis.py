"""`bench/analysis.py`: figures of a small program, and what the tables say."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.analysis import main
from bench.analysis_lib.report import ProgramFigures, summary, table
from g2o.analysis.figures import KernelFigures

CUDA = """\
#include <cuda_runtime.h>

__global__ void twice(float *x)
{
    __shared__ float s[64];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = 2 * s[threadIdx.x];
}

__global__ void turn(float *x)
{
    __shared__ float s[64];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[63 - threadIdx.x];
}

int main()
{
    float *x;
    cudaMalloc(&x, 64 * sizeof(float));
    twice<<<1, 64>>>(x);
    turn<<<1, 64>>>(x);
    return 0;
}
"""


def test_a_small_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "small").mkdir()
    (tmp_path / "small" / "main.cu").write_text(CUDA)
    words = [str(tmp_path), "--by-kernel", "--run", "1", "--out", str(tmp_path / "out.json")]
    assert main(words) == 0
    shown = capsys.readouterr().out
    assert main(words) == 0
    assert capsys.readouterr().out == shown  # not measured again
    rows = {line.split("|")[1].strip(): line.split("|")[3:6] for line in shown.splitlines()[2:5]}
    assert [cell.strip() for cell in rows["small twice"]] == ["1", "1", "1"]
    assert [cell.strip() for cell in rows["small turn"]] == ["1", "0", "0"]
    assert "1 of 2 barriers and 1 stores or arrays go" in shown
    assert "Run time -O0 / -O2" in shown


def test_table_and_summary() -> None:
    figures = (KernelFigures("k", 3, 1, 2, 0.25), KernelFigures("plain", 0, 0, 0, 0.01))
    programs = [
        ProgramFigures("good", figures, times=(3.0, 1.5)),
        ProgramFigures("bad", (), "exit code 1"),
    ]
    text = table(programs, by_kernel=False)
    assert "| good | 2 | 3 | 1 | 2 | 0.130 | 0.25 | 3.00/1.50 = 2.00 |" in text
    assert "| bad | exit code 1 |" in text
    assert "plain" not in table(programs, by_kernel=True)
    told = summary(programs)
    assert "1 of 3 barriers and 2 stores or arrays go" in told
    assert "Not analysed: bad (exit code 1)" in told


def test_wrong_usage(tmp_path: Path) -> None:
    assert main([str(tmp_path / "none")]) == 2
