// A 5-point stencil in two dimensions.
// g2o-verify: heat_step<<<(3, 3), (8, 8)>>>(n = 22, u = [n * n], v = [n * n], k = 0.1)
__global__ void heat_step(const double *__restrict__ u, double *__restrict__ v, int n, double k)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i > 0 && i < n - 1 && j > 0 && j < n - 1) {
        int c = i * n + j;
        v[c] = u[c] + k * (u[c - n] + u[c + n] + u[c - 1] + u[c + 1] - 4.0 * u[c]);
    }
}
