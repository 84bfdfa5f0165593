enum { NX = 7, NY = 6, CELLS = NX * NY, STEPS = 4, SENSORS = 3, GIVEN = 5 * CELLS + NY + 2 };
#define SIZE (GIVEN + 1)
#define SCALE 0.05
static double given[GIVEN], shadow[GIVEN];
static unsigned char solid[CELLS];
static const int sensor[SENSORS] = {2 * NX + 3, 3 * NX + 1, 3 * NX + 5};
static const double observed[2 * SENSORS] = {0.04, 0.0, 0.05, -0.01, 0.06, 0.01};
static const Lattice lattice = {NX, NY, 1, 0, 0.0, 0.17, 0.0};
/* The populations rest on a density of 1 and a relaxation time of 0.8. */
static double base(int i)
{
    return i < CELLS ? 1.0 : i == GIVEN - 2 ? 0.8 : 0.0;
}
static void fill(const double *z)
{
    for (int i = 0; i < GIVEN; ++i)
        given[i] = base(i) + SCALE * z[i];
    solid[2 * NX + 2] = solid[3 * NX + 2] = SOLID;
}
static void left(double *z)
{
    for (int i = 0; i < GIVEN; ++i)
        z[i] = (given[i] - base(i)) / SCALE;
}
#define ARRAYS(p) p, p + CELLS, p + 2 * CELLS, p + 3 * CELLS, p + 5 * CELLS
#define PLACE lattice, STEPS, given[GIVEN - 2], given[GIVEN - 1], solid
#define OBSERVED SENSORS, sensor, observed
static void run(double *z)
{
    fill(z);
    const double result = cost(PLACE, ARRAYS(given), OBSERVED);
    left(z);
    z[SIZE - 1] = result;
}
static void forward(double *z, double *d)
{
    fill(z);
    for (int i = 0; i < GIVEN; ++i)
        shadow[i] = SCALE * d[i];
    const double result = cost_jvp(PLACE, ARRAYS(given), OBSERVED, shadow[GIVEN - 2],
                                   shadow[GIVEN - 1], ARRAYS(shadow), d + SIZE - 1);
    for (int i = 0; i < GIVEN; ++i)
        d[i] = shadow[i] / SCALE;
    left(z);
    z[SIZE - 1] = result;
}
static void reverse(double *z, double *d)
{
    fill(z);
    for (int i = 0; i < GIVEN; ++i)
        shadow[i] = d[i] / SCALE;
    const double result = cost_grad(PLACE, ARRAYS(given), OBSERVED, shadow + GIVEN - 2,
                                    shadow + GIVEN - 1, ARRAYS(shadow), d[SIZE - 1]);
    for (int i = 0; i < GIVEN; ++i)
        d[i] = SCALE * shadow[i];
    left(z);
    z[SIZE - 1] = result;
}
