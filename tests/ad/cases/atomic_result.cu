// The sum so far, which an atomicAdd gives, decides about something that has no derivative.
// g2o-verify: atomic_result<<<2, 32>>>(n = 40, x = [n], t = [3], count = [n])
__global__ void atomic_result(const double *x, double *t, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double old = atomicAdd(&t[i % 3], x[i] * x[i]);
    count[i] = old > 1000.0 ? 1 : 0;
    double other;
    other = atomicAdd(&t[i % 3], 2.0 * x[i]);
    if (other > 1000.0)
        count[i] = 2;
}
