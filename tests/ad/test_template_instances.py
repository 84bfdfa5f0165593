"""Derivatives of templates: one text for all instances where it is right for all, else one each."""

import re
from pathlib import Path

import pytest

from g2o.cli.main import run
from g2o.diagnostics.diagnostic import Severity
from g2o.interop.translate import translate

_SPECIALISED = """template <typename T> __device__ T curve(T v) { return v * v; }
template <> __device__ float curve<float>(float v) { return v * v * v; }
template <typename T> __global__ void k(const T *x, T *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = curve(x[i]);
}
"""
_SCALED = """template <typename T, int N>
__global__ void k(const T *x, const float *w, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = N * x[i] * w[i];
}
template <typename T> void run(T *x, float *w, int n) { k<T, sizeof(T)><<<n, 32>>>(x, w, w, n); }
"""


def _made(tmp_path: Path, text: str, *specs: str) -> str:
    path = tmp_path / "k.cu"
    path.write_text(text)
    made = translate(path, grad=list(specs) or [""])
    assert made.ok, made.diagnostics
    return made.code


def test_real_instances_share_one_adjoint(tmp_path: Path) -> None:
    launches = "void all(float *f, double *d) { run(f, f, 1); run(d, f, 1); }\n"
    code = _made(tmp_path, _SCALED + launches)
    assert "template <>" not in code
    assert code.count("void k_grad(") == 1


def test_integers_have_no_shadow(tmp_path: Path) -> None:
    launches = "void all(float *f, int *i) { run(f, f, 1); run(i, f, 1); }\n"
    code = " ".join(_made(tmp_path, _SCALED + launches).split())
    assert "template <> void k_grad<float, 4>(" in code
    assert "const int *x, const float *w, float *y, int n, float *d_w, float *d_y)" in code
    assert code.count("template <typename T, int N> void k_grad(") == 2  # overloads


def test_specialised_functions_are_those_of_the_instance(tmp_path: Path) -> None:
    code = _made(tmp_path, _SPECIALISED + "void all(float *x) { k<<<1, 32>>>(x, x, 1); }\n")
    assert "void k_grad<float>(" in code
    assert "k_grad<double>" not in code


def test_an_instance_that_is_asked_for(tmp_path: Path) -> None:
    code = _made(tmp_path, _SPECIALISED, "k<double>(y)/(x)", "k<float>(y)/(x)")
    assert "void k_grad<float>(" in code
    assert "void k_grad<double>(" in code


def test_no_instance_is_known(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(_SPECIALISED)
    errors = [
        one for one in translate(path, grad=[""]).diagnostics if one.severity is Severity.ERROR
    ]
    assert len(errors) == 1
    assert "explicit specialisation" in errors[0].message
    assert any("--grad 'kernel<float>'" in note.message for note in errors[0].notes)


def test_a_fault_names_its_instance_and_line(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    text = _SPECIALISED.replace("v * v * v", "rnormf(1, &v)")
    path.write_text(text + "void all(float *x) { k<<<1, 32>>>(x, x, 1); }\n")
    (one,) = (d for d in translate(path, grad=[""]).diagnostics if d.severity is Severity.ERROR)
    assert "rnormf" in one.message
    assert one.span is not None
    assert one.span.file.line_and_column(one.span.begin)[0] == 2
    assert any("k<float>" in note.message for note in one.notes)


def test_other_instances_have_theirs_to_keep_going(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    text = _SPECIALISED.replace("v * v * v", "rnormf(1, &v)")
    path.write_text(text + "template <class T> void run(T *x) { k<T><<<1, 32>>>(x, x, 1); }\n")
    with path.open("a") as file:
        file.write("void all(float *x, double *y) { run(x); run(y); }\n")
    made = translate(path, grad=[""], keep_going=True)
    (one,) = made.diagnostics
    assert one.severity is Severity.WARNING
    assert "the derivative of 'k<float>' is missing" in one.message
    assert "void k_grad<double>(" in made.code
    assert "void k_grad<float>(" not in made.code


def test_macros_name_parameters_of_templates(tmp_path: Path) -> None:
    text = _SPECIALISED.replace("const T *x,", "const WIDE *x,").replace("k(", "k(WIDE by, ")
    text = text.replace("curve(x[i])", "by * curve<WIDE>(x[i])")
    alias = "#define WIDE type_of<T>\ntemplate <typename T> using type_of = T;\n"
    launch = "void all(float *x) { k<float><<<1, 32>>>(2, x, x, 1); }\n"
    code = " ".join(_made(tmp_path, alias + text + launch).split())
    assert "void k_grad<float>(" in code
    assert "type_of<float> by, const type_of<float> *x," in code


@pytest.mark.parametrize("suffix", [".cuh", ".h"])
def test_instances_of_a_header_are_those_of_its_users(tmp_path: Path, suffix: str) -> None:
    header, user = tmp_path / f"k{suffix}", tmp_path / "main.cu"
    header.write_text(_SPECIALISED)
    user.write_text(f'#include "k{suffix}"\nvoid all(float *x) {{ k<<<1, 32>>>(x, x, 1); }}\n')
    made = translate(header, grad=[""], others=[user])
    assert made.ok
    assert "inline void k_grad<float>(" in made.code


def test_kernels_that_are_no_templates_call_instances(tmp_path: Path) -> None:
    outer = "template <typename T> __device__ T twice(T v) { T w = curve(v); return w + w; }\n"
    head, _, _ = _SPECIALISED.partition("template <typename T> __global__")
    kernel = """__global__ void k(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = twice(x[i]);
}
"""
    code = _made(tmp_path, head + outer + kernel)
    adjoint = code[code.index("void k_grad(") :]
    assert re.search(r"(\w+) \* \1 \* \1;", adjoint)  # the form for float
    assert "curve(" not in adjoint


def test_specialisations_of_a_template_that_is_only_declared(tmp_path: Path) -> None:
    text = """template <class T> __global__ void k(T *y, const T *x, int n);
template <> __global__ void k<float>(float *y, const float *x, int) { *y = *x * *x; }
template <> __global__ void k<double>(double *y, const double *x, int) { *y = *x * *x * *x; }
"""
    code = " ".join(_made(tmp_path, text).split())
    declared = "template <class T> void k_grad(dim3 grid, dim3 block, T *y, const T *x, int, "
    assert code.count(declared) == 1
    assert code.index(declared) < code.index("void k_grad<float>(") < code.index("k_grad<double>(")


def test_macros_of_a_header_that_are_defined_again(tmp_path: Path) -> None:
    """What is read for the instances is the header in which they are written out, too."""
    forms = ["v += __shfl_xor_sync(0xffffffff, v, 16); v *= 0.5f; v *= v;", "v *= 3 * v;"]
    specialised = "".join(
        f"#define STEP(v) {form}\ntemplate <> __device__ float mixed<float, {at}>(float v)\n"
        "{\n    STEP(v);\n    STEP(v);\n"
        "    float twice = 2 * v;\n    return twice;\n}\n#undef STEP\n"
        for at, form in enumerate(forms)
    )
    head = "template <typename T, int N> __device__ T mixed(T v);\n"
    (tmp_path / "steps.h").write_text(f"#pragma once\n{head}{specialised}")
    path = tmp_path / "k.cu"
    path.write_text(
        '#include "steps.h"\n'
        "template <typename T, int N> __global__ void mix(const T *x, T *y)\n"
        "{\n    y[threadIdx.x] = mixed<T, N>(x[threadIdx.x]);\n}\n"
        "void run(float *x) { mix<float, 0><<<1, 32>>>(x, x); mix<float, 1><<<1, 32>>>(x, x); }\n"
    )
    assert run(["translate", "-q", str(path), "--grad"]) == 0
    code = (tmp_path / "k.omp.cpp").read_text()
    assert "void mix_grad<float, 0>(" in code
    assert "d_x[t] += d_v;" in code.partition("void mix_grad<float, 1>(")[2]
