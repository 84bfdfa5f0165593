// Sums under a lock, structures with arrays, addresses that are only looked at, commas.
// g2o-verify: moments<<<2, 32>>>(n = 60, x = [n], y = [n])
// g2o-verify: weighted<<<2, 32>>>(n = 60, x = [n], y = [n])
// g2o-verify: locked_sum<<<2, 16>>>(n = 30, x = [n], total = [1], lock = [1 : 0 .. 0])
// g2o-verify: aligned<<<2, 32>>>(n = 60, x = [n], y = [n])
// g2o-verify: commas<<<2, 32>>>(n = 60, x = [n], y = [n])
struct Moments {
    float m[3];
    int count;
};

__global__ void moments(const Moments *x, Moments *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Moments v = x[i];
    for (int k = 0; k < 3; ++k)
        v.m[k] *= x[i].m[(k + 1) % 3];
    v.m[2] += v.m[0];
    y[i].m[0] = v.m[2] * v.m[1];
    y[i].m[1] += v.m[0];
}

struct Weights {
    double w[2];
    double bias;
};

__global__ void weighted(Weights c, const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = c.w[i % 2] * x[i] + c.bias * c.w[0];
}

__global__ void locked_sum(const double *x, double *total, int *lock, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            total[0] += x[i] * x[i];
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

__global__ void aligned(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (((size_t)x & 3) == 0)
        y[i] = x[i] * x[i];
}

// Several statements in one.
__global__ void commas(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a, b, c[3];
    int k = 0;
    a = x[i] * x[i], b = a * x[i];
    c[k++] = a, c[k++] = b, c[k] = a * b;
    for (k = 0; k < 2; ++k)
        a += c[k + 1], b *= a;
    y[i] = a * b;
}
