// A 7-point stencil in three dimensions with products of neighbours.
// g2o-verify: jacobi_3d<<<(2, 2, 2), (4, 4, 4)>>>(n = 7, u = [n * n * n], v = [n * n * n])
__global__ void jacobi_3d(const double *__restrict__ u, double *__restrict__ v, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1)
        return;
    int c = (z * n + y) * n + x;
    v[c] = u[c - 1] * u[c + 1] + u[c - n] * u[c + n] + u[c - n * n] * u[c + n * n] - 6.0 * u[c];
}
