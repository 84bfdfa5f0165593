// g2o-verify: tiles<<<2, 16>>>(n = 32, m = 2, x = [32], y = [n])
// g2o-verify: twice<<<2, 16>>>(m = 3, x = [32], y = [32])

// Memory of the block that an inner scope declares, where not all threads may come to it.
__global__ void tiles(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * 16 + threadIdx.x;
    if (i < n) {
        double sum = 0.0;
        for (int tile = 0; tile < m; ++tile) {
            __shared__ double s[16];
            s[threadIdx.x] = x[tile * 16 + threadIdx.x];
            __syncthreads();
            for (int j = 0; j < 16; ++j)
                sum += sin(s[j] - x[i]) * s[j];
            __syncthreads();
        }
        y[i] += sum * sum;
    }
}

// Two of one name, one inside of the other's scope.
__global__ void twice(const double *x, double *y, int m)
{
    int t = threadIdx.x, i = blockIdx.x * 16 + t;
    double v = x[i];
    for (int r = 0; r < m; ++r) {
        __shared__ double s[16];
        s[t] = v;
        __syncthreads();
        if (r % 2 == 0) {
            __shared__ double s[16];
            s[t] = sin(v);
            __syncthreads();
            v += 0.5 * s[15 - t] * v;
        }
        v *= s[(t + 1) % 16];
        __syncthreads();
    }
    y[i] = v;
}

void launches(const double *x, double *y, int n)
{
    tiles<<<2, 16>>>(x, y, n, n);
    twice<<<2, 16>>>(x, y, n);
}
