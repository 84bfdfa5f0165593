// The last six steps of a reduction as before Volta: `d_v[t]` is read before a neighbour adds to it.
// g2o-verify: k<<<2, 64>>>(n = 100, x = [n], y = [2])
__global__ void k(const double *x, double *y, int n)
{
    __shared__ double s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = i < n ? x[i] * x[i] : 0.0;
    __syncthreads();
    if (t < 32) {
        volatile double *v = s;
        v[t] += v[t + 32];
        v[t] += v[t + 16];
        v[t] += v[t + 8];
        v[t] += v[t + 4];
        v[t] += v[t + 2];
        v[t] += v[t + 1];
    }
    if (t == 0) y[blockIdx.x] = s[0] * s[0];
}
