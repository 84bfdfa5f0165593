enum { BATCH = 4, INPUTS = 3, HIDDEN = 5, CLASSES = 3 };
enum { B1 = INPUTS * HIDDEN, W2 = B1 + HIDDEN, B2 = W2 + HIDDEN * CLASSES, DATA = B2 + CLASSES };
#define SIZE (DATA + BATCH * INPUTS + 1)
static const int labels[BATCH] = {0, 2, 1, 1};
static void run(double *z)
{
    z[SIZE - 1] = loss(BATCH, INPUTS, HIDDEN, CLASSES, z, z + B1, z + W2, z + B2, z + DATA, labels);
}
static void forward(double *z, double *d)
{
    z[SIZE - 1] = loss_jvp(BATCH, INPUTS, HIDDEN, CLASSES, z, z + B1, z + W2, z + B2, z + DATA, labels,
                           d, d + B1, d + W2, d + B2, d + DATA, d + SIZE - 1);
}
static void reverse(double *z, double *d)
{
    z[SIZE - 1] = loss_grad(BATCH, INPUTS, HIDDEN, CLASSES, z, z + B1, z + W2, z + B2, z + DATA, labels,
                            d, d + B1, d + W2, d + B2, d + DATA, d[SIZE - 1]);
}
