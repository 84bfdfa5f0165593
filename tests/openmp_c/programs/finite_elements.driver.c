enum { NX = 3, NY = 2, ELEMENTS = NX * NY, VERTICES = (NX + 1) * (NY + 1), UNKNOWNS = 2 * VERTICES };
enum { GIVEN = 3 * UNKNOWNS + ELEMENTS + 2, SIZE = GIVEN + 1 };
static double given[GIVEN], shadow[GIVEN];
static int node[ELEMENTS][NODES];
static bool fixed[UNKNOWNS];
static Csr pattern;
static const Solver solver = {40, 1e-6};
/* A cantilever with a load on the right: places, displacements, loads, densities. */
static double base(int i)
{
    const int vertex = i % UNKNOWNS / 2, axis = i % 2;
    if (i < UNKNOWNS)
        return axis == 0 ? vertex / (NY + 1) : vertex % (NY + 1);
    if (i < 3 * UNKNOWNS)
        return i >= 2 * UNKNOWNS && axis == 1 && vertex / (NY + 1) == NX ? -0.1 : 0.0;
    return i < GIVEN - 2 ? 0.5 : i == GIVEN - 2 ? 1.0 : 0.3;
}
static void fill(const double *z)
{
    for (int i = 0; i < GIVEN; ++i)
        given[i] = base(i) + 0.05 * z[i];
    for (int e = 0; e < ELEMENTS; ++e) {
        const int first = e / NY * (NY + 1) + e % NY;
        node[e][0] = first, node[e][1] = first + NY + 1, node[e][2] = first + NY + 2;
        node[e][3] = first + 1;
    }
    for (int i = 0; i < 2 * (NY + 1); ++i)
        fixed[i] = true;
    const Mesh mesh = {VERTICES, ELEMENTS, NULL, (const int (*)[NODES])node, fixed};
    if (pattern.start == NULL)
        make_pattern(&mesh, &pattern);
}
static void left(double *z)
{
    for (int i = 0; i < GIVEN; ++i)
        z[i] = 20.0 * (given[i] - base(i));
}
#define AT(p) (double (*)[2])(p)
#define DESIGN(p) (p) + 3 * UNKNOWNS
#define LOAD(p) (p) + 2 * UNKNOWNS
#define U(p) (p) + UNKNOWNS
#define MESH VERTICES, ELEMENTS, (const double (*)[2])given, (const int (*)[NODES])node, fixed, &pattern
#define STIFF(p) p[GIVEN - 2], p[GIVEN - 1]
#define PLACE MESH, DESIGN(given), LOAD(given), U(given), STIFF(given), 1.4, &solver
static void run(double *z)
{
    fill(z);
    const double result = objective(PLACE);
    left(z);
    z[SIZE - 1] = result;
}
static void forward(double *z, double *d)
{
    fill(z);
    for (int i = 0; i < GIVEN; ++i)
        shadow[i] = 0.05 * d[i];
    const double result = objective_jvp(PLACE, AT(shadow), DESIGN(shadow), LOAD(shadow), U(shadow),
                                        STIFF(shadow), d + SIZE - 1);
    for (int i = 0; i < GIVEN; ++i)
        d[i] = 20.0 * shadow[i];
    left(z);
    z[SIZE - 1] = result;
}
static void reverse(double *z, double *d)
{
    fill(z);
    for (int i = 0; i < GIVEN; ++i)
        shadow[i] = 20.0 * d[i];
    const double result = objective_grad(PLACE, AT(shadow), DESIGN(shadow), LOAD(shadow), U(shadow),
                                         &shadow[GIVEN - 2], &shadow[GIVEN - 1], d[SIZE - 1]);
    for (int i = 0; i < GIVEN; ++i)
        d[i] = 0.05 * shadow[i];
    left(z);
    z[SIZE - 1] = result;
}
