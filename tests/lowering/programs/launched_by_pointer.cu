// Launches with an array of arguments: kernels whose first parameter looks like shared bytes.
#include <cstdint>
#include <cstdio>

__global__ void fill(size_t n, float *x, float value) {
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = value;
}

__global__ void reverse(size_t n, float *x) {
    extern __shared__ float s[];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < n)
        x[threadIdx.x] = s[n - 1 - threadIdx.x] + threadIdx.x;
}

template <class T>
__global__ void scale(uint64_t n, T *x) {
    if (threadIdx.x < n)
        x[threadIdx.x] *= T(2);
}

int main() {
    size_t n = 40;
    float *x, value = 3;
    cudaMallocManaged(&x, 64 * sizeof(float));
    void *arguments[] = {&n, &x, &value};
    cudaLaunchKernel((void *)fill, dim3(2), dim3(32), arguments, 0, 0);
    cudaLaunchKernel((const void *)reverse, 1, 64, arguments, 64 * sizeof(float), 0);
    cudaLaunchKernel((void *)scale<float>, 1, 64, arguments, 0, 0);
    cudaLaunchCooperativeKernel((void *)fill, 1, 4, arguments, 0, 0);
    cudaDeviceSynchronize();
    for (int i = 0; i < 40; ++i)
        printf("%g\n", x[i]);
    return 0;
}
