// Parameters that lead to rows of numbers.
// g2o-verify: neighbours<<<2, 16>>>(n = 30, x = [n], y = [n])
// g2o-verify: sums<<<2, 16>>>(n = 30, x = [n : 0.5 .. 2], y = [n])
__global__ void neighbours(const double (*x)[3], double (*y)[3], int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int k = 0; k < 3; ++k)
        y[i][k] = x[i][k] * x[i][(k + 1) % 3];
}

__global__ void sums(const float x[][4], float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i][0] * x[i][1] + x[i][2] / x[i][3];
}
