// Indirect writes to locations that are all different.
// g2o-verify: scatter<<<2, 32>>>(n = 60, target = [n : (7 * i + 3) % 60], x = [n], y = [n])
__global__ void scatter(const int *target, const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[target[i]] = x[i] * y[target[i]];
}
