#include <cstdio>
#include <cuda_runtime.h>
// rows of 8 lanes, rows that are missing, loops of every kind in step
__global__ void rows(const int *a, int *c, int n, int k, int steps) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
    const int lane = threadIdx.x % 8;
    if (row >= n)
        return;
    int sum = 0;
    for (int j = lane; j < k; j += 8)
        sum += a[row * k + j];
    for (int i = 4; i; i >>= 1)
        sum += __shfl_xor_sync(0xffffffff, sum, i, 8);
    for (int s = 0; s < steps; ++s) {
        int other = __shfl_down_sync(0xffffffff, sum, s % 8, 8);
        if (other > sum)
            sum = other + s;
        if (s % 3 == 0)
            sum += __popc(__ballot_sync(0xffffffff, other & 1) >> (threadIdx.x / 8 % 4 * 8) & 0xff);
    }
    for (unsigned m = 1; m < 8; m <<= 1)
        for (int q = 0; q < 2; ++q) {
            int v = __shfl_xor_sync(0xffffffff, sum, m + q & 7, 8);
            sum = (sum & ~255) + max(sum & 255, v & 255);
        }
    c[row * 8 + lane] = sum;
}
// threads that disagree about the number of turns stay as they were
__global__ void ragged(const int *len, int *c, int n) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    int v = t;
    if (t < n) {
        for (int s = 0; s < len[t / 32]; ++s)
            v += __shfl_down_sync(0xffffffff, v, 1);
        for (int s = 1; s < 32; s *= 2) {
            if (v % 7 == s)
                break;
            v += __any_sync(__activemask(), v % 5 == 0);
        }
        c[t] = v;
    }
}
__global__ void blocked(const int *a, int *c, int n) {
    __shared__ int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = i < n ? a[i] : 0;
    __syncthreads();
    for (int d = 32; d > 0; d = d / 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (i >= n)
        return;
    c[i] = s[0];
}
// lanes under a wider type, which one of them is asked for
__global__ void wide(const int *a, int *c, size_t n, size_t k) {
    __shared__ int s[64];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    const size_t row = blockIdx.x * 2 + threadIdx.x / 32;
    if (row >= n)
        return;
    const size_t lane_id = threadIdx.x % 32;
    const long long next = threadIdx.x % 32 + 1;
    int sum = 0;
    for (size_t i = 0; i < k / 32; ++i)
        sum += s[lane_id] * a[row * k + i * 32 + lane_id];
    for (size_t i = 16; i >= 1; i /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, i);
    if (lane_id == 0)
        c[row * 2] = sum;
    if (next == 8)
        c[row * 2 + 1] = sum + 1;
}
int main() {
    const int n = 37, k = 13;
    int *a, *c, *l;
    cudaMallocManaged(&a, 4096 * 4);
    cudaMallocManaged(&c, 4096 * 4);
    cudaMallocManaged(&l, 64 * 4);
    for (int i = 0; i < 4096; ++i)
        a[i] = i * 7919 % 101, c[i] = -1;
    for (int i = 0; i < 64; ++i)
        l[i] = i * 5 % 7;
    rows<<<5, 64>>>(a, c, n, k, 7);
    cudaDeviceSynchronize();
    unsigned h = 0;
    for (int i = 0; i < 4096; ++i)
        h = h * 31 + c[i];
    rows<<<5, 64>>>(a, c, 3, k, 0);
    cudaDeviceSynchronize();
    for (int i = 0; i < 4096; ++i)
        h = h * 31 + c[i];
    printf("%u\n", h);
    ragged<<<3, 64>>>(l, c, 160);
    cudaDeviceSynchronize();
    for (int i = 0; i < 4096; ++i)
        h = h * 31 + c[i];
    printf("%u\n", h);
    blocked<<<4, 64>>>(a, c, 230);
    cudaDeviceSynchronize();
    for (int i = 0; i < 4096; ++i)
        h = h * 31 + c[i];
    printf("%u\n", h);
    wide<<<4, 64>>>(a, c, 7, 64);
    cudaDeviceSynchronize();
    for (int i = 0; i < 4096; ++i)
        h = h * 31 + c[i];
    printf("%u\n", h);
    return 0;
}
