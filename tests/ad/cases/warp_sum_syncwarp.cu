// Lanes in step: each reads what a neighbour has still to write.
// g2o-verify: k<<<3, 32>>>(n = 90, x = [n], y = [96])
__global__ void k(const double *x, double *y, int n)
{
    __shared__ double s[64];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    s[t] = i < n ? x[i] * x[i] : 0.5;
    s[32 + t] = 0.25 * t;
    __syncthreads();
    s[t] = s[t] * s[t + 16];
    __syncwarp();
    s[t] += s[t + 2];
    __syncwarp();
    if (i < n) y[i] = s[t ^ 1] * s[t];
}
