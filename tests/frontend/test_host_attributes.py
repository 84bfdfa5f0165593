"""CUDA's specifiers: dropped, or replaced by what C++ has."""

import pytest

from g2o.diagnostics.source import SourceFile
from g2o.frontend.cuda.host import KernelFact, UnitFacts, host_edits
from g2o.frontend.edits import EditedText

KERNELS = {"k": KernelFact("k", False), "s": KernelFact("s", True)}


def edited(text: str, *, is_header: bool = False) -> str:
    facts = UnitFacts(KERNELS, is_header=is_header)
    found = host_edits(SourceFile("x.cu", text), facts)
    out = EditedText(text, found.edits).slice(0, len(text))
    return out.removeprefix('#include "g2o_runtime.hpp"\n').removeprefix("\n")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("__device__ int f();", "int f();"),
        ("__host__ __device__ int f();", "int f();"),
        ("static __device__\nint f();", "static\nint f();"),
        ("__device__\nint f();", "int f();"),
        ("#define HD __host__ __device__", "#define HD"),
        ("#define HD __host__ \\\n  __device__", "#define HD"),
        ("#define D __device__ __forceinline__", "#define D inline"),
        ("__device__ __forceinline__ int f();", "inline int f();"),
        ("static __inline__ __device__ int f();", "static inline int f();"),
        ("inline __forceinline__ int f();", "inline int f();"),
        ("__device__ __noinline__ int f();", "int f();"),
        ("__attribute__((__noinline__)) int f();", "__attribute__((__noinline__)) int f();"),
        ("auto f = [=] __device__ (int i) { return i; };", "auto f = [=](int i) { return i; };"),
        ("struct __align__(16) P { float x; };", "struct alignas(16) P { float x; };"),
        ("__align__(16) float x[4];", "alignas(16) float x[4];"),
        (
            "typedef struct { int a; } __align__(8) Q;",
            "typedef struct { int a; } __attribute__((aligned(8))) Q;",
        ),
        ("struct P { int a; } __align__(8);", "struct P { int a; } __attribute__((aligned(8)));"),
        ("__align__(16) struct P { int a; };", "struct P { int a; };"),
        ("__align__(16) struct P p[4];", "alignas(16) struct P p[4];"),
        ("#define A __align__(8)", "#define A __attribute__((aligned(8)))"),
    ],
)
def test_specifier(source: str, expected: str) -> None:
    assert edited(source + "\n").rstrip() == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("__constant__ float c[4];", "[[maybe_unused]] static float c[4];"),
        ("__device__ int n = 0;", "[[maybe_unused]] static int n = 0;"),
        ("const __device__ int n = 0;", "static const int n = 0;"),
        ("static __constant__ int n;", "static int n;"),
        ("__device__ constexpr int n = 0;", "constexpr int n = 0;"),
        ("extern __constant__ int n;\n__constant__ int n;", "extern int n;\nint n;"),
        ("#define C __constant__\nC int n;", "#define C\n[[maybe_unused]] static C int n;"),
        ("struct S { static __device__ int n; };", "struct S { static int n; };"),
        ("__device__ float (*fp)(float) = f;", "static float (*fp)(float) = f;"),
        ("namespace a {\n__device__ int n;\n}", "namespace a {\n[[maybe_unused]] static int n;\n}"),
        ("template <class T> __device__ T one = 1;", "template <class T> T one = 1;"),
    ],
)
def test_variable(source: str, expected: str) -> None:
    assert edited(source + "\n").rstrip() == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("__global__ void k(int *x);", "void k(dim3 grid, dim3 block, int *x);"),
        ("__global__ void k();", "void k(dim3 grid, dim3 block);"),
        ("__global__ void k(void);", "void k(dim3 grid, dim3 block);"),
        (
            'extern "C" __global__ void s(int n);',
            'extern "C" void s(dim3 grid, dim3 block, std::size_t shared_bytes, int n);',
        ),
        ("__global__ void k(int grid);", "void k(dim3, dim3, int grid);"),
        (
            "template <class T, int N = 4> void __global__ __launch_bounds__(N, 2) k(T *x);",
            "template <class T, int N = 4> void k(dim3 grid, dim3 block, T *x);",
        ),
        (
            "template __global__ void k<float>(float *);",
            "template void k<float>(dim3 grid, dim3 block, float *);",
        ),
        (
            "#define G __global__\nG void k(int n);",
            "#define G\nG void k(dim3 grid, dim3 block, int n);",
        ),
        ("KERNEL void k(int n);", "KERNEL void k(dim3 grid, dim3 block, int n);"),
        ("void k(int n);", "void k(int n);"),
        ("struct S { void k(int n); };", "struct S { void k(int n); };"),
    ],
)
def test_kernel_declaration(source: str, expected: str) -> None:
    # A type of CUDA makes sure that the runtime header comes in.
    assert edited(source + "\n").rstrip() == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("__device__ int f() { return 1; }", "inline int f() { return 1; }"),
        ("__device__ int f();", "int f();"),
        ("__host__ __device__ int f() { return 1; }", "int f() { return 1; }"),
        ("static __device__ int f() { return 1; }", "static inline int f() { return 1; }"),
        ("__device__ __forceinline__ int f() { return 1; }", "inline int f() { return 1; }"),
        (
            "template <class T> __device__ T f() { return 1; }",
            "template <class T> T f() { return 1; }",
        ),
        (
            "template <> __device__ int f() { return 1; }",
            "template <> inline int f() { return 1; }",
        ),
        ("struct S { __device__ int f() { return 1; } };", "struct S { int f() { return 1; } };"),
        ("__global__ void k(int n) { }", "inline void k(dim3 grid, dim3 block, int n) { }"),
    ],
)
def test_header(source: str, expected: str) -> None:
    assert edited(source + "\n", is_header=True).rstrip() == expected


def test_both_branches_of_a_conditional() -> None:
    text = (
        "#ifdef A\n__global__ void k(int a) {\n#else\n__global__ void k(int b) {\n#endif\n}\n"
        "__constant__ int c;\n"
    )
    assert edited(text) == (
        "#ifdef A\nvoid k(dim3 grid, dim3 block, int a) {\n#else\n"
        "void k(dim3 grid, dim3 block, int b) {\n#endif\n}\n[[maybe_unused]] static int c;\n"
    )


def test_shared_memory_at_namespace_scope_goes() -> None:
    assert edited("extern __shared__ float b[];\nint a;\n") == "int a;\n"
