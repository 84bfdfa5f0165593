"""What statements and calls read and write."""

from __future__ import annotations

import pytest

from tests.analysis.kernels import ReadKernel, names, read_kernel

_PROGRAM = """
struct Plain { float a; float *p; };
struct Sum {
    float total;
    int count;
    __device__ void add(float x) { total += x; ++count; }
    __device__ float mean() const { return total / count; }
    __device__ Sum &operator+=(const Sum &other) { total += other.total; return *this; }
    __device__ float operator()(float f) const { return f * total; }
};
__device__ int counter;
__device__ float look(const float *p, int i) { const float *q = p + 1; return q[i]; }
__device__ void put(float *p, int i) { float *q = p; q += i; *q = 3; }
__device__ void swap_both(float &a, float &b) { float t = a; a = b; b = t; }
__device__ int next() { return atomicAdd(&counter, 1); }
__device__ int again(int n, float *p) { if (n > 0) p[n] = again(n - 1, p); return n; }
__device__ float *move(float *p, float *q) { p = q; p[0] = 1; return p; }

__global__ void k(Plain *out, float *y, const float *x, int n) {
    int i = threadIdx.x;
    Plain plain;
    plain.a = look(x, i);
    out[i] = plain;
    Sum sum = {0.0f, 0};
    sum.add(x[i]);
    Sum other{1.0f, 2};
    sum += other;
    y[i] = sum.mean() + sum(2.0f);
    put(y, n);
    float a = 1, b = 2;
    swap_both(a, b);
    int at = next();
    int depth = again(n, y);
    move(y, &out[i].a);
    printf("%d", i);
    float &slot = y[at];
    const float &seen = x[depth];
    slot = seen;
}
"""


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> ReadKernel:
    return read_kernel(tmp_path_factory.mktemp("effects"), _PROGRAM)


@pytest.mark.parametrize(
    ("text", "writes", "memory_reads", "memory_writes"),
    [
        ("Plain plain", "", "", ""),
        ("plain.a = look", "plain", "x", ""),
        ("out[i] = plain", "", "", "out"),
        ("sum.add", "sum", "x", "sum"),
        ("sum += other", "sum", "", "sum"),
        ("y[i] = sum.mean", "", "", "y"),
        ("put(y", "", "", "y"),
        ("swap_both", "a b", "", ""),
        ("float &slot", "slot", "y", "y"),
        ("const float &seen", "seen", "x", ""),
    ],
)
def test_statement_reads_and_writes(
    kernel: ReadKernel,
    text: str,
    writes: str,
    memory_reads: str,
    memory_writes: str,
) -> None:
    found = kernel.effects_of(text)
    assert names(found.writes) == set(writes.split())
    assert names(found.memory_reads) == set(memory_reads.split())
    assert names(found.memory_writes) == set(memory_writes.split())
    assert not found.side_effects


def test_atomics_of_a_function_are_side_effects(kernel: ReadKernel) -> None:
    found = kernel.effects_of("int at")
    assert found.side_effects
    assert "*" in names(found.memory_writes)


def test_recursion_may_do_anything(kernel: ReadKernel) -> None:
    found = kernel.effects_of("int depth")
    assert found.side_effects
    assert {"*", "y"} <= names(found.memory_writes)


def test_a_pointer_that_is_assigned_may_point_anywhere(kernel: ReadKernel) -> None:
    assert "y" in names(kernel.effects_of("move(").memory_writes)


def test_output_writes_nothing(kernel: ReadKernel) -> None:
    found = kernel.effects_of("printf")
    assert found.side_effects
    assert not found.writes
    assert not found.memory_writes


def test_methods_say_whether_they_change_their_object(kernel: ReadKernel) -> None:
    known = {
        effects.writes_receiver
        for effects in kernel.effects.functions.values()
        if effects.is_method
    }
    assert known == {True, False}
