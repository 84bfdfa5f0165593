// Recursion whose depth is only known when the kernel runs.
__device__ double horner(const double *c, double x, int depth)
{
    if (depth == 0)
        return c[0];
    return c[0] + x * horner(c + 1, x, depth - 1);
}

__global__ void evaluate(const double *x, const double *c, double *y, int n, int depth)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = horner(c + i, x[i], depth); // refused: recursion of 'horner'
}
