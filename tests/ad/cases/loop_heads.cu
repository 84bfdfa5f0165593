// Numbers that the heads of loops change.
// g2o-verify: halve<<<2, 32>>>(n = 40, x = [n], y = [n])
// g2o-verify: square<<<2, 32>>>(n = 40, x = [n], y = [n])
// g2o-verify: skip<<<2, 32>>>(n = 40, x = [n], y = [n])
__global__ void halve(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0.0;
    for (double v = x[i] * x[i] + 1.0; v > 0.1; v *= 0.5)
        sum += v * v;
    y[i] = sum;
}

__global__ void square(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0.0, v = x[i];
    for (int j = 0; j < 4; ++j, v *= v)
        sum += v;
    y[i] = sum + v;
}

__global__ void skip(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0.0, v = x[i];
    int j = 0;
    for (; j < 6; ++j, v = v * 0.9 + 0.1 * v * v) {
        if (j == 2)
            continue;
        if (v < -0.8)
            break;
        sum += v * v;
    }
    y[i] = sum * v * j;
}
