// Arrays with extents that the kernel names, and memory of a template that a block shares.
// g2o-verify: attention<<<2, 16>>>(T = 32, scale = 0.35, O = [256], Q = [256], K = [256], V = [256])
// g2o-verify: normalise<<<2, 64>>>(n = 70, y = [140], x = [140], g = [70])

__global__ void attention(double *O, const double *Q, const double *K, const double *V, int T,
                          double scale)
{
    const int D = 8, B = 16;
    __shared__ double keys[B][D], values[B][D];
    int t = threadIdx.x, row = blockIdx.x * B + t;
    double q[D], sum[D] = {0};
    for (int d = 0; d < D; d++)
        q[d] = Q[row * D + d];
    double most = -1e30, total = 0;
    for (int j0 = 0; j0 < T; j0 += B) {
        for (int d = 0; d < D; d++) {
            keys[t][d] = K[(j0 + t) * D + d];
            values[t][d] = V[(j0 + t) * D + d];
        }
        __syncthreads();
        double s[B], larger = most;
        for (int j = 0; j < B; j++) {
            double dot = 0;
            for (int d = 0; d < D; d++)
                dot += q[d] * keys[j][d];
            s[j] = dot * scale;
            larger = fmax(larger, s[j]);
        }
        double c = exp(most - larger);
        total *= c;
        for (int d = 0; d < D; d++)
            sum[d] *= c;
        for (int j = 0; j < B; j++) {
            double p = exp(s[j] - larger);
            total += p;
            for (int d = 0; d < D; d++)
                sum[d] += p * values[j][d];
        }
        most = larger;
        __syncthreads();
    }
    for (int d = 0; d < D; d++)
        O[row * D + d] = sum[d] / total;
}

template <typename T, int THREADS>
__device__ T block_sum(T v)
{
    __shared__ T part[THREADS / 32];
    for (int o = 16; o > 0; o /= 2)
        v += __shfl_down_sync(~0u, v, o);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = v;
    __syncthreads();
    v = threadIdx.x < THREADS / 32 ? part[threadIdx.x] : T(0);
    if (threadIdx.x < 32)
        for (int o = THREADS / 64; o > 0; o /= 2)
            v += __shfl_down_sync(~0u, v, o);
    if (threadIdx.x == 0)
        part[0] = v;
    __syncthreads();
    v = part[0];
    __syncthreads();
    return v;
}

__global__ void normalise(double *y, const double *x, const double *g, int n)
{
    const double *row = x + blockIdx.x * n;
    double s = 0, q = 0;
    for (int i = threadIdx.x; i < n; i += 64) {
        s += row[i];
        q += row[i] * row[i];
    }
    double mean = block_sum<double, 64>(s) / n;
    double r = 1.0 / sqrt(block_sum<double, 64>(q) / n - mean * mean + 1e-3);
    for (int i = threadIdx.x; i < n; i += 64)
        y[blockIdx.x * n + i] = (row[i] - mean) * r * g[i];
}
