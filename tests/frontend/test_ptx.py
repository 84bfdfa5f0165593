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
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(4), "r"(3)); y[7] = r;
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(n), "r"(8)); y[8] = r;
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(2), "r"(n - 70)); y[9] = r;
    int low, high;
    asm("add.cc.u32 %0, %2, %3; addc.u32 %1, 0, 4;" : "=r"(low), "=r"(high) : "r"(a), "r"(200));
    y[10] = low;
    y[11] = high;
    asm("sub.cc.u32 %0, %2, %3; subc.u32 %1, 9, 4;" : "=r"(low), "=r"(high) : "r"(n), "r"(80));
    y[12] = low;
    y[13] = high;
    asm("mad.lo.cc.u32 %0, %2, %3, %4; madc.hi.u32 %1, %2, %3, 0;"
        : "=r"(low), "=r"(high) : "r"(-1), "r"(-16), "r"(32));
    y[14] = low;
    y[15] = high;
}
int main() {
    int *x, *y;
    cudaMallocManaged(&x, 8);
    cudaMallocManaged(&y, 64);
    x[0] = -100;
    x[1] = 70;
    k<<<1, 1>>>(x, y);
    cudaDeviceSynchronize();
    for (int i = 0; i < 16; ++i)
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
    fields = ["268435449", "0", "-25595", "1", "-1", "0"]
    sums = ["100", "5", "-10", "4", "48", "-17"]
    assert done.stdout.split() == ["-1", "-1", "0", "0", *fields, *sums]


def test_carry_of_another_instruction_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "a.cu"
    source.write_text(
        "__global__ void k(unsigned *x) {\n"
        '    asm volatile("add.cc.u32 %0, %0, 1;" : "+r"(x[0]));\n'
        '    asm volatile("addc.u32 %0, %0, 0;" : "+r"(x[1]));\n'
        "}\n"
    )
    made = translate(source)
    assert {(one.code, one.span and one.span.line) for one in made.diagnostics} == {("G2O0202", 3)}
