// Only some locations are overwritten: the seeds of the others stay.
// g2o-verify: conditional<<<2, 32>>>(n = 60, x = [n : -1 .. 1], y = [n])
__global__ void conditional(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0.0 && i % 5 != 2)
        y[i] = x[i] * x[i];
}
