enum { TIPS = 6, NODES = 2 * TIPS - 1, BRANCHES = NODES - 1, PATTERNS = 9, ROUNDS = 2 };
enum { MODEL = PATTERNS, PRIORS = MODEL + sizeof(Model) / sizeof(double) };
enum { LENGTH = PRIORS + sizeof(Priors) / sizeof(double), GIVEN = LENGTH + BRANCHES, SIZE = GIVEN + 1 };
static double given[GIVEN], shadow[GIVEN];
static unsigned char code[TIPS * PATTERNS];
static Node node[NODES];
static const Tree tree = {TIPS, NODES, node};
/* Counts of patterns, the model, priors, and lengths of branches. */
static double base(int i)
{
    static const double others[] = {1.0, 3.0, 0.8, 1.2, 2.6, 1.1, 3.0, 2.2, 1.9,  2.8, 0.2, 0.8,
                                    2.1, 0.1, 0.3, -.2, -1., .02, 0.1, 2.0, 2.5,  1.0, 0.3};
    return i < PATTERNS ? 1.0 + i % 3 : i < LENGTH ? others[i - MODEL] : 0.05 + 0.02 * (i % 4);
}
static double scale(int i)
{
    return 0.1 * fabs(base(i));
}
/* Some patterns are the same in all tips, and some tips are not known. */
static void fill(const double *z)
{
    for (int i = 0; i < GIVEN; ++i)
        given[i] = base(i) + scale(i) * z[i];
    for (int v = 0; v < NODES; ++v) {
        const int inner = v - TIPS;
        node[v].left = inner < 0 ? NOBODY : 2 * inner;
        node[v].right = inner < 0 ? NOBODY : 2 * inner + 1;
        node[v].parent = v == NODES - 1 ? NOBODY : TIPS + v / 2;
    }
    for (int v = 0; v < TIPS; ++v)
        for (int p = 0; p < PATTERNS; ++p) {
            const int state = p < STATES ? p : (p + v * (p % 3 + 1) / 2) % STATES;
            code[v * PATTERNS + p] = p == v + 4 ? 5 : p == 2 && v == 1 ? 15 : 1 << state;
        }
}
static void left(double *z)
{
    for (int i = 0; i < GIVEN; ++i)
        z[i] = (given[i] - base(i)) / scale(i);
}
#define MODEL_OF(p) (Model *)((p) + MODEL), (Priors *)((p) + PRIORS)
#define PLACE &tree, PATTERNS, code, given, MODEL_OF(given), ROUNDS, given + LENGTH, 0
static void run(double *z)
{
    fill(z);
    const double result = posterior(PLACE);
    left(z);
    z[SIZE - 1] = result;
}
static void forward(double *z, double *d)
{
    fill(z);
    for (int i = 0; i < GIVEN; ++i)
        shadow[i] = scale(i) * d[i];
    const double result =
        posterior_jvp(PLACE, shadow, MODEL_OF(shadow), shadow + LENGTH, d + SIZE - 1);
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
    const double result =
        posterior_grad(PLACE, shadow, MODEL_OF(shadow), shadow + LENGTH, d[SIZE - 1]);
    for (int i = 0; i < GIVEN; ++i)
        d[i] = scale(i) * shadow[i];
    left(z);
    z[SIZE - 1] = result;
}
