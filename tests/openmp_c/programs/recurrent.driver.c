enum { WEIGHTS = 181, SEQUENCES = 5, LENGTH = 6, CLASSES = 3, SCORES = SEQUENCES * CLASSES };
enum { GIVEN = WEIGHTS + SCORES + 1, SIZE = GIVEN + 1 };
static double given[GIVEN], shadow[GIVEN];
static const Shape shape = {5, 2, 3, 3, 2, CLASSES, GELU, 0.3};
static const int symbols[SEQUENCES * LENGTH] = {0, 1, 2, 3, 4, 0, 3, 3, 1, 0, 2, 4, 4, 2, 1,
                                                1, 0, 3, 2, 2, 2, 1, 1, 0, 0, 4, 1, 4, 2, 3};
static const int lengths[SEQUENCES] = {6, 5, 6, 3, 4}, labels[SEQUENCES] = {0, 2, 1, 1, 0};
static const Batch batch = {SEQUENCES, LENGTH, symbols, lengths, labels};
static double base(int i)
{
    return i < WEIGHTS ? 0.4 * sin(1.3 * i) : i < GIVEN - 1 ? 0.0 : 0.01;
}
static void fill(const double *z)
{
    for (int i = 0; i < GIVEN; ++i)
        given[i] = base(i) + 0.1 * z[i];
}
static void left(double *z)
{
    for (int i = 0; i < GIVEN; ++i)
        z[i] = 10.0 * (given[i] - base(i));
}
#define PLACE shape, &batch, given, given[GIVEN - 1], given + WEIGHTS, &right
static void run(double *z)
{
    int right;
    fill(z);
    const double result = batch_loss(PLACE);
    left(z);
    z[SIZE - 1] = result + (lay_out(&shape).count != WEIGHTS);
}
static void forward(double *z, double *d)
{
    int right;
    fill(z);
    for (int i = 0; i < GIVEN; ++i)
        shadow[i] = 0.1 * d[i];
    const double result = batch_loss_jvp(PLACE, shadow, shadow[GIVEN - 1], shadow + WEIGHTS, d + SIZE - 1);
    for (int i = 0; i < GIVEN; ++i)
        d[i] = 10.0 * shadow[i];
    left(z);
    z[SIZE - 1] = result;
}
static void reverse(double *z, double *d)
{
    int right;
    fill(z);
    for (int i = 0; i < GIVEN; ++i)
        shadow[i] = 10.0 * d[i];
    const double result =
        batch_loss_grad(PLACE, shadow, shadow + GIVEN - 1, shadow + WEIGHTS, d[SIZE - 1]);
    for (int i = 0; i < GIVEN; ++i)
        d[i] = 0.1 * shadow[i];
    left(z);
    z[SIZE - 1] = result;
}
