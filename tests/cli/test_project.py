"""Several files of one command: fragments, launches of other files' kernels, headers left out."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from g2o.frontend.cuda.spelled import needs_cuda
from tests.cli.conftest import G2o


def write(**files: str) -> None:
    """Files by name, `__` standing for the dot."""
    for name, text in files.items():
        Path(name.replace("__", ".")).write_text(text)


def outputs() -> str:
    return "\n".join(path.read_text() for path in sorted(Path().glob("*.omp.*")))


def build_and_run(*sources: str) -> str:
    command = ["g++", "-std=c++17", "-fopenmp", "-Wall", "-Wextra", "-Werror", *sources]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    finished = subprocess.run(["./a.out"], capture_output=True, text=True, timeout=60, check=True)
    return finished.stdout


MAIN = """\
#include <cstdio>
typedef float real;
#define N 64
#include "kernel.cu"
int main() {
    real *p;
    cudaMalloc(&p, N * sizeof(real));
    fill<<<1, N>>>(p);
    real last;
    cudaMemcpy(&last, p + N - 1, sizeof(real), cudaMemcpyDeviceToHost);
    std::printf("%g\\n", last);
    cudaFree(p);
}
"""
FRAGMENT = """\
__global__ void fill(real *x) {
    __shared__ real s[N];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    x[threadIdx.x] = s[N - 1 - threadIdx.x] + 0.5f;
}
"""


def test_a_fragment_is_read_through_the_file_that_includes_it(g2o: G2o) -> None:
    write(main__cu=MAIN, kernel__cu=FRAGMENT)
    done = g2o("translate", "main.cu", "kernel.cu", "-q")
    assert (done.exit_code, done.err) == (0, "")
    assert '#include "kernel.omp.cpp"' in Path("main.omp.cpp").read_text()
    assert "block.x == N" in Path("kernel.omp.cpp").read_text()  # what all launches agree on
    assert build_and_run("main.omp.cpp") == "0.5\n"


def test_a_fragment_is_read_through_a_source_beside_it(g2o: G2o) -> None:
    write(middle__h='#include "kernel.cu"\n', kernel__cu=FRAGMENT)
    write(main__cpp='#define N 64\ntypedef float real;\n#include "middle.h"\n')
    assert g2o("translate", "kernel.cu").exit_code == 0


def test_errors_of_a_file_that_no_context_helps(g2o: G2o) -> None:
    write(main__cu='int x = unknown;\n#include "kernel.cu"\n', kernel__cu=FRAGMENT)
    done = g2o("translate", "main.cu", "kernel.cu")
    assert done.exit_code == 1
    assert "kernel.cu:1:22: error: unknown type name 'real' [G2O0101]" in done.err
    assert "main.cu:1:9: error: use of undeclared identifier 'unknown' [G2O0101]" in done.err


def test_shared_bytes_of_a_kernel_that_another_file_defines(g2o: G2o) -> None:
    write(
        k__cuh="__global__ void twice(float *x);\n",
        k__cu="""\
#include "k.cuh"
__global__ void twice(float *x) {
    extern __shared__ float s[];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = 2 * s[blockDim.x - 1 - threadIdx.x];
}
""",
        main__cu="""\
#include <cstdio>
#include "k.cuh"
int main() {
    float *x;
    cudaMallocManaged(&x, 8 * sizeof(float));
    for (int i = 0; i < 8; ++i)
        x[i] = i;
    twice<<<1, 8, 8 * sizeof(float)>>>(x);
    cudaDeviceSynchronize();
    std::printf("%g\\n", x[0]);
}
""",
    )
    assert g2o("translate", "main.cu", "k.cu", "k.cuh").exit_code == 0
    assert "std::size_t shared_bytes" in Path("k.omp.hpp").read_text()
    assert "twice(1, 8, 8 * sizeof(float), x)" in Path("main.omp.cpp").read_text()
    assert build_and_run("main.omp.cpp", "k.omp.cpp") == "14\n"


KERNEL_HEADER = """\
#define BLOCK 32
__global__ void k(float *x) {
    __shared__ float s[64];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
"""


@pytest.mark.parametrize(
    ("launches", "extent"),
    [
        (["#include \"k.cuh\"\nvoid a(float *x) { k<<<1, BLOCK>>>(x); }\n"], "BLOCK"),
        (["#include \"k.cuh\"\nvoid a(float *x) { k<<<1, 32>>>(x); }\n"], "32"),
        (["#include \"k.cuh\"\n#define B 32\nvoid a(float *x) { k<<<1, B>>>(x); }\n"], None),
        (
            [
                '#include "k.cuh"\nvoid a(float *x) { k<<<1, 32>>>(x); }\n',
                '#include "k.cuh"\nvoid b(float *x) { k<<<1, 64>>>(x); }\n',
            ],
            None,
        ),
        (
            [
                '#include "k.cuh"\nvoid a(float *x) { k<<<1, 32>>>(x); }\n',
                '#include "k.cuh"\nvoid (*chosen)(float *) = k;\n',
            ],
            None,
        ),
    ],
)  # fmt: skip
def test_what_launches_of_all_files_agree_on(
    g2o: G2o, launches: list[str], extent: str | None
) -> None:
    write(k__cuh=KERNEL_HEADER)
    names = [f"{index}.cu" for index, _ in enumerate(launches)]
    for name, text in zip(names, launches, strict=True):
        Path(name).write_text(text)
    assert g2o("translate", "k.cuh", *names).exit_code == 0
    code = Path("k.omp.hpp").read_text()
    assert (f"block.x == {extent}" in code) == (extent is not None)


def write_nested_headers() -> None:
    Path("plain").mkdir()
    write(
        main__cu='#include "outer.h"\n#include "plain/host.h"\nvoid f() { cudaFree(0); }\n',
        outer__h='#include "inner.cuh"\n',
        inner__cuh="inline __device__ int one() { return 1; }\n",
    )
    Path("plain/host.h").write_text(
        "#ifdef __CUDACC__\n#define HD __host__ __device__\n#else\n#define HD\n#endif\n"
        "HD inline int two() { return 2; } // not cudaMalloc\n"
    )


def test_included_cuda_is_translated_too(g2o: G2o) -> None:
    write_nested_headers()
    assert g2o("translate", "main.cu").exit_code == 0
    assert '#include "outer.omp.hpp"' in Path("main.omp.cpp").read_text()
    assert '#include "inner.omp.hpp"' in Path("outer.omp.hpp").read_text()
    assert not list(Path("plain").glob("*.omp.*"))
    assert g2o("check", "main.cu").exit_code == 0
    assert g2o("check", "main.cu", "outer.h", "inner.cuh").exit_code == 0


def test_included_cuda_without_a_place_for_its_translation(g2o: G2o) -> None:
    """What goes to a stream has no directory that a header could stand in."""
    write_nested_headers()
    done = g2o("translate", "main.cu", "-o", "-")
    assert done.exit_code == 1
    messages = [line for line in done.err.splitlines() if "error:" in line]
    assert messages == [
        "main.cu:1:10: error: 'outer.h' includes 'inner.cuh', but is not translated: "
        "write to a file, or add it to the command line [G2O0016]",
        "outer.h:1:10: error: 'inner.cuh' has CUDA in it, but is not translated: "
        "write to a file, or add it to the command line [G2O0016]",
    ]


def test_headers_go_where_the_one_output_goes(g2o: G2o) -> None:
    write_nested_headers()
    Path("out").mkdir()
    assert g2o("translate", "main.cu", "-o", "out/m.cpp").exit_code == 0
    assert sorted(path.name for path in Path("out").iterdir()) == [
        "g2o_runtime.hpp",
        "inner.omp.hpp",
        "m.cpp",
        "outer.omp.hpp",
    ]
    assert '#include "outer.omp.hpp"' in Path("out/m.cpp").read_text()
    assert g2o("check", "main.cu", "-o", "out/m.cpp").exit_code == 0


def test_headers_of_other_directories(g2o: G2o) -> None:
    """Beside themselves, below the output's directory where there is one; never NVIDIA's own."""
    for directory in ("src", "common", "toolkit/crt"):
        Path(directory).mkdir(parents=True)
    Path("toolkit/cuda_runtime_api.h").write_text("__device__ int f();\n")
    Path("toolkit/crt/more.h").write_text("__device__ int g();\n")
    Path("common/helper.h").write_text(
        "#include <crt/more.h>\ninline __device__ int one() { return 1; }\n"
    )
    Path("src/main.cu").write_text(
        '#include <cuda_runtime_api.h>\n#include "helper.h"\n'
        "__global__ void k(int *a) { a[threadIdx.x] = one(); }\n"
    )
    flags = ("-I", "common", "-I", "toolkit")
    assert "toolkit" in g2o("translate", "src/main.cu", *flags).err
    assert not list(Path("toolkit").rglob("*.omp.*"))
    Path("common/helper.h").write_text("inline __device__ int one() { return 1; }\n")
    assert g2o("translate", "src/main.cu", *flags).exit_code == 0
    assert '#include "../common/helper.omp.hpp"' in Path("src/main.omp.cpp").read_text()
    assert Path("common/helper.omp.hpp").is_file()
    assert g2o("translate", "src/main.cu", *flags, "--out-root", "out").exit_code == 0
    assert '#include "common/helper.omp.hpp"' in Path("out/main.omp.cpp").read_text()
    assert Path("out/common/helper.omp.hpp").is_file()


def test_plain_headers_are_found_from_where_the_output_goes(g2o: G2o) -> None:
    for directory in ("src/deep", "gen"):
        Path(directory).mkdir(parents=True)
    Path("src/plain.h").write_text("constexpr int one = 1;\n")
    Path("src/deep/main.cu").write_text(
        '#include "../plain.h"\n__global__ void k(int *a) { a[threadIdx.x] = one; }\n'
    )
    plain = '#include "../plain.h"\n'
    assert plain in g2o("translate", "src/deep/main.cu", "-o", "-").out
    assert g2o("translate", "src/deep/main.cu").exit_code == 0
    assert plain in Path("src/deep/main.omp.cpp").read_text()
    assert g2o("translate", "src/deep/main.cu", "-o", "gen/m.cpp").exit_code == 0
    assert '#include "../src/plain.h"\n' in Path("gen/m.cpp").read_text()
    assert (
        g2o("translate", "src/deep/main.cu", "--in-root", ".", "--out-root", "gen").exit_code == 0
    )
    assert '#include "../../../src/plain.h"\n' in Path("gen/src/deep/main.omp.cpp").read_text()


def test_headers_above_the_source(g2o: G2o) -> None:
    write_nested_headers()
    Path("src").mkdir()
    Path("src/main.cu").write_text('#include "../inner.cuh"\nint n = 1;\n')
    done = g2o("translate", "src/main.cu", "--in-root", ".", "--out-root", "out")
    assert done.exit_code == 0
    assert sorted(map(str, Path("out").rglob("*.omp.*"))) == [
        "out/inner.omp.hpp",
        "out/src/main.omp.cpp",
    ]


def test_headers_that_the_preprocessor_skips_are_not_translated(g2o: G2o) -> None:
    write(
        main__cu='#ifdef OTHER\n#include "other.h"\n#endif\n#include "own.h"\nhalf twice(half);\n',
        other__h="__global__ void k(undeclared *x);\n",
        own__h="#include <cuda_fp16.h>\n",
    )
    assert g2o("translate", "main.cu").exit_code == 0
    assert sorted(map(str, Path().glob("*.omp.*"))) == ["main.omp.cpp", "own.omp.hpp"]


@pytest.mark.parametrize(
    ("header", "is_cuda"),
    [
        ("inline float widen(half x) { return x; }\n", True),
        ("template <class T> constexpr bool is_half = std::is_same_v<T, half>;\n", True),
        ("inline void clear(half2 *p) { *p = half2(); }\n", True),
        ("inline int mean(int a, int b) { const int half = (a + b) / 2; return half; }\n", False),
        ("typedef struct { short bits; } half;\ninline half zero() { return half(); }\n", False),
        (
            "#ifdef __NVCC__\n#include <cuda.h>\n#else\n#include <hip/hip_runtime.h>\n#endif\n",
            True,
        ),
        ("inline int f(int);\ninline int g(int n) { return f(n / 2); } // half\n", False),
    ],
)
def test_headers_that_are_cuda(header: str, is_cuda: bool) -> None:
    assert needs_cuda(header) is is_cuda


def test_headers_of_any_name_and_host_files_are_inputs(g2o: G2o) -> None:
    Path("include").mkdir()
    Path("src").mkdir()
    Path("include/check.h").write_text(
        "#pragma once\n#include <cuda_runtime.h>\n#include <cstdlib>\n"
        "#define CHECK(x) do { if ((x) != cudaSuccess) std::exit(1); } while (0)\n"
    )
    Path("include/one.inl").write_text("__device__ __forceinline__ int one() { return 1; }\n")
    Path("src/buffer.cpp").write_text(
        '#include "check.h"\nint *make(int n)\n'
        "{ int *p; CHECK(cudaMallocManaged(&p, n)); return p; }\n"
    )
    Path("src/main.cu").write_text(
        '#include "check.h"\n#include "../include/one.inl"\n#include <cstdio>\nint *make(int);\n'
        "__global__ void k(int *p) { p[threadIdx.x] = one(); }\n"
        "int main() { int *p = make(16); k<<<1, 4>>>(p); CHECK(cudaDeviceSynchronize());\n"
        'std::printf("%d\\n", p[3]); }\n'
    )
    files = ("include/check.h", "include/one.inl", "src/buffer.cpp", "src/main.cu")
    assert g2o("translate", *files, "-Iinclude", "--out-root", "out").exit_code == 0
    assert sorted(str(path) for path in Path("out").rglob("*.*pp")) == [
        "out/g2o_runtime.hpp",
        "out/include/check.omp.hpp",
        "out/include/one.omp.hpp",
        "out/src/buffer.omp.cpp",
        "out/src/main.omp.cpp",
    ]
    assert build_and_run("out/src/buffer.omp.cpp", "out/src/main.omp.cpp") == "1\n"


def test_a_file_that_is_included_again_to_make_other_kernels(g2o: G2o) -> None:
    write(k__inc="__global__ void NAME(TYPE *x) { x[threadIdx.x] = 1; }\n")
    Path("main.cu").write_text(
        '#define NAME one\n#define TYPE float\n#include "k.inc"\n#undef NAME\n#undef TYPE\n'
        '#define NAME two\n#define TYPE double\n#include "k.inc"\n'
    )
    done = g2o("translate", "main.cu", "k.inc")
    assert done.exit_code == 1
    assert "k.inc:1:1: error: 'two' is one of several kernels" in done.err


def test_device_functions_of_the_same_name_in_two_sources(g2o: G2o) -> None:
    part = """\
#include <cstdio>
__device__ int scaled(int x);
__device__ __forceinline__ int offset(int x) {{ return x + {0}; }}
template <class T> __device__ T twice(T x) {{ return {0} * x; }}
__device__ __noinline__ int scaled(int value) {{ return offset(twice(value)); }}
__global__ void k{0}(int *x) {{ *x = scaled(1); }}
void run{0}() {{
    int *x;
    cudaMallocManaged(&x, sizeof(int));
    k{0}<<<1, 1>>>(x);
    cudaDeviceSynchronize();
    std::printf("%d\\n", *x);
}}
"""
    write(a__cu=part.format(2), b__cu=part.format(5))
    write(
        main__cu="void run2();\nvoid run5();\nint main() { run2(); run5(); cudaGetLastError(); }\n"
    )
    assert g2o("translate", "a.cu", "b.cu", "main.cu").exit_code == 0
    assert build_and_run("a.omp.cpp", "b.omp.cpp", "main.omp.cpp") == "4\n10\n"
    assert g2o("translate", "a.cu").exit_code == 0
    assert "static" not in Path("a.omp.cpp").read_text()


def test_own_header_called_as_one_of_cuda_stays(g2o: G2o, tmp_path: Path) -> None:
    (tmp_path / "util").mkdir()
    (tmp_path / "util/cuda.h").write_text("void check(const char *what);\n")
    (tmp_path / "a.cu").write_text(
        '#include <cuda.h>\n#include "util/cuda.h"\n'
        'void f() { cudaDeviceSynchronize(); check("f"); }\n'
    )
    assert g2o("translate", str(tmp_path / "a.cu")).exit_code == 0
    text = (tmp_path / "a.omp.cpp").read_text()
    assert '#include "g2o_runtime.hpp"\n#include "util/cuda.h"\n' in text


def test_names_that_another_compiler_gets_are_still_cudas(g2o: G2o) -> None:
    write(
        gpu__h="#pragma once\n#ifdef O_HIP\n#define cudaFree hipFree\n#else\n"
        "#include <cuda_runtime.h>\n#endif\n",
        vector__h='#pragma once\n#include "gpu.h"\n'
        "template <typename T> struct Vector { T *p; void clear() { cudaFree(p); } };\n",
        main__cu='#include "vector.h"\nvoid f(Vector<int> &v) { v.clear(); cudaFree(v.p); }\n',
    )
    assert g2o("translate", "main.cu").exit_code == 0
    assert "g2o::free(v.p)" in Path("main.omp.cpp").read_text()
    assert "g2o::free(p)" in Path("vector.omp.hpp").read_text()


def test_headers_that_include_each_other_through_directories(g2o: G2o) -> None:
    for directory in ("a", "b"):
        Path(directory).mkdir()
    Path("a/one.h").write_text('#pragma once\n#include "../b/two.h"\n')
    Path("b/two.h").write_text('#pragma once\n#include "../a/one.h"\n__device__ int f();\n')
    Path("main.cu").write_text('#include "a/one.h"\n')
    assert g2o("translate", "main.cu").exit_code == 0


def test_kernels_of_headers_that_call_members_of_the_source_s_classes(g2o: G2o) -> None:
    """The kernel cannot tell the members the thread; for `Same`, it need not."""
    header = """\
#pragma once
namespace tools {
template <typename F, typename... A> __global__ void apply(int n, F f, A... a) { f(n, a...); }
template <typename F, typename... A> void run(int n, F f, A... a) { apply<<<1, n>>>(n, f, a...); }
}
"""
    source = """\
#include "apply.cuh"
#include <cstdio>
namespace {
template <typename T> struct Turn {
    int shift;
    __device__ void operator()(int n, T *x, T *y) const {
        __shared__ T s[64];
        s[threadIdx.x] = x[threadIdx.x];
        __syncthreads();
        y[threadIdx.x] = s[(threadIdx.x + shift) % n];
    }
};
}
struct Fill {
    __device__ void operator()(int, int *x) const { x[threadIdx.x] = 10 * threadIdx.x; }
};
struct Same {
    __device__ void operator()(int n, int *x) const { x[0] += n; }
};
int main() {
    int *x, *y;
    cudaMallocManaged(&x, 64 * sizeof(int));
    cudaMallocManaged(&y, 64 * sizeof(int));
    tools::run(64, Fill{}, x);
    tools::run(1, Same{}, x);
    tools::run(64, Turn<int>{3}, x, y);
    cudaDeviceSynchronize();
    std::printf("%d %d %d\\n", y[0], y[60], y[61]);
}
"""
    write(apply__cuh=header, main__cu=source)
    assert (g2o("translate", "main.cu", "apply.cuh", "-q").exit_code) == 0
    assert build_and_run("main.omp.cpp") == "30 630 1\n"
    assert outputs().count("template <>") == 2


INSTANCES = {
    "a.cuh": """\
#pragma once
template <typename T, int N> struct Pack {
  T value[N];
  __device__ T sum() const { T s = 0; for (int i = 0; i < N; ++i) s += value[i]; return s; }
};
""",
    "b.cuh": """\
#pragma once
#include "c.cuh"
template <typename T> __device__ void swap_halves(View<T> x, T *s) {
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[threadIdx.x ^ 1];
}
template <typename T> __global__ void pairs(View<T> x) {
  __shared__ T s[8];
  swap_halves(x, s);
}
""",
    "c.cuh": """\
#pragma once
template <typename T> struct View {
  T *data;
  __device__ T &operator[](int i) const { return data[i]; }
};
""",
    "m.cu": """\
#include "a.cuh"
#include "b.cuh"
__global__ void sums(const Pack<float, 4> *p, float *y) { y[threadIdx.x] = p[threadIdx.x].sum(); }
void run(float *x, const Pack<float, 4> *p) {
  pairs<float><<<1, 8>>>(View<float>{x});
  sums<<<1, 8>>>(p, x);
}
""",
}


def test_instances_of_templates_in_other_headers(g2o: G2o) -> None:
    """What a user of `b.cuh` has of templates is known of those of `b.cuh` alone: `a.cuh` has some
    of other parameters, which `b.cuh` does not see."""
    for name, text in INSTANCES.items():
        Path(name).write_text(text)
    done = g2o("translate", "m.cu", "--grad")
    assert done.exit_code == 0, done.err
    assert "void pairs_grad(" in Path("b.omp.hpp").read_text()
