// Totals of a block that only threads under a condition work out, and what looks like that but is not;
// conditions on the number of a thread alone; loops that look for an extreme
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>

constexpr int BLOCK = 256;
constexpr unsigned ALL = 0xffffffffu;

template <typename T> __device__ T warp_sum(T v)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(ALL, v, d);
    return v;
}

__device__ float warp_max(float v)
{
    for (int d = 16; d > 0; d /= 2)
        v = fmaxf(v, __shfl_down_sync(ALL, v, d));
    return v;
}

__global__ void sums_and_maxima(const int *x, const float *f, int n, int *out, float *most)
{
    __shared__ int sums[BLOCK / 32];
    __shared__ float maxima[BLOCK / 32];
    int sum = 0;
    float largest = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        sum += x[i];
        largest = fmaxf(largest, fabsf(f[i]));
    }
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    sum = warp_sum(sum);
    largest = warp_max(largest);
    if (lane == 0) {
        sums[warp] = sum;
        maxima[warp] = largest;
    }
    __syncthreads();
    if (warp == 0) {
        sum = warp_sum(lane < BLOCK / 32 ? sums[lane] : 0);
        largest = warp_max(lane < BLOCK / 32 ? maxima[lane] : 0.0f);
        if (lane == 0) {
            atomicAdd(out, sum);
            most[blockIdx.x] = largest;
        }
    }
}

// A constant of the warp, which is not the first one.
__global__ void by_the_last_warp(const int *x, int *out)
{
    __shared__ int sums[BLOCK / 32];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    int value = x[blockIdx.x * BLOCK + threadIdx.x];
    value = warp_sum(value);
    if (lane == 0)
        sums[warp] = value;
    __syncthreads();
    if (warp == 7) {
        const int total = warp_sum(lane < 8 ? sums[lane] : 0);
        if (lane == 0)
            out[blockIdx.x] = total;
    }
}

// All lanes look at what they have, which is a part in all but one.
__global__ void parts_are_seen(const int *x, int *out)
{
    __shared__ int sums[BLOCK / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int own = warp_sum(x[blockIdx.x * BLOCK + threadIdx.x]);
    if (lane == 0)
        sums[warp] = own;
    __syncthreads();
    if (warp == 0) {
        const int total = warp_sum(lane < 8 ? sums[lane] : 0);
        out[blockIdx.x * 32 + lane] = total;
    }
}

// Not all warps are added up, and one is twice.
__global__ void some_warps(const int *x, int *out)
{
    __shared__ int sums[BLOCK / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int own = warp_sum(x[blockIdx.x * BLOCK + threadIdx.x]);
    if (lane == 0)
        sums[warp] = own;
    __syncthreads();
    if (warp == 0) {
        const int total = warp_sum(lane < 8 ? sums[lane ? lane : 1] : 0);
        if (lane == 0)
            out[blockIdx.x] = total;
    }
}

// The condition asks what the body changes; and the sum is used by another warp, as it was.
__global__ void changing(const int *x, int *out)
{
    __shared__ int sums[BLOCK / 32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int sum = warp_sum(x[blockIdx.x * BLOCK + threadIdx.x]);
    if (lane == 0)
        sums[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        warp = 1;
        sum = warp_sum(lane < 8 ? sums[lane] : 0);
        if (lane == 0)
            out[2 * blockIdx.x] = sum + warp;
    }
    if (threadIdx.x == 32)
        out[2 * blockIdx.x + 1] = sum;
}

__global__ void asks_numbers(int *out)
{
    const int t = threadIdx.x, warp = t / 32, lane = t & 31;
    const unsigned u = threadIdx.x;
    if (warp == 3 && lane < 8)
        out[t] = 1;
    if (t >> 6 == 1)
        out[t] += 2;
    if (t / 32 == 5) {
        if (t % 32 == 4)
            out[t] += 4;
    }
    if (t % 3 == 0)
        out[t] += 8;
    if (u - 100u < 50u)
        out[t] += 16;
    if (t - 100 < -40)
        out[t] += 32;
    if ((t ^ 5) == 250)
        out[t] += 64;
    if (!(t / 200))
        out[t] += 128;
}

// Where there is no number, the extreme stays; it may start with none.
__global__ void extremes(const float *f, int n, float *out)
{
    float least = INFINITY, most = -INFINITY, first = f[blockIdx.x];
    for (int i = 0; i < n; ++i) {
        least = fminf(least, f[i] * (blockIdx.x + 1));
        most = fmaxf(most, f[i] * (blockIdx.x + 1));
        first = fmaxf(first, f[i]);
    }
    out[3 * blockIdx.x] = least;
    out[3 * blockIdx.x + 1] = most;
    out[3 * blockIdx.x + 2] = first;
}

// OpenMP starts lanes with the least number: not where a variable starts with less, or with none.
__global__ void begun(const float *f, const double *d, int n, float *out)
{
    const float low = -INFINITY;
    float none = NAN, infinite = -INFINITY, beyond = -INFINITY, finite = -3e38f, wide = -1e30f;
    double large = -1e300, least = INFINITY;
    for (int i = 0; i < n; ++i)
        none = fmaxf(none, f[i]);
    for (int i = 0; i < n; ++i)
        infinite = fmaxf(infinite, low);
    for (int i = 0; i < n; ++i)
        beyond = fmaxf(beyond, f[77]);
    for (int i = 0; i < n; ++i)
        finite = fmaxf(finite, i == 3 ? NAN : low);
    for (int i = 0; i < n; ++i)
        wide = fmaxf(low, wide);
    for (int i = 0; i < n; ++i)
        large = fmax(large, d[i] - 2e300);
    for (int i = 0; i < n; ++i)
        least = fmin(least, d[i] + INFINITY);
    const float found[] = {none, infinite, beyond, finite, wide, float(large / 1e290), float(least)};
    for (int i = 0; i < 7; ++i)
        out[i] = found[i];
}

int main()
{
    const int n = 5000, blocks = 7;
    int *x, *out;
    float *f, *most;
    cudaMallocManaged(&x, n * sizeof(int));
    cudaMallocManaged(&out, 1024 * sizeof(int));
    cudaMallocManaged(&f, n * sizeof(float));
    cudaMallocManaged(&most, 64 * sizeof(float));
    for (int i = 0; i < n; ++i) {
        x[i] = i * 7919 % 1013 - 300;
        f[i] = float(i * 7919 % 1013 - 300) / 8;
    }
    f[77] = f[2] = NAN;
    for (int i = 0; i < 1024; ++i)
        out[i] = 0;
    for (int i = 0; i < 64; ++i)
        most[i] = 0;
    const auto show = [&](const char *name, int count) {
        cudaDeviceSynchronize();
        printf("%s", name);
        for (int i = 0; i < count; ++i)
            printf(" %d", out[i]);
        for (int i = 0; i < 21; ++i)
            printf(" %g", most[i]);
        printf("\n");
        for (int i = 0; i < 1024; ++i)
            out[i] = 0;
        for (int i = 0; i < 64; ++i)
            most[i] = 0;
    };
    sums_and_maxima<<<blocks, BLOCK>>>(x, f, n, out, most);
    show("sums_and_maxima", 1);
    by_the_last_warp<<<blocks, BLOCK>>>(x, out);
    show("by_the_last_warp", blocks);
    parts_are_seen<<<blocks, BLOCK>>>(x, out);
    show("parts_are_seen", blocks * 32);
    some_warps<<<blocks, BLOCK>>>(x, out);
    show("some_warps", blocks);
    changing<<<blocks, BLOCK>>>(x, out);
    show("changing", 2 * blocks);
    asks_numbers<<<1, BLOCK>>>(out);
    show("asks_numbers", BLOCK);
    extremes<<<blocks, 1>>>(f, n, most);
    show("extremes", 0);
    double *d;
    cudaMallocManaged(&d, n * sizeof(double));
    for (int i = 0; i < n; ++i)
        d[i] = i;
    begun<<<1, 1>>>(f, d, n, most);
    show("begun", 0);
    return 0;
}
