"""Adjoint loops are the transposes of tangent loops, and those are differences of the loops."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Final

import pytest

from g2o.cli.main import run as run_g2o
from tests.openmp_c.cases import HELPERS, LOOPS, REFUSED

_FLAGS: Final = ("-std=gnu11", "-O2", "-fopenmp", "-Wall", "-Wextra", "-Werror")
_CHECK: Final = """
typedef struct { double x[N], v[N], a, e; } State;
static unsigned state = 7;
static double any(void)
{
    state = state * 1664525u + 1013904223u;
    return (double)(state >> 8) / 8388608.0 - 0.9;
}
static void fill(State *s)
{
    for (int i = 0; i < N; ++i) {
        s->x[i] = any();
        s->v[i] = any();
    }
    s->a = any();
    s->e = any();
}
static double dot(const State *s, const State *t)
{
    double sum = s->a * t->a + s->e * t->e;
    for (int i = 0; i < N; ++i)
        sum += s->x[i] * t->x[i] + s->v[i] * t->v[i];
    return sum;
}
static int differ(double x, double y) { return !(fabs(x - y) <= 1e-13 * (1 + fabs(x))); }
typedef void Primal(int n, const int *k, State *s);
typedef void Derivative(int n, const int *k, State *s, State *d);
static int check(const char *name, Primal *primal, Derivative *forward, Derivative *reverse)
{
    static State at, tangent, seed, one, moved, low, high, back;
    int k[N], faults = 0;
    for (int i = 0; i < N; ++i)
        k[i] = (i * 7 + 3) % N;
    fill(&at);
    fill(&tangent);
    fill(&seed);
    one = at;
    moved = tangent;
    forward(N, k, &one, &moved);
    low = high = at;
    const double h = 1e-6;
    for (int i = 0; i < N; ++i) {
        low.x[i] -= h * tangent.x[i], high.x[i] += h * tangent.x[i];
        low.v[i] -= h * tangent.v[i], high.v[i] += h * tangent.v[i];
    }
    low.a -= h * tangent.a, high.a += h * tangent.a;
    low.e -= h * tangent.e, high.e += h * tangent.e;
    primal(N, k, &low);
    primal(N, k, &high);
    for (int i = 0; i < N; ++i) {
        faults += fabs((high.x[i] - low.x[i]) / (2 * h) - moved.x[i]) > 1e-5;
        faults += fabs((high.v[i] - low.v[i]) / (2 * h) - moved.v[i]) > 1e-5;
    }
    faults += fabs((high.e - low.e) / (2 * h) - moved.e) > 1e-5;
    low = high = at;
    primal(N, k, &low);
    back = seed;
    reverse(N, k, &high, &back);
    for (int i = 0; i < N; ++i) {
        faults += differ(low.x[i], high.x[i]) || differ(low.v[i], high.v[i]);
        faults += differ(one.v[i], low.v[i]);
    }
    faults += differ(low.e, high.e);
    const double left = dot(&seed, &moved), right = dot(&back, &tangent);
    faults += fabs(left - right) > 1e-6 * (1 + fabs(left));
    printf("%s %s %.9g %.9g\\n", name, faults ? "FAULT" : "ok", left, right);
    return faults;
}
"""


def _function(name: str, mode: str, clauses: str, loop: str) -> str:
    """A function that runs a loop; with a `mode` also its derivative."""
    used = [one for one in "xvae" if re.search(rf"\b{one}\b", clauses + loop)]
    shadows = ", ".join(f"{one} : d_{one}" for one in used)
    asked = f" g2o({mode}, shadow({shadows}))" if mode else ""
    words = [f"{name}{mode and '_' + mode}(int n, const int *k, State *s"]
    words.append(", State *d)\n{\n" if mode else ")\n{\n")
    lines = ["double *x = s->x, *v = s->v, a = s->a, e = s->e, t = 0;", "int j = 0, m = 0;"]
    if mode:
        lines.append("double *d_x = d->x, *d_v = d->v, d_a = d->a, d_e = d->e;")
    lines.append(f"#pragma omp parallel for {clauses}{asked}\n{loop}")
    lines.append("s->e = e;")
    if mode:
        lines.append("d->a = d_a;\nd->e = d_e;\n(void)d_x, (void)d_v;")
    lines.append("(void)k, (void)j, (void)m, (void)t, (void)a, (void)x, (void)v, (void)n;")
    return f"static void {''.join(words)}" + "\n".join(lines) + "\n}\n"


def program(repeats: int = 1) -> str:
    head = "#include <math.h>\n#include <stdio.h>\n"
    functions = [
        _function(name, mode, clauses, loop)
        for name, (clauses, loop) in LOOPS.items()
        for mode in ("", "forward", "reverse")
    ]
    calls = [f'faults += check("{one}", {one}, {one}_forward, {one}_reverse);' for one in LOOPS]
    main = (
        f"int main(void)\n{{\nint faults = 0;\nfor (int k = 0; k < {repeats}; ++k) {{\nstate = 7;\n"
    )
    main += "\n".join(calls) + "\n}\nreturn faults != 0;\n}\n"
    return head + HELPERS + _CHECK + "".join(functions) + main


@pytest.mark.parametrize("compiler", ["gcc", "clang-19"])
def test_derivatives_of_loops(
    compiler: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "loops.c").write_text(program())
    assert run_g2o(["translate", str(tmp_path / "loops.c")]) == 0, capsys.readouterr().err
    target = str(tmp_path / "loops")
    command = [compiler, *_FLAGS, str(tmp_path / "loops.g2o.c"), "-o", target, "-lm"]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    for threads in ("1", "2", "4"):
        environment = {"OMP_NUM_THREADS": threads}
        done = subprocess.run(
            [target], capture_output=True, text=True, env=environment, check=False
        )
        assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pragma, loop, message = REFUSED[name]
    used = [one for one in "xve" if re.search(rf"\b{one}\b", loop)]
    shadows = f"shadow({', '.join(f'{one} : d_{one}' for one in used)})"
    text = f"""#include <math.h>
#define TOGETHER _Pragma("omp atomic")
static inline void add(double *p, double z) {{ TOGETHER *p += z; }}
double f(int n, double a, double *x, double *v, double *w, double *d_x, double *d_v)
{{
    double e = 1, d_e = 1;
#pragma omp {pragma} g2o(reverse, {shadows})
    {loop}
    return a + e + d_e + w[0];
}}
"""
    (tmp_path / "a.c").write_text(text)
    assert run_g2o(["translate", str(tmp_path / "a.c")]) == 1
    told = capsys.readouterr().err
    assert message in told
    assert not (tmp_path / "a.g2o.c").exists()


@pytest.mark.parametrize(
    "head", ["if (n > 3)", "if (n) ; else", "while (n-- > 9) /* ; */", "for (;;)"]
)
def test_a_loop_without_braces_is_refused(
    head: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The adjoint that follows it would not belong to what it hangs on."""
    text = f"""void f(int n, double *x, double *d_x)
{{
    {head}
#pragma omp parallel for g2o(reverse, shadow(x : d_x))
        for (int i = 0; i < n; ++i)
            x[i] *= 2;
}}
"""
    (tmp_path / "a.c").write_text(text)
    assert run_g2o(["translate", str(tmp_path / "a.c")]) == 1
    assert "without braces" in capsys.readouterr().err


def test_all_else_stays_as_it_is(tmp_path: Path) -> None:
    text = (
        "/* Nothing of this changes. */\r\n#include <stdio.h>\r\n#define TWICE(a)  (2*(a))\r\n"
        "int main(void){int s=0;\r\n#pragma omp parallel for reduction(+:s)\r\n"
        'for(int i=0;i<9;i++)s+=TWICE(i);\r\n\tprintf( "%d\\n",s) ;return 0;}\r\n'
    )
    (tmp_path / "a.c").write_bytes(text.encode())
    assert run_g2o(["translate", "-q", str(tmp_path / "a.c")]) == 0
    written = (tmp_path / "a.g2o.c").read_bytes().decode()
    assert written.partition("\n")[2].partition("\n")[2] == text


def test_pragmas_in_comments_and_skipped_code_ask_for_nothing(tmp_path: Path) -> None:
    text = """\
/* as in
#pragma omp parallel for g2o(reverse, shadow(y : d_y))
*/
#if 0
#pragma omp parallel for g2o(reverse, shadow(y : d_y))
#endif
void twice(int n, double *x, double *d_x)
{
#pragma omp parallel for g2o(reverse, shadow(x : d_x))
    for (int i = 0; i < n; ++i)
        x[i] *= 2;
}
"""
    (tmp_path / "a.c").write_text(text)
    assert run_g2o(["translate", "-q", str(tmp_path / "a.c")]) == 0
    written = (tmp_path / "a.g2o.c").read_text()
    assert "d_x[i] *= 2" in written or "d_x[i] = " in written
    assert written.count("d_y") == 2


def test_shadows_without_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = """double f(int n, double a, const double *restrict x, double *v)
{
    double e = 0;
    double w[40];
#pragma omp parallel for reduction(+ : e) g2o(reverse, shadow)
    for (int i = 1; i < n; ++i) {
        w[i] = a * x[i];
        v[i] = w[i] * x[i - 1];
        e += v[i] * v[i];
    }
    return e;
}
"""
    (tmp_path / "a.c").write_text(text)
    assert run_g2o(["translate", str(tmp_path / "a.c")]) == 0, capsys.readouterr().err
    written = (tmp_path / "a.g2o.c").read_text()
    assert "double *v, double *d_a, double *d_x, double *d_v)" in " ".join(written.split())
    assert "double d_e = 0.0;" in written
    assert "double d_w[40] = {0};" in written
    assert "(*d_a) += sum_a;" in written


def test_example_of_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "openmp.md").read_text("utf-8")
    example = re.findall(r"^```c\n(.*?)^```", page, re.MULTILINE | re.DOTALL)[0]
    parameters = "int n, const double *x, double *v, double *d_x, double *d_v, double d_energy"
    text = f"double f({parameters})\n{{\ndouble energy = 0;\n{example}return energy;\n}}\n"
    (tmp_path / "a.c").write_text(text)
    assert run_g2o(["translate", str(tmp_path / "a.c")]) == 0, capsys.readouterr().err
    written = (tmp_path / "a.g2o.c").read_text()
    assert "reduction(+ : energy)\n" in written
    assert written.count("for (int i = 1; i < n - 1; ++i)") == 2


@pytest.mark.parametrize("command", ["translate", "check", "analyze", "verify"])
def test_c_stands_alone(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.c").write_text("int a;\n")
    (tmp_path / "b.cu").write_text("int b;\n")
    assert run_g2o([command, str(tmp_path / "a.c"), str(tmp_path / "b.cu")]) == 2
    assert "G2O0017" in capsys.readouterr().err
