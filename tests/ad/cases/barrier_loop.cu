// A loop with barriers whose trip count is a parameter; shared memory is overwritten every time
// with what neighbours had, and a register lives across all barriers.
// g2o-verify: relax<<<3, 16>>>(steps = 4, x = [48], y = [48])
__global__ void relax(const double *x, double *y, int steps)
{
    __shared__ double s[16];
    int t = threadIdx.x, i = blockIdx.x * 16 + t;
    double own = x[i];
    s[t] = own;
    __syncthreads();
    for (int step = 0; step < steps; ++step) {
        double left = s[(t + 15) % 16], right = s[(t + 1) % 16];
        __syncthreads();
        own = 0.5 * own * left + 0.25 * right;
        s[t] = own;
        __syncthreads();
    }
    y[i] = own * s[15 - t];
}
