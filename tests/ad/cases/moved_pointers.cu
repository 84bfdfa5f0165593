// Pointers that the kernel moves before it uses them, parameters among them.
// g2o-verify: rows<<<4, 8>>>(n = 8, x = [4 * n], y = [4 * n])
__global__ void rows(const double *x, double *y, int n)
{
    x += blockIdx.x * n;
    y += blockIdx.x * n;
    const double *next = x;
    if (threadIdx.x >= n)
        return;
    y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
    ++next;
    y += threadIdx.x;
    if (threadIdx.x + 1 < n)
        *y *= next[threadIdx.x];
}
