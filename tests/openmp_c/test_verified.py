"""Functions whose derivatives once were wrong, or no C, as `g2o verify` runs them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from g2o.cli.main import run as run_g2o

_MOVED: Final = """
typedef struct { double h, flow; } Cell;
typedef struct { int n; double *u, *v, t; } Grid;
typedef struct { int n; Cell *now, *next; double dt; } Sim;
typedef struct { Grid *grid; int steps; } Run;
static void exchange(Grid *g)
{
    double *t = g->u;
    g->u = g->v;
    g->v = t;
}
// g2o-verify: step(g.n = 5, g.u = [5], g.v = [5])
#pragma g2o grad (g)/(g)
void step(Grid *g)
{
    for (int i = 1; i < g->n; ++i)
        g->v[i] = g->u[i] * g->u[i - 1];
    exchange(g);
    g->t += 0.1;
}
// g2o-verify: as_often(g.n = 5, g.u = [5], g.v = [5], steps = 3)
// g2o-verify: as_often(g.n = 5, g.u = [5], g.v = [5], steps = 2)
// g2o-verify: as_often(g.n = 5, g.u = [5], g.v = [5], steps = -1)
#pragma g2o grad (as_often, g)/(g)
double as_often(Grid *g, int steps)
{
    if (steps < 0)
        return g->u[0];
    for (int t = 0; t < steps; ++t)
        step(g);
    return g->u[1] * g->v[2];
}
// g2o-verify: behind(r.steps = 3)
#pragma g2o grad (r)/(r)
void behind(Run *r)
{
    for (int t = 0; t < r->steps; ++t) {
        for (int i = 0; i < 3; ++i)
            r->grid->v[i] = r->grid->u[i] * r->grid->u[i];
        double *other = r->grid->u;
        r->grid->u = r->grid->v;
        r->grid->v = other;
    }
}
static double between(double e, Cell *cells, int n)
{
    Cell *low, *high;
    int k = (int)(e * (n - 1));
    if (k == n - 1)
        low = &cells[k - 1];
    else
        low = &cells[k];
    high = low + 1;
    return high->flow - (high->h - e) / (high->h - low->h + 2) * (high->flow - low->flow);
}
// g2o-verify: looked_up(s.n = 6, s.now = [6], m = 5, e = [5 : 0 .. 0.99])
#pragma g2o grad (looked_up)/(s, e)
double looked_up(Sim s, int m, const double *e)
{
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < m; ++i)
        sum += between(e[i], s.now, s.n);
    return sum;
}
// g2o-verify: cached(g.n = 3, g.u = [6], g.v = [3], x = [3])
#pragma g2o grad (g)/(g, x)
void cached(Grid *g, double *x)
{
    for (int t = 0; t < 2; ++t) {
        g->v = g->u + t * g->n;
#pragma omp parallel for
        for (int i = 0; i < g->n; ++i)
            g->v[i] = g->u[i] * x[i];
        for (int i = 0; i < g->n; ++i)
            x[i] += g->v[i] * g->v[i];
    }
}
// g2o-verify: waves(s.n = 4, s.now = [6], s.next = [6], steps = 3)
#pragma g2o grad (waves, s)/(s)
double waves(Sim *s, int steps)
{
    for (int t = 0; t < steps; ++t) {
        s->now[0].flow *= -1;
        for (int i = 1; i <= s->n; ++i) {
            Cell *q = &s->next[i];
            q->h = s->now[i].h - s->dt * (s->now[i + 1].flow - s->now[i - 1].flow);
            q->flow = 0.9 * s->now[i].flow * q->h;
        }
        Cell *other = s->now;
        s->now = s->next;
        s->next = other;
    }
    return s->now[2].h * s->now[3].flow;
}
"""
_ROWS: Final = """
static void scale(int n, int m, double a[n][m], double f)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] *= f * (i + 1) * a[i][j];
}
static void product(int n, int k, int m, double a[n][k], double b[k][m], double c[n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            c[i][j] = 0;
            for (int l = 0; l < k; l++)
                c[i][j] += a[i][l] * b[l][j];
        }
}
// g2o-verify: twist(n = 3, m = 4, a = [12], f = 0.7)
#pragma g2o grad (twist, a)/(a, f)
double twist(int n, int m, double a[n][m], double f)
{
    double s = 0;
    for (int k = 0; k < 2; k++) {
        double t[m][n], p[m][m];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                t[j][i] = a[i][j];
        scale(m, n, t, f);
        product(m, n, m, t, a, p);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                s += (a[i][j] = t[j][i]) * p[j][j];
    }
    return s;
}
"""
_NAMES: Final = """
typedef struct { double x, y; } vec;
typedef struct { int from; double area; } face;
typedef struct { int faces; const face *face; } mesh;
static vec mul(double k, vec a) { return (vec){k * a.x, k * a.y}; }
static vec shade(int n, vec d)
{
    vec total = {0, 0};
    for (int i = 0; i < n; ++i) {
        if (d.x > 1.4) {
            total = mul(0.5, d);
            break;
        }
        total.x += d.y * total.y + d.x;
        total.y += d.x * d.x;
        d = mul(1.1, d);
    }
    return total;
}
// g2o-verify: paint(n = 4, d = [4])
#pragma g2o grad (d)/(d)
void paint(int n, vec *d)
{
    for (int i = 0; i < n; ++i) {
        vec e = shade(3, d[i]);
        d[i] = e;
    }
}
// g2o-verify: all(m.faces = 4, m.face = [4 : {int(i) % 3, uniform(0.5, 1.5)}], u = [3])
#pragma g2o grad (all)/(m, u)
double all(const mesh *m, const double *u)
{
    double s = 0;
    for (int i = 0; i < m->faces; ++i) {
        const face *f = m->face + i;
        s += f->area * u[f->from] * u[f->from];
    }
    return s;
}
"""


@pytest.mark.parametrize("text", [_MOVED, _ROWS, _NAMES], ids=["moved", "rows", "names"])
def test_derivatives_are_right(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.c").write_text(text)
    assert run_g2o(["verify", str(tmp_path / "a.c")]) == 0, capsys.readouterr()
    assert "random directions        agrees" in capsys.readouterr().out


def test_a_pointer_of_the_callers_to_memory_of_the_functions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = """#include <stdlib.h>
typedef struct { int n; double *u; } Grid;
void grow(Grid *g)
{
    double *more = malloc(g->n * sizeof *more);
    for (int i = 0; i < g->n; ++i)
        more[i] = g->u[i] * g->u[i];
    g->u = more;
}
"""
    (tmp_path / "a.c").write_text(text)
    assert run_g2o(["translate", "--grad", "grow", str(tmp_path / "a.c")]) == 1
    assert "[G2O04" in capsys.readouterr().err
