// The branch that is not taken has an infinite derivative.
// g2o-verify: guarded<<<2, 8>>>(n = 14, x = [n : int(i % 3) * 0.5], y = [n])
// g2o-verify: differences = none
__global__ void guarded(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] > 0.0 ? sqrt(x[i]) + log(x[i]) : 2.0 * x[i];
}
