// Conditions that nobody asks, or of types of their own: what no thread comes to is not done
#include <cstdio>
#include <cuda_runtime.h>
enum Level { LOW, MID = 5, HIGH = 9 };
__device__ int flag;
template <bool F> struct Has { };
template <> struct Has<true> { static __host__ __device__ int value(int i) { return i * 3; } };
template <bool F> __global__ void fixed(int *c, int n) {
    if constexpr (F) {
        const int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) c[i] += Has<F>::value(i);
    }
}
__global__ void levels(int *c, int n, Level low, Level high) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i > low && i <= high) c[i] += 7;
}
__global__ void flagged(int *c, int n) {
    if (flag) return;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] += 11;
}
__global__ void ands(int *c, int n, int k, unsigned m) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (!((i < n) & (k > 2))) return;
    if ((i >= k) & (i < m) | (i == 1)) c[i] += 13;
}
// no thread at all in a row: nothing may be loaded
__global__ void none(int *c, const int *factor, int k, int rows, int cols) {
    __shared__ int s[8];
    if (threadIdx.x < 8 && threadIdx.y == 0) s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.y < k)
        for (int r = 0; r < rows; ++r) {
            const int f = factor[r];
            for (int x = threadIdx.x; x < cols; x += blockDim.x)
                atomicAdd(&c[r * cols + x], f + s[x % 8]);
        }
}
__global__ void divided(int *c, int k, int a, int d, int cols) {
    __shared__ int s[8];
    if (threadIdx.x < 8 && threadIdx.y == 0) s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.y < k)
        for (int r = 0; r < a / d; ++r)
            for (int x = threadIdx.x; x < cols; x += blockDim.x)
                atomicAdd(&c[x], r + s[x % 8]);
}
int main() {
    const int n = 200;
    int *c, *f;
    cudaMallocManaged(&c, 400 * sizeof(int)); cudaMallocManaged(&f, 400 * sizeof(int));
    for (int i = 0; i < 400; ++i) c[i] = 0, f[i] = i % 5;
    fixed<true><<<4, 64>>>(c, n); fixed<false><<<4, 64>>>(c, n);
    levels<<<4, 64>>>(c, n, LOW, HIGH); levels<<<4, 64>>>(c, n, MID, HIGH);
    flagged<<<4, 64>>>(c, n);
    int one = 1; cudaMemcpyToSymbol(flag, &one, sizeof one); flagged<<<4, 64>>>(c, n);
    for (int k = 0; k < 6; ++k) ands<<<4, 64>>>(c, n, k, k == 5 ? 1000000u : 50u);
    none<<<1, dim3(32, 4)>>>(c, f, 3, 5, 40); none<<<1, dim3(32, 4)>>>(c, nullptr, 0, 5, 40);
    divided<<<1, dim3(32, 4)>>>(c, 2, 9, 3, 40); divided<<<1, dim3(32, 4)>>>(c, 0, 9, 0, 40);
    cudaDeviceSynchronize();
    long long sum = 0; for (int i = 0; i < 400; ++i) sum = (sum * 31 + c[i]) % 1000003;
    printf("%lld\n", sum);
}
