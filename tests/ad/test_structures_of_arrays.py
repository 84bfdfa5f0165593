"""Kernels that are handed pointers inside of structures: derivatives as of the same kernels with
the pointers as parameters, and no silent zeros."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from g2o.interop.translate import checked, translate
from tests.ad.harness import RUNTIME

_SOURCE = """
struct Inner { const double *mass; double drag; };
struct Particles { double *x; double *v; Inner inner; int n; double dt; };
struct Plain { double *x; double *v; };

__device__ double force(const double *x, int i, int n)
{
    return x[(i + 1) % n] - 2.0 * x[i] + x[(i + n - 1) % n];
}

// A member of a constant structure is the same pointer as that of the structure itself.
__device__ double pull(const Particles &p, int i)
{
    return force(p.inner.mass, i, p.n) * sin(p.x[i]) - p.inner.drag * p.v[i];
}

__device__ void push(Particles p, int i, double a)
{
    p.v[i] += p.dt * a;
    p.x[i] = p.x[i] * p.x[i] + p.dt * p.v[i];
}

__global__ void step(Particles p, double *energy)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= p.n)
        return;
    push(p, i, pull(p, i));
    atomicAdd(energy, 0.5 * p.inner.mass[i] * p.v[i] * p.v[i]);
}

__global__ void apart(double *x, double *v, const double *mass, double drag, int n, double dt,
                      double *energy)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a = force(mass, i, n) * sin(x[i]) - drag * v[i];
    v[i] += dt * a;
    x[i] = x[i] * x[i] + dt * v[i];
    atomicAdd(energy, 0.5 * mass[i] * v[i] * v[i]);
}

__global__ void drift(Plain p, double dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p.x[i] += dt * p.v[i];
}
"""

_DRIVER = """
#include <cstdio>
#include <vector>
static std::vector<double> made(int seed, int n)
{
    std::vector<double> found(n);
    for (int i = 0; i < n; ++i)
        found[i] = 0.1 + (i * 37 + seed * 11) % 17 / 13.0;
    return found;
}
static double sum(const std::vector<double> &x)
{
    double found = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        found += x[i] * (1 + i % 7);
    return found;
}
int main()
{
    const int n = 50;
    double results[2][10];
    for (int kind = 0; kind < 2; ++kind) {
        auto x = made(1, n), v = made(2, n), mass = made(3, n);
        auto dx = made(4, n), dv = made(5, n), dmass = made(6, n);
        double energy = 0, denergy = 1.5, drag = 0.3, dt = 0.1, ddrag = 0.25, ddt = 0.5;
        Particles p{x.data(), v.data(), {mass.data(), drag}, n, dt};
        Particles dp{dx.data(), dv.data(), {dmass.data(), ddrag}, 0, ddt};
        if (kind == 0) {
            step_grad(2, 32, p, &energy, &dp, &denergy);
            ddrag = dp.inner.drag;
            ddt = dp.dt;
        } else {
            apart_grad(2, 32, x.data(), v.data(), mass.data(), drag, n, dt, &energy, dx.data(),
                       dv.data(), dmass.data(), &ddrag, &ddt, &denergy);
        }
        double found[5] = {sum(dx), sum(dv), sum(dmass), ddrag, ddt};
        for (int i = 0; i < 5; ++i)
            results[kind][i] = found[i];
        double tangent = 0;
        if (kind == 0) {
            dp.inner.drag = 0.25;
            dp.dt = 0.5;
            step_jvp(2, 32, p, &energy, dp, &tangent);
        } else {
            apart_jvp(2, 32, x.data(), v.data(), mass.data(), drag, n, dt, &energy, dx.data(),
                      dv.data(), dmass.data(), 0.25, 0.5, &tangent);
        }
        double next[5] = {sum(dx), sum(dv), sum(x), energy, tangent};
        for (int i = 0; i < 5; ++i)
            results[kind][5 + i] = next[i];
    }
    int wrong = 0;
    for (int i = 0; i < 10; ++i)
        wrong += !(std::fabs(results[0][i] - results[1][i]) <= 1e-12 * std::fabs(results[1][i]));
    std::printf("%d wrong, %g %g\\n", wrong, results[0][3], results[0][9]);
    return wrong;
}
"""


@pytest.mark.parametrize("compiler", ["g++", "clang++-19"])
def test_members_have_the_derivatives_of_parameters(tmp_path: Path, compiler: str) -> None:
    source = tmp_path / "k.cu"
    source.write_text(_SOURCE)
    wanted = ["step", "apart", "drift(p)/(p, dt)"]
    code = checked(translate(source, grad=wanted, jvp=wanted)).code
    assert "double *d_x = d_p->x;" in code
    program = tmp_path / "program.cpp"
    program.write_text(code + _DRIVER)
    built = tmp_path / "program"
    flags = ["-std=c++17", "-O1", "-fopenmp", "-Wall", "-Wextra", "-Werror", f"-I{RUNTIME}"]
    subprocess.run([compiler, *flags, str(program), "-o", str(built)], check=True)
    for threads in ("1", "2", "4"):
        done = subprocess.run(
            [str(built)], env={"OMP_NUM_THREADS": threads}, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout


def _refused(tmp_path: Path, text: str, grad: str, target: str = "cpu") -> str:
    source = tmp_path / "k.cu"
    source.write_text(_SOURCE + text)
    made = translate(source, grad=grad, target=target)
    assert not made.ok
    return "\n".join(one.message for one in made.diagnostics)


def test_results_without_a_shadow_are_no_silent_zeros(tmp_path: Path) -> None:
    kept = "__device__ double last;\n__global__ void keep(const double *x) { last = x[0]; }\n"
    assert "results go into 'last'" in _refused(tmp_path, kept, "keep")


def test_who_names_what_matters_has_said_that_the_rest_is_constant(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    text = (
        "__global__ void traced(double *y, const double *x, Plain log) {"
        " log.x[0] = x[0]; y[threadIdx.x] = 2.0 * x[threadIdx.x]; }\n"
    )
    source.write_text(_SOURCE + text)
    code = checked(translate(source, grad="traced(y)/(x)")).code
    assert "log.x[0] = x[0];" in code


def test_structures_that_are_used_as_a_whole_are_refused(tmp_path: Path) -> None:
    body = "Plain q[2] = {p, p}; q[1].x[0] = p.v[0] * p.v[0];"
    text = f"__global__ void k(Plain p) {{ {body} }}\n"
    assert _refused(tmp_path, text, "k(p)/(p)")


def test_what_a_pointer_to_a_structure_leads_to_is_the_structure(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    body = "Plain *q = &p; q->x[0] = p.v[0] * p.v[0];"
    source.write_text(_SOURCE + f"__global__ void k(Plain p) {{ {body} }}\n")
    code = checked(translate(source, grad="k(p)/(p)")).code
    assert "2.0 * v[0] * d_x[0]" in code


def test_devices_take_pointers_as_parameters(tmp_path: Path) -> None:
    assert "on a device" in _refused(tmp_path, "", "drift(p)/(p)", target="offload")


def test_a_view_costs_no_more_than_its_pointer(tmp_path: Path) -> None:
    """What is behind the members of two views does not overlap; what accessors are given is copied
    nowhere, and no conversion of an index is written."""
    source = tmp_path / "k.cu"
    source.write_text(
        "struct View {\n"
        "    float *data;\n"
        "    __device__ float &operator[](long i) const { return data[i]; }\n"
        "};\n"
        "__global__ void squares(const View x, View y, int n) {\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i < n) y[i] = x[i] * x[i];\n"
        "}\n"
    )
    code = checked(translate(source, grad="")).code
    plain = (
        "#pragma omp parallel for simd\n"
        "    for (int i = 0; i < count; ++i) {\n"
        "        y_data[i] = x_data[i] * x_data[i];\n"
        "        d_x_data[i] += 2.0f * x_data[i] * d_y_data[i];\n"
        "        d_y_data[i] = 0.0f;\n"
        "    }\n"
    )
    assert plain in code
