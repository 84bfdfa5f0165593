"""Adjoints of C functions are the transposes of their tangents, and those are differences."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from g2o.cli.main import run as run_g2o
from tests.openmp_c import clauses
from tests.openmp_c.exchanged import EXCHANGED
from tests.openmp_c.found_at_random import FOUND
from tests.openmp_c.functions import FUNCTIONS, HELPERS, QUICK
from tests.openmp_c.histories import OVERWRITTEN, STILL_THERE
from tests.openmp_c.of_programs import OF_PROGRAMS, OF_PROGRAMS_HELPERS
from tests.openmp_c.older_style import OLDER, OLDER_HELPERS
from tests.openmp_c.work_rows import WORK_ROWS, WORK_ROWS_HELPERS

_FLAGS: Final = ("-std=gnu11", "-O1", "-fopenmp", "-Wall", "-Wextra", "-Werror")
_CHECK: Final = """
#include <stdio.h>
#include <string.h>
#define MOST 1000
static unsigned state = 7;
static int order[N];
static double any(void)
{
    state = state * 1664525u + 1013904223u;
    return (double)(state >> 8) / 8388608.0 - 0.9;
}
static double product(int size, const double *x, const double *y)
{
    double sum = 0.0;
    for (int i = 0; i < size; ++i)
        sum += x[i] * y[i];
    return sum;
}
static int check(const char *name, int size, void (*run)(double *),
                 void (*forward)(double *, double *), void (*reverse)(double *, double *))
{
    static double at[MOST], tangent[MOST], seed[MOST], low[MOST], high[MOST], one[MOST], d[MOST];
    int faults = 0;
    const size_t bytes = size * sizeof(double);
    for (int i = 0; i < N; ++i)
        order[i] = (i * 7 + 3) % N;
    for (int i = 0; i < size; ++i)
        at[i] = any(), tangent[i] = any(), seed[i] = any();
    memcpy(one, at, bytes);
    memcpy(d, tangent, bytes);
    forward(one, d);
    double h = 1e-5; /* steep functions need a small one */
    for (int tries = 0; tries < 4; ++tries, h *= 0.1) {
        faults = 0;
        for (int i = 0; i < size; ++i) {
            low[i] = at[i] - h * tangent[i];
            high[i] = at[i] + h * tangent[i];
        }
        run(low);
        run(high);
        for (int i = 0; i < size; ++i)
            faults += !(fabs((high[i] - low[i]) / (2 * h) - d[i]) < 1e-5 * (1 + fabs(d[i])));
        if (faults == 0)
            break;
    }
    const int wrong_tangent = faults;
    const double left = product(size, seed, d);
    memcpy(high, at, bytes);
    memcpy(low, at, bytes);
    run(low);
    memcpy(d, seed, bytes);
    reverse(high, d);
    d[size - 1] = 0.0;
    for (int i = 0; i < size; ++i) {
        const double most = 1e-11 * (1 + fabs(low[i]));
        faults += !(fabs(low[i] - high[i]) < most) || !(fabs(low[i] - one[i]) < most);
    }
    const double right = product(size, d, tangent);
    faults += !(fabs(left - right) < 1e-7 * (1 + fabs(left)));
    printf("%s %s %d %.9g %.9g\\n", name, faults ? "FAULT" : "ok", wrong_tangent, left, right);
    return faults;
}
"""
_CHECK_SECOND: Final = """
static int check_second(const char *name, int size, void (*reverse)(double *, double *),
                        void (*second)(double *, double *, double *, double *))
{
    static double at[4][MOST], now[4][MOST], low[2][MOST], high[2][MOST];
    int faults = 0;
    for (int k = 0; k < 4; ++k)
        for (int i = 0; i < size; ++i)
            now[k][i] = at[k][i] = any();
    second(now[0], now[1], now[2], now[3]);
    double h = 1e-5; /* steep functions need a small one */
    for (int tries = 0; tries < 4; ++tries, h *= 0.1) {
        faults = 0;
        for (int k = 0; k < 2; ++k)
            for (int i = 0; i < size; ++i) {
                low[k][i] = at[k][i] - h * at[k + 2][i];
                high[k][i] = at[k][i] + h * at[k + 2][i];
            }
        reverse(low[0], low[1]);
        reverse(high[0], high[1]);
        for (int k = 0; k < 2; ++k)
            for (int i = 0; i < size - 1; ++i) {
                const double d = (high[k][i] - low[k][i]) / (2 * h), t = now[k + 2][i];
                faults += !(fabs(d - t) < 1e-5 * (1 + fabs(t)));
            }
        if (faults == 0)
            break;
    }
    printf("%s second %s %d\\n", name, faults ? "FAULT" : "ok", faults);
    return faults;
}
"""
_HELPERS: Final = OLDER_HELPERS + OF_PROGRAMS_HELPERS + WORK_ROWS_HELPERS
_PROGRAMS: Final = Path(__file__).parent / "programs"
_GIVEN: Final = {"n": "N", "m": "M", "steps": "3", "k": "order"}
OTHERS: Final = OLDER | FOUND | OF_PROGRAMS | EXCHANGED | STILL_THERE | OVERWRITTEN | WORK_ROWS


def _parameters(signature: str) -> list[tuple[str, str]]:
    """Names and kinds: "value", "array", "matrix", "other"."""
    inner = signature[signature.index("(") + 1 : signature.rindex(")")]
    found: list[tuple[str, str]] = []
    for one in inner.split(","):
        bare = re.sub(r"\[.*", "", one.replace(")", "").replace("(", ""))
        name = re.findall(r"\w+", bare)[-1]
        is_array = "*" in one or "[" in one
        kind = ("matrix" if "[" in one else "array") if is_array else "value"
        found.append((name, kind if "double" in one else "other"))
    return found


def _driver(name: str, signature: str) -> str:
    """Functions that call a function and its derivatives on one vector of all real numbers."""
    arguments: list[str] = []
    tangents: list[str] = []
    adjoints: list[str] = []
    at = 0
    for one, kind in _parameters(signature):
        match kind:
            case "other":
                arguments.append(_GIVEN[one])
            case "value":
                arguments.append(f"z[{at}]")
                tangents.append(f"d[{at}]")
                adjoints.append(f"d + {at}")
                at += 1
            case _:
                cast = "(double (*)[M])" if kind == "matrix" else ""
                arguments.append(f"{cast}(z + {at})")
                tangents.append(f"{cast}(d + {at})")
                adjoints.append(f"{cast}(d + {at})")
                at += 36
    has_result = not signature.startswith("void")
    store = f"z[{at}] = " if has_result else ""
    into = f"z[{at}] = 0.0;" if not has_result else ""
    forward = [*arguments, *tangents, *([f"d + {at}"] if has_result else [])]
    reverse = [*arguments, *adjoints, *([f"d[{at}]"] if has_result else [])]
    zero = f"d[{at}] = 0.0;" if not has_result else ""
    return f"""
static void f_{name}_run(double *z) {{ {store}f_{name}({", ".join(arguments)}); {into} }}
static void f_{name}_forward(double *z, double *d)
{{ {store}f_{name}_jvp({", ".join(forward)}); {into}{zero} }}
static void f_{name}_reverse(double *z, double *d)
{{ {store}f_{name}_grad({", ".join(reverse)}); {into}{zero} }}
#define f_{name}_size {at + 1}
"""


def _second_driver(name: str, signature: str) -> str:
    """A function that calls the second derivative, and gives no value back."""
    kinds = _parameters(signature)
    has_result = not signature.startswith("void")
    groups: list[str] = []
    for vector in ("z", "d", "t", "s"):
        at = 0
        for one, kind in kinds:
            if kind == "other":
                groups += [_GIVEN[one]] * (vector == "z")
                continue
            is_value = vector == "z" and kind == "value"
            cast = "(double (*)[M])" if kind == "matrix" else ""
            groups.append(f"z[{at}]" if is_value else f"{cast}({vector} + {at})")
            at += 1 if kind == "value" else 36
        if has_result and vector != "z":
            groups.append(f"t + {at}" if vector == "t" else f"{vector}[{at}]")
    return f"""
static void f_{name}_second(double *z, double *d, double *t, double *s)
{{ f_{name}_hvp({", ".join(groups)}); (void)d, (void)s, (void)t; }}
"""


def program(functions: Mapping[str, tuple[str, str]], helpers: str = _HELPERS) -> str:
    """A file with the functions, which ask for both derivatives, behind what they call."""
    text = [HELPERS, helpers]
    request = "#pragma g2o grad\n#pragma g2o jvp\n"
    for name, (signature, body) in functions.items():
        head = signature.replace(" f(", f" f_{name}(")
        text.append(f"{request}static {head}\n{{\n{body}\n}}\n")
    return "".join(text)


def _checked_second(functions: Mapping[str, tuple[str, str]], folder: Path) -> None:
    """Second derivatives are differences of adjoints."""
    (folder / "functions.c").write_text(program(functions))
    asked = [word for one in functions for word in ("--hvp", f"f_{one}")]
    assert run_g2o(["translate", "-q", *asked, str(folder / "functions.c")]) == 0
    checks = [
        f'faults += check_second("{one}", f_{one}_size, f_{one}_reverse, f_{one}_second);'
        for one in functions
    ]
    drivers = "".join(
        _driver(name, signature) + _second_driver(name, signature)
        for name, (signature, _) in functions.items()
    )
    text = f'#include "functions.g2o.c"\n{_CHECK}{_CHECK_SECOND}{drivers}'
    main = "int main(void)\n{\nint faults = 0;\nfor (int i = 0; i < N; ++i)\n"
    main += "order[i] = (i * 7 + 3) % N;\n(void)check;\n" + "\n".join(checks)
    (folder / "driver.c").write_text(text + main + "\nreturn faults != 0;\n}\n")
    _built_and_run(folder, "gcc")


def driver(functions: Mapping[str, tuple[str, str]], written: str, repeats: int = 1) -> str:
    checks = [
        f'faults += check("{one}", f_{one}_size, f_{one}_run, f_{one}_forward, f_{one}_reverse);'
        for one in functions
    ]
    drivers = "".join(_driver(name, signature) for name, (signature, _) in functions.items())
    main = (
        f"int main(void)\n{{\nint faults = 0;\nfor (int k = 0; k < {repeats}; ++k) {{\nstate = 7;\n"
    )
    main += "\n".join(checks) + "\n}\nreturn faults != 0;\n}\n"
    return f'#include "{written}"\n' + _CHECK + drivers + main


def checked(
    functions: Mapping[str, tuple[str, str]], folder: Path, compiler: str, *, translated: bool
) -> None:
    """Translate, build and run the functions."""
    if not translated:
        (folder / "functions.c").write_text(program(functions))
        assert run_g2o(["translate", "-q", str(folder / "functions.c")]) == 0
        (folder / "driver.c").write_text(driver(functions, "functions.g2o.c"))
    _built_and_run(folder, compiler)


def _built_and_run(folder: Path, compiler: str) -> None:
    target = str(folder / "driver")
    command = [compiler, *_FLAGS, "-Wno-unused-function", str(folder / "driver.c"), "-o", target]
    built = subprocess.run([*command, "-lm"], capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    for threads in ("1", "2", "4"):
        environment = {"OMP_NUM_THREADS": threads}
        done = subprocess.run(
            [target], capture_output=True, text=True, env=environment, check=False, timeout=60
        )
        assert done.returncode == 0, done.stdout


def test_derivatives_of_functions(tmp_path: Path) -> None:
    quick = {one: FUNCTIONS[one] for one in QUICK}
    quick |= {one: (clauses.CLAUSES | clauses.HEADS)[one] for one in clauses.QUICK}
    checked(quick | OTHERS, tmp_path, "gcc", translated=False)


@pytest.mark.slow
def test_derivatives_of_all_functions(tmp_path: Path) -> None:
    functions = FUNCTIONS | clauses.CLAUSES | clauses.HEADS | OTHERS
    checked(functions, tmp_path, "gcc", translated=False)
    checked(functions, tmp_path, "clang-19", translated=True)


def test_second_derivatives_of_functions(tmp_path: Path) -> None:
    _checked_second({one: FUNCTIONS[one] for one in QUICK[1:]}, tmp_path)


@pytest.mark.slow
def test_second_derivatives_of_all_functions(tmp_path: Path) -> None:
    functions = FUNCTIONS | clauses.CLAUSES | clauses.HEADS
    _checked_second({one: functions[one] for one in functions if one != "structure"}, tmp_path)


_WITHOUT_MAIN: Final = """#define main main_of_program
#include "{}.g2o.c"
#undef main
"""
_QUICK_PROGRAMS: Final = ("compartments", "file_variables", "pointer_rows")


@pytest.mark.parametrize(
    "name",
    [
        one.stem if one.stem in _QUICK_PROGRAMS else pytest.param(one.stem, marks=pytest.mark.slow)
        for one in sorted(_PROGRAMS.glob("*.c"))
        if "." not in one.stem
    ],
)
def test_programs(name: str, tmp_path: Path) -> None:
    (tmp_path / f"{name}.c").write_text((_PROGRAMS / f"{name}.c").read_text())
    assert run_g2o(["translate", "-q", str(tmp_path / f"{name}.c")]) == 0
    given = f"#define N 36\n{_WITHOUT_MAIN.format(name)}{_CHECK}"
    main = f'int main(void) {{ return check("{name}", SIZE, run, forward, reverse); }}\n'
    own = (_PROGRAMS / f"{name}.driver.c").read_text()
    (tmp_path / "driver.c").write_text(given + own + main)
    _built_and_run(tmp_path, "gcc")


def test_sections_of_arrays(tmp_path: Path) -> None:
    """Iterations meet in them."""
    text = program({one: FUNCTIONS[one] for one in ("array_sum", "array_product")})
    (tmp_path / "a.c").write_text(text)
    assert run_g2o(["translate", "-q", str(tmp_path / "a.c")]) == 0
    written = (tmp_path / "a.g2o.c").read_text()
    assert len(re.findall(r"pragma omp atomic\n\s+y\[i % 3\] \+=", written)) == 2
    _, _, product = written.partition("f_array_product_grad(")
    assert "omp parallel" not in product


def test_neighbours_and_pairs_need_no_atomics(tmp_path: Path) -> None:
    """What neighbours add is gathered, and threads have copies of what all of them add to."""
    names = ("flat_stencil", "all_pairs")
    (tmp_path / "a.c").write_text(program({one: FOUND[one] for one in names}))
    assert run_g2o(["translate", "-q", str(tmp_path / "a.c")]) == 0
    written = (tmp_path / "a.g2o.c").read_text()
    assert "omp atomic" not in written
    adjoints = dict(zip(names, written.split("// Adjoint of ")[1:], strict=True))
    gathered = "d_x[i] += -d_w[i - 2] + a * (2.0 * d_w[i + 2] + 2.0 * d_w[i + 1]);"
    assert gathered in adjoints["flat_stencil"]
    assert adjoints["flat_stencil"].count("for schedule(guided) reduction(+ : sum_a)") == 2
    assert "#pragma omp parallel num_threads(2)\n" in adjoints["all_pairs"]
    assert "#pragma omp for schedule(dynamic, 2)" in adjoints["all_pairs"]
    assert adjoints["all_pairs"].count("g2o_add_sums_double(d_x") == 2


REFUSED: Final = {
    "task": ("#pragma omp task\nx[0] *= 2.0;", "`omp task`"),
    "ordered": ("#pragma omp for ordered\nfor (int i = 0; i < n; ++i) x[i] *= 2.0;", "ordered`"),
    "thread": ("x[omp_get_thread_num()] *= 2.0;", "`omp_get_thread_num`"),
    "all": ("#pragma omp parallel\n{ x[0] = x[1]; }", "all threads of a region change"),
    "count": ("#pragma omp parallel\n{\n#pragma omp critical\nx[0] += 1.0; }", "all threads of"),
    "macro": ("#pragma omp parallel for\nfor (int i = 0; i < n; ++i) { ONE x[0] += 1; }", "`ONE`"),
    "regions": (
        "#pragma omp parallel\n{\n#pragma omp parallel for\nfor (int i = 0; i < n; ++i) x[i]++; }",
        "`omp parallel for` that all threads of a region come to",
    ),
    "region inside": ("#pragma omp parallel\ngrow(n, x);", "a call of 'grow' by all threads"),
    "inside": ("#pragma omp parallel\nstep(x);", "something that all threads of a region change"),
    "meanings": (
        "x[0] *= W;\n#undef W\n#define W 2.0\nx[1] *= W;",
        "macro 'W' with several meanings",
    ),
    "recursion": ("f(n - 1, x);", "recursi"),
    "elsewhere": ("pull(x, x + 1, n);", "call of 'pull', which may change"),
    "file": ("#pragma omp atomic\nw += x[0];\nx[1] = w;", "'w'"),
    "memory by address": (
        "double *v;\nfetch((void **)&v, n);\nv[0] = x[0];\nx[1] = v[0] * v[0];",
        "a pointer of unknown origin",
    ),
    "rows in bytes": (
        "char *v = malloc(n * 8 * n);\ndouble **w = malloc(n * sizeof(double *));\n"
        "for (int i = 0; i < n; i++) w[i] = (double *)(v + i * 8 * n);\n"
        "w[0][0] = x[0];\nx[1] = w[0][0] * w[0][0];",
        "derivatives flow through",
    ),
    "members behind bits": (
        "struct { int k : 3; double u, v; } p = {.v = x[0], .u = 2.0};\nx[1] = p.u * p.v;",
        "value of several numbers that carry derivatives",
    ),
    "places behind bits": (
        "struct { int k : 3; double u, v; } p = {1, x[0] * x[0], 2.0};\nx[1] = p.u * 2.0;",
        "value of several numbers that carry derivatives",
    ),
    "places of unnamed members": (
        "struct { struct { double u, v; }; double w; } p = {{x[0], x[1]}, 2.0};\nx[1] = p.v * p.w;",
        "value of several numbers that carry derivatives",
    ),
    "bits of a number": (
        "long k = *(long *)&x[0];\nk = 77 - (k >> 1);\nx[1] = *(double *)&k * 2.0;",
        "the bits of values that carry derivatives go through an integer",
    ),
    "memory that grows": (
        "double *v = malloc(n);\nv[0] = x[0];\nv = realloc(v, 2 * n);\nx[1] = v[0] * v[0];",
        "nothing is known of the memory that 'realloc' gives: ask for all of it at once",
    ),
    "memory that overlaps somehow": (
        "double *p = x + 1;\nif (n > 5) p = x + 2;\nmemmove(p, x, (n - 2) * sizeof(double));",
        "call of 'memmove', which may change",
    ),
    "address of a pointer": (
        "double *v, **h = &v;\n*h = grown(n);\nv[0] = x[0];\nx[1] = v[0] * v[0];",
        "a pointer of unknown origin",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body, message = REFUSED[name]
    head = "#include <omp.h>\n#include <stdlib.h>\n#include <string.h>\n"
    head += '#define ONE _Pragma("omp atomic")\n'
    head += "void pull(double *a, double *b, int n);\n#define W 3.0\n"
    head += "void fetch(void **to, int n);\ndouble *grown(int n);\n"
    head += "static void step(double *x) { x[0] *= 2.0; }\nstatic void grow(int n, double *x)\n{\n"
    head += "#pragma omp parallel for\nfor (int i = 0; i < n; ++i) x[i] *= 2.0;\n}\n"
    text = f"{head}static double w;\nvoid f(int n, double *x)\n{{\n{body}\n}}\n"
    (tmp_path / "a.c").write_text(text)
    assert run_g2o(["translate", "-q", "--grad", "f", str(tmp_path / "a.c")]) == 1
    assert message in capsys.readouterr().err
    assert not (tmp_path / "a.g2o.c").exists()


def test_variables_of_the_file_have_to_be_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "static double w[3], *p;\nstatic int n;\nvoid f(double *x)\n{\n"
    (tmp_path / "a.c").write_text(f"{text}p = w + n;\nw[1] = x[0] * p[0];\n}}\n")
    for names, told in (
        ("x, v", "'f' has no parameter 'v', nor does it use such a variable of the file"),
        ("x, n", "'f' has no parameter 'n'"),
        ("x, w, p", "'p', a pointer of the file that changes, with a shadow"),
        ("x", "which has no shadow"),
    ):
        asked = ["translate", "-q", "--grad", f"f(x)/({names})", str(tmp_path / "a.c")]
        assert run_g2o(asked) == 1
        assert told in capsys.readouterr().err


def test_rows_that_lead_elsewhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    head = "void f(int n, double **a, double ***b)\n{\ndouble *row = a[0], **plane = b[n];\n"
    for change in ("a[0] = a[1];", "b[0] = plane;", "plane += n;", "plane = a;", "*a = row;"):
        (tmp_path / "a.c").write_text(f"{head}{change}\na[0][0] *= row[n] * plane[1][0];\n}}\n")
        assert run_g2o(["translate", "-q", "--grad", "f", str(tmp_path / "a.c")]) == 1, change
        assert "G2O0403" in capsys.readouterr().err, change


def test_pointers_that_are_stored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is written through them is read by the name of the array."""
    head = "typedef struct { double *p; } Box;\n"
    head += "static Box box;\nstatic double w[4], *rows[2], *one;\n"
    for place in ("rows[0]", "one", "box.p", "a[0]", "c->p"):
        signature = "double f(const double *x, double **a, Box *c)"
        body = f"{place} = w; {place}[1] = x[0]; (void)a; (void)c; return w[1] * x[1];"
        (tmp_path / "a.c").write_text(f"{head}{signature}\n{{\n{body}\n}}\n")
        for names in ("x", "x, w"):
            asked = ["translate", "-q", "--grad", f"f(f)/({names})", str(tmp_path / "a.c")]
            assert run_g2o(asked) == 1, place
            told = capsys.readouterr().err
            assert "G2O0403" in told or "G2O0404" in told, place


def test_check_knows_what_is_stale(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "a.c"
    source.write_text("double f(double x)\n{\n    return x * x;\n}\n")
    assert run_g2o(["translate", "-q", "--grad", "f", str(source)]) == 0
    assert run_g2o(["check", str(source)]) == 0, capsys.readouterr().err
    source.write_text("double f(double x)\n{\n    return x * x * x;\n}\n")
    assert run_g2o(["check", str(source)]) == 1
    assert "stale" in capsys.readouterr().err


def test_old_definitions_and_results_by_address(tmp_path: Path) -> None:
    text = """#include <omp.h>
double square(n, x) int n; /* how many */ double *x; { return n * x[0] * x[0]; }
double *moved(double *x)
{
    omp_set_num_threads(omp_get_max_threads());
    x[0] *= x[1];
    return x + 1;
}
"""
    (tmp_path / "a.c").write_text(text)
    asked = ["--grad", "square", "--grad", "moved"]
    assert run_g2o(["translate", "-q", *asked, str(tmp_path / "a.c")]) == 0
    written = (tmp_path / "a.g2o.c").read_text()
    assert "double square_grad(int n, double *x, double *d_x, double d_square)" in written
    command = ["gcc", "-std=gnu11", "-fopenmp", "-Wall", "-Wextra", "-Werror", "-c", "a.g2o.c"]
    assert subprocess.run(command, cwd=tmp_path, check=False).returncode == 0


def test_structures_of_pointers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They have shadows without being named, and what nobody knows is no bug."""
    text = """#define known known_
typedef struct { int n; float *a, *b; } Net;
typedef struct { int track; double rate; } Tuner;
typedef struct { double re, im; } Complex;
void pull(float *a, float *b, int n);
void known(Net *net) { for (int i = 0; i < net->n; ++i) net->a[i] = 2 * net->b[i]; }
int tune(Tuner *tuner, int track) { tuner->track = track; return track + 1; }
void away(Net *net) { pull(net->a, net->b, net->n); }
Complex back(Complex z) { Complex w; w.re = z.re; w.im = -z.im; return w; }
"""
    (tmp_path / "a.c").write_text(text)
    asked = ["translate", "-q", "--grad", "known_", "--grad", "tune", str(tmp_path / "a.c")]
    assert run_g2o(asked) == 0, capsys.readouterr().err
    written = " ".join((tmp_path / "a.g2o.c").read_text().split())
    assert "void known__grad(Net *net, Net *d_net)" in written
    assert "d_b[i] += 2 * d_a[i];" in written
    command = ["gcc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-c", "a.g2o.c"]
    assert subprocess.run(command, cwd=tmp_path, check=False).returncode == 0
    assert run_g2o(["translate", "--grad", "away", "--grad", "back", str(tmp_path / "a.c")]) == 1
    told = capsys.readouterr().err
    assert "call of 'pull', which may change values that carry derivatives" in told
    assert "which has no shadow [G2O0404]" in told
    assert "bug" not in told


_SIMULATION = r"""#include <stdio.h>
typedef struct { int n; double *x, *f, scale; } Atoms;
typedef struct { Atoms *atoms; double energy; int calls; } Simulation;
void force(Simulation *s)
{
    Atoms *a = s->atoms;
    double e = 0.0;
    s->calls++;
#pragma omp parallel for
    for (int i = 0; i < a->n; ++i)
        a->f[i] = a->scale * a->x[i] * a->x[i];
#pragma omp parallel for reduction(+ : e)
    for (int i = 0; i < s->atoms->n; ++i)
        e += s->atoms->f[i] * a->x[i];
    s->energy *= e;
    a->scale *= 2.0;
}
"""
_OF_SIMULATION = r"""#include "a.g2o.c"
int main(void)
{
    double x[] = {1.0, 2.0}, f[2], d_x[] = {0.0, 0.0}, d_f[] = {0.0, 0.0};
    Atoms atoms = {2, x, f, 3.0}, d_atoms = {2, d_x, d_f, 1.0};
    Simulation s = {&atoms, 2.0, 0}, d_s = {&d_atoms, 1.0, 0};
    force_grad(&s, &d_s);
    printf("%g %g %d ", s.energy, atoms.scale, s.calls);
    printf("%g %g %g %g\n", d_x[0], d_x[1], d_atoms.scale, d_s.energy);
    atoms.scale = 3.0, s.energy = 2.0;
    d_x[0] = 1.0, d_x[1] = d_atoms.scale = d_s.energy = 0.0;
    force_jvp(&s, &d_s);
    printf("%g %g %g\n", s.energy, d_s.energy, d_f[0]);
    return 0;
}
"""


def test_structures_that_structures_lead_to(tmp_path: Path) -> None:
    """What changes in them has changed for the caller, too."""
    (tmp_path / "a.c").write_text(_SIMULATION)
    (tmp_path / "main.c").write_text(_OF_SIMULATION)
    asked = ["--grad", "force", "--jvp", "force"]
    assert run_g2o(["translate", "-q", *asked, str(tmp_path / "a.c")]) == 0
    command = ["gcc", *_FLAGS, str(tmp_path / "main.c"), "-o", str(tmp_path / "main")]
    subprocess.run(command, check=True)
    done = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=True)
    assert done.stdout == "54 6 1 18 72 20 27\n54 18 6\n"


def test_example_of_the_page(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "openmp.md").read_text("utf-8")
    example = re.findall(r"^```c\n(.*?)^```", page, re.MULTILINE | re.DOTALL)[1]
    (tmp_path / "a.c").write_text(example)
    assert run_g2o(["translate", "-q", str(tmp_path / "a.c")]) == 0
    written = (tmp_path / "a.g2o.c").read_text()
    assert written.count("#pragma omp parallel for") == 8
    assert "double *d_a, double *d_x, double *d_v, double d_oscillate)" in " ".join(written.split())


@pytest.mark.parametrize("name", STILL_THERE)
def test_what_is_still_there_is_not_kept(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(program({name: STILL_THERE[name]}))
    assert run_g2o(["translate", "-q", str(tmp_path / "a.c")]) == 0
    assert "kept" not in (tmp_path / "a.g2o.c").read_text()


@pytest.mark.parametrize("name", ["history_of_three_points", "history_of_three_points_in_rows"])
def test_rows_of_other_times_are_gathered(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(program({name: STILL_THERE[name]}))
    assert run_g2o(["translate", "-q", str(tmp_path / "a.c")]) == 0
    assert "omp atomic" not in (tmp_path / "a.g2o.c").read_text()


def test_clauses_with_numbers_of_the_function_are_handed_on(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(program({"f": WORK_ROWS["clauses_with_numbers"]}))
    assert run_g2o(["translate", "-q", str(tmp_path / "a.c")]) == 0
    sweep = (tmp_path / "a.g2o.c").read_text().partition("Adjoint of")[2]
    assert sweep.count("if (n > 100)") >= 2
    assert "num_threads(n < 4" not in sweep  # the n of what is called is n - 1
    assert re.search(r"if \((\w+) > \w+\) num_threads\(\1 < 4 \? 1 : 2\)", sweep)


def test_arrays_that_change_places_are_gathered(tmp_path: Path) -> None:
    """Each view is an array of its own: no atomics, and nothing is chosen element by element."""
    declared, body = EXCHANGED["exchanged_as_often_as_asked"]
    head = "#include <math.h>\n#include <stdlib.h>\n#pragma g2o grad (f)/(x, y)\n"
    (tmp_path / "a.c").write_text(f"{head}{declared}\n{{\n{body}\n}}\n")
    assert run_g2o(["translate", "-q", str(tmp_path / "a.c")]) == 0
    sweep = (tmp_path / "a.g2o.c").read_text().partition("Adjoint of f")[2]
    assert "d_now" in sweep
    assert "omp atomic" not in sweep
    assert "?" not in "".join(line for line in sweep.splitlines(True) if "[i" in line)
