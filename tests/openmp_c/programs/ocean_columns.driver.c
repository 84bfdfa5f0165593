#ifndef SCHEME
#define SCHEME ENERGY
#endif
enum { COLUMNS = 3, USED = 7, CELLS = COLUMNS * LEVELS, FIELDS = 5 * CELLS, CONSTANTS = 9 };
enum { GIVEN = FIELDS + CONSTANTS + 5 * COLUMNS, SIZE = GIVEN + 1, STEPS = 4 };
static double given[GIVEN], shadow[GIVEN], error[LEVELS];
static Closure closure, d_closure;
static Ocean ocean = {COLUMNS, USED, {0.0}, 50.0};
static double base(int i)
{
    static const double constants[CONSTANTS] = {1e-5, 1e-2, 0.3, 5.0, 0.7, 1.0, 0.35, 23.0, 0.58};
    static const double forcing[5] = {0.1, 0.05, -100.0, 150.0, 1e-7};
    const int level = i % LEVELS;
    if (i < FIELDS) {
        const double values[5] = {18.0 - 0.8 * level, 35.0 + 0.02 * level, 0.1 - 0.015 * level,
                                  0.03 - 0.004 * level, 17.5 - 0.5 * level};
        return values[i / CELLS];
    }
    return i < FIELDS + CONSTANTS ? constants[i - FIELDS] : forcing[(i - FIELDS - CONSTANTS) / COLUMNS];
}
static double scale(int i)
{
    static const double fields[5] = {0.2, 0.01, 0.003, 0.003, 0.2};
    return i < FIELDS ? fields[i / CELLS] : 0.1 * fabs(base(i));
}
static void fill(const double *z)
{
    for (int k = 0; k < LEVELS; ++k) {
        ocean.dz[k] = 4.0 + 0.5 * k;
        error[k] = 0.5 + 0.01 * k;
    }
    for (int i = 0; i < GIVEN; ++i)
        given[i] = base(i) + scale(i) * z[i];
    memcpy(&closure, given + FIELDS, sizeof closure);
}
static void left(double *z)
{
    for (int i = 0; i < GIVEN; ++i)
        z[i] = (given[i] - base(i)) / scale(i);
}
#define FIELD(p, k) (double (*)[LEVELS])((p) + (k) * CELLS)
#define STATE(p) FIELD(p, 0), FIELD(p, 1), FIELD(p, 2), FIELD(p, 3)
#define FORCE(p, k) (p) + FIELDS + CONSTANTS + (k) * COLUMNS
#define FORCES(p) FORCE(p, 0), FORCE(p, 1), FORCE(p, 2), FORCE(p, 3), FORCE(p, 4)
#define SEEN (const double (*)[LEVELS])(given + 4 * CELLS)
#define PLACE &ocean, SCHEME, &closure, STEPS, 1800.0, STATE(given), FORCES(given), SEEN, error
static void run(double *z)
{
    fill(z);
    const double result = forecast(PLACE);
    left(z);
    z[SIZE - 1] = result;
}
static void forward(double *z, double *d)
{
    fill(z);
    for (int i = 0; i < GIVEN; ++i)
        shadow[i] = scale(i) * d[i];
    memcpy(&d_closure, shadow + FIELDS, sizeof closure);
    const double result = forecast_jvp(PLACE, &d_closure, STATE(shadow), FORCES(shadow),
                                       FIELD(shadow, 4), d + SIZE - 1);
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
    memcpy(&d_closure, shadow + FIELDS, sizeof closure);
    const double result = forecast_grad(PLACE, &d_closure, STATE(shadow), FORCES(shadow),
                                        FIELD(shadow, 4), d[SIZE - 1]);
    memcpy(shadow + FIELDS, &d_closure, sizeof closure);
    for (int i = 0; i < GIVEN; ++i)
        d[i] = scale(i) * shadow[i];
    left(z);
    z[SIZE - 1] = result;
}
