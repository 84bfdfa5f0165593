"""Error estimates: the sums are what a hand computes, and what is measured is what was said."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Final

import pytest

from g2o.interop.translate import translate
from g2o.runtime.headers import RUNTIME

PAGE: Final = Path(__file__).parents[2] / "docs" / "errors.md"
PROGRAMS: Final = Path(__file__).parent / "error_programs"

FACTOR: Final = 3.0

_DECIDES: Final = """
__global__ void k(const double *x, double *y)
{
    double v = x[0] < y[0] ? x[0] : y[0];
    double w = v * v;
    y[int(w) % 4] = w;
}
"""

_EITHER: Final = """
__global__ void k(const double *a, const double *b, double *y, int n)
{
    double r;
    if (n > 3) r = a[0] * a[1]; else r = b[0] * b[1];
    y[0] = r;
}
"""

_EXAMPLE: Final = """
#include "example.omp.cpp"
#include <iostream>
int main()
{
    const dim3 grid(1), block(8);
    const int n = 1000;
    const double scale = 0.4;
    std::vector<double> x(8 * n), y(8);
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = 1.0 + double(i * 7919 % 1000) / 1000.0;
CALL}
"""

_BY_HAND: Final = """
__global__ void steps(double a, const double *x, double *y, double *total, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double v = x[i] > 1.0 ? a * x[i] + 1.0 : x[i];
    for (int k = 0; k < 3; ++k)
        v *= a;
    y[i] = v;
    atomicAdd(total, v);
}
"""

_MAIN: Final = """
#include "k.omp.cpp"
#include <omp.h>
static int failed = 0;
static void see(const char *name, const g2o::Rounding &rounding, double sum, double squares)
{
    if (std::fabs(rounding.sum - sum) > 1e-12 * sum) ++failed, std::printf("%s: %g %g\\n", name,
        rounding.sum, sum);
    if (std::fabs(rounding.squares - squares) > 1e-12 * squares) ++failed,
        std::printf("%s: squares %g %g\\n", name, rounding.squares, squares);
}
int main()
{
    for (int threads : {1, 3}) {
        omp_set_num_threads(threads);
        constexpr int n = 4;
        double x[n] = {2.0, 0.5, -1.0, 3.0}, y[n] = {}, total[1] = {}, a = 1.5;
        double d_a = 0.0, d_x[n] = {}, d_y[n] = {1.0, -2.0, 3.0, 4.0}, d_total[1] = {0.0};
        steps_errors errors;
        steps_error(dim3(1), dim3(n), a, x, y, total, n, &d_a, d_x, d_y, d_total, &errors);
        // v is a^k * start, its adjoint a^(3 - k) * seed: every product is a^3 * start * seed.
        const double ends[n] = {1.5 * 2.0 + 1.0, 0.5, -1.0, 1.5 * 3.0 + 1.0};
        const double seeds[n] = {1, -2, 3, 4};
        double sum = 0.0, squares = 0.0, terms = 0.0, terms2 = 0.0;
        for (int i = 0; i < n; ++i) {
            const double product = 3.375 * ends[i] * seeds[i];
            sum += std::fabs(product), squares += product * product;
            const double inside = x[i] > 1.0 ? 3.375 * a * x[i] * seeds[i] : 0.0;
            terms += std::fabs(inside), terms2 += inside * inside;
        }
        see("start", errors.v, sum, squares);
        see("inside", errors.v_terms, terms, terms2);
        see("steps", errors.v2, 3 * sum, 3 * squares);
        see("y", errors.y, sum, squares);
        see("total", errors.total, 0.0, 0.0);
        errors.given_x.add(x, d_x, n);
        const double given = 3.375 * (1.5 * 2.0 * 1.0 + 0.5 * 2.0 + 1.0 * 3.0 + 1.5 * 3.0 * 4.0);
        if (std::fabs(errors.given_x.sum - given) > 1e-12 * given) ++failed, std::puts("x");
    }
    return failed;
}
"""


def _run(folder: Path, source: str, main: str, *specs: str, name: str = "k") -> str:
    """What the program `main` prints, which includes the translation of `source`. No warning is
    allowed in that."""
    path = folder / f"{name}.cu"
    path.write_text(source, encoding="utf-8")
    made = translate(path, estimate_error=specs or "", self_check=False)
    assert made.ok
    (folder / f"{name}.omp.cpp").write_text(made.code, encoding="utf-8")
    (folder / "main.cpp").write_text(main, encoding="utf-8")
    program = folder / "main"
    warnings = ("-Wall", "-Wextra", "-Werror")
    words = ("-std=c++17", "-O1" if specs else "-O0", "-fopenmp", *warnings, "-isystem", RUNTIME)
    subprocess.run(["g++", *words, folder / "main.cpp", "-I", PROGRAMS, "-o", program], check=True)
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_sums_are_those_of_the_assignments(tmp_path: Path) -> None:
    _run(tmp_path, _BY_HAND, _MAIN)


def test_page_shows_what_comes_out(tmp_path: Path) -> None:
    blocks = re.findall(
        r"^```(?:cuda|cpp)?\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    source, structure, call, report = blocks
    printed = _run(tmp_path, source, _EXAMPLE.replace("CALL", call), name="example")
    assert structure in (tmp_path / "example.omp.cpp").read_text("utf-8")
    assert printed == report


def test_what_rounding_decides_is_told(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(_DECIDES, encoding="utf-8")
    made = translate(path, estimate_error="", self_check=False)
    told = [one for one in made.remarks if one.code == "G2O0415"]
    assert [
        (one.span.line if one.span else 0, one.message.rpartition(" that ")[2]) for one in told
    ] == [
        (4, "rounding may change which way a condition goes"),
        (6, "rounding may change a whole number"),
    ]
    assert '{"k.cu:4: rounding may change which way a condition goes",' in made.code


def test_values_of_other_variables_are_apart(tmp_path: Path) -> None:
    """What is made of `a` alone is float where `a` is, whatever else is stored in the line."""
    path = tmp_path / "k.cu"
    path.write_text(_EITHER, encoding="utf-8")
    code = translate(path, estimate_error="", self_check=False).code
    assert re.findall(r'\{"r", "k.cu:5", .*?computed, \{(.*?)\}', code) == ['"a"', '"b"']


@pytest.mark.slow
@pytest.mark.parametrize("file", ["simple", "blocks"])
def test_estimates_are_what_is_measured(file: str, tmp_path: Path) -> None:
    """Programs with any of their variables in float, against the same in double: the estimate is
    within a factor of 3, the bound holds, and so does that of what is proposed."""
    source = (PROGRAMS / f"{file}.cu").read_text("utf-8")
    kernels = re.findall(r"^template <(.*)>\n__global__ void (\w+)", source, re.MULTILINE)
    specs = [f"{name}<{', '.join('double' for _ in types.split(','))}>" for types, name in kernels]
    checks = "".join(f'    check<{name.capitalize()}>("{name}");\n' for _, name in kernels)
    includes = f'#include "k.omp.cpp"\n#include "check.hpp"\n#include "{file}.hpp"\n'
    printed = _run(tmp_path, source, f"{includes}int main()\n{{\n{checks}}}\n", *specs)
    rows = [line.split("\t") for line in printed.splitlines()]
    assert [row[0] for row in rows] == [name for _, name in kernels]
    for name, measured, expected, above, proposals, types, wrong, unknown in rows:
        assert 1 / FACTOR < float(measured) / float(expected) < FACTOR, name
        assert (int(above), int(wrong), int(unknown)) == (0, 0, 0), name
        assert int(types) > int(proposals) / 2, name
