"""The builders: both compilers, the address sanitizer, and what failures say."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from g2o.verify.build import (
    EMULATOR,
    BuildFailure,
    BuildOptions,
    Executable,
    build_emulated,
    build_translation,
)
from g2o.verify.run import EmulatorFault, Run, RunOptions, TimedOut, run

OUT_OF_BOUNDS = """
#include <cstdlib>
__global__ void k(int *x, int i, int j) {
    __shared__ int s[32];
    s[threadIdx.x + j] = x[threadIdx.x + i];
    __syncthreads();
    x[threadIdx.x] = s[31 - threadIdx.x];
}
int main(int argc, char **argv) {
    int *x;
    cudaMalloc(&x, 32 * sizeof *x);
    cudaMemset(x, 0, 32 * sizeof *x);
    k<<<1, 32>>>(x, atoi(argv[1]), atoi(argv[2]));
}
"""


@pytest.mark.parametrize("compiler", ["g++", "clang++-19"])
def test_headers_are_clean(compiler: str, tmp_path: Path) -> None:
    source = tmp_path / "all.cpp"
    headers = sorted((EMULATOR / "include").rglob("*.h"))
    source.write_text("".join(f'#include "{header}"\n' for header in headers))
    flags = ("-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only")
    done = subprocess.run(
        (compiler, *flags, str(source)), capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr


def test_address_sanitizer_finds_accesses_out_of_bounds(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text(OUT_OF_BOUNDS)
    built = build_emulated([source], tmp_path, BuildOptions(sanitize_addresses=True))
    assert isinstance(built, Executable), built
    quiet = {"ASAN_OPTIONS": "detect_leaks=0"}
    for arguments, wrong in ((("0", "0"), ""), (("1", "0"), "READ"), (("0", "1"), "WRITE")):
        result = run(built, RunOptions(arguments=arguments, environment=quiet))
        assert isinstance(result, Run)
        if wrong:
            assert result.exit_code != 0
            assert f"{wrong} of size 4" in result.stderr
            assert "k.cu:5" in result.stderr
        else:
            assert result.exit_code == 0, result.stderr


def test_clang_builds_the_emulator(tmp_path: Path) -> None:
    source = Path(__file__).parent / "programs" / "grid_sync.cu"
    built = build_emulated([source], tmp_path, BuildOptions(compiler="clang++-19"))
    assert isinstance(built, Executable), built
    result = run(built)
    assert isinstance(result, Run)
    assert result.stdout == "cudaSuccess: 10 80 200, top 30\n"


@pytest.mark.parametrize("compiler", ["g++", pytest.param("clang++-19", marks=pytest.mark.slow)])
def test_the_emulator_is_compiled_once(
    compiler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = Path(__file__).parent / "programs" / "grid_sync.cu"
    options = BuildOptions(compiler, optimization="-O0")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert isinstance(build_emulated([source], tmp_path, options), Executable)
    (kept,) = tmp_path.glob("g2o/emulator-*/*.gch")
    kept.write_bytes(kept.read_bytes()[:1000])
    assert isinstance(build_emulated([source], tmp_path, options), Executable)
    assert not kept.exists() or kept.stat().st_size > 1000  # made anew, sooner or later
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    assert isinstance(build_emulated([source], tmp_path, options), Executable)


def test_failures_name_the_original_source(tmp_path: Path) -> None:
    source = tmp_path / "broken.cu"
    source.write_text("__global__ void k() {\n    __shared__ int a;\n    b = a;\n}\n")
    built = build_emulated([source], tmp_path)
    assert isinstance(built, BuildFailure)
    assert built.first_error.startswith(f"{source}:3:")


def test_a_missing_compiler_is_a_failure(tmp_path: Path) -> None:
    source = tmp_path / "a.cpp"
    source.write_text("int main() {}\n")
    built = build_translation([source], tmp_path, BuildOptions(compiler="no-such-compiler"))
    assert isinstance(built, BuildFailure)
    assert "no-such-compiler" in built.first_error


def test_several_files_time_limit_and_inline_assembly(tmp_path: Path) -> None:
    (tmp_path / "kernel.cuh").write_text(
        "#pragma once\nextern __constant__ int c;\n__global__ void k(int *x);\n"
    )
    (tmp_path / "kernel.cu").write_text(
        '#include "kernel.cuh"\n__constant__ int c;\n__global__ void k(int *x) {\n'
        '    if (*x == 2) asm volatile("bar.arrive 0, 64;");\n    *x = c;\n}\n'
    )
    (tmp_path / "main.cu").write_text(
        '#include "kernel.cuh"\nint helper(int);\nint main(int n, char **) {\n'
        "    int *x; cudaMallocManaged(&x, 4); *x = n;\n    cudaMemcpyToSymbol(c, &n, 4);\n"
        "    k<<<1, 1>>>(x);\n    while (helper(*x) == 3) {}\n    return *x;\n}\n"
    )
    (tmp_path / "host.cpp").write_text(
        "#include <cuda_runtime.h>\n"
        'extern "C" int in_c(int);\n'
        "int helper(int x) { cudaDeviceSynchronize(); return in_c(x); }\n"
    )
    (tmp_path / "plain.c").write_text(
        "#include <cuda_runtime.h>\nint in_c(int x) { return x + cudaSetDevice(0); }\n"
    )
    sources = [tmp_path / name for name in ("main.cu", "kernel.cu", "host.cpp", "plain.c")]
    built = build_emulated(sources, tmp_path / "out", BuildOptions(optimization="-O0"))
    assert isinstance(built, Executable), built
    ended = run(built)
    assert isinstance(ended, Run)
    assert (ended.exit_code, ended.fault) == (1, None)
    refused = run(built, RunOptions(arguments=("a",)))
    assert isinstance(refused, Run)
    assert refused.fault is EmulatorFault.UNSUPPORTED
    assert "bar.arrive" in refused.stderr
    assert isinstance(run(built, RunOptions(arguments=("a", "b"), timeout=0.5)), TimedOut)


def test_the_emulator_has_its_own_libraries_where_a_translation_stands(tmp_path: Path) -> None:
    """`g2o translate` has written g2o_cub.hpp beside the source."""
    source = tmp_path / "sum.cu"
    source.write_text(
        "#include <cub/cub.cuh>\n__global__ void k(int *x) {\n"
        "    typedef cub::BlockReduce<int, 32> Reduce;\n"
        "    __shared__ typename Reduce::TempStorage kept;\n"
        "    int sum = Reduce(kept).Sum(x[threadIdx.x]);\n"
        "    if (threadIdx.x == 0) x[0] = sum;\n}\nint main() {}\n"
    )
    (tmp_path / "g2o_cub.hpp").write_text("#error not for the emulator\n")
    options = BuildOptions(include_directories=(tmp_path,))
    built = build_emulated([source], tmp_path / "build", options)
    assert isinstance(built, Executable), built
