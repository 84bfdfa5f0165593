// Positions are unsigned in CUDA, and compare with counts of 64 bits, members and elements.
#include <cstdio>

struct Extent {
    size_t width;
    unsigned height;
};

__global__ void count(int *a, Extent e, const size_t *widths, unsigned long long n)
{
    if (threadIdx.x < e.width && threadIdx.x < e.height)
        a[threadIdx.x] += 1;
    if (threadIdx.x >= widths[1] || n > threadIdx.x)
        a[threadIdx.x] += 2;
    if (threadIdx.x < 7u || (threadIdx.x & 3) == (e.height & 3u))
        a[threadIdx.x] -= 1;
    if (threadIdx.x - 3 < n)
        a[threadIdx.x] += 4;
    int start = int(widths[0]) - 9;
    for (int k = start; k < n; ++k)
        a[threadIdx.x] += 8;
}

// Loops whose counters and limits have other signs, shared out among threads.
__global__ void shared_out(int *a, size_t n, int m)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        a[i] += 16;
    __syncthreads();
    for (size_t i = threadIdx.x; i < m; i += blockDim.x)
        a[i] ^= 3;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < m - 1; i += blockDim.x)
        a[i] += 32;
}

int main()
{
    size_t widths[] = {12, 20}, *of;
    int a[32], *d;
    cudaMalloc(&of, sizeof widths);
    cudaMalloc(&d, sizeof a);
    cudaMemcpy(of, widths, sizeof widths, cudaMemcpyHostToDevice);
    cudaMemset(d, 0, sizeof a);
    count<<<1, 32>>>(d, Extent{18, 25}, of, 11);
    shared_out<<<1, 8>>>(d, 30, 20);
    cudaMemcpy(a, d, sizeof a, cudaMemcpyDeviceToHost);
    for (int value : a)
        printf(" %d", value);
    printf("\n");
}
