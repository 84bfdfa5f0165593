// Products of a number and its square root have derivatives without quotients.
// g2o-verify: cubes<<<2, 32>>>(n = 50, x = [n : 0.5 + 0.1 * i], c = [n], y = [n])
// g2o-verify: others<<<2, 32>>>(n = 50, x = [n : 0.5f + 0.1f * i], c = [n : 1.0f + 0.05f * i], y = [n])
// g2o-verify: distances<<<2, 32>>>(n = 50, x = [n], y = [n])
__global__ void cubes(const double *x, const double *c, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double r = x[i];
    y[i] = r * sqrt(r) + c[i] / (sqrt(r) * r) + 2.0 * r * r * sqrt(r) - 3 * sqrt(r) * r * r * r;
}

// Factors that are active or of another number, two roots, floats, and the power of a root.
__global__ void others(const float *x, const float *c, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float r = x[i], s = c[i];
    float v = s * r * sqrtf(r) + r * sqrtf(s) + r * sqrtf(r) * sqrtf(r);
    y[i] = v + n * r * sqrtf(r) + (r + s) * sqrtf(r + s) + sqrtf(r) * (r * s) * sqrtf(r * s);
}

__global__ void distances(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0.0;
    for (int j = 0; j < n; ++j) {
        double d = x[j] - x[i];
        double square = d * d + 1e-2;
        sum += d / (square * sqrt(square));
    }
    y[i] = sum;
}
