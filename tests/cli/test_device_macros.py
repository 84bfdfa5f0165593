"""Macros in kernels: the commands around their expansion."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import G2o


def test_faults_stand_where_the_user_wrote_the_code(g2o: G2o) -> None:
    Path("a.cu").write_text(
        "#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)\n"
        "__global__ void k(int *x) {\n"
        '    x[INDEX] = INDEX; asm("nop;");\n'
        "}\n"
    )
    done = g2o("translate", "a.cu")
    assert "a.cu:3:23: error:" in done.err
    assert '    3 |     x[INDEX] = INDEX; asm("nop;");\n' in done.err


def test_definitions_that_depend_on_conditions(g2o: G2o) -> None:
    Path("a.cu").write_text(
        "#ifdef FAST\n#define SYNC\n#else\n#define SYNC __syncthreads()\n#endif\n"
        "#define TWICE(x) do { (x) *= 2; SYNC; } while (0)\n"
        "__global__ void k(int *x) {\n"
        "    __shared__ int s[32];\n"
        "    s[threadIdx.x] = x[threadIdx.x];\n"
        "    TWICE(s[threadIdx.x]);\n"
        "    x[threadIdx.x] = s[31 - threadIdx.x];\n"
        "}\n"
    )
    assert g2o("translate", "a.cu").exit_code == 0
    assert Path("a.omp.cpp").read_text().count("for (int t") == 2
    assert g2o("translate", "a.cu", "-DFAST").exit_code == 0
    text = Path("a.omp.cpp").read_text()
    assert "for (int t" not in text  # the lanes of a warp in step instead
    assert "for (int lane" in text
