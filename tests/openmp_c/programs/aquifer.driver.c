enum { NX = 6, NY = 5, CELLS = NX * NY, STEPS = 3, WELLS = 3, REACHES = 5, BOREHOLES = 4 };
enum { LOG_K, BOTTOM = CELLS, GROUND = 2 * CELLS, H = 3 * CELLS, WELL = 4 * CELLS };
enum { STAGE = WELL + 2 * WELLS, BED = STAGE + REACHES, PLAIN = BED + REACHES };
enum { AT = PLAIN + 5, RECHARGE = AT + 2 * BOREHOLES, OBSERVED = RECHARGE + STEPS };
enum { WEIGHT = OBSERVED + STEPS * BOREHOLES, GIVEN = WEIGHT + BOREHOLES, SIZE = GIVEN + 1 };
static double given[GIVEN], shadow[GIVEN];
static unsigned char kind[CELLS];
static const int bank[REACHES] = {13, 14, 15, 16, 21};
static const grid_t grid = {NX, NY, 20.0, 25.0, kind};
static const control_t control = {5.0, STEPS, 2, 60, 1e-26, 0};
static well_t well[WELLS], d_well[WELLS];
static aquifer_t aquifer, d_aquifer;
static river_t river, d_river;
static evaporation_t evaporation, d_evaporation;
/* A strip between two lakes, with a corner outside and a river that hangs above the east. */
static double base(int i)
{
    static const double wells[2 * WELLS] = {60.0, 12.0, 40.0, 4.0, 30.0, 15.0};
    static const double plain[5] = {0.15, 0.8, 4.0, 0.002, 3.0};
    static const double places[2 * BOREHOLES] = {43.0, 38.0, 77.0, 92.0, 55.0, 110.0, 95.0, 3.0};
    const int c = i % CELLS, x = c % NX, y = c / NX;
    if (i < WELL)
        return i < BOTTOM   ? 2.0 + 0.1 * x
               : i < GROUND ? 0.3 * y
               : i < H      ? 11.0 + 0.6 * y
                            : 10.5 - 0.3 * x;
    if (i < STAGE)
        return wells[i - WELL];
    if (i < PLAIN)
        return i < BED ? 11.0 : i == PLAIN - 1 ? 10.9 : 8.3 + 0.5 * (i - BED);
    if (i < AT)
        return plain[i - PLAIN];
    if (i < RECHARGE)
        return places[i - AT];
    return i < OBSERVED ? 0.002 : i < WEIGHT ? 8.7 + 0.4 * (i % BOREHOLES) : 1.0;
}
static double scale(int i)
{
    return (i < BOTTOM || (i >= WELL && i < STAGE) || i >= PLAIN ? 0.05 : 0.005) * fabs(base(i)) +
           (i < WELL ? 0.01 : 0.0);
}
static void point_into(double *p, aquifer_t *a, well_t *w, river_t *r, evaporation_t *e)
{
    *a = (aquifer_t){p + LOG_K, p + BOTTOM, p + GROUND, p[PLAIN], p[PLAIN + 1]};
    for (int k = 0; k < WELLS; ++k)
        w[k] = (well_t){k == 2 ? 13 : 8 + 12 * k, k, k + 2, p[WELL + 2 * k], p[WELL + 2 * k + 1]};
    *r = (river_t){REACHES, bank, p + STAGE, p + BED, p[PLAIN + 2]};
    *e = (evaporation_t){p[PLAIN + 3], p[PLAIN + 4]};
}
static void fill(const double *z)
{
    for (int i = 0; i < GIVEN; ++i)
        given[i] = base(i) + scale(i) * z[i];
    for (int c = 0; c < CELLS; ++c)
        kind[c] = c == CELLS - 1 ? OUTSIDE : c % NX == 0 || c % NX == NX - 1 ? FIXED : ACTIVE;
    point_into(given, &aquifer, well, &river, &evaporation);
}
static void left(double *z)
{
    for (int i = 0; i < GIVEN; ++i)
        z[i] = (given[i] - base(i)) / scale(i);
}
#define PLACES(p) (borehole_t *)((p) + AT)
#define REST(p) PLACES(p), p + OBSERVED, p + WEIGHT
#define PLACE \
    &grid, &aquifer, WELLS, well, &river, evaporation, given + RECHARGE, control, given + H, BOREHOLES
#define SHADOWS &d_aquifer, d_well, &d_river, &d_evaporation, shadow + RECHARGE, shadow + H
static void run(double *z)
{
    fill(z);
    const double result = pump(PLACE, REST(given));
    left(z);
    z[SIZE - 1] = result;
}
static void forward(double *z, double *d)
{
    fill(z);
    for (int i = 0; i < GIVEN; ++i)
        shadow[i] = scale(i) * d[i];
    point_into(shadow, &d_aquifer, d_well, &d_river, &d_evaporation);
    const double result = pump_jvp(PLACE, REST(given), SHADOWS, REST(shadow), d + SIZE - 1);
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
    point_into(shadow, &d_aquifer, d_well, &d_river, &d_evaporation);
    const double result = pump_grad(PLACE, REST(given), SHADOWS, REST(shadow), d[SIZE - 1]);
    for (int k = 0; k < WELLS; ++k)
        shadow[WELL + 2 * k] = d_well[k].rate, shadow[WELL + 2 * k + 1] = d_well[k].screen;
    shadow[PLAIN] = d_aquifer.yield, shadow[PLAIN + 1] = d_aquifer.anisotropy;
    shadow[PLAIN + 2] = d_river.leakance;
    shadow[PLAIN + 3] = d_evaporation.most, shadow[PLAIN + 4] = d_evaporation.depth;
    for (int i = 0; i < GIVEN; ++i)
        d[i] = scale(i) * shadow[i];
    left(z);
    z[SIZE - 1] = result;
}
