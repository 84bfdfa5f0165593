// Values that both sides of a choice need, and values made from the result of the call itself.
// g2o-verify: two_sides<<<2, 8>>>(n = 13, x = [n * 3], y = [n])
// g2o-verify: two_sides_of_turns<<<2, 8>>>(n = 13, x = [n * 3], y = [n])
// g2o-verify: rotations<<<1, 8>>>(x = [8], y = [8])
// g2o-verify: lengths<<<1, 8>>>(x = [8], y = [8])
__global__ void two_sides(double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double *p = x + 3 * i;
    p[0] = i % 2 ? p[0] * p[1] : p[0] * p[2];
    p[1] = p[0] > 1.0 ? p[1] * p[2] * p[2] : p[1] / p[2];
    y[i] = p[0] * p[1];
}

__global__ void two_sides_of_turns(double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double *p = x + 3 * i;
    for (int k = 0; k < 3; ++k) {
        p[0] = (i + k) % 2 ? p[0] * p[1] : p[0] * p[2] * p[2];
        p[1] = p[0] > 0.9 ? p[1] * p[0] * 0.5 : sin(p[1] + p[2] * p[0]);
    }
    y[i] = p[0] * p[1];
}

// Givens rotations: the derivative of hypot asks whether its result is 0.
__global__ void rotations(const double *x, double *y)
{
    int i = threadIdx.x;
    double a[2] = {x[i], 1.0};
    for (int j = 0; j < 2; ++j) {
        double r = hypot(a[j], a[1 - j]);
        double c = a[j] / r;
        a[j] = c;
    }
    y[i] = a[0] * a[1];
}

__global__ void lengths(const double *x, double *y)
{
    int i = threadIdx.x;
    double a[3] = {x[i], 1.0, 0.5}, l = 1.0;
    for (int j = 0; j < 3; ++j) {
        l = norm3d(a[0], a[j], j == 1 ? a[0] * a[1] : l * a[2]);
        a[j] = a[j] / l;
        l *= hypot(fmax(a[0], a[2]), a[1]);
    }
    y[i] = a[0] * a[1] * l;
}
