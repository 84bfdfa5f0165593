enum { NX = 9, NY = 5, CELLS = NX * NY, ROUND = (NX + 2) * (NY + 2), STEPS = 4, FAULT = 7 };
enum { LAND = ROUND + 2 * CELLS, GIVEN = LAND + FAULT + STEPS + 1, SIZE = GIVEN + 1 };
static double given[GIVEN], shadow[GIVEN];
static struct fault source, d_source;
static const int place[4] = {3, 2, 5, 1};
static const double seen[8] = {0.2, 0.1, 0.3, -0.1, 0.4, 0.0, 0.2, 0.1};
static const struct gauges gauges = {2, place, 4, 1.0, seen};
static const struct sea sea = {NX, NY, 20.0, 25.0, 1e-3, TIDE, WALL, LIMIT_ALBADA};
/* A beach on the right; the last columns are dry. */
static double base(int i)
{
    static const double fault[FAULT] = {60.0, 60.0, 50.0, 40.0, 0.3, 20.0, 0.5};
    if (i < ROUND)
        return -4.0 + 0.55 * (i / (NY + 2));
    if (i < ROUND + CELLS)
        return 0.2 * ((i - ROUND) / NY < 3);
    return i < LAND ? 0.04 : i < LAND + FAULT ? fault[i - LAND] : 0.3;
}
static double scale(int i)
{
    return i < ROUND + CELLS ? 0.05 : i < LAND ? 0.01 : i < LAND + 4 ? 10.0 : 0.1;
}
static void fill(const double *z)
{
    for (int i = 0; i < GIVEN; ++i)
        given[i] = base(i) + scale(i) * z[i];
    memcpy(&source, given + LAND, sizeof source);
}
static void left(double *z)
{
    for (int i = 0; i < GIVEN; ++i)
        z[i] = (given[i] - base(i)) / scale(i);
}
#define ARRAYS(p) p, p + ROUND, p + ROUND + CELLS
#define TIDE_OF(p) p + LAND + FAULT
#define PLACE &sea, STEPS, 0.0, ARRAYS(given), &source, TIDE_OF(given), &gauges
static void run(double *z)
{
    fill(z);
    const double result = flood(PLACE);
    left(z);
    z[SIZE - 1] = result;
}
static void forward(double *z, double *d)
{
    fill(z);
    for (int i = 0; i < GIVEN; ++i)
        shadow[i] = scale(i) * d[i];
    memcpy(&d_source, shadow + LAND, sizeof source);
    const double result = flood_jvp(PLACE, ARRAYS(shadow), &d_source, TIDE_OF(shadow), d + SIZE - 1);
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
    memcpy(&d_source, shadow + LAND, sizeof source);
    const double result = flood_grad(PLACE, ARRAYS(shadow), &d_source, TIDE_OF(shadow), d[SIZE - 1]);
    memcpy(shadow + LAND, &d_source, sizeof source);
    for (int i = 0; i < GIVEN; ++i)
        d[i] = scale(i) * shadow[i];
    left(z);
    z[SIZE - 1] = result;
}
