"""One parallel region for a block: what every thread does, what one does, and where they wait."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.frontend.cuda.project import Project
from g2o.ir.directives import PARALLEL, Directive
from g2o.ir.expressions import Literal
from g2o.ir.statements import Block, CountedLoop
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.types import INT
from g2o.lowering.offload.directives import check_constructs
from g2o.passes import TranslateOptions
from g2o.pipeline import translate_file
from tests.corpus.execution import reference_runs, translate
from tests.corpus.programs import CorpusProgram
from tests.offload.device import Shape, assert_device_agrees, assert_host_agrees, needs_clang


def code_of(tmp_path: Path, text: str) -> str:
    path = tmp_path / "x.cu"
    path.write_text(text)
    options = TranslateOptions(target="offload")
    result = translate_file(path, options, "x.cu", Project.alone(path, (), tmp_path / "x.omp.cpp"))
    assert result.ok, result.diagnostics
    return result.code


def test_threads_wait_between_reading_and_changing_memory(tmp_path: Path) -> None:
    """All threads read `s[0]`, and one that is ahead must not change it before."""
    code = code_of(
        tmp_path,
        """
__global__ void k(float *x)
{
    __shared__ float s[64];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    float first = s[0];
    __syncthreads();
    s[threadIdx.x] += first;
    __syncthreads();
    x[threadIdx.x] = s[63 - threadIdx.x];
}
void run(float *x) { k<<<1, 64>>>(x); }
""",
    )
    assert (
        """\
            float first = s[0];
#pragma omp barrier
#pragma omp for
            for (int t = 0; t < 64; ++t)
                s[t] += first;
"""
        in code
    ), code


LOOP_DECIDED_BY_MEMORY = """
__global__ void k(int *x, int n)
{
    __shared__ int changed;
    int t = threadIdx.x;
    do {
        __syncthreads();
        if (t == 0)
            changed = 0;
        __syncthreads();
        if (t + 1 < n && x[t] < x[t + 1] && t % 2 == 0) {
            x[t] = x[t + 1];
            changed = 1;
        }
        __syncthreads();
        if (t + 1 < n && x[t] < x[t + 1] && t % 2 == 1) {
            x[t] = x[t + 1];
            changed = 1;
        }
        __syncthreads();
    } while (changed);
}
"""


def test_a_loop_that_memory_decides(tmp_path: Path) -> None:
    """The next turn begins when all threads know that there is one."""
    code = code_of(tmp_path, f"{LOOP_DECIDED_BY_MEMORY}void run(int *x) {{ k<<<1, 64>>>(x, 64); }}")
    assert (
        """\
            do {
#pragma omp barrier
#pragma omp single
                {
                    changed = 0;
                }
"""
        in code
    ), code


@pytest.mark.parametrize(
    ("what", "kernel"),
    [
        (
            "a block that ends early",
            """
__global__ void k(float *x, int n)
{
    __shared__ float s[64];
    if (blockIdx.x * 2 > n)
        return;
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[63 - threadIdx.x];
}
""",
        ),
        (
            "one interval",
            """
__global__ void k(float *x, int n)
{
    __shared__ float s[64];
    s[threadIdx.x] = x[threadIdx.x];
    x[threadIdx.x] = n * s[threadIdx.x];
}
""",
        ),
    ],
)
def test_no_region_of_its_own(tmp_path: Path, what: str, kernel: str) -> None:
    """Every parallel loop is a region where the block cannot be one, or needs none."""
    code = code_of(tmp_path, f"{kernel}void run(float *x) {{ k<<<8, 64>>>(x, 9); }}")
    assert "#pragma omp parallel\n" not in code, what


WARPS = """
// Inclusive sums of warps, the last of which need not be whole; odd warps take twice as much.
template <class T> __global__ void sums_of_warps(const T *x, T *y)
{
    __shared__ T totals[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    T own = x[threadIdx.x];
    if (warp % 2 == 1)
        own *= 2;
    for (int distance = 1; distance < 32; distance *= 2) {
        T below = __shfl_up_sync(0xffffffffu, own, distance);
        if (lane >= distance)
            own += below;
    }
    if (lane == 31)
        totals[warp] = own;
    __syncthreads();
    y[threadIdx.x] = own + (warp > 0 ? totals[warp - 1] : T(0));
}
"""


def test_lanes_are_shared_out(tmp_path: Path) -> None:
    """A device has a thread for every lane: none goes through those of a warp alone."""
    code = code_of(tmp_path, f"{WARPS}void run(int *x) {{ sums_of_warps<int><<<1, 128>>>(x, x); }}")
    assert (
        """\
            for (int distance = 1; distance < 32; distance *= 2) {
#pragma omp for collapse(2)
                for (int warp = 0; warp < 4; ++warp)
                    for (int lane = 0; lane < g2o::warp_size; ++lane) {
                        const int t = warp * g2o::warp_size + lane;
                        value[warp][lane] = own[t];
                    }
"""
        in code
    ), code
    assert "T value[4][g2o::warp_size];" in code


def test_a_team_of_a_warp_has_another_one_to_manage_it(tmp_path: Path) -> None:
    """Where every warp is a team, the threads of the other warps would have nothing to do."""
    code = code_of(
        tmp_path,
        """
__global__ void sums(const float *x, float *y)
{
    float own = x[blockIdx.x * blockDim.x + threadIdx.x];
    for (int distance = 16; distance > 0; distance /= 2)
        own += __shfl_down_sync(0xffffffffu, own, distance);
    if (threadIdx.x % 32 == 0)
        y[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = own;
}
void run(float *x) { sums<<<8, 128>>>(x, x); }
""",
    )
    assert "thread_limit(2 * g2o::warp_size)" in code, code


def test_arrays_that_loops_share_stand_in_front_of_the_region(tmp_path: Path) -> None:
    """What a tile fills through a pointer, threads read that another loop gives to others."""
    code = code_of(
        tmp_path,
        """
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void array(float *out, const float *in)
{
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a[3] = {in[i], 2, in[i + 1]};
    float *q = a;
    *q += 1;
    float x = 0;
    for (int k = 4; k > 0; k /= 2)
        x += tile.shfl_down(q[1], k);
    block.sync();
    out[i] = a[0] + q[0] + x;
}
void run(float *x) { array<<<8, 64>>>(x, x); }
""",
    )
    front, _, region = code.partition("#pragma omp parallel\n")
    assert "float a[64][3];" in front, code
    assert "float a[64]" not in region, code


def test_a_block_whose_declarations_go_keeps_its_construct(tmp_path: Path) -> None:
    """It ran on the host, where x86-64 devices have their memory, too."""
    code = code_of(
        tmp_path,
        """
__global__ void numbers(const int *x, int *y, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int kind = 3;
    if (t < n) {
        kind = 5;
        s[t] = x[t];
    } else
        s[t] = -x[t];
    __syncthreads();
    int sum = s[(t + 1) % 64] * kind;
    __syncthreads();
    s[t] = sum;
    __syncthreads();
    y[t] = s[63 - t] + kind;
}
void run(int *x) { numbers<<<1, 64>>>(x, x, 7); }
""",
    )
    assert "#pragma omp target teams num_teams(1)" in code, code
    assert "#pragma omp parallel\n" in code, code


def test_directives_outside_of_constructs_are_noticed() -> None:
    zero = Literal("0", 0, INT)
    loop = CountedLoop(
        Symbol(1, "t", INT, Storage.INDEX), zero, zero, Block(()), Directive(("for",))
    )
    region = Block((loop,), directive=PARALLEL)
    check_constructs([Block((region,), directive=Directive(("target", "teams")))])
    for wrong in (region, Block((loop,), directive=Directive(("target", "teams")))):
        with pytest.raises(AssertionError):
            check_constructs([wrong])


PROGRAM = (
    "#include <cstdio>\n"
    + LOOP_DECIDED_BY_MEMORY
    + WARPS
    + """
// A value that all threads read, and then one changes; sums of blocks in turns.
__global__ void turns(const int *x, int *y, int rounds)
{
    __shared__ int s[64];
    __shared__ int total;
    int t = threadIdx.x;
    s[t] = x[t] + blockIdx.x;
    if (t == 0)
        total = 0;
    __syncthreads();
    for (int r = 0; r < rounds; ++r) {
        int before = total;
        __syncthreads();
        if (t == 0)
            total = before + s[r % 64];
        __syncthreads();
        if (total % 3 == 0) {
            s[t] += s[(t + r) % 64] > before ? 1 : 2;
            __syncthreads();
            s[t] += t == r ? 5 : 0;
        }
        __syncthreads();
    }
    y[blockIdx.x * 64 + t] = s[t] + total;
}

// One thread takes the next piece of work; some pieces are none, and nobody does them.
__global__ void pieces(int *next, int *y, int n)
{
    __shared__ int piece;
    if (threadIdx.x == 0)
        piece = atomicAdd(next, 1);
    __syncthreads();
    while (piece < n) {
        int own = piece;
        if (own % 3 == 1) {
            __syncthreads();
            if (threadIdx.x == 0)
                piece = atomicAdd(next, 1);
            __syncthreads();
            continue;
        }
        y[own * 16 + threadIdx.x % 16] += own + threadIdx.x % 16;
        __syncthreads();
        if (threadIdx.x == 0)
            piece = atomicAdd(next, 1);
        __syncthreads();
    }
}

int main()
{
    int x[64], y[5 * 64], *d_x, *d_y;
    for (int i = 0; i < 64; ++i)
        x[i] = (i * 37) % 101;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof y);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    turns<<<5, 64>>>(d_x, d_y, 1);
    k<<<1, 64>>>(d_x, 64);
    int next = 0, *d_next;
    cudaMalloc(&d_next, sizeof next);
    cudaMemcpy(d_next, &next, sizeof next, cudaMemcpyHostToDevice);
    pieces<<<3, 16>>>(d_next, d_y + 192, 4);
    sums_of_warps<<<1, 60>>>(d_x, d_y + 64);
    sums_of_warps<<<1, 64>>>(d_x, d_y + 128);
    cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost);
    cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; ++i)
        printf("%d %d %d %d %d\\n", x[i], y[i] + y[192 + i], y[64 + i], y[128 + i], y[256 + i]);
    cudaFree(d_x);
    cudaFree(d_y);
    return 0;
}
"""
)


@needs_clang
def test_regions_do_what_the_source_does(tmp_path: Path) -> None:
    (tmp_path / "turns.cu").write_text(PROGRAM)
    program = CorpusProgram("turns", tmp_path, ("turns.cu",), ())
    translate(program, tmp_path / "translation", "--target", "offload")
    sources = [tmp_path / "translation" / "turns.omp.cpp"]
    references = reference_runs(program, tmp_path)
    shapes = (Shape(1, 1), Shape(2, 2), Shape(1, 4), Shape(1, 16))
    assert_device_agrees(sources, tmp_path / "device", references, shapes=shapes)
    assert_host_agrees(sources, tmp_path / "fallback", references)
