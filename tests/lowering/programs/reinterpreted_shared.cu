// Dynamic shared memory of bytes that a template looks at as elements.
#include <cstdio>

template <typename T>
__device__ T last_of(const T *values, int count) {
    return values[count - 1];
}

template <typename T>
__global__ void reversed(T *x) {
    extern __shared__ unsigned char memory[];
    T *tile = reinterpret_cast<T *>(memory);
    T *same = (T *)memory;
    tile[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = same[31 - threadIdx.x];
}

__global__ void deduced(float *x) {
    extern __shared__ float values[];
    auto *tile = values;
    auto again = values;
    tile[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = again[31 - threadIdx.x] + last_of(values, 32);
}

int main() {
    double *x;
    float *y;
    cudaMallocManaged(&x, 32 * sizeof(double));
    cudaMallocManaged(&y, 32 * sizeof(float));
    for (int i = 0; i < 32; ++i) {
        x[i] = i;
        y[i] = 2 * i;
    }
    reversed<<<1, 32, 32 * sizeof(double)>>>(x);
    deduced<<<1, 32, 32 * sizeof(float)>>>(y);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        printf("%g %g\n", x[i], y[i]);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
