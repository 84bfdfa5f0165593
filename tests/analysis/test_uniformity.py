"""Which variables are the same for all threads of a block."""

from __future__ import annotations

import pytest

from g2o.analysis.uniformity import Uniformity, solve_uniformity
from g2o.ir.expressions import Call, Expr, Member, VarRef
from g2o.ir.statements import Block, Declare, ExprStatement, If, Scope, Variable
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.types import INT, CType, TypeKind
from tests.analysis.kernels import ReadKernel, read_kernel

_PROGRAM = """
#include <cassert>
#include <cstdio>
struct Checked {
    int *a;
    __device__ Checked(const Checked &o) : a(o.a) { assert(a); }
};
struct Shown {
    int *a;
    __device__ Shown(const Shown &o) : a(o.a) { printf("%p", a); }
};
__device__ void start(int *p, int &v, int to) { *p = v = to; }
__device__ int twice(int v) { return 2 * v; }
__device__ int lane() { return threadIdx.x % 32; }
__device__ int ilogb(int v) { return v > 0 ? threadIdx.x : ilogb(v + 1); }
__device__ void set(int &v, int to) { v = to; }

__global__ void k(int *y, const int *x, int n, const Checked *all, const Shown *some) {
    int t = threadIdx.x;
    int b = blockIdx.x;
    int same = twice(n + b);
    int varying = lane();
    int named = ilogb(n);
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
    Checked checked(all[b]);
    int *copied = checked.a;
    Shown shown(some[b]);
    int began;
    start(y, began, n);
    y[t] = began + *copied + *shown.a;
    y[t] += same + varying + loaded + gathered + chosen + alike + sum + turns + cut + handed;
    y[t] += named + given + inside;
}
"""


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> ReadKernel:
    return read_kernel(tmp_path_factory.mktemp("uniformity"), _PROGRAM)


def _solved(kernel: ReadKernel, scope: Scope) -> Uniformity:
    return solve_uniformity(kernel.function.body, scope, kernel.effects, set())


@pytest.mark.parametrize(
    "name", ["b", "same", "loaded", "alike", "sum", "given", "inside", "began"]
)
def test_values_of_a_block_are_uniform(kernel: ReadKernel, name: str) -> None:
    assert kernel.symbol(name) not in _solved(kernel, Scope.BLOCK).varying


def test_constructors_that_check_their_arguments_are_pure(kernel: ReadKernel) -> None:
    assert kernel.symbol("all") not in kernel.effects_of("Checked checked").writes
    assert kernel.symbol("some") in kernel.effects_of("Shown shown").writes


@pytest.mark.parametrize(
    "name", ["t", "varying", "named", "gathered", "chosen", "turns", "cut", "handed"]
)
def test_values_of_a_thread_are_not(kernel: ReadKernel, name: str) -> None:
    assert kernel.symbol(name) in _solved(kernel, Scope.BLOCK).varying


def test_blocks_differ_across_the_grid(kernel: ReadKernel) -> None:
    varying = _solved(kernel, Scope.GRID).varying
    assert kernel.symbol("b") in varying
    assert kernel.symbol("same") in varying
    assert kernel.symbol("sum") not in varying


@pytest.mark.parametrize(
    ("pushed", "condition", "is_common"),
    [("b", "b", True), ("t", "b", False), ("b", "t", False)],
)
def test_what_all_threads_push_alike_is_uniform(
    kernel: ReadKernel, pushed: str, condition: str, is_common: bool
) -> None:
    tape = Symbol(1000, "kept", CType("g2o::Tape<int>", TypeKind.OTHER), Storage.LOCAL)
    taken = Symbol(1001, "taken", INT, Storage.LOCAL)

    def call(name: str, *arguments: Expr) -> Call:
        return Call(name, Member(VarRef(tape), name), arguments)

    push = ExprStatement(call("push", VarRef(kernel.symbol(pushed))))
    body = Block(
        (
            *kernel.function.body.statements,
            Declare((Variable(tape, "g2o::Tape<int>"),)),
            If(VarRef(kernel.symbol(condition)), Block((push,))),
            Declare((Variable(taken, "const int", "", call("pop"), "="),)),
        )
    )
    found = solve_uniformity(body, Scope.BLOCK, kernel.functions.for_node(body), set())
    assert (taken not in found.varying) == is_common
    values = solve_uniformity(
        body, Scope.BLOCK, kernel.functions.for_node(body), set(), control=False
    )
    assert taken in values.varying
