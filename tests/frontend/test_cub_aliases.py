"""Names of CUB's classes that files declare, for all of their kernels and device functions."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.cli.main import run as run_g2o

_HEADER = """
#pragma once
#include <cub/cub.cuh>
#define SIZE 64
typedef cub::BlockScan<int, SIZE> BlockScan;
struct Queue {
    int *items, *size;
    __device__ void push(int item, int many)
    {
        __shared__ BlockScan::TempStorage temp;
        __shared__ int base;
        int offset, total;
        BlockScan(temp).ExclusiveSum(many, offset, total);
        if (threadIdx.x == 0)
            base = atomicAdd(size, total);
        __syncthreads();
        for (int j = 0; j < many; ++j)
            items[base + offset + j] = item;
    }
};
template <int N> __device__ int before(int v)
{
    __shared__ typename BlockScan::TempStorage temp;
    int r;
    BlockScan(temp).InclusiveSum(v, r);
    return r + N;
}
"""
_SOURCE = """
#include "queue.h"
#include <cstdio>
using BlockReduce = cub::BlockReduce<int, SIZE>;
using Unused = cub::WarpReduce<int>;
__global__ void fill(Queue q, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    q.push(i, i < n ? i % 3 : 0);
}
__global__ void sums(int n, int *m)
{
    __shared__ BlockReduce::TempStorage temp;
    int v = before<3>(m[threadIdx.x]);
    int s = BlockReduce(temp).Sum(v);
    if (threadIdx.x == 0)
        m[n] = s;
}
int main()
{
    Queue q;
    cudaMallocManaged(&q.items, 128 * sizeof(int));
    cudaMallocManaged(&q.size, sizeof(int));
    for (int i = 0; i < 128; ++i)
        q.items[i] = 0;
    *q.size = 0;
    fill<<<1, SIZE>>>(q, 60);
    sums<<<1, SIZE>>>(70, q.items);
    cudaDeviceSynchronize();
    for (int i = 0; i <= 70; ++i)
        printf("%d\\n", q.items[i]);
}
"""


def test_kernels_declare_what_the_file_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "queue.h").write_text(_HEADER)
    (tmp_path / "x.cu").write_text(_SOURCE)
    assert run_g2o(["translate", "-q", str(tmp_path / "x.cu")]) == 0
    assert "cub::" not in (tmp_path / "x.omp.cpp").read_text()
    assert "cub::" not in (tmp_path / "queue.omp.hpp").read_text()
    code = run_g2o(["verify", str(tmp_path / "x.cu"), "--threads", "1,2"])
    shown = capsys.readouterr()
    assert code == 0, shown.out + shown.err
    assert shown.out.count("agrees: 71 lines, 71 numbers") == 2
