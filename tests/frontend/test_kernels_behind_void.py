"""Kernels that programs keep as `void *`, in structures and variables, to launch them later."""

from __future__ import annotations

import subprocess
from pathlib import Path

from g2o.cli.main import run as run_g2o

_SOURCE = r"""
#include <cstdio>

struct Spec {
    void *kernel;
    int threads;
};
struct Args {
    int *p;
    int n;
};

template <int N> __global__ void add(Args a)
{
    if (int(threadIdx.x) < a.n)
        a.p[threadIdx.x] += N;
}

__global__ void reversed(Args a)
{
    extern __shared__ int s[];
    s[threadIdx.x] = a.p[threadIdx.x];
    __syncthreads();
    a.p[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

Spec choose(int which)
{
    if (which == 0)
        return {(void *)add<3>, 32};
    Spec spec = {reinterpret_cast<void *>(add<5>), 16};
    if (which == 2)
        spec.kernel = (void *)&reversed;
    return spec;
}

int main()
{
    int *d, h[32] = {};
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    for (int i = 0; i < 3; ++i) {
        Spec spec = choose(i);
        Args a = {d, 4 + i};
        void *args[] = {&a};
        cudaFuncSetCacheConfig(spec.kernel, cudaFuncCachePreferShared);
        cudaLaunchKernel(spec.kernel, dim3(1), dim3(spec.threads), args, 32 * sizeof(int), 0);
    }
    void *picked = h[0] == 77 ? (void *)add<9> : (void *)add<7>;
    Args a = {d, 14};
    void *args[] = {&a};
    cudaLaunchKernel(picked, 1, 32, args, 0, 0);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int value : h)
        std::printf("%d", value % 10);
    std::printf("\n");
}
"""


def test_they_are_launched_with_the_types_that_they_have(tmp_path: Path) -> None:
    source = tmp_path / "kept.cu"
    source.write_text(_SOURCE)
    assert run_g2o(["translate", "-q", str(source)]) == 0
    program = tmp_path / "kept"
    command = ["g++", "-std=c++17", "-fopenmp", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([*command, "-o", str(program), str(tmp_path / "kept.omp.cpp")], check=True)
    done = subprocess.run([str(program)], capture_output=True, text=True, check=True)
    added = [3 * (i < 4) + 5 * (i < 5) for i in range(16)][::-1] + [0] * 16
    assert done.stdout == "".join(str((v + 7 * (i < 14)) % 10) for i, v in enumerate(added)) + "\n"
