// Neighbours along one axis only: along the other one every element has all of its terms.
// g2o-verify: vertical<<<dim3(2, 2), dim3(8, 8)>>>(n = 14, m = 13, u = [n * m], v = [n * m])
__global__ void vertical(const double *u, double *v, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j > 0 && j < m - 1)
        v[j * n + i] = u[(j - 1) * n + i] * u[(j + 1) * n + i];
}
