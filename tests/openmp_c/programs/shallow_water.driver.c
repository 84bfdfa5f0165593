#define CELLS 30
static double h[CELLS], hu[CELLS], hv[CELLS], observed[CELLS];
static const Grid grid = {6, 5, 1.0, 0.02, 0.3};
#define SIZE (4 * CELLS + 1)
static void fill(const double *z)
{
    for (int i = 0; i < CELLS; ++i) {
        h[i] = 3.0 + z[i];
        hu[i] = z[CELLS + i];
        hv[i] = z[2 * CELLS + i];
        observed[i] = 3.0 + 0.1 * i;
    }
}
static void left(double *z)
{
    for (int i = 0; i < CELLS; ++i)
        z[i] = h[i] - 3.0, z[CELLS + i] = hu[i], z[2 * CELLS + i] = hv[i];
}
static void run(double *z)
{
    fill(z);
    z[SIZE - 1] = misfit(grid, 3, h, hu, hv, z + 3 * CELLS, observed);
    left(z);
}
static void forward(double *z, double *d)
{
    fill(z);
    z[SIZE - 1] = misfit_jvp(grid, 3, h, hu, hv, z + 3 * CELLS, observed, d, d + CELLS, d + 2 * CELLS,
                             d + 3 * CELLS, d + SIZE - 1);
    left(z);
}
static void reverse(double *z, double *d)
{
    fill(z);
    z[SIZE - 1] = misfit_grad(grid, 3, h, hu, hv, z + 3 * CELLS, observed, d, d + CELLS, d + 2 * CELLS,
                              d + 3 * CELLS, d[SIZE - 1]);
    left(z);
}
