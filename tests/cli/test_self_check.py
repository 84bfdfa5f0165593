"""What is written is parsed first: a compiler's errors cost a kernel its optimisation, or more."""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from g2o.cli import session
from g2o.frontend.cuda.project import Project
from g2o.passes import TranslateOptions
from g2o.pipeline import Translation, translate_file
from tests.cli.conftest import G2o

Break = Callable[[str, TranslateOptions], str]

SOURCE = """#include <cuda_runtime.h>
__global__ void twice(float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * y[i];
}
__global__ void other(float *y) { y[threadIdx.x] = 1; }
int main()
{
    float *y;
    cudaMalloc(&y, 64 * sizeof(float));
    twice<<<2, 32>>>(y, 64);
    other<<<1, 32>>>(y);
    return cudaDeviceSynchronize();
}
"""


VECTORS = """#ifndef __CUDACC__
#include <immintrin.h>
inline float first_of(__m128 a, __m128 b, __m128 c, __m128 d)
{
    _MM_TRANSPOSE4_PS(a, b, c, d);
    return _mm_cvtss_f32(_mm_add_ps(_mm_shuffle_ps(a, b, _MM_SHUFFLE(0, 1, 2, 3)), c));
}
#endif
"""


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Callable[[Break], None]:
    """Have the translator make mistakes."""

    def set_breaking(change: Break) -> None:
        def translate(
            path: Path, options: TranslateOptions, shown_as: str, project: Project
        ) -> Translation:
            made = translate_file(path, options, shown_as, project)
            code = change(made.code, options).encode().decode("latin-1")
            return Translation(
                code, made.header, made.diagnostics, made.remarks, made.kernels, made.ok,
                source=made.source, refused=made.refused, instances=made.instances,
            )  # fmt: skip

        monkeypatch.setattr(session, "translate_file", translate)

    return set_breaking


def _levels(options: TranslateOptions) -> list[tuple[str, int]]:
    return [(one.kernel, one.optimisation) for one in options.plainly]


def test_a_kernel_is_translated_more_plainly(g2o: G2o, broken: Callable[[Break], None]) -> None:
    Path("a.cu").write_text(SOURCE)

    def at_2(code: str, options: TranslateOptions) -> str:
        return code if options.plainly else code.replace("y[i] = 2", "z[i] = 2")

    broken(at_2)
    done = g2o("translate", "-q", "a.cu")
    assert done.exit_code == 0
    assert "'twice' is translated with -O1" in done.err
    assert "use of undeclared identifier 'z'" in done.err
    assert "[G2O0701]" in done.err
    assert "'other'" not in done.err
    assert "y[i] = 2 * y[i]" in Path("a.omp.cpp").read_text()


def test_and_more_plainly_still(g2o: G2o, broken: Callable[[Break], None]) -> None:
    Path("a.cu").write_text(SOURCE)
    seen: list[list[tuple[str, int]]] = []

    def above_0(code: str, options: TranslateOptions) -> str:
        seen.append(_levels(options))
        return code if ("twice", 0) in seen[-1] else code.replace("= 2 *", "= 2 * z *")

    broken(above_0)
    done = g2o("translate", "-q", "a.cu")
    assert (done.exit_code, seen) == (0, [[], [("twice", 1)], [("twice", 0)]])
    assert "'twice' is translated with -O0" in done.err


def test_a_kernel_that_never_compiles_is_refused(g2o: G2o, broken: Callable[[Break], None]) -> None:
    Path("a.cu").write_text(SOURCE)
    broken(lambda code, options: code.replace("= 2 *", "= 2 * z *"))
    done = g2o("translate", "-q", "a.cu")
    assert done.exit_code == 1
    assert "the translation of 'twice' does not compile: use of undeclared" in done.err
    assert "[G2O0702]" in done.err
    assert "please report it" in done.err
    assert not Path("a.omp.cpp").exists()
    kept = g2o("translate", "-q", "--keep-going", "a.cu")
    code = Path("a.omp.cpp").read_text()
    assert kept.exit_code == 1
    assert "\"twice: the translation of 'twice' does not compile" in code
    assert "void other(" in code
    broken(lambda code, options: code.replace("= 2 *", "= 2 * z *"))
    assert g2o("translate", "-q", "--no-self-check", "a.cu").exit_code == 0
    code = Path("a.omp.cpp").read_text()
    assert "= 2 * z *" in code
    assert "self-check" not in code


def test_errors_outside_of_kernels_are_refused(g2o: G2o, broken: Callable[[Break], None]) -> None:
    Path("a.cu").write_text(SOURCE)
    broken(lambda code, options: code.replace("other(1", "another(1"))
    done = g2o("translate", "-q", "a.cu")
    assert done.exit_code == 1
    assert "a.omp.cpp:" in done.err
    assert "the translation does not compile: use of undeclared identifier 'another'" in done.err
    assert not Path("a.omp.cpp").exists()


def test_instances_of_derivatives_are_made(g2o: G2o, broken: Callable[[Break], None]) -> None:
    Path("a.cu").write_text(
        "template <typename T> __global__ void k(T *y) { y[threadIdx.x] *= y[threadIdx.x]; }\n"
        "void run(float *y) { k<float><<<1, 32>>>(y); }\n"
    )

    def at_2(code: str, options: TranslateOptions) -> str:
        if options.plainly:
            return code
        begin = code.index("k_grad")
        body = code.index("{", begin) + 1
        return f"{code[:body]} typename T::none wrong; (void)wrong; {code[body:]}"

    broken(at_2)
    done = g2o("translate", "-q", "--grad", "k", "a.cu")
    assert done.exit_code == 0
    assert "'k' is translated with -O1" in done.err


def test_headers_are_read_in_their_sources(g2o: G2o, broken: Callable[[Break], None]) -> None:
    Path("part").mkdir()
    Path("part/k.cuh").write_text("__global__ void k(int *y) { y[threadIdx.x] = ONE; }\n")
    Path("a.cu").write_text(
        '#define ONE 1\n#include "k.cuh"\nvoid run(int *y) { k<<<1, 32>>>(y); }\n'
    )
    words = ("translate", "-q", "a.cu", "--out-root", "gen", "-Ipart")
    assert g2o(*words).exit_code == 0
    broken(lambda code, options: code if options.plainly else code.replace("ONE;", "ONE + z;"))
    done = g2o(*words)
    assert done.exit_code == 0
    assert "k.cuh:1:17: warning: 'k' is translated with -O1" in done.err


def test_what_is_wrong_with_the_source_is_no_alarm(g2o: G2o) -> None:
    Path("a.cu").write_text(
        "#include <cuda_runtime.h>\n"
        "#ifdef WITH_LIBRARY\n#include <no/such/library.h>\n#endif\n"
        "char small(int n) { char c[] = {n}; return c[0]; }\n"  # narrowing: a warning of nvcc
        "__global__ void k(float *y) { y[threadIdx.x] = 1; }\n"
        "void run(float *y) { k<<<1, 32>>>(y); }\n"
    )
    done = g2o("translate", "-q", "a.cu", "-DUNUSED=3", "-std=c++14")
    assert (done.exit_code, done.err) == (0, "")


@pytest.mark.parametrize("target", ["cpu", "offload", "portable"])
def test_every_target(g2o: G2o, target: str) -> None:
    Path("a.cu").write_text(SOURCE.replace("y[i] = 2", "y[i] = warpSize + 2"))
    done = g2o("translate", "-q", "--target", target, "--header", "--grad", "twice", "a.cu")
    assert (done.exit_code, done.err) == (0, "")


def test_without_a_place_for_what_is_kept(g2o: G2o, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    Path("a.cu").write_text(SOURCE)
    done = g2o("translate", "-q", "a.cu", "-o", "-")
    assert (done.exit_code, done.err) == (0, "")


def test_braces_of_templates_narrow_in_no_instance(g2o: G2o) -> None:
    Path("a.cu").write_text(
        "template <typename T> __global__ void k(T *y, int n)\n"
        "{\n    int t = threadIdx.x;\n    T v[3] = {t, n, 0};\n    y[t] = v[0] + v[1] + v[2];\n}\n"
        "void run(float *y) { k<<<1, 32>>>(y, 3); }\n"
    )
    done = g2o("translate", "-q", "a.cu")
    assert (done.exit_code, done.err) == (0, "")
    assert "{T(t), T(n), 0}" in Path("a.omp.cpp").read_text()


def test_pointers_that_all_lanes_have_alike_are_constant_themselves(g2o: G2o) -> None:
    Path("a.cu").write_text(
        "#include <cub/cub.cuh>\n"
        "template <typename T> __global__ void k(T *x, T *total)\n"
        "{\n    typedef cub::BlockScan<T, 32> Scan;\n"
        "    __shared__ typename Scan::TempStorage storage;\n"
        "    T v = x[threadIdx.x], sum;\n"
        "    Scan(storage).ExclusiveSum(v, v, sum);\n"
        "    x[threadIdx.x] = v;\n    if (threadIdx.x == 0) *total = sum;\n}\n"
        "void run(int *x) { k<<<1, 32>>>(x, x + 32); }\n"
    )
    done = g2o("translate", "-q", "a.cu")
    assert (done.exit_code, done.err) == (0, "")


CHOSEN = """\
template <typename T> __device__ T from_above(T v)
{
    if constexpr (sizeof(T) == sizeof(int))
        return __shfl_down_sync(0xffffffffu, v, 1);
    else
        static_assert(!sizeof(T), "of four bytes");
}
__global__ void add(int *x) { x[threadIdx.x] += from_above(x[threadIdx.x]); }
void run(int *x) { add<<<1, 32>>>(x); }
"""


def test_branches_that_no_instance_has_are_not_kept(g2o: G2o) -> None:
    """Inlined into what is no template, `if constexpr` would leave them to be compiled."""
    Path("a.cu").write_text(CHOSEN)
    done = g2o("translate", "-q", "a.cu")
    assert (done.exit_code, done.err) == (0, "")
    assert "constexpr" not in Path("a.omp.cpp").read_text()


@pytest.mark.skipif(platform.machine() != "x86_64", reason="functions of that CPU")
def test_headers_of_vector_instructions_are_the_compilers_own(g2o: G2o) -> None:
    """Libraries such as Eigen use those where they do not see CUDA's compiler; libclang has no such
    headers, and does not know what is builtin in GCC's."""
    Path("lib").mkdir()
    Path("lib/vectors.h").write_text(VECTORS)
    Path("a.cu").write_text("#include <vectors.h>\n" + SOURCE)
    done = g2o("translate", "a.cu", "-I", "lib")
    assert done.exit_code == 0, done.err
    compiled = ["g++", "-std=c++17", "-fopenmp", "-Wall", "-Wextra", "-Ilib", "-c", "a.omp.cpp"]
    assert subprocess.run(compiled, check=False).returncode == 0
