"""Intrinsics give, bit for bit, what an H100 gives, at the ends of their arguments, too.

`intrinsics_h100.json` has what nvcc's program gave there for all combinations of `_EDGES`: a digest
for each function that is exact. The emulator takes the same functions, and cannot tell.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from pathlib import Path

import pytest

from g2o.interop.translate import translate
from g2o.runtime.headers import all_headers

_RECORDED = Path(__file__).parent / "intrinsics_h100.json"
_INTS = (
    "0, 1, -1, 2, 3, 5, 16, 31, 32, 33, 63, 64, 100, 255, 256, -100, 0x7fffffff, 0x80000000, "
    "0x12345678, 0x89abcdef, 0x00ff00ff, 0x7fff8000, 65535, -65536"
)
_LONGS = (
    "0, 1, -1, 2, 31, 32, 33, 63, 64, 255, -100, 0x7fffffffLL, 0x80000000LL, -0x80000000LL, "
    "0x7fffffffffffffffLL, 0x8000000000000000ULL, 0x123456789abcdef0LL, 0xfedcba9876543210ULL, "
    "16777217LL, 9007199254740993LL"
)
_FLOATS = (
    "0., -0., 1., -1., 0.5, -0.5, 1.5, 2.5, -2.5, 0.3f, -0.7f, 3., 100.25, -7.75, 1e10f, -1e10f, "
    '2147483648., 4294967296., 1e30f, -1e30f, 1e-30f, 1e-42f, 1. / 0., -1. / 0., nan(""), '
    "16777216., 8388609., 0.99999994f"
)
_DOUBLES = (
    "0., -0., 1., -1., 0.5, -0.5, 1.5, 2.5, -2.5, 0.3, -0.7, 3., 100.25, -7.75, 1e10, -1e10, "
    "2147483648., 4294967296.5, 9.3e18, -9.3e18, 1e300, -1e300, 1e-300, 1. / 0., -1. / 0., "
    'nan(""), 4503599627370497.5'
)
_EDGES = {
    "int": _INTS,
    "unsigned": _INTS,
    "long long": _LONGS,
    "unsigned long long": _LONGS,
    "float": _FLOATS,
    "double": _DOUBLES,
}
_SIGNATURE = re.compile(r"(.*) (\w+)\((.*)\)")
_COMMON = r"""
#include <cmath>
#include <cstdio>
#include <cstring>
template <class T, class U> T *copy(const U *x, int n)
{
    T *p;
    cudaMallocManaged(&p, n * sizeof(T));
    for (int i = 0; i < n; ++i)
        p[i] = T(x[i]);
    return p;
}
template <class T> void show(const char *name, const T *x, int n)
{
    printf("%s", name);
    for (int i = 0; i < n; ++i) {
        unsigned long long bits = 0;
        memcpy(&bits, x + i, sizeof(T));
        if (x[i] != x[i])
            printf(" nan");
        else
            printf(" %llx", bits);
    }
    printf("\n");
}
"""


def program(signatures: list[str]) -> str:
    """A program that prints a line for each function: its signature, and what it gives."""
    kinds = list(_EDGES)
    kernels = ""
    main = ""
    for kind, values in _EDGES.items():
        cast = ", ".join(f"({kind})({one})" for one in re.split(r", (?![^(]*\))", values))
        at = kinds.index(kind)
        main += f"    static const {kind} edges{at}[] = {{{cast}}};\n"
        main += f"    const int n{at} = sizeof edges{at} / sizeof *edges{at};\n"
        main += f"    {kind} *e{at} = copy<{kind}>(edges{at}, n{at});\n"
    for number, signature in enumerate(signatures):
        found = _SIGNATURE.fullmatch(signature)
        assert found is not None
        result, name, listed = found.groups()
        types = listed.split(", ")
        given = [f"const {kind} *e{at}, int n{at}" for at, kind in enumerate(types)]
        values = ""
        for at, _ in enumerate(types):
            values += f"    const auto a{at} = e{at}[r % n{at}];\n    r /= n{at};\n"
        call = ", ".join(f"a{at}" for at, _ in enumerate(types))
        kernels += (
            f"__global__ void k{number}({', '.join(given)}, {result} *out, int total)\n{{\n"
            "    int t = blockIdx.x * blockDim.x + threadIdx.x, r = t;\n"
            f"    if (t >= total)\n        return;\n{values}    out[t] = {name}({call});\n}}\n"
        )
        places = [kinds.index(kind) for kind in types]
        total = " * ".join(f"n{at}" for at in places)
        passed = ", ".join(f"e{at}, n{at}" for at in places)
        main += (
            f"    {{\n        const int total = {total};\n        {result} *out;\n"
            "        cudaMallocManaged(&out, total * sizeof *out);\n"
            f"        k{number}<<<(total + 255) / 256, 256>>>({passed}, out, total);\n"
            f'        cudaDeviceSynchronize();\n        show("{signature}", out, total);\n'
            "        cudaFree(out);\n    }\n"
        )
    return f"{_COMMON}{kernels}int main()\n{{\n{main}}}\n"


@pytest.mark.slow
def test_intrinsics_are_those_of_the_hardware(tmp_path: Path) -> None:
    recorded: dict[str, str] = json.loads(_RECORDED.read_text())
    source = tmp_path / "a.cu"
    source.write_text(program(list(recorded)))
    (tmp_path / "a.cpp").write_text(translate(source).code)
    for name, text in all_headers("cpu").items():
        (tmp_path / name).write_bytes(text)
    compiler = ["g++", "-std=c++17", "-O1", "-fopenmp", "-w", "a.cpp", "-o", "a"]
    subprocess.run(compiler, cwd=tmp_path, check=True)
    done = subprocess.run([tmp_path / "a"], capture_output=True, text=True, check=True)
    assert digests(done.stdout) == recorded


def digests(output: str) -> dict[str, str]:
    """What a run prints, by signature."""
    found: dict[str, str] = {}
    for line in output.splitlines():
        signature, _, values = line.partition(") ")
        found[f"{signature})"] = hashlib.sha256(values.encode()).hexdigest()[:16]
    return found
