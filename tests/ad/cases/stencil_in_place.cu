// A stencil that is iterated in place, between barriers.
// g2o-verify: iterate<<<1, 16>>>(n = 16, steps = 3, u = [n])
__global__ void iterate(double *u, int n, int steps)
{
    int i = threadIdx.x;
    for (int s = 0; s < steps; ++s) {
        double l = i > 0 ? u[i - 1] : 0.0;
        double r = i < n - 1 ? u[i + 1] : 1.0;
        double c = u[i];
        __syncthreads();
        u[i] = c * (l + r) * 0.4 + 0.1 * l * r;
        __syncthreads();
    }
}
