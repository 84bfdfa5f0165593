// Bounds that are not whole numbers, and steps wider than an int.
// g2o-verify: fractions<<<2, 32>>>(n = 40, x = [n], limit = [n : 0.5 + i % 4], y = [n])
// g2o-verify: wide<<<2, 32>>>(n = 40, x = [n], y = [n])
// g2o-verify: left_early<<<2, 32>>>(n = 40, x = [n], y = [n])
__global__ void fractions(const double *x, const double *limit, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double s = 0.5;
    for (int j = 0; j < limit[i]; ++j)
        s = s * x[(i + j) % n];
    y[i] = s;
}

__global__ void wide(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double s = x[i];
    for (unsigned long long w = 1; w < 1ull << 40; w <<= 4)
        s = s * 0.9 + x[w % n] * s;
    y[i] = s;
}

// The index of a loop that is left early is not stepped once more.
__global__ void left_early(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int j = 0;
    double s = 0.5;
    for (; j < 7; ++j) {
        if (s < 0.1)
            break;
        s = s * x[(i + j) % n] * x[(i + j) % n] + 0.01;
    }
    y[i] = s * x[j];
}
