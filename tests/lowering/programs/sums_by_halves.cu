// Sums of lanes, to the last bit: by halves they are one reduction, others stay what they are.
#include <cstdio>
#define BLOCK 96
#define ALL 0xffffffffu

__device__ float down(float v)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(ALL, v, d);
    return v;
}

__global__ void first_lanes(const float *x, float *y)
{
    const int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    float sum = down(x[i]);
    if (t % 32 == 0)
        y[blockIdx.x * 3 + t / 32] = sum;
}

// All lanes look at theirs, which are garbage but for the first.
__global__ void all_lanes(const float *x, float *y)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    y[i] = down(x[i]);
}

__global__ void crosswise(const float *x, float *y)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    float v = x[i];
    for (int m = 16; m > 0; m >>= 1)
        v += __shfl_xor_sync(ALL, v, m);
    y[i] = x[i] / v;
}

// Neighbours first: other roundings.
__global__ void neighbours(const float *x, float *y)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    float v = x[i];
    for (int m = 1; m < 32; m <<= 1)
        v += __shfl_xor_sync(ALL, v, m);
    y[i] = v;
}

// Rows of 16 lanes.
__global__ void narrow(const float *x, float *y)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    float v = x[i];
    for (int d = 8; d > 0; d /= 2)
        v += __shfl_down_sync(ALL, v, d, 16);
    if (threadIdx.x % 16 == 0)
        y[i / 16] = v;
}

// The first warp adds up what the others have; what it has at first is asked for again by another.
__global__ void in_two_steps(const float *x, float *y)
{
    __shared__ float part[BLOCK / 32];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    float sum = down(x[blockIdx.x * BLOCK + t]);
    if (lane == 0)
        part[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < BLOCK / 32 ? part[lane] : 0.0f;
        sum = down(sum);
        if (lane == 0)
            y[2 * blockIdx.x] = sum;
    }
    if (t == 32)
        y[2 * blockIdx.x + 1] = sum;
}

// The same without anybody who asks.
__global__ void in_two_plain_steps(const float *x, double *y)
{
    __shared__ double part[BLOCK / 32];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    double sum = x[blockIdx.x * BLOCK + t];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(ALL, sum, d);
    if (lane == 0)
        part[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < BLOCK / 32 ? part[lane] : 0.0;
        for (int d = 16; d > 0; d /= 2)
            sum += __shfl_down_sync(ALL, sum, d);
        if (lane == 0)
            y[blockIdx.x] = sum;
    }
}

// What one turn leaves in its lanes goes on in the next.
__global__ void carried(const float *x, float *y, int turns)
{
    const int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    float v = x[i];
    for (int k = 0; k < turns; ++k) {
        for (int d = 16; d > 0; d /= 2)
            v += __shfl_down_sync(ALL, v, d);
        if (t % 32 == 0)
            y[(blockIdx.x * 3 + t / 32) * turns + k] = v;
        v *= 0.25f;
    }
}

// And is new in each.
__global__ void renewed(const float *x, float *y, int turns)
{
    const int t = threadIdx.x;
    for (int k = 0; k < turns; ++k) {
        float v = x[blockIdx.x * BLOCK + t] * (k + 1);
        v = down(v);
        if (t % 32 == 0)
            y[(blockIdx.x * 3 + t / 32) * turns + k] = v;
    }
}

// A sum and an extreme at once, used behind a condition that gives the sum another value.
__global__ void beside_extremes(const float *x, float *y, int n)
{
    const int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    float sum = x[i], most = x[i];
    for (int d = 16; d > 0; d /= 2) {
        sum += __shfl_xor_sync(ALL, sum, d);
        most = fmaxf(most, __shfl_xor_sync(ALL, most, d));
    }
    if (n > 3)
        sum = most;
    y[i] = sum - most;
}

// Rows of a block are shorter than warps: four lanes of each are the first of theirs.
__global__ void rows_of_eight(const float *x, float *y)
{
    const float sum = down(x[blockIdx.x * BLOCK + threadIdx.y * blockDim.x + threadIdx.x]);
    if (threadIdx.x == 0)
        y[blockIdx.x * 12 + threadIdx.y] = sum;
}

__global__ void first_of_rows(const float *x, float *y)
{
    const float sum = down(x[threadIdx.x]);
    if (threadIdx.x == 0)
        atomicAdd(y + blockIdx.x, sum);
}

static unsigned hash(const void *from, int bytes)
{
    unsigned h = 17;
    for (int i = 0; i < bytes; ++i)
        h = h * 31 + static_cast<const unsigned char *>(from)[i];
    return h;
}

int main()
{
    const int blocks = 3, n = blocks * BLOCK, turns = 3;
    float *x, *y;
    double *z;
    cudaMallocManaged(&x, n * sizeof(float));
    cudaMallocManaged(&y, n * sizeof(float));
    cudaMallocManaged(&z, n * sizeof(double));
    for (int i = 0; i < n; ++i) {
        x[i] = 1.0f / (1 + i * 37 % 101) + (i % 7) * 1e3f;
        y[i] = 0;
        z[i] = 0;
    }
    void (*kernels[])(const float *, float *) = {first_lanes, all_lanes, crosswise,
                                                 neighbours,  narrow,    in_two_steps};
    for (auto kernel : kernels) {
        kernel<<<blocks, BLOCK>>>(x, y);
        cudaDeviceSynchronize();
        printf("%08x %g\n", hash(y, n * sizeof(float)), y[1]);
    }
    const dim3 rows(x[0] > 0 ? 8 : 32, x[1] > 0 ? 12 : 3);
    rows_of_eight<<<blocks, rows>>>(x, y);
    cudaDeviceSynchronize();
    printf("%08x\n", hash(y, n * sizeof(float)));
    for (int i = 0; i < n; ++i)
        y[i] = 0;
    first_of_rows<<<blocks, rows>>>(x, y);
    cudaDeviceSynchronize();
    printf("%.3f %.3f\n", y[0], y[2]);
    in_two_plain_steps<<<blocks, BLOCK>>>(x, z);
    carried<<<blocks, BLOCK>>>(x, y, turns);
    cudaDeviceSynchronize();
    printf("%08x %08x\n", hash(y, n * sizeof(float)), hash(z, n * sizeof(double)));
    renewed<<<blocks, BLOCK>>>(x, y, turns);
    cudaDeviceSynchronize();
    printf("%08x\n", hash(y, n * sizeof(float)));
    beside_extremes<<<blocks, BLOCK>>>(x, y, 2);
    cudaDeviceSynchronize();
    printf("%08x\n", hash(y, n * sizeof(float)));
    beside_extremes<<<blocks, BLOCK>>>(x, y, 4);
    cudaDeviceSynchronize();
    printf("%08x\n", hash(y, n * sizeof(float)));
    return 0;
}
