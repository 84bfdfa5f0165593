// Returns in the middle: what follows does not happen for those threads.
// g2o-verify: early_return<<<2, 32>>>(n = 60, x = [n : -1 .. 1], y = [n])
__global__ void early_return(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = x[i] * x[i];
    if (x[i] < -0.5)
        return;
    y[i] *= 2.0 + x[i];
    if (x[i] < 0.5) {
        y[i] = sin(y[i]);
        return;
    }
    y[i] = y[i] * y[i];
}
