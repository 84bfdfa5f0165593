// Pointers that threads step alike, in bodies and heads of loops, of any kind of walk.
#include <cstdio>

__global__ void column(const float *A, const float *x, float *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 0;
    const float *p = A + i;
    for (int j = 0; j < m; ++j) {
        s += *p * x[j];
        p += n;
    }
    y[i] = s;
}

__global__ void in_head(const float *A, float *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 0, t = 0;
    const float *p = A + i;
    for (int j = 0; j < m; ++j, p += n)
        s += p[0] - (j > 0 ? p[-n] : 0);
    for (int j = 0; j < m; ++j, p -= n)
        t += *(p - n) * j;
    y[i] = s * 100 + t + *p;
}

// Each thread as far as it likes.
__global__ void own_steps(const float *A, float *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 0;
    const float *p = A + i;
    for (int j = 0; j < m; ++j) {
        s += *p;
        p += i % 3;
        if (s > 40)
            p = A;
    }
    y[i] = s + (p - A);
}

// Stores through it, and what it was is kept.
__global__ void stores(float *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float *p = y + i, *first = p;
    float s = 1;
    for (int j = 0; j < m; ++j) {
        s = s * 0.5f + j;
        *p = s;
        p += n;
    }
    *first += (float)(p - first);
}

// Arrays that begin with zeros.
__global__ void four(const float *A, const float *x, float *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v[2][2] = {}, w[3] = {0.0f};
    for (int j = 0; j < m; ++j)
        for (int k = 0; k < 4; ++k) {
            v[k / 2][k % 2] += A[j * n + i] * x[j * 4 + k];
            w[k % 3] -= v[0][0];
        }
    y[i] = v[0][0] - 2 * v[0][1] + 3 * v[1][0] - 4 * v[1][1] + w[0] + w[1] - w[2];
}

int main()
{
    const int n = 300, m = 7;
    float *a, *x, *y;
    cudaMallocManaged(&a, (m + 1) * n * sizeof *a);
    cudaMallocManaged(&x, n * sizeof *x);
    cudaMallocManaged(&y, (m + 1) * n * sizeof *y);
    for (int i = 0; i < (m + 1) * n; ++i) {
        a[i] = i % 17;
        y[i] = 0;
    }
    for (int i = 0; i < n; ++i)
        x[i] = i % 5 - 1;
    auto show = [&] {
        cudaDeviceSynchronize();
        double all = 0;
        for (int i = 0; i < (m + 1) * n; ++i) {
            all += y[i] * (i % 31);
            y[i] = i % 3;
        }
        printf("%.6g\n", all);
    };
    column<<<3, 128>>>(a, x, y, n, m);
    show();
    in_head<<<3, 128>>>(a, y, n, m);
    show();
    own_steps<<<3, 128>>>(a, y, n, m);
    show();
    stores<<<3, 128>>>(y, n, m);
    show();
    four<<<3, 128>>>(a, x, y, n, m);
    show();
}
