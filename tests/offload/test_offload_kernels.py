"""What single kernels look like for a device, and what is refused for one."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from g2o.frontend.cuda.project import Project
from g2o.passes import TranslateOptions
from g2o.pipeline import Translation, translate_file


def translated(tmp_path: Path, text: str) -> Translation:
    path = tmp_path / "x.cu"
    path.write_text(text)
    options = TranslateOptions(target="offload")
    return translate_file(path, options, "x.cu", Project.alone(path, (), tmp_path / "x.omp.cpp"))


def code_of(tmp_path: Path, text: str) -> str:
    """The translation without its two first lines and the include; long pragmas end in " \\"."""
    result = translated(tmp_path, text)
    assert result.ok, result.diagnostics
    code = re.split(r'#include "g2o_runtime.hpp"\n(?:#include "g2o_\w+.hpp"\n)*\n', result.code)[-1]
    return re.sub(r" +\\\n", r" \\\n", code)


def test_one_construct_where_threads_never_wait(tmp_path: Path) -> None:
    text = """
__global__ void scale(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i];
}
"""
    assert (
        code_of(tmp_path, text)
        == """\
void scale(dim3 grid, dim3 block, int n, float a, const float *x, float *y)
{
    const int count = std::min(n, int(grid.x * block.x));
#pragma omp target teams distribute parallel for is_device_ptr(x, y)
    for (int i = 0; i < count; ++i)
        y[i] = a * x[i];
}
"""
    )


def test_teams_for_blocks_and_shared_loops_for_intervals(tmp_path: Path) -> None:
    text = """
__global__ void block_sum(const float *in, float *partial, int n)
{
    extern __shared__ float buf[];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    buf[t] = (i < n) ? in[i] : 0.0f;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s)
            buf[t] += buf[t + s];
        __syncthreads();
    }
    if (t == 0)
        partial[blockIdx.x] = buf[0];
}
"""
    assert (
        code_of(tmp_path, text)
        == """\
void block_sum(dim3 grid, dim3 block, std::size_t shared_bytes, const float *in, float *partial,
               int n)
{
#pragma omp target teams distribute is_device_ptr(in, partial) firstprivate(grid, block) \\
    thread_limit(block.x) G2O_DYNAMIC_SHARED(shared_bytes)
    for (int bx = 0; bx < int(grid.x); ++bx) {
        g2o::shared_array<float> buf(shared_bytes);
#pragma omp parallel
        {
#pragma omp for
            for (int t = 0; t < int(block.x); ++t) {
                int i = bx * int(block.x) + t;
                buf[t] = (i < n) ? in[i] : 0.0f;
            }
            for (int s = block.x / 2; s > 0; s >>= 1) {
#pragma omp for
                for (int t = 0; t < s; ++t)
                    buf[t] += buf[t + s];
            }
#pragma omp single
            {
                partial[bx] = buf[0];
            }
        }
    }
}
"""
    )


def test_variables_of_the_device_are_declared_and_not_static(tmp_path: Path) -> None:
    text = """
// Weights of the neighbours.
__constant__ float weights[3] = {0.25f, 0.5f, 0.25f};
static __device__ int calls; // so far
__device__ float weighted(float x) { return weights[0] * x; }
__global__ void k(float *x) { x[0] = weighted(x[0]); calls = 1; }
"""
    assert """\
#pragma omp declare target
float weights[3] = {0.25f, 0.5f, 0.25f};
int calls; // so far
#pragma omp end declare target
float weighted(float x) { return weights[0] * x; }
""" in code_of(tmp_path, text)


def test_variables_of_a_type_without_a_name_get_one(tmp_path: Path) -> None:
    """The host did not find them, and copied to memory of its own."""
    text = """
__constant__ struct { int n; float w[2]; } sizes, others;
__device__ enum { RED, GREEN } colour;
__device__ struct __align__(16) { int n; } *first, second;
__device__ enum : short { FEW, MANY } number;
__device__ struct Named { struct { int n; } inner; } named;
__global__ void k(float *x) { x[0] = sizes.w[1] + others.n + colour; }
"""
    code = code_of(tmp_path, text)
    assert "struct sizes_type { int n; float w[2]; } sizes, others;" in code
    assert "enum colour_type { RED, GREEN } colour;" in code
    assert re.search(r"struct .*\(16\)\)? first_type { int n; } \*first, second;", code), code
    assert "enum number_type : short { FEW, MANY } number;" in code
    assert "struct Named { struct { int n; } inner; } named;" in code


def test_functions_that_only_other_files_call_are_declared(tmp_path: Path) -> None:
    functions = """extern "C" __host__ __device__
double twice(double x) { return 2 * x; }
__device__ double inner(double x) { return x; }
__device__ double outer(double x) { return inner(x); }
static __device__ double unused(double x) { return x; }
"""
    (tmp_path / "functions.cu").write_text(functions)
    (tmp_path / "main.cu").write_text(
        """extern "C" __host__ __device__ double twice(double x);
__device__ double outer(double x);
__global__ void k(double *x) { x[0] = twice(outer(x[0])); }
"""
    )
    inputs = [tmp_path / "functions.cu", tmp_path / "main.cu"]
    command = [sys.executable, "-m", "g2o.cli.main", "translate", "--quiet", "--target", "offload"]
    subprocess.run([*command, *map(str, inputs)], check=True, timeout=60)
    written = (tmp_path / "functions.omp.cpp").read_text()
    assert (
        """\
#pragma omp declare target
extern "C"
double twice(double x) { return 2 * x; }
#pragma omp end declare target
double inner(double x) { return x; }
#pragma omp declare target
double outer(double x) { return inner(x); }
#pragma omp end declare target
"""
        in written
    )
    assert "#pragma omp declare target\ndouble twice" not in code_of(tmp_path, functions)


REFUSED = {
    "G2O0204: a kernel launches a kernel": """
__global__ void k(int *x, int n)
{
    if (n > 0)
        k<<<1, 1>>>(x, n - 1);
}
""",
    "G2O0502: what all threads of a grid do together": """
#include <cooperative_groups.h>
__global__ void k(int *x, volatile int *changed)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    do {
        x[threadIdx.x] += blockIdx.x;
        grid.sync();
    } while (*changed);
}
""",
    "G2O0503: variable of the device in an unnamed namespace": """
namespace {
__constant__ float weights[4];
}
__global__ void k(float *x) { x[threadIdx.x] = weights[1]; }
""",
    "G2O0503: variable of the device that is a template": """
template <typename T> __constant__ T weights[4];
template <typename T> __global__ void k(T *x) { x[threadIdx.x] = weights<T>[1]; }
""",
    "G2O0503: pointer to a function 'f'": """
__global__ void k(float (*f)(float), float *x) { x[threadIdx.x] = f(x[threadIdx.x]); }
""",
    "G2O0503: parameter pack 'x'": """
template <typename... T> __global__ void k(float *y, T... x) { y[threadIdx.x] = (x + ...); }
void run(float *y) { k<<<1, 32>>>(y, 1.0f, 2.0f); }
""",
}


@pytest.mark.parametrize("expected", REFUSED)
def test_refused(tmp_path: Path, expected: str) -> None:
    result = translated(tmp_path, REFUSED[expected])
    shown = [f"{each.code}: {each.message}" for each in result.diagnostics]
    assert any(each.startswith(expected) for each in shown), shown


def test_adjoints_gather_and_sum(tmp_path: Path) -> None:
    """What one loop over all elements, or one sum, does takes no atomic additions."""
    text = """
#pragma g2o grad
__global__ void smooth(const float *__restrict__ u, float *__restrict__ v, int n, float k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        v[i] = k * (u[i - 1] + u[i + 1]);
}
"""
    code = code_of(tmp_path, text)
    assert "atomic" not in code
    assert (
        """\
    float sum_k = 0.0f;
#pragma omp target teams distribute parallel for is_device_ptr(u, v, d_v) map(tofrom: sum_k) \\
    reduction(+ : sum_k)
"""
        in code
    )
    assert (
        """\
#pragma omp target is_device_ptr(d_k)
    {
        *d_k += sum_k;
    }
    // Every element gathers what the threads beside its own add to it.
#pragma omp target teams distribute parallel for is_device_ptr(d_u, d_v)
    for (int i = 0; i < count + 1; ++i) {
        const auto inside = [&](int a) { return 1 <= a && a < count; };
"""
        in code
    )


def test_what_lives_across_a_barrier_takes_as_much_as_the_block_needs(tmp_path: Path) -> None:
    """Arrays for as many threads as a block may have would not fit beside each other."""
    text = """
__global__ void k(double *x, int n)
{
    extern __shared__ double s[];
    double own = x[threadIdx.x], twice = own + own;
    for (int i = 0; i < n; ++i) {
        s[threadIdx.x] = own;
        __syncthreads();
        own += twice * s[(threadIdx.x + 1) % blockDim.x];
        __syncthreads();
    }
    x[threadIdx.x] = own;
}
"""
    code = code_of(tmp_path, text)
    assert (
        """\
    G2O_DYNAMIC_SHARED(g2o::padded(shared_bytes) + 2 * g2o::padded(block.x * sizeof(double)))
"""
        in code
    ), code
    assert (
        """\
        g2o::shared_array<double> s(shared_bytes);
        g2o::block_array<double> own(block.x, s);
        g2o::block_array<double> twice(block.x, own);
"""
        in code
    ), code


_KEPT = """
__global__ void keep(const double *in, double *out)
{
    __shared__ double tile[256];
    double small[8], large[COUNT];
    int t = threadIdx.x;
    for (int k = 0; k < COUNT; ++k)
        large[k] = small[k % 8] = in[blockIdx.x * 256 + t + k];
    tile[t] = large[0];
    __syncthreads();
    double sum = 0.0;
    for (int k = 0; k < COUNT; ++k)
        sum += large[k] * small[k % 8] * tile[255 - t];
    out[blockIdx.x * 256 + t] = sum;
}
void run(const double *in, double *out) { keep<<<9, 256>>>(in, out); }
"""


def test_arrays_that_are_too_large_are_slices_of_device_memory(tmp_path: Path) -> None:
    """2 and 16 KiB stay, and 32 beside them are too many."""
    assert """\
    // A slice of the device's memory for every team: with these arrays a block would take more
    // than 44 KiB of fast memory, which not every device has.
    struct Slice {
        double large[256][16];
    };
    const int teams = g2o::most_teams(grid.x);
    const g2o::grid_array<Slice> slices_memory(teams);
    auto *const slices = slices_memory.data();
#pragma omp target teams distribute is_device_ptr(in, out, slices) firstprivate(grid) \\
    num_teams(teams) thread_limit(256)
    for (int bx = 0; bx < int(grid.x); ++bx) {
        Slice &own = g2o::slice(slices, g2o::team());
        double tile[256];
        double small[256][8];
        auto &large = own.large;
""" in code_of(tmp_path, _KEPT.replace("COUNT", "16"))


def test_arrays_of_threads_that_no_stack_has_are_slices_too(tmp_path: Path) -> None:
    """A mebibyte, which no block of a device has."""
    code = code_of(tmp_path, _KEPT.replace("COUNT", "512"))
    assert "double large[256][512];" in code
    assert "G2O_DYNAMIC_SHARED" not in code


def test_arrays_that_fit_are_of_the_team(tmp_path: Path) -> None:
    """2, 16 and 26 KiB are 44."""
    code = code_of(tmp_path, _KEPT.replace("COUNT", "13"))
    assert "double large[256][13];" in code
    assert "Slice" not in code


def test_a_minimum_is_no_call_of_a_macro_of_the_program(tmp_path: Path) -> None:
    text = """
#define min(a, b) ((a) < (b) ? (a) : (b))
__global__ void halves(float *x)
{
    __shared__ float s[96];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    for (int h = 128; h > 0; h /= 2) {
        if (threadIdx.x < h)
            s[threadIdx.x] += s[(threadIdx.x + h) % 96];
        __syncthreads();
    }
    x[threadIdx.x] = s[threadIdx.x];
}
void run(float *x) { halves<<<1, 96>>>(x); }
"""
    assert "t < (g2o::min)(h, 96)" in code_of(tmp_path, text)


@pytest.mark.parametrize(
    "declared", ["__managed__ int total;", "#define SHARED __managed__\nSHARED int total;"]
)
def test_managed_variables_ask_for_shared_memory(tmp_path: Path, declared: str) -> None:
    kernel = "__global__ void k() { atomicAdd(&total, 1); }"
    code = translated(tmp_path, f"// A comment.\n{declared}\n{kernel}\n").code
    unified = "#pragma omp requires unified_shared_memory // for variables that were __managed__"
    assert f"\n{unified}\n\n// A comment.\n" in code
    assert re.search(r"#pragma omp declare target\n(SHARED )?int total;\n#pragma omp end", code)
