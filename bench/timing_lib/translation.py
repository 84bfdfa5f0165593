"""How long `g2o translate` takes, as its user waits for it: one command, start-up included."""

import os
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from typing import Final, final

from bench.timing_lib.building import TRANSLATE, StepFailed, run_step
from bench.timing_lib.programs import ROOT

GENERATED_LINES: Final = (1000, 2000, 5000)

_HEAD: Final = """\
#include <cuda_runtime.h>

"""
# Each adds two blank lines below; `@` is the number of the kernel.
_KERNELS: Final = (
    """\
// Scaled sum of two vectors.
__global__ void combine@(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
""",
    """\
// One step of diffusion; the rim stays as it is.
__global__ void diffuse@(int n, float k, const float *u, float *v)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < 1 || row >= n - 1 || col < 1 || col >= n - 1)
        return;
    int c = row * n + col;
    float around = u[c - n] + u[c + n] + u[c - 1] + u[c + 1];
    v[c] = u[c] + k * (around - 4.0f * u[c]);
}
""",
    """\
// Partial sums, one for each block.
__global__ void add_up@(int n, const float *in, float *partial)
{
    __shared__ float buf[256];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    buf[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s)
            buf[t] += buf[t + s];
        __syncthreads();
    }
    if (t == 0)
        partial[blockIdx.x] = buf[0];
}
""",
)
_LAUNCHES: Final = (
    "combine@<<<n / 256, 256>>>(n, 0.5f, x, y);",
    "diffuse@<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(n, 0.1f, x, y);",
    "add_up@<<<n / 256, 256>>>(n, x, y);",
)


@final
@dataclass(frozen=True, slots=True)
class TranslationTime:
    """`seconds` is the median of several runs, None where `fault` says why there is none."""

    name: str
    lines: int
    seconds: float | None
    fault: str = ""


def translation_times(
    rounds: int, directory: Path, sizes: Sequence[int] = GENERATED_LINES
) -> list[TranslationTime]:
    """Time saxpy and one generated file for each of `sizes` (in lines)."""
    files = [("saxpy", ROOT / "corpus" / "saxpy" / "saxpy.cu")]
    for lines in sizes:
        path = directory / f"generated{lines}.cu"
        path.write_text(generated_source(lines))
        files.append((f"generated, {lines} lines", path))
    return [_time(name, path, rounds, directory) for name, path in files]


def generated_source(lines: int) -> str:
    """A CUDA file of `lines` lines or a few more: kernels, and one function that launches them."""
    kernels: list[str] = []
    launches: list[str] = []
    length = _HEAD.count("\n") + 3
    for number in count():
        if length >= lines:
            break
        kernel = _KERNELS[number % len(_KERNELS)].replace("@", str(number))
        kernels.append(kernel)
        launches.append(_LAUNCHES[number % len(_LAUNCHES)].replace("@", str(number)))
        length += kernel.count("\n") + 2
    body = "".join(f"    {launch}\n" for launch in islice(launches, len(kernels)))
    host = "void all(int n, const float *x, float *y)\n{\n" + body + "}\n"
    return _HEAD + "\n".join([*kernels, host])


def _time(name: str, source: Path, rounds: int, directory: Path) -> TranslationTime:
    lines = source.read_text().count("\n")
    seconds: list[float] = []
    # As it runs for users: with the byte code that installing or the first run has left.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(directory / "bytecode")
    for warm in (False, *(True,) * rounds):
        start = time.perf_counter()
        try:
            output = str(directory / f"{source.stem}.cpp")
            run_step("translate", [*TRANSLATE, str(source), "-o", output], environment)
        except StepFailed as fault:
            return TranslationTime(name, lines, None, str(fault))
        if warm:
            seconds.append(time.perf_counter() - start)
    return TranslationTime(name, lines, statistics.median(seconds))
