"""Which variables are the same for all threads of a block."""

from __future__ import annotations

import pytest

from g2o.analysis.uniformity import Uniformity, solve_uniformity
from g2o.ir.statements import Scope
from tests.analysis.kernels import ReadKernel, read_kernel

_PROGRAM = """
__device__ int twice(int v) { return 2 * v; }
__device__ int lane() { return threadIdx.x % 32; }
__device__ void set(int &v, int to) { v = to; }

__global__ void k(int *y, const int *x, int n) {
    int t = threadIdx.x;
    int b = blockIdx.x;
    int same = twice(n + b);
    int varying = lane();
    int loaded = x[b];
    int gathered = x[t];
    int chosen = 0;
    if (t < n)
        chosen = 1;
    int alike = 0;
    if (b < n)
        alike = 1;
    int sum = 0;
    for (int i = 0; i < n; ++i)
        sum += x[i];
    int turns = 0;
    while (x[turns] > t)
        ++turns;
    int cut = 0;
    for (int j = 0; j < n; ++j) {
        if (j == t)
            break;
        cut += 1;
    }
    int inside = 0;
    for (int j = 0; j < n; ++j) {
        while (x[t] > j)
            break;
        inside += 1;
    }
    int given;
    set(given, n);
    int handed;
    set(handed, t);
    y[t] = same + varying + loaded + gathered + chosen + alike + sum + turns + cut + handed;
    y[t] += given + inside;
}
"""


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> ReadKernel:
    return read_kernel(tmp_path_factory.mktemp("uniformity"), _PROGRAM)


def _solved(kernel: ReadKernel, scope: Scope) -> Uniformity:
    return solve_uniformity(kernel.function.body, scope, kernel.effects, set())


@pytest.mark.parametrize("name", ["b", "same", "loaded", "alike", "sum", "given", "inside"])
def test_values_of_a_block_are_uniform(kernel: ReadKernel, name: str) -> None:
    assert kernel.symbol(name) not in _solved(kernel, Scope.BLOCK).varying


@pytest.mark.parametrize("name", ["t", "varying", "gathered", "chosen", "turns", "cut", "handed"])
def test_values_of_a_thread_are_not(kernel: ReadKernel, name: str) -> None:
    assert kernel.symbol(name) in _solved(kernel, Scope.BLOCK).varying


def test_blocks_differ_across_the_grid(kernel: ReadKernel) -> None:
    varying = _solved(kernel, Scope.GRID).varying
    assert kernel.symbol("b") in varying
    assert kernel.symbol("same") in varying
    assert kernel.symbol("sum") not in varying
