// A reduction over products of neighbours: increments of one location come from three threads.
// g2o-verify: energy<<<4, 16>>>(n = 60, u = [n], total = [1])
__global__ void energy(const double *u, double *total, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        atomicAdd(total, (u[i + 1] - u[i - 1]) * (u[i + 1] - u[i - 1]) * u[i]);
}
