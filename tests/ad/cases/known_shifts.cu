// Loops that halve or double an index between known ends: run back from the last value.
#define HALF 16

// g2o-verify: product_tree<<<2, 64>>>(n = 100, x = [n], y = [2])
__global__ void product_tree(int n, const double *x, double *y)
{
    __shared__ double s[64];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? 1.0 + 0.1 * x[i] : 1.0;
    __syncthreads();
    for (int w = 32; w > 0; w >>= 1) {
        if (t < w)
            s[t] = s[t] * s[t + w];
        __syncthreads();
    }
    if (t == 0)
        y[blockIdx.x] = s[0];
}

// g2o-verify: waves<<<2, 64>>>(n = 100, x = [n], y = [n])
__global__ void waves(int n, const double *x, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    for (int d = 1; d < 20; d *= 2)
        v = v + 0.1 * sin(v) / d;
    for (unsigned d = 3; d <= 24; d <<= 1)
        v = v + 0.1 * cos(v / d);
    for (int d = 27; d > 2; d /= 2) // 27, 13, 6, 3: not the other way
        v = v + 0.1 * sin(v / d);
    for (int d = HALF; d > 0; d /= 2) // HALF may become another number
        v = v + 0.1 * sin(v + d);
    for (short d = 64; d != 0; d >>= 2)
        v = v + 0.1 * sin(v / d);
    for (int d = 64; 8 <= d; d /= 2)
        v = v + v * v / (10 + v * v * d);
    for (int d = 4; d > 8; d /= 2) // never
        v = v * v;
    y[i] = v;
}
