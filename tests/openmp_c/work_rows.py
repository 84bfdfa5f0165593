"""Functions in C with rows of their own to work in, and what macros and habits make of plain code,
in the form of `functions.py`."""

from __future__ import annotations

from typing import Final

WORK_ROWS_HELPERS: Final = """
#define likely(c) __builtin_expect(!!(c), 1)
#define AT(v, i) ((v)->u[i])
#define LIMITED(v) (fmax(-0.5, fmin(0.5, (v))))
#define ROW(T, n) ((T *)calloc((n), sizeof(T)))
static double pace __attribute__((unused)) = 0.3;
typedef struct {
    struct {
        double u, v;
    } p[3], q;
    double w[3], m;
    int k;
} Nested;
static double of_nested(Nested s)
{
    return s.p[1].u * s.q.v + s.w[2] * s.p[2].v + s.m * s.k * s.p[0].u;
}
typedef struct {
    int rows, cols;
    double *at;
} Table;
typedef struct {
    int n;
    double *u, **e, **h, scale, own[2];
} Grids;
static double **rows_of(int n, int m)
{
    double **a = malloc(n * sizeof(double *));
    a[0] = calloc((size_t)n * m, sizeof(double));
    for (int i = 1; i < n; ++i)
        a[i] = a[0] + (size_t)i * m;
    return a;
}
static void without_rows(double **a)
{
    free(a[0]);
    free(a);
}
static void coupled(Grids *g, const double *x)
{
#pragma omp parallel for
    for (int i = 1; i < g->n; ++i)
        for (int j = 1; j < 3; ++j)
            g->h[i][j] += g->scale * (g->e[i][j] - g->e[i - 1][j - 1]) * x[i];
}
static void levelled(Level *levels, int count, const double *x)
{
    for (int k = 1; k < count; ++k) {
        Level *at = &levels[k];
#pragma omp parallel for
        for (int i = 0; i < at->n; ++i)
            at->u[i] += at->h * levels[k - 1].u[2 * i] * x[k];
    }
}
static Table *table_of(int rows, int cols)
{
    Table *m = malloc(sizeof(*m));
    if (!m)
        abort();
    *m = (Table){.rows = rows, .cols = cols};
    m->at = calloc((size_t)rows * cols, sizeof *m->at);
    return m;
}
static Table *table_or_none(int rows, int cols)
{
    Table *m = malloc(sizeof *m);
    if (!m)
        return NULL;
    m->rows = rows, m->cols = cols;
    m->at = calloc((size_t)rows * cols, sizeof(double));
    if (m->at == NULL) {
        free(m);
        return NULL;
    }
    return m;
}
static int begun(Table *m, int rows, int cols)
{
    *m = (Table){rows, cols, NULL};
    m->at = malloc((size_t)rows * cols * sizeof(double));
    if (!m->at)
        return -1;
    for (int i = 0; i < rows * cols; ++i)
        m->at[i] = 0.5;
    return 0;
}
static void without_table(Table *m)
{
    if (!m)
        return;
    free(m->at);
    free(m);
}
static double trace_of(const Table *m)
{
    double s = 0.0;
    for (int i = 0; i < m->rows; ++i)
        s += m->at[i * m->cols + i] * m->at[i];
    return s;
}
static double solved(int n, const double *d, double *out)
{
    double c[n], b[n + 1];
    memset(b, 0, sizeof b);
    for (int i = 0; i < n; ++i)
        c[i] = 1.0 / (4.0 + (i > 0 ? c[i - 1] : 0.0) * d[i]);
    for (int i = 0; i < n; ++i)
        b[i + 1] = c[i] * d[i] + 0.5 * b[i];
    for (int i = 0; i < n; ++i)
        out[i] += b[i + 1];
    return b[n];
}
static double first_of(const Level *v)
{
    double s = 0.0;
    for (int i = 0; i < (v)->n; ++i)
        s += AT(v, i) * AT(v, 0);
    return s;
}
static double *zeros(size_t n)
{
    double *r = calloc(n, sizeof *r);
    return r;
}
static void *memory(size_t bytes)
{
    void *p = malloc(bytes);
    if (!p)
        abort();
    return p;
}
static double *row_of(size_t n)
{
    void *p = NULL;
    if (posix_memalign(&p, 64, n * sizeof(double)) != 0)
        exit(1);
    return p;
}
static void given_back(void *p)
{
    if (p != NULL)
        free(p);
}
static double worked(int n, const double *x, double *h)
{
    double *work = zeros(2 * n), *z = work + n, s = 0.0;
    for (int i = 0; i < n; ++i)
        work[i] = x[i] * h[i], z[i] = work[i] * x[i];
    for (int i = 0; i < n; ++i)
        h[i] += 0.1 * z[i], s += z[i] * work[i];
    free(work);
    return s;
}
static Level level_of(int n, double h)
{
    Level l = {n, calloc(n, sizeof(double)), h};
    return l;
}
static double traced(int n, const double a[n][n])
{
    double s = 0.0;
    for (int i = 0; i < n; ++i)
        s += a[i][i] * a[0][i];
    return s;
}
static void squared_where(int n, int least, const double *x, double *y)
{
#pragma omp parallel for if (n > least) num_threads(n < 4 ? 1 : 2)
    for (int i = 0; i < n; ++i)
        y[i] += x[i] * x[i];
}
"""
WORK_ROWS: Final = {
    "rows_of_helpers": (
        "double f(int n, const double *x, double *y)",
        """double e = 0.0;
#pragma omp parallel for reduction(+ : e)
for (int i = 0; i < n; i += 6) {
    double own[6] = {0};
    e += solved(5, x + i, own);
    y[i] += own[2] * own[4];
}
return e + solved(n - 1, x, y);""",
    ),
    "copied_rows": (
        "double f(int n, const double *x, double *y)",
        """unsigned m = n / 2;
double row[m], other[m];
memcpy(row, x + m, m * sizeof(double));
memcpy(other, row, sizeof row);
for (unsigned i = 0; i < m; ++i)
    y[i] *= row[i] + sin(other[i]);
memset(other, 0, sizeof other);
for (unsigned i = 0; i < m; ++i)
    other[i % 3] += row[i] * y[i];
return other[0] * other[1] + other[2];""",
    ),
    "commas_and_macros": (
        "double f(int n, double a, const double *x, double *y)",
        """double *c = malloc(n * sizeof(double)), *d = malloc(n * sizeof(double)), e = 0.0;
for (int i = 0; i < n; ++i)
    c[i] = x[i] * a, d[i] = c[i] * c[i];
Level level = {n, d, a};
if (likely(n > 2))
    e += first_of(&level), y[0] += e;
free(c), free(d);
return e;""",
    ),
    "squares_of_any_size": (
        "double f(int n, const double *x)",
        """int m = n / 8;
return traced(m - 1, (const double(*)[m - 1])x) + traced(3, (const double(*)[3])(x + 2));""",
    ),
    "memory_in_conditions": (
        "double f(int n, const double *x, double *y)",
        """double *a, *b, *c, e = 0.0;
if (!(a = malloc(n * sizeof(double))) || (b = (double *)calloc(n, sizeof *b)) == NULL)
    return -1.0;
if ((c = malloc(n * sizeof *c))) {
    for (int i = 0; i < n; ++i)
        a[i] = x[i] * x[i];
    for (int i = 0; i < n; ++i)
        b[i] += x[i] * a[i], c[i] = b[i];
    for (int i = 0; i < n; ++i)
        e += c[i] * a[i], y[i] += b[i];
}
free(a), free(b), free(c);
return e;""",
    ),
    "memory_of_all_kinds": (
        "double f(int n, const double *x, double *y)",
        """double *a = memory(n * sizeof(double)), *b = row_of(n), *c, *d, e = 0.0;
double *w = aligned_alloc(64, (n * sizeof *w + 63) / 64 * 64);
if (posix_memalign((void **)&c, 64, n * sizeof(double)))
    return -1.0;
int fault = posix_memalign((void **)&d, 32, n * sizeof(double));
if (fault)
    return -2.0;
#pragma omp parallel for simd aligned(w : 64)
for (int i = 0; i < n; ++i)
    a[i] = x[i] * x[i], b[i] = a[i] * x[i], w[i] = sin(a[i]);
for (int i = 0; i < n; ++i)
    c[i] = b[i] * x[0], d[i] = c[i] * w[i];
for (int i = 0; i < n; ++i)
    e += d[i] * a[i], y[i] += b[i] * c[i];
given_back(a), given_back(b);
free(c), free(d), free(w);
return e;""",
    ),
    "parts_by_name": (
        "double f(int n, double a, const double *x)",
        """double e = 0.0, *row = ROW(double, n);
Nested s = {0}, some[3] = {[2] = {.m = a, .w = {[2] = x[0]}, .p[2].v = a}};
for (int i = 0; i < n; ++i) {
    const Nested t = {.p = {{x[i], a}, [1].u = x[i] * a, [2] = {.v = 0.5}}, .q.v = x[i], .k = 2,
                      .w[2] = a, .m = x[i]};
    s = (Nested){{{a, x[i]}, {x[i], 2.0}}, {a, a}, .m = x[i], .k = 3};
    row[i] = of_nested(t) + of_nested(s) * of_nested((Nested){.q = {.v = a}, .p[1] = {x[i], 0}});
}
for (int i = 0; i < n; ++i)
    e += row[i] * row[i] + of_nested(some[2]);
free(row);
return e;""",
    ),
    "memory_that_moves": (
        "double f(int n, const double *x, double *y)",
        """double last[4] = {0}, e = 0.0, *w = malloc(n * sizeof *w);
int m = n / 2;
for (int i = 0; i < n; ++i) {
    memmove(last + 1, last, 3 * sizeof(double));
    last[0] = x[i] * y[i];
    e += last[0] * last[3] + last[1];
}
memmove(w, x, n * sizeof(double));
memmove(&y[m], &y[m + 1], (n - m - 1) * sizeof(double));
memmove(y + 2, y + 1, (size_t)(n - 2) * sizeof *y);
e += w[2] * y[3];
free(w);
return e;""",
    ),
    "objects_from_the_heap": (
        "double f(int n, const double *x, double *y)",
        """Table *a = table_of(n, n), *b = calloc(1, sizeof *b);
double e = 0.0;
if (a == NULL || !b)
    return -1.0;
b->at = malloc(n * sizeof(double));
#pragma omp parallel for
for (int i = 0; i < n; ++i)
    a->at[i * a->cols + i] = x[i] * y[i], b->at[i] = x[i] * b->cols + x[0];
for (int i = 1; i < n; ++i)
    a->at[i] += b->at[i] * x[i];
e = trace_of(a);
if (b)
    free(b->at);
free(b);
without_table(a);
return e;""",
    ),
    "tables_in_structures": (
        "double f(int n, double a, const double *x, double *y)",
        """Grids g = {.n = n, .e = rows_of(n, 3), .scale = a};
g.h = rows_of(n, 3);
g.u = calloc(n, sizeof *g.u);
memcpy(g.own, x, sizeof g.own);
memcpy(g.u, y, n * sizeof *g.u);
double e = g.own[0] * g.own[1] * g.u[n - 1];
free(g.u);
for (int i = 0; i < n; ++i)
    for (int j = 0; j < 3; ++j)
        g.e[i][j] = x[i] * y[(i + j) % n];
coupled(&g, y);
coupled(&g, x);
for (int i = 0; i < n; ++i)
    e += g.h[i][1] * g.e[i][2], y[i] += g.h[i][2];
without_rows(g.e);
without_rows(g.h);
return e;""",
    ),
    "walks_through_rows": (
        "double f(int n, const double *x, double (*a)[M])",
        """Nested s = {.p = {{x[0], x[1]}}, .w = {x[2], x[3], x[0]}};
double e = 0.0, *q = s.w, *t = &s.w[2];
for (int i = 0; i < 2; ++i)
    *t-- += *q++ * x[i];
for (int j = 0; j < 3; ++j) {
    const double *row = a[j], *end = a[j + 1] + 2;
    for (int i = 0; i < M; ++i)
        e += *row++ * x[i % n] * x[0];
    while (end > a[j + 1])
        e += *--end * s.w[j];
}
double *r = a[2] + 1;
for (int i = 0; i < 2; ++i)
    *r++ *= e;
return e * s.w[1];""",
    ),
    "kept_for_neighbours": (
        "double f(int n, double (*u)[M], double (*v)[M], const int *k)",
        """double e = 0.0;
const int rows = n / M;
for (int t = 0; t < 3; ++t) {
#pragma omp parallel for
    for (int j = 0; j < rows - 1; ++j)
        for (int i = 0; i < M; ++i)
            v[j][i] -= pace * (k[j] % 3) * (u[j + 1][i] - u[j][i]);
#pragma omp parallel for collapse(2)
    for (int j = 1; j < rows - 1; ++j)
        for (int i = 1; i < M - 1; ++i)
            u[j][i] -= pace * (v[j][i] - v[j - 1][i]);
}
for (int j = 0; j < rows; ++j)
    e += u[j][2] * v[j][1];
return e;""",
    ),
    "objects_set_at_once": (
        "double f(int n, const double *x)",
        """double e = 0.0;
#pragma omp parallel for reduction(+ : e)
for (int i = 0; i < n; ++i) {
    Nested s, t, *p = &t;
    memset(&s, 0, sizeof s);
    memset(p, 0, sizeof(*p));
    s.p[i % 3].u = x[i] * x[i];
    s.q.v += x[i];
    t.w[2] = x[0];
    memcpy(p, &s, sizeof(Nested));
    s.w[2] = x[0], s.p[2].v = x[i];
    e += of_nested(t) * of_nested(s) + t.p[0].u;
}
return e;""",
    ),
    "levels_of_any_size": (
        "double f(int n, double a, const double *x, double *y)",
        """Level levels[3];
double e = 0.0;
for (int k = 0, m = 8; k < 3; k++, m /= 2) {
    const double h = a / m;
    levels[k].n = m;
    levels[k].h = h;
    levels[k].u = calloc(m, sizeof(double));
}
for (int i = 0; i < 8; ++i)
    levels[0].u[i] = x[i] * x[n - 1 - i];
levelled(levels, 3, y);
levelled(levels, 3, x);
for (int k = 2; k >= 0; --k) {
    e += levels[k].u[1] * levels[k].h;
    y[k] += levels[k].u[0];
    free(levels[k].u);
}
return e;""",
    ),
    "corners_of_elements": (
        "double f(int n, const double *x, const int *k)",
        """double e = 0.0;
#pragma omp parallel for reduction(+ : e)
for (int i = 0; i < n / 3; ++i) {
    const double *corner[3];
    for (int c = 0; c < 3; ++c)
        corner[c] = &x[k[3 * i + c] / 2];
    for (int c = 0; c < 3; ++c)
        e += corner[c][0] * corner[(c + 1) % 3][1];
}
return e;""",
    ),
    "memory_or_nothing": (
        "double f(int n, const double *x, double *y)",
        """Table *a = table_or_none(n, n), b;
double e = 0.0;
if (!a)
    return -1.0;
if (begun(&b, n, n) != 0) {
    without_table(a);
    return -2.0;
}
for (int i = 0; i < n; ++i)
    a->at[i * n + i] = x[i] * y[i], b.at[i * n] += x[i] * x[0], b.at[i] *= a->at[i * n + i];
e = trace_of(a) * trace_of(&b);
without_table(a);
free(b.at);
return e;""",
    ),
    "extremes_in_macros": (
        "double f(int n, double a, const double *x, double *y)",
        """double e = 0.0;
for (int i = 0; i < n; ++i) {
    y[i] *= LIMITED(x[i] + a);
    e += fmaxf(0.5f, 0.25f) * LIMITED(y[i]) * x[i];
}
return e;""",
    ),
    "counts_in_places": (
        "double f(int n, const double *x, double *y)",
        """struct { double values[40]; int count; } own = {{0}, 0}, *s = &own;
double e = 0.0;
for (int i = 0; i < n; ++i)
    s->values[s->count++] = x[i] * y[i];
for (int i = 0; i < n / 2; ++i)
    e += own.values[--own.count] * x[i];
return e + own.values[own.count] * x[0];""",
    ),
    "memory_in_few_turns": (
        "double f(int n, const double *x, double *y)",
        """double e = 0.0;
for (int t = 0; t < 3; ++t)
    for (int k = 0; k < n % 4; ++k)
        e += worked(n, x, y);
return e;""",
    ),
    "memory_from_functions": (
        "double f(int n, const double *x, double *y)",
        """double *now = zeros(n), *next = zeros(n), e = 0.0;
Level old = level_of(n, 0.5), new = level_of(n, 0.25);
for (int i = 0; i < n; ++i)
    now[i] = old.u[i] = x[i];
for (int t = 0; t < n % 4; ++t) {
    for (int i = 0; i < n; ++i) {
        next[i] = now[i] * x[i] + now[n - 1 - i];
        new.u[i] = sin(old.u[i]) * y[i];
    }
    double *other = now;
    now = next;
    next = other;
    double *memory = old.u;
    old.u = new.u;
    new.u = memory;
}
for (int i = 0; i < n; ++i)
    e += now[i] * old.u[i] * old.h;
free(now);
free(next);
free(old.u);
free(new.u);
return e;""",
    ),
    "clauses_with_numbers": (
        "void f(int n, const double *x, double *y)",
        """squared_where(n - 1, 100, x, y);
int least = n / 2;
squared_where(n - 2, least, x + 1, y);
#pragma omp parallel for if (n > 100)
for (int i = 1; i < n; ++i)
    y[i] *= x[i];""",
    ),
}
