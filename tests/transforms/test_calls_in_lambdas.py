"""What a lambda calls runs when the lambda does: never once, in front of it."""

from __future__ import annotations

from pathlib import Path

from g2o.interop.translate import translate

_PROGRAM = """
__device__ int bump(int *c) { int old = *c; *c += 1; return old + int(threadIdx.x); }
template <typename F> __device__ int sum_of(F f, int n)
{
    int s = 0;
    for (int k = 0; k < n; ++k)
        s += f(k);
    return s;
}
__global__ void k(int *out)
{
    int c = 0;
    out[threadIdx.x] = sum_of([&](int) { return bump(&c); }, 3) + c;
}
"""


def test_calls_that_become_statements_do_not_leave_a_lambda(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text(_PROGRAM)
    made = translate(source)
    assert not made.ok
    assert "'bump', which needs the launch, inside of a lambda" in made.diagnostics[0].message
