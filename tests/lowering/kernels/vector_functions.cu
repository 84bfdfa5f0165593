// Which functions leave a loop a vector loop: compilers call the square root for its `errno`.
__global__ void lengths(const float *x, const float *y, float *length, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        length[i] = sqrtf(x[i] * x[i] + y[i] * y[i]);
}

__global__ void clamped(const float *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = fmaxf(fabsf(x[i]), 1.0f) + fabs(y[i]);
}
