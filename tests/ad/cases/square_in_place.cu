// In-place updates of several kinds: each needs the value before the update.
// g2o-verify: square_in_place<<<2, 32>>>(n = 50, x = [n])
__global__ void square_in_place(double *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    x[i] = x[i] * x[i];
    x[i] *= x[i];
    x[i] = sin(x[i]) / x[i];
}
