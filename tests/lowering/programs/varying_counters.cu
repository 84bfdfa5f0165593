// Loops that all lanes go through together, with counters that differ from lane to lane.
#include <cstdio>
#include <cuda_runtime.h>

constexpr unsigned ALL = 0xffffffffu;

__global__ void vote_in_head(const int *in, int *out, int n)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int end = n - warp;
    int sum = 0;
    for (int j = warp + lane; __any_sync(ALL, j < end); j += 32) {
        int value = j < end ? in[j] : 0;
        for (int d = 1; d < 32; d *= 2) {
            const int other = __shfl_up_sync(ALL, value, d);
            if (lane >= d)
                value += other;
        }
        sum += value;
    }
    out[threadIdx.x] = sum;
}

__global__ void vote_with_continue(const int *in, int *out, int n)
{
    const int lane = threadIdx.x % 32;
    int sum = 0;
    for (int j = lane; __any_sync(ALL, j < n); j += 32) {
        const int value = j < n ? in[j] : -1;
        if (__all_sync(ALL, value % 2 == 0 || value < 40))
            continue;
        sum += __shfl_xor_sync(ALL, value, 1) + j;
    }
    out[threadIdx.x] = sum;
}

__global__ void two_counters(const int *in, int *out, int n)
{
    __shared__ int row[64];
    const int t = threadIdx.x;
    int sum = 0;
    for (int i = 0, j = t; i < 4; ++i, j += 7) {
        row[t] = in[j % n];
        __syncthreads();
        sum += row[(t + i + 1) % 64] * (j + 1);
        __syncthreads();
    }
    int k = 3 * t;
    for (int i = 0; i < 3; ++i, k += t) {
        sum += __shfl_xor_sync(ALL, in[(k + n) % n], 2);
        if (i == 1)
            k -= 5;
    }
    out[t] = sum + k;
}

__global__ void no_condition(const int *in, int *out, int n)
{
    const int t = threadIdx.x;
    int sum = 0;
    for (int j = t;; j += 64) {
        const int value = j < n ? in[j] : 0;
        if (__all_sync(ALL, j >= n))
            break;
        sum += __shfl_xor_sync(ALL, value, 4) + j;
    }
    for (int j = 0;; j += 9) {
        if (__any_sync(ALL, in[(j + t) % n] > 90))
            break;
        sum -= __shfl_xor_sync(ALL, t + j, 8);
    }
    out[t] = sum;
}

int main()
{
    constexpr int n = 150;
    int *in, *out;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, 64 * sizeof(int));
    for (int i = 0; i < n; ++i)
        in[i] = (i * 31 + 5) % 97;
    for (int which = 0; which < 4; ++which) {
        if (which == 0)
            vote_in_head<<<1, 64>>>(in, out, n);
        else if (which == 1)
            vote_with_continue<<<1, 64>>>(in, out, n);
        else if (which == 2)
            two_counters<<<1, 64>>>(in, out, n);
        else
            no_condition<<<1, 64>>>(in, out, n);
        cudaDeviceSynchronize();
        for (int i = 0; i < 64; ++i)
            std::printf("%d ", out[i]);
        std::printf("\n");
    }
    cudaFree(in);
    cudaFree(out);
}
