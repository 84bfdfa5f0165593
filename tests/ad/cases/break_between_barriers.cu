// A loop with barriers that all threads leave together.
// g2o-verify: until<<<2, 8>>>(m = 6, x = [16], y = [16])
__global__ void until(const double *x, double *y, int m)
{
    __shared__ double s[8];
    int t = threadIdx.x, i = blockIdx.x * 8 + t;
    double v = x[i];
    for (int j = 0; j < m; ++j) {
        s[t] = v;
        __syncthreads();
        v = v * s[7 - t] + 0.1;
        bool stop = s[0] + s[3] > 3.0;
        __syncthreads();
        if (stop)
            break;
        v *= 1.4;
    }
    y[i] = v;
}
