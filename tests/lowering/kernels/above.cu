#include <climits>
#include <cstdio>
#include <cuda_runtime.h>
// what is left of a matrix behind column k, as in eliminations
__global__ void below(int *a, int n, int k) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row > k && col > k && row < n && col < n)
        a[row * n + col] -= a[row * n + k] * a[k * n + col];
}
// numbers after the largest of a type, after negative ones and after those without a sign
__global__ void after(int *c, int n, int low, unsigned above, size_t wide, int high) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (low < i && i <= high)
        c[i] += 1;
}
__global__ void after_unsigned(int *c, unsigned n, unsigned above, int low) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i > above)
        c[i] += 2 + (int(i) > low);
}
__global__ void after_signed(int *c, unsigned n, int low) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i > low)
        c[i] += 4;
}
__global__ void after_wide(int *c, int n, size_t wide, long long high) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > wide && i < n && i <= high)
        c[i] += 8;
}
// conditions of the launch: nobody does anything, or all are asked the rest
__global__ void planes(const int *a, int *c, int n, int k, int depth, int step) {
    if (k <= 0)
        return;
    if (k < depth - 1) {
        const int col = blockIdx.x * blockDim.x + threadIdx.x;
        const int row = blockIdx.y * blockDim.y + threadIdx.y;
        if (row < n && col < n && (n / step) % 2 == 0)
            c[row * n + col] += a[(k - 1) * n + col] + 16 * k;
    }
}
__global__ void enough(int *c, int n) {
    if (gridDim.x * blockDim.x < n)
        return;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] += 32;
}
// in a block
__global__ void shared_rows(const int *a, int *c, int k) {
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    if (t > k)
        c[t] += s[t - k - 1];
    __syncthreads();
    if (t + k > 3 && t <= k)
        c[t] += 2 * s[63 - t];
}
int main() {
    const int n = 61, cells = n * n;
    int *a, *c;
    cudaMallocManaged(&a, cells * sizeof(int));
    cudaMallocManaged(&c, cells * sizeof(int));
    for (int i = 0; i < cells; ++i)
        a[i] = i * 7 % 23 - 5, c[i] = 0;
    const dim3 block(16, 4), grid(4, 16);
    for (int k = 0; k < 3; ++k)
        below<<<grid, block>>>(a, n, k * 20);
    below<<<grid, block>>>(a, n, n);
    const int lows[] = {-7, -1, 0, 5, 60, 2000, INT_MAX, INT_MIN};
    for (int low : lows) {
        after<<<4, 64>>>(c, 200, low, low, low, INT_MAX);
        after<<<4, 64>>>(c, 250, 3, low, low, low);
        after_unsigned<<<4, 64>>>(c, 210, low, low);
        after_signed<<<4, 64>>>(c, 220, low);
        after_wide<<<4, 64>>>(c, 230, low, low);
        after_wide<<<4, 64>>>(c, 230, low + 1ULL, LLONG_MAX);
        cudaDeviceSynchronize();
    }
    for (int k = -1; k < 5; ++k)
        planes<<<grid, block>>>(a, c, n, k, 5, k == 4 ? 0 : 3);
    for (int k : {-1, 0, 3, 40, 63})
        if (k >= 0)
            shared_rows<<<1, 64>>>(a, c, k);
    enough<<<2, 64>>>(c, 128);
    enough<<<2, 64>>>(c, 129);
    cudaDeviceSynchronize();
    long long sum = 0;
    for (int i = 0; i < cells; ++i)
        sum = (sum * 31 + a[i] % 1000 + c[i]) % 1000003;
    std::printf("%lld\n", sum);
}
