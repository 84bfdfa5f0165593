enum { COUNT = 6, SURFACE = sizeof(Market) / sizeof(double) };
enum { CONTRACTS = SURFACE + sizeof(Surface) / sizeof(double), PRICES = CONTRACTS + 5 * COUNT };
enum { GIVEN = PRICES + COUNT + 1, SIZE = GIVEN + 1 };
static double given[GIVEN], shadow[GIVEN];
static Contract contracts[COUNT], d_contracts[COUNT];
static const Scheme scheme = {26, 7, 2, 0.55};
/* Market, surface, contracts, prices, the weight of smoothness. */
static double base(int i)
{
    static const double market[SURFACE] = {100.0, 0.03, 0.01, 0.2, -0.1, 0.15, 1.5, 0.4};
    static const double dates[DATES] = {0.05, 0.5, 2.0};
    static const double all[5 * COUNT] = {
        85.0,  0.6, 0.0,   17.0, 1.0, 95.0,  0.8, 0.0, 7.0, 0.8, 105.0, 0.3, 140.0, 12.0, 0.5,
        115.0, 0.7, 0.0,   0.3,  1.0, 108.0, 1.2, 0.0, 7.0, 2.0, 92.0,  0.5, 125.0, 9.0,  0.7};
    const int k = i - SURFACE;
    if (i < SURFACE)
        return market[i];
    if (k < DATES * KNOTS)
        return 0.3 - 0.015 * (k % KNOTS) - 0.01 * (k / KNOTS);
    if (k < DATES * KNOTS + DATES)
        return dates[k - DATES * KNOTS];
    if (i < CONTRACTS)
        return i == CONTRACTS - 2 ? log(55.0) : log(170.0);
    return i < PRICES ? all[i - CONTRACTS] : i == GIVEN - 1 ? 0.1 : 0.0;
}
static double scale(int i)
{
    return base(i) != 0.0 ? 0.01 * fabs(base(i)) : i < PRICES ? 0.0 : 1.0;
}
static void fill_in(const double *z)
{
    static const ContractKind kinds[COUNT] = {CALL, PUT, STRADDLE, DIGITAL, CALL, CALL};
    for (int i = 0; i < GIVEN; ++i)
        given[i] = base(i) + scale(i) * z[i];
    for (int k = 0; k < COUNT; ++k) {
        const double *p = given + CONTRACTS + 5 * k;
        contracts[k] = (Contract){kinds[k], k == 1 || k == 4, p[0], p[1], p[2], p[3], p[4]};
    }
}
static void left(double *z)
{
    for (int i = PRICES; i < GIVEN; ++i)
        z[i] = (given[i] - base(i)) / scale(i);
}
static void shadows_in(void)
{
    for (int k = 0; k < COUNT; ++k)
        memcpy(&d_contracts[k].strike, shadow + CONTRACTS + 5 * k, 5 * sizeof(double));
}
#define MARKET(p) (Market *)(p), (Surface *)((p) + SURFACE)
#define PLACE MARKET(given), &scheme, COUNT, contracts, given[GIVEN - 1], given + PRICES, 0
static void run(double *z)
{
    fill_in(z);
    const double result = calibrate(PLACE);
    left(z);
    z[SIZE - 1] = result;
}
static void forward(double *z, double *d)
{
    fill_in(z);
    for (int i = 0; i < GIVEN; ++i)
        shadow[i] = scale(i) * d[i];
    shadows_in();
    const double result = calibrate_jvp(PLACE, MARKET(shadow), d_contracts, shadow[GIVEN - 1],
                                        shadow + PRICES, d + SIZE - 1);
    for (int i = PRICES; i < PRICES + COUNT; ++i)
        d[i] = shadow[i] / scale(i);
    left(z);
    z[SIZE - 1] = result;
}
static void reverse(double *z, double *d)
{
    fill_in(z);
    for (int i = 0; i < GIVEN; ++i)
        shadow[i] = scale(i) > 0.0 ? d[i] / scale(i) : 0.0;
    shadows_in();
    const double result = calibrate_grad(PLACE, MARKET(shadow), d_contracts, shadow + GIVEN - 1,
                                         shadow + PRICES, d[SIZE - 1]);
    for (int k = 0; k < COUNT; ++k)
        memcpy(shadow + CONTRACTS + 5 * k, &d_contracts[k].strike, 5 * sizeof(double));
    for (int i = 0; i < GIVEN; ++i)
        d[i] = scale(i) > 0.0 ? scale(i) * shadow[i] : d[i];
    left(z);
    z[SIZE - 1] = result;
}
