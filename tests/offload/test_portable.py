"""One source for CPUs and devices: -DG2O_OFFLOAD decides."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from g2o.frontend.cuda.project import Project
from g2o.passes import TranslateOptions
from g2o.pipeline import translate_file
from tests.corpus.execution import assert_agrees, build, reference_runs, translate
from tests.corpus.programs import PROGRAMS, CorpusProgram
from tests.offload.device import (
    HOST_FALLBACK,
    ON_DEVICES,
    PORTABLE_ON_CPU,
    PORTABLE_ON_DEVICE,
    assert_device_agrees,
    needs_clang,
)

# Shared memory of the launch, two axes of threads with and without barriers, and atomics of blocks.
_FEW: Final = ("histogram",)
FEW: Final = [case for case in PROGRAMS if case.id in _FEW]
_FOLDER: Final = Path(__file__).parent
# Memory of blocks that is a slice for every team, or for every thread of a CPU, and variables that
# host and device share.
_OWN: Final = [
    pytest.param(CorpusProgram(name, _FOLDER / folder, (f"{name}.cu",), ()), id=name)
    for folder, name in (("programs", "large_blocks"), ("unified", "managed"))
]


def code_of(tmp_path: Path, text: str) -> str:
    """The translation behind the include; long pragmas end in " \\"."""
    path = tmp_path / "x.cu"
    path.write_text(text)
    options = TranslateOptions(target="portable")
    result = translate_file(path, options, "x.cu", Project.alone(path, (), tmp_path / "x.omp.cpp"))
    assert result.ok, result.diagnostics
    code = re.split(r'#include "g2o_runtime.hpp"\n(?:#include "g2o_\w+.hpp"\n)*\n', result.code)[-1]
    return re.sub(r" +\\\n", r" \\\n", code)


def test_both_directives_of_a_loop(tmp_path: Path) -> None:
    text = """
__global__ void reverse(const float *in, float *out)
{
    __shared__ float tile[64];
    int t = threadIdx.x;
    tile[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    out[blockIdx.x * 64 + t] = tile[63 - t];
}
void run(const float *in, float *out) { reverse<<<2, 64>>>(in, out); }
"""
    assert """\
#pragma omp G2O_CPU(parallel for) \\
    G2O_DEVICE(target teams distribute is_device_ptr(in, out) firstprivate(grid) thread_limit(64))
    for (int bx = 0; bx < int(grid.x); ++bx) {
        float tile[64];
        G2O_DEVICE_PRAGMA(omp parallel)
        {
#pragma omp G2O_CPU(simd) G2O_DEVICE(for)
            for (int t = 0; t < 64; ++t)
                tile[t] = in[bx * 64 + t];
""" in code_of(tmp_path, text)


def test_a_directive_of_one_target_is_a_macro(tmp_path: Path) -> None:
    text = """
__global__ void transpose(const float *in, float *out)
{
    __shared__ float tile[16][17];
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void run(const float *in, float *out) { transpose<<<8, dim3(16, 16)>>>(in, out); }
"""
    assert """\
            G2O_DEVICE_PRAGMA(omp for collapse(2))
            for (int ty = 0; ty < 16; ++ty)
                G2O_CPU_PRAGMA(omp simd)
                for (int tx = 0; tx < 16; ++tx)
                    tile[ty][tx] = in[ty * 16 + tx];
""" in code_of(tmp_path, text)


def test_atomics_of_a_block_are_plain_on_a_cpu(tmp_path: Path) -> None:
    text = """
__global__ void count(const int *x, int *total)
{
    __shared__ int bins[8];
    if (threadIdx.x < 8)
        bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[x[blockIdx.x * 64 + threadIdx.x]], 1);
    __syncthreads();
    if (threadIdx.x < 8)
        atomicAdd(&total[threadIdx.x], bins[threadIdx.x]);
}
void run(const int *x, int *total) { count<<<8, 64>>>(x, total); }
"""
    code = code_of(tmp_path, text)
    assert (
        """\
                G2O_DEVICE_PRAGMA(omp atomic)
                bins[x[bx * 64 + t]] += 1;
"""
        in code
    ), code
    assert "g2o::atomic_add(&total[t], bins[t]);" in code


def test_a_long_directive_of_a_device_is_broken_between_clauses(tmp_path: Path) -> None:
    text = """
#include <cooperative_groups.h>
__global__ void k(float *first_of_the_arrays, float *second_of_the_arrays, float *third_array)
{
    __shared__ float sums[32];
    sums[threadIdx.x] = first_of_the_arrays[threadIdx.x];
    __syncthreads();
    second_of_the_arrays[threadIdx.x] = sums[31 - threadIdx.x] + third_array[threadIdx.x];
}
void run(float *x) { k<<<1, 32>>>(x, x, x); }
"""
    assert """\
    G2O_DEVICE_PRAGMA(omp target teams num_teams(1)
                      is_device_ptr(first_of_the_arrays, second_of_the_arrays, third_array)
                      thread_limit(64))
""" in code_of(tmp_path, text)


def _translated(program: CorpusProgram, output: Path) -> list[Path]:
    translate(program, output, "--target", "portable")
    return [output / name for name in program.outputs if name.endswith(".cpp")]


def _check(program: CorpusProgram, tmp_path: Path) -> None:
    sources = _translated(program, tmp_path / "translation")
    references = reference_runs(program, tmp_path)
    for toolchain in (HOST_FALLBACK, PORTABLE_ON_CPU):
        built = build(sources, tmp_path / toolchain.compiler, toolchain)
        assert_agrees(program, built, references, toolchain.name)
    assert_device_agrees(
        sources,
        tmp_path / "device",
        references,
        program.arguments,
        toolchain=PORTABLE_ON_DEVICE,
    )


@needs_clang
@pytest.mark.parametrize("program", [*FEW, *_OWN])
def test_source_for_both(program: CorpusProgram, tmp_path: Path) -> None:
    _check(program, tmp_path)


@needs_clang
@pytest.mark.slow
@pytest.mark.parametrize("program", ON_DEVICES)
def test_corpus_for_both(program: CorpusProgram, tmp_path: Path) -> None:
    _check(program, tmp_path)
