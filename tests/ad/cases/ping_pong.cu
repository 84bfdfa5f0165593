// Two halves of shared memory that swap their roles through an index.
// g2o-verify: ping_pong<<<2, 16>>>(steps = 5, x = [32], y = [32])
__global__ void ping_pong(const double *x, double *y, int steps)
{
    __shared__ double s[2][16];
    int t = threadIdx.x, i = blockIdx.x * 16 + t, current = 0;
    s[0][t] = x[i];
    __syncthreads();
    for (int step = 0; step < steps; ++step) {
        s[1 - current][t] = s[current][t] * s[current][(t + 3) % 16];
        current = 1 - current;
        __syncthreads();
    }
    y[i] = s[current][t];
}
