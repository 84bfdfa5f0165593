// Functions that decide stay calls; calls under conditions whose arguments are read from memory.
// g2o-verify: decided<<<2, 32>>>(n = 60, x = [n], y = [n])
// g2o-verify: guarded<<<2, 32>>>(n = 60, x = [64], y = [n])
__device__ bool above(const float v, const float limit)
{
    float d = v - limit;
    return d > 0.0f;
}

__device__ int level(float v)
{
    if (v > 0.7f)
        return 3;
    return v > 0.3f ? 2 : 1;
}

__device__ float curve(float v) { return v * v * v; }

__global__ void decided(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = (i > 2 && above(x[i], 0.5f) && !above(x[i] * 2, 1.6f)) ? x[i] * x[i] : x[i];
    y[i] = a * level(x[i]);
}

__global__ void guarded(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float p = i % 3 ? curve(x[i] * 2) : 0.5f * x[i];
    y[i] = x[i] > 0.5f ? curve(x[i + 1]) + p : p;
}
