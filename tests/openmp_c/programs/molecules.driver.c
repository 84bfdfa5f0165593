enum { SIDE = 3, BEADS = SIDE * SIDE * SIDE, LENGTH = 3, ALL = DIM * BEADS, OTHERS = 3 * ALL };
enum { GIVEN = OTHERS + 9, SIZE = GIVEN + 1 };
#define BOX 6.0
static double given[GIVEN], shadow[GIVEN];
static const Run how = {BERENDSEN, 0.8, 0.05, 0.004, 3, 2, 0};
/* Beads near the places of a lattice. */
static double base(int i)
{
    static const double others[9] = {1.0, 1.0, 2.0, 5.0, 1.1, 1.0, 1.5, 0.8, 0.1};
    if (i >= OTHERS)
        return others[i - OTHERS];
    const int bead = i % ALL / DIM, axis = i % DIM;
    const int place = axis == 0 ? bead % SIDE : axis == 1 ? bead / SIDE % SIDE : bead / SIDE / SIDE;
    return i / ALL == 1 ? 0.0 : 0.75 + 1.45 * place;
}
static double scale(int i)
{
    return i / ALL == 1 ? 0.5 : 0.05;
}
static void fill_in(const double *z)
{
    for (int i = 0; i < GIVEN; ++i)
        given[i] = base(i) + scale(i) * z[i];
}
static void left(double *z)
{
    for (int i = 0; i < GIVEN; ++i)
        z[i] = (given[i] - base(i)) / scale(i);
}
#define PLACE BEADS, LENGTH, BOX, LENNARD_JONES, 1.9, given + OTHERS, given[OTHERS + 6], how
#define ARRAYS(p) p, p + ALL, p + OTHERS + 7, p + 2 * ALL
static void run(double *z)
{
    fill_in(z);
    const double result = simulate(PLACE, ARRAYS(given));
    left(z);
    z[SIZE - 1] = result;
}
static void forward(double *z, double *d)
{
    fill_in(z);
    for (int i = 0; i < GIVEN; ++i)
        shadow[i] = scale(i) * d[i];
    const double result = simulate_jvp(PLACE, ARRAYS(given), shadow + OTHERS, shadow[OTHERS + 6],
                                       ARRAYS(shadow), d + SIZE - 1);
    for (int i = 0; i < GIVEN; ++i)
        d[i] = shadow[i] / scale(i);
    left(z);
    z[SIZE - 1] = result;
}
static void reverse(double *z, double *d)
{
    fill_in(z);
    for (int i = 0; i < GIVEN; ++i)
        shadow[i] = d[i] / scale(i);
    const double result = simulate_grad(PLACE, ARRAYS(given), shadow + OTHERS, shadow + OTHERS + 6,
                                        ARRAYS(shadow), d[SIZE - 1]);
    for (int i = 0; i < GIVEN; ++i)
        d[i] = scale(i) * shadow[i];
    left(z);
    z[SIZE - 1] = result;
}
