// The threads of a block share out ranges whose arrays may be the same memory: vectors have no more
// lanes than there are threads, and loops inside go through as many places together.
#include <cstdio>

#define THREADS 64

__device__ float over_warp(float value)
{
    for (int mask = 16; mask > 0; mask >>= 1)
        value += __shfl_xor_sync(0xffffffff, value, mask);
    return value;
}

// What is declared in front of the exchange does not belong to it.
__device__ float over_block(float value)
{
    static __shared__ float of_warps[32];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    value = over_warp(value);
    if (lane == 0)
        of_warps[warp] = value;
    __syncthreads();
    value = threadIdx.x < blockDim.x / 32 ? of_warps[lane] : 0.0f;
    return over_warp(value);
}

__global__ void centre_rows(float *out, const float *in, const float *scale, int n)
{
    __shared__ float mean;
    float sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += in[blockIdx.x * n + i];
    sum = over_block(sum);
    if (threadIdx.x == 0)
        mean = sum / n;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        out[blockIdx.x * n + i] = (in[blockIdx.x * n + i] - mean) * scale[i];
}

// A thread meets what it has stored one turn before.
__global__ void walk(int *x, int n)
{
    __shared__ int bias;
    if (threadIdx.x == 0)
        bias = x[n + THREADS];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += THREADS)
        x[i + THREADS] = x[i] + bias;
}

__global__ void combine_columns(const float *weights, const float *rows, float *out, int n, int d)
{
    __shared__ float kept[THREADS];
    kept[threadIdx.x] = weights[threadIdx.x];
    __syncthreads();
    for (int i = threadIdx.x; i < d; i += blockDim.x) {
        float sum = 0.0f;
        for (int k = 0; k < n; ++k)
            sum += kept[k] * rows[k * d + i];
        out[blockIdx.x * d + i] = sum;
    }
}

// Each turn reads what the one before has stored, in a loop of its own.
__global__ void combine_and_walk(float *x, int n, int d)
{
    __shared__ float first;
    if (threadIdx.x == 0)
        first = x[0];
    __syncthreads();
    for (int i = threadIdx.x; i < d; i += THREADS) {
        float sum = first;
        for (int k = 0; k < n; ++k)
            sum += x[k * (d + THREADS) + i];
        x[i + THREADS] = sum;
    }
}

template <typename T> T *to_device(const T *values, int count)
{
    T *made;
    cudaMalloc(&made, count * sizeof(T));
    cudaMemcpy(made, values, count * sizeof(T), cudaMemcpyHostToDevice);
    return made;
}

int main()
{
    const int rows = 3, n = 300, d = 200;
    float in[rows * n], columns[THREADS * (d + THREADS)], out[rows * n];
    int steps[n + THREADS + 1];
    for (int i = 0; i < rows * n; ++i)
        in[i] = (i * 7 % 31) * 0.25f;
    for (int i = 0; i < THREADS * (d + THREADS); ++i)
        columns[i] = (i * 5 % 17) * 0.5f;
    for (int i = 0; i <= n + THREADS; ++i)
        steps[i] = i % 13;
    float *d_in = to_device(in, rows * n), *d_out = to_device(in, rows * n);
    float *d_columns = to_device(columns, THREADS * (d + THREADS));
    int *d_steps = to_device(steps, n + THREADS + 1);

    centre_rows<<<rows, THREADS>>>(d_out, d_in, d_in + 11, n - 100);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    float sum = 0.0f;
    for (int i = 0; i < rows * (n - 100); ++i)
        sum += out[i] * (i % 5);
    std::printf("%.2f\n", sum);

    walk<<<1, THREADS>>>(d_steps, n);
    cudaMemcpy(steps, d_steps, sizeof(steps), cudaMemcpyDeviceToHost);
    for (int i = n; i < n + THREADS; ++i)
        std::printf("%d ", steps[i]);

    combine_columns<<<rows, THREADS>>>(d_in, d_columns, d_out, THREADS, d);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    sum = 0.0f;
    for (int i = 0; i < rows * d; ++i)
        sum += out[i] * (i % 3);
    std::printf("\n%.1f\n", sum);

    combine_and_walk<<<1, THREADS>>>(d_columns, 3, d);
    cudaMemcpy(columns, d_columns, sizeof(columns), cudaMemcpyDeviceToHost);
    sum = 0.0f;
    for (int i = 0; i < d + THREADS; ++i)
        sum += columns[i];
    std::printf("%.1f\n", sum);
    return 0;
}
