// A condition and a value in step, in a loop.
// g2o-verify: k<<<2, 32>>>(n = 60, x = [n], y = [2])
__global__ void k(const double *x, double *y, int n)
{
    __shared__ volatile double s[64];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    s[t] = i < n ? x[i] * x[i] : 0.0;
    s[t + 32] = -1.0;
    for (int o = 16; o > 0; o /= 2) {
        if (s[t + o] > s[t])
            s[t] = s[t + o] * 1.5;
    }
    s[t] *= s[t ^ 1];
    if (t == 0) y[blockIdx.x] = s[0];
}
