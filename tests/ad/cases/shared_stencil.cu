// A stencil over a tile with halo in shared memory.
// g2o-verify: shared_stencil<<<4, 16>>>(n = 60, u = [n], v = [n])
#define WIDTH 16

__global__ void shared_stencil(const double *u, double *v, int n)
{
    __shared__ double tile[WIDTH + 2];
    int t = threadIdx.x, i = blockIdx.x * WIDTH + t;
    tile[t + 1] = i < n ? u[i] : 0.0;
    if (t == 0)
        tile[0] = i > 0 ? u[i - 1] : 0.0;
    if (t == WIDTH - 1)
        tile[WIDTH + 1] = i + 1 < n ? u[i + 1] : 0.0;
    __syncthreads();
    if (i < n)
        v[i] = tile[t] * tile[t + 2] + sin(tile[t + 1]);
}
