// atomicAdd of active values to locations that the data chooses.
// g2o-verify: deposit<<<2, 32>>>(n = 60, m = 8, cell = [n : 0 .. m - 1], q = [n], grid = [m])
__global__ void deposit(const int *cell, const double *q, double *grid, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && cell[i] < m)
        atomicAdd(&grid[cell[i]], q[i] * q[i]);
}
