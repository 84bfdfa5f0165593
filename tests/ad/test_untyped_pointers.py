"""Kernels that are handed pointers to void: derivatives as of the same kernels with the types that
they read them as, and none where these are several."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from g2o.interop.translate import checked, translate
from tests.ad.harness import RUNTIME

_SOURCE = """
struct Untyped { const void *x; const void *bias; void *y; float gain; int n; };
struct Typed { const double *x; const double *bias; double *y; float gain; int n; };

template <class T> struct Inner;
template <> struct Inner<double> { typedef double type; };

template <class T> __global__ void untyped(Untyped p)
{
    typedef typename Inner<T>::type scalar_t;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= p.n)
        return;
    const T *x = &((const T *)p.x)[i];
    scalar_t bias = p.bias ? (scalar_t)static_cast<const T *>(p.bias)[i % 4] : 0;
    ((T *)p.y)[i] = (T)(p.gain * (*x * bias + sin(*x)));
}

__global__ void typed(Typed p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= p.n)
        return;
    double bias = p.bias ? p.bias[i % 4] : 0;
    p.y[i] = p.gain * (p.x[i] * bias + sin(p.x[i]));
}

__global__ void parameters(const void *x, void *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        static_cast<double *>(y)[i] = 3.0 * static_cast<const double *>(x)[i];
}

void launch(Untyped p) { untyped<double><<<2, 8>>>(p); }
"""

_DRIVER = """
#include <cstdio>
int main()
{
    double x[16], bias[4] = {1, 2, 3, 4}, y[16], d_x[2][16] = {}, d_bias[2][4] = {}, d_y[2][16];
    for (int i = 0; i < 16; ++i)
        x[i] = 0.1 * i, d_y[0][i] = d_y[1][i] = 1 + i % 5;
    Untyped p{x, bias, y, 0.5f, 13}, d_p{d_x[0], d_bias[0], d_y[0], 0, 0};
    Typed q{x, bias, y, 0.5f, 13}, d_q{d_x[1], d_bias[1], d_y[1], 0, 0};
    untyped_grad<double>(2, 8, p, &d_p);
    typed_grad(2, 8, q, &d_q);
    bool same = d_p.gain != 0 && d_p.gain == d_q.gain && d_bias[0][1] != 0;
    for (int i = 0; i < 16; ++i)
        same = same && d_x[0][i] == d_x[1][i] && d_y[0][i] == d_y[1][i];
    for (int i = 0; i < 4; ++i)
        same = same && d_bias[0][i] == d_bias[1][i];
    double d_in[16] = {}, d_out[16];
    for (double &one : d_out)
        one = 1;
    parameters_grad(2, 8, x, y, 16, d_in, d_out);
    for (int i = 0; i < 16; ++i)
        same = same && d_in[i] == 3 && d_out[i] == 0;
    std::puts(same ? "same" : "different");
}
"""

_SEVERAL = """
struct Untyped { const void *x; void *y; int is_double; };
__global__ void k(Untyped p)
{
    int i = threadIdx.x;
    if (p.is_double)
        ((double *)p.y)[i] = ((const double *)p.x)[i];
    else
        ((float *)p.y)[i] = ((const float *)p.x)[i];
}
"""


def test_as_with_the_types_they_are_read_as(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text(_SOURCE)
    code = checked(translate(source, grad=["untyped", "typed", "parameters"])).code
    assert "= (const T *)p.x;" in code
    (tmp_path / "main.cpp").write_text(code + _DRIVER)
    program = tmp_path / "program"
    command = ("g++", "-std=c++17", "-O1", "-fopenmp", "-Wall", "-Wextra", "-Werror")
    build = (*command, "-I", str(RUNTIME), str(tmp_path / "main.cpp"), "-o", str(program))
    made = subprocess.run(build, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    alone = {**os.environ, "OMP_NUM_THREADS": "1"}  # threads add up in whatever order
    ran = subprocess.run([str(program)], env=alone, capture_output=True, text=True, check=True)
    assert ran.stdout == "same\n"


def test_none_where_they_are_read_as_several(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text(_SEVERAL)
    made = translate(source, grad="k")
    assert not made.ok
    assert "has no shadow" in made.diagnostics[0].message
