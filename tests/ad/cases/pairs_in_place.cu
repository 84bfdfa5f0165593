// Pairs of elements that are stored and loaded again: compilers keep the order of an iteration.
// g2o-verify: pairs<<<2, 32>>>(n = 60, x = [120])
// g2o-verify: halves<<<2, 32>>>(n = 60, x = [60])
__global__ void pairs(double *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a = x[2 * i], b = x[2 * i + 1];
    x[2 * i] = b * a;
    x[2 * i + 1] = x[2 * i] * a;
}

__global__ void halves(double *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 2) {
        double a = x[i];
        x[i] = 2.0 * x[n - 1 - i];
        x[n - 1 - i] = a * x[i];
    }
}
