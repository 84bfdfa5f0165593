// Constant references to numbers that are converted, or computed, for them.
// g2o-verify: taken<<<2, 16>>>(x = [60], y = [60], n = 20)
__device__ double squared(const double &v) { return v * v; }
__device__ float bent(const float &v, const float &w) {
    float u = v;
    if (w > 0.5f)
        u *= w;
    return u * v;
}
__global__ void taken(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const double d = x[i];
    y[i] = squared(x[i]) + squared((double)x[i + 20]) + bent(d, x[i + 40] * 0.5f) + squared(3);
}
