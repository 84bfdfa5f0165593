// A loop with barriers that ends when a shared value says so.
// g2o-verify: halve<<<2, 8>>>(x = [16], y = [16])
__global__ void halve(const double *x, double *y)
{
    __shared__ double s[8];
    __shared__ double largest;
    int t = threadIdx.x, i = blockIdx.x * 8 + t;
    s[t] = x[i];
    if (t == 0)
        largest = 2.0;
    __syncthreads();
    while (largest > 0.3) {
        double v = 0.5 * s[t] * s[(t + 1) % 8];
        __syncthreads();
        s[t] = v;
        __syncthreads();
        if (t == 0) {
            largest = 0.0;
            for (int j = 0; j < 8; ++j)
                largest = fmax(largest, s[j]);
        }
        __syncthreads();
    }
    y[i] = s[t] + largest;
}
// One that is left in the middle.
// g2o-verify: grown<<<2, 8>>>(x = [16 : 0.2 .. 0.6], y = [16])
__global__ void grown(const double *x, double *y)
{
    __shared__ double s[8];
    __shared__ double norm;
    int t = threadIdx.x, i = blockIdx.x * 8 + t;
    s[t] = x[i];
    __syncthreads();
    int turn = 0;
    while (true) {
        if (t == 0) {
            norm = 0.0;
            for (int j = 0; j < 8; ++j)
                norm += s[j] * s[j];
        }
        __syncthreads();
        if (norm > 30.0 || turn > 6)
            break;
        double v = s[(t + 1) % 8] * 1.3 + s[t] * s[t];
        __syncthreads();
        s[t] = v;
        ++turn;
        __syncthreads();
    }
    y[i] = s[t] / norm;
}
