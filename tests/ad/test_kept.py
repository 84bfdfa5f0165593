"""What an adjoint keeps is told: what, how many bytes, and why."""

from __future__ import annotations

from pathlib import Path

from g2o.interop.translate import translate

SOURCE = """
__global__ void iterate(const double *x, double *y, const float *w, int n, int times)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float first[2] = {w[i], w[i]};
        first[n % 2] = first[n % 2] * first[n % 2];
        double v = x[i] + first[n % 2];
        for (int k = 0; k < times; ++k)
            v = sin(v);
        y[i] = v;
    }
}
"""


def test_kept_values_have_sizes_and_reasons(tmp_path: Path) -> None:
    path = tmp_path / "iterate.cu"
    path.write_text(SOURCE)
    made = translate(path, grad="")
    messages = [one.message for one in made.remarks if one.code == "G2O0405"]
    reason = "changes before the reverse sweep gets there"
    assert messages == [
        f"analysis: 'old_first' keeps 4 bytes a thread: 'first' {reason}",
        f"analysis: 'kept_v' keeps 8 bytes an iteration on a tape: 'v' {reason}",
        "analysis: the adjoint of 'iterate' keeps 4 bytes a thread in variables"
        " and 8 bytes an iteration on tapes",
    ]


def test_kernels_that_keep_nothing_are_not_mentioned(tmp_path: Path) -> None:
    path = tmp_path / "scale.cu"
    path.write_text(
        "__global__ void scale(const float *x, float *y, float a)\n"
        "{\n    y[threadIdx.x] = a * x[threadIdx.x];\n}\n"
    )
    made = translate(path, grad="")
    assert not [one for one in made.remarks if one.code == "G2O0405"]


CONVOLVE = """
__global__ void convolve(const float *in, const float *w, float *out, int n, int taps)
{
    __shared__ float tile[32];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int k0 = 0; k0 < taps; k0 += 4) {
        for (int j = t; j < 20; j += blockDim.x)
            tile[j] = in[blockIdx.x * 16 + k0 + j];
        if (t < 2)
            tile[t + 20] = in[blockIdx.x * 16 + k0 + t];
        __syncthreads();
        for (int k = 0; k < 4 && k0 + k < taps; ++k)
            sum += w[k0 + k] * tile[t + k];
        __syncthreads();
    }
    out[blockIdx.x * 16 + t] = sum;
}
"""


def test_tiles_that_loops_fill_are_filled_again(tmp_path: Path) -> None:
    path = tmp_path / "convolve.cu"
    path.write_text(CONVOLVE)
    assert "Tape" not in translate(path, grad="convolve").code


def test_tiles_of_growing_size_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "convolve.cu"
    path.write_text(CONVOLVE.replace("j < 20", "j < k0 + 8"))
    assert "Tape<float> kept_tile" in translate(path, grad="convolve").code.replace(">> ", "> ")
