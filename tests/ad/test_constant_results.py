"""Results that depend on nothing which has a shadow: only what is lost is refused."""

from __future__ import annotations

from pathlib import Path

from g2o.interop.translate import translate

_ROWS = """
#include <cuda_bf16.h>
template <class T> __global__ void rows(T *out, const T *in, int n, float *sums)
{
    __shared__ float kept[32];
    int t = threadIdx.x;
    kept[t] = 0.0f;
    for (int i = t; i < n; i += 32)
        kept[t] += (float)in[i];
    out[t] = (T)((float)out[t] + (float)in[t]);
    __syncthreads();
    atomicAdd(&sums[t], kept[31 - t]);
}
void run(__nv_bfloat16 *out, const __nv_bfloat16 *in, int n, float *sums)
{
    rows<<<1, 32>>>(out, in, n, sums);
}
"""
_MASK = """
__global__ void above(const float *x, int *mask)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    row[t] = x[64 * blockIdx.x + t];
    __syncthreads();
    int found = 0;
    for (int i = 0; i < 31; i++)
        if (row[i] > row[t])
            found |= 1 << i;
    mask[64 * blockIdx.x + t] = found;
}
void run(int n, const float *x, int *mask) { above<<<n / 64, 64>>>(x, mask); }
"""
_HIDDEN = """
#include <cuda_bf16.h>
__global__ void narrow(const float *x, __nv_bfloat16 *y, float *sums)
{
    y[threadIdx.x] = __float2bfloat16(x[threadIdx.x]);
    sums[threadIdx.x] += 1.0f;
}
"""


def _translated(tmp_path: Path, source: str, grad: str) -> tuple[bool, str]:
    path = tmp_path / "k.cu"
    path.write_text(source)
    made = translate(path, grad=grad)
    return made.ok, made.code if made.ok else " ".join(one.message for one in made.diagnostics)


def test_what_is_added_may_be_constant(tmp_path: Path) -> None:
    ok, code = _translated(tmp_path, _ROWS, "rows(sums)/(sums)")
    assert ok, code
    assert "  rows<g2o::nv_bfloat16>(grid, block, out, in, n, sums);" in code
    assert "d_sums[" not in code.partition("rows_grad<")[2]


def test_results_in_half_precision_are_refused_unless_left_out(tmp_path: Path) -> None:
    ok, message = _translated(tmp_path, _ROWS, "")
    assert not ok
    assert "results of type g2o::nv_bfloat16 behind 'out'" in message
    ok, message = _translated(tmp_path, _ROWS, "rows(sums)/(in)")
    assert not ok
    assert "parameter 'in' of 'rows<__nv_bfloat16>'" in message


def test_numbers_of_a_block_that_only_decide(tmp_path: Path) -> None:
    ok, code = _translated(tmp_path, _MASK, "")
    assert ok, code
    assert "d_x[" not in code


def test_numbers_that_go_into_half_precision_are_not_lost(tmp_path: Path) -> None:
    ok, message = _translated(tmp_path, _HIDDEN, "")
    assert not ok
    assert "results of type g2o::nv_bfloat16 behind 'y'" in message
