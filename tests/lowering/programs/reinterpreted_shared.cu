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

// By pointers to rows. Of two barriers a constant leaves the one that may stand where it does.
__global__ void rows(int *x) {
    extern __shared__ int numbers[];
    const unsigned width = 256 / sizeof(long long);
    int(*own)[width] = reinterpret_cast<decltype(own)>(numbers);
    int(*same)[32] = reinterpret_cast<int(*)[32]>(numbers);
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (warp != 1) {
        own[warp][lane] = x[threadIdx.x];
        (width > 32) ? __syncthreads() : __syncwarp();
        int v = same[warp][31 - lane] + warp;
        if (width > 32)
            __syncthreads();
        else
            __syncwarp();
        same[warp][(lane + 1) % 32] = v;
        width > 32 ? __syncthreads() : __syncwarp();
        x[threadIdx.x] = own[warp][lane];
    }
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
    int *z;
    cudaMallocManaged(&z, 96 * sizeof(int));
    for (int i = 0; i < 96; ++i)
        z[i] = 3 * i;
    rows<<<1, 96, 96 * sizeof(int)>>>(z);
    cudaDeviceSynchronize();
    for (int i = 0; i < 96; ++i)
        printf("%d\n", z[i]);
    for (int i = 0; i < 32; ++i)
        printf("%g %g\n", x[i], y[i]);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
