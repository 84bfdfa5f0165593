enum { SIDE = 6, NODES = SIDE * SIDE, KINDS = 2, OF_KIND = sizeof(struct assembly) / sizeof(double) };
enum { FEEDBACK = KINDS * OF_KIND, PLAIN = FEEDBACK + 6, BURNUP = PLAIN + 2 };
enum { DETECTORS = 3, MEASURED = BURNUP + NODES, GIVEN = MEASURED + DETECTORS, SIZE = GIVEN + 1 };
static double given[GIVEN], shadow[GIVEN];
static int kind[NODES];
static const int where[DETECTORS] = {0, 2 * SIDE + 3, 4 * SIDE + 1};
static const struct core core = {SIDE, 10.0, KINDS, kind};
static const struct numerics num = {6, 2, 1.2, 2, 3, 150.0, 0};
/* A quarter of a core with fuel that has been burnt differently, and water around it. */
static double base(int i)
{
    static const double fuel[7] = {1.4, 0.4, 0.009, 0.085, 0.006, 0.125, 0.017};
    static const double change[7] = {-0.01, 0.01, 0.0005, 0.004, -0.0004, -0.006, -0.0002};
    static const double water[7] = {1.9, 0.28, 0.0005, 0.012, 0.0, 0.0, 0.035};
    static const double feedback[6] = {560.0, 30.0, 350.0, 900.0, 0.003, 0.8};
    static const double measured[DETECTORS] = {1.5, 1.2, 0.8};
    const int one = i % OF_KIND, p = (one - POINTS) / 7, of_point = (one - POINTS) % 7;
    if (i < FEEDBACK && one < POINTS)
        return 15.0 * one;
    if (i < FEEDBACK && one < OF_KIND - 2)
        return i < OF_KIND ? fuel[of_point] + p * change[of_point] : water[of_point];
    if (i < FEEDBACK)
        return one == OF_KIND - 1 ? 0.8 : i < OF_KIND ? 2e-3 : 0.0;
    if (i < PLAIN)
        return feedback[i - FEEDBACK];
    if (i < BURNUP)
        return i == PLAIN ? 0.1 : 35.0;
    return i < MEASURED ? 2.0 + 13.0 * ((i - BURNUP) % 3) : measured[i - MEASURED];
}
static double scale(int i)
{
    return base(i) != 0.0 ? 0.02 * fabs(base(i)) : 1e-4;
}
static void fill(const double *z)
{
    for (int i = 0; i < GIVEN; ++i)
        given[i] = base(i) + scale(i) * z[i];
    for (int at = 0; at < NODES; ++at) {
        const int x = at / SIDE, y = at % SIDE;
        kind[at] = x * x + y * y > 20;
    }
}
static void left(double *z)
{
    for (int i = 0; i < GIVEN; ++i)
        z[i] = (given[i] - base(i)) / scale(i);
}
#define KINDS_OF(p) (struct assembly *)(p), (struct feedback *)((p) + FEEDBACK)
#define LAST(p) p + BURNUP, DETECTORS, where, p + MEASURED
#define PLACE &core, KINDS_OF(given), given[PLAIN], given[PLAIN + 1], &num, LAST(given)
static void run(double *z)
{
    fill(z);
    const double result = cycle(PLACE);
    left(z);
    z[SIZE - 1] = result;
}
static void forward(double *z, double *d)
{
    fill(z);
    for (int i = 0; i < GIVEN; ++i)
        shadow[i] = scale(i) * d[i];
    const double result = cycle_jvp(PLACE, KINDS_OF(shadow), shadow[PLAIN], shadow[PLAIN + 1],
                                    shadow + BURNUP, shadow + MEASURED, d + SIZE - 1);
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
    const double result = cycle_grad(PLACE, KINDS_OF(shadow), shadow + PLAIN, shadow + PLAIN + 1,
                                     shadow + BURNUP, shadow + MEASURED, d[SIZE - 1]);
    for (int i = 0; i < GIVEN; ++i)
        d[i] = scale(i) * shadow[i];
    left(z);
    z[SIZE - 1] = result;
}
