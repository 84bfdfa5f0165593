// Threads that return early: what later intervals need to know about them.
#include <cstdio>

constexpr int kThreads = 64;

// The variable of the guard is named nowhere else behind the barrier.
__global__ void guard_names_a_variable(const float *in, float *out, int n) {
    __shared__ float tile[kThreads];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0.0f;
    for (int round = 0; round < 3; ++round) {
        tile[threadIdx.x] = in[i] + round;
        __syncthreads();
        for (int k = 0; k < 4; ++k)
            sum += tile[(threadIdx.x + k) % 4];
        __syncthreads();
    }
    out[i] = sum;
}

// One guard can be computed again, the other one reads memory.
__global__ void two_guards(const float *in, float *out, int n) {
    __shared__ float tile[kThreads];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = 1.0f;
    if (i >= n)
        return;
    float value = in[i];
    if (value < 2.0f)
        return;
    tile[threadIdx.x] = value;
    __syncthreads();
    out[i] = value + tile[threadIdx.x ^ 1];
}

// What all threads agree on, computed from a value that only those behind the guard load.
__global__ void uniform_behind_a_guard(const int *counts, float *out, int n) {
    __shared__ float tile[kThreads];
    uint2 place;
    place.x = blockIdx.x * 2;
    place.y = blockIdx.x;
    if (place.x >= n)
        return;
    int count = counts[blockIdx.x] + 1;
    float limit = 2.0f * (count * 3);
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    float other = tile[kThreads - 1 - threadIdx.x];
    out[blockIdx.x * kThreads + threadIdx.x] = other < limit ? other : limit;
}

int main() {
    const int n = 150;
    float *in, *out;
    int *counts;
    cudaMallocManaged(&in, 256 * sizeof(float));
    cudaMallocManaged(&out, 256 * sizeof(float));
    cudaMallocManaged(&counts, 4 * sizeof(int));
    for (int i = 0; i < 256; ++i) {
        in[i] = i % 7;
        out[i] = -1.0f;
    }
    for (int i = 0; i < 4; ++i)
        counts[i] = i + 2;
    guard_names_a_variable<<<3, kThreads>>>(in, out, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < 192; ++i)
        printf("%g\n", out[i]);
    two_guards<<<3, kThreads>>>(in, out, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < 192; ++i)
        printf("%g\n", out[i]);
    uniform_behind_a_guard<<<3, kThreads>>>(counts, out, 4);
    cudaDeviceSynchronize();
    for (int i = 0; i < 192; ++i)
        printf("%g\n", out[i]);
    cudaFree(in);
    cudaFree(out);
    cudaFree(counts);
    return 0;
}
