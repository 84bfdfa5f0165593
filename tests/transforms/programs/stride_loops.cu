// Ranges that the threads of a block share out, and loops that only look like it.
#include <cstdio>

#define THREADS 32
#define BINS 100
#define TILE 4
#define WIDE 7

__global__ void histogram(const int *values, int *bins, int n)
{
    __shared__ int local[BINS];
    // More bins than threads.
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        local[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[values[i] % BINS], 1);
    __syncthreads();
    for (unsigned b = threadIdx.x; b < BINS; b += blockDim.x) {
        if (local[b] == 0)
            continue;
        atomicAdd(&bins[b], local[b]);
    }
}

__global__ void tiles(const float *in, float *out, int width)
{
    __shared__ float tile[WIDE][WIDE];
    for (int y = threadIdx.y; y < WIDE; y += TILE)
        for (int x = threadIdx.x; x < WIDE; x += TILE)
            tile[y][x] = in[y * width + x];
    __syncthreads();
    float sum = 0;
    for (int y = 0; y < WIDE - TILE + 1; ++y)
        for (int x = 0; x < WIDE - TILE + 1; ++x)
            sum += tile[threadIdx.y + y][threadIdx.x + x];
    out[threadIdx.y * TILE + threadIdx.x] = sum;
}

// Each row of threads loads a row; what it needs for that is the same for all of them.
__global__ void rows(const float *in, float *out, int width, int height)
{
    __shared__ float tile[TILE][2 * WIDE];
    const int row = blockIdx.x * TILE + threadIdx.y;
    for (int x = threadIdx.x; x < 2 * WIDE; x += 8)
        tile[threadIdx.y][x] = row < height && x < width ? in[row * width + x] : -1;
    __syncthreads();
    if (row < height)
        out[row * 8 + threadIdx.x] = tile[threadIdx.y][threadIdx.x + 6];
}

// A sum of each thread, a product of each thread with itself, threads that leave, another stride.
__global__ void not_shared_out(const float *in, float *out, int n)
{
    __shared__ float sums[THREADS], chain[4 * THREADS], steps[4 * THREADS];
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += in[i];
    sums[threadIdx.x] = sum;
    for (int i = threadIdx.x; i < 4 * THREADS; i += THREADS)
        chain[i] = i < THREADS ? in[i] : 2 * chain[i - THREADS];
    for (int i = threadIdx.x; i < 4 * THREADS; i += THREADS) {
        if (in[i % n] > 4)
            break;
        out[i] = 1;
    }
    for (int i = threadIdx.x; i < 2 * THREADS; i += 2 * THREADS)
        steps[i] = i;
    for (int i = threadIdx.x - 3; i < THREADS - 3; i += THREADS)
        steps[i + THREADS + 3] = i;
    for (unsigned i = threadIdx.x - 3; i < THREADS - 3u; i += THREADS)
        steps[i + 2 * THREADS] = i;
    __syncthreads();
    out[4 * THREADS + threadIdx.x] = sums[THREADS - 1 - threadIdx.x] + chain[3 * THREADS];
    out[5 * THREADS + threadIdx.x] = steps[threadIdx.x] + steps[threadIdx.x + THREADS];
    if (threadIdx.x < THREADS - 3)
        out[5 * THREADS + threadIdx.x] += steps[threadIdx.x + 2 * THREADS];
}

int main()
{
    int *values, *bins;
    float *in, *out;
    cudaMallocManaged(&values, 1000 * sizeof *values);
    cudaMallocManaged(&bins, BINS * sizeof *bins);
    cudaMallocManaged(&in, 64 * sizeof *in);
    cudaMallocManaged(&out, 6 * THREADS * sizeof *out);
    for (int i = 0; i < 1000; ++i)
        values[i] = i * i % 211;
    for (int i = 0; i < BINS; ++i)
        bins[i] = 0;
    for (int i = 0; i < 64; ++i)
        in[i] = i * 5 % 11;
    for (int i = 0; i < 6 * THREADS; ++i)
        out[i] = 0;
    histogram<<<3, THREADS>>>(values, bins, 1000);
    tiles<<<1, dim3(TILE, TILE)>>>(in, out, 8);
    cudaDeviceSynchronize();
    for (int i = 0; i < BINS; ++i)
        printf("%d ", bins[i]);
    for (int i = 0; i < TILE * TILE; ++i)
        printf("%g ", out[i]);
    rows<<<2, dim3(8, TILE)>>>(in, out + 16, 10, 6);
    cudaDeviceSynchronize();
    for (int i = 0; i < 6 * 8; ++i)
        printf("%g ", out[16 + i]);
    not_shared_out<<<1, THREADS>>>(in, out, 50);
    cudaDeviceSynchronize();
    for (int i = 0; i < 6 * THREADS; ++i)
        printf("%g%c", out[i], i % 16 == 15 ? '\n' : ' ');
}
