enum { CELLS = (COLUMNS - 1) * (ROWS - 1), U = CELLS + 2 + UNKNOWNS, SIZE = U + UNKNOWNS + 1 };
static void fill(const double *z, double young[CELLS])
{
    for (int i = 0; i < CELLS; ++i)
        young[i] = 3.0 + z[i];
}
static void run(double *z)
{
    double young[CELLS];
    fill(z, young);
    z[SIZE - 1] = compliance(5, young, 0.1 * z[CELLS], 1.5 + 0.5 * z[CELLS + 1], z + CELLS + 2, z + U);
}
static void forward(double *z, double *d)
{
    double young[CELLS];
    fill(z, young);
    z[SIZE - 1] = compliance_jvp(5, young, 0.1 * z[CELLS], 1.5 + 0.5 * z[CELLS + 1], z + CELLS + 2,
                                 z + U, d, 0.1 * d[CELLS], 0.5 * d[CELLS + 1], d + CELLS + 2, d + U,
                                 d + SIZE - 1);
}
static void reverse(double *z, double *d)
{
    double young[CELLS], poisson = 10.0 * d[CELLS], height = 2.0 * d[CELLS + 1];
    fill(z, young);
    z[SIZE - 1] = compliance_grad(5, young, 0.1 * z[CELLS], 1.5 + 0.5 * z[CELLS + 1], z + CELLS + 2,
                                  z + U, d, &poisson, &height, d + CELLS + 2, d + U, d[SIZE - 1]);
    d[CELLS] = 0.1 * poisson;
    d[CELLS + 1] = 0.5 * height;
}
