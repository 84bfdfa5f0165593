// out: plain 2 shared 64 of_type 3 64 2
// One pointer for kernels with and without dynamic shared memory.
#include <cstdio>

typedef void (*Kernel)(float *, const float *, int);

__global__ void plain(float *y, const float *x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 2 * x[i];
}

template <typename T> __global__ void of_type(T *y, const T *x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 3 * x[i];
}

__global__ void turned(float *y, const float *x, int n)
{
    extern __shared__ float s[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    if (i < n)
        y[i] = s[blockDim.x - 1 - threadIdx.x];
}

float run(float *y, const float *x, int n, void (*kernel)(float *, const float *, int))
{
    kernel<<<(n + 63) / 64, 64, 64 * sizeof(float)>>>(y, x, n);
    float first;
    cudaMemcpy(&first, y, sizeof(float), cudaMemcpyDeviceToHost);
    return first;
}

struct Entry {
    const char *name;
    Kernel kernel;
};

int main(int argc, char **)
{
    float *x, *y, values[64];
    cudaMalloc(&x, sizeof(values));
    cudaMalloc(&y, sizeof(values));
    for (int i = 0; i < 64; ++i)
        values[i] = i + 1;
    cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice);
    const Entry table[] = {{"plain", plain}, {"shared", &turned}, {"of_type", &of_type<float>}};
    for (const Entry &one : table)
        std::printf("%s %g ", one.name, run(y, x, 64, one.kernel));
    const Kernel chosen = argc > 1 ? plain : turned;
    std::printf("%g %g\n", run(y, x, 64, chosen), run(y, x, 64, &plain));
    cudaFree(x);
    cudaFree(y);
}
