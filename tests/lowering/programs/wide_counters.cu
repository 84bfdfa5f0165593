// Threads share out a range by counters and ends of any width and sign: they take one chunk after the
// other together, and the same numbers as before.
#include <cstdio>

template <typename I, typename N>
__global__ void sums(const float *x, float *y, N n)
{
    __shared__ float s[64];
    float sum = 0;
    for (I i = (I)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += x[i];
    s[threadIdx.x] = sum;
    __syncthreads();
    y[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}

__global__ void wide(const float *x, float *y, size_t n)
{
    __shared__ float s[64];
    float sum = 0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        for (int k = 0; k < 4; ++k)
            sum += x[i * 4 + k];
    s[threadIdx.x] = sum;
    __syncthreads();
    y[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}

__global__ void narrow(const float *x, float *y, size_t n)
{
    __shared__ float s[64];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += x[i];
    s[threadIdx.x] = sum;
    __syncthreads();
    y[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}

// The steps may go down: whoever is below zero is above every end.
__global__ void by_steps(const float *x, float *y, unsigned n, int step)
{
    __shared__ float s[64];
    float sum = 0;
    for (int i = 100 + threadIdx.x; i < n; i += step)
        sum += x[i];
    s[threadIdx.x] = sum;
    __syncthreads();
    y[threadIdx.x] += s[63 - threadIdx.x];
}

// One and the same loop, spelled in other ways.
__global__ void spelled(const float *x, float *y, int n)
{
    __shared__ float s[64];
    float a = 0, b = 0, c = 0, d = 0;
    int i = blockIdx.x * 64 + threadIdx.x;
    int stride = 64 * gridDim.x;
    for (; i < n; i += stride)
        a += x[i];
    for (int k = blockIdx.x * 64 + threadIdx.x; k <= n - 1; k = k + stride)
        b += x[k];
    for (int k = blockIdx.x * 64 + threadIdx.x; n > k; k = stride + k) {
        if (x[k] < 3)
            continue;
        c += x[k];
    }
    for (int k = blockIdx.x * 64 + threadIdx.x; n >= k; k += stride) // one more
        d += x[k];
    s[threadIdx.x] = a + 2 * b + 3 * c + 4 * d;
    __syncthreads();
    y[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}

// An end that is no whole number: one below it is not the last one.
__global__ void real_end(const float *x, float *y, float end)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int j = 0; j <= end - 1; ++j)
        sum += x[j * 128 + i];
    y[i] = sum;
}

__global__ void copied(const float *x, float *y, unsigned n)
{
    __shared__ float s[1024];
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        s[i] = x[i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        y[i] += s[n - 1 - i];
}

int main()
{
    float *x, *y;
    cudaMallocManaged(&x, 4096 * sizeof *x);
    cudaMallocManaged(&y, 1024 * sizeof *y);
    for (int i = 0; i < 4096; ++i)
        x[i] = i % 13;
    auto show = [&] {
        cudaDeviceSynchronize();
        double all = 0;
        for (int i = 0; i < 1024; ++i) {
            all += y[i] * (i % 31);
            y[i] = i % 3;
        }
        printf("%.0f\n", all);
    };
    for (int i = 0; i < 1024; ++i)
        y[i] = 0;
    for (int n : {0, 1, 63, 1000, 1024}) {
        sums<int, int><<<3, 64>>>(x, y, n);
        show();
        sums<unsigned, unsigned><<<3, 64>>>(x, y, n);
        show();
        sums<long long, unsigned><<<3, 64>>>(x, y, n);
        show();
        wide<<<3, 64>>>(x, y, n);
        show();
        narrow<<<3, 64>>>(x, y, n);
        show();
        by_steps<<<1, 64>>>(x, y, n, 64);
        by_steps<<<1, 64>>>(x, y, n, -70);
        show();
        spelled<<<3, 64>>>(x, y, n);
        show();
        real_end<<<2, 64>>>(x, y, n % 30 + 0.5f);
        show();
        copied<<<1, 64>>>(x, y, n);
        show();
    }
}
