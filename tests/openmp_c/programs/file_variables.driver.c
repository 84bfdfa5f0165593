#define GRID (CELLS * CELLS)
#define SIZE (2 * GRID + CELLS + 7)
static double grown[CELLS];
static double fill(const double *z)
{
    memcpy(u, z, sizeof u);
    memcpy(change, z + GRID, sizeof change);
    memcpy(grown, z + 2 * GRID, sizeof grown);
    const double *rest = z + 2 * GRID + CELLS;
    growth = grown;
    dt = rest[0], norms[0] = rest[1], norms[1] = rest[2], par.rate = rest[3], last = rest[4];
    par.wide = 2;
    return rest[5];
}
static void left(double *z, double a)
{
    memcpy(z, u, sizeof u);
    memcpy(z + GRID, change, sizeof change);
    memcpy(z + 2 * GRID, grown, sizeof grown);
    double *rest = z + 2 * GRID + CELLS;
    rest[0] = dt, rest[1] = norms[0], rest[2] = norms[1], rest[3] = par.rate, rest[4] = last;
    rest[5] = a;
}
static void run(double *z)
{
    const double a = fill(z), result = energy(a, 3);
    left(z, a);
    z[SIZE - 1] = result;
}
static void derivative(double *z, double *d, int forward)
{
    static double d_scratch[CELLS];
    double *d_change = d + GRID, *d_growth = d + 2 * GRID, *rest = d_growth + CELLS;
    double(*d_u)[CELLS] = (double(*)[CELLS])d, (*d_c)[CELLS] = (double(*)[CELLS])d_change;
    Params d_par = {rest[3], 0};
    const double a = fill(z);
    double result;
    memset(d_scratch, 0, sizeof d_scratch);
    if (forward)
        result = energy_jvp(a, 3, rest[5], d_u, d_c, rest, rest + 1, &d_par, d_growth, d_scratch,
                            rest + 4, d + SIZE - 1);
    else
        result = energy_grad(a, 3, rest + 5, d_u, d_c, rest, rest + 1, &d_par, d_growth, d_scratch,
                             rest + 4, d[SIZE - 1]);
    rest[3] = d_par.rate;
    left(z, a);
    z[SIZE - 1] = result;
}
static void forward(double *z, double *d) { derivative(z, d, 1); }
static void reverse(double *z, double *d) { derivative(z, d, 0); }
