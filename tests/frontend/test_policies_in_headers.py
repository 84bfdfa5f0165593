"""Members that templates call unseen, in a header: the files that launch resolve the calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.cli.main import run as run_g2o

HEADER = """\
#pragma once
struct Shared {
    template <class T> static __device__ T scanned(T own, volatile T *place)
    {
        const int lane = threadIdx.x & 31;
        place[0] = own;
        for (int step = 1; step < 32; step <<= 1) {
            __syncwarp();
            T other = lane >= step ? place[-step] : T();
            __syncwarp();
            own += other;
            place[0] = own;
        }
        return own;
    }
};
struct Shuffles {
    template <class T> static __device__ T scanned(T own, volatile T *)
    {
        const int lane = threadIdx.x & 31;
        for (int step = 1; step < 32; step <<= 1) {
            T other = __shfl_up_sync(0xffffffffu, own, step);
            own += lane >= step ? other : T();
        }
        return own;
    }
};
template <class Policy, class T> __device__ T scan(T own, volatile T *place)
{
    return Policy::template scanned<T>(own, place);
}
"""
SOURCE = """\
#include "policies.cuh"
#include <cstdio>

template <class Policy> __global__ void k(const int *in, int *out)
{
    extern __shared__ int s[];
    out[threadIdx.x] = scan<Policy, int>(in[threadIdx.x], s + threadIdx.x);
}

template <class Policy> void show(const int *in, int *out)
{
    k<Policy><<<1, 64, 256>>>(in, out);
    cudaDeviceSynchronize();
    std::printf("%d %d %d\\n", out[5], out[31], out[63]);
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 256);
    cudaMallocManaged(&out, 256);
    for (int i = 0; i < 64; ++i)
        in[i] = i * i;
    show<Shared>(in, out);
    show<Shuffles>(in, out);
}
"""


def test_instances_call_what_they_mean(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "policies.cuh").write_text(HEADER)
    source = tmp_path / "scans.cu"
    source.write_text(SOURCE)
    code = run_g2o(["verify", str(source), "--threads", "2"])
    shown = capsys.readouterr()
    assert code == 0, shown.out + shown.err
    assert "2 lines, 6 numbers" in shown.out
