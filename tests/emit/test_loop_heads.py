"""Heads of loops that declare several variables, where names in them had to change."""

from __future__ import annotations

from pathlib import Path

from g2o.interop.translate import translate

_SOURCE = """
template <int M> __device__ inline void square(const float *in, float out[M][M])
{
    for (int index = 0, i = 0; i < M; i++)
        for (int j = i; j < M; j++, index++)
            out[i][j] = out[j][i] = in[index];
    for (const float *p = in, *q = in + 2; p < q; ++p)
        out[0][0] += *p * threadIdx.x;
}
__global__ void k(const float *p, float *x)
{
    float m[4][4];
    float in[16];
    for (int i = 0; i < 16; ++i)
        in[i] = x[16 * threadIdx.x + i];
    square<4>(in, m);
    x[threadIdx.x] = m[1][2] + *p;
}
"""


def test_names_change_in_one_declaration(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text(_SOURCE)
    made = translate(source)
    assert made.ok, made.diagnostics
    assert "for (int index = 0, i = 0; i < 4; i++)" in made.code
    assert "for (const float *p2 = in2, *q = in2 + 2; p2 < q; ++p2)" in made.code
