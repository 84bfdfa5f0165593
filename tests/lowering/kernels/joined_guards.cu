// Lanes of which only some are active do what follows each other under one condition.
__global__ void products(const float4 *q, const float4 *k, float *y, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    float left = 1.0f;
    if (i % 48 < n) {
        float4 a = q[i];
        float4 b = k[i];
        float d = a.x * b.x + a.y * b.y;
        left = a.z * b.z;
        float other = __shfl_xor_sync(0xffffffff, d, 1);
        float sum = d + other;
        d = __shfl_xor_sync(0xffffffff, sum, 2);
        y[i] = d + left;
    }
    y[i + 64] = left;
}

// The flag itself changes on the way.
__global__ void leaving(const int *x, int *y, int n)
{
    int t = threadIdx.x, v = x[t];
    for (int i = 0; i < n; ++i) {
        int other = __shfl_xor_sync(0xffffffff, v, 1);
        v += other;
        if (v > 100 + t)
            break;
        v += i;
    }
    y[t] = v;
}

void run(const float4 *q, const float4 *k, float *y, const int *x, int *z, int n)
{
    products<<<2, 64>>>(q, k, y, n);
    leaving<<<1, 64>>>(x, z, n);
}
