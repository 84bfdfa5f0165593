enum { NX = 4, NY = 3, CELLS = NX * NY, ALL = CELLS * UNKNOWNS, REACTIONS = 3, DOMAIN = 3 + UNKNOWNS };
enum { FLOW = ALL, RATES = ALL + 2 * CELLS, BASE = RATES + 2 * REACTIONS, LEWIS = BASE + 1 };
enum { PLACES = LEWIS + UNKNOWNS, GIVEN = PLACES + DOMAIN, SIZE = GIVEN + 1 };
static double given[GIVEN], shadow[GIVEN];
static Domain domain = {.nx = NX, .ny = NY}, d_domain;
static const Mechanism mechanism = {
    REACTIONS,
    {{{FUEL, OXYGEN}, {RADICAL, RADICAL}, 0.0, 0.0, 0.0, 0.2, 0},
     {{RADICAL, FUEL}, {PRODUCT, RADICAL}, 0.0, 0.5, 0.0, 1.0, 0},
     {{RADICAL, RADICAL}, {PRODUCT, -1}, 0.0, 0.0, 0.0, 2.0, 1}}};
static const Accuracy accuracy = {1e-2, 1e-4, 50};
/* Gas that is hot on the right. */
static double base(int i)
{
    static const double rest[GIVEN - RATES] = {
        40.0, 20.0, 30.0, 4.0, 2.0, 0.1, 0.05, 1.0, 1.1, 0.4, 1.2, 1.0, /* rates, diffusion */
        0.25, 0.3,  0.02, 1.0, 2.0, 0.1, 0.1,  1.0};                    /* domain */
    static const double gas[UNKNOWNS] = {1.0, 2.0, 0.1, 0.2, 1.0};
    if (i < ALL)
        return gas[i % UNKNOWNS] + (i % UNKNOWNS == TEMPERATURE && i / UNKNOWNS % NX > 1);
    return i < FLOW + CELLS ? 1.0 : i < RATES ? 0.2 : rest[i - RATES];
}
static double scale(int i)
{
    return 0.05 * base(i);
}
static void fill(const double *z)
{
    for (int i = 0; i < GIVEN; ++i)
        given[i] = base(i) + scale(i) * z[i];
    memcpy(&domain.dx, given + PLACES, DOMAIN * sizeof(double));
}
static void left(double *z)
{
    for (int i = 0; i < GIVEN; ++i)
        z[i] = (given[i] - base(i)) / scale(i);
}
#define FLOWS(p) p + FLOW, p + FLOW + CELLS, p + RATES, p + RATES + REACTIONS
#define PLACE &domain, &mechanism, 2, accuracy, given, FLOWS(given), given[BASE], given + LEWIS
static void run(double *z)
{
    fill(z);
    const double result = burn(PLACE);
    left(z);
    z[SIZE - 1] = result;
}
static void forward(double *z, double *d)
{
    fill(z);
    for (int i = 0; i < GIVEN; ++i)
        shadow[i] = scale(i) * d[i];
    memcpy(&d_domain.dx, shadow + PLACES, DOMAIN * sizeof(double));
    const double result = burn_jvp(PLACE, &d_domain, shadow, FLOWS(shadow), shadow[BASE],
                                   shadow + LEWIS, d + SIZE - 1);
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
    memcpy(&d_domain.dx, shadow + PLACES, DOMAIN * sizeof(double));
    const double result = burn_grad(PLACE, &d_domain, shadow, FLOWS(shadow), shadow + BASE,
                                    shadow + LEWIS, d[SIZE - 1]);
    memcpy(shadow + PLACES, &d_domain.dx, DOMAIN * sizeof(double));
    for (int i = 0; i < GIVEN; ++i)
        d[i] = scale(i) * shadow[i];
    left(z);
    z[SIZE - 1] = result;
}
