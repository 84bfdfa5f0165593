// Lanes that wrap around, that reach across segments, that are not there, that go another way.
// g2o-verify: wrapped<<<2, 64>>>(x = [128], y = [128])
// g2o-verify: wrapped<<<2, 48>>>(x = [96], y = [96])
// g2o-verify: across<<<2, 64>>>(x = [128], y = [128])
// g2o-verify: scan<<<2, 48>>>(x = [96], y = [96])
// g2o-verify: some<<<2, 64>>>(n = 90, x = [128], y = [128])
// g2o-verify: block_sum<<<2, 80>>>(x = [160], y = [160])
// g2o-verify: varying<<<2, 48>>>(x = [96], y = [96], d = [96 : 1 .. 6])

__global__ void wrapped(const double *x, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    double v = x[i];
    double before = __shfl_sync(0xffffffff, v, (lane & 15) - 1, 16);
    double third = __shfl_sync(0xffffffff, v * before, 3);
    double behind = __shfl_sync(0xffffffff, v * before, (lane + 5) % 16);
    double second = __shfl_sync(0xffffffff, v * before, 2, 8);
    y[i] = v * before + behind * behind + third * second;
}

__global__ void across(const double *x, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double v = x[i];
    double a = __shfl_xor_sync(0xffffffff, v, 8, 8);
    double b = __shfl_xor_sync(0xffffffff, v * a, 5, 8);
    double c = __shfl_xor_sync(0xffffffff, v * a, 12, 8);
    y[i] = v * a + b * b + c * a;
}

__global__ void scan(const double *x, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    double v = x[i];
    for (int d = 1; d < 32; d *= 2) {
        double w = __shfl_up_sync(0xffffffff, v, d);
        if (lane >= d)
            v += 0.1 * sin(w) * v;
    }
    double other = __shfl_xor_sync(0xffffffff, v, 16);
    if (threadIdx.x < 32)
        v *= other;
    y[i] = v;
}

__global__ void some(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int lane = threadIdx.x % 32;
    double v = x[i];
    for (int r = 0; r < 3; ++r) {
        unsigned mask = (1u << (5 + r)) - 1;
        if (lane < 5 + r) {
            double before = __shfl_up_sync(mask, v, 1);
            if (lane >= 1)
                v += before * before;
            v *= __shfl_sync(mask, v, 2);
            double behind = __shfl_down_sync(mask, v, 2);
            if (lane + 2 < 5 + r)
                v -= behind * 0.3;
            v += __shfl_sync(mask, v, (lane + 1) % 5) * 0.2;
        } else if (lane == 30)
            v = v * v * 0.5;
    }
    y[i] = v;
}

__device__ double warp_sum(double v)
{
    for (int offset = 16; offset > 0; offset >>= 1)
        v += __shfl_down_sync(0xffffffff, v, offset);
    return v;
}

__global__ void block_sum(const double *x, double *y)
{
    __shared__ double s[32];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    int lane = t % 32, warp = t / 32;
    double v = x[i] * x[i];
    if (t >= 64)
        s[warp] = 0.0;
    if (t < 64) {
        v = warp_sum(v);
        if (lane == 0)
            s[warp] = v;
    }
    __syncthreads();
    if (warp == 0) {
        v = lane < 3 ? s[lane] : 0.0;
        v = warp_sum(v);
        if (lane == 0)
            s[0] = v;
    }
    __syncthreads();
    y[i] = s[0] * x[i];
}

__global__ void varying(const double *x, double *y, const int *d)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double v = x[i];
    double a = __shfl_up_sync(0xffffffff, v, d[i]);
    double b = __shfl_down_sync(0xffffffff, v * a, d[i], 8);
    double c = __shfl_xor_sync(0xffffffff, v * a, d[i], 8);
    double e = __shfl_xor_sync(0xffffffff, v * a, d[i] * 2, 4);
    y[i] = a * b + c * e * a;
}
