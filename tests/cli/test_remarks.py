"""What `--remarks` says of kernels, and where."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import G2o

LINEAR = """\
__global__ void scale(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    x[i] = x[i] > 0 ? x[i] : -x[i];
}
"""
BLOCKS = """\
__device__ int lane_of() { return threadIdx.x % 32; }
__global__ void sum(float *x)
{
    __shared__ float s[64];
    float own = x[threadIdx.x];
    s[threadIdx.x] = own;
    __syncthreads();
    float other = s[63 - threadIdx.x];
    other += __shfl_down_sync(~0u, other, 1);
    if (lane_of() == 0)
        x[threadIdx.x] = own + other;
}
int main()
{
    sum<<<1, 64>>>(nullptr);
}
"""


def remarks(text: str, run: G2o) -> list[tuple[int, str]]:
    """Line and text, with the code, of each remark on a program."""
    Path("x.cu").write_text(text)
    done = run("translate", "x.cu", "-q", "--remarks")
    assert done.exit_code == 0, done.err
    lines = [line for line in done.err.splitlines() if ": remark: " in line]
    return [(int(line.split(":")[1]), line.split(": remark: ")[1]) for line in lines]


def test_loop_over_all_threads(g2o: G2o) -> None:
    assert remarks(LINEAR, g2o) == [
        (1, "passed: the threads of all blocks are enumerated by 'i' alone [G2O0313]"),
        (4, "passed: the condition has become the bound of the loop over threads [G2O0312]"),
        (6, "missed: loop over 'i' is not a vector loop: it has a branch inside [G2O0316]"),
    ]


def test_loops_over_blocks_and_warps(g2o: G2o) -> None:
    found = remarks(BLOCKS, g2o)
    assert (2, "passed: blockDim.x is 64 at every launch, which is asserted [G2O0307]") in found
    assert any("cut into 2 loops over the threads of a block" in text for _, text in found)
    assert any(line == 5 and "'own'" in text and "G2O0306" in text for line, text in found)
    assert any(line == 9 and "operations of a warp" in text for line, text in found)
    assert any(line == 10 and "'lane_of' is inlined" in text for line, text in found)


def test_there_are_none_unless_asked_for(g2o: G2o) -> None:
    Path("x.cu").write_text(LINEAR)
    assert g2o("translate", "x.cu", "-q").err == ""
