// Value parameters that the kernel changes, with shadows and without.
// g2o-verify: all<<<2, 32>>>(n = 60, x = [60], y = [60])
// g2o-verify: some<<<2, 32>>>(n = 60, x = [60], w = [60], y = [60])
// g2o-verify: tolerance = 1e-4
struct Setting {
    float u;
    float w[2];
    int c;
};

__global__ void all(float a, double b, float3 c, Setting q, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        a += x[i];
        y[i] = a * x[i] + b * c.y * q.w[i % 2] + c.x * q.u * b;
        c.y *= a;
        q.w[1] *= c.y;
        y[i] += c.y * c.z + q.w[1];
    }
}

#pragma g2o grad (y)/(x)
__global__ void some(const double *x, double *w, double *y, double s, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    w[i] *= 2.0;
    s = x[i];
    y[i] = s * s * w[i];
}
