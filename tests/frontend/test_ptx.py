"""What PTX says of instructions at their limits: the emulator reads them as the translation does,
and cannot tell. The numbers are those of an H100."""

from __future__ import annotations

import subprocess
from pathlib import Path

from g2o.interop.translate import translate
from g2o.runtime.headers import all_headers

_SOURCE = r"""
#include <cstdio>
__global__ void k(const int *x, int *y) {
    int a = x[0], n = x[1], r;
    asm("shr.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(33)); y[0] = r;
    asm("shr.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(n)); y[1] = r;
    asm("shr.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(33)); y[2] = r;
    asm("shl.b32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(n)); y[3] = r;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(4), "r"(n)); y[4] = r;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(n), "r"(8)); y[5] = r;
    asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(5), "r"(8), "r"(n)); y[6] = r;
}
int main() {
    int *x, *y;
    cudaMallocManaged(&x, 8);
    cudaMallocManaged(&y, 28);
    x[0] = -100;
    x[1] = 70;
    k<<<1, 1>>>(x, y);
    cudaDeviceSynchronize();
    for (int i = 0; i < 7; ++i)
        printf("%d ", y[i]);
}
"""


def test_shifts_and_fields_that_are_too_long(tmp_path: Path) -> None:
    source = tmp_path / "a.cu"
    source.write_text(_SOURCE)
    (tmp_path / "a.cpp").write_text(translate(source).code)
    for name, text in all_headers("cpu").items():
        (tmp_path / name).write_bytes(text)
    compiler = ["g++", "-std=c++17", "-O1", "-fopenmp", "-fsanitize=undefined", "a.cpp", "-o", "a"]
    subprocess.run(compiler, cwd=tmp_path, check=True)
    done = subprocess.run([tmp_path / "a"], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert done.stdout.split() == ["-1", "-1", "0", "0", "268435449", "0", "-25595"]
