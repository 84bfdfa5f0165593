"""Barriers and pipelines that are not the block's, copies of unknown things: refused by name.

What is translated runs in `tests/lowering/programs/async_copies.cu`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.cli.main import run as run_g2o

_KERNEL = """\
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#include <utility>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void k(float *y, const float *x, barrier *given, int n)
{{
    __shared__ float s[64];
    __shared__ barrier bar, other;
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    {statements}
    y[threadIdx.x] = s[threadIdx.x];
}}
void launch(float *y, const float *x, int n)
{{
    k<<<4, 64>>>(y, x, nullptr, n);
}}
"""
_INIT = "if (threadIdx.x == 0) init(&bar, 64); __syncthreads(); "


def _run(statements: str, folder: Path) -> int:
    source = folder / "k.cu"
    source.write_text(_KERNEL.format(statements=statements))
    return run_g2o(["translate", "-q", str(source)])


@pytest.mark.parametrize(
    "count", ["64", "blockDim.x", "block.size()", "blockDim.x * blockDim.y * blockDim.z"]
)
def test_barriers_of_the_block(count: str, tmp_path: Path) -> None:
    waits = f"if (threadIdx.x == 0) init(&bar, {count}); __syncthreads(); bar.arrive_and_wait();"
    assert _run(waits, tmp_path) == 0
    code = (tmp_path / "k.omp.cpp").read_text()
    assert "assert(block2.x == 64" in code
    assert "barrier bar;" not in code
    assert "init(" not in code


@pytest.mark.parametrize(
    ("statements", "message"),
    [
        (
            "if (threadIdx.x == 0) init(&bar, 32); __syncthreads();",
            "barrier of a part of the block",
        ),
        ("if (threadIdx.x == 0) init(&bar, n);", "barrier of a part of the block"),
        (_INIT + "auto token = bar.arrive();", "not waited for next where a thread has arrived"),
        (
            _INIT + "auto token = bar.arrive(); bar.arrive_and_wait(); bar.wait(std::move(token));",
            "not waited for next where a thread has arrived",
        ),
        (
            _INIT + "auto token = bar.arrive(); if (n > 0) bar.wait(std::move(token));",
            "not waited for next where a thread has arrived",
        ),
        (
            _INIT + "auto token = bar.arrive(); other.wait(std::move(token));",
            "not waited for next where a thread has arrived",
        ),
        (_INIT + "bar.arrive_and_drop();", "'arrive_and_drop' of a barrier"),
        (_INIT + "bar.wait_parity(false);", "'wait_parity' of a barrier"),
        ("given->arrive_and_wait();", "'given', a barrier that is no shared variable"),
        (
            "auto pipe = cuda::make_pipeline(block, &state, 32);",
            "pipeline whose threads have different parts",
        ),
        (
            "auto role = threadIdx.x < 32 ? cuda::pipeline_role::producer"
            " : cuda::pipeline_role::consumer;"
            "auto pipe = cuda::make_pipeline(block, &state, role);",
            "pipeline whose threads have different parts",
        ),
        (
            "__pipeline_memcpy_async(&s[4 * threadIdx.x], &x[0], 16, n);",
            "'__pipeline_memcpy_async' that sets a part to zero",
        ),
    ],
)
def test_others_are_refused(
    statements: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(statements, tmp_path) == 1
    assert f"{message} [G2O0223]" in capsys.readouterr().err


def test_barriers_that_some_threads_reach_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    waits = _INIT + "if (threadIdx.x < 32) bar.arrive_and_wait();"
    assert _run(waits, tmp_path) == 1
    assert "barrier under thread-dependent control flow [G2O0203]" in capsys.readouterr().err


def test_copies_of_bytes(tmp_path: Path) -> None:
    copy = "__pipeline_memcpy_async((float4 *)s + threadIdx.x, x + 4 * threadIdx.x, 16);"
    assert _run(copy, tmp_path) == 0
    code = (tmp_path / "k.omp.cpp").read_text()
    assert "std::memcpy((float4 *)s + t, x + 4 * t, 16);" in code
