enum { COUNT = 8, ALL = DIM * COUNT, SIZE = 3 * ALL + 3 };
static void place(const double *z, double *x)
{
    for (int i = 0; i < COUNT; ++i)
        for (int k = 0; k < DIM; ++k)
            x[DIM * i + k] = 1.3 * (i >> k & 1) + 0.1 * z[DIM * i + k];
}
static void back(double *z, const double *x)
{
    for (int i = 0; i < COUNT; ++i)
        for (int k = 0; k < DIM; ++k)
            z[DIM * i + k] = 10.0 * (x[DIM * i + k] - 1.3 * (i >> k & 1));
}
static void run(double *z)
{
    double x[ALL];
    place(z, x);
    z[SIZE - 1] = simulate(COUNT, 3, 9.0, 2.5, 0.01, 1.0 + 0.1 * z[3 * ALL], 2.0 + z[3 * ALL + 1], x,
                           z + ALL, z + 2 * ALL);
    back(z, x);
}
static void forward(double *z, double *d)
{
    double x[ALL], d_x[ALL];
    place(z, x);
    for (int i = 0; i < ALL; ++i)
        d_x[i] = 0.1 * d[i];
    z[SIZE - 1] = simulate_jvp(COUNT, 3, 9.0, 2.5, 0.01, 1.0 + 0.1 * z[3 * ALL], 2.0 + z[3 * ALL + 1],
                               x, z + ALL, z + 2 * ALL, 0.1 * d[3 * ALL], d[3 * ALL + 1], d_x, d + ALL,
                               d + 2 * ALL, d + SIZE - 1);
    back(z, x);
    for (int i = 0; i < ALL; ++i)
        d[i] = 10.0 * d_x[i];
}
static void reverse(double *z, double *d)
{
    double x[ALL], d_x[ALL], d_epsilon = 10.0 * d[3 * ALL];
    place(z, x);
    for (int i = 0; i < ALL; ++i)
        d_x[i] = 10.0 * d[i];
    z[SIZE - 1] = simulate_grad(COUNT, 3, 9.0, 2.5, 0.01, 1.0 + 0.1 * z[3 * ALL], 2.0 + z[3 * ALL + 1],
                                x, z + ALL, z + 2 * ALL, &d_epsilon, &d[3 * ALL + 1], d_x, d + ALL,
                                d + 2 * ALL, d[SIZE - 1]);
    back(z, x);
    for (int i = 0; i < ALL; ++i)
        d[i] = 0.1 * d_x[i];
    d[3 * ALL] = 0.1 * d_epsilon;
}
