// atomicMax on whole numbers made from active values has no derivative; what is added beside has.
// g2o-verify: levels<<<2, 32>>>(n = 60, x = [n : 0.1 .. 8.9], highest = [1 : 0 .. 0], y = [n])
__global__ void levels(const double *x, int *highest, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int level = (int)floor(x[i]);
    atomicMax(highest, level);
    y[i] = x[i] * (1.0 + level) - level;
}
