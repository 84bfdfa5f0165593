enum { NX = 7, NY = 6, CELLS = NX * NY, STEPS = 3, COUNT = 2, NUMBERS = 8 * MATERIALS };
enum { PLAIN = 2 * CELLS + NUMBERS, GIVEN = PLAIN + 4 + STEPS * COUNT, SIZE = GIVEN + 1 };
static double given[GIVEN], shadow[GIVEN];
static unsigned char kind[CELLS];
static Material materials[MATERIALS], d_materials[MATERIALS];
static const Field field = {NX, NY, 0.02, kind};
static const Times times = {4.0, STEPS, 2, 0};
static const int place[COUNT] = {2 * NY + 2, 4 * NY + 3};
/* Metal that begins to be solid in a mould. */
static double base(int i)
{
    static const double numbers[NUMBERS] = {30.0, 0.01,   7200.0, 600.0, 0.1, 2.7e5, 1400.0, 1480.0,
                                            1.0,  0.0005, 1600.0, 900.0, 0.2, 1e2,   0.0,    3000.0};
    static const double around[4] = {25.0, 20.0, 0.8, 500.0};
    const int x = i % CELLS / NY, y = i % NY;
    const int is_metal = x > 0 && x < NX - 1 && y > 0 && y < NY - 1;
    if (i < CELLS)
        return is_metal ? 1440.0 : 60.0;
    if (i < 2 * CELLS)
        return 1000.0;
    return i < PLAIN ? numbers[i - 2 * CELLS] : i < PLAIN + 4 ? around[i - PLAIN] : 1300.0;
}
static double scale(int i)
{
    const double size = fabs(base(i));
    return i < CELLS ? 10.0 : 0.02 * (size > 0.0 ? size : 100.0);
}
static void fill(const double *z)
{
    for (int i = 0; i < GIVEN; ++i)
        given[i] = base(i) + scale(i) * z[i];
    for (int i = 0; i < CELLS; ++i)
        kind[i] = base(i) > 100.0 ? METAL : MOULD;
    memcpy(materials, given + 2 * CELLS, sizeof materials);
}
static void left(double *z)
{
    for (int i = 0; i < GIVEN; ++i)
        z[i] = (given[i] - base(i)) / scale(i);
}
#define AROUND(p) p[PLAIN], p[PLAIN + 1], p[PLAIN + 2], p[PLAIN + 3]
#define AT_AROUND(p) p + PLAIN, p + PLAIN + 1, p + PLAIN + 2, p + PLAIN + 3
#define SOURCE(p) p, p + CELLS
#define RECORDED(p) p + PLAIN + 4
#define PLACE &field, materials, times, AROUND(given), SOURCE(given), COUNT, place, RECORDED(given)
static void run(double *z)
{
    fill(z);
    const double result = cast(PLACE);
    left(z);
    z[SIZE - 1] = result;
}
static void forward(double *z, double *d)
{
    fill(z);
    for (int i = 0; i < GIVEN; ++i)
        shadow[i] = scale(i) * d[i];
    memcpy(d_materials, shadow + 2 * CELLS, sizeof materials);
    const double result = cast_jvp(PLACE, d_materials, AROUND(shadow), SOURCE(shadow),
                                   RECORDED(shadow), d + SIZE - 1);
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
    memcpy(d_materials, shadow + 2 * CELLS, sizeof materials);
    const double result = cast_grad(PLACE, d_materials, AT_AROUND(shadow), SOURCE(shadow),
                                    RECORDED(shadow), d[SIZE - 1]);
    memcpy(shadow + 2 * CELLS, d_materials, sizeof materials);
    for (int i = 0; i < GIVEN; ++i)
        d[i] = scale(i) * shadow[i];
    left(z);
    z[SIZE - 1] = result;
}
