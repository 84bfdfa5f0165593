#include <climits>
#include <cstdio>
#include <cuda_runtime.h>
// positions and limits of every type, in tiles that may hang over the end
__global__ void tiles(const int *a, int *c, long rows, long cols, size_t most) {
    __shared__ int s[4][16];
    const int tx = threadIdx.x, ty = threadIdx.y;
    long row = blockIdx.y * 4 + threadIdx.y, col = (long)blockIdx.x * 16 + threadIdx.x;
    s[ty][tx] = row < rows && col < cols ? a[row * cols + col] : -1;
    __syncthreads();
    if (row < rows && col < cols)
        c[row * cols + col] += s[ty][15 - tx] + 1;
    __syncthreads();
    size_t wide = (size_t)blockIdx.x * 16 + tx;
    if (wide < most && row <= rows - 2)
        c[800 + row * 40 + wide] += s[3 - ty][tx] + 2;
}
__global__ void positions(const int *a, int *c, unsigned n, int m, long low, int base) {
    __shared__ int s[64];
    const unsigned g = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = g < n ? a[g] : 7;
    __syncthreads();
    if (g < n)
        c[g] += s[63 - threadIdx.x];
    __syncthreads();
    int h = blockIdx.x * 64u + threadIdx.x;
    if (h < m)
        c[h] += 2 * s[threadIdx.x];
    __syncthreads();
    long from = base + (int)threadIdx.x;
    if (from < low && from >= 0)
        c[1344 + 64 * (int)blockIdx.x + from % 64] += 3 * s[threadIdx.x ^ 1];
}
__global__ void sums(const float *a, float *c, size_t n, long long k) {
    __shared__ float s[32];
    float sum = 0;
    for (size_t base = 0; base < n; base += 32) {
        size_t i = base + threadIdx.x;
        s[threadIdx.x] = i < n ? a[i] : 0.0f;
        __syncthreads();
        if (i + 1 < n)
            sum += s[(threadIdx.x + 1) % 32];
        __syncthreads();
    }
    for (long long t = 0; t < k; ++t) {
        if (t * 32 + threadIdx.x < k)
            s[threadIdx.x] += t;
        __syncthreads();
        sum += s[31 - threadIdx.x];
        __syncthreads();
    }
    c[threadIdx.x] += sum;
}
int main() {
    const int n = 256, cells = 40 * 40;
    int *a, *c;
    float *f;
    cudaMallocManaged(&a, cells * sizeof(int));
    cudaMallocManaged(&c, cells * sizeof(int));
    cudaMallocManaged(&f, (n + 32) * sizeof(float));
    for (int i = 0; i < cells; ++i)
        a[i] = i * 7 % 23 - 5, c[i] = 0;
    for (int i = 0; i < n + 32; ++i)
        f[i] = i % 7;
    for (long rows : {LONG_MIN + n, -5L, 0L, 1L, 3L, 4L, 13L})
        for (long cols : {-(1L << 32) + 7, -1L, 0L, 5L, 16L, 37L})
            for (size_t most : {size_t(0), size_t(15), size_t(33)}) {
                tiles<<<dim3(3, 4), dim3(16, 4)>>>(a, c, rows, cols, most);
                cudaDeviceSynchronize();
            }
    for (int m : {INT_MIN + n, -1, 0, 63, 64, 100, n, 5000})
        for (int base : {-2000000000, -64, -10, 0, 50})
            positions<<<4, 64>>>(a, c, m < 0 ? 130u : m < n ? m : n, m < n ? m : n,
                                 m == 5000 ? 77L : m, base);
    for (size_t k : {0, 1, 31, 32, 33, 200})
        sums<<<1, 32>>>(f, f + n, k, (long long)k - 3);
    cudaDeviceSynchronize();
    long long sum = 0;
    for (int i = 0; i < cells; ++i)
        sum = (sum * 31 + c[i]) % 1000003;
    for (int i = 0; i < 32; ++i)
        sum = (sum * 31 + (long long)f[n + i]) % 1000003;
    std::printf("%lld\n", sum);
}
