// Places that are counted without a sign, and some that wrap around.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void shifted(float *y, const float *x, unsigned n, unsigned by, int back)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i + n] = x[i + by] + 2 * x[i + 1] - x[i + back];
}

__global__ void behind(float *y, const float *x, unsigned n, unsigned by)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < by || i >= n)
        return;
    y[i - by] = x[i] + x[i - by];
}

__global__ void rows(float *y, const float *x, unsigned w, unsigned h)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= w || j >= h)
        return;
    unsigned at = j * w + i;
    y[at] = x[at] + x[(j + 1) * w + i] + x[at + 2 * w];
}

__global__ void mixed(float *y, const float *x, unsigned w, int h)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= (int)w || j >= h)
        return;
    y[j * w + i] = x[w * j + i] + x[i + w];
}

__global__ void sums(float *y, const float *x, unsigned n)
{
    __shared__ float s[64];
    unsigned t = threadIdx.x;
    float sum = 0;
    for (unsigned i = blockIdx.x * blockDim.x * 2 + threadIdx.x; i < n;
         i += blockDim.x * 2 * gridDim.x) {
        sum += x[i];
        if (i + blockDim.x < n)
            sum += x[i + blockDim.x];
    }
    s[t] = sum;
    __syncthreads();
    for (unsigned h = 32; h > 0; h /= 2) {
        if (t < h)
            s[t] += s[t + h];
        __syncthreads();
    }
    y[blockIdx.x * 64 + t] = s[0] + s[63 - t];
}

__global__ void around(unsigned *y, const unsigned *x, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned before = i - 5u, hashed = i * 2654435761u + 7u;
    y[i] = x[before + 5u] + (hashed >> 27) + x[(i + 4294967290u) + 6u];
}

int main()
{
    float *x, *y;
    unsigned *k, *z;
    cudaMallocManaged(&x, 4000 * sizeof(float));
    cudaMallocManaged(&y, 4000 * sizeof(float));
    cudaMallocManaged(&k, 4000 * sizeof(unsigned));
    cudaMallocManaged(&z, 4000 * sizeof(unsigned));
    for (int i = 0; i < 4000; ++i) {
        x[i] = i % 13;
        k[i] = i % 17;
        y[i] = 0;
    }
    shifted<<<3, 64>>>(y, x, 150, 4, 11);
    shifted<<<3, 64>>>(y + 400, x, 0, 4, 11);
    behind<<<3, 64>>>(y + 400, x, 170, 5);
    behind<<<3, 64>>>(y + 800, x, 170, 169);
    behind<<<3, 64>>>(y + 900, x, 170, 170);
    rows<<<dim3(2, 9), dim3(32, 4)>>>(y + 1200, x, 37, 33);
    mixed<<<dim3(2, 9), dim3(16, 4)>>>(y + 2600, x, 19, 17);
    sums<<<2, 64>>>(y + 3000, x, 777);
    around<<<3, 64>>>(z, k, 150);
    cudaDeviceSynchronize();
    for (int i = 0; i < 3200; i += 11)
        std::printf("%g ", y[i]);
    std::printf("\n");
    for (int i = 0; i < 150; i += 7)
        std::printf("%u ", z[i]);
    std::printf("\n");
    return 0;
}
