// A template argument that is handed on to another function template.
#include <cstdio>

template <unsigned int kSize, typename T>
__device__ void add_neighbour(T *values, int position) {
    __syncthreads();
    T other = kSize >= 4 ? values[position ^ 2] : values[position];
    __syncthreads();
    values[position] += other;
    if (kSize >= 2)
        values[position] += T(kSize);
}

template <unsigned int kThreads, typename T>
__device__ void sum_block(T *values) {
    add_neighbour<kThreads, T>(values, threadIdx.x);
    add_neighbour<kThreads / 2>(values, threadIdx.x);
}

__global__ void sums(float *out) {
    __shared__ float values[16];
    __shared__ float next[16];
    values[threadIdx.x] = threadIdx.x;
    __syncthreads();
    next[threadIdx.x] = values[15 - threadIdx.x] * 2.0f;
    sum_block<16>(next);
    __syncthreads();
    out[threadIdx.x] = next[threadIdx.x] + values[15 - threadIdx.x];
}

int main() {
    float *out;
    cudaMallocManaged(&out, 16 * sizeof(float));
    sums<<<1, 16>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 16; ++i)
        printf("%g\n", out[i]);
    cudaFree(out);
    return 0;
}
