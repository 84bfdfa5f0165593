"""The program that compares derivatives of random functions: one vector holds all real numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tests.openmp_c.random_c.functions import Parameter, RandomFunction

_HEAD: Final = r"""
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "g2o_runtime.h"
#ifdef AS_DOUBLE /* differences of numbers with few digits say little */
#define float double
#define sinf sin
#define g2o_add_sums_float g2o_add_sums_double
#endif
"""
_CHECK: Final = r"""
#define MOST 400
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
static double norm(int size, const double *x) { return sqrt(product(size, x, x)); }
typedef void Run(double *z);
typedef void Derivative(double *z, double *d);
static int check(const char *name, unsigned first, int size, Run *run, Derivative *forward,
                 Derivative *reverse)
{
    static double at[MOST], tangent[MOST], seed[MOST], low[MOST], high[MOST], one[MOST], d[MOST];
    static double least[MOST];
    const size_t bytes = size * sizeof(double);
    const char *fault = "";
    int place = 0;
    state = first;
    for (int i = 0; i < size; ++i)
        at[i] = (float)any(), tangent[i] = (float)any(), seed[i] = (float)any(), least[i] = 1e30;
    memcpy(one, at, bytes);
    memcpy(d, tangent, bytes);
    forward(one, d);
    double h = STEP, worst = 1e30; /* steep functions need a small one, and near a choice */
    for (int tries = 0; tries < 4 && !(worst < DIFFERENCE); ++tries, h *= 0.1) {
        for (int i = 0; i < size; ++i) {
            low[i] = at[i] - h * tangent[i];
            high[i] = at[i] + h * tangent[i];
        }
        run(low);
        run(high);
        worst = 0.0;
        for (int i = 0; i < size; ++i) {
            const double off = fabs((high[i] - low[i]) / (2 * h) - d[i]) / (1 + fabs(d[i]));
            least[i] = off < least[i] ? off : least[i];
            if (!(least[i] <= worst))
                worst = least[i], place = i;
        }
    }
    if (!(worst < DIFFERENCE))
        fault = "tangent";
    const double left = product(size, seed, d), scale = norm(size, seed) * norm(size, d);
    memcpy(high, at, bytes);
    memcpy(low, at, bytes);
    run(low);
    memcpy(d, seed, bytes);
    reverse(high, d);
    for (int i = 0; i < size && !*fault; ++i) {
        const double most = VALUE * (1 + fabs(low[i]));
        if (!(fabs(low[i] - high[i]) < most))
            fault = "value of the adjoint", place = i;
        if (!(fabs(low[i] - one[i]) < most))
            fault = "value of the tangent", place = i;
    }
    const double right = product(size, d, tangent);
    const double all = scale + norm(size, d) * norm(size, tangent);
    if (!*fault && !(fabs(left - right) < TRANSPOSED * (1 + all)))
        fault = "adjoint";
    printf("%s %s: at %d, %.9g %.9g %.2g\n", name, *fault ? fault : "ok", place, left, right,
           worst);
    return *fault != 0;
}
"""
_TOLERANCES: Final = """
#ifdef AS_DOUBLE
#define STEP 1e-5
#define DIFFERENCE 1e-5
#define VALUE 1e-9
#define TRANSPOSED 1e-9
#else
#define STEP 1e-2
#define DIFFERENCE 1e30
#define VALUE 1e-4
#define TRANSPOSED 1e-4
#endif
"""
_GIVEN: Final = {"n": "N", "m": "M", "steps": "3", "k": "order"}


def driver(functions: Sequence[RandomFunction], written: str) -> str:
    """A C program that includes what is `written`, and checks the functions that have not been
    left out: what it prints says for each what is wrong."""
    parts = [_HEAD, f'#include "{written}"\n', _TOLERANCES, _CHECK, *map(_calls, functions)]
    checks = [
        f'    check("{one.name}", {1 + at}u, {_size(one)}, {one.name}_run, {one.name}_forward,\n'
        f"          {one.name}_reverse);\n    fflush(stdout);\n"
        for at, one in enumerate(functions)
    ]
    main = (
        "int main(void)\n{\n    for (int i = 0; i < N; ++i)\n        order[i] = (i * 7 + 3) % N;\n"
    )
    return "".join([*parts, main, *checks, "    return 0;\n}\n"])


def _size(function: RandomFunction) -> int:
    return sum(one.size for one in function.parameters) + 1


def _calls(function: RandomFunction) -> str:
    """Functions that call it and its derivatives with all numbers in one vector."""
    name = function.name
    given = [_GIVEN[one] for one in function.given]
    before, after = list[str](), list[str]()
    shadows, shadows_after = list[str](), list[str]()
    primals, tangents, adjoints = list[str](), list[str](), list[str]()
    at = 0
    for one in function.parameters:
        primal = _argument(one, "z", at)
        shadow = _argument(one, "d", at)
        before += primal.before
        after += primal.after
        shadows += shadow.before
        shadows_after += shadow.after
        primals.append(primal.value)
        tangents.append(shadow.value)
        adjoints.append(shadow.address)
        at += one.size
    result = f"z[{at}] = "
    tail = [f"d[{at}]"] if function.has_result else []
    forward = [*given, *primals, *tangents, *([f"d + {at}"] if function.has_result else [])]
    reverse = [*given, *primals, *adjoints, *tail]
    store = result if function.has_result else ""
    none = "" if function.has_result else f" z[{at}] = 0.0;"
    no_seed = "" if function.has_result else f" d[{at}] = 0.0;"

    def body(called: str, words: list[str], *, with_shadows: bool, end: str) -> str:
        front = [*before, *(shadows if with_shadows else ())]
        back = [*after, *(shadows_after if with_shadows else ())]
        call = f"{store}{called}({', '.join(words)});"
        return "{ " + " ".join([*front, call, *back]) + end + " }\n"

    run = body(name, [*given, *primals], with_shadows=False, end=none)
    tangent = body(f"{name}_jvp", forward, with_shadows=True, end=none + no_seed)
    adjoint = body(f"{name}_grad", reverse, with_shadows=True, end=f"{none} d[{at}] = 0.0;")
    return (
        f"static void {name}_run(double *z)\n{run}"
        f"static void {name}_forward(double *z, double *d)\n{tangent}"
        f"static void {name}_reverse(double *z, double *d)\n{adjoint}"
    )


class _Argument:
    """How a parameter is handed over: statements around the call, the value, and its address."""

    def __init__(
        self, value: str, address: str, before: Sequence[str] = (), after: Sequence[str] = ()
    ) -> None:
        self.value, self.address, self.before, self.after = value, address, before, after


def _argument(one: Parameter, vector: str, at: int) -> _Argument:
    place = f"{vector} + {at}"
    local = f"{vector}_{one.name}"
    if one.kind in ("view", "whole"):
        n = (one.size - 1) // 2
        made = f"View {local} = {{N, {place} + 1, {place} + {1 + n}, {vector}[{at}]}};"
        kept = f"{vector}[{at}] = {local}.by;"
        if one.kind == "whole":
            after = [] if vector == "z" else [kept]
            return _Argument(local, f"&{local}", [made], after)
        return _Argument(f"&{local}", f"&{local}", [made], [kept])
    if one.kind == "pairs":
        return _Argument(f"(Pair *)({place})", f"(Pair *)({place})")
    if one.kind == "rows":
        cast = f"(double (*)[M])({place})"
        return _Argument(cast, cast)
    if one.real != "float":
        value = f"{vector}[{at}]" if one.kind == "value" else place
        return _Argument(value, place)
    copy = f"for (int i = 0; i < {one.size}; ++i)"
    into = f"float {local}[{one.size}]; {copy} {local}[i] = {vector}[{at} + i];"
    back = f"{copy} {vector}[{at} + i] = {local}[i];"
    value = f"{local}[0]" if one.kind == "value" else local
    return _Argument(value, local, [into], [back])
