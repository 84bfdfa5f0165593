// Costly calls that a thread makes twice with the same values: made once, else left alone.
#include <cstdio>

__device__ float total(const float *x, int n)
{
    float sum = 0;
    for (int i = 0; i < n; ++i)
        sum += x[i];
    return sum;
}

__device__ float square(float x)
{
    return x * x;
}

// The second call stands under a condition of its own.
__global__ void force(float *out, const float *x, float radius, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float d2 = square(x[i]) + square(x[i + 1]);

        // close pairs only
        if (sqrtf(d2) < radius)
            out[i] = x[i] / sqrtf(d2);
        else
            out[i] = sqrtf(d2);
    }
}

// A variable has the value already, until it changes.
__global__ void held(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float a = x[i];
        float e = expf(-a);
        out[i] = expf(-a) + 1;
        if (a > 1)
            out[i] += expf(-a) * logf(a + 3);
        e += 1;
        out[i] *= expf(-a) + e;
    }
}

// One statement, and what it stores is the argument.
__global__ void in_place(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 3; ++k)
        if (i < n)
            x[i] = sinf(x[i]) * sinf(x[i]) + 0.5f;
}

// The argument changes in between; the value is another type's; a branch may not be taken.
__global__ void different(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float a = x[i];
        out[i] = cosf(a);
        a += 1;
        out[i] += cosf(a);
        out[i] += a > 2 ? tanf(a) : 0;
        if (a > 3)
            out[i] += tanf(a);
        double wide = logf(a);
        out[i] += wide - logf(a);
        float *p = &a;
        out[i] += coshf(a);
        *p += 1;
        out[i] += coshf(a);
        out[i] += sinhf(*p);
        a = 0.5f;
        out[i] += sinhf(*p);
        int k = 0;
        if (sinf(x[k]) < 2 && k++ < i)
            out[i] += sinf(x[k]);
    }
}

// Functions that read memory: as long as nothing writes it.
__global__ void sums(float *__restrict__ out, const float *__restrict__ x, float *y, int n)
{
    int i = threadIdx.x;
    int m = i % 5;
    out[i] = total(x, m) / 2;
    out[i + n] = total(x, m) + 1;
    y[i] = total(y + n, m);
    y[i] += total(y + n, m);
    y[i] += total(y + n, m) * total(y + n, m);
}

__global__ void arms(float *out, const float *x, int kind, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = x[i];
    switch (kind) {
    case 0:
        out[i] = powf(a, 3.5f) - a / powf(a, 3.5f);
        break;
    case 1: {
        float b = a * a;
        out[i] = powf(b, 1.5f);
        out[i + n] = powf(b, 1.5f) / 2;
        break;
    }
    default:
        out[i] = 0;
    }
}

int main()
{
    const int n = 100;
    float *x, *out, *y;
    cudaMallocManaged(&x, 2 * n * sizeof(float));
    cudaMallocManaged(&y, 2 * n * sizeof(float));
    cudaMallocManaged(&out, 2 * n * sizeof(float));
    for (int i = 0; i < 2 * n; ++i) {
        x[i] = 0.125f * (i % 37) + 0.1f;
        y[i] = 0.0625f * (i % 29);
    }
    double sum = 0;
    for (int round = 0; round < 7; ++round) {
        for (int i = 0; i < 2 * n; ++i)
            out[i] = 0;
        if (round == 0)
            force<<<4, 32>>>(out, x, 1.5f, n);
        else if (round == 1)
            held<<<4, 32>>>(out, x, n);
        else if (round == 2)
            in_place<<<4, 32>>>(x, n);
        else if (round == 3)
            different<<<4, 32>>>(out, x, n);
        else if (round == 4)
            sums<<<1, 100>>>(out, x, y, n);
        else
            arms<<<4, 32>>>(out, x, round - 5, n);
        cudaDeviceSynchronize();
        for (int i = 0; i < 2 * n; ++i)
            sum += out[i] + x[i] + y[i];
        printf("%d %.6f\n", round, sum);
    }
    return 0;
}
