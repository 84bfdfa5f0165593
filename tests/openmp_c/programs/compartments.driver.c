enum { TIMES = 3, OWN = PARTS * PARTS + 2 * PARTS + 2, SIZE = OWN + TIMES * (PARTS + 1) + PARTS + 1 };
static Model lead(double *z)
{
    Model m = {.steps = TIMES, .dose = z[0], .input = z + OWN, .cost = {.least = z[1]}};
    m.seen = (double(*)[PARTS])(z + OWN + TIMES);
    memcpy(m.k.rate, z + 2, sizeof m.k.rate);
    memcpy(m.k.loss, z + 2 + PARTS * PARTS, sizeof m.k.loss);
    memcpy(m.cost.weight, z + 2 + PARTS * PARTS + PARTS, sizeof m.cost.weight);
    return m;
}
static void back(const Model *m, double *z)
{
    z[0] = m->dose;
    z[1] = m->cost.least;
    memcpy(z + 2, m->k.rate, sizeof m->k.rate);
    memcpy(z + 2 + PARTS * PARTS, m->k.loss, sizeof m->k.loss);
    memcpy(z + 2 + PARTS * PARTS + PARTS, m->cost.weight, sizeof m->cost.weight);
}
#define HELD(z) (z) + SIZE - 1 - PARTS
static void run(double *z)
{
    Model m = lead(z);
    z[SIZE - 1] = misfit(&m, HELD(z), 0.1);
    back(&m, z);
}
static void forward(double *z, double *d)
{
    Model m = lead(z), d_m = lead(d);
    z[SIZE - 1] = misfit_jvp(&m, HELD(z), 0.1, &d_m, HELD(d), d + SIZE - 1);
    back(&m, z);
    back(&d_m, d);
}
static void reverse(double *z, double *d)
{
    Model m = lead(z), d_m = lead(d);
    z[SIZE - 1] = misfit_grad(&m, HELD(z), 0.1, &d_m, HELD(d), d[SIZE - 1]);
    back(&m, z);
    back(&d_m, d);
}
