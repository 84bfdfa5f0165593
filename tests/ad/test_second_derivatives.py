"""Tangents of adjoints: symmetric, and equal to finite differences of the adjoint."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from g2o.interop.translate import translate
from g2o.verify.gradients import CheckBuild, Driver, build_driver, run_checks
from g2o.verify.gradients_driver import CheckedLaunch, CheckedTranslation, Effort
from g2o.verify.gradients_launch import read_requests
from g2o.verify.gradients_signature import read_kernels
from tests.ad.harness import RUNTIME, Bench, check_cases
from tests.ad.test_gradients import BATCHES, READY
from tests.offload.device import needs_clang
from tests.offload.test_offload_gradients import DEVICE, FEW

_BUILD: Final = CheckBuild(optimization="-O0", include_directories=(RUNTIME,))
_EFFORT: Final = Effort(threads=(1, 3), repeats=2)

SOURCE: Final = """
#include <cuComplex.h>
struct Scales { double a, b; };
struct View { const double *x; double *y; double scale; };

// g2o-verify: values<<<2, 8>>>(n = 13, x = [16], y = [16])
__global__ void values(int n, double a, Scales s, const double3 *x, double2 *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    a *= s.a;
    y[i] = make_double2(a * x[i].x * x[i].y, s.b * y[i].x * x[i].z);
}

// g2o-verify: taped<<<2, 8>>>(n = 13, x = [16], y = [16])
__global__ void taped(int n, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i % n];
    for (int k = 0; k < n % 4 + 2; ++k)
        if (v > 0.3f) v = sinf(v) * v;
    y[i] = v;
}

// g2o-verify: tile<<<2, 8, 64>>>(x = [16], y = [2], z = [4])
__global__ void tile(const double *x, double *y, double *z)
{
    extern __shared__ double s[];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * 8 + t] * x[0];
    for (int k = 4; k > 0; k /= 2) {
        __syncthreads();
        if (t < k) s[t] = s[t] * s[t + k] + s[t];
    }
    __syncthreads();
    atomicAdd(&y[t % 2], s[0] * s[0] * x[t]);
    z[blockIdx.x] = s[0] * x[0];
}

// g2o-verify: view<<<2, 8>>>(n = 13, v.x = [16], v.y = [16])
__global__ void view(View v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v.y[i] = v.scale * v.x[i] * v.x[n - 1 - i] / v.y[i];
}

// g2o-verify: product<<<2, 8>>>(n = 13, x = [16], y = [16])
__global__ void product(int n, const cuDoubleComplex *x, cuDoubleComplex *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = cuCmul(x[i], cuCmul(y[i], x[n - 1 - i]));
}

// g2o-verify: powers<double><<<2, 8>>>(n = 13, x = [16], y = [16])
template <class T> __global__ void powers(int n, const T *x, T *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T v = __shfl_xor_sync(~0u, x[i], 1, 8);
    if (i < n) y[i] += pow(x[i], T(2.5)) * exp(v);
}
"""


def _checked(source: str, path: Path, left: str = "", put: str = "") -> CheckedTranslation:
    """The translation of the source, with something else in the place of what is `left`."""
    path.with_suffix(".cu").write_text(source)
    made = translate(path.with_suffix(".cu"), grad="", jvp="", hvp="")
    assert made.ok, made.diagnostics
    assert left in made.code
    path.write_text(made.code.replace(left, put) if left else made.code)
    read = read_kernels(path.with_suffix(".cu"))
    kernels = {one.name: one for one in read.kernels}
    launches = read_requests(source).launches
    checked = tuple(CheckedLaunch(one, kernels[one.name], twice=True) for one in launches)
    return CheckedTranslation(path, read.records, checked, f"case_{path.stem}")


def test_second_derivatives(tmp_path: Path) -> None:
    """Of all kinds of parameters, of tapes, shared memory, atomics, and exchanges; and the check
    sees a tangent that is not taken along."""
    wrong = SOURCE[SOURCE.index("// g2o-verify: taped") : SOURCE.index("// g2o-verify: tile")]
    translations = (
        _checked(SOURCE, tmp_path / "right.cpp"),
        _checked(wrong, tmp_path / "wrong.cpp", "t_kept_v.push(t_v)", "t_kept_v.push(0.0f)"),
    )
    driver = build_driver(translations, tmp_path / "driver", _BUILD, _EFFORT)
    assert isinstance(driver, Driver), driver.first_error
    assert not driver.warnings
    right, other = (run_checks(driver, index) for index in range(2))
    assert right.ok, right.failures()
    assert sum(one.check.startswith("hvp") for one in right.findings) == 6 * 5
    failed = {one.check for one in other.findings if not one.ok}
    assert failed == {"hvp = differences"}


def test_parameters_follow_the_contract(tmp_path: Path) -> None:
    """Shadows, tangents of values, tangents of shadows, all in the forms of the shadows; the
    adjoint is written only where it is asked for."""
    path = tmp_path / "k.cu"
    path.write_text(
        "#pragma g2o hvp (y)/(a, x)\n"
        "__global__ void k(int n, float a, const float *x, float *y, const float *w)\n"
        "{ y[threadIdx.x] = a * x[threadIdx.x] * y[threadIdx.x] * w[n]; }\n"
    )
    made = translate(path, header=True)
    assert made.ok
    assert made.header is not None
    assert "k_grad(" not in made.code
    declared = " ".join(made.header.partition("k_hvp(")[2].partition(")")[0].split())
    assert declared == (
        "dim3 grid, dim3 block, int n, float a, const float *x, float *y, const float *w, "
        "float *d_a, float *d_x, float *d_y, float *t_a, float *t_x, float *t_y, "
        "float *t_d_a, float *t_d_x, float *t_d_y"
    )


def test_what_has_one_derivative_only_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(
        "__global__ void k(const float *x, float *y)\n"
        "{\n    y[threadIdx.x] = lgammaf(x[threadIdx.x]);\n}\n"
    )
    assert translate(path, grad="").ok
    (fault,) = translate(path, hvp="").diagnostics
    assert (fault.code, fault.message) == (
        "G2O0403",
        "call of 'digammaf' on values that carry derivatives",
    )
    assert fault.notes[-1].message == "in the adjoint, of which a tangent is asked for"
    assert fault.span is not None


_ONCE: Final = frozenset({"functions_special.in_double", "functions_special.in_float"})
"""Kernels of the corpus that have no second derivative: that of lgamma has no rule."""


@needs_clang
@pytest.mark.slow
def test_second_derivatives_on_a_device(tmp_path: Path) -> None:
    outcomes = check_cases(FEW, tmp_path / "few", replace(DEVICE, twice=frozenset()))
    assert {name: one.faults for name, one in outcomes.items()} == dict.fromkeys(FEW, ())


@pytest.mark.slow
@pytest.mark.parametrize("index", sorted(set(BATCHES.values())))
def test_second_derivatives_of_the_corpus(index: int, tmp_path: Path) -> None:
    names = [name for name in READY if BATCHES[name] == index]
    outcomes = check_cases(names, tmp_path / "batch", Bench("twice", _BUILD, twice=_ONCE))
    faults = [f"{name}: {line}" for name, one in outcomes.items() for line in one.faults]
    assert not faults, "\n".join(faults)
