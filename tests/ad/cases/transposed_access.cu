// An element and the one across the diagonal are read by the same two threads.
// g2o-verify: symmetric<<<(2, 2), (4, 4)>>>(n = 7, u = [n * n], v = [n * n])
__global__ void symmetric(const double *u, double *v, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n)
        v[i * n + j] = u[i * n + j] * u[j * n + i];
}
