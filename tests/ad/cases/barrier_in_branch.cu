// Barriers under a condition that all threads share.
// g2o-verify: smooth<<<2, 16>>>(mode = 1, x = [32], y = [32])
// g2o-verify: smooth<<<2, 16>>>(mode = 0, x = [32], y = [32])
__global__ void smooth(const double *x, double *y, int mode)
{
    __shared__ double s[16];
    int t = threadIdx.x, i = blockIdx.x * 16 + t;
    double v = x[i];
    if (mode == 1) {
        s[t] = v * v;
        __syncthreads();
        v = s[(t + 1) % 16] * v;
        __syncthreads();
    }
    s[t] = v;
    __syncthreads();
    y[i] = s[15 - t] * s[t];
}
