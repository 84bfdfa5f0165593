// Trees over threads whose counters are unsigned: the indices of the loops over threads are not.
#include <cstdio>

__global__ void plain(const float *in, float *out) {
    __shared__ float s[64];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (unsigned k = blockDim.x >> 1; k; k >>= 1) {
        if (threadIdx.x < k)
            s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    out[threadIdx.x] = s[0];
}

template <class T> __global__ void of_any_type(const T *in, T *out) {
    extern __shared__ unsigned char bytes[];
    T *s = reinterpret_cast<T *>(bytes);
    s[threadIdx.x] = in[threadIdx.x];
    for (unsigned int k = blockDim.x / 2; k > 0; k /= 2) {
        __syncthreads();
        if (threadIdx.x < k)
            s[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + k];
    }
    __syncthreads();
    out[threadIdx.x] = s[0];
}

typedef unsigned int uint;
#define WARP_COUNT 3
#define LOG2_WARP 5U
#define THREADS (WARP_COUNT * (1U << LOG2_WARP))
__global__ void by_macro(float *x) {
    __shared__ uint s[THREADS];
    s[threadIdx.x] = uint(x[threadIdx.x % 64]);
    __syncthreads();
    for (uint bin = threadIdx.x; bin < 64; bin += THREADS)
        x[bin] = s[THREADS - 1 - bin];
}

template <unsigned int N> __device__ float block_sum(volatile float *s, float value) {
    const unsigned t = threadIdx.x;
    s[t] = value;
    __syncthreads();
    if (N >= 64 && t < 32)
        value += s[t + 32];
    if (t < 32) {
        for (int d = 16; d > 0; d /= 2)
            value += __shfl_down_sync(0xffffffffu, value, d);
    }
    return value;
}
template <unsigned int N> __global__ void by_parameter(float *x) {
    __shared__ float s[N];
    float sum = block_sum<N>(s, x[threadIdx.x]);
    if (threadIdx.x == 0)
        x[0] = sum;
}

int main() {
    float *x;
    cudaMallocManaged(&x, 64 * sizeof(float));
    for (int i = 0; i < 64; ++i)
        x[i] = i;
    plain<<<1, 64>>>(x, x);
    cudaDeviceSynchronize();
    printf("%g\n", x[5]);
    of_any_type<<<1, 64, 64 * sizeof(float)>>>(x, x);
    cudaDeviceSynchronize();
    printf("%g\n", x[5]);
    for (int i = 0; i < 64; ++i)
        x[i] = i;
    by_macro<<<1, THREADS>>>(x);
    cudaDeviceSynchronize();
    printf("%g %g\n", x[5], x[40]);
    by_parameter<64><<<1, 64>>>(x);
    cudaDeviceSynchronize();
    printf("%g\n", x[0]);
}
