// The request names what is active: `mask` and `gain` are constants and have no shadows.
// g2o-verify: masked<<<2, 32>>>(n = 40, x = [n], mask = [n], y = [n])
#pragma g2o grad (y)/(x)
__global__ void masked(const double *x, const double *mask, double gain, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = gain * mask[i] * x[i] * x[i] + mask[i] * gain;
}
