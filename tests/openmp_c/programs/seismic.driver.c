enum { NX = 6, NY = 5, NZ = 6, POINTS = NX * NY * NZ, STEPS = 7, SHOTS = 2, RECEIVERS = 2 };
enum { GIVEN = 2 * POINTS + STEPS + 1, SIZE = GIVEN + 1 };
static double given[GIVEN], shadow[GIVEN];
static const double observed[STEPS * RECEIVERS] = {0.1, 0.0, -0.2, 0.3};
static const Position receivers[RECEIVERS] = {{1.3f, 2.5f, 1.2f}, {3.7f, 1.5f, 1.1f}};
static const Shot all[SHOTS] = {{{2.5f, 2.2f, 2.5f}, 2, receivers, observed},
                                {{3.2f, 1.4f, 3.5f}, 1, receivers + 1, observed + 3}};
static double base(int i)
{
    return i < POINTS ? 2.0 : i < 2 * POINTS ? 1.2 : i < GIVEN - 1 ? 3.0 : 0.1;
}
static double scale(int i)
{
    return i < 2 * POINTS ? 0.2 : 1.0;
}
static void fill(const double *z)
{
    for (int i = 0; i < GIVEN; ++i)
        given[i] = base(i) + scale(i) * z[i];
}
static void left(double *z)
{
    for (int i = 0; i < GIVEN; ++i)
        z[i] = (given[i] - base(i)) / scale(i);
}
#define ARRAYS(p) p, p + POINTS
#define PLACE NX, NY, NZ, 10.0, 1.5, ARRAYS(given), SHOTS, all, STEPS, 0.1
#define OTHERS(p) p + 2 * POINTS
static void run(double *z)
{
    fill(z);
    const double result = waveform_misfit(PLACE, OTHERS(given), given[GIVEN - 1]);
    left(z);
    z[SIZE - 1] = result;
}
static void forward(double *z, double *d)
{
    fill(z);
    for (int i = 0; i < GIVEN; ++i)
        shadow[i] = scale(i) * d[i];
    const double result = waveform_misfit_jvp(PLACE, OTHERS(given), given[GIVEN - 1], ARRAYS(shadow),
                                              OTHERS(shadow), shadow[GIVEN - 1], d + SIZE - 1);
    for (int i = 0; i < GIVEN; ++i)
        d[i] = shadow[i] / scale(i);
    left(z);
    z[SIZE - 1] = result;
}
static void reverse(double *z, double *d)
{
    fill(z);
    for (int i = 0; i < GIVEN; ++i)
        shadow[i] = d[i] / scale(i);
    const double result = waveform_misfit_grad(PLACE, OTHERS(given), given[GIVEN - 1], ARRAYS(shadow),
                                               OTHERS(shadow), shadow + GIVEN - 1, d[SIZE - 1]);
    for (int i = 0; i < GIVEN; ++i)
        d[i] = scale(i) * shadow[i];
    left(z);
    z[SIZE - 1] = result;
}
