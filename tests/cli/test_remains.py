"""The last check for CUDA in a translation: what it finds, and what is not CUDA."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.frontend.cuda.spelled import cuda_left_in, needs_cuda
from tests.cli.conftest import G2o


def names(code: str) -> list[str]:
    return [found.message.split("'")[1] for found in cuda_left_in(code, "a.omp.cpp")]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("int t = threadIdx.x + threadIdx.y;", ["threadIdx"]),
        ("k<<<1, 2>>>(x);", ["<<<"]),
        ("__global__ void k();\n__shared__ int s;", ["__global__", "__shared__"]),
        ("#define SYNC __syncthreads()\n", ["__syncthreads"]),
        ("cudaMalloc(&x, 4);\nreturn cudaFree(x);", ["cudaMalloc", "cudaFree"]),
        ("x = 2 * atomicAdd(p, 1);", ["atomicAdd"]),
        ("f(a, blockIdx.x);", ["blockIdx"]),
        ("auto warp = cg::tiled_partition<32>(block);", ["cg"]),
    ],
)
def test_cuda_is_found(code: str, expected: list[str]) -> None:
    assert names(code) == expected


@pytest.mark.parametrize(
    "code",
    [
        "// k<<<1, 2>>>(threadIdx.x)\n/* __global__ */",
        'printf("threadIdx.x <<< __syncthreads\\n");',
        "dim3 blockDim(16, 16), gridDim(4);\nk(gridDim, blockDim);",
        "Index threadIdx = next();\nuse(threadIdx.x);",
        "void f(uint3 blockIdx) { g(blockIdx.x); }",
        "#define __host__\n__host__ int f();",
        "#define cudaMalloc(p, n) my_malloc(p, n)\ncudaMalloc(p, 4);",
        "int atomicAdd(int *p, int v);\nint f(int *p) { return atomicAdd(p, 1); }",
        "g2o::malloc(&x, 4);\ncudaCheck(x);\nimpl::cudaFree(x);\nx.atomicAdd(1);",
        "namespace cg {\nint step();\n}\nint cg = cg::step();",
        "std::vector<std::vector<std::vector<int>>> v;",
    ],
)
def test_what_is_not_cuda_is_left_alone(code: str) -> None:
    assert names(code) == []


def test_a_file_that_is_half_cuda_is_never_written(g2o_fake: G2o) -> None:
    Path("a.cu").write_text("int i = threadIdx.x;\n")
    done = g2o_fake("translate", "a.cu")
    assert done.exit_code == 1
    assert (
        "error: 'threadIdx' is left in the translation: this is a bug in g2o [G2O0215]" in done.err
    )
    assert [path.name for path in Path().iterdir()] == ["a.cu"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("inline int f(int x) { return x; } // cudaMalloc", False),
        ('const char *s = "cudaMalloc";', False),
        ("__device__ int f();", True),
        ("#include <cuda_runtime.h>\n", True),
        ("#define X (blockIdx.x * 32 + threadIdx.x)\n#define SYNC __syncthreads()\n", False),
        ("#define CHECK(x) if ((x) != cudaSuccess) abort();\n", True),
        ("#ifdef __CUDACC__\n__device__ int f();\n#endif\n", True),
        ("#ifndef __CUDACC__\nstruct float4 { float x, y, z, w; };\n#endif\n", True),
        ("#ifndef __CUDACC__\n#define __device__\n#endif\n", False),
        ("#ifdef __CUDACC__\n#endif\nint f();\n", False),
        ("#ifdef __CUDACC__\n#define OK(x) ((x) == cudaSuccess)\n#endif\n", True),
        ("#ifndef __CUDACC__\n#define HD\n#else\n#define HD __host__ __device__\n#endif\n", False),
        ("#if defined(__CUDACC__) || defined(X)\n__device__ int f();\n#endif\n", True),
        ("#ifdef __CUDACC__\n#else\n__device__ int f();\n#endif\n", True),
        ("#define UPPER(i) (wraps ? (i) % n : min((i), n - 1))\n", True),
        ("inline float inverse(float x) { return rsqrtf(x); }\n", True),
        ("#define max(a, b) ((a) > (b) ? (a) : (b))\n#define UPPER(i) max(i, 0)\n", False),
        ("inline int max(int a, int b);\ninline int f(int a) { return max(a, 0); }\n", False),
        ("using namespace std;\ninline int f(int a) { return max(a, 0); }\n", False),
        ("inline int f(const Range &r) { return std::max(r.max(), 0); }\n", False),
        ("#ifndef __VECTOR_TYPES_H__\nstruct int2 { int x, y; };\n#endif\n", True),
        ("#include <cuComplex.h>\nfloat f(int x);", True),
        ("#include <vector_types.h>\nstruct Ball { int n; };", True),
        ("struct Field { cuDoubleComplex *z; };", True),
        ("struct Cut { int cuts, CUrrent; };", False),
        ("typedef struct CUstream_st *CUstream;\nstruct Options { CUstream stream; };\n", False),
        ("typedef CUstream Stream;\n", True),
    ],
)
def test_headers_that_need_cuda(text: str, expected: bool) -> None:
    assert needs_cuda(text) is expected
