enum { NX = 6, NY = 5, CELLS = NX * NY, STEPS = 3, PROBES = 2, SCALARS = 4 * CELLS };
enum { GIVEN = SCALARS + 2 + STEPS * PROBES, SIZE = GIVEN + 1 };
#define SCALE 0.05
static double given[GIVEN], shadow[GIVEN];
static const int probe_i[PROBES] = {2, 4}, probe_j[PROBES] = {1, 3};
static const Grid grid = {NX, NY, 0.2, 0.2, INFLOW, OPEN, REFLECTING, REFLECTING};
static const Probes probes = {PROBES, probe_i, probe_j, 2.0};
static const Scheme scheme = {VAN_LEER, HLLC, 0.4, 0.0, 3, 0};
/* A dense and hot region in gas that moves. */
static double base(int i)
{
    const int is_inside = i % CELLS % NX > 1 && i % CELLS % NX < 4 && i % CELLS / NX > 0;
    if (i >= SCALARS)
        return i == SCALARS ? 1.4 : 1.0;
    if (i < CELLS)
        return is_inside ? 1.5 : 1.0;
    return i < 2 * CELLS ? 0.5 : i < 3 * CELLS ? 0.1 : is_inside ? 2.0 : 1.0;
}
static void fill(const double *z)
{
    for (int i = 0; i < GIVEN; ++i)
        given[i] = base(i) + SCALE * z[i];
}
static void left(double *z)
{
    for (int i = 0; i < GIVEN; ++i)
        z[i] = (given[i] - base(i)) / SCALE;
}
#define STATE(p) p, p + CELLS, p + 2 * CELLS, p + 3 * CELLS
#define PLACE &grid, scheme, STEPS, given[SCALARS], given[SCALARS + 1]
#define OBSERVED &probes, given + SCALARS + 2
static void run(double *z)
{
    fill(z);
    const double result = gas_flow(PLACE, STATE(given), OBSERVED);
    left(z);
    z[SIZE - 1] = result;
}
static void forward(double *z, double *d)
{
    fill(z);
    for (int i = 0; i < GIVEN; ++i)
        shadow[i] = SCALE * d[i];
    const double result =
        gas_flow_jvp(PLACE, STATE(given), OBSERVED, shadow[SCALARS], shadow[SCALARS + 1],
                     STATE(shadow), shadow + SCALARS + 2, d + SIZE - 1);
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
    const double result =
        gas_flow_grad(PLACE, STATE(given), OBSERVED, shadow + SCALARS, shadow + SCALARS + 1,
                      STATE(shadow), shadow + SCALARS + 2, d[SIZE - 1]);
    for (int i = 0; i < GIVEN; ++i)
        d[i] = SCALE * shadow[i];
    left(z);
    z[SIZE - 1] = result;
}
