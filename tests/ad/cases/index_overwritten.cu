// The index of an access is overwritten after its use: the reverse sweep needs the old one.
// g2o-verify: follow<<<2, 8>>>(n = 14, x = [3 * n], y = [3 * n], next = [3 * n : (i * 5 + 2) % 42])
__global__ void follow(const double *x, double *y, const int *next, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int p = i;
    double v = 1.0;
    for (int step = 0; step < 4; ++step) {
        v *= x[p];
        p = next[p];
        v += x[p] * x[i];
    }
    y[i] = v * x[p];
}
