"""Parallel loops of C over `x`, `v`, `k`, `n`, `a` and the sum `e`: what they do is differentiated.

`x` and `v` are arrays of N doubles, `k` holds indices below N, no two of them the same.
"""

from __future__ import annotations

from typing import Final

HELPERS: Final = """
#define N 40
#define SQUARE(z) ((z) * (z))
typedef double Real;
static const double weights[3] = {0.5, 1.5, -0.25};
static double bump(double z, double width)
{
    if (z > 2.0)
        return 0.0;
    double s = z / width;
    return exp(-s * s);
}
"""

LOOPS: Final = {
    "sum": ("reduction(+ : e)", "for (int i = 0; i < n; ++i)\n    e += x[i] * x[i];"),
    "difference": ("reduction(- : e)", "for (int i = 0; i < n; i++)\n    e -= sin(x[i]) * v[i];"),
    "stencil": (
        "firstprivate(a) reduction(+ : e)",
        """for (int i = 1; i < n - 1; ++i) {
    v[i] = a * (x[i - 1] - 2.0 * x[i] + x[i + 1]);
    e += v[i] * v[i];
}""",
    ),
    "wide": (
        "schedule(dynamic, 3)",
        "for (int i = 2; i <= n - 3; i += 1)\n    v[i] = x[i - 2] * x[i + 2] + SQUARE(x[i]);",
    ),
    "scatter": (
        "schedule(guided)",
        "for (int i = 0; i < n; ++i)\n    v[k[i]] = exp(0.1 * x[i]) + x[k[i]];",
    ),
    "rows": (
        "num_threads(3) shared(x, v, n) default(none)",
        """for (int i = 0; i < n / 4; ++i) {
    double sum = 0.0; // of one row
    for (int j = 0; j < 4; ++j)
        sum += x[4 * i + j] * x[4 * i + j];
    v[i] = sqrt(sum);
}""",
    ),
    "private": (
        "private(j, t) if(n > 1)",
        """for (int i = 0; i < n; ++i) {
    t = 0.0;
    for (j = 0; j < 3; ++j) {
        if ((i + j) % 4 == 0)
            continue;
        t += x[(i + j) % n] * weights[j];
    }
    v[i] = a * t;
}""",
    ),
    "branches": (
        "",
        """for (int i = 0; i < n; ++i) {
    if (x[i] > 0.5)
        v[i] = exp(x[i]) * a;
    else if (i % 2)
        v[i] = fmax(x[i], a) + fabs(x[(i + 1) % n]);
    else
        continue;
}""",
    ),
    "function": (
        "reduction(+ : e)",
        """for (int i = 0; i < n; ++i) {
    Real near = bump(x[i], 1.5 + a), far = x[i] < 0 ? -x[i] : pow(x[i], 1.5);
    v[i] += near * far;
    e += near;
}""",
    ),
    "neighbours": (
        "reduction(+ : e) schedule(static, 1)",
        """for (int i = 0; i < n; ++i) {
    double d = x[i] - x[(i + 7) % n];
    e += 1.0 / (1.0 + d * d);
    if (d > 0)
        e += d * v[i];
}""",
    ),
    "in_place": (
        "reduction(+ : e)",
        "for (int i = 0; i < n; ++i) {\n    x[i] = sin(x[i]) * v[i];\n    e += x[i];\n}",
    ),
    "both_ways": (
        "schedule(dynamic)",
        """for (int i = 0; i < n; ++i) {
    double t = v[i] * v[i];
    v[i] = x[i] * t;
    x[i] = t + a;
}""",
    ),
    "from": (
        "",
        "for (int i = n / 8; i <= n - 2; ++i)\n    v[i] = x[i] * x[i - 1];",
    ),
    "below": ("", "for (int i = -3; i < 5; ++i)\n    v[i + 3] = x[2 * (i + 3)] * i;"),
    "old_style": (
        "collapse(2) private(t)",
        """for (j = 0; j < n / 4; j++)
    for (m = 0; m < 4; m += 1) {
        t = x[4 * j + m];
        v[4 * j + m] = t * t;
    }""",
    ),
    "collapsed": (
        "collapse(2) reduction(+ : e)",
        """for (int i = 0; i < n / 8; ++i)
    for (int j = 1; j < 7; ++j) {
        v[8 * i + j] = x[8 * i + j - 1] * x[8 * i + j + 1];
        e += v[8 * i + j] * j;
    }""",
    ),
    "tape": (
        "reduction(+ : e)",
        """for (int i = 0; i < n; ++i) {
    double t = x[i];
    for (int j = 0; j < n; ++j)
        t = sin(t + 0.1 * v[j]);
    e += t * a;
}""",
    ),
    "steps": (
        "schedule(dynamic)",
        """for (int i = 0; i < n; ++i) {
    double t = 1.0 + x[i] * x[i];
    int steps = 0;
    while (t > 0.3 && steps < 25) {
        if (steps % 3 == 1)
            t = t * t / (1.0 + t);
        else
            t *= 0.8;
        ++steps;
    }
    v[i] = t * steps;
}""",
    ),
    "table": (
        "",
        """for (int i = 0; i < n; ++i) {
    double p[3];
    int m = i;
    while (m > 2)
        m -= 3;
    p[0] = x[i];
    p[1] = p[0] * x[(i + 1) % n];
    p[2] = p[1] + a;
    switch (m) {
    case 0:
        v[i] = p[0];
        break;
    case 1:
        v[i] = p[1] * p[1];
        break;
    default:
        v[i] = p[2] * p[0];
    }
}""",
    ),
    "last": (
        "lastprivate(e)",
        """for (int i = 0; i < n; ++i) {
    e = a * x[i];
    v[i] = e * e;
}""",
    ),
    "product": ("reduction(* : e)", "for (int i = 0; i < n; ++i)\n    e *= 1.0 + 0.1 * x[i];"),
    "maximum": (
        "reduction(max : e)",
        """for (int i = 0; i < n; ++i)
    if (x[i] * v[i] > e)
        e = x[i] * v[i];""",
    ),
    "minimum": (
        "reduction(min : e)",
        "for (int i = 0; i < n; ++i)\n    e = fmin(e, x[i] * v[i]);",
    ),
    "long_sum": (
        "reduction(+ : e)",
        """for (int i = 0; i < n; ++i) {
    e = e + x[i] * x[i];
    if (v[i] > 0)
        e = v[i] + e;
    e = e - v[i];
}""",
    ),
    "inner_simd": (
        "schedule(guided) reduction(+ : e)",
        """for (int i = 0; i < n / 8; ++i) {
    double s = 0.0;
#pragma omp simd reduction(+ : s)
    for (int j = 0; j < 8; ++j)
        s += x[8 * i + j] * a;
    v[i] = s * s;
    e += v[i];
}""",
    ),
    "inner_atomic": (
        "",
        """for (int i = 0; i < n; ++i) {
#pragma omp atomic
    v[k[i] / 2] += x[i] * x[i];
#pragma omp atomic
    e += x[i];
    x[i] = sin(x[i]);
}""",
    ),
    "inner_critical": (
        "",
        """for (int i = 0; i < n; ++i) {
#pragma omp critical
    {
        e = e * cos(0.1 * x[i]);
        v[0] += x[i];
    }
}""",
    ),
    "down_by_3": (
        "schedule(static, 2)",
        "for (long i = n - 2; i > 0; i -= 3)\n    v[i] = x[i - 1] * x[i] * v[i];",
    ),
    "no_sign": ("", "for (unsigned i = 1; i != (unsigned)n; i++)\n    v[i] = x[i - 1] * v[i];"),
    "triangle": (
        "collapse(2) reduction(+ : e)",
        """for (int i = 0; i < n / 8; ++i)
    for (int j = i; j < 7; ++j)
        e += x[8 * i + j] * v[j];""",
    ),
}
"""Clauses and loops by name."""

REFUSED: Final = {
    "tasks": ("task", "for (int i = 0; i < n; ++i) v[i] = x[i];", "`omp task`"),
    "left": (
        "parallel for",
        "for (int i = 0; i < n; ++i) { if (x[i] > 3) return 0; v[i] = x[i]; }",
        "left from inside",
    ),
    "shared": ("parallel for", "for (int i = 0; i < n; ++i) { a = x[i]; v[i] = a; }", "'a', which"),
    "unseen": (
        "parallel for",
        "for (int i = 0; i < n; ++i) { w[i] = x[i]; v[i] = w[i]; }",
        "memory behind 'w'",
    ),
    "used_sum": (
        "parallel for reduction(+ : e)",
        "for (int i = 0; i < n; ++i) { e += x[i]; v[i] = e; }",
        "otherwise than for that",
    ),
    "used_product": (
        "parallel for reduction(* : e)",
        "for (int i = 0; i < n; ++i) { e *= x[i]; v[i] = e; }",
        "otherwise than for that",
    ),
    "used_maximum": (
        "parallel for reduction(max : e)",
        "for (int i = 0; i < n; ++i) { if (x[i] > e) { e = x[i]; v[i] = 1; } }",
        "otherwise than for that",
    ),
    "linear": (
        "parallel for linear(n)",
        "for (int i = 0; i < 4; ++i) v[i] = x[i] * n;",
        "clause `linear`",
    ),
    "own_name": (
        "parallel for",
        "for (int i = 0; i < n; ++i) { double d_x = x[i]; v[i] = d_x; }",
        "name of a variable of the loop",
    ),
    "inner_task": (
        "parallel for",
        "for (int i = 0; i < n; ++i) {\n#pragma omp task\n v[i] += x[i]; }",
        "`omp task`",
    ),
    "macro": (
        "parallel for",
        "for (int i = 0; i < n; ++i) { TOGETHER v[i / 2] += x[i]; }",
        "`TOGETHER`, which makes a pragma",
    ),
    "called": (
        "parallel for",
        "for (int i = 0; i < n; ++i) add(&v[i / 2], x[i]);",
        "`TOGETHER`, which makes a pragma",
    ),
    "no_loop": ("parallel for", "v[0] = x[0];", "not followed by a loop"),
}
"""What is refused: construct and clauses, the loop, and a part of the message."""
