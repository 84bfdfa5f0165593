"""Device code that the preprocessor skips does not keep a file from being translated."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.cli.main import run as run_g2o

_SOURCE = """
#include <cstdio>
#ifndef AGAIN
#define AGAIN 1
__global__ void k(int *out) { out[threadIdx.x] = AGAIN; }
#endif
#ifdef CHECK
// Looks at what k made.
__global__ void check(const int *out)
{
    if (out[threadIdx.x] != 1)
        printf("bad\\n");
    __syncthreads();
}
#else
static int checked = 0;
#endif
int main()
{
    int *out;
    cudaMalloc(&out, 32 * sizeof(int));
    k<<<1, 32>>>(out);
#ifdef CHECK
    check<<<1, 32>>>(out);
#endif
    cudaFree(out);
}
"""


def test_error_stands_where_the_kernel_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.cu").write_text(_SOURCE)
    assert run_g2o(["translate", str(tmp_path / "x.cu")]) == 0
    text = (tmp_path / "x.omp.cpp").read_text()
    assert "threadIdx" not in text
    assert '#ifdef CHECK\n#error "not translated: ' in text
    assert "\n#else\nstatic int checked = 0;\n#endif\n" in text
    assert "void k(dim3" in text
    shown = capsys.readouterr()
    assert "x.cu:7:1: warning: device code under a condition" in shown.out + shown.err


def test_code_behind_0_is_gone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.cu").write_text(
        "#if 0\n#if 1\n__global__ void k(int *out)\n{\n    __shared__ int old[32];\n#endif\n"
        "    out[threadIdx.x] = old[0];\n}\n#else\n"
        "__global__ void k(int *out) { out[threadIdx.x] = 1; }\n#endif\n"
        "int before(int a)\n{\n#if 0\n    a *= 2;\n#endif\n    return a;\n}\n"
    )
    assert run_g2o(["translate", str(tmp_path / "x.cu")]) == 0
    text = (tmp_path / "x.omp.cpp").read_text()
    assert "#if 0\n// (code for the device)\n#else\nvoid k(dim3" in text
    assert "#if 0\n    a *= 2;\n#endif" in text
    assert "warning" not in capsys.readouterr().err


def test_macro_makes_it_translated(tmp_path: Path) -> None:
    (tmp_path / "x.cu").write_text(_SOURCE)
    assert run_g2o(["translate", "-DCHECK", str(tmp_path / "x.cu")]) == 0
    text = (tmp_path / "x.omp.cpp").read_text()
    assert "void check(" in text
    assert "#error" not in text


def test_header_that_is_included_twice_is_read(tmp_path: Path) -> None:
    (tmp_path / "k.cuh").write_text(
        "#ifndef K_CUH\n#define K_CUH\n"
        "__global__ void k(int *out) { out[threadIdx.x] = 1; }\n#endif\n"
    )
    (tmp_path / "x.cu").write_text(
        '#include "k.cuh"\n#include "k.cuh"\nvoid run(int *out) { k<<<1, 32>>>(out); }\n'
    )
    assert run_g2o(["translate", str(tmp_path / "x.cu"), str(tmp_path / "k.cuh")]) == 0
    assert "#error" not in (tmp_path / "k.omp.hpp").read_text()


@pytest.mark.parametrize("name", ["fill.cu", "fill.cuh"])
def test_macro_of_the_including_file_makes_it_translated(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text(
        "#ifdef DEVICE_SIDE\n"
        "__global__ void fill(int *out) { out[threadIdx.x] = threadIdx.x; }\n"
        "#endif\n"
    )
    (tmp_path / "main.cu").write_text(
        "#include <cstdio>\n"
        "#define DEVICE_SIDE\n"
        f'#include "{name}"\n'
        "int main()\n{\n"
        "    int h[4], *d;\n"
        "    cudaMalloc(&d, sizeof h);\n"
        "    fill<<<1, 4>>>(d);\n"
        "    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);\n"
        '    printf("%d\\n", h[3]);\n'
        "}\n"
    )
    code = run_g2o(["verify", str(tmp_path / "main.cu")])
    shown = capsys.readouterr()
    assert code == 0, shown.out + shown.err
    assert shown.out.count("agrees: ") == 3
    assert "G2O0219" not in shown.out + shown.err


def test_version_that_a_device_does_not_take_becomes_an_error(tmp_path: Path) -> None:
    (tmp_path / "x.cu").write_text(
        "#if __CUDA_ARCH__ >= 350\n"
        "__global__ void k(int *out) { out[threadIdx.x] = 1; }\n"
        "#else\n"
        "__global__ void k(int *out) {}\n"
        "#endif\n"
    )
    assert run_g2o(["translate", str(tmp_path / "x.cu")]) == 0
    text = (tmp_path / "x.omp.cpp").read_text()
    assert "#if G2O_CUDA_ARCH >= 350" in text
    assert "= 1;" in text
    assert '#else\n#error "not translated: ' in text
    assert "threadIdx" not in text
    assert run_g2o(["translate", str(tmp_path / "x.cu"), "-D__CUDA_ARCH__=700"]) == 0
    text = (tmp_path / "x.omp.cpp").read_text()
    assert "= 1;" in text
    assert '#else\n#error "not translated: ' in text


def test_code_for_both_sides_takes_the_branch_of_threads(tmp_path: Path) -> None:
    """What calls a function that adds atomically does so, too; a root may be the host's."""
    (tmp_path / "x.cu").write_text(
        "__host__ __device__ void add(int *p, int v) {\n"
        "#ifdef __CUDA_ARCH__\n    atomicAdd(p, v);\n#else\n    *p += v;\n#endif\n}\n"
        "struct Sum {\n    int *p;\n    __host__ __device__ void put(int v) const {\n"
        "#if defined(__CUDA_ARCH__)\n    add(p, v);\n#else\n    *p += v;\n#endif\n    }\n};\n"
        "__host__ __device__ float root(float x) {\n"
        "#ifdef __CUDA_ARCH__\n    return __fsqrt_rn(x);\n#else\n    return sqrtf(x);\n#endif\n}\n"
        "__global__ void k(Sum s, float *y) { s.put(1); y[threadIdx.x] = root(threadIdx.x); }\n"
    )
    assert run_g2o(["translate", "-q", str(tmp_path / "x.cu")]) == 0
    text = (tmp_path / "x.omp.cpp").read_text()
    assert text.count("G2O_CUDA_ARCH") == 2
    assert text.count("__CUDA_ARCH__") == 1
