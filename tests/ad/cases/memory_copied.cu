// Numbers that are copied, or set to 0, as a whole.
// g2o-verify: copied<<<2, 16>>>(n = 30, x = [n * 4], y = [n])
// g2o-verify: cleared<<<2, 16>>>(n = 30, x = [n], y = [n])
// g2o-verify: in_memory<<<2, 16>>>(n = 30, x = [n * 4], v = [n], y = [n * 4], w = [n])
// g2o-verify: of_block<<<2, 32>>>(x = [64], y = [64])
#include <cstring>
struct Record {
    float a, b;
    int kind;
};

__global__ void copied(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v[4];
    memcpy(v, x + 4 * i, 4 * sizeof(double));
    double w[4];
    memcpy(w, v, sizeof(v));
    v[1] *= w[2];
    memcpy(&w[1], v, 16);
    y[i] = v[0] * v[1] + v[2] * w[3] * w[2];
}

__global__ void cleared(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v[3] = {x[i], 1.0, x[i]};
    double s = v[0] * v[2];
    memset(v, 0, sizeof(v));
    for (int k = 0; k < 3; ++k)
        v[k] += x[i] * k + s;
    y[i] = v[1] * v[2];
}

__global__ void in_memory(const double *x, const Record *v, double *y, Record *w, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    memcpy(&y[4 * i], &x[4 * i], sizeof(double) * 4);
    memcpy(w + i, v + i, sizeof(Record));
    y[4 * i] *= x[4 * i] * w[i].a;
}

__global__ void of_block(const double *x, double *y)
{
    __shared__ double s[32];
    int t = threadIdx.x;
    if (t == 0)
        memset(s, 0, sizeof(s));
    __syncthreads();
    s[t] += x[blockIdx.x * 32 + t] * x[t];
    __syncthreads();
    y[blockIdx.x * 32 + t] = s[(t + 1) % 32] * s[t];
}
