// Loops that step by a constant, whatever their conditions ask for.
// g2o-verify: two_bounds<<<2, 8>>>(n = 14, x = [n * 4], y = [n])
// g2o-verify: downwards<<<2, 8>>>(n = 14, x = [n * 4 : 0.3 .. 1.2], y = [n])
// g2o-verify: until_large<<<2, 8>>>(n = 14, x = [n * 8], y = [n])
// g2o-verify: without_signs<<<2, 8>>>(n = 14, x = [n * 8], y = [n])
// g2o-verify: narrow<<<2, 8>>>(n = 14, x = [n * 8], y = [n])
// g2o-verify: seen_afterwards<<<2, 8>>>(n = 14, x = [n * 8], y = [n])
// g2o-verify: ragged<<<2, 8>>>(n = 14, m = 3, x = [n * 8], y = [n])

__global__ void two_bounds(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0.0;
    for (int k = 0; k < 6 && i + k < n; ++k)
        sum += x[i + k] * x[i];
    y[i] = sum;
}

__global__ void downwards(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = 1.0;
    for (int k = i + 6; k >= i && x[k] > 0.5; k -= 2)
        v = v * x[k] + x[i];
    y[i] = v;
}

__global__ void until_large(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = 1.0;
    for (int k = 1; k < 8 && v < 3.0; ++k) {
        if (x[i + k] < 0.6)
            continue;
        v += x[i + k] * v;
        if (x[i + k] > 1.4)
            break;
    }
    y[i] = v;
}

__global__ void without_signs(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = 1.0;
    for (unsigned k = 0; k < 8u && k + i < 12u; ++k)
        v = sin(v * x[i + k]);
    y[i] = v;
}

__global__ void narrow(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = 1.0;
    for (unsigned char k = 0; k < 5 && v < 2.5; ++k)
        v = v * (0.4 + x[i + k]);
    y[i] = v;
}

__global__ void seen_afterwards(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    int k;
    for (k = 0; k < 6 && v < 2.0; ++k)
        v += x[i + k] * x[i];
    y[i] = v * x[i + k] * k;
}

__global__ void ragged(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = 1.0;
    for (int j = 0; j < m; ++j)
        for (int k = j; k < 5 && j + k < m + i % 3; ++k)
            v = v * 0.9 + x[i + k] * x[i + j];
    y[i] = v;
}
